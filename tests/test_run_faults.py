"""Real projects in the stand-in when something is wrong: run.sh stops where it is, says it, and leaves nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from chain_support import environment, home, interpreter, shell
from conftest import Opgen
from opgen.dialect import cpu
from run_support import marked

SCENARIOS = ("eager", "online", "offline")
_FETCHES = re.compile(
    r"\b(?:FetchContent\w*|ExternalProject\w*|file\s*\(\s*DOWNLOAD|curl|wget|git\s+clone|pip3?\s+install|apt(?:-get)?\s"
    r"|conda|urllib|requests|https?://)",
    re.IGNORECASE,
)


def new_project(opgen: Opgen, folder: Path, scenario: str) -> Path:
    made = opgen("new", "add_custom", "--scenario", scenario, "--dtype", "float32")
    assert made.returncode == 0, made.stderr
    return folder / "add_custom"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_step_asks_the_network(opgen: Opgen, tmp_path: Path, scenario: str) -> None:
    project = new_project(opgen, tmp_path, scenario)
    files = [p for p in project.rglob("*") if p.is_file() and ".opgen" not in p.parts and p.suffix != ".md"]
    assert len(files) > 10
    found = [f"{path}: {line}" for path in files for line in path.read_text().splitlines() if _FETCHES.search(line)]
    assert [line for line in found if "yaml-language-server" not in line] == []


def test_the_search_for_fetches_finds_them() -> None:
    for line in ("FetchContent_Declare(x", "  curl -O x", "git clone x", "python3 -m pip install x", "http://x"):
        assert _FETCHES.search(line), line


# P14: the first stage that fails is the last one that runs.
@pytest.mark.parametrize(
    ("scenario", "step"),
    [
        ("eager", "Step 1/3: compile the kernel"),
        pytest.param("online", "Step 2/2: compile, load and run the graph (Compile, Execute)", marks=pytest.mark.full),
        ("offline", "Step 3/4: compile the graph into an OM (Compile, Serialize)"),
    ],
)
def test_a_kernel_script_with_a_syntax_error_stops_the_run(
    opgen: Opgen, tmp_path: Path, scenario: str, step: str
) -> None:
    project = new_project(opgen, tmp_path, scenario)
    script = project / "add_custom_kernel" / "add_custom_kernel.py"
    script.write_text(script.read_text() + "def broken(:\n")
    ran = shell("bash run.sh", project, environment(tmp_path / "run"))
    assert ran.returncode != 0
    steps = re.findall(r"(?m)^\[INFO\] (Step .*)$", ran.stdout)
    assert steps[-1] == step
    assert "SyntaxError" in ran.stdout
    assert "Precision check passed" not in ran.stdout
    assert list((tmp_path / "run" / "tmp").iterdir()) == []


def test_without_tilelang_no_step_begins(opgen: Opgen, tmp_path: Path) -> None:
    project = new_project(opgen, tmp_path, "online")
    python = tmp_path / "bare" / "python3"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    python.chmod(0o755)
    ran = shell("bash run.sh", project, {**environment(tmp_path / "run"), "CUSTOM_OP_PYTHON": str(python)})
    assert ran.returncode == 1
    assert ran.stdout == (
        f"[ERROR] {python} has no module tilelang: install TileLang-Ascend or set TILELANG_ASCEND_HOME.\n"
    )


def test_without_a_compiler_run_says_what_to_install(opgen: Opgen, tmp_path: Path) -> None:
    project = new_project(opgen, tmp_path, "online")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bash").symlink_to("/bin/bash")
    ran = opgen("run", "add_custom", "--on", "standin", PATH=str(tmp_path / "bin"))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "opgen: cmake, make and g++ are not on PATH" in ran.stderr
    assert "fix: install a C++ compiler, CMake and make" in ran.stderr
    assert not (project / "build").exists()


def test_a_program_that_warns_fails_the_rung_of_cpp_only(opgen: Opgen, tmp_path: Path) -> None:
    home()
    project = new_project(opgen, tmp_path, "eager")
    source = project / "session_run" / "main.cc"
    source.write_text(source.read_text().replace("int main(", "int main(int, char **argv) {\n  int left;\n", 1))
    ran = opgen("verify", "add_custom", "--only", "cpp", "--only", "kernel")
    assert ran.returncode == 1
    assert re.search(r"(?m)^  kernel   passed", ran.stdout)
    assert re.search(r"(?m)^  cpp      failed .*session_run/main.cc:\d+:\d+: error: ", ran.stdout)
    assert not (project / "build").exists()


def test_ctrl_c_ends_a_real_run_with_everything_it_started(opgen: Opgen, tmp_path: Path) -> None:
    home()
    if cpu.find() is None:
        pytest.skip("no CPU build of TileLang here: `opgen doctor --install` prepares it")
    new_project(opgen, tmp_path, "online")
    (tmp_path / "tmp").mkdir()
    mark = str(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-m", "opgen", "run", "add_custom", "--on", "standin"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp"), "MARK": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout
    while "Building CXX object" not in process.stdout.readline():
        assert process.poll() is None
    assert len(marked(mark)) > 2
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert marked(mark) == []
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.full
def test_sanitizers_find_what_a_good_result_hides(opgen: Opgen, tmp_path: Path) -> None:
    home()
    if cpu.find() is None:
        pytest.skip("no CPU build of TileLang here: `opgen doctor --install` prepares it")
    project = new_project(opgen, tmp_path, "online")
    ran = opgen("run", "add_custom", "--on", "standin", "--sanitize")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "runs in a temporary copy: instrumented programs stay out of the project" in ran.stderr
    assert not (project / "output").exists()
    header = project / "common" / "add_custom_case.h"
    old = "inline bool CheckPrecision(const Inputs &inputs, const Outputs &outputs) {\n"
    text = header.read_text()
    assert old in text
    read = "  volatile float beyond = outputs.z.data()[outputs.z.size()];\n  (void)beyond;\n"
    header.write_text(text.replace(old, old + read))
    ran = opgen("run", "add_custom", "--on", "standin", "--sanitize")
    assert ran.returncode == 1
    assert "AddressSanitizer: heap-buffer-overflow" in ran.stdout
    assert "Step 2/2: compile, load and run the graph (Compile, Execute) failed with exit code" in ran.stderr


def without_network() -> list[str]:
    """What to put before a command so that it has no network; nothing where that is not allowed."""
    words = ["unshare", "--net"]
    try:
        allowed = subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        allowed = False
    return words if allowed else []


def test_a_run_in_the_stand_in_needs_no_network_and_is_not_led_astray(opgen: Opgen, tmp_path: Path) -> None:
    home()
    if cpu.find() is None:
        pytest.skip("no CPU build of TileLang here: `opgen doctor --install` prepares it")
    new_project(opgen, tmp_path, "eager")
    trap = tmp_path / "trap"
    (trap / "tilelang").mkdir(parents=True)
    (trap / "tilelang" / "__init__.py").write_text("raise SystemExit('not this one')\n")
    astray = {
        "TILELANG_ASCEND_HOME": str(trap),
        "PYTHONPATH": f"{trap}:{':'.join(sys.path)}",
        "ASCEND_CUSTOM_OPP_PATH": str(trap),
        "ASCEND_HOME_PATH": str(trap),
        "CUSTOM_OP_PYTHON": str(interpreter(trap)),
        "CUSTOM_OP_KERNEL_DIR": str(trap),
    }
    ran = subprocess.run(
        [*without_network(), sys.executable, "-m", "opgen", "run", "add_custom"],
        cwd=tmp_path,
        env={**os.environ, **astray},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"runs in the CANN stand-in ({trap} has no include/)" in ran.stderr
    assert "Precision check passed" in ran.stdout
