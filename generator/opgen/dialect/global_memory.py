"""Tensors in global memory, which all cores share: clipping, races between cores, order within one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from opgen.dialect.indexing import Indexed, held
from opgen.dialect.machine import Core, here, shown_pipe
from opgen.dialect.order import MTE2, MTE3, S
from opgen.dialect.places import Spot, caller

Array = NDArray[Any]


Box = tuple[tuple[int, ...], tuple[int, ...]]  # starts and extents


class Use(NamedTuple):
    """An access to a box of a tensor."""

    core: Core
    pipe: int
    step: int
    spot: Spot
    box: Box
    atomic: bool = False


class Log:
    """Accesses since the cores met last, found by the box that they touch."""

    def __init__(self, axes: int) -> None:
        self.uses: list[Use] = []
        self.bounds = np.zeros((2, 16, axes), np.int64)

    def add(self, use: Use) -> None:
        number = len(self.uses)
        if number == self.bounds.shape[1]:
            self.bounds = np.concatenate([self.bounds, np.zeros_like(self.bounds)], 1)
        starts, extents = use.box
        self.bounds[0, number] = starts
        self.bounds[1, number] = [start + extent for start, extent in zip(starts, extents, strict=True)]
        self.uses.append(use)

    def over(self, box: Box) -> list[Use]:
        """Those that share an element with a box."""
        count = len(self.uses)
        if not count:
            return []
        starts = np.array(box[0])
        low, high = self.bounds[0, :count], self.bounds[1, :count]
        shared = ((low < starts + box[1]) & (high > starts)).all(1)
        return [self.uses[number] for number in np.flatnonzero(shared)]


class Tensor(Indexed):
    """data: its elements. written: which of them the kernel stored to. symbols: of each axis, the symbol that it is,
    or ""."""

    def __init__(self, name: str, shape: tuple[Any, ...], dtype: object, spot: Spot, symbols: tuple[str, ...]) -> None:
        super().__init__(dtype, shape)
        self._name = name
        self.spot = spot
        self.symbols = symbols
        self.data: Array = np.zeros(self.shape, held(self.dtype))
        self.written: NDArray[np.bool_] = np.zeros(self.shape, np.bool_)
        self.was_read = False
        self.stored = False
        self.settle()

    @property
    def name(self) -> str:
        return self._name

    def settle(self) -> None:
        """All cores have met: whatever was done is done."""
        self.reads = Log(len(self.shape))
        self.writes = Log(len(self.shape))

    # ---- accesses ----

    def read(self, core: Core, pipe: int, step: int, box: Box, what: str) -> Array:
        """The elements of a box, which lies inside."""
        self.was_read = True
        for use in self.writes.over(box):
            if not self._ordered(core, pipe, use):
                if use.core is core:
                    self._hazard(core, pipe, use, what, "reads", "writes")
                else:
                    self._report_read(core, use, what)
        self.reads.add(Use(core, pipe, step, core.spot, box))
        return self.data[_slices(box)]

    def write(self, core: Core, pipe: int, step: int, box: Box, values: Array, what: str, atomic: bool = False) -> None:
        """values: of the box's shape, in the tensor's type."""
        self.stored = True
        for use in self.writes.over(box):
            if (atomic and use.atomic) or self._ordered(core, pipe, use):
                continue
            if use.core is core:
                self._hazard(core, pipe, use, what, "overwrites", "writes")
            elif atomic or not self._same(use.box, box, values):
                self._report_write(core, use, what)
        for use in self.reads.over(box):
            if self._ordered(core, pipe, use):
                continue
            if use.core is core:
                if use.pipe != S:
                    self._hazard(core, pipe, use, what, "overwrites", "reads")
            elif not atomic and not self._same(use.box, box, values):
                self._report_overwrite(core, use, what)
        self.writes.add(Use(core, pipe, step, core.spot, box, atomic))
        place = _slices(box)
        if atomic:
            with np.errstate(all="ignore"):
                self.data[place] += values
        else:
            self.data[place] = values
        self.written[place] = True

    def _same(self, first: Box, second: Box, values: Array) -> bool:
        """Whether the elements that two boxes share hold already what is to be written. values: of the second box."""
        starts = [max(a, b) for a, b in zip(first[0], second[0], strict=True)]
        ends = [min(a + m, b + n) for a, m, b, n in zip(first[0], first[1], second[0], second[1], strict=True)]
        old = self.data[tuple(slice(a, b) for a, b in zip(starts, ends, strict=True))]
        inner = tuple(slice(a - o, b - o) for a, b, o in zip(starts, ends, second[0], strict=True))
        return bool(np.array_equal(old, values[inner], equal_nan=old.dtype.kind == "f"))

    @staticmethod
    def _ordered(core: Core, pipe: int, use: Use) -> bool:
        """Whether an earlier access is finished when `core` begins one on `pipe` now."""
        other = use.core
        if other is core:
            return core.launch.settings.auto_sync or pipe == use.pipe or core.order.done(pipe, use.pipe, use.step)
        if other.block != core.block:
            return False
        clock = core.heard.get(other.sub)
        return clock is not None and clock[use.pipe] >= use.step

    # ---- elements, by the scalar unit ----

    def load(self, index: tuple[int, ...]) -> Any:
        core = here()
        core.accessed()
        core.spot = caller()
        if not self._in(index):
            return held(self.dtype).type(0)
        box = index, (1,) * len(index)
        return self.read(core, S, core.order.issue(S), box, "an element access").flat[0]

    def store(self, index: tuple[int, ...], value: Any) -> None:
        core = here()
        core.accessed()
        core.spot = caller()
        if self._in(index):
            box = index, (1,) * len(index)
            values = np.full(box[1], value).astype(self.data.dtype)
            self.write(core, S, core.order.issue(S), box, values, "an element access")

    def load_grid(self, index: tuple[Any, ...]) -> Any:
        core = here()
        core.spot = caller()
        box = self._around(index)
        if box is None:
            return np.zeros(np.broadcast(*index).shape, self.data.dtype)
        self.read(core, MTE2, core.order.issue(MTE2), box, "a loop over elements")
        return self.data[index]

    def store_grid(self, index: tuple[Any, ...], value: Any) -> None:
        core = here()
        core.spot = caller()
        box = self._around(index)
        if box is not None:
            values = self.data[_slices(box)].copy()
            inner = tuple(np.asarray(one) - start for one, start in zip(index, box[0], strict=True))
            with np.errstate(all="ignore"):
                values[inner] = value
            self.write(core, MTE3, core.order.issue(MTE3), box, values, "a loop over elements")

    def _around(self, index: tuple[Any, ...]) -> Box | None:
        """The box around the elements of a loop; None when it is not inside."""
        lows, highs = tuple(int(np.min(one)) for one in index), tuple(int(np.max(one)) for one in index)
        if not (self._in(lows) and self._in(highs)):
            return None
        return lows, tuple(high - low + 1 for low, high in zip(lows, highs, strict=True))

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

    def _hazard(self, core: Core, pipe: int, use: Use, what: str, verb: str, others: str) -> None:
        core.report(
            "OPG720",
            f"{what} on {shown_pipe(pipe)} {verb} part of {self.name} in global memory while {shown_pipe(use.pipe)} "
            f"still {others} it (line {use.spot.line})",
            why="Pipes run side by side; only flags and barriers order them.",
            fix="let the one wait for the other with T.set_flag and T.wait_flag",
        )

    def _report_read(self, core: Core, use: Use, what: str) -> None:
        core.report(
            "OPG725",
            f"{what} reads elements of {self.name} that another core stores (line {use.spot.line})",
            f", {self._shared(use)}",
            why="Cores run at any time and in any order; nothing makes the one wait for the other.",
            fix="let cores meet with T.sync_all() or cross-core flags in between, or read only what is their own",
        )

    def _report_write(self, core: Core, use: Use, what: str) -> None:
        core.report(
            "OPG725",
            f"{what} stores to elements of {self.name} to which another core stores other values "
            f"(line {use.spot.line})",
            f", {self._shared(use)}",
            why="Cores run at any time and in any order: which value stays is chance.",
            fix="give every (cid, vid) elements of its own; both vector cores of a block run the same code, so vid has "
            "to be part of the index",
        )

    def _report_overwrite(self, core: Core, use: Use, what: str) -> None:
        core.report(
            "OPG725",
            f"{what} stores to elements of {self.name} that another core reads (line {use.spot.line})",
            f", {self._shared(use)}",
            why="Cores run at any time and in any order: the other core may find the old value or the new one.",
            fix="let every core change only what no other core reads, or let them meet in between",
        )

    def _shared(self, use: Use) -> str:
        starts, extents = use.box
        shown = ", ".join(f"{s}:{s + e}" if e > 1 else str(s) for s, e in zip(starts, extents, strict=True))
        return f"{use.core.where} has {self.name}[{shown}]"


def _slices(box: Box) -> tuple[slice, ...]:
    return tuple(slice(start, start + extent) for start, extent in zip(box[0], box[1], strict=True))
