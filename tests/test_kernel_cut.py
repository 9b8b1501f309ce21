"""Slices of what is computed, `concat` inside a formula and reductions of longer rows: all in pieces of one length."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kernel_support import check_kernel, planned
from opgen.kernel.cut import row_formula
from opgen.spec.model import OpSpec
from opgen.spec.variants import typed, variants
from spec_support import accepted

FLOATS = ["float32", "bfloat16"]


def tensor(name: str, *shape: Any, dtype: str = "T", **more: Any) -> dict[str, Any]:
    return {"name": name, "dtype": dtype, "shape": list(shape), **more}


def spec_of(compute: str, inputs: list[Any], outputs: list[Any], types: list[str] = FLOATS, **changes: Any) -> OpSpec:
    usual = {
        "dims": {"R": {"default": 5, "dynamic": True}, "C": {"default": 64}},
        "dtypes": {"T": types},
        "attrs": None,
        "tests": {"cases": [{}, {"R": 33, "C": 7}, {"R": 2, "C": 1001}], "tolerance": {"float32": 1e-4}},
    }
    return accepted(inputs=inputs, outputs=outputs, compute=compute, **{**usual, **changes})


X, W = tensor("x", "R", "2 * C"), tensor("w", "2 * C")
Y, WIDE = tensor("y", "R", "C"), tensor("y", "R", "2 * C")
A, B = tensor("a", "R", "C"), tensor("b", "R", "C")


@pytest.mark.parametrize(
    ("compute", "inputs", "outputs"),
    [
        ("h = x * w\na = h[..., :C]\nb = h[..., C:]\ny = a * sigmoid(b)", [X, W], [Y]),
        ("n = x * rsqrt(mean(x * x, axis=-1) + 1e-6)\ny = n[..., :C] * sigmoid(n[..., -C:])", [X], [Y]),
        ("y = (x + 1)[..., C:]", [X], [Y]),
        ("y = concat([a, b], axis=-1) * 2 + w", [A, B, W], [WIDE]),
        ("c = concat([a, b], axis=-1)\ny = c / sum(abs(c) + 1, axis=-1)", [A, B], [WIDE]),
        ("c = concat([a, b * 2], axis=-1)\ny = (c - max(c, axis=-1))[..., C:]\nz = min(c, axis=-1)",
         [A, B], [Y, tensor("z", "R", 1)]),
        ("y = concat([x[..., C:], x], axis=-1) + max(x, axis=-1)", [X], [tensor("y", "R", "3 * C")]),
        ("y = exp(x - max(x, axis=-1)) / sum(exp(x - max(x, axis=-1)), axis=-1)\nz = y[..., :C] * 2",
         [X], [WIDE, tensor("z", "R", "C")]),
        ("y = where(arange(2 * C) < C + 3, x, 0.0)", [X], [WIDE]),
        ("y = concat([a, concat([b, a], axis=-1)[..., C:] + b], axis=-1)", [A, B], [WIDE]),
    ],
)  # fmt: skip
def test_in_pieces(compute: str, inputs: list[Any], outputs: list[Any], tmp_path: Path) -> None:
    spec = spec_of(compute, inputs, outputs)
    assert planned(spec).schedule == "rows"
    check_kernel(tmp_path, spec)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_the_first_of_equal_extremes(name: str, tmp_path: Path) -> None:
    """Of coarse values, so that both pieces hold the same ones."""
    outputs = [tensor("p", "R", dtype="int32"), tensor("y", "R", "C")]
    compute = f"c = round(x)\np = {name}(c, axis=-1)\ny = c[..., C:]"
    check_kernel(tmp_path, spec_of(compute, [X], outputs))


@pytest.mark.parametrize("dtype", ["int8", "int32", "bool"])
def test_whole_numbers(dtype: str, tmp_path: Path) -> None:
    number = "cast(x, int32)" if dtype == "bool" else "x"
    outputs = [tensor("s", "R", dtype="int32"), tensor("y", "R", "C", dtype="int32")]
    compute = f"c = {number} * 3\ns = sum(c, axis=-1)\ny = c[..., :C] - c[..., C:]"
    tests = {"cases": [{}, {"R": 33, "C": 7}, {"R": 2, "C": 501}]}
    check_kernel(tmp_path, spec_of(compute, [X], outputs, [dtype], tests=tests))


def test_one_truth_and_one_choice_a_row(tmp_path: Path) -> None:
    outputs = [tensor("t", "R", dtype="bool"), tensor("n", "R", dtype="int32"), tensor("f", "R", 1)]
    compute = "m = max(a, axis=-1)\nt = m > max(b, axis=-1)\nn = where(t, argmax(a, axis=-1), -1)\nf = where(t, m, 0.5)"
    check_kernel(tmp_path, spec_of(compute, [A, B], outputs))


def test_a_vector_and_several_leading_axes(tmp_path: Path) -> None:
    compute = "h = x * 2\ny = h[..., :C] * h[..., C:]"
    inputs, outputs = [tensor("x", "2 * C")], [tensor("y", "C")]
    sizes = {"C": {"default": 64}}
    check_kernel(tmp_path, spec_of(compute, inputs, outputs, dims=sizes, tests={"cases": [{}, {"C": 1001}]}))
    sizes = {"B": {"default": 2}, "S": {"default": 3, "dynamic": True}, "C": {"default": 64}}
    inputs, outputs = [tensor("x", "B", "S", "2 * C"), tensor("w", "S", "2 * C")], [tensor("y", "B", "S", "C")]
    compute = "h = x * w\ny = h[..., :C] * h[..., C:]"
    tests = {"cases": [{}, {"S": 5, "C": 1001}]}
    check_kernel(tmp_path, spec_of(compute, inputs, outputs, dims=sizes, tests=tests))


def test_in_place(tmp_path: Path) -> None:
    compute = "x = x * w + max(x * w, axis=-1)"
    check_kernel(tmp_path, spec_of(compute, [X, W], [{"name": "x", "inplace": True}]))


def test_pieces_that_nothing_reads_are_not_loaded(tmp_path: Path) -> None:
    text = check_kernel(tmp_path, spec_of("h = x * w\ny = h[..., :C]", [X, W], [Y]))
    assert "c:2 * c" not in text
    assert "2 * c]" not in text


def test_a_formula_without_longer_rows_stays_as_it_is() -> None:
    operator = spec_of("y = a * 2 + max(b, axis=-1)", [A, B], [Y]).operators[0]
    assert all(row_formula(operator, v) is typed(operator, v) for v in variants(operator))
