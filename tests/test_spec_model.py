"""What an op.yaml becomes: fields, defaults, combinations, cases."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from opgen.facts.dtypes import DTYPES
from opgen.formula.sizes import Size, show
from opgen.spec.model import Operator
from spec_support import accepted, finding, rules


def operator(**changes: Any) -> Operator:
    (only,) = accepted(**changes).operators
    return only


def test_names_and_defaults_of_a_small_spec() -> None:
    spec = accepted()
    (only,) = spec.operators
    assert (spec.project, spec.scenario, spec.cann, spec.soc, spec.platform) == (
        "axpy_custom", "online", "9.2", "Ascend910_9362", "A3",
    )  # fmt: skip
    assert (only.type, only.name, only.pointer) == ("AxpyCustom", "axpy_custom", "")
    assert spec.summary == only.summary
    assert only.compute == "z = alpha * x + y"
    assert only.type_symbols == ("T",)
    assert only.combinations == ((("T", "float32"),), (("T", "float16"),))
    assert only.tolerance == (("float32", 1e-5), ("float16", 1e-3))
    (alpha,) = only.attrs
    assert (alpha.default, alpha.dynamic, alpha.required) == (1.0, True, False)
    (case,) = only.cases
    assert case.dims == (("...", (8, 128)),)
    assert case.attrs == (("alpha", 1.0),)
    assert case.types == (("T", "float32"),)


def test_comments_of_a_formula_stay_in_op_yaml() -> None:
    """They could end a comment of C++, and README and header show formulas, not notes."""
    only = operator(compute="# scaled */ first\n\nh = (alpha*x  # by a number\n     )\nz=h+y\n")
    assert only.compute == "h = (alpha * x)\nz = h + y"


def test_a_library_of_two_operators() -> None:
    text = {"en": "Two.", "zh": "两个。"}
    item = {
        "summary": text,
        "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
        "outputs": [{"name": "y", "dtype": "float32", "shape": [4]}],
        "compute": "y = x + x",
    }
    single = dict.fromkeys(("op", "dtypes", "dims", "inputs", "outputs", "attrs", "compute"))
    spec = accepted(**single, project="pack", ops=[{"op": "TwicePack", **item}, {"op": "DoublePack", **item}])
    assert spec.project == "pack"
    assert [(o.type, o.name, o.pointer) for o in spec.operators] == [
        ("TwicePack", "twice_pack", "/ops/0"),
        ("DoublePack", "double_pack", "/ops/1"),
    ]


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("float16", -2.0, 2.0),
        ("int32", -100, 100),
        ("int8", -100, 100),
        ("uint8", 0, 100),
        ("bool", 0, 1),
    ],
)
def test_elements_have_limits_by_kind(dtype: str, low: float, high: float) -> None:
    only = operator(
        inputs=[{"name": "x", "dtype": dtype, "shape": ["..."]}],
        outputs=[{"name": "z", "dtype": dtype, "shape": ["..."]}],
        dtypes=None,
        attrs=None,
        compute="z = where(x == x, x, x)" if dtype != "bool" else "z = x",
    )
    assert (only.inputs[0].low, only.inputs[0].high) == (low, high)
    assert isinstance(only.inputs[0].low, float) == (DTYPES[dtype].kind == "float")


def test_limits_of_a_symbol_hold_for_each_of_its_types() -> None:
    only = operator(dtypes={"T": ["float32", "int32", "uint8"]}, compute="z = cast(alpha * x + y, T)")
    assert (only.inputs[0].low, only.inputs[0].high) == (0.0, 2.0)


@pytest.mark.parametrize(
    ("given", "low", "high"),
    [
        ({"min": 0.0}, 0.0, 2.0),
        ({"max": 0.5}, -2.0, 0.5),
        ({"min": 10}, 10.0, 14.0),
        ({"min": 0.1, "max": 0.9}, 0.1, 0.9),
    ],
)
def test_one_limit_moves_the_other_where_it_must(given: dict[str, float], low: float, high: float) -> None:
    """A limit alone keeps the other default, unless nothing would be left between them."""
    inputs = [{"name": "x", "dtype": "T", "shape": ["..."], **given}, {"name": "y", "dtype": "T", "shape": ["..."]}]
    only = operator(inputs=inputs)
    assert (only.inputs[0].low, only.inputs[0].high) == (low, high)


def test_a_limit_may_be_an_expression() -> None:
    inputs = [
        {"name": "x", "dtype": "T", "shape": ["N"]},
        {"name": "y", "dtype": "int32", "shape": ["N"], "min": 0, "max": "N - 1"},
    ]
    only = operator(
        dims={"N": {"default": 8, "dynamic": True}},
        inputs=inputs,
        outputs=[{"name": "z", "dtype": "T", "shape": ["N"]}],
    )
    high = only.inputs[1].high
    assert only.inputs[1].low == 0
    assert isinstance(high, Size) and show(high) == "N - 1"


def test_an_output_in_place_is_its_input() -> None:
    only = operator(outputs=[{"name": "y", "inplace": True}], compute="y = alpha * x + y")
    (output,) = only.outputs
    assert (output.inplace, output.role, output.dtype, output.shape) == (
        True, "output", only.inputs[1].dtype, only.inputs[1].shape,
    )  # fmt: skip


def test_a_table_of_types_has_exactly_its_rows() -> None:
    only = operator(
        dtypes=[{"T": "float16", "U": ["float32", "float16"]}, {"T": "float32", "U": "float32"}],
        inputs=[{"name": "x", "dtype": "T", "shape": ["..."]}, {"name": "y", "dtype": "U", "shape": ["..."]}],
    )
    assert [tuple(dict(c).values()) for c in only.combinations] == [
        ("float16", "float32"),
        ("float16", "float16"),
        ("float32", "float32"),
    ]


def test_dtype_attributes_follow_the_symbols_and_the_first_case_comes_first() -> None:
    only = operator(
        outputs=[{"name": "z", "dtype": "to", "shape": ["..."]}],
        attrs=[{"name": "to", "type": "dtype", "values": ["float32", "float16"]}],
        compute="z = cast(x + y, to)",
        tests={"cases": [{"to": "float16"}, {"T": "float16", "to": "float32"}]},
    )
    assert only.combinations[0] == (("T", "float32"), ("to", "float16"))
    assert sorted(only.combinations) == sorted(
        (("T", t), ("to", to)) for t in ("float32", "float16") for to in ("float32", "float16")
    )
    assert only.cases[1].types == (("T", "float16"), ("to", "float32"))
    assert dict(only.cases[0].attrs)["to"] == "float16"
    assert dict(only.tolerance).keys() == {"float32", "float16"}


def test_cases_start_from_the_defaults_and_the_first_gives_required_attributes() -> None:
    only = operator(
        attrs=[{"name": "alpha", "type": "float"}],
        tests={"cases": [{"alpha": 2}, {"...": []}, {"...": [3], "alpha": 0.5, "T": "float16"}]},
    )
    assert [dict(case.attrs)["alpha"] for case in only.cases] == [2.0, 2.0, 0.5]
    assert [dict(case.dims)["..."] for case in only.cases] == [(8, 128), (), (3,)]
    assert dict(only.cases[2].types) == {"T": "float16"}
    assert all(isinstance(value, float) for case in only.cases for _, value in case.attrs)


def test_numbers_of_float_attributes_are_floats() -> None:
    attrs = [
        {"name": "alpha", "type": "float", "default": 1, "min": 0, "max": float("inf")},
        {"name": "scales", "type": "floats", "default": [1, 2.5]},
    ]
    alpha, scales = operator(attrs=attrs, ignore=[{"rule": "OPG308", "why": "A test."}]).attrs
    assert isinstance(alpha.default, float) and isinstance(alpha.min, float)
    assert scales.default == (1.0, 2.5) and not scales.dynamic


def test_tiling_as_written() -> None:
    tiling = operator(tiling={"block": 2048, "buffers": 2, "cores": "minimum(device_cores, 8)"}).tiling
    assert isinstance(tiling.block, Size) and tiling.block.number == 2048
    assert tiling.buffers is not None and tiling.buffers.number == 2
    assert tiling.cores is not None and show(tiling.cores) == "minimum(8, device_cores)"
    assert operator(tiling={"cores": "auto"}).tiling.cores is None


def test_a_required_attribute_and_a_kernel_without_formula() -> None:
    only = operator(compute=None, kernel="axpy.py", reference="axpy_reference.py")
    assert (only.formula, only.compute, only.kernel, only.reference) == (None, "", "axpy.py", "axpy_reference.py")


def test_ignores_reach_the_model() -> None:
    spec = accepted(compute="z = alpha * x", ignore=[{"rule": "OPG308", "why": "y keeps the shape."}])
    assert spec.ignore == ("OPG308",)
    assert rules(compute="z = alpha * x", ignore=[{"rule": "OPG308", "why": "y keeps the shape."}]) == []
    assert rules(compute="z = alpha * x", ignore=[{"rule": "OPG501", "why": "Unrelated."}]) == ["OPG308"]


def test_a_formula_is_typed_for_every_combination() -> None:
    found = finding("OPG304", dtypes={"T": ["float32", "int32"]}, compute="z = alpha * cast(x, float32) + y / y")
    assert "T = int32" in found.what


@pytest.mark.parametrize(
    ("name", "canonical"),
    [("910B3", "Ascend910B3"), ("910_9391", "Ascend910_9391"), ("Ascend910B4-1", "Ascend910B4-1")],
)
def test_aliases_of_chips_become_the_chip(name: str, canonical: str) -> None:
    assert accepted(soc=name).soc == canonical


@pytest.mark.parametrize("name", ["910_93", "ascend910b", "Ascend910", "ASCEND910B3", "Ascend310B1", "Ascend910Pro"])
def test_other_names_of_chips_are_never_passed_on(name: str) -> None:
    assert rules(soc=name) == ["OPG209"]


def test_the_model_is_frozen() -> None:
    spec = accepted()
    with pytest.raises(dataclasses.FrozenInstanceError):
        spec.project = "other"  # type: ignore[misc]
