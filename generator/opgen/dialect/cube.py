"""Matrix products of the cube core."""

from __future__ import annotations

from typing import Any

import numpy as np

from opgen.dialect.buffers import Array, Buffer
from opgen.dialect.indexing import Region, number
from opgen.dialect.machine import Abandon, Core
from opgen.dialect.operands import RANGED, place
from opgen.dialect.order import FIX, MTE1, MTE2, PIPES, M
from opgen.dialect.timing import product_cycles, staging_cycles
from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES, CUBE_ROWS, GEMM_EVENTS, GEMM_K_STEP, MATMUL_DTYPES


class Matrix:
    """A matrix in L1, L0A, L0B or L0C: the last two axes of a buffer or of a slice of it."""

    def __init__(self, core: Core, value: Any, memories: tuple[str, ...], what: str) -> None:
        owner = value.owner if isinstance(value, Region) else value
        if not isinstance(owner, Buffer) or len(owner.shape) < 2:
            core.report("OPG743", f"{what} takes matrices on chip")
            raise Abandon
        place(core, owner, memories, what)
        if isinstance(value, Region) and value.ranged:
            core.report("OPG743", f"{what}: {value.shown} has bounds", why=RANGED, fix="use a buffer of its own size")
            raise Abandon
        self.buffer = owner
        self.starts = value.starts if isinstance(value, Region) else (0,) * len(owner.shape)
        extents = value.extents if isinstance(value, Region) else owner.shape
        if any(extent != 1 for extent in extents[:-2]):
            core.report("OPG743", f"{what}: {owner.name} has {len(extents)} axes; matrices are the last two")
            raise Abandon
        self.rows, self.columns = extents[-2:]
        self.what = what

    @property
    def dtype(self) -> str:
        return self.buffer.dtype

    def _lows(self) -> list[int]:
        lead = self.starts[:-2]
        return [self.buffer.flat((*lead, self.starts[-2] + i, self.starts[-1])) for i in range(self.rows)]

    def read(self, core: Core, pipe: int, step: int) -> Array | None:
        if self.columns == self.buffer.shape[-1]:
            low, count = self._lows()[0], self.rows * self.columns
            data = self.buffer.read(core, pipe, step, low, count, self.what)
            return None if data is None else data.reshape(self.rows, self.columns)
        rows = [self.buffer.read(core, pipe, step, low, self.columns, self.what) for low in self._lows()]
        return None if any(row is None for row in rows) else np.stack([row for row in rows if row is not None])

    def write(self, core: Core, pipe: int, step: int, values: Array) -> None:
        for low, row in zip(self._lows(), values, strict=True):
            data = self.buffer.write(core, pipe, step, low, self.columns, self.what)
            if data is not None:
                data[:] = row


def gemm(core: Core, a: Any, b: Any, c: Any, transpose_a: bool, transpose_b: bool, init: Any) -> None:
    what = "T.gemm_v0"
    if not core.does(True, what):
        return
    left, right, sums = (
        Matrix(core, a, ("L1",), what),
        Matrix(core, b, ("L1",), what),
        Matrix(core, c, ("L0C",), what),
    )
    m, k = (left.columns, left.rows) if transpose_a else (left.rows, left.columns)
    k_b, n = (right.columns, right.rows) if transpose_b else (right.rows, right.columns)
    _check(core, what, left, right, sums, (m, k), (k_b, n))
    _check_sizes(core, what, m, n, k, left.dtype)
    for source, target, event in GEMM_EVENTS:
        core.inner_flag(PIPES.index(source), PIPES.index(target), event)
    order = core.order
    order.follow(MTE1, MTE2)
    step = order.issue(MTE1)
    x, y = left.read(core, MTE1, step), right.read(core, MTE1, step)
    for memory, one in (("L0A", left), ("L0B", right)):
        order.time.run(MTE1, staging_cycles(memory, one.rows * one.columns * DTYPES[one.dtype].size))
    order.follow(M, MTE1)
    order.follow(M, FIX)
    _multiply(
        core,
        x.T if transpose_a and x is not None else x,
        y.T if transpose_b and y is not None else y,
        sums,
        init,
        left.dtype,
    )
    order.follow(MTE1, M)
    order.follow(MTE2, MTE1)
    order.follow(FIX, M)


def mma(core: Core, a: Any, b: Any, c: Any, init: Any) -> None:
    what = "T.mma"
    if not core.does(True, what):
        return
    left, right, sums = (
        Matrix(core, a, ("L0A",), what),
        Matrix(core, b, ("L0B",), what),
        Matrix(core, c, ("L0C",), what),
    )
    shapes = (left.rows, left.columns), (right.rows, right.columns)
    _check(core, what, left, right, sums, *shapes)
    step = core.order.issue(M)
    _multiply(core, left.read(core, M, step), right.read(core, M, step), sums, init, left.dtype)


def _multiply(core: Core, x: Array | None, y: Array | None, sums: Matrix, init: Any, dtype: str) -> None:
    """dtype: of the factors."""
    step = core.order.issue(M)
    fresh = bool(number(init))
    old = None if fresh else sums.read(core, M, step)
    if x is None or y is None or (old is None and not fresh):
        return
    work = x.shape[0] * x.shape[1] * y.shape[1]
    core.launch.counters.multiply_adds += work
    core.order.time.run(M, product_cycles(dtype, work))
    wide = np.float32 if DTYPES[sums.dtype].kind == "float" else np.int32
    with np.errstate(all="ignore"):
        product = x.astype(wide) @ y.astype(wide)
        sums.write(core, M, step, product if old is None else old + product)


def _check(
    core: Core, what: str, left: Matrix, right: Matrix, sums: Matrix, a: tuple[int, int], b: tuple[int, int]
) -> None:
    if (left.dtype, sums.dtype) not in MATMUL_DTYPES or left.dtype != right.dtype:
        core.report(
            "OPG740",
            f"{what} of {left.dtype} and {right.dtype} to {sums.dtype}",
            why="The cube core has " + ", ".join(f"{x} x {x} to {y}" for x, y in MATMUL_DTYPES) + ".",
        )
        raise Abandon
    if a[1] != b[0] or (sums.rows, sums.columns) != (a[0], b[1]):
        core.report("OPG743", f"{what} of {a[0]} x {a[1]} and {b[0]} x {b[1]} to {sums.rows} x {sums.columns}")
        raise Abandon


def _check_sizes(core: Core, what: str, m: int, n: int, k: int, dtype: str) -> None:
    item = DTYPES[dtype].size
    platform = core.launch.settings.platform
    if m % CUBE_ROWS or n % CUBE_ROWS or k * item % BLOCK_BYTES:
        core.report(
            "OPG714",
            f"{what} of {m} x {k} and {k} x {n}",
            why=f"Rows and columns are multiples of 16, and the axis in between of {BLOCK_BYTES // item} for {dtype}.",
        )
    depth, halves = (k, 1) if k <= GEMM_K_STEP else (GEMM_K_STEP, 2)
    for side, size, limit in ((m, "A", platform.l0a), (n, "B", platform.l0b)):
        used = halves * side * depth * item
        if used > limit:
            core.report(
                "OPG710",
                f"{what} needs {used} bytes of L0{size}, there are {limit}",
                why="gemm_v0 holds tiles of A in L0A and tiles of B in L0B, two of each when K is more than 128.",
                fix="use smaller tiles",
            )
