"""Tensors in global memory, which all cores share: clipping, races between cores, order within one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opgen.dialect.indexing import Indexed, held
from opgen.dialect.machine import Core, here, shown_pipe
from opgen.dialect.order import S
from opgen.dialect.places import Spot, caller
from opgen.dialect.spans import Spans

Array = NDArray[Any]


class Use:
    """The last write of a piece of a tensor, and who read it since."""

    __slots__ = ("atomic", "core", "pipe", "reads", "spot", "step")

    def __init__(self, core: Core | None, pipe: int, step: int, spot: Spot | None, atomic: bool = False) -> None:
        self.core = core
        self.pipe = pipe
        self.step = step
        self.spot = spot
        self.atomic = atomic
        self.reads: dict[Core, tuple[int, int, Spot]] = {}

    def copy(self) -> Use:
        other = Use(self.core, self.pipe, self.step, self.spot, self.atomic)
        other.reads = dict(self.reads)
        return other


class Tensor(Indexed):
    """data: its elements, row-major. written: which of them the kernel stored to. symbols: of each axis, the symbol
    that it is, or ""."""

    def __init__(self, name: str, shape: tuple[Any, ...], dtype: object, spot: Spot, symbols: tuple[str, ...]) -> None:
        super().__init__(dtype, shape)
        self._name = name
        self.spot = spot
        self.symbols = symbols
        self.data: Array = np.zeros(self.size, held(self.dtype))
        self.written: NDArray[np.bool_] = np.zeros(self.size, np.bool_)
        self.was_read = False
        self.stored = False
        self.spans: Spans[Use] = Spans(max(1, self.size), Use(None, 0, 0, None))

    @property
    def name(self) -> str:
        return self._name

    def settle(self) -> None:
        """All cores have met: whatever was done is done."""
        self.spans = Spans(max(1, self.size), Use(None, 0, 0, None))

    def runs(self, starts: tuple[int, ...], extents: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """(first element, elements) of each contiguous run of a box, which lies inside."""
        axis = len(extents)
        run = 1
        while axis > 0:
            axis -= 1
            run *= extents[axis]
            if extents[axis] != self.shape[axis]:
                break
        outer = extents[:axis]
        base = self.flat(starts)
        strides = [1] * len(self.shape)
        for i in range(len(self.shape) - 2, -1, -1):
            strides[i] = strides[i + 1] * self.shape[i + 1]
        for index in np.ndindex(*outer):
            yield base + sum(i * s for i, s in zip(index, strides, strict=False)), run

    # ---- accesses ----

    def read(self, core: Core, pipe: int, step: int, low: int, count: int, what: str) -> Array:
        self.was_read = True
        for piece in self.spans.over(low, low + count):
            use = piece.state
            if use.core is not None and not self._ordered(core, pipe, use.core, use.pipe, use.step):
                self._report_read(core, use, what, piece.low)
            use.reads[core] = (pipe, step, core.spot)
        return self.data[low : low + count]

    def write(self, core: Core, pipe: int, step: int, low: int, values: Array, what: str, atomic: bool = False) -> None:
        high = low + len(values)
        self.stored = True
        for piece in self.spans.over(low, high):
            use = piece.state
            other = use.core
            new = values[piece.low - low : piece.high - low]
            both_add = atomic and use.atomic
            if other is not None and not both_add and not self._ordered(core, pipe, other, use.pipe, use.step):
                if other is core:
                    self._hazard(core, pipe, use.pipe, use.spot, what, "overwrites", "writes")
                elif atomic or not _equal(self.data[piece.low : piece.high], new):
                    self._report_write(core, other, use.spot, what, piece.low)
            for reader, (reader_pipe, seen, spot) in use.reads.items():
                if self._ordered(core, pipe, reader, reader_pipe, seen):
                    continue
                if reader is core:
                    if reader_pipe != S:
                        self._hazard(core, pipe, reader_pipe, spot, what, "overwrites", "reads")
                elif not atomic and not _equal(self.data[piece.low : piece.high], new):
                    self._report_overwrite(core, reader, spot, what, piece.low)
        self.spans.replace(low, high, Use(core, pipe, step, core.spot, atomic))
        if atomic:
            with np.errstate(all="ignore"):
                self.data[low:high] += values
        else:
            self.data[low:high] = values
        self.written[low:high] = True

    @staticmethod
    def _ordered(core: Core, pipe: int, other: Core, other_pipe: int, step: int) -> bool:
        """Whether an access of `other` is finished when `core` begins one on `pipe` now."""
        if other is core:
            return core.launch.settings.auto_sync or core.order.done(pipe, other_pipe, step) or pipe == other_pipe
        if other.block != core.block:
            return False
        clock = core.heard.get(other.sub)
        return clock is not None and clock[other_pipe] >= step

    # ---- elements, by the scalar unit ----

    def load(self, index: tuple[int, ...]) -> Any:
        core = here()
        core.launch.counters.scalar_accesses += 1
        core.spot = caller()
        if not self._in(index):
            return held(self.dtype).type(0)
        return self.read(core, S, core.order.issue(S), self.flat(index), 1, "an element access")[0]

    def store(self, index: tuple[int, ...], value: Any) -> None:
        core = here()
        core.launch.counters.scalar_accesses += 1
        core.spot = caller()
        if self._in(index):
            values = np.array([value]).astype(self.data.dtype)
            self.write(core, S, core.order.issue(S), self.flat(index), values, "an element access")

    def _in(self, index: tuple[int, ...]) -> bool:
        inside = all(0 <= one < axis for one, axis in zip(index, self.shape, strict=True))
        if not inside:
            here().report(
                "OPG731",
                f"{self.name}[{', '.join(map(str, index))}] does not exist: its shape is {self.shape}",
                why="Accesses to single elements are not clipped.",
            )
        return inside

    # ---- findings ----

    def _hazard(self, core: Core, pipe: int, other: int, spot: Spot | None, what: str, verb: str, others: str) -> None:
        core.report(
            "OPG720",
            f"{what} on {shown_pipe(pipe)} {verb} part of {self.name} in global memory while {shown_pipe(other)} "
            f"still {others} it{_line(spot)}",
            why="Pipes run side by side; only flags and barriers order them.",
            fix="let the one wait for the other with T.set_flag and T.wait_flag",
        )

    def _report_read(self, core: Core, use: Use, what: str, element: int) -> None:
        if use.core is core:
            self._hazard(core, S, use.pipe, use.spot, what, "reads", "writes")
            return
        assert use.core is not None
        core.report(
            "OPG725",
            f"{what} reads elements of {self.name} that another core stores{_line(use.spot)}",
            f", as element {element} by {use.core.where}",
            why="Cores run at any time and in any order; nothing makes the one wait for the other.",
            fix="let cores meet with T.sync_all() or cross-core flags in between, or read only what is their own",
        )

    def _report_write(self, core: Core, other: Core, spot: Spot | None, what: str, element: int) -> None:
        core.report(
            "OPG725",
            f"{what} stores to elements of {self.name} to which another core stores other values{_line(spot)}",
            f", as element {element} by {other.where}",
            why="Cores run at any time and in any order: which value stays is chance.",
            fix="give every (cid, vid) elements of its own; both vector cores of a block run the same code, so vid has "
            "to be part of the index",
        )

    def _report_overwrite(self, core: Core, reader: Core, spot: Spot, what: str, element: int) -> None:
        core.report(
            "OPG725",
            f"{what} stores to elements of {self.name} that another core reads{_line(spot)}",
            f", as element {element} by {reader.where}",
            why="Cores run at any time and in any order: the other core may find the old value or the new one.",
            fix="let every core change only what no other core reads, or let them meet in between",
        )


def _equal(old: Array, new: Array) -> bool:
    if old.dtype.kind == "f":
        return bool(np.array_equal(old, new, equal_nan=True))
    return bool(np.array_equal(old, new))


def _line(spot: Spot | None) -> str:
    return f" (line {spot.line})" if spot is not None else ""
