"""Tiles in the Unified Buffer: their types, their places, rings of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from opgen.dialect.order import MTE2, SHOWN
from opgen.dialect.places import Spot, caller
from opgen.dialect.pypto.elements import decoded, encoded, stored
from opgen.dialect.pypto.run_time import constant
from opgen.dialect.pypto.words import DataType, MemorySpace, TensorLayout, TilePad
from opgen.dialect.pypto.worker import FrontEndError, Worker, here, integer, shown
from opgen.dialect.report import Array
from opgen.facts.pypto import ALIGNMENT

Shape = tuple[int, int]


class TileType:
    """pl.TileType(shape, dtype, ...): what a tile is like. It takes no memory."""

    def __init__(
        self,
        shape: Any,
        dtype: Any,
        target_memory: Any = MemorySpace.Vec,
        valid_shape: Any = None,
        layout: Any = None,
        fractal: Any = None,
        pad: Any = None,
        compact: Any = None,
    ) -> None:
        if not isinstance(shape, (list, tuple)) or len(shape) != 2 or not all(map(_positive, shape)):
            raise FrontEndError(
                f"the shape of a tile is {shown(shape)}",
                "A tile has two axes whose sizes are compile-time constants above 0.",
                "write two literal numbers, or constants of the module",
            )
        if not isinstance(dtype, DataType):
            raise FrontEndError(f"the dtype of a tile is {shown(dtype)}", fix="write pl.DT_FP32 and the like")
        self.shape: Shape = (int(shape[0]), int(shape[1]))
        self.dtype = dtype
        self.memory = target_memory
        self.columns_first = layout is TensorLayout.DN
        self.layout = layout
        self.pad = TilePad(pad) if isinstance(pad, int) else pad
        self.valid = None if valid_shape is None else tuple(None if v == -1 else int(v) for v in valid_shape)
        self.spot = caller()

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * self.dtype.size

    @property
    def line_bytes(self) -> int:
        """Bytes of what lies together: a row, or a column where the layout is DN."""
        return self.shape[0 if self.columns_first else 1] * self.dtype.size


Rectangle = tuple[int, int, int, int]  # rows from, to, columns from, to


class Use:
    """The last access of a kind to a slot."""

    __slots__ = ("pipe", "spot", "step")

    def __init__(self, pipe: int, step: int, spot: Spot) -> None:
        self.pipe, self.step, self.spot = pipe, step, spot


class Slot:
    """The bytes of a tile. neighbours: slots that share bytes with it. loaded: loads that nothing has read yet, and
    what they filled. mask: what a comparison put there, as (rows, columns)."""

    def __init__(self, low: int, high: int, owner: str, mutexes: tuple[int, ...], ring: int) -> None:
        self.low, self.high, self.owner, self.mutexes, self.ring = low, high, owner, mutexes, ring
        self.write: Use | None = None
        self.reads: dict[int, Use] = {}
        self.loaded: list[tuple[Use, Rectangle]] = []
        self.mask: Shape | None = None
        self.neighbours: list[Slot] = []

    def over(self) -> Iterator[Slot]:
        yield self
        yield from self.neighbours


class Tile:
    """A tile at its place, or a part of one. corner: its first row and column in the slot. shape: rows, columns."""

    def __init__(self, type: TileType, slot: Slot, name: str) -> None:
        self.type = type
        self.slot = slot
        self.name = name
        self.corner: Shape = (0, 0)
        self.shape: Shape = type.shape
        fixed = type.valid or (None, None)
        self.valid: Shape = tuple(  # type: ignore[assignment]
            full if given is None else given for given, full in zip(fixed, type.shape, strict=True)
        )

    @property
    def mutexes(self) -> tuple[int, ...]:
        return self.slot.mutexes

    @property
    def dtype(self) -> str:
        """What opgen calls its element type."""
        return self.type.dtype.name

    @property
    def _first(self) -> int:
        """The address of its first element."""
        return self.slot.low + sum(at * step for at, step in zip(self.corner, self._steps(), strict=True))

    @property
    def rectangle(self) -> Rectangle:
        """Its valid part, within the slot."""
        (row, column), (rows, columns) = self.corner, self.valid
        return row, row + rows, column, column + columns

    def part(self, rows: slice, columns: slice) -> Tile:
        """tile[0:1, 64:]: a part of it, which has a valid shape of its own."""
        spans = []
        for cut, size in zip((rows, columns), self.shape, strict=True):
            start = 0 if cut.start is None else integer(cut.start, "the begin of a slice")
            stop = size if cut.stop is None else integer(cut.stop, "the end of a slice")
            if cut.step is not None or not 0 <= start < stop <= size:
                raise FrontEndError(f"{self.name} of shape {list(self.shape)} is sliced from {start} to {stop}")
            spans.append((start, stop))
        tile = Tile(self.type, self.slot, self.name)
        tile.corner = (self.corner[0] + spans[0][0], self.corner[1] + spans[1][0])
        tile.shape = tile.valid = (spans[0][1] - spans[0][0], spans[1][1] - spans[1][0])
        if tile._first % ALIGNMENT:
            here().report(
                "OPG832",
                f"a part of {self.name} begins at {tile._first:#x}",
                why="The chip addresses the Unified Buffer in blocks of 32 bytes.",
                fix="begin at a multiple of 32 bytes",
            )
        return tile

    # ---- elements ----

    def bits(self, shape: Shape | None = None) -> Array:
        """The elements as they are stored, to read and to write. shape: the valid one when it is left out."""
        memory: Any = here().memory
        part: Array = np.ndarray(shape or self.valid, stored(self.dtype), memory, self._first, self._steps())
        return part

    def known(self, shape: Shape | None = None) -> Array:
        """Which elements were written to; to read and to write, a bool for each byte of each element."""
        ready: Any = here().ready
        item = self.type.dtype.size
        part: Array = np.ndarray((*(shape or self.valid), item), np.bool_, ready, self._first, (*self._steps(), 1))
        return part

    def _steps(self) -> Shape:
        """Bytes from one row, and from one column, to the next."""
        item = self.type.dtype.size
        rows, columns = self.type.shape
        return (item, rows * item) if self.type.columns_first else (columns * item, item)

    # ---- accesses ----

    def read(self, worker: Worker, pipe: int, step: int, what: str) -> Array:
        """The valid elements as numbers, checked."""
        self.touch(worker, pipe, step, what, False)
        if not self.known().all():
            self._uninitialised(worker, what)
            self.known()[...] = True
        return decoded(self.bits(), self.dtype)

    def write(self, worker: Worker, pipe: int, step: int, values: Array, what: str) -> None:
        """values: numbers in the tile's type, of its valid shape."""
        self.touch(worker, pipe, step, what, True)
        self.bits()[...] = encoded(values, self.dtype)
        self.known()[...] = True

    def touch(self, worker: Worker, pipe: int, step: int, what: str, writes: bool) -> None:
        """An access by a pipe: it must come after those that it depends on."""
        mine = self.slot
        use = Use(pipe, step, worker.spot)
        for slot in mine.over():
            if slot.write is not None and not worker.order.done(pipe, slot.write.pipe, slot.write.step):
                self._unordered(worker, pipe, slot, slot.write, what, "overwrites" if writes else "reads", "writes")
            if writes:
                for other in slot.reads.values():
                    if other.pipe != pipe and not worker.order.done(pipe, other.pipe, other.step):
                        self._unordered(worker, pipe, slot, other, what, "overwrites", "reads")
                if slot is not mine and slot.write is not None:
                    slot.mask = None
        if writes:
            mine.write, mine.reads, mine.mask = use, {}, None
            if pipe != MTE2:
                mine.loaded = []
        else:
            mine.reads[pipe] = use
            for slot in mine.over():
                if (slot.low, slot.high) == (mine.low, mine.high):
                    slot.loaded = []

    def load_over(self, worker: Worker, step: int) -> None:
        """A load into the slot begins."""
        for old, filled in [one for slot in self.slot.over() for one in slot.loaded]:
            if old.step > worker.fence and _meet(filled, self.rectangle):
                worker.report(
                    "OPG838",
                    f"pl.load fills {self.name} again (line {old.spot.line} filled it) and nothing has read it in "
                    "between",
                    why="auto_mutex orders different pipes. Two loads run on one pipe, MTE2, which may still write the "
                    "first when the second begins.",
                    fix="put pl.system.bar_mte2() between them, or leave out the first",
                )

    def _uninitialised(self, worker: Worker, what: str) -> None:
        known = self.known().all(axis=-1)
        at = np.unravel_index(int(np.argmin(known)), known.shape)
        missing = int(known.size - known.sum())
        worker.report(
            "OPG837",
            f"{what} reads {self.name} where nothing was written to it",
            f": {missing} of {known.size} elements, [{at[0]}, {at[1]}] is the first",
            why="On-chip memory holds what the last kernel left.",
            fix="write to it first, in a valid shape that is as large",
        )

    def _unordered(self, worker: Worker, pipe: int, slot: Slot, use: Use, what: str, verb: str, others: str) -> None:
        through = "" if slot is self.slot else f" through {slot.owner}, which shares its bytes,"
        auto = worker.launch.auto_mutex
        why = "Pipes run side by side; a mutex that both tiles carry, or flags, order them."
        if auto and not (self.mutexes and slot.mutexes):
            why = "auto_mutex orders the pipes that touch tiles of a ring with mutex_ids; this one has none."
        worker.report(
            "OPG838",
            f"{what} on {SHOWN[pipe]} {verb} {self.name} while {SHOWN[use.pipe]} still {others} it{through} "
            f"(line {use.spot.line})",
            why=why,
            fix="use pl.make_tile_group with mutex_ids under auto_mutex=True, or pl.system.sync_src and sync_dst"
            if not auto or not self.mutexes
            else "give the tiles separate addresses",
        )

    # ---- single elements ----

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, tuple) and any(isinstance(one, slice) for one in index):
            if len(index) != 2 or not all(isinstance(one, slice) for one in index):
                raise FrontEndError(f"a part of {self.name} takes two slices", fix="write tile[0:1, 64:128]")
            return self.part(*index)
        from opgen.dialect.pypto.scalars import tile_element

        return tile_element(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        from opgen.dialect.pypto.scalars import set_tile_element

        set_tile_element(self, index, value)


def _positive(value: Any) -> bool:
    return constant(value) and value > 0


def _meet(first: Rectangle, second: Rectangle) -> bool:
    return first[0] < second[1] and second[0] < first[1] and first[2] < second[3] and second[2] < first[3]
