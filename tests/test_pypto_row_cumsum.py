"""The hand-written kernel of the gallery: its order and its memory are no accident."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from opgen.dialect.pypto.check import check_here
from opgen.dialect.pypto.requests import Argument, Request
from opgen.dialect.report import Report
from pypto_kernel_support import replaced, rules, shown

TEXT = (ROOT / "specs/row_cumsum/op_kernel/row_cumsum.py").read_text(encoding="utf-8")
ROWS, COLUMNS = 19, 2100
PART = 8 * 2 * 1024 * 4  # bytes of the workspace for a worker


def launched(folder: Path, text: str, blocks: int = 2, parts: int = 4) -> Report:
    path = folder / "row_cumsum.py"
    path.write_text(text, encoding="utf-8")
    x = np.random.default_rng(1).uniform(-2, 2, (ROWS, COLUMNS)).astype(np.float32)
    tiling = {"rows": ROWS, "columns": COLUMNS, "row_tiles": 3, "column_tiles": 3}
    arguments = (Argument("x", "input", "float32", x), Argument("y", "output", "float32", size=x.size))
    request = Request(tiling, {"long_row": 1}, {"data_dtype": "float32"}, arguments, blocks, 2, parts * PART)
    return check_here(path, [request])


def expected() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    x = np.random.default_rng(1).uniform(-2, 2, (ROWS, COLUMNS)).astype(np.float32)
    return np.cumsum(x.astype(np.float64), axis=1)


def test_it_is_clean_and_right(tmp_path: Path) -> None:
    report = launched(tmp_path, TEXT)
    assert shown(report) == []
    np.testing.assert_allclose(report.kernels[0].outputs["y"].reshape(ROWS, COLUMNS), expected(), atol=1e-3)


@dataclass(frozen=True)
class Break:
    name: str
    changes: Mapping[str, str]
    rule: str  # "" where the numbers tell


BREAKS = [
    Break("one part for all", {"pl.get_block_idx() * TILE_ROWS * PITCH": "0"}, "OPG839"),
    Break("a part for a block", {"pl.get_block_idx() * TILE_ROWS": "pl.get_block_idx() // 2 * TILE_ROWS"}, "OPG839"),
    Break("no zeros", {"        pl.store(part_view, shifted, [0, 0])\n": ""}, "OPG837"),
    Break("half of the zeros", {"pl.set_validshape(shifted, [TILE_ROWS, TILE_COLUMNS])":
          "pl.set_validshape(shifted, [TILE_ROWS // 2, TILE_COLUMNS])"}, "OPG837"),
    Break("the load does not wait", {"pl.load(shifted, part_view, [0, TILE_COLUMNS - shift])":
          "pl.load(x_tile, part_view, [0, TILE_COLUMNS - shift])", "pl.add(sums, sums, shifted)":
          "pl.add(sums, sums, x_tile)"}, "OPG838"),
    Break("pitch of one tile", {"PITCH = 2 * TILE_COLUMNS": "PITCH = TILE_COLUMNS"}, "OPG836"),
    Break("arithmetic on a column", {"pl.neg(carry_line, total_line)": "pl.neg(carry_column, total_column)"}, "OPG835"),
    Break("two mutexes for one place", {"total_lines = pl.make_tile_group(type=line, addrs=0x30000, mutex_ids=[6])":
          "total_lines = pl.make_tile_group(type=line, addrs=0x30010, mutex_ids=[8])"}, "OPG832"),
    Break("the carry is never read", {"pl.expand_sub(sums, sums, carry_column, dim=0)": "pass"}, ""),
    Break("the carry of the last tile alone", {"pl.sub(carry_line, carry_line, total_line)":
          "pl.neg(carry_line, total_line)"}, ""),
    Break("a step too few", {"shift = 1\n": "shift = 2\n"}, ""),
]  # fmt: skip


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: b.name)
def test_a_break_is_found(broken: Break, tmp_path: Path) -> None:
    report = launched(tmp_path, replaced(TEXT, broken.changes))
    if broken.rule:
        assert broken.rule in rules(report), shown(report)
    else:
        assert shown(report) == []
        y = report.kernels[0].outputs["y"].reshape(ROWS, COLUMNS)
        assert not np.allclose(y, expected(), atol=1e-3)


def test_less_workspace_than_workers_need(tmp_path: Path) -> None:
    report = launched(tmp_path, TEXT, parts=3)
    assert any(line.startswith("OPG836") and "leaves workspace" in line for line in shown(report))
