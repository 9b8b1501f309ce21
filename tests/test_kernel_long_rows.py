"""Kernels for rows that do not fit on chip, or of any length: pieces of rows in passes, against the formula."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from opgen.dialect.check import check_here
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from spec_support import accepted
from test_kernel_rows import FLOATS, FULL, X, check, spec_of

ANY = {"...": {"default": [2], "dynamic": True}, "C": {"default": 7, "dynamic": True}}
STATIC = {"...": {"default": [2], "dynamic": True}, "C": {"default": 7}}
TESTS: dict[str, Any] = {
    "cases": [{}, {"...": [3], "C": 1537}, {"...": [60], "C": 31}],
    "tolerance": {"float32": 1e-4},
}
ROW = [{"name": "y", "dtype": "T", "shape": ["..."]}]


@pytest.mark.parametrize(
    "compute",
    [
        "y = exp(x - max(x, axis=-1)) / sum(exp(x - max(x, axis=-1)), axis=-1)",
        "m = max(x, axis=-1)\ny = x - m - log(sum(exp(x - m), axis=-1))",
        "y = x * rsqrt(mean(x * x, axis=-1) + 1e-5)",
        "y = (x - mean(x, axis=-1)) * rsqrt(mean((x - mean(x, axis=-1)) ** 2, axis=-1) + 1e-5)",
        "y = (x - min(x, axis=-1)) / (max(x, axis=-1) - min(x, axis=-1) + 1)",
        "y = where(x > mean(x, axis=-1), x, -x)",
        "y = x - max(abs(x) + 1, axis=-1) + min(exp(x), axis=-1)",
        "y = relu(x) * C - mean(x, axis=-1)",
        "y = where(x > mean(x, axis=-1), x * 2 + 1, 0.0)",
        "y = where(cast(arange(C), float32) < 20.0, x, max(x, axis=-1))",
    ],
)
@pytest.mark.parametrize("dims", [ANY, STATIC], ids=["any", "static"])
def test_passes(compute: str, dims: dict[str, Any], tmp_path: Path) -> None:
    check(tmp_path, spec_of(compute, FLOATS, [X], dims=dims, tests=TESTS))


@pytest.mark.parametrize(
    "compute",
    ["y = sum(x, axis=-1)", "y = max(x, axis=-1)", "m = max(x, axis=-1)\ny = m + log(sum(exp(x - m), axis=-1))"],
)
def test_one_value_a_row(compute: str, tmp_path: Path) -> None:
    check(tmp_path, spec_of(compute, FLOATS, [X], dims=ANY, outputs=ROW, tests=TESTS))


@pytest.mark.parametrize("form", [["C"], ["...", 1]])
@pytest.mark.parametrize("compute", ["y = x * g + 1", "y = x * g - max(x, axis=-1)"])
def test_operands(form: list[Any], compute: str, tmp_path: Path) -> None:
    g = {"name": "g", "dtype": "T", "shape": form}
    check(tmp_path, spec_of(compute, ["float32", "float16"], [X, g], dims=ANY, tests=TESTS))


def test_a_selection_that_is_stored_by_the_piece(tmp_path: Path) -> None:
    m = {"name": "m", "dtype": "bool", "shape": ["...", "C"]}
    g = {"name": "g", "dtype": "T", "shape": ["C"]}
    check(tmp_path, spec_of("y = where(m, x * g + 1, 0.0)", FLOATS, [X, m, g], dims=ANY, tests=TESTS))


def test_masks_and_counts(tmp_path: Path) -> None:
    m = {"name": "m", "dtype": "bool", "shape": ["...", "C"]}
    w = {"name": "w", "dtype": "int8", "shape": ["C"]}
    count = {"name": "n", "dtype": "int32", "shape": ["..."]}
    compute = "y = where(m, x, 0.0) / max(abs(x) + w * w, axis=-1)\nn = sum(m, axis=-1)"
    check(tmp_path, spec_of(compute, FLOATS, [X, m, w], dims=ANY, outputs=[*FULL, count], tests=TESTS))


def test_positions(tmp_path: Path) -> None:
    outputs = [{"name": "y", "dtype": "int32", "shape": ["..."]}]
    x = {**X, "dtype": "float32"}
    spec = accepted(
        dtypes=None,
        inputs=[x],
        compute="y = argmax(x, axis=-1)",
        dims=ANY,
        outputs=outputs,
        attrs=None,
        tests={"cases": TESTS["cases"]},
    )
    check(tmp_path, spec)


def test_an_output_in_place(tmp_path: Path) -> None:
    r = {"name": "r", "dtype": "T", "shape": ["...", "C"]}
    outputs = [*FULL, {"name": "r", "inplace": True}]
    compute = "r = x + r\ny = r * rsqrt(mean(r * r, axis=-1) + 1e-5)"
    check(tmp_path, spec_of(compute, FLOATS, [X, r], dims=ANY, outputs=outputs, tests=TESTS))


def test_a_running_maximum_is_one_pass() -> None:
    spec = spec_of("m = max(x, axis=-1)\ny = exp(x - m) / sum(exp(x - m), axis=-1)", ["float32"], [X], dims=ANY)
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    assert [len(v.passes) for v in plan.variants] == [2]
    spec = spec_of("m = mean(x, axis=-1)\ny = mean((x - m) ** 2, axis=-1) * x", ["float32"], [X], dims=ANY)
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    assert [len(v.passes) for v in plan.variants] == [3]


def test_rows_that_fit_have_no_pieces() -> None:
    fixed = {"...": {"default": [2], "dynamic": True}, "C": 1024}
    spec = spec_of("y = x - max(x, axis=-1)", ["float32"], [X], dims=fixed)
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    assert not plan.long
    assert "PIECE" not in script(spec, spec.operators[0], plan)


def test_show_tells_of_pieces() -> None:
    from opgen.cli.show import _long_rows, _pieces

    spec = spec_of("y = x - max(x, axis=-1)", ["float32"], [X], dims=STATIC)
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    long = _long_rows(plan)
    assert long is not None
    assert long["passes"] == 2
    assert _pieces(long) == f"in pieces of {long['columns']} elements of {long['rows']} rows, 2 passes"


def test_numbers_of_columns_are_compared_as_floats_and_rows_are_no_longer_than_these_count(tmp_path: Path) -> None:
    length = {"name": "length", "dtype": "int32", "shape": ["...", 1], "min": 1, "max": "C"}
    spec = spec_of("y = where(arange(C) < length, x, 0.0)", ["float32"], [X, length], dims=STATIC, tests=TESTS)
    check(tmp_path, spec)
    text = (tmp_path / "kernel.py").read_text(encoding="utf-8")
    scratch = [line for line in text.splitlines() if "alloc_ub" in line and "_ub = " not in line]
    assert scratch and not any("int32" in line for line in scratch)
    report = check_here(tmp_path / "kernel.py", ["1", str(2**24 + 1), str(tmp_path / "kernel.so")])
    assert [finding.what for finding in report.findings] == ["the script ends with code 2"]
