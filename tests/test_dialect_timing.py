"""The model of time in the checker: what waits for what, and how much of the copying is hidden."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialect_support import checked_text, kernel
from opgen.dialect import KernelReport
from opgen.dialect.order import MTE2, MTE3, S, V
from opgen.dialect.timing import Timeline, copy_cycles, launch_cycles, vector_cycles
from opgen.facts import costs

PARAMETERS = 'x: T.Tensor((8192,), "float32"), z: T.Tensor((8192,), "float32")'
BUFFERS = 'a = T.alloc_ub((2, 1024), "float32")\nb = T.alloc_ub((2, 1024), "float32")\n'
PLAIN = "{KEY.TL_ASCEND_AUTO_CV_COMBINE: True}"
WAITING = (
    BUFFERS
    + """
for i in T.serial(4):
    at = (vid * 4 + i) * 1024
    T.copy(x[at : at + 1024], a[0, :])
    T.barrier_all()
    T.tile.exp(b[0, :], a[0, :])
    T.barrier_all()
    T.copy(b[0, :], z[at : at + 1024])
    T.barrier_all()
"""
)
OVERLAPPED = (
    BUFFERS
    + """
for k in T.serial(2):
    T.set_flag("v", "mte2", 2 + k)
    T.set_flag("mte3", "v", 2 + k)
for i in T.serial(4):
    at = (vid * 4 + i) * 1024
    T.wait_flag("v", "mte2", 2 + i % 2)
    T.copy(x[at : at + 1024], a[i % 2, :])
    T.set_flag("mte2", "v", 2 + i % 2)
    T.wait_flag("mte2", "v", 2 + i % 2)
    T.wait_flag("mte3", "v", 2 + i % 2)
    T.tile.exp(b[i % 2, :], a[i % 2, :])
    T.set_flag("v", "mte2", 2 + i % 2)
    T.set_flag("v", "mte3", 2 + i % 2)
    T.wait_flag("v", "mte3", 2 + i % 2)
    T.copy(b[i % 2, :], z[at : at + 1024])
    T.set_flag("mte3", "v", 2 + i % 2)
for k in T.serial(2):
    T.wait_flag("v", "mte2", 2 + k)
    T.wait_flag("mte3", "v", 2 + k)
"""
)


def timed(folder: Path, body: str, configs: str = PLAIN) -> KernelReport:
    report = checked_text(folder, kernel(body, PARAMETERS, configs=configs, out="[1]"))
    assert report.ok, report.findings
    return report.kernels[0]


def test_barriers_add_up_and_flags_overlap(tmp_path: Path) -> None:
    waiting, overlapped = timed(tmp_path, WAITING), timed(tmp_path, OVERLAPPED)
    np.testing.assert_array_equal(waiting.outputs["z"], overlapped.outputs["z"])
    counts, better = waiting.counters, overlapped.counters
    assert counts.hidden == 0
    # Four times a load, an exponential and a store, one after the other, and nothing beside.
    tile = 2 * (copy_cycles(1, 4096, 1, False) + costs.COPY_LATENCY) + vector_cycles("exp", 4096)
    issued = 3 * (costs.ISSUE + costs.BARRIER_ALL)  # barriers are handed out while their pipes still work
    assert counts.cycles == pytest.approx(costs.BLOCK_START + 4 * (tile + issued))
    assert better.cycles < 0.7 * counts.cycles
    assert 0 < better.hidden <= better.copying < counts.copying + 1


def test_where_the_compiler_synchronises_nothing_is_said(tmp_path: Path) -> None:
    body = WAITING.replace("    T.barrier_all()\n", "")
    counters = timed(tmp_path, body, "AUTO").counters
    assert (counters.cycles, counters.copying, counters.hidden) == (0, 0, 0)


def test_pipes_run_side_by_side_until_one_waits() -> None:
    time = Timeline()
    time.run(MTE2, 100, 300)
    time.run(V, 50)
    assert time.finished == 100 + costs.ISSUE + 300
    assert time.hidden() == (100, 50)
    time.wait(V, time.reached(MTE2))
    time.run(V, 10)
    assert time.reached(V) == 412
    time.run(S, 1000)
    assert time.reached(MTE3) == time.issued == 1006


def test_blocks_start_on_the_core_that_is_free() -> None:
    start = costs.BLOCK_START
    assert launch_cycles({0: 10.0, 1: 30.0, 2: 5.0}, 2) == start + 10 + start + 5
    assert launch_cycles({0: 10.0, 1: 30.0, 2: 5.0}, 3) == start + 30
    assert launch_cycles({}, 24) == 0


def test_rows_of_copies_fill_whole_units() -> None:
    assert copy_cycles(4, 8, 1, False) == copy_cycles(4, costs.GM_UNIT, 1, False)
    assert copy_cycles(1, 8, 1, False) < copy_cycles(1, costs.GM_UNIT, 1, False)
    assert copy_cycles(1, 4096, 24, True) == pytest.approx(costs.COPY_START + 4096 * 24 / costs.GM_BYTES_PER_CYCLE)
    assert vector_cycles("add", 257) == costs.VECTOR_START + 2
