"""run.sh and CMakeLists.txt: they do what the outline says, and survive hostile surroundings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ge_support import project, write
from ge_zoo import CASES, library_text, spec_text
from opgen.ge.outline import outline

_SHELLCHECK = Path(sys.executable).with_name("shellcheck")

_TOOL = """\
#!/usr/bin/env bash
# A tool that says what it was called with, and fails when it is told to.
printf '%s\\n' "$(basename "$0") [$*] opp=[${ASCEND_CUSTOM_OPP_PATH-unset}]" >>"${TOOL_LOG}"
[[ "$*" == *"${TOOL_FAILS:-nothing fails}"* ]] && exit 3
for word in "$@"; do
  case "${word}" in
  --output=*) echo om >"${word#--output=}.om" ;;
  esac
done
exit 0
"""


@pytest.fixture
def run(tmp_path: Path):
    """Runs run.sh of a project in a folder with blanks, with tools that only say what they were called with."""

    def call(text: str, **environment: str) -> tuple[int, list[str], str]:
        root = tmp_path / "a folder; with $(blanks)"
        folder = write(project(text)[1], root / "project")
        tools = root / "tools"
        tools.mkdir(exist_ok=True)
        programs = re.findall(r"^add_executable\((\w+)", (folder / "CMakeLists.txt").read_text(), re.MULTILINE)
        for name in ("cmake", "atc", "ldd", "python3"):
            _executable(tools / name)
        for name in programs:
            _executable(folder / "build" / name)
        log = tmp_path / "log"
        log.write_text("")
        done = subprocess.run(
            ["bash", str(folder / "run.sh")],
            cwd="/",
            env={
                "PATH": f"{tools}:/usr/bin:/bin",
                "HOME": os.environ.get("HOME", "/"),
                "ASCEND_HOME_PATH": str(root / "cann"),
                "TOOL_LOG": str(log),
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        calls = [line.replace(str(folder), "P") for line in log.read_text().splitlines()]
        return done.returncode, calls, done.stdout + done.stderr

    return call


def _executable(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_TOOL)
    path.chmod(0o755)


@pytest.mark.parametrize(("op", "scenario"), CASES)
def test_run_script_has_the_steps_of_the_outline(op: str, scenario: str) -> None:
    spec, texts = project(spec_text(op, scenario))
    titles = re.findall(r'^info "Step (\d+)/(\d+): (.*)"$', texts["run.sh"], re.MULTILINE)
    steps = outline(spec).steps
    assert titles == [(str(i), str(len(steps)), step.title) for i, step in enumerate(steps, 1)]


def test_shellcheck_has_nothing_to_say(tmp_path: Path) -> None:
    for op, scenario in CASES:
        write({f"{op}_{scenario}.sh": project(spec_text(op, scenario))[1]["run.sh"]}, tmp_path)
    files = sorted(str(path) for path in tmp_path.iterdir())
    assert len(files) == len(CASES)
    checked = subprocess.run([str(_SHELLCHECK), *files], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_offline_runs_every_tool_in_order(run) -> None:
    code, calls, output = run(spec_text("SplitZoo", "offline"), ASCEND_CUSTOM_OPP_PATH="/one:/two")
    assert code == 0, output
    assert [call for call in calls if not call.startswith(("python3 [-c", "ldd "))] == [
        "cmake [-S P -B P/build] opp=[/one:/two]",
        "cmake [--build P/build --parallel] opp=[/one:/two]",
        "cmake [--install P/build] opp=[/one:/two]",
        "graph_build [P/build/split_zoo.air] opp=[/one:/two]",
        "atc [--framework=1 --model=P/build/split_zoo.air --output=P/build/split_zoo --soc_version=Ascend910_9362] "
        "opp=[P/output:/one:/two]",
        "python3 [P/common/split_zoo_golden.py P/build/data] opp=[/one:/two]",
        "model_exec [P/build/split_zoo.om P/build/data] opp=[unset]",
    ]
    assert output.splitlines()[-1] == "[INFO] Done."


def test_eager_compiles_one_kernel_for_each_variant(run) -> None:
    code, calls, output = run(spec_text("OptionalZoo", "eager"))
    assert code == 0, output
    kernel = "python3 [P/optional_zoo_kernel/optional_zoo_kernel.py -1 P/output/kernel/"
    compiled = [call.removeprefix(kernel).partition("]")[0] for call in calls if call.startswith(kernel)]
    absent = {"": "", "_no_bias": " --without bias", "_no_gain": " --without gain"}
    absent["_no_bias_no_gain"] = " --without bias --without gain"
    assert compiled == [
        f"{dtype}{key}.tlk --dtype {dtype}{options} --platform A3"
        for dtype in ("float32", "float16")
        for key, options in absent.items()
    ]
    assert calls[-1] == "session_run [] opp=[P/output]"


def test_the_users_kernel_is_called_with_what_op_yaml_promises(run) -> None:
    _, calls, _ = run(spec_text("WidenZoo", "eager"))
    assert [call.partition("]")[0] for call in calls if "widen.py" in call] == [
        "python3 [P/widen.py -1 P/output/kernel/float16_float32.tlk --dtype T=float16,U=float32",
        "python3 [P/widen.py -1 P/output/kernel/int8_int32.tlk --dtype T=int8,U=int32",
    ]


def test_kernels_of_several_operators_lie_apart(run) -> None:
    code, calls, output = run(library_text("eager"))
    assert code == 0, output
    kernels = re.findall(r"P/output/kernel/(\S+)", "\n".join(calls))
    assert "axpy_zoo/float32.tlk" in kernels
    assert "cast_zoo/float32_float16_mode_tanh.tlk" in kernels
    assert len(kernels) == len(set(kernels)) == 3 + 8
    assert [call.partition(" ")[0] for call in calls[-2:]] == ["session_run_axpy_zoo", "session_run_cast_zoo"]


@pytest.mark.parametrize("fails", ["--build", "--install", "axpy_zoo.air", "--framework", "axpy_zoo.om"])
def test_stops_at_the_first_failure(run, fails: str) -> None:
    code, calls, output = run(spec_text("AxpyZoo", "offline"), TOOL_FAILS=fails)
    assert code != 0
    assert fails in calls[-1]
    assert "Done." not in output


@pytest.mark.parametrize(("op", "wanted"), [("SplitZoo", ["tilelang", "numpy"]), ("AxpyZoo", ["tilelang"])])
def test_asks_for_the_modules_it_needs_before_it_builds(run, op: str, wanted: list[str]) -> None:
    _, calls, _ = run(spec_text(op, "offline"))
    first = next(number for number, call in enumerate(calls) if call.startswith("cmake"))
    assert [re.findall(r'find_spec\("(\w+)"\)', call) for call in calls[:first]] == [[name] for name in wanted]


def test_another_interpreter_and_chip(run) -> None:
    _, calls, _ = run(spec_text("SplitZoo", "offline"), CUSTOM_OP_PYTHON="python3", SOC_VERSION="Ascend910B3")
    assert any("--soc_version=Ascend910B3]" in call for call in calls)


def test_says_what_is_missing(run) -> None:
    code, calls, output = run(spec_text("AxpyZoo", "online"), ASCEND_HOME_PATH="")
    assert code == 1
    assert calls == []
    assert "[ERROR] ASCEND_HOME_PATH is not set" in output


def test_cmake_names_every_source_and_program() -> None:
    spec, texts = project(library_text("offline"))
    cmake = texts["CMakeLists.txt"]
    sources = [path for path in texts if path.startswith("ge/") and path.endswith(".cpp")]
    for path in [*sources, *(p for p in texts if p.endswith(".cc"))]:
        assert re.search(rf"\b{re.escape(path)}\b", cmake), path
    assert "install(FILES ge/axpy_zoo.h ge/cast_zoo.h DESTINATION op_graph/include)" in cmake
    assert (
        "install(FILES axpy_zoo_kernel/axpy_zoo_kernel.py cast_zoo_kernel/cast_zoo_kernel.py DESTINATION kernel)"
        in cmake
    )
    assert cmake.count("add_executable(") == 4
    assert spec.project == "zoo_pack" and "project(zoo_pack LANGUAGES CXX)" in cmake


def test_extra_files_are_wired_by_their_suffix() -> None:
    text = spec_text("AxpyZoo", "online") + "extra: [mine/helper.h, mine/helper.cpp, mine/more.cmake, mine/setup.sh]\n"
    spec, texts = project(text)
    owners = {entry.path: entry.owner for entry in outline(spec).entries}
    for path in spec.extra:
        assert owners[path] == "once"
        assert texts[path].endswith("\n")
    assert '#include "mine/helper.h"' in texts["ge/custom_op.cpp"]
    assert "  mine/helper.cpp\n" in texts["CMakeLists.txt"]
    assert texts["CMakeLists.txt"].endswith("include(mine/more.cmake)\n")
    setup = texts["run.sh"].index('source "${PROJECT}/mine/setup.sh"')
    assert setup < texts["run.sh"].index('info "Step 1/')
