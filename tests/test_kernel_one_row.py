"""Kernels on tensors of one axis that a formula reduces: one row, which one vector unit works on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kernel_support import check_kernel, planned
from opgen.kernel.forms import rows_of
from opgen.kernel.interface import call_parameters, kernel_interface
from opgen.spec.model import OpSpec
from opgen.spec.variants import variants
from spec_support import accepted

FLOATS = ["float32", "float16", "bfloat16"]
LENGTHS = [1, 7, 16, 129, 4096, 30001, 100003]  # one element, padding, whole blocks, pieces


def tensor(name: str, *shape: Any, dtype: str = "T", **more: Any) -> dict[str, Any]:
    return {"name": name, "dtype": dtype, "shape": list(shape), **more}


def spec_of(compute: str, outputs: list[Any], types: list[str] = FLOATS, **changes: Any) -> OpSpec:
    dims = {"C": {"default": 5000, **changes.pop("c", {})}}
    lengths = [c for c in LENGTHS if c <= dims["C"].get("max", c)]
    tests = {"cases": [{}, *({"C": c} for c in lengths)], "tolerance": {"float32": 1e-4}}
    inputs = changes.pop("inputs", [tensor("x", "C")])
    usual = {"dims": dims, "attrs": None, "inputs": inputs, "outputs": outputs, "tests": tests, "dtypes": {"T": types}}
    return accepted(compute=compute, **{**usual, **changes})


ONE, FULL = tensor("y", 1), tensor("y", "C")


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize(
    ("compute", "output"),
    [
        ("y = sum(x, axis=-1)", ONE),
        ("y = sqrt(sum(x * x, axis=-1))", tensor("y")),
        ("y = mean(x, axis=-1) + max(x, axis=-1) - min(x, axis=-1)", ONE),
        ("y = x / sqrt(sum(x * x, axis=-1) + 1e-6)", FULL),
        ("y = exp(x - max(x, axis=-1)) / sum(exp(x - max(x, axis=-1)), axis=-1)", FULL),
        ("y = (x - mean(x, axis=-1)) * rsqrt(mean((x - mean(x, axis=-1)) ** 2, axis=-1) + 1e-5)", FULL),
    ],
)
def test_reductions_of_a_vector(compute: str, output: dict[str, Any], dynamic: bool, tmp_path: Path) -> None:
    spec = spec_of(compute, [output], c={"dynamic": dynamic})
    assert planned(spec).schedule == "rows"
    text = check_kernel(tmp_path, spec)
    assert "with T.Kernel(1, is_npu=True)" in text


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "bool"])
def test_sums_and_positions_of_every_family(dtype: str, tmp_path: Path) -> None:
    outputs = [tensor("s", 1, dtype="int32"), tensor("p", 1, dtype="int32")]
    number = "cast(x, int32)" if dtype == "bool" else "x"
    cases = {"cases": [{}, *({"C": c} for c in LENGTHS if c <= 3000)]}
    compute = f"s = sum({number}, axis=-1)\np = argmax(cast({number}, float32), axis=-1)"
    spec = spec_of(compute, outputs, [dtype], c={"dynamic": True, "default": 300, "max": 3000}, tests=cases)
    check_kernel(tmp_path, spec)
    assert planned(spec).long == ()


def test_numbers_and_attributes_beside_a_vector(tmp_path: Path) -> None:
    inputs = [tensor("x", "C"), tensor("w", "C"), tensor("s", 1), tensor("bias", "C", default=0.0)]
    attrs = [{"name": "eps", "type": "float", "default": 1e-3}, {"name": "square", "type": "bool", "default": False}]
    compute = "p = x * w + bias\nn = sum(p * p if square else abs(p), axis=-1)\ny = p / (n + eps) * s * C\nz = n"
    check_kernel(
        tmp_path, spec_of(compute, [FULL, tensor("z", 1, dtype="float32")], ["float32"], inputs=inputs, attrs=attrs)
    )


def test_an_output_in_place(tmp_path: Path) -> None:
    compute = "x = x / max(abs(x), axis=-1)"
    inputs = [tensor("x", "C", min=1, max=2)]
    check_kernel(tmp_path, spec_of(compute, [{"name": "x", "inplace": True}], inputs=inputs))


def test_halves_of_a_vector(tmp_path: Path) -> None:
    inputs = [tensor("x", "2 * C")]
    check_kernel(tmp_path, spec_of("y = x[:C] * sigmoid(x[C:])", [FULL], inputs=inputs, c={"max": 5000}))


def test_the_length_is_the_only_size() -> None:
    operator = spec_of("y = sum(x, axis=-1)", [ONE], c={"dynamic": True}).operators[0]
    assert [dim.name for dim in kernel_interface(operator).dims] == ["C"]
    names = [p.name for p in call_parameters(operator, variants(operator)[0])]
    assert names == ["x", "y", "c", "stream"]
    rows = rows_of(operator)
    assert rows is not None
    assert rows.alone
