"""Names: what they may be, what is derived from them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from opgen.facts.cann_operators import CANN_OPERATORS
from opgen.facts.naming import camel, snake
from spec_support import accepted, checked, finding, rules

TENSOR = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


@pytest.mark.parametrize(
    ("op", "name"),
    [
        ("AddCustom", "add_custom"),
        ("Conv2D", "conv2_d"),
        ("Conv2d", "conv2d"),
        ("ABC2dEF", "abc2d_ef"),
        ("AddRMSNorm", "add_rms_norm"),
        ("GELU", "gelu"),
        ("X", "x"),
    ],
)
def test_the_stem_is_the_type_in_snake_case(op: str, name: str) -> None:
    assert snake(op) == name
    assert snake(camel(name)) == name


def test_name_replaces_the_derived_stem() -> None:
    assert accepted(op="Conv2DCustom", name="conv2d_custom").operators[0].name == "conv2d_custom"


@pytest.mark.parametrize(
    "op",
    ["2dConv", "5gItem", "add.custom", "add-custom", "add custom", "加法", "", "A" * 300, "addCustom", "Add_Custom"],
)
def test_types_that_are_no_upper_camel_are_refused_by_the_rule_itself(op: str) -> None:
    spec, findings = checked(op=op)
    assert spec is None
    about = [f for f in findings if f.pointer == "/op"]
    assert about
    assert all(f.place is not None and f.place.line == 2 for f in about)
    # The text states the rule, and its example keeps it.
    said = " ".join(f"{f.what} {f.why} {f.fix}" for f in about)
    assert "AddCustom" in said or "64" in said


@pytest.mark.parametrize(
    "name", ["class", "default", "lambda", "linux", "half", "major", "_x", "a__b", "x_", "X", "9x", "x-y"]
)
def test_names_that_are_illegal_in_some_language(name: str) -> None:
    inputs = [{"name": name, "dtype": "T", "shape": ["..."]}, {"name": "y", "dtype": "T", "shape": ["..."]}]
    spec, findings = checked(inputs=inputs, compute="z = alpha * y")
    assert spec is None
    (about,) = [f for f in findings if f.pointer == "/inputs/0/name" and f.rule != "OPG308"]
    suggestion = re.search(r"`([a-z_0-9]+)`|Write ([a-z_0-9]+)", about.fix)
    if suggestion:  # what is suggested is a legal name
        word = next(filter(None, suggestion.groups()))
        assert TENSOR.fullmatch(word), about.fix


@pytest.mark.parametrize("name", ["T", "NULL", "INFINITY", "OUT"])
def test_dims_that_are_macros_or_taken(name: str) -> None:
    tensors: Any = [
        {"name": "x", "dtype": "float32", "shape": [name]},
        {"name": "y", "dtype": "float32", "shape": [name]},
    ]
    found = rules(
        dtypes=None,
        dims={name: {"default": 8, "dynamic": True}},
        inputs=tensors,
        outputs=[{"name": "z", "dtype": "float32", "shape": [name]}],
    )
    assert "OPG103" in found


@pytest.mark.parametrize(
    "name", ["mean", "sum", "max", "key", "value", "query", "mask", "n", "index", "out", "input", "type"]
)
def test_words_that_read_well_stay_free(name: str) -> None:
    outputs = [{"name": name, "dtype": "T", "shape": ["..."]}]
    assert accepted(outputs=outputs, compute=f"{name} = alpha * x + y").operators[0].outputs[0].name == name


def test_a_duplicate_is_reported_once_for_each_further_use() -> None:
    inputs = [{"name": "x", "dtype": "T", "shape": ["..."]}] * 3
    found = [f for f in checked(inputs=inputs, compute="z = alpha * x")[1] if f.rule == "OPG102"]
    assert [f.pointer for f in found] == ["/inputs/1/name", "/inputs/2/name"]


def test_a_field_may_hand_on_what_has_its_name() -> None:
    tiling = {"data": [{"name": "alpha", "value": "alpha"}]}
    assert rules(scenario="pypto", tiling=tiling) == []


def test_temporaries_share_the_names_and_the_rules() -> None:
    assert finding("OPG103", compute="int = x\nz = alpha * int + y").what
    assert finding("OPG103", compute="Sum = x\nz = alpha * Sum + y").fix == "Call it `sum`."
    assert rules(compute="alpha = x\nz = alpha + y") == ["OPG306"]


def test_operators_of_cann_are_many_and_well_formed() -> None:
    assert len(CANN_OPERATORS) > 1000
    assert {"Add", "MatMul", "Softmax", "LayerNorm", "Conv2D", "Relu", "Cast"} <= CANN_OPERATORS
    assert all(re.fullmatch(r"[A-Z][A-Za-z0-9]*", name) for name in CANN_OPERATORS)
