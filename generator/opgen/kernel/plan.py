"""The plan of a kernel: schedule, tile, on-chip memory. Read by the printer, the README, `opgen show` and tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from opgen.formula.signature import Variant
from opgen.kernel.memory import Layout
from opgen.kernel.passes import Pass
from opgen.kernel.rows_planner import RowBytes


@dataclass(frozen=True)
class Buffer:
    """An on-chip buffer. elements: of one slot. slots: 2 with double buffering. holds: which values, for comments.
    memory: UB, L1, L0A, L0B or L0C."""

    name: str
    dtype: str
    elements: int
    slots: int
    holds: str
    bytes: int  # of all slots
    memory: str = "UB"


@dataclass(frozen=True)
class VariantPlan:
    """One variant. tile: elements of a tile at most. scratch: bytes of the compiler's hidden tmp_ub. used: all bytes.

    layout: the vector program and where its values are, for the printer. rows, columns: of a tile of the rows schedule
    in the first test case, padding included; row_bytes: what they take. passes: over pieces of rows that do not fit on
    chip; a tile is a piece of some rows then. rows, columns, depth: of a tile of the matmul
    schedule and of a step along what is summed up.
    """

    variant: Variant
    tile: int
    slots: int
    buffers: tuple[Buffer, ...]
    scratch: int
    used: int
    vector_ops: int  # vector instructions of a tile
    layout: Layout = field(repr=False)
    rows: int = 0
    columns: int = 0
    row_bytes: RowBytes | None = None
    depth: int = 0
    passes: tuple[Pass, ...] = ()


@dataclass(frozen=True)
class KernelPlan:
    """schedule: "user" for a hand-written kernel, of which nothing else is known. budget: bytes of on-chip memory.
    max_elements: the most elements that the kernel's int32 indices reach, None for a hand-written kernel. granule: a
    tile, or a row of it in the rows schedule, is a multiple of so many elements. fixed: the tile is op.yaml's own, no
    upper limit. cores: AI cores used at most. recycled: outputs whose tiles take the place of an input's, each with
    that input. long: the variants for rows that do not fit on chip; the same as `variants` where
    all rows are taken in pieces.
    """

    schedule: Literal["elementwise", "rows", "matmul", "user"]
    variants: tuple[VariantPlan, ...]
    budget: int
    max_elements: int | None
    granule: int = 1
    fixed: bool = False
    cores: int = 0
    recycled: tuple[tuple[str, str], ...] = ()
    long: tuple[VariantPlan, ...] = ()
