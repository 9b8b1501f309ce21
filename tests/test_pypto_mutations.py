"""A correct PyPTO kernel, changed in every way that the official tools were asked about: what is wrong is found, with
its name and its place, and what is right passes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pypto_kernel_support import KERNELS, TILE, check_text_of, replaced, scaled_add, scaled_add_inputs, shown
from pypto_mutations import MUTATIONS, Mutation

TEXT = (KERNELS / "scaled_add.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_a_change_of_the_kernel(mutation: Mutation, tmp_path: Path) -> None:
    report = check_text_of(tmp_path, replaced(TEXT, mutation.changes), [scaled_add(**mutation.launch)], "scaled_add")
    if not mutation.rule:
        assert shown(report) == []
        return
    found = [f for f in report.findings if f.rule == mutation.rule and mutation.said in f.what]
    assert found, shown(report)
    where = found[0].place
    assert where is not None and where.file.endswith("scaled_add.py") and where.line > 1
    assert found[0].fix or found[0].why


def test_there_are_as_many_changes_as_the_official_tools_were_asked() -> None:
    assert len(MUTATIONS) >= 110
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(("blocks", "subblocks"), [(1, 1), (1, 2), (4, 1), (4, 2), (9, 2)])
def test_the_kernel_itself_is_clean_and_right(dtype: str, blocks: int, subblocks: int, tmp_path: Path) -> None:
    counts = [1, TILE - 1, TILE, TILE + 1, 2 * TILE + 1, 5 * TILE]
    requests = [scaled_add(count, dtype, blocks, subblocks, mode) for count in counts for mode in (0, 1)]
    report = check_text_of(tmp_path, TEXT, requests, "scaled_add", generated=True)
    assert shown(report) == []
    tolerance = {"float32": 1e-6, "float16": 2e-3, "bfloat16": 2e-2}[dtype]
    for wanted, kernel in zip(requests, report.kernels, strict=True):
        x, y = (np.asarray(v, np.float64) for v in scaled_add_inputs(int(wanted.tiling["total_length"])))  # type: ignore[arg-type]
        np.testing.assert_allclose(kernel.outputs["z"], x + 0.5 * y, rtol=tolerance, atol=tolerance * 4)
        assert kernel.blocks == blocks * subblocks and kernel.complete
