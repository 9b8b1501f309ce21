"""`tiling.block` of kernels on rows: rows and columns of a tile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kernel_support import check_kernel, planned, refused
from opgen.spec.model import OpSpec
from spec_support import accepted

SOFTMAX = "y = exp(x - max(x, axis=-1)) / sum(exp(x - max(x, axis=-1)), axis=-1)"
SIZES: dict[str, Any] = {"R": {"default": 5, "dynamic": True}, "C": {"default": 100}}


def tensor(name: str, *shape: Any) -> dict[str, Any]:
    return {"name": name, "dtype": "T", "shape": list(shape)}


def spec_of(block: Any, compute: str = SOFTMAX, **changes: Any) -> OpSpec:
    tests = {"cases": [{}, {"R": 200}, {"R": 1, "C": 1001}], "tolerance": {"float32": 1e-4}}
    usual = {
        "dims": SIZES,
        "dtypes": {"T": ["float32", "bfloat16"]},
        "attrs": None,
        "inputs": [tensor("x", "R", "C")],
        "outputs": [tensor("y", "R", "C")],
        "tests": tests,
    }
    return accepted(compute=compute, tiling={"block": block}, **{**usual, **changes})


@pytest.mark.parametrize("dynamic", [False, True])
def test_rows_of_a_tile(dynamic: bool, tmp_path: Path) -> None:
    sizes = {**SIZES, "R": {"default": 5, "dynamic": dynamic}}
    spec = spec_of({"R": 6}, dims=sizes)
    assert {plan.rows for plan in planned(spec).variants} == {6}
    assert "ROWS = 6  # of a tile" in check_kernel(tmp_path, spec)


def test_any_leading_axes_are_counted_by_their_name(tmp_path: Path) -> None:
    sizes = {"...": {"default": [5], "dynamic": True}, "C": {"default": 100}}
    tensors = {"inputs": [tensor("x", "...", "C")], "outputs": [tensor("y", "...", "C")]}
    tests = {"cases": [{}, {"...": [3, 50]}], "tolerance": {"float32": 1e-4}}
    spec = spec_of({"...": 6}, dims=sizes, tests=tests, **tensors)
    assert {plan.rows for plan in planned(spec).variants} == {6}
    check_kernel(tmp_path, spec)


def test_rows_that_depend_on_the_type(tmp_path: Path) -> None:
    spec = spec_of({"R": "32 // itemsize(T)"})
    assert {dict(p.variant.types)["T"]: p.rows for p in planned(spec).variants} == {"float32": 8, "bfloat16": 16}
    assert 'ROWS = {"float32": 8, "bfloat16": 16}' in check_kernel(tmp_path, spec)


def test_pieces_of_rows(tmp_path: Path) -> None:
    spec = spec_of({"R": 3, "C": 64})
    plan = planned(spec)
    assert plan.long == plan.variants
    assert {(p.rows, p.columns) for p in plan.long} == {(3, 64)}
    assert "PIECE = (3, 64)" in check_kernel(tmp_path, spec)


def test_columns_of_whole_rows_change_nothing() -> None:
    plan, usual = planned(spec_of({"C": 1024})), planned(spec_of({"R": 5}))
    assert [p.columns for p in plan.variants] == [p.columns for p in usual.variants]


def test_a_vector_has_pieces_only(tmp_path: Path) -> None:
    changes = {"dims": {"C": {"default": 100}}, "inputs": [tensor("x", "C")], "outputs": [tensor("y", "C")]}
    tests = {"cases": [{}, {"C": 1001}], "tolerance": {"float32": 1e-4}}
    spec = spec_of({"C": 64}, **changes, tests=tests)
    assert "PIECE = 64" in check_kernel(tmp_path, spec)


def test_leading_axes_are_counted_by_the_last(tmp_path: Path) -> None:
    sizes = {"B": {"default": 3, "dynamic": True}, "S": {"default": 5}, "C": {"default": 100}}
    tests = {"cases": [{}, {"B": 7, "C": 1001}], "tolerance": {"float32": 1e-4}}
    tensors = {"inputs": [tensor("x", "B", "S", "C")], "outputs": [tensor("y", "B", "S", "C")]}
    spec = spec_of({"S": 4}, dims=sizes, tests=tests, **tensors)
    assert {plan.rows for plan in planned(spec).variants} == {4}
    check_kernel(tmp_path, spec)


def test_rows_of_blocks(tmp_path: Path) -> None:
    sizes = {"B": {"default": 3, "dynamic": True}, "S": {"default": 5}, "C": {"default": 100}}
    tests = {"cases": [{}, {"B": 7, "C": 1001}]}
    inputs = [tensor("x", "B", "S", "C"), tensor("w", "S", "C")]
    for dynamic in (False, True):
        sizes["B"]["dynamic"] = dynamic
        changes = {"dims": sizes, "tests": tests, "inputs": inputs, "outputs": [tensor("y", "B", "S", "C")]}
        spec = spec_of({"S": 4}, "y = x + w", **changes)
        assert {plan.rows for plan in planned(spec).variants} == {4}
        check_kernel(tmp_path, spec)


@pytest.mark.parametrize(
    ("block", "rule", "pointer", "words"),
    [
        (8192, "OPG402", "/tiling/block", "`block: {R: 8, C: 1024}`"),
        ({"R": 0}, "OPG402", "/tiling/block/R", "from 1"),
        ({"R": 4096}, "OPG401", "/tiling/block/R", "Write at most"),
        ({"C": 50}, "OPG402", "/tiling/block/C", "such as 64"),
        ({"R": 4096, "C": 64}, "OPG401", "/tiling/block/C", "(`R`)"),
        ({"C": "32 * itemsize(T)"}, "OPG402", "/tiling/block/C", "one number"),
    ],
)
def test_what_does_not_fit(block: Any, rule: str, pointer: str, words: str) -> None:
    findings = refused(spec_of(block)) if block != {"R": 0} else refused(spec_of({"R": "0"}))
    assert {(f.rule, f.pointer) for f in findings} == {(rule, pointer)}
    assert words in findings[0].fix


def test_rows_that_stay_whole_have_no_pieces() -> None:
    changes = {"inputs": [tensor("x", "R", "2 * C")], "compute": "y = x[..., :C] * x[..., C:]"}
    (finding,) = refused(spec_of({"C": 64}, **changes))
    assert (finding.rule, finding.pointer) == ("OPG402", "/tiling/block/C")


def test_a_tile_has_no_size_along_other_axes() -> None:
    sizes = {"B": {"default": 3}, "S": {"default": 5}, "C": {"default": 100}}
    changes = {"dims": sizes, "inputs": [tensor("x", "B", "S", "C")], "outputs": [tensor("y", "B", "S", "C")]}
    (finding,) = refused(spec_of({"B": 4}, tests={"cases": [{}]}, **changes))
    assert (finding.rule, finding.pointer) == ("OPG402", "/tiling/block/B")
    assert "rows along `S` and columns along `C`" in finding.why
