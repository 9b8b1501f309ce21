"""The planner: which operators it takes, which tiles it chooses, and what it says when something does not fit."""

from __future__ import annotations

import re
from typing import Any

import pytest
from conftest import ROOT
from opgen.facts.socs import MAX_CORES, PLATFORMS
from opgen.kernel.plan import KernelPlan
from opgen.kernel.planner import plan_kernel
from opgen.kernel.traffic import traffic
from opgen.spec.loader import load
from opgen.text.findings import Finding
from spec_support import accepted

UB = PLATFORMS["A3"].unified_buffer
STATIC = {"...": {"default": [8, 128]}}


def tensor(name: str, *shape: str | int, dtype: str = "T", **more: Any) -> dict[str, Any]:
    return {"name": name, "dtype": dtype, "shape": list(shape), **more}


def planned(**changes: Any) -> KernelPlan:
    spec = accepted(**changes)
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is not None and not findings, findings
    return plan


def refused(**changes: Any) -> tuple[Finding, ...]:
    spec = accepted(**changes)
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is None
    assert findings and all(f.what and f.why and f.fix for f in findings)
    return findings


def one(findings: tuple[Finding, ...], rule: str) -> Finding:
    assert [f.rule for f in findings] == [rule], findings
    return findings[0]


# ---- schedules ----


def test_a_kernel_of_the_user_is_left_alone() -> None:
    plan = planned(kernel="mine_kernel.py", compute=None)
    assert plan.schedule == "user" and plan.variants == () and plan.max_elements is None


def test_a_piece_that_is_no_row_of_the_others_is_named_with_its_place() -> None:
    compute = "z = x + sum(y[..., : minimum(C, 8)], axis=-1)"
    findings = refused(
        dims={"...": {"default": [4], "dynamic": True}, "C": {"default": 64}},
        inputs=[tensor("x", "...", "C"), tensor("y", "...", "C")],
        outputs=[tensor("z", "...", "C")],
        attrs=None,
        compute=compute,
    )
    found = [f for f in findings if f.what == "no schedule: minimum(8, C) columns of `y` at once"]
    assert len(found) == 1, findings
    assert found[0].rule == "OPG309" and found[0].pointer == "/compute"
    assert found[0].offset == compute.index("y[")
    assert "kernel: axpy_custom_kernel.py" in found[0].fix


def test_an_output_of_one_element_among_larger_tensors_has_no_schedule() -> None:
    findings = refused(
        dims={"N": {"default": 64, "dynamic": True}},
        inputs=[tensor("x", "N"), tensor("y", 1)],
        outputs=[tensor("z", "N"), tensor("w", 1)],
        compute="z = alpha * x\nw = y * 2",
    )
    assert [f.pointer for f in findings] == ["/outputs/1/shape"]


def test_tensors_that_all_have_one_element_are_elementwise() -> None:
    plan = planned(
        dims=None,
        inputs=[tensor("x"), tensor("y", 1)],
        outputs=[tensor("z", 1)],
    )
    assert not plan.variants[0].layout.program.elements


def test_a_size_in_the_formula_is_known_where_it_is_the_element_count() -> None:
    flat = {"inputs": [tensor("x", "N"), tensor("y", "N")], "outputs": [tensor("z", "N")], "attrs": None}
    assert planned(dims={"N": {"default": 64, "dynamic": True}}, compute="z = (x + y) / N", **flat)
    finding = one(
        refused(
            dims={"N": {"default": 64}, "C": {"default": 4}},
            inputs=[tensor("x", "N", "C"), tensor("y", "N", "C")],
            outputs=[tensor("z", "N", "C")],
            attrs=None,
            compute="z = (x + y) / C",
        ),
        "OPG309",
    )
    assert "the size `C`" in finding.what and finding.offset == len("z = (x + y) / ")


def test_chips_of_another_platform() -> None:
    finding = one(refused(soc="ascend950"), "OPG209")
    assert finding.pointer == "/soc" and "pto" in finding.why


# ---- tiles ----


def test_the_planned_tile_is_a_copy_of_16_kib_in_whole_vector_steps() -> None:
    plan = planned()
    assert {dict(v.variant.types)["T"]: v.tile for v in plan.variants} == {"float32": 4096, "float16": 8192}
    for variant in plan.variants:
        assert variant.tile % plan.granule == 0
        assert variant.used <= plan.budget == UB
        assert variant.slots == 2


