"""Kernels that broadcast along leading axes: by NumPy's rules, whatever axes a tensor has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from opgen.dialect.check import check_here
from opgen.kernel.blocks import Blocks
from opgen.kernel.forms import rows_of
from opgen.kernel.interface import kernel_interface
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.model import OpSpec
from opgen.verify.golden import make_expected, make_inputs, share_of_tolerance, tolerance_of
from opgen.verify.points import points
from spec_support import accepted

FLOATS = ["float32", "bfloat16"]


def dims(*names: str, **changes: Any) -> dict[str, Any]:
    usual = {"A": 2, "B": 3, "S": 5, "C": 7}
    return {n: {"default": usual[n], "dynamic": n in "BS", **changes.get(n, {})} for n in names}


def tensor(name: str, *shape: Any) -> dict[str, Any]:
    return {"name": name, "dtype": "T", "shape": list(shape)}


def spec_of(compute: str, inputs: list[Any], outputs: list[Any], **changes: Any) -> OpSpec:
    used = {axis for t in (*inputs, *outputs) for axis in map(str, t.get("shape", ())) for axis in axis.split()}
    tests = {"cases": [{}, {"B": 4, "S": 33, "C": 129}], "tolerance": {"float32": 1e-4}}
    usual = {"dims": dims(*(n for n in "ABSC" if n in used)), "dtypes": {"T": FLOATS}, "attrs": None, "tests": tests}
    return accepted(inputs=inputs, outputs=outputs, compute=compute, **{**usual, **changes})


def check(folder: Path, spec: OpSpec) -> str:
    """Runs every case and the sizes around whole tiles. The kernel's text."""
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    assert isinstance(rows_of(operator), Blocks)
    assert all(v.used <= plan.budget for v in plan.variants)
    path = folder / "kernel.py"
    text = script(spec, operator, plan)
    path.write_text(text, encoding="utf-8")
    sizes = len(kernel_interface(operator).dims)
    for point in points(operator, plan):
        inputs = make_inputs(operator, point)
        words = [*point.words[:sizes], str(folder / "kernel.so"), *point.words[sizes:]]
        given = {**inputs, **{a.name: point.attrs[a.name] for a in operator.dynamic_attrs}}
        report = check_here(path, words, dict(point.symbolic), given, generated=True)
        assert report.ok, (point.title, [f.what for f in report.findings])
        (kernel,) = report.kernels
        for name, wanted in make_expected(operator, point, inputs).items():
            got = kernel.outputs[name].reshape(wanted.shape)
            share = share_of_tolerance(got, wanted, tolerance_of(operator, point, name))
            assert share.max() <= 1, (point.title, name)
    return text


Z = tensor("z", "B", "S", "C")


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    ("compute", "inputs"),
    [
        ("z = x + y", [tensor("x", "B", 1, "C"), tensor("y", "S", "C")]),
        ("z = x * y", [tensor("x", "B", "S", "C"), tensor("y", "B", 1, "C")]),
        ("z = x - y", [tensor("x", "B", "S", "C"), tensor("y", "S", "C")]),
        ("z = where(x > y, x, g)", [tensor("x", "B", "S", "C"), tensor("y", "B", 1, "C"), tensor("g", "C")]),
        ("z = x * s + y", [tensor("x", "B", "S", "C"), tensor("s", "B", "S", 1), tensor("y", "B", 1, "C")]),
        ("z = x * s", [tensor("x", "B", "S", "C"), tensor("s", "B", 1, 1)]),
        ("z = y * s", [tensor("y", "B", 1, "C"), tensor("s", "S", 1)]),
        ("z = x[:, None, :] * y", [tensor("x", "B", "C"), tensor("y", "S", "C")]),
        ("z = x / sum(exp(x + y), axis=-1)", [tensor("x", "B", "S", "C"), tensor("y", "S", "C")]),
        ("z = (x - m[..., None]) * y", [tensor("x", "B", "S", "C"), tensor("m", "B", "S"), tensor("y", "S", "C")]),
    ],
)
def test_two_leading_axes(compute: str, inputs: list[Any], static: bool, tmp_path: Path) -> None:
    changes = {"dims": dims("B", "S", "C", B={"dynamic": False}, S={"dynamic": False})} if static else {}
    check(tmp_path, spec_of(compute, inputs, [Z], **changes))


def test_three_leading_axes(tmp_path: Path) -> None:
    inputs = [tensor("x", "A", "B", "S", "C"), tensor("y", "A", 1, "S", "C"), tensor("g", "B", 1, "C")]
    check(tmp_path, spec_of("z = x * y + g", inputs, [tensor("z", "A", "B", "S", "C")]))


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    ("compute", "inputs", "outputs"),
    [
        ("z = x * y\nw = exp(y)", [("x", "B", "S", "C"), ("y", "S", "C")], [("z", "B", "S", "C"), ("w", "S", "C")]),
        ("z = x * y\nw = y + 1", [("x", "S", "C"), ("y", "B", 1, "C")], [("z", "B", "S", "C"), ("w", "B", 1, "C")]),
        ("z = x + y\nm = max(y, axis=-1)", [("x", "B", "S", "C"), ("y", "S", "C")], [("z", "B", "S", "C"), ("m", "S")]),
        ("z = sum(x * y, axis=-1)", [("x", "B", 1, "C"), ("y", "S", "C")], [("z", "B", "S")]),
        ("z = max(x - y, axis=-1)", [("x", "A", 1, 1, "C"), ("y", "B", "S", "C")], [("z", "A", "B", "S", 1)]),
    ],
)
def test_outputs_that_lack_axes(
    compute: str, inputs: list[Any], outputs: list[Any], static: bool, tmp_path: Path
) -> None:
    """Of the leading axes, or all tensors the last one or some: the kernel works on what they broadcast to."""
    used = {axis for t in inputs for axis in t}
    names = [n for n in "ABSC" if n in used]
    changes = {"dims": dims(*names, **{n: {"dynamic": False} for n in "BS" if n in names})} if static else {}
    check(tmp_path, spec_of(compute, [tensor(*t) for t in inputs], [tensor(*t) for t in outputs], **changes))


