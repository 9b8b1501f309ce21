"""Correct kernels, broken in every known way: each break is found."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from conftest import ROOT
from dialect_mutants import WAYS, Mutant
from dialect_support import KERNELS, checked, rules, script_arguments, shown
from opgen.dialect import Report
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.loader import load


@dataclass(frozen=True)
class Subject:
    """A correct kernel. rounds: tiles for each worker, the last one broken."""

    name: str
    path: str
    types: str = ""
    rounds: float = 3


SUBJECTS = [
    Subject("add", "add_custom", "float32"),
    Subject("axpy_half", "axpy", "float16"),
    Subject("dropout", "dropout", "float32"),
    Subject("dropout_short", "dropout", "float32", 1),
    Subject("quantize_half", "quantize_per_tensor.yaml", "bfloat16"),
    *(Subject(p.stem.removeprefix("good_"), str(p)) for p in sorted(KERNELS.glob("good_*.py"))),
]

# Data that tells an operation from its neighbours, where made-up data does not.
INPUTS: dict[str, dict[str, Any]] = {
    "quantize_half": {"scale": [0.01], "zero_point": [3]},
    "softmax_flags": {"x": np.random.default_rng(3).standard_normal((37, 200)) * 40 - 300},
}

# Breaks that change nothing: subject, a part of the break, why.
HARMLESS = [
    ("dropout", '(tile // 2,), "float32"', "the float32 branch does not use this buffer"),
    ("dropout", 'x_f32 = T.alloc_ub((tile,), "int64")', "the float32 branch does not use this buffer"),
    ("dropout", "dropped T.tile.cast(mask_ub[", "the slots have been filled by whole tiles before a clipped one comes"),
    ("dropout", 'dropped T.pipe_barrier("v")', "behind the clearing the first flags from V order it as well"),
    ("dropout_short", '(tile // 2,), "float32"', "the float32 branch does not use this buffer"),
    ("dropout_short", 'x_f32 = T.alloc_ub((tile,), "int64")', "the float32 branch does not use this buffer"),
    ("dropout_short", "dropped T.tile.cast(mask_ub[1", "one tile takes the first slot only"),
    ("dropout_short", 'dropped T.pipe_barrier("v")', "behind the clearing the first flags from V order it as well"),
    ("quantize_half", "y2_f32 = T.alloc_ub((tile // 2,)", "the half types do not use this buffer"),
    ("quantize_half", "T.alloc_ub((8 // 2,)", "a buffer takes whole blocks, and one element is used"),
    ("quantize_half", "CAST_ODD", "the numbers are whole, so no mode rounds them"),
    ("quantize_half", "CAST_TRUNC", "the numbers are whole, so no mode rounds them"),
    ("quantize_half", "dropped T.tile.max", "the cast to int8 stops at its ends"),
    ("quantize_half", "dropped T.tile.min", "the cast to int8 stops at its ends"),
    ("quantize_half", "dropped T.tile.abs", "what is as large as that is clipped to the limits afterwards"),
    ("matmul_flags", "EVENT = 2 -> EVENT = 0", "nothing here uses the events 0 and 1 but the kernel"),
]


@dataclass(frozen=True)
class Case:
    text: str
    arguments: tuple[str, ...]
    dims: Mapping[str, int]
    generated: bool
    inputs: Mapping[str, Any] | None = None


def case(subject: Subject, folder: Path) -> Case:
    if not subject.types:
        dims = {"m": 37, "n": 130} if "symbolic" in subject.name else {}
        return Case(Path(subject.path).read_text(encoding="utf-8"), (), dims, False, INPUTS.get(subject.name))
    own = subject.path.endswith(".yaml")
    path = KERNELS / subject.path if own else ROOT / "specs" / subject.path / "op.yaml"
    spec = load(path.read_bytes(), str(path))
    operator = spec.operators[0]
    plan, _ = plan_kernel(spec, operator)
    assert plan is not None
    chosen = next(
        v
        for v in plan.variants
        if subject.types in [t for _, t in v.variant.types] + [subject.types] * (not v.variant.types)
        and not v.variant.absent
    )
    size = int(subject.rounds * 4 * chosen.tile) - chosen.tile // 2 - 3
    dynamic = any(d.dynamic for d in operator.dims)
    arguments = script_arguments(operator, chosen.variant, -1 if dynamic else size, folder / "out.so")
    return Case(
        script(spec, operator, plan),
        (*arguments, "--cores", "2"),
        {"n": size} if dynamic else {},
        True,
        INPUTS.get(subject.name),
    )


def run(folder: Path, case: Case, text: str) -> Report:
    path = folder / "kernel.py"
    path.write_text(text, encoding="utf-8")
    return checked(path, case.arguments, dims=case.dims, inputs=case.inputs, generated=case.generated)


def executed(folder: Path, case: Case) -> set[int]:
    """Lines of the kernel that run: a break elsewhere is none."""
    lines: set[int] = set()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.endswith("kernel.py"):
            return None
        lines.add(frame.f_lineno)
        return trace

    old = sys.gettrace()
    sys.settrace(trace)
    threading.settrace(trace)
    try:
        run(folder, case, case.text)
    finally:
        sys.settrace(old)
        threading.settrace(None)  # type: ignore[arg-type]
    return lines


def same_numbers(first: Report, second: Report) -> bool:
    if not second.kernels:
        return False
    mine, theirs = first.kernels[0].outputs, second.kernels[0].outputs
    return mine.keys() == theirs.keys() and all(_equal(mine[name], theirs[name]) for name in mine)


def _equal(first: Any, second: Any) -> bool:
    return bool(np.array_equal(first, second, equal_nan=first.dtype.kind == "f"))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: s.name)
def test_every_break_is_found(subject: Subject, tmp_path: Path) -> None:
    whole = case(subject, tmp_path)
    good = run(tmp_path, whole, whole.text)
    assert shown(good) == []
    lines = executed(tmp_path, whole)
    missed: list[str] = []
    tried = 0
    for kind, way in WAYS.items():
        for mutant in way(whole.text):
            harmless = any(name == subject.name and part in mutant.what for name, part, _ in HARMLESS)
            if mutant.line not in lines or harmless:
                continue
            tried += 1
            problem = verdict(tmp_path, whole, good, mutant)
            if problem:
                missed.append(f"{kind}, line {mutant.line}: {mutant.what}: {problem}")
    assert not missed, "\n".join(missed)
    assert tried >= 4


def verdict(folder: Path, whole: Case, good: Report, mutant: Mutant) -> str:
    """What is missing; "" when the break is found."""
    broken = run(folder, whole, mutant.text)
    found = rules(broken)
    if mutant.rules and not found & mutant.rules:
        return f"found {sorted(found)}, not one of {sorted(mutant.rules)}"
    if not found and same_numbers(good, broken):
        return "nothing found, and the numbers are the same"
    return ""
