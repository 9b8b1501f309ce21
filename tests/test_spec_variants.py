"""Variants: one for each choice that is made before a kernel is compiled."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from opgen.formula.signature import Variant
from opgen.resources import folder
from opgen.spec.loader import check, load
from opgen.spec.model import Operator
from opgen.spec.variants import case_variant, typed, variants
from spec_support import accepted, spec_text

ATTRS = [
    {"name": "alpha", "type": "float", "default": 1.0},
    {"name": "fast", "type": "bool", "default": True},
    {"name": "power", "type": "int", "values": [1, 2, 3], "default": 2},
]
INPUTS = [
    {"name": "x", "dtype": "T", "shape": ["..."]},
    {"name": "y", "dtype": "T", "shape": ["..."], "default": 0.0},
    {"name": "w", "dtype": "T", "shape": ["..."], "default": 1.0},
]


def operator(**changes: Any) -> Operator:
    given = {"inputs": INPUTS, "attrs": ATTRS, "compute": "z = alpha * x * power + y * w if fast else x", **changes}
    return accepted(**given).operators[0]


def test_every_choice_is_there_once_and_the_sample_first() -> None:
    every = variants(operator(tests={"cases": [{"power": 3, "T": "float16"}]}))
    assert len(every) == len(set(every)) == 2 * 2 * 3 * 4
    assert every[0] == Variant((("T", "float16"),), (("fast", True), ("power", 3)))
    assert {variant.absent for variant in every} == {(), ("y",), ("w",), ("y", "w")}
    assert {dict(variant.attrs)["power"] for variant in every} == {1, 2, 3}


def test_dynamic_and_open_attributes_make_no_variants() -> None:
    attrs = [
        {"name": "alpha", "type": "float", "default": 1.0},
        {"name": "shift", "type": "int", "default": 1},
        {"name": "steps", "type": "int", "default": 1, "values": [1, 2], "dynamic": True},
    ]
    every = variants(operator(attrs=attrs, inputs=INPUTS[:2], compute="z = alpha * x * shift + y * steps"))
    assert {variant.attrs for variant in every} == {()}


def test_a_case_runs_the_variant_of_its_values() -> None:
    only = operator(tests={"cases": [{}, {"fast": False, "T": "float16"}]})
    assert case_variant(only, only.cases[0]) == variants(only)[0]
    assert case_variant(only, only.cases[1]) == Variant((("T", "float16"),), (("fast", False), ("power", 2)))
    assert case_variant(only, only.cases[1]) in variants(only)


def test_a_typed_formula_is_made_once_and_belongs_to_its_operator() -> None:
    first, second = operator(), operator(compute="z = alpha * x - y * w * power if fast else x")
    variant = variants(first)[0]
    assert typed(first, variant) is typed(first, variant)
    assert typed(first, variant) != typed(second, variant)


def test_absent_inputs_are_constants() -> None:
    only = operator()
    absent = next(variant for variant in variants(only) if variant.absent == ("y", "w"))
    assert {node.value for node in typed(only, absent).walk() if node.op == "load"} == {"x"}


def test_an_operator_without_formula_has_variants_and_nothing_to_type() -> None:
    only = operator(compute=None, kernel="axpy.py")
    assert variants(only)
    with pytest.raises(ValueError, match="no formula"):
        typed(only, variants(only)[0])


@pytest.mark.parametrize(
    "shape",
    [[], [1], ["N"], ["B", "C", "H", "W"], ["..."], ["...", "C"]],
    ids=lambda shape: "x".join(map(str, shape)) or "scalar",
)
def test_every_rank_is_accepted(shape: list[Any]) -> None:
    dims = {s: {"default": 3, "dynamic": True} for s in shape if isinstance(s, str) and s != "..."}
    if "..." in shape:
        dims["..."] = {"default": [2, 2], "dynamic": True}  # type: ignore[dict-item]
    tensors = [{"name": name, "dtype": "T", "shape": shape} for name in ("x", "y", "z")]
    spec = accepted(dims=dims or None, inputs=tensors[:2], outputs=tensors[2:])
    assert len(spec.operators[0].outputs[0].shape) == len(shape)


def test_many_types_are_counted_and_not_listed() -> None:
    """OPG208 for a product of ten symbols, at once."""
    names = [f"T{number}" for number in range(10)]
    inputs = [{"name": f"x{n}", "dtype": name, "shape": ["..."]} for n, name in enumerate(names)]
    types = ["float32", "float16", "bfloat16", "int32", "int16", "int8", "uint8"]
    text = spec_text(
        {
            "dtypes": dict.fromkeys(names, types),
            "inputs": inputs,
            "outputs": [{"name": "z", "dtype": "T0", "shape": ["..."]}],
            "attrs": None,
            "compute": "z = cast(" + " + ".join(f"x{n}" for n in range(10)) + ", T0)",
        }
    )
    spec, findings = check(text, "op.yaml")
    assert spec is None
    assert [finding.rule for finding in findings] == ["OPG208"]
    assert f"{7**10} kernels" in findings[0].what


def test_the_good_path_imports_neither_numpy_nor_jsonschema() -> None:
    code = (
        "import sys; from pathlib import Path; from opgen.spec.loader import load;"
        "load(Path(sys.argv[1]).read_bytes(), 'op.yaml');"
        "print(*({'numpy', 'jsonschema', 'fastjsonschema', 'cookiecutter', 'jinja2'} & set(sys.modules)))"
    )
    path = folder("specs") / "cast" / "op.yaml"
    assert load(path.read_bytes(), "op.yaml")
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