def test_an_output_in_place_has_all_axes() -> None:
    inputs = [tensor("x", "B", "S", "C"), tensor("y", "S", "C")]
    spec = spec_of("z = x * y\ny = y + 1", inputs, [Z, {"name": "y", "inplace": True}])
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is None
    assert {f.rule for f in findings} == {"OPG309"}


def test_one_row_beside_many_is_an_operator_of_its_own() -> None:
    inputs = [tensor("x", "B", "C"), tensor("y", "C")]
    tests = {"cases": [{}]}
    spec = spec_of("z = x * y\nw = y + 1", inputs, [tensor("z", "B", "C"), tensor("w", "C")], tests=tests)
    plan, (finding,) = plan_kernel(spec, spec.operators[0])
    assert plan is None
    assert finding.pointer == "/outputs/1/shape"
    assert "an operator of its own" in finding.fix


def test_any_leading_axes_and_one_more(tmp_path: Path) -> None:
    sizes = {"...": {"default": [2, 3], "dynamic": True}, **dims("S", "C")}
    inputs = [tensor("x", "...", "S", "C"), tensor("y", "...", 1, "C")]
    tests = {"cases": [{}, {"...": [7], "S": 9, "C": 129}]}
    check(tmp_path, spec_of("z = x + y", inputs, [tensor("z", "...", "S", "C")], dims=sizes, tests=tests))


@pytest.mark.parametrize("length", [1, 7, 129])
def test_rotated_halves(length: int, tmp_path: Path) -> None:
    sizes = dims("B", "S", "C", B={"dynamic": False}, C={"default": length})
    inputs = [tensor("x", "S", "B", "2 * C"), tensor("cos", "S", "C"), tensor("sin", "S", "C")]
    compute = (
        "re = cos[:, None, :]\nim = sin[:, None, :]\na = x[..., :C]\nb = x[..., C:]\n"
        "z = concat([a * re - b * im, b * re + a * im], axis=-1)"
    )
    output = tensor("z", "S", "B", "2 * C")
    text = check(tmp_path, spec_of(compute, inputs, [output], dims=sizes, tests={"cases": [{}, {"S": 129}]}))
    assert "T.copy(x[start : start + rows, b_index, 0:c], a_ub[i % 2, :, :])" in text


def test_an_output_of_one_value_a_row_and_one_in_place(tmp_path: Path) -> None:
    inputs = [tensor("x", "B", "S", "C"), tensor("y", "B", 1, "C")]
    outputs = [{"name": "x", "inplace": True}, tensor("m", "B", "S")]
    check(tmp_path, spec_of("x = x + y\nm = max(x, axis=-1)", inputs, outputs))


def test_optional_inputs_attributes_and_sizes(tmp_path: Path) -> None:
    inputs = [tensor("x", "B", "S", "C"), tensor("y", "S", "C"), {**tensor("g", "C"), "default": 1.0}]
    attrs = [{"name": "s", "type": "float", "default": 0.5}]
    check(tmp_path, spec_of("z = (x * s + y) * g * S", inputs, [Z], attrs=attrs))


def test_small_ints_and_masks(tmp_path: Path) -> None:
    inputs = [tensor("x", "B", "S", "C"), {**tensor("m", "B", 1, "C"), "dtype": "bool"}]
    inputs.append({**tensor("k", "S", 1), "dtype": "int32", "min": 0, "max": 9})
    check(tmp_path, spec_of("z = where(m & (arange(C) < k), x, 0.0)", inputs, [Z]))


def test_what_stays_is_loaded_once_for_its_tiles(tmp_path: Path) -> None:
    inputs = [tensor("x", "B", "S", "C"), tensor("y", "S", "C")]
    text = check(tmp_path, spec_of("z = x + y", inputs, [Z]))
    assert "if T.Or(i == 0, b_index == 0):" in text
    assert text.count("T.copy(y[start, 0], y_ub)") == 1


def test_outputs_without_a_common_axis_are_named() -> None:
    outputs = [Z, tensor("w", "S", "C"), tensor("v", "B", 1, "C")]
    inputs = [tensor("x", "B", 1, "C"), tensor("y", "S", "C")]
    spec = spec_of("z = x + y\nw = y * 2\nv = x * 2", inputs, outputs, dtypes={"T": ["float32"]})
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is None
    assert {finding.rule for finding in findings} == {"OPG309"}
    assert "of which all outputs have one" in findings[0].fix
