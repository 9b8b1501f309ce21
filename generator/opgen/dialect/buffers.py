"""Buffers on chip: elements, who touched them last, and the rules of order between pipes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opgen.dialect.indexing import Indexed, Number, held, pieces
from opgen.dialect.machine import Core, S, V, here, shown_pipe
from opgen.dialect.places import Spot, assigned_name, caller
from opgen.dialect.spans import Spans
from opgen.facts.operations import BLOCK_BYTES

Array = NDArray[Any]

_UNORDERED = "Pipes run side by side; only flags and barriers order them."


class Use:
    """The last write of a piece of a buffer, and the reads since. pipe -1: never written."""

    __slots__ = ("pipe", "reads", "spot", "step")

    def __init__(self, pipe: int, step: int, spot: Spot | None, reads: dict[int, tuple[int, Spot]]) -> None:
        self.pipe = pipe
        self.step = step
        self.spot = spot
        self.reads = reads

    def copy(self) -> Use:
        return Use(self.pipe, self.step, self.spot, dict(self.reads))


class Buffer(Indexed):
    """memory: UB, L1, L0A, L0B, L0C, or "var" for a register of the scalar unit. shared_by: vector cores over which
    the compiler spreads it."""

    def __init__(self, memory: str, shape: tuple[Any, ...], dtype: object, spot: Spot, shared_by: int = 1) -> None:
        super().__init__(dtype, shape)
        self.memory = memory
        self.spot = spot
        self.shared_by = shared_by if self.shape and self.shape[0] % shared_by == 0 else 1
        self.data: Array = np.zeros(self.size, held(self.dtype))
        self.spans: Spans[Use] = Spans(max(1, self.size), Use(-1, 0, None, {}))
        self.lives: list[tuple[int, int]] = []
        self.alive_from = -1
        self.used_last = -1

    @property
    def name(self) -> str:
        return assigned_name(self.spot) or f"a buffer of {self.memory}"

    def view(self, shape: tuple[Any, ...]) -> Buffer:
        """The same elements in another shape."""
        other = Buffer.__new__(Buffer)
        other.__dict__.update(self.__dict__)
        other.shape = tuple(int(axis) for axis in shape)
        if math.prod(other.shape) != self.size:
            raise ValueError(f"{self.name} has {self.size} elements, the shape {other.shape} has another number")
        return other

    # ---- accesses ----

    def read(self, core: Core, pipe: int, step: int, low: int, count: int, what: str) -> Array | None:
        """The elements, checked; None when they lie outside."""
        high = low + count
        if not self._fits(core, low, high, what, "reads"):
            return None
        self._live(core, whole_write=False)
        ordered = core.launch.settings.auto_sync or core.parallel
        for piece in self.spans.over(low, high):
            use = piece.state
            if use.pipe < 0:
                self._uninitialised(core, what, piece.low - low)
            elif not ordered and not core.order.done(pipe, use.pipe, use.step):
                self._unordered(core, pipe, use.pipe, use.spot, what, "reads", "writes")
            if pipe != S:
                use.reads[pipe] = (step, core.spot)
        return self.data[low:high]

    def write(self, core: Core, pipe: int, step: int, low: int, count: int, what: str) -> Array | None:
        """The elements to write to, checked; None when they lie outside."""
        high = low + count
        if not self._fits(core, low, high, what, "writes"):
            return None
        self._live(core, whole_write=count == self.size)
        ordered = core.launch.settings.auto_sync or core.parallel
        if not ordered:
            for piece in self.spans.over(low, high):
                use = piece.state
                if use.pipe >= 0 and not core.order.done(pipe, use.pipe, use.step):
                    self._unordered(core, pipe, use.pipe, use.spot, what, "overwrites", "writes")
                for reader, (seen, spot) in use.reads.items():
                    own = reader == pipe and seen == step
                    if not own and not core.order.done(pipe, reader, seen):
                        self._unordered(core, pipe, reader, spot, what, "overwrites", "reads")
        else:
            self.spans.over(low, high)
        self.spans.replace(low, high, Use(pipe, step, core.spot, {}))
        return self.data[low:high]

    def aligned(self, core: Core, low: int, what: str) -> None:
        """On-chip addresses of vector operations and copies."""
        if low * self.item % BLOCK_BYTES:
            core.report(
                "OPG712",
                f"{what} begins {low * self.item} bytes into {self.name}, which is no multiple of {BLOCK_BYTES}",
                why="Vector operations and copies address the chip in blocks of 32 bytes.",
                fix="begin at a multiple of 32 bytes",
            )

    def forgive(self, core: Core) -> None:
        """Counts as written: what was to be written here has been complained about."""
        self.spans.over(0, self.size)
        self.spans.replace(0, self.size, Use(S, 0, core.spot, {}))

    # ---- elements ----

    def _elsewhere(self, core: Core) -> bool:
        """Whether this core does not reach the buffer: it leaves single elements to the other kind of core."""
        return self.memory != "var" and (core.cube == (self.memory == "UB") or not core.inside())

    def load(self, index: tuple[int, ...]) -> Any:
        core = here()
        if self._elsewhere(core):
            return held(self.dtype).type(0)
        core.accessed()
        if self.memory != "var":
            core.spot = caller()
            pipe = V if core.parallel else S
            step = core.order.issue(pipe)
            values = self.read(core, pipe, step, self.flat(index), 1, "an element access") if self._in(index) else None
            return held(self.dtype).type(0) if values is None else values[0]
        return self.data[self.flat(index)]

    def store(self, index: tuple[int, ...], value: Any) -> None:
        core = here()
        if self._elsewhere(core):
            return
        core.accessed()
        if self.memory == "var":
            self.data[self.flat(index)] = value
            return
        core.spot = caller()
        pipe = V if core.parallel else S
        step = core.order.issue(pipe)
        values = self.write(core, pipe, step, self.flat(index), 1, "an element access") if self._in(index) else None
        if values is not None:
            values[0] = value

    def load_grid(self, index: tuple[Any, ...]) -> Any:
        core = here()
        core.spot = caller()
        flat = self.flat(index)
        if self._elsewhere(core):
            return np.zeros(np.shape(flat), self.data.dtype)
        step = core.order.issue(V)
        for low, count in pieces(flat):
            self.read(core, V, step, low, count, "a loop over elements")
        return self.data[np.clip(flat, 0, self.size - 1)]

    def store_grid(self, index: tuple[Any, ...], value: Any) -> None:
        core = here()
        core.spot = caller()
        if self._elsewhere(core):
            return
        flat = self.flat(index)
        step = core.order.issue(V)
        inside = [self.write(core, V, step, low, n, "a loop over elements") is not None for low, n in pieces(flat)]
        if all(inside):
            with np.errstate(all="ignore"):
                self.data[flat] = value

    def _in(self, index: tuple[int, ...]) -> bool:
        inside = all(0 <= one < axis for one, axis in zip(index, self.shape, strict=True))
        if not inside:
            here().report(
                "OPG731",
                f"{self.name}[{', '.join(map(str, index))}] does not exist: its shape is {self.shape}",
                why="On chip nothing is clipped: the access goes to another buffer.",
            )
        return inside

    # ---- findings ----

    def _fits(self, core: Core, low: int, high: int, what: str, verb: str) -> bool:
        if low >= 0 and high <= self.size:
            return high > low
        core.report(
            "OPG731",
            f"{what} {verb} elements {low} to {high - 1} of {self.name}, which has {self.size}",
            why="On chip nothing is clipped: the access goes to another buffer.",
            fix="keep count and slice within the buffer",
        )
        self.forgive(core)
        return False

    def _uninitialised(self, core: Core, what: str, offset: int) -> None:
        detail = f", from its element {offset} on" if offset > 0 else ""
        core.report(
            "OPG730",
            f"{what} reads {self.name} where nothing was written to it{detail}",
            why="On-chip memory holds what the last kernel left.",
            fix="fill it first, or give the copy a pad_value; clipped copies fill 16- and 32-bit types only",
        )

    def _unordered(
        self, core: Core, pipe: int, other: int, spot: Spot | None, what: str, verb: str, others: str
    ) -> None:
        line = f" (line {spot.line})" if spot is not None else ""
        if pipe == other == V:
            core.report(
                "OPG721",
                f"{what} {verb} {self.name}, which the vector operation before it{line} {others}: "
                'no T.pipe_barrier("v") between them',
                why="The vector unit starts an operation before the one in front of it is finished.",
                fix='put T.pipe_barrier("v") between them',
                severity="error" if core.launch.settings.generated else "warning",
            )
            return
        from opgen.dialect.order import PIPES

        core.report(
            "OPG720",
            f"{what} on {shown_pipe(pipe)} {verb} {self.name} while {shown_pipe(other)} still {others} it{line}",
            why=_UNORDERED,
            fix=f'T.set_flag("{PIPES[other]}", "{PIPES[pipe]}", id) behind the one and T.wait_flag with the same '
            "arguments before the other, or switch TL_ASCEND_AUTO_SYNC on",
        )

    # ---- liveness, for memory planning ----

    def _live(self, core: Core, whole_write: bool) -> None:
        moment = sum(core.order.issued)
        if self.alive_from < 0:
            self.alive_from = moment
        elif whole_write and self.used_last != moment:
            self.lives.append((self.alive_from, self.used_last))
            self.alive_from = moment
        self.used_last = moment


class Variable(Buffer, Number):
    """T.alloc_var: a register of the scalar unit. `v` is the number that it holds, and so is `v[0]`."""

    def number(self) -> Any:
        return self.data[0]