@pytest.mark.parametrize(
    ("name", "moved", "least"),
    [
        ("add_custom", 12, 12),
        ("layer_norm", 4, 4),  # x and y; gamma and beta stay on chip
        ("rotary_embedding", 8, 8),
        ("partial_rotary", 4, 4),
        # 256 x 384 times 384 x 512 in tiles of 128 x 128: the first is read 4 times, the second twice
        ("matmul", 2 * (4 * 256 * 384 + 2 * 384 * 512) / (256 * 512) + 2, 2 * (256 + 512) * 384 / (256 * 512) + 2),
    ],
)
def test_bytes_moved_are_counted_beside_the_fewest(name: str, moved: float, least: float) -> None:
    spec = load((ROOT / "specs" / name / "op.yaml").read_bytes(), "op.yaml")
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    found = traffic(spec.operators[0], plan, plan.variants[0])
    assert (found.moved, found.least) == (pytest.approx(moved), pytest.approx(least))


def test_what_slices_read_twice_is_moved_twice() -> None:
    dims = {"...": {"default": [4], "dynamic": True}, "C": {"default": 64}}
    spec = accepted(
        dims=dims,
        inputs=[tensor("x", "...", "C")],
        outputs=[tensor("z", "...", "C - 1")],
        attrs=None,
        compute="z = x[..., 1:] - x[..., : C - 1]",
    )
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is not None, findings
    full = next(v for v in plan.variants if dict(v.variant.types)["T"] == "float32")
    found = traffic(spec.operators[0], plan, full)
    assert found.moved == pytest.approx(4 * 3 * 63 / 64)
    assert found.least == pytest.approx(4 * (64 + 63) / 64)


def test_instructions_are_counted() -> None:
    full, half = planned().variants
    assert full.vector_ops == 2  # mul, add
    assert half.vector_ops == 5  # two casts, mul, add, cast


def test_large_formulas_get_smaller_tiles() -> None:
    names = [f"x{n}" for n in range(12)]
    plan = planned(
        inputs=[tensor(n, "...") for n in names],
        outputs=[tensor(f"z{n}", "...") for n in range(4)],
        compute="\n".join(f"z{n} = {' + '.join(f'{name} * alpha' for name in names[n:])}" for n in range(4)),
    )
    for variant in plan.variants:
        assert plan.granule <= variant.tile < 4096 and variant.used <= UB
        step = variant.layout.bytes(variant.tile + plan.granule, 2)
        assert step > UB, "a larger tile would fit"


def test_what_never_fits_is_refused() -> None:
    outputs = [f"z{n}" for n in range(400)]
    finding = one(
        refused(
            dtypes=None,
            inputs=[tensor("x", "...", dtype="float32")],
            outputs=[tensor(n, "...", dtype="float32") for n in outputs],
            attrs=None,
            compute="\n".join(f"{name} = x + {n}" for n, name in enumerate(outputs)),
        ),
        "OPG401",
    )
    assert finding.pointer == "/compute" and str(UB) in finding.why


def test_a_block_of_op_yaml_is_the_tile() -> None:
    plan = planned(tiling={"block": 1024})
    assert plan.fixed and {v.tile for v in plan.variants} == {1024}


def test_a_block_may_depend_on_the_type() -> None:
    plan = planned(tiling={"block": "8192 // itemsize(T)"})
    assert [v.tile for v in plan.variants] == [2048, 4096]


def test_a_block_that_does_not_fit_is_refused_with_the_table_and_the_largest() -> None:
    single = {"dtypes": {"T": ["float32"]}}
    finding = one(refused(tiling={"block": 32768}, **single), "OPG401")
    assert finding.pointer == "/tiling/block"
    assert "x_ub float32 262144" in finding.why and "z_ub float32 262144" in finding.why and str(UB) in finding.why
    match = re.search(r"at most (\d+), or `buffers: 1` and at most (\d+)\.", finding.fix)
    assert match is not None
    largest, with_one = int(match[1]), int(match[2])
    assert planned(tiling={"block": largest}, **single)
    assert planned(tiling={"block": with_one, "buffers": 1}, **single)
    assert refused(tiling={"block": largest + 64}, **single)
    assert refused(tiling={"block": with_one + 64, "buffers": 1}, **single)


def test_a_block_of_broken_rows_is_refused_with_the_smallest_legal_one() -> None:
    finding = refused(tiling={"block": 1001})[0]
    assert finding.rule == "OPG402" and finding.pointer == "/tiling/block"
    assert "32 bytes" in finding.why and "multiple of 8, such as 1008" in finding.fix
    assert planned(dtypes={"T": ["float32"]}, tiling={"block": 1008})


def test_comparisons_need_whole_steps_of_256_bytes() -> None:
    compare = {"attrs": None, "compute": "z = where(x > y, x, y)", "dtypes": {"T": ["float32"]}}
    finding = one(refused(tiling={"block": 1008}, **compare), "OPG402")
    assert "256 bytes" in finding.why and "multiple of 64, such as 1024" in finding.fix
    assert planned(tiling={"block": 64}, **compare)


