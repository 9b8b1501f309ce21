"""The example programs of PyPTO folders: their text, which compilers take it, how it is formatted."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from opgen.sim import home
from pypto_support import folder, formatted, planned, written
from pypto_zoo import ZOO

GOLDEN = Path(__file__).parent / "golden" / "pypto_examples"


def examples(name: str) -> dict[str, str]:
    return {path: text for path, text in folder(ZOO[name]).items() if path.startswith("examples/")}


@pytest.mark.parametrize("name", ["scaled_add", "bias_scale", "row_cumsum"])
def test_the_texts(name: str) -> None:
    """One with a formula, one with an input that may be absent, one whose values come from a NumPy reference."""
    texts = examples(name)
    golden = GOLDEN / name
    if os.environ.get("OPGEN_UPDATE"):
        written(texts, golden)
    kept = {path.relative_to(golden).as_posix() for path in golden.rglob("*") if path.is_file()}
    assert kept == set(texts)
    for path, text in texts.items():
        assert text == (golden / path).read_text(encoding="utf-8"), path


@pytest.mark.parametrize("name", sorted(ZOO))
def test_cxx_needs_no_formatting(name: str, tmp_path: Path) -> None:
    for path in sorted((written(examples(name), tmp_path) / "examples").iterdir()):
        if path.suffix in (".cpp", ".h"):
            assert path.read_text(encoding="utf-8") == formatted(path), path.name


# The operator repositories compile samples with the compiler's own default, which has been C++14 for long.
@pytest.mark.parametrize("name", ["bias_scale", "patch_attrs", "row_cumsum"])
def test_the_golden_header_is_cxx14(name: str, tmp_path: Path) -> None:
    operator, _ = planned(ZOO[name])
    there = written(examples(name), tmp_path) / "examples"
    flags = ("-std=c++14", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{home() / 'include'}", "-x", "c++")
    command = ["g++", *flags, str(there / f"{operator.name}_golden.h")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    said = done.stderr.replace("#pragma once in main file", "")
    assert done.returncode == 0, said


def test_every_column_runs_every_test() -> None:
    texts = examples("cast_table")
    program = texts["examples/test_aclnn_cast_table.cpp"]
    columns = re.findall(r"passed = Run<(\w+), (\w+)>\(", program)
    assert columns == [("Float16", "float"), ("float", "Float16"), ("BFloat16", "float")]
    assert program.count("for (const TestCase& test : cast_table::TestCases())") == 1


def test_cases_run_with_each_optional_input_and_without() -> None:
    header = examples("bias_scale")["examples/bias_scale_golden.h"]
    assert "{{8, 16}, 512, true}," in header
    assert "{{8, 16}, 512, false}," in header
    program = examples("bias_scale")["examples/test_aclnn_bias_scale.cpp"]
    assert "bias == nullptr ? nullptr : bias->Get()" in program


def test_an_example_that_compares_nothing_says_so() -> None:
    text = re.sub("(?m)^reference: .*$", "", ZOO["row_cumsum"])
    texts = {path: content for path, content in folder(text).items() if path.startswith("examples/")}
    assert "No golden values: y is not compared" in texts["examples/row_cumsum_golden.h"]
    program = texts["examples/test_aclnn_row_cumsum.cpp"]
    assert "There is nothing to compare the results with." in program
    assert "Precision check" not in program
