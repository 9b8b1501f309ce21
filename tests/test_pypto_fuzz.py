"""Formulas that nobody thought of, as PyPTO kernels: each is refused with a reason, or computes what NumPy does."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from opgen.kernel.pypto.planner import plan_pypto
from opgen.spec.model import Operator
from pypto_kernels import wrongs
from spec_support import checked

UNARY = ("exp(-abs({}))", "sigmoid({})", "tanh({})", "relu({})", "abs({})", "sqrt(abs({}))", "-{}", "silu({})")
TYPES = (["float32"], ["float16"], ["bfloat16", "float32"], ["float16", "float32"])
LENGTHS: tuple[Any, ...] = (
    {"default": 40, "dynamic": True, "max": 90},
    {"default": 40, "dynamic": True},
    {"default": 1300, "dynamic": True},
    64,
)
TOLERANCE = {"float32": 1e-4, "float16": 4e-3, "bfloat16": 3e-2}  # deep formulas add up what one operation rounds


def expression(pick: random.Random, depth: int, rows: bool) -> str:
    """x, y: whole tensors; b: a row; s: a value for each row; f: one element."""
    if not depth or pick.random() < 0.15:
        return pick.choice(["x", "y", *(("b", "s") if rows else ("f",)), "alpha", "1.5", "2", "0.25"])

    def part() -> str:
        return expression(pick, depth - 1, rows)

    kind = pick.random()
    if kind < 0.35:
        return f"({part()} {pick.choice('+-*')} {part()})"
    if kind < 0.45:
        return f"({part()} / (abs({part()}) + 1))"
    if kind < 0.6:
        return f"{pick.choice(['maximum', 'minimum'])}({part()}, {part()})"
    if kind < 0.72:
        relation = pick.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"where({part()} {relation} {part()}, {part()}, {part()})"
    if kind < 0.86 or not rows:
        return pick.choice(UNARY).format(part())
    return f"{pick.choice(['sum', 'mean', 'max', 'min'])}({part()}, axis=-1)"


def operator(seed: int) -> Operator | None:
    """None: the formula means nothing, as a comparison of numbers alone."""
    pick = random.Random(seed)
    rows = pick.random() < 0.6
    compute = f"z = {expression(pick, pick.choice([2, 3, 4]), rows)} * 0.5 + x"
    types = pick.choice(TYPES)
    dims: dict[str, Any] = {"...": {"default": [3, 7], "dynamic": True}}
    shapes: dict[str, list[str]] = {"x": ["..."], "y": ["..."], "f": []}
    if rows:
        dims = {"R": {"default": 19, "dynamic": True}, "C": pick.choice(LENGTHS)}
        shapes = {"x": ["R", "C"], "y": ["R", "C"], "b": ["C"], "s": ["R", 1]}  # type: ignore[list-item]
    used = [name for name in shapes if re.search(rf"\b{name}\b", compute)]
    optional = pick.choice(["b", "y", ""])
    spec, _ = checked(
        scenario="pypto",
        dims=dims,
        dtypes={"T": types},
        inputs=[
            {"name": n, "dtype": "T", "shape": shapes[n], **({"default": 0.5} if n == optional else {})} for n in used
        ],
        outputs=[{"name": "z", "dtype": "T", "shape": shapes["x"]}],
        attrs=[{"name": "alpha", "type": "float", "default": 0.7}] if "alpha" in compute else None,
        compute=compute,
        tests={"tolerance": {dtype: TOLERANCE[dtype] for dtype in types}},
    )
    return spec.operators[0] if spec is not None else None


@pytest.mark.parametrize("seed", range(40))
def test_formulas(seed: int, tmp_path: Path) -> None:
    made = operator(seed)
    if made is None:
        return
    plan, findings = plan_pypto(None, made)  # type: ignore[arg-type]
    if plan is None:
        assert all(f.rule == "OPG309" and f.what.startswith("no schedule: ") and f.fix for f in findings), made.compute
        return
    assert wrongs(made, tmp_path) == [], made.compute


def test_most_of_them_are_kernels() -> None:
    kernels = [made for seed in range(40) if (made := operator(seed)) and plan_pypto(None, made)[0]]  # type: ignore[arg-type]
    assert len(kernels) > 20
