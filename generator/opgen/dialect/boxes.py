"""Boxes of elements that copies move: how the two sides fit, what lies inside, how rows lie in a buffer."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from opgen.dialect.buffers import Buffer
from opgen.dialect.global_memory import Tensor
from opgen.dialect.indexing import Element, Indexed, Region
from opgen.dialect.machine import Abandon, Core
from opgen.facts.operations import BLOCK_BYTES, COPY_ROW_BYTES, COPY_ROWS

CUBE_MEMORIES = ("L1", "L0A", "L0B", "L0C")


class Box(NamedTuple):
    """A box of elements."""

    owner: Indexed
    starts: tuple[int, ...]
    extents: tuple[int, ...]

    @property
    def rows(self) -> int:
        return math.prod(self.extents[:-1])

    @property
    def row_bytes(self) -> int:
        return self.extents[-1] * self.owner.item


def boxes(core: Core, source: Any, target: Any, what: str, transpose: bool) -> tuple[Box, Box] | None:
    """Both sides with their extents; a single element takes those of the other side."""
    sides = (source, target)
    extents = [None if isinstance(side, Element) else side.shape for side in sides if _known(core, side, what)]
    if extents[0] is None and extents[1] is None:
        core.report("OPG743", f"{what} cannot tell how much to copy: both sides are single elements")
        return None
    if isinstance(source, Indexed) and isinstance(target, Indexed) and source.shape != target.shape and not transpose:
        core.report(
            "OPG743",
            f"{what} between {source.name} of shape {source.shape} and {target.name} of shape {target.shape}",
            why="Whole buffers are copied only between equal shapes.",
            fix="write the slice on one side",
        )
        return None
    cube = any(isinstance(owner, Buffer) and owner.memory in CUBE_MEMORIES for owner in map(_owner, sides))
    first, second = (_box(core, side, extents[1 - i], what, cube) for i, side in enumerate(sides))
    if first is None or second is None:
        return None
    if transpose:
        same = first.extents[-2:] == second.extents[-2:][::-1] and first.rows * first.extents[-1] == math.prod(
            second.extents
        )
    else:
        pairs = _pairs(first.extents, second.extents, cube)
        same = pairs is not None and (
            all(first.extents[i] == second.extents[j] for i, j in pairs) or _fits_in(first, second, pairs)
        )
    if not same:
        core.report(
            "OPG743",
            f"{what} of {_shown(first)} to {_shown(second)}: the shapes differ",
            why="Extents come from slices; a single element takes those of the other side, from the last axis on.",
            fix="write slices of equal shapes",
        )
        return None
    if not _inside(core, first, what) or not _inside(core, second, what):
        return None
    return first, second


def _known(core: Core, side: Any, what: str) -> bool:
    if isinstance(side, (Element, Region, Indexed)):
        return True
    core.report("OPG743", f"{what} takes buffers, slices and elements, not {side!r}")
    raise Abandon


def _box(core: Core, side: Any, other: tuple[int, ...] | None, what: str, one_row: bool) -> Box | None:
    """one_row: a side with fewer axes is one row of the other, as it is between global memory and the cube core."""
    if isinstance(side, Indexed):
        return Box(side, (0,) * len(side.shape), side.shape)
    if isinstance(side, Region):
        return Box(side.owner, side.starts, side.extents)
    assert other is not None
    axes = len(side.index)
    extents = (1,) * max(0, axes - len(other)) + tuple(other)[-axes:]
    dropped = tuple(other)[: max(0, len(other) - axes)]
    if any(extent != 1 for extent in dropped) and not one_row:
        core.report(
            "OPG743",
            f"{what}: {side.owner.name} has {axes} axes and the other side has {len(other)} with more than one element",
            why="A single element takes the extents of the other side from the last axis on; the others are lost.",
        )
        return None
    return Box(side.owner, side.index, extents)


def _owner(side: Any) -> Indexed:
    owner: Indexed = side if isinstance(side, Indexed) else side.owner
    return owner


def _pairs(first: tuple[int, ...], second: tuple[int, ...], one_row: bool) -> list[tuple[int, int]] | None:
    """Which axis is which. The longer shape leaves out axes of one element, the leading ones first; with one_row any
    leading ones. Those of one element may stand in different places."""
    if len(first) < len(second):
        swapped = _pairs(second, first, one_row)
        return None if swapped is None else [(j, i) for i, j in swapped]
    extra = len(first) - len(second)
    kept = []
    for axis, extent in enumerate(first):
        if extra and extent == 1:
            extra -= 1
        else:
            kept.append(axis)
    if extra and one_row:
        kept = list(range(len(first)))[-len(second) :]
        extra = 0
    if extra:
        return None
    pairs = list(zip(kept, range(len(second)), strict=True))
    mine, theirs = ([n for n, size in enumerate(s[:-1]) if size != 1] for s in (first, second))
    apart = any((first[i] == 1) != (second[j] == 1) for i, j in pairs[:-1])
    if apart and len(mine) == len(theirs):
        return [*zip(mine, theirs, strict=True), (len(first) - 1, len(second) - 1)]
    return pairs


def _fits_in(first: Box, second: Box, pairs: list[tuple[int, int]]) -> bool:
    """A slice of global memory may be smaller than the tile that it is loaded to or stored from."""
    if isinstance(first.owner, Tensor) == isinstance(second.owner, Tensor):
        return False
    outside = isinstance(first.owner, Tensor)
    return all(
        first.extents[i] <= second.extents[j] if outside else second.extents[j] <= first.extents[i] for i, j in pairs
    )


def _shown(box: Box) -> str:
    return f"{box.owner.name} [{' x '.join(map(str, box.extents))}]"


def _inside(core: Core, box: Box, what: str) -> bool:
    """Starts are never negative; on chip the whole box lies inside. Global memory is clipped at its end."""
    for start, extent, axis in zip(box.starts, box.extents, box.owner.shape, strict=True):
        if start < 0:
            core.report(
                "OPG731",
                f"{what} begins before the start of {box.owner.name}",
                f", at index {start}",
                why="Copies are clipped at the end of a tensor only.",
                fix="keep the start from becoming negative",
            )
            return False
        if isinstance(box.owner, Buffer) and start + extent > axis:
            core.report(
                "OPG731",
                f"{what} goes past the end of {box.owner.name}",
                f": {start} + {extent} of {axis}",
                why="On chip nothing is clipped: the copy goes on in another buffer.",
            )
            return False
    return True


def clipped(core: Core, outside: Box, tile: Box) -> tuple[Box, Box]:
    """Both boxes, without what lies past the end of the tensor."""
    tensor = outside.owner
    assert isinstance(tensor, Tensor)
    extents = tuple(
        min(extent, max(0, axis - start))
        for start, extent, axis in zip(outside.starts, outside.extents, tensor.shape, strict=True)
    )
    for symbol, extent in zip(tensor.symbols, outside.extents, strict=True):
        if symbol:
            core.launch.extents[symbol] = max(extent, core.launch.extents.get(symbol, 1))
    pairs = dict(_pairs(outside.extents, tile.extents, True) or ())
    inner = [1 if axis not in pairs.values() else whole for axis, whole in enumerate(tile.extents)]
    for mine, theirs in pairs.items():
        inner[theirs] = extents[mine]
    if 0 in extents:
        inner = [0] * len(inner)
    return Box(tensor, outside.starts, extents), Box(tile.owner, tile.starts, tuple(inner))


# ---- rows of a buffer ----


def rows(box: Box) -> list[int]:
    """Where each row of a box begins in its buffer."""
    owner = box.owner
    return [
        owner.flat(tuple(s + i for s, i in zip(box.starts, (*index, 0), strict=True)))
        for index in np.ndindex(*box.extents[:-1])
    ]


def pitch(core: Core, tile: Box, what: str) -> None:
    """Rows in UB are apart what the DMA and the vector unit both take them to be."""
    owner = tile.owner
    if not owner.shape or tile.rows <= 1:
        return
    row = owner.shape[-1] * owner.item
    if row % BLOCK_BYTES:
        core.report(
            "OPG711",
            f"{what}: rows of {owner.name} take {row} bytes, which is no multiple of {BLOCK_BYTES}",
            why="The copy puts each row at the next multiple of 32 bytes, vector operations take the rows to be dense.",
            fix=f"allocate rows of {-(-row // BLOCK_BYTES) * BLOCK_BYTES // owner.item} elements; copies pad the rest",
        )
        return
    if isinstance(owner, Buffer) and -(-tile.row_bytes // BLOCK_BYTES) * BLOCK_BYTES != row:
        core.report(
            "OPG711",
            f"{what}: {tile.row_bytes} bytes of each row of {owner.name}, whose rows are {row} bytes apart",
            why="The compiler takes the slice for a tile of its own: the copy puts each row behind the one before, at "
            "the next multiple of 32 bytes.",
            fix="copy whole rows; what does not fit into the tensor is left out",
        )


def limits(core: Core, moved: Box, what: str) -> None:
    if moved.rows > COPY_ROWS:
        core.report("OPG714", f"{what} moves {moved.rows} rows at once", why=f"One copy has at most {COPY_ROWS} rows.")
    if moved.row_bytes > COPY_ROW_BYTES:
        core.report(
            "OPG714", f"{what} moves rows of {moved.row_bytes} bytes", why=f"A row has at most {COPY_ROW_BYTES} bytes."
        )


def same_type(core: Core, first: Indexed, second: Indexed, what: str) -> bool:
    if first.dtype == second.dtype:
        return True
    core.report(
        "OPG743",
        f"{what} from {first.name} of {first.dtype} to {second.name} of {second.dtype}",
        why="Only copies within UB and from L0C change the type.",
        fix="copy to a buffer of the same type, then T.tile.cast",
    )
    return False