@pytest.mark.parametrize("block", [0, -1024])
def test_a_block_must_be_positive(block: int) -> None:
    spec_findings = refused(tiling={"block": str(block)})
    assert {f.rule for f in spec_findings} == {"OPG402"}


def test_sizes_by_dim_are_for_rows() -> None:
    finding = refused(dims={"N": {"default": 64}}, tiling={"block": {"N": 64}}, **_flat())[0]
    assert finding.rule == "OPG402" and finding.pointer == "/tiling/block"


def _flat() -> dict[str, Any]:
    return {"inputs": [tensor("x", "N"), tensor("y", "N")], "outputs": [tensor("z", "N")]}


def test_single_buffers_hold_twice_as_much() -> None:
    assert all(v.slots == 1 for v in planned(tiling={"buffers": 1}).variants)
    finding = refused(tiling={"buffers": "3"})[0]
    assert finding.rule == "OPG402" and finding.pointer == "/tiling/buffers"
    finding = refused(tiling={"buffers": "2 if itemsize(T) < 4 else 1"})[0]
    assert "1 or 2" in finding.what


def test_cores() -> None:
    assert planned().cores == PLATFORMS["A3"].cores
    assert planned(tiling={"cores": "minimum(device_cores, tiles)"}).cores == PLATFORMS["A3"].cores
    plan = planned(tiling={"cores": 8})
    assert plan.cores == 8
    finding = one(refused(tiling={"cores": "device_cores // 2"}), "OPG403")
    assert finding.pointer == "/tiling/cores"


def test_the_last_round_stays_inside_int32() -> None:
    plan = planned()
    assert plan.max_elements is not None
    assert plan.max_elements + 2 * MAX_CORES * max(v.tile for v in plan.variants) == 2**31 - 1


def test_variants_of_equal_types_share_a_tile() -> None:
    inputs = [tensor("x", "..."), tensor("y", "...", default=0.0)]
    plan = planned(inputs=inputs, compute="z = alpha * x + gelu(y) * tanh(y) + erf(y)")
    tiles: dict[Any, set[int]] = {}
    for variant in plan.variants:
        tiles.setdefault(variant.variant.types, set()).add(variant.tile)
    assert len(plan.variants) == 4 and all(len(t) == 1 for t in tiles.values())


# ---- scratch of several kernels in one script ----

OFTEN = {"dtypes": {"T": ["float16", "bfloat16", "float32"]}, "dims": {"...": {"default": [8, 1000], "dynamic": True}}}
GATES = "g = minimum(x, alpha)\nu = clip(y, -alpha, alpha)\nz = (u + 1) * g * sigmoid(1.702 * g)"
BRANCHES = "d = abs(x - y)\nz = where(d < alpha, 0.5 * d * d / alpha, d - 0.5 * alpha)"
SIGNS = "c = alpha * x + (1 - alpha) * y\nu = where(c > 0, 1.0, where(c < 0, -1.0, 0.0))\nz = x - alpha * u"


@pytest.mark.parametrize("compute", [GATES, BRANCHES, SIGNS])
@pytest.mark.parametrize("optional", [False, True])
def test_a_tile_takes_what_its_own_kernel_uses(compute: str, optional: bool) -> None:
    inputs = [tensor("x", "..."), tensor("y", "...", **({"default": 1.0} if optional else {}))]
    plan = planned(**OFTEN, inputs=inputs, compute=compute)
    for variant in plan.variants:
        used = set(variant.layout.place.values())
        assert {held.name for held in variant.layout.buffers} == {held.name for held in used}
        taken = sum(held.bytes(variant.tile, variant.slots) for held in variant.layout.buffers)
        assert taken + variant.scratch == variant.used <= PLATFORMS["A3"].unified_buffer


def test_kernels_of_one_script_share_scratch_of_one_type() -> None:
    plan = planned(**OFTEN, compute=GATES)
    scratch = [{b.name for b in p.layout.buffers if not b.slotted} for p in plan.variants]
    assert set.union(*scratch) == max(scratch, key=len)


def test_a_kernel_without_an_input_has_its_values_where_the_whole_one_has_them() -> None:
    inputs = [tensor("x", "..."), tensor("y", "...", default=1.0)]
    plan = planned(**OFTEN, inputs=inputs, compute="e = exp(x) * alpha\nz = e / (e + y)")
    for dtype in ("float16", "float32"):
        whole, part = (
            next(p for p in plan.variants if p.variant.dtype("T") == dtype and p.variant.absent == absent)
            for absent in ((), ("y",))
        )
        (first,) = {i.target for i in whole.layout.program.body if i.op == "exp"}
        (other,) = {i.target for i in part.layout.program.body if i.op == "exp"}
        assert whole.layout.place[first].name == part.layout.place[other].name
