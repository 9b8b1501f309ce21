"""The gallery's generated kernels on the CPU against their formulas: every operator, every variant."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import gallery
from cpu_support import Tensor, compile_all, from_memory, launcher, load, to_memory
from opgen.facts.dtypes import DEFAULT_TOLERANCE, DTYPES
from opgen.formula.evaluate import evaluate, round_to
from opgen.formula.signature import Tensor as Declared
from opgen.formula.signature import Variant
from opgen.formula.sizes import evaluate as size_of
from opgen.kernel.interface import call_parameters, kernel_interface, other_options, type_option
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.loader import load as load_spec
from opgen.spec.model import Operator, OpSpec
from opgen.spec.variants import typed, variants

__all__ = ["launcher"]

SPECS = Path(__file__).resolve().parents[1] / "specs"
SIZES = (1, 1023, 1025)


@dataclass(frozen=True)
class Job:
    """One library: a variant, and the size compiled in or -1."""

    spec: OpSpec
    operator: Operator
    variant: Variant
    compiled_in: int

    @property
    def name(self) -> str:
        types = "_".join(f"{s}={t}" for s, t in (*self.variant.types, *self.variant.attrs))
        return "-".join([self.operator.name, types, *self.variant.absent, f"N{self.compiled_in}"])

    @property
    def sizes(self) -> tuple[int, ...]:
        return SIZES if self.compiled_in == -1 else (self.compiled_in,)


def jobs(everything: bool) -> Iterator[Job]:
    """Every variant once, with an open size where there is one; the first with each size compiled in. everything: all
    variants with all sizes."""
    for name in gallery():
        spec = load_spec((SPECS / name / "op.yaml").read_bytes(), "op.yaml")
        for operator in spec.operators:
            if not kernel_interface(operator).flat:
                continue  # kernels on rows: tests/test_verify_gallery.py runs them as parts of their projects
            dynamic = kernel_interface(operator).dims[0].dynamic
            for number, variant in enumerate(variants(operator)):
                usual = {-1} if dynamic else {1025}
                if number == 0:
                    usual |= set(SIZES)
                for size in sorted({-1} | set(SIZES) if dynamic else set(SIZES)):
                    if (size in usual) != everything:
                        yield Job(spec, operator, variant, size)


def elements(job: Job, tensor: Declared, size: int, seed: int) -> Any:
    """Values within the limits of op.yaml, as the element type holds them."""
    dtype = job.variant.dtype(tensor.dtype)
    count = 1 if all(axis_is_one(axis) for axis in tensor.shape) else size
    rng = np.random.default_rng(seed)
    if DTYPES[dtype].kind == "bool":
        return rng.integers(0, 2, count).astype(bool)
    low, high = (v if isinstance(v, (int, float)) else size_of(v, {}) for v in (tensor.low or 0, tensor.high or 0))
    if DTYPES[dtype].kind == "int":
        return rng.integers(int(low), int(high) + 1, count)
    return round_to(rng.uniform(low, high, count), dtype).astype(np.float64)


def axis_is_one(axis: Any) -> bool:
    return str(axis) == "1" or getattr(axis, "value", None) == 1


def attributes(job: Job) -> dict[str, Any]:
    return {
        **{a.name: a.default for a in job.operator.attrs},
        **dict(job.operator.cases[0].attrs),
        **dict(job.variant.attrs),
    }


def check(job: Job, library: ctypes.CDLL, size: int) -> None:
    operator, variant = job.operator, job.variant
    present = [t for t in operator.inputs if t.name not in variant.absent]
    values = {t.name: elements(job, t, size, seed) for seed, t in enumerate(present)}
    attrs = attributes(job)
    golden = evaluate(typed(operator, variant), values, attrs, {"N": size})
    memory = {t.name: Tensor(to_memory(values[t.name], variant.dtype(t.dtype))) for t in present}
    for output in operator.outputs:
        if not output.inplace:
            memory[output.name] = Tensor(to_memory(np.full(size, 99), variant.dtype(output.dtype)))
    before = {name: tensor.elements().copy() for name, tensor in memory.items()}
    words: list[Any] = []
    for parameter in call_parameters(operator, variant):
        match parameter.role:
            case "input" | "output":
                connected = parameter.name in memory
                words.append(memory[parameter.name].pointer if connected else ctypes.c_void_p(None))
            case "attr":
                words.append((ctypes.c_float if parameter.cxx == "float" else ctypes.c_int64)(attrs[parameter.name]))
            case "size":
                words.append(ctypes.c_int64(size))
            case "stream":
                words.append(ctypes.c_void_p(None))
    library.call(*words)
    outputs = {output.name for output in operator.outputs}
    for name, tensor in memory.items():
        if name not in outputs:
            np.testing.assert_array_equal(tensor.elements(), before[name], f"{job.name}: input {name} was written to")
    tolerance = dict(operator.tolerance)
    for output in operator.outputs:
        compare(job, output, memory[output.name].elements(), golden[output.name], tolerance, size)


def compare(job: Job, output: Declared, actual: Any, golden: Any, tolerance: Mapping[str, float], size: int) -> None:
    dtype = job.variant.dtype(output.dtype)
    wanted = np.broadcast_to(np.asarray(golden), size)
    if DTYPES[dtype].kind != "float":
        np.testing.assert_array_equal(actual.astype(np.int64), wanted.astype(np.int64), job.name)
        return
    limit = tolerance.get(dtype, DEFAULT_TOLERANCE[dtype])
    got = from_memory(actual, dtype).astype(np.float64)
    bad = np.flatnonzero(~(np.abs(got - wanted) <= limit * (1 + np.abs(wanted))))
    assert not len(bad), (job.name, output.name, size, bad[:5], got[bad[:3]], wanted[bad[:3]])


def run_jobs(launcher: Path, folder: Path, wanted: list[Job]) -> None:
    commands = []
    for job in wanted:
        plan = plan_kernel(job.spec, job.operator)[0]
        assert plan is not None
        path = folder / f"{job.operator.name}_kernel.py"
        path.write_text(script(job.spec, job.operator, plan), encoding="utf-8")
        options = other_options(kernel_interface(job.operator), job.variant)
        types = ["--dtype", type_option(job.variant)] if job.variant.types else []
        commands.append([path, str(job.compiled_in), folder / f"{job.name}.so", *types, *options])
    for job, failure in zip(wanted, compile_all(launcher, commands), strict=True):
        assert not failure, f"{job.name}\n{failure}"
        library = load(folder / f"{job.name}.so")
        for size in job.sizes:
            check(job, library, size)


OPERATORS = sorted({job.operator.name for job in jobs(False)})


@pytest.mark.parametrize("half", [0, 1])
def test_gallery(launcher: Path, tmp_path: Path, half: int) -> None:
    """In two halves, so that two processes share the work."""
    mine = set(OPERATORS[half::2])
    run_jobs(launcher, tmp_path, [job for job in jobs(False) if job.operator.name in mine])


@pytest.mark.full
@pytest.mark.parametrize("operator", OPERATORS)
def test_gallery_with_every_size_compiled_in(launcher: Path, tmp_path: Path, operator: str) -> None:
    run_jobs(launcher, tmp_path, [job for job in jobs(True) if job.operator.name == operator])
