"""Arguments of vector operations: which elements they are, and what holds for all of them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from opgen.dialect.buffers import Buffer
from opgen.dialect.global_memory import Tensor
from opgen.dialect.indexing import Element, Indexed, Region
from opgen.dialect.machine import Abandon, Core

RANGED = (
    "Operations of T.tile and reductions take whole buffers, single indices and `:`; the compiler refuses other slices."
)


class Operand(NamedTuple):
    """count elements of a buffer from start on. shape: as it was written."""

    buffer: Buffer
    start: int
    size: int
    shape: tuple[int, ...]

    @property
    def dtype(self) -> str:
        return self.buffer.dtype

    @property
    def bytes(self) -> int:
        return self.size * self.buffer.item

    def overlaps(self, other: Operand) -> bool:
        mine, theirs = self.buffer, other.buffer
        same = mine.spans is theirs.spans
        return same and self.start < other.start + other.size and other.start < self.start + self.size


def operand(core: Core, value: Any, what: str, memories: tuple[str, ...] = ("UB",)) -> Operand:
    """A buffer, or a slice of one that lies in one piece."""
    if isinstance(value, Region):
        owner = value.owner
        starts, shape = value.starts, value.extents
        if value.ranged:
            core.report("OPG743", f"{what}: {value.shown} has bounds", why=RANGED, fix="use a buffer of its own size")
            raise Abandon
    elif isinstance(value, Indexed):
        owner, starts, shape = value, (0,) * len(value.shape), value.shape
    else:
        shown = "a single element" if isinstance(value, Element) else f"{value!r}"
        core.report("OPG743", f"{what} takes a buffer here, not {shown}")
        raise Abandon
    if isinstance(owner, Tensor) or not isinstance(owner, Buffer):
        core.report(
            "OPG744",
            f"{what}: {owner.name} lies in global memory",
            why="Vector operations work on UB only.",
            fix="copy it to a buffer first",
        )
        raise Abandon
    place(core, owner, memories, what)
    inner = 0
    for axis, (extent, full) in enumerate(zip(shape, owner.shape, strict=True)):
        if extent != full:
            inner = axis + 1
    if any(extent > 1 for extent in shape[: max(0, inner - 1)]):
        core.report("OPG743", f"{what}: the slice of {owner.name} is not in one piece", why=RANGED)
        raise Abandon
    return Operand(owner, owner.flat(starts), math.prod(shape), shape)


def place(core: Core, buffer: Buffer, memories: tuple[str, ...], what: str) -> None:
    """Memories that an operation reaches."""
    if buffer.memory not in memories:
        core.report(
            "OPG744",
            f"{what}: {buffer.name} lies in {buffer.memory}",
            why=f"It works on {' and '.join(memories)} only.",
            fix="copy it there first",
        )
        raise Abandon
