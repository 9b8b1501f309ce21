"""The texts of the sample programs: they compile, they are formatted, they include what they use and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import gallery as gallery_names
from opgen.ge.programs import golden_script_path, program_files, program_prints, programs, render_programs
from opgen.resources import folder
from opgen.spec.loader import load
from opgen.spec.model import OpSpec
from program_support import OPERATORS, gxx, one, several, write_project

ALL = tuple(OPERATORS)
GALLERY = tuple(gallery_names())


def gallery(name: str) -> OpSpec:
    return load((folder("specs") / name / "op.yaml").read_bytes(), "op.yaml")


def sources(texts: dict[str, str]) -> list[str]:
    return [path for path in texts if path.endswith(".cc")]


@pytest.mark.parametrize(
    ("names", "scenario"),
    [
        (("list_probe",), "online"),
        (("names_probe", "momentum_probe"), "online"),
        (("list_probe", "blind_probe"), "offline"),
    ],
)
def test_programs_compile(tmp_path: Path, names: tuple[str, ...], scenario: str) -> None:
    spec = several(names, scenario) if len(names) > 1 else one(names[0], scenario)
    write_project(spec, tmp_path)
    result = gxx("-fsyntax-only", *sources(render_programs(spec)), cwd=tmp_path)
    assert result.returncode == 0, result.stderr


@pytest.mark.full
@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.parametrize("version", [91, 92])
def test_programs_of_the_gallery_compile(tmp_path: Path, name: str, version: int) -> None:
    spec = gallery(name)
    write_project(spec, tmp_path)
    files = sources(render_programs(spec))
    result = gxx(f"-DCANN_STANDIN_VERSION={version}", "-fsyntax-only", *files, cwd=tmp_path)
    assert result.returncode == 0, result.stderr


def test_clang_format_changes_nothing(tmp_path: Path) -> None:
    specs = [gallery(name) for name in GALLERY] + [several(ALL, scenario) for scenario in ("online", "offline")]
    files: list[Path] = []
    for number, spec in enumerate(specs):
        for path, text in render_programs(spec).items():
            if path.endswith((".cc", ".h")):
                file = tmp_path / str(number) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
                files.append(file)
    style = "{BasedOnStyle: Google, ColumnLimit: 120, DerivePointerAlignment: false, PointerAlignment: Right, "
    style += "AllowShortFunctionsOnASingleLine: Inline}"
    clang_format = Path(sys.executable).with_name("clang-format")
    command = [clang_format, f"--style={style}", "--dry-run", "--Werror", *files]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr[:2000]


def test_golden_scripts_pass_ruff(tmp_path: Path) -> None:
    script = tmp_path / "list_probe_golden.py"
    script.write_text(render_programs(one("list_probe", "online"))["common/list_probe_golden.py"])
    config = Path(__file__).resolve().parents[1] / "pyproject.toml"
    ruff = Path(sys.executable).with_name("ruff")
    result = subprocess.run([ruff, "check", "--config", config, script], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


# Header -> what only it declares.
_DECLARES = {
    "acl/acl.h": r"\bacl(?:Init|mdl\w+)\b",
    "acl/acl_rt.h": r"\baclrt\w+",
    "acl_scope.h": r"\b(?:Device|Stream|DeviceArray|Check)\b",
    "algorithm": r"std::(?:max|min|clamp|generate|max_element|min_element)\b",
    "array": r"std::array\b",
    "cmath": r"std::(?:abs|exp|log|sqrt|tanh|erf|isnan|isfinite|nearbyint|floor|ceil|pow|sin|ldexp|ilogb)\b",
    "cstddef": r"\bsize_t\b",
    "cstdint": r"\bu?int\d+_t\b|\bINT64_MIN\b",
    "cstdio": r"std::remove\b",
    "deque": r"std::deque\b",
    "exception": r"std::exception\b",
    "exe_graph/runtime/storage_shape.h": r"gert::StorageShape\b",
    "exe_graph/runtime/tensor.h": r"gert::Tensor\b",
    "fstream": r"std::ifstream\b",
    "ge/ge_api.h": r"ge::Session\b",
    "graph/ascend_string.h": r"ge::AscendString\b",
    "graph/ge_error_codes.h": r"\bGRAPH_SUCCESS\b",
    "graph/graph.h": r"ge::Graph\b",
    "graph/operator.h": r"ge::Operator\b",
    "graph/tensor.h": r"ge::TensorDesc\b",
    "graph/types.h": r"ge::(?:DataType|DT_\w+|FORMAT_ND)\b",
    "half.h": r"\bB?Float16\b",
    "ios": r"std::(?:ios|streamsize)\b",
    "iostream": r"std::c(?:out|err)\b",
    "limits": r"std::numeric_limits\b",
    "map": r"std::map\b",
    "numeric": r"std::accumulate\b",
    "ops_proto_legacy.h": r"ge::op::Data\b",
    "precision_check.h": r"\bPrecisionCheck\b",
    "random": r"std::(?:mt19937|uniform_\w+)\b",
    "random_values.h": r"\bRandomValues\b",
    "raw_values.h": r"\bReadValues\b",
    "stdexcept": r"std::runtime_error\b",
    "string": r"std::(?:string|to_string)\b",
    "type_traits": r"std::(?:is_integral|is_signed|conditional_t)\b",
    "vector": r"std::vector\b",
}
# What a header brings along by itself, so that nobody has to include it again.
_BROUGHT = {"half.h": "case.h", "array": "case.h"}


@pytest.mark.parametrize("scenario", ["online", "offline"])
def test_every_include_is_direct_and_used(scenario: str) -> None:
    texts = render_programs(several(ALL, scenario))
    for name in GALLERY:
        texts |= {f"{name}/{path}": text for path, text in render_programs(gallery(name)).items()}
    for path, text in texts.items():
        if not path.endswith((".cc", ".h")):
            continue
        included = re.findall(r'#include [<"](.+?)[>"]', text)
        code = re.sub(r'//.*|"(?:[^"\\]|\\.)*"|#include.*', "", text)
        assert len(included) == len(set(included)), path
        own = [header for header in included if header not in _DECLARES]
        assert all(re.fullmatch(r"\w+(_case)?\.h", header) for header in own), (path, own)
        for header, pattern in _DECLARES.items():
            used = re.search(pattern, code) is not None
            brought = any(h.endswith(_BROUGHT.get(header, "-")) for h in included)
            if header == Path(path).name or (header == "acl/acl_rt.h" and "acl/acl.h" in included):
                continue
            assert used or header not in included, f"{path} includes {header} for nothing"
            assert not used or header in included or brought, f"{path} uses {header} without including it"


def test_shared_files_are_the_same_everywhere() -> None:
    first = render_programs(several(ALL, "online"))
    shared = [path for path in first if path.startswith("common/") and "_probe" not in path]
    assert "common/acl_scope.h" in shared and "common/half.h" in shared
    for name in GALLERY:
        texts = render_programs(gallery(name))
        assert all(texts[path] == first[path] for path in shared if path in texts)


def test_files_that_nobody_needs_are_not_there() -> None:
    alone = render_programs(one("momentum_probe", "eager"))
    assert set(alone) == {
        "common/acl_scope.h",
        "common/random_values.h",
        "common/precision_check.h",
        "common/momentum_probe_case.h",
        "session_run/main.cc",
    }
    assert "common/precision_check.h" not in render_programs(one("blind_probe", "eager"))


@pytest.mark.parametrize("scenario", ["eager", "online", "offline"])
def test_the_outline_has_the_files(scenario: str) -> None:
    specs = [several(("momentum_probe", "blind_probe"), scenario), one("blind_probe", scenario)]
    if scenario != "eager":
        specs += [several(ALL, scenario), one("list_probe", scenario)]
    for spec in specs:
        entries = program_files(spec)
        assert [entry.path for entry in entries] == list(dict.fromkeys(entry.path for entry in entries))
        assert {entry.path for entry in entries} == set(render_programs(spec))
        assert {program.source for program in programs(spec)} < {entry.path for entry in entries}
        assert all(entry.role.en.isascii() and not entry.role.zh.isascii() for entry in entries)


def test_what_programs_print_is_in_their_text() -> None:
    for scenario in ("online", "offline"):
        for spec in (one("momentum_probe", scenario), one("blind_probe", scenario)):
            texts = "\n".join(render_programs(spec).values())
            for program in programs(spec):
                for line in program_prints(program):
                    assert line.split("...")[0] in texts, line


def test_without_golden_values_the_program_says_so() -> None:
    spec = one("blind_probe", "online")
    (program,) = programs(spec)
    assert program_prints(program)[-1] == "No golden values: y and z are not compared"
    assert "Precision check" not in "".join(render_programs(spec).values())
    assert golden_script_path(spec.operators[0]) is None
    assert golden_script_path(one("list_probe", "online").operators[0]) == "common/list_probe_golden.py"


def test_a_library_of_several_operators_has_programs_for_each() -> None:
    spec = several(("momentum_probe", "whole_probe"), "offline")
    assert [(p.target, p.source) for p in programs(spec)] == [
        ("graph_build_momentum_probe", "graph_build/momentum_probe.cc"),
        ("model_exec_momentum_probe", "model_exec/momentum_probe.cc"),
        ("graph_build_whole_probe", "graph_build/whole_probe.cc"),
        ("model_exec_whole_probe", "model_exec/whole_probe.cc"),
    ]
