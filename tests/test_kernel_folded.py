"""Kernels on tensors with several leading axes that no tensor has only some of: their product is the number of rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kernel_support import check_kernel, planned
from opgen.kernel.blocks import Blocks
from opgen.kernel.forms import Rows, rows_of
from opgen.kernel.interface import call_parameters, kernel_interface
from opgen.spec.model import OpSpec
from opgen.spec.variants import variants
from spec_support import accepted

FLOATS = ["float32", "bfloat16"]
USUAL: dict[str, Any] = {"A": 2, "B": 3, "S": 5, "C": 7}
CASES: dict[str, Any] = {"cases": [{}, {"B": 4, "S": 33, "C": 129}, {"B": 1, "S": 1, "C": 1001}]}


def dims(*names: str, **changes: Any) -> dict[str, Any]:
    return {n: {"default": USUAL[n], "dynamic": n in "BS", **changes.get(n, {})} for n in names}


def tensor(name: str, *shape: Any, dtype: str = "T", **more: Any) -> dict[str, Any]:
    return {"name": name, "dtype": dtype, "shape": list(shape), **more}


def spec_of(compute: str, inputs: list[Any], outputs: list[Any], **changes: Any) -> OpSpec:
    usual = {"dims": dims("B", "S", "C"), "dtypes": {"T": FLOATS}, "attrs": None}
    tests = {**CASES, "tolerance": {"float32": 1e-4}}
    return accepted(inputs=inputs, outputs=outputs, compute=compute, **{**usual, "tests": tests, **changes})


def folded(spec: OpSpec) -> Rows:
    rows = rows_of(spec.operators[0])
    assert rows is not None
    assert type(rows) is Rows
    return rows


X, Y = tensor("x", "B", "S", "C"), tensor("y", "B", "S", "C")
G, ROW = tensor("g", "C"), tensor("m", "B", "S", 1)


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    ("compute", "inputs", "outputs"),
    [
        ("y = x * rsqrt(mean(x * x, axis=-1) + 1e-5) * g", [X, G], [Y]),
        ("y = exp(x - max(x, axis=-1)) / sum(exp(x - max(x, axis=-1)), axis=-1)", [X], [Y]),
        ("z = sum(x * g, axis=-1)", [X, G], [tensor("z", "B", "S")]),
        ("z = max(x, axis=-1) - m", [X, ROW], [tensor("z", "B", "S", 1)]),
        ("y = (x - m) * n[..., None] + g", [X, ROW, tensor("n", "B", "S"), tensor("g", 1, 1, "C")], [Y]),
        ("y = x + g", [X, G], [Y]),
    ],
)
def test_leading_axes_count_rows(
    compute: str, inputs: list[Any], outputs: list[Any], static: bool, tmp_path: Path
) -> None:
    changes = {"dims": dims("B", "S", "C", B={"dynamic": False}, S={"dynamic": False})} if static else {}
    spec = spec_of(compute, inputs, outputs, **changes)
    assert [axis.name for axis in folded(spec).axes] == ["B", "S"]
    check_kernel(tmp_path, spec)


def test_three_leading_axes(tmp_path: Path) -> None:
    inputs, output = [tensor("x", "A", "B", "S", "C")], tensor("z", "A", "B", "S")
    spec = spec_of("z = sum(x, axis=-1)", inputs, [output], dims=dims("A", "B", "S", "C"))
    assert len(folded(spec).axes) == 3
    check_kernel(tmp_path, spec)


def test_rows_of_any_length_come_in_pieces(tmp_path: Path) -> None:
    sizes = dims("B", "S", "C", C={"dynamic": True})
    tests = {"cases": [{}, {"B": 2, "S": 2, "C": 5001}], "tolerance": {"float32": 1e-4}}
    spec = spec_of("y = x - mean(x, axis=-1)", [X], [Y], dims=sizes, tests=tests)
    assert planned(spec).long
    check_kernel(tmp_path, spec)


def test_any_leading_axes_and_one_more(tmp_path: Path) -> None:
    sizes = {"...": {"default": [2, 3], "dynamic": True}, **dims("S", "C")}
    inputs = [tensor("x", "...", "S", "C"), tensor("m", "...", "S", 1)]
    tests = {"cases": [{}, {"...": [7], "S": 9, "C": 129}], "tolerance": {"float32": 1e-4}}
    spec = spec_of("y = x - max(x, axis=-1) * m", inputs, [tensor("y", "...", "S", "C")], dims=sizes, tests=tests)
    assert [axis.name for axis in folded(spec).axes] == ["...", "S"]
    check_kernel(tmp_path, spec)


def test_halves_of_rows(tmp_path: Path) -> None:
    spec = spec_of("y = x[..., :C] * sigmoid(x[..., C:])", [tensor("x", "B", "S", "2 * C")], [Y])
    folded(spec)
    check_kernel(tmp_path, spec)


def test_the_kernel_sees_the_product() -> None:
    operator = spec_of("y = x - max(x, axis=-1)", [X], [Y]).operators[0]
    assert [(d.name, d.of, d.dynamic) for d in kernel_interface(operator).dims] == [
        ("R", ("B", "S"), True),
        ("C", ("C",), False),
    ]
    names = [p.name for p in call_parameters(operator, variants(operator)[0])]
    assert names == ["x", "y", "r", "stream"]


def test_closed_axes_have_closed_products() -> None:
    sizes = dims("B", "S", "C", B={"values": [2, 3], "dynamic": False}, S={"values": [4, 6], "dynamic": False})
    sizes["B"].pop("default")
    sizes["S"].pop("default")
    tests = {"cases": [{}], "tolerance": {"float32": 1e-4}}
    operator = spec_of("y = x - max(x, axis=-1)", [X], [Y], dims=sizes, tests=tests).operators[0]
    assert kernel_interface(operator).dims[0].values == (8, 12, 18)


@pytest.mark.parametrize(
    ("compute", "inputs"),
    [
        ("y = x - max(x, axis=-1) * w", [X, tensor("w", "B", 1, "C")]),  # has one of the axes
        ("y = x - max(x, axis=-1) / S", [X]),  # the formula counts with one
    ],
)
def test_axes_that_are_told_apart_stay_apart(compute: str, inputs: list[Any], tmp_path: Path) -> None:
    spec = spec_of(compute, inputs, [Y])
    assert isinstance(rows_of(spec.operators[0]), Blocks)
    check_kernel(tmp_path, spec)
