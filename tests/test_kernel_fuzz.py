"""Formulas that nobody thought of, as kernels of the GE scenarios: each is refused with a reason, or computes what
NumPy does and breaks no rule of the chip."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opgen.dialect.check import check_here
from opgen.kernel.interface import kernel_interface
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.model import OpSpec
from opgen.verify.golden import make_expected, make_inputs, share_of_tolerance, tolerance_of
from opgen.verify.points import points
from spec_support import checked

UNARY = (
    *("exp(-abs({}))", "sigmoid({})", "tanh({})", "relu({})", "abs({})", "sqrt(abs({}))", "-{}", "silu({})"),
    *("round({})", "floor({})", "erf({})", "gelu({})", "log(abs({}) + 1)", "leaky_relu({}, 0.1)", "clip({}, -1, 1)"),
)
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
REDUCTIONS = ("sum", "mean", "max", "min")
TYPES = (["float32"], ["float16"], ["bfloat16", "float32"], ["float16", "float32"], ["float16", "bfloat16", "float32"])
OTHERS = ("T", "T", "T", "float32", "int32", "bool", "int8", "uint8", "float16")
TOLERANCE = {"float32": 1e-4, "float16": 4e-3, "bfloat16": 3e-2}  # deep formulas add up what one operation rounds
LENGTHS: tuple[Any, ...] = (
    {"default": 40, "dynamic": True, "max": 90},
    {"default": 40, "dynamic": True},
    {"default": 33},
    {"default": 64, "multiple_of": 64},
    {"values": [24, 33]},
    3,
    1300,
    30000,
)
POINTS = 3  # of each kernel


@dataclass
class Tensors:
    """What a formula may use. full: the shape of x and of outputs. wide: whether w has rows twice as long."""

    dims: dict[str, Any]
    full: list[Any]
    shapes: dict[str, list[Any]]
    reduces: bool
    wide: bool = False


def _flat(pick: random.Random) -> Tensors:
    rest = {"default": [3, 7], **({} if pick.random() < 0.3 else {"dynamic": True})}
    return Tensors({"...": rest}, ["..."], {"y": ["..."], "f": []}, False)


def _rows(pick: random.Random) -> Tensors:
    length = pick.choice(LENGTHS)
    lead = {"default": 19, "dynamic": True} if pick.random() < 0.7 else pick.choice([1, 6, {"default": 11}])
    shapes: dict[str, list[Any]] = {"y": ["R", "C"], "b": ["C"], "c": [1, "C"], "s": ["R", 1], "f": [1]}
    wide = pick.random() < 0.3
    if wide:
        shapes["w"] = ["R", "2 * C"]
        length = _limited(length)
    return Tensors({"R": lead, "C": length}, ["R", "C"], shapes, True, wide)


def _blocks(pick: random.Random) -> Tensors:
    names = ["A", "B", "D"][: pick.choice([2, 2, 3])]
    sizes = [{"default": n, **({"dynamic": True} if pick.random() < 0.5 else {})} for n in (2, 3, 5)]
    full = [*names, "C"]
    shapes: dict[str, list[Any]] = {"y": full, "b": ["C"]}
    for name in ("h", "k", "s"):
        lead: list[Any] = [axis if pick.random() < 0.5 else 1 for axis in names]
        while lead and lead[0] == 1 and pick.random() < 0.5:
            lead = lead[1:]
        shapes[name] = [*lead, 1 if name == "s" else "C"]
    dims = dict(zip(names, sizes, strict=False))
    return Tensors({**dims, "C": _limited(pick.choice(LENGTHS))}, full, shapes, True)


def _limited(length: Any) -> Any:
    return {**length, "max": 90} if isinstance(length, dict) and length.get("dynamic") else length


def _expression(pick: random.Random, depth: int, leaves: list[str], reduces: bool) -> str:
    if not depth or pick.random() < 0.12:
        return pick.choice([*leaves, *leaves, "alpha", "1.5", "2", "0.25"])

    def part() -> str:
        return _expression(pick, depth - 1, leaves, reduces)

    kind = pick.random()
    if kind < 0.35:
        return f"({part()} {pick.choice('+-*')} {part()})"
    if kind < 0.43:
        return f"({part()} / (abs({part()}) + 1))"
    if kind < 0.55:
        return f"{pick.choice(['maximum', 'minimum'])}({part()}, {part()})"
    if kind < 0.6 and reduces:
        return f"where(arange(C) {pick.choice(RELATIONS)} 17, {part()}, {part()})"
    if kind < 0.72:
        first = f"{part()} {pick.choice(RELATIONS)} {part()}"
        if pick.random() < 0.3:
            first = f"({first}) {pick.choice('&|')} ~({part()} {pick.choice(RELATIONS)} {part()})"
        return f"where({first}, {part()}, {part()})"
    if kind < 0.86 or not reduces:
        return pick.choice(UNARY).format(part())
    return f"{pick.choice(REDUCTIONS)}({part()}, axis=-1)"


def spec_of(seed: int) -> OpSpec | None:
    """None: the formula means nothing, as a comparison of numbers alone."""
    pick = random.Random(seed)
    tensors = pick.choice([_flat, _rows, _rows, _blocks])(pick)
    types = pick.choice(TYPES)
    leaves = ["x", "x", *(n for n in tensors.shapes if n != "w"), *(["w[:, :C]", "w[..., C:]"] if tensors.wide else [])]
    lines = []
    if pick.random() < 0.5:
        lines.append(f"t = {_expression(pick, pick.choice([1, 2, 3]), leaves, tensors.reduces)}")
    value = _expression(pick, pick.choice([1, 2, 3, 4]), [*leaves, *(["t", "t"] if lines else [])], tensors.reduces)
    value = f"({value} + t)" if lines and not re.search(r"\bt\b", value) else value
    outputs: list[dict[str, Any]] = [{"name": "z", "dtype": "T", "shape": tensors.full}]
    if pick.random() < 0.15:
        outputs = [{"name": "x", "inplace": True}]
    kind = pick.random()
    if kind < 0.15 and tensors.reduces:
        lines.append(f"m = {pick.choice(REDUCTIONS)}({value} + x, axis=-1)")
        outputs.append({"name": "m", "dtype": "float32", "shape": [*tensors.full[:-1], 1]})
    elif kind < 0.3:
        lines.append(f"m = ({value} + x) > y")
        outputs.append({"name": "m", "dtype": "bool", "shape": tensors.full})
    elif kind < 0.4:
        dtype = pick.choice(["int8", "int32"])
        lines.append(f"m = cast(round(clip({value} + x, -100, 100)), {dtype})")
        outputs.append({"name": "m", "dtype": dtype, "shape": tensors.full})
    compute = "\n".join([*lines, f"{outputs[0]['name']} = {value} * 0.5 + x"])
    return _checked(pick, tensors, types, outputs, compute)


def _checked(
    pick: random.Random, tensors: Tensors, types: list[str], outputs: list[dict[str, Any]], compute: str
) -> OpSpec | None:
    inputs: list[dict[str, Any]] = [{"name": "x", "dtype": "T", "shape": tensors.full}]
    for name in (n for n in tensors.shapes if re.search(rf"\b{n}\b", compute)):
        dtype = pick.choice(OTHERS)
        if dtype == "bool" and name == "w":
            dtype = "T"
        if dtype == "bool":
            compute = re.sub(rf"\b{name}\b", f"where({name}, 1.0, 0.0)", compute)
        given: Mapping[str, Any] = {"bool": True, "int32": 1, "int8": 1, "uint8": 1}
        optional = {"default": given.get(dtype, 0.5)} if name != "w" and pick.random() < 0.2 else {}
        inputs.append({"name": name, "dtype": dtype, "shape": tensors.shapes[name], **optional})
    alpha = {"name": "alpha", "type": "float", "default": 0.7, "dynamic": pick.random() < 0.8}
    stored = {*types, *(output.get("dtype") for output in outputs)}
    spec, _ = checked(
        dims=tensors.dims,
        dtypes={"T": types},
        inputs=inputs,
        outputs=outputs,
        attrs=[alpha] if re.search(r"\balpha\b", compute) else None,
        compute=compute,
        tests={"tolerance": {dtype: limit for dtype, limit in TOLERANCE.items() if dtype in stored}},
    )
    return spec


SPECS = {seed: spec for seed in range(90) if (spec := spec_of(seed)) is not None}


@pytest.mark.parametrize("seed", SPECS)
def test_formulas(seed: int, tmp_path: Path) -> None:
    spec = SPECS[seed]
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    if plan is None:
        assert findings and all(f.what and f.why and f.fix for f in findings), operator.compute
        return
    path = tmp_path / "kernel.py"
    path.write_text(script(spec, operator, plan), encoding="utf-8")
    sizes = len(kernel_interface(operator).dims)
    found = list(points(operator, plan))
    for point in random.Random(seed).sample(found, min(POINTS, len(found))):
        inputs = make_inputs(operator, point)
        given = {**inputs, **{a.name: point.attrs[a.name] for a in operator.dynamic_attrs}}
        words = [*point.words[:sizes], str(tmp_path / "kernel.so"), *point.words[sizes:]]
        report = check_here(path, words, dict(point.symbolic), given, generated=True)
        assert report.ok, (operator.compute, point.title, [f.what for f in report.findings])
        for name, wanted in make_expected(operator, point, inputs).items():
            got = report.kernels[0].outputs[name].reshape(wanted.shape)
            share = share_of_tolerance(got, wanted, tolerance_of(operator, point, name))
            # Where rounding decides a comparison, an element may go the other way.
            wrong = (share > 1) & (np.abs(wanted.astype(np.float64)) < 65504)
            assert np.mean(wrong) <= 0.02 or np.sum(wrong) == 1, (operator.compute, point.title, name)


def test_most_of_them_are_kernels() -> None:
    kernels = [spec for spec in SPECS.values() if plan_kernel(spec, spec.operators[0])[0] is not None]
    assert len(kernels) > 40
