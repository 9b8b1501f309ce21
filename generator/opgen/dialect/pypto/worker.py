"""One launch of a PyPTO kernel: its workers (vector cores), what each knows, and which one runs now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from opgen.dialect.findings import Recorder
from opgen.dialect.order import MTE2, SHOWN, Order, S, V
from opgen.dialect.places import NOWHERE, Spot, caller
from opgen.dialect.report import Array, Counters
from opgen.facts.pypto import EVENT_IDS, UB_BYTES
from opgen.text.findings import Severity

if TYPE_CHECKING:
    from opgen.dialect.pypto.tensors import GlobalBuffer
    from opgen.dialect.pypto.tiles import Slot, Tile
    from opgen.dialect.turns import Turns

Clock = tuple[int, ...]
GARBAGE = 0xA5  # what memory holds that nobody has written to


class FrontEndError(Exception):
    """What PyPTO's own front end refuses. what: in a line; rule: whose page says more."""

    def __init__(self, what: str, why: str = "", fix: str = "", rule: str = "OPG830") -> None:
        self.what, self.fix, self.rule = what, fix, rule
        self.why = why or ("" if fix else "PyPTO's front end refuses it.")
        super().__init__(what)


class NeedsTurns(BaseException):
    """Workers wait for each other: they have to run side by side."""


@dataclass
class Launch:
    """What the workers of one launch share. blocks: the block dim. subblocks: vector cores of a block. tiling: what the
    fields of TilingData hold. generated: opgen's own kernel, of which more is asked."""

    name: str
    blocks: int
    subblocks: int
    auto_mutex: bool
    generated: bool
    buffers: dict[str, GlobalBuffer] = field(default_factory=dict)
    recorder: Recorder = field(default_factory=Recorder)
    counters: Counters = field(default_factory=Counters)
    turns: Turns[Worker] | None = None
    met: int = 0  # pl.system.sync_all() that all workers have passed

    @property
    def workers(self) -> int:
        return self.blocks * self.subblocks


class Worker:
    """A vector core. index: what pl.get_block_idx() gives in a vector section."""

    def __init__(self, launch: Launch, index: int) -> None:
        self.launch = launch
        self.index = index
        self.order = Order()
        self.mutexes: dict[int, Clock] = {}
        self.memory: Array = np.full(UB_BYTES, GARBAGE, np.uint8)
        self.ready: Array = np.zeros(UB_BYTES, np.bool_)
        self.slots: list[Slot] = []
        self.fence = 0  # loads up to this one were waited for by a barrier
        self.spot: Spot = NOWHERE
        self.synced = 0

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def where(self) -> str:
        launch = self.launch
        cores = f"{launch.blocks} block{'s' if launch.blocks > 1 else ''}"
        return f"worker {self.index} of {launch.workers}, {cores} of {launch.subblocks}"

    def reach(self, end: int) -> None:
        """Makes memory for addresses up to `end`, so that a tile beyond the Unified Buffer can be worked with."""
        if end > len(self.memory):
            more = end - len(self.memory)
            self.memory = np.concatenate([self.memory, np.full(more, GARBAGE, np.uint8)])
            self.ready = np.concatenate([self.ready, np.zeros(more, np.bool_)])

    def report(
        self,
        rule: str,
        subject: str,
        detail: str = "",
        why: str = "",
        fix: str = "",
        severity: Severity = "error",
        spot: Spot | None = None,
    ) -> None:
        self.launch.recorder.add(rule, spot or caller(), subject, detail, why, fix, severity, self.where)

    def unknown(self, what: str) -> None:
        """Something that the checker cannot follow: said once, and what comes after is not complete."""
        self.launch.recorder.complete = False
        why = "What it does to memory is not followed; later findings and values of this kernel mean little."
        self.report("OPG842", f"the checker does not carry out {what}", why=why, severity="warning")

    # ---- order of the pipes ----

    def begin(self, pipe: int, tiles: Sequence[Tile]) -> int:
        """A new operation on a pipe: its number. With auto_mutex it waits for the other pipes that hold its tiles."""
        self.spot = caller()
        if pipe == V:
            self.order.barrier(V)  # the vector unit finishes what it has before it starts the next one
        step = self.order.issue(pipe)
        if self.launch.auto_mutex:
            for mutex in _mutexes(tiles):
                self.lock(pipe, mutex)
        return step

    def end(self, pipe: int, tiles: Sequence[Tile]) -> None:
        if self.launch.auto_mutex:
            for mutex in _mutexes(tiles):
                self.unlock(pipe, mutex)
        if pipe == S:
            self.order.barrier(S)

    def lock(self, pipe: int, mutex: int) -> None:
        clock = self.mutexes.get(mutex)
        if clock is not None:
            self.order.join(pipe, clock)

    def unlock(self, pipe: int, mutex: int) -> None:
        now = self.order.snapshot(pipe)
        before = self.mutexes.get(mutex, now)
        self.mutexes[mutex] = tuple(map(max, now, before))

    def set_flag(self, source: int, target: int, event: int) -> None:
        key = (source, target, event)
        name = f"{SHOWN[source]} -> {SHOWN[target]}, event_id {event}"
        if event not in EVENT_IDS:
            self.report("OPG838", f"there is no event {event}", why="A pair of pipes has the events 0 to 15.")
        if key in self.order.flags:
            self.report(
                "OPG838",
                f"sync_src sets {name} again before a sync_dst waited for it",
                why="A flag is one bit: the second set is lost, or the core hangs at a later wait.",
                fix="wait exactly once between two sets",
            )
        self.order.flags[key] = self.order.flag(source)

    def wait_flag(self, source: int, target: int, event: int) -> None:
        flag = self.order.flags.pop((source, target, event), None)
        if flag is None:
            self.report(
                "OPG838",
                f"sync_dst waits for {SHOWN[source]} -> {SHOWN[target]}, event_id {event}, which was not set",
                why="The core waits for ever.",
                fix="put a sync_src with the same pipes and the same event_id before it",
            )
            return
        self.order.heed(target, flag)

    def barrier(self, pipe: int | None) -> None:
        """pl.system.bar_*; None is bar_all."""
        if pipe is None:
            self.order.barrier_all()
        else:
            self.order.barrier(pipe)
        if pipe in (None, MTE2):
            self.fence = self.order.issued[MTE2]

    def finish(self, spot: Spot) -> None:
        """What must hold when the kernel is done."""
        for source, target, event in self.order.flags:
            self.report(
                "OPG838",
                f"{SHOWN[source]} -> {SHOWN[target]}, event_id {event} is set and never waited for",
                why="It stays set for the next kernel on this core, which then starts out of order.",
                fix="put a sync_dst behind the last sync_src",
                spot=spot,
            )


def _mutexes(tiles: Sequence[Tile]) -> list[int]:
    return list(dict.fromkeys(mutex for tile in tiles for mutex in tile.mutexes))


class _Now:
    worker: Worker | None = None


def here() -> Worker:
    """The worker that runs now."""
    if _Now.worker is None:
        raise FrontEndError("this only works inside a kernel")
    return _Now.worker


def switch(worker: Worker | None) -> None:
    _Now.worker = worker


def integer(value: Any, what: str) -> int:
    """A whole number of the kernel."""
    if isinstance(value, (bool, float)) or not hasattr(value, "__index__"):
        raise FrontEndError(f"{what} is {shown(value)}", "It is an integer.", "compute it with // and integers")
    return int(value)


def shown(value: Any) -> str:
    """A value in a message, short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
