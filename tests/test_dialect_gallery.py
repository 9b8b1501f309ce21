"""Generated kernels of the gallery under the checker: no finding, and the numbers of the formula, where tiles end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT
from conftest import gallery as gallery_names
from dialect_support import checked, script_arguments, shown
from opgen.facts.dtypes import DEFAULT_TOLERANCE, DTYPES
from opgen.facts.operations import MOVED_AS
from opgen.formula.evaluate import evaluate, round_to
from opgen.formula.signature import Tensor, Variant
from opgen.formula.sizes import evaluate as size_of
from opgen.kernel.elementwise import single
from opgen.kernel.interface import kernel_interface
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.loader import load
from opgen.spec.model import Operator, OpSpec
from opgen.spec.variants import typed


@dataclass(frozen=True)
class Job:
    """A kernel at one size. symbolic: the size is known only when it runs."""

    operator: str
    variant: int
    size: str
    symbolic: bool

    @property
    def name(self) -> str:
        return f"{self.operator}-{self.variant}-{self.size}{'-symbolic' if self.symbolic else ''}"


SIZES = {
    "1": lambda b: 1,
    "tile-1": lambda b: b - 1,
    "tile": lambda b: b,
    "tile+1": lambda b: b + 1,
    "2tile+1": lambda b: 2 * b + 1,
}


@lru_cache(maxsize=1)
def gallery() -> dict[str, tuple[OpSpec, Operator, KernelPlan]]:
    found = {}
    for name in gallery_names():
        path = ROOT / "specs" / name / "op.yaml"
        spec = load(path.read_bytes(), str(path))
        for operator in spec.operators:
            plan, findings = plan_kernel(spec, operator)
            assert plan is not None or findings
            if plan is not None and plan.schedule == "elementwise":
                found[f"{path.parent.name}.{operator.name}"] = (spec, operator, plan)
    return found


def jobs() -> Iterator[Job]:
    for name, (_, operator, plan) in gallery().items():
        dynamic = kernel_interface(operator).dims[0].dynamic
        for number in range(len(plan.variants)):
            for size in SIZES:
                for symbolic in (False, True) if dynamic else (False,):
                    yield Job(name, number, size, symbolic)


ALL = list(jobs())
# Every operator; each variant at one size, the sizes by turns, the open size first where there is one.
USUAL = [
    job
    for job in ALL
    if list(SIZES)[(job.variant + sum(map(ord, job.operator))) % len(SIZES)] == job.size
    and job.symbolic == (Job(job.operator, job.variant, job.size, True) in ALL)
]


def elements(tensor: Tensor, dtype: str, size: int, seed: int) -> Any:
    """Values within the limits of op.yaml, as the element type holds them."""
    rng = np.random.default_rng(seed)
    count = 1 if single(tensor.shape) else size
    if DTYPES[dtype].kind == "bool":
        return rng.integers(0, 2, count).astype(bool)
    low, high = (v if isinstance(v, (int, float)) else size_of(v, {}) for v in (tensor.low or 0, tensor.high or 0))
    if DTYPES[dtype].kind == "int":
        return rng.integers(int(low), int(high) + 1, count)
    return round_to(rng.uniform(low, high, count), dtype).astype(np.float64)


def held(values: Any, dtype: str) -> Any:
    """As the kernel's tensor holds them."""
    rounded = round_to(values, dtype)
    if dtype == "bool":
        return rounded.astype(np.uint8)
    return rounded.view(MOVED_AS[dtype]) if dtype in MOVED_AS else rounded


def agree(operator: Operator, plan: VariantPlan, outputs: Mapping[str, Any], golden: Mapping[str, Any]) -> None:
    tolerance = dict(operator.tolerance)
    for output in operator.outputs:
        dtype = plan.variant.dtype(output.dtype)
        got = outputs[output.name]
        wanted = np.broadcast_to(np.asarray(golden[output.name]), got.shape)
        if DTYPES[dtype].kind != "float":
            back = got if dtype == "bool" or dtype not in MOVED_AS else got.view(dtype)
            np.testing.assert_array_equal(back.astype(np.int64), wanted.astype(np.int64), output.name)
            continue
        limit = tolerance.get(dtype, DEFAULT_TOLERANCE[dtype])
        error = np.abs(got.astype(np.float64) - wanted) / (1 + np.abs(wanted))
        assert np.nanmax(error) <= limit and not np.isnan(error).any(), (output.name, dtype, np.nanmax(error))


def attributes(operator: Operator, variant: Variant) -> dict[str, Any]:
    return {**{a.name: a.default for a in operator.attrs}, **dict(operator.cases[0].attrs), **dict(variant.attrs)}


def check(job: Job, folder: Path) -> None:
    spec, operator, plan = gallery()[job.operator]
    variant_plan = plan.variants[job.variant]
    variant = variant_plan.variant
    path = folder / f"{operator.name}_kernel.py"
    path.write_text(script(spec, operator, plan), encoding="utf-8")
    size = max(1, SIZES[job.size](variant_plan.tile))
    present = [t for t in operator.inputs if t.name not in variant.absent]
    values = {t.name: elements(t, variant.dtype(t.dtype), size, seed) for seed, t in enumerate(present)}
    attrs = attributes(operator, variant)
    arguments = script_arguments(operator, variant, -1 if job.symbolic else size, folder / "out.so")
    inputs = {t.name: held(values[t.name], variant.dtype(t.dtype)) for t in present}
    inputs |= {a.name: attrs[a.name] for a in operator.dynamic_attrs}
    dims = {"n": size} if job.symbolic else {}
    report = checked(path, arguments, dims=dims, inputs=inputs, generated=True)
    assert shown(report) == []
    (kernel,) = report.kernels
    assert kernel.complete
    assert (folder / "out.so").is_file()
    golden = evaluate(typed(operator, variant), values, attrs, {"N": size, **{d.name: size for d in operator.dims}})
    agree(operator, variant_plan, kernel.outputs, golden)


@pytest.mark.parametrize("job", USUAL, ids=lambda job: job.name)
def test_generated_kernels_are_clean_and_right(job: Job, tmp_path: Path) -> None:
    check(job, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(gallery()))
def test_generated_kernels_are_clean_and_right_at_every_size(name: str, tmp_path: Path) -> None:
    for job in ALL:
        if job.operator == name and job not in USUAL:
            check(job, tmp_path)


def test_what_an_add_kernel_does_is_counted(tmp_path: Path) -> None:
    """4096 elements in four tiles: each input once in, the output once out, one vector call a tile."""
    spec, operator, plan = gallery()["add_custom.add_custom"]
    path = tmp_path / "add_custom_kernel.py"
    path.write_text(script(spec, operator, plan), encoding="utf-8")
    report = checked(path, [4096, tmp_path / "out.so"], generated=True)
    counters = report.kernels[0].counters
    tiles = -(-4096 // plan.variants[0].tile)
    assert (counters.bytes_in, counters.bytes_out) == (2 * 4 * 4096, 4 * 4096)
    assert (counters.copies_in, counters.copies_out) == (2 * tiles, tiles)
    assert (counters.vector_calls, counters.vector_calls_per_tile) == ({"add": tiles}, 1)
    assert counters.peak == {"UB": plan.variants[0].used}
    assert counters.syncs["set_flag"] == counters.syncs["wait_flag"]
