"""One launch of a kernel: its cores, what they share, and which one runs now."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opgen.dialect.budget import Budget
from opgen.dialect.findings import Recorder
from opgen.dialect.order import MTE1, MTE2, MTE3, PIPES, SHOWN, Flag, Order, S, V
from opgen.dialect.places import NOWHERE, Spot, caller
from opgen.dialect.report import Array, Counters
from opgen.dialect.timing import copy_cycles
from opgen.facts.costs import COPY_LATENCY, SCALAR_ACCESS
from opgen.facts.operations import EVENT_IDS
from opgen.facts.socs import PLATFORMS, Platform
from opgen.text.findings import Severity

if TYPE_CHECKING:
    from opgen.dialect.global_memory import Tensor
    from opgen.dialect.turns import Turns

CUBE = -1


class Abandon(BaseException):
    """Ends a core early; the launch goes on with the next. Not an Exception, so that kernels do not catch it."""


class NeedsTurns(BaseException):
    """The cores depend on each other: they have to run side by side. grid: all of them, else those of a block."""

    def __init__(self, grid: bool) -> None:
        self.grid = grid
        super().__init__(grid)


@dataclass(frozen=True)
class Settings:
    """auto_sync, planning, auto_cv, auto_cv_sync: the compiler's passes. generated: the kernel is opgen's own, so that
    what is advice elsewhere is an error. platform: whose memories count."""

    auto_sync: bool = False
    planning: bool = False
    auto_cv: bool = False
    auto_cv_sync: bool = False
    generated: bool = False
    platform: Platform = PLATFORMS["A2"]


@dataclass
class Core:
    """A vector core (sub 0, 1) or the cube core (sub -1) of a block."""

    launch: Launch
    block: int
    sub: int
    order: Order = field(default_factory=Order)
    heard: dict[int, tuple[int, ...]] = field(default_factory=dict)  # other cores of the block: what they finished
    mail: dict[tuple[int, int], list[Flag]] = field(default_factory=dict)  # (sender, id) -> flags set
    scopes: list[str] = field(default_factory=list)
    budget: Budget = field(default_factory=Budget)
    synced: int = 0  # T.sync_all() reached
    met: int = 0  # accesses to workspaces under TL_ASCEND_AUTO_CV_SYNC
    parallel: bool = False
    spot: Spot = NOWHERE

    @property
    def cube(self) -> bool:
        return self.sub == CUBE

    @property
    def where(self) -> str:
        return f"cid {self.block}, cube core" if self.cube else f"cid {self.block}, vid {self.sub}"

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    # ---- findings ----

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
        self.report("OPG703", f"the checker does not know {what}", why=why, severity="warning")

    # ---- who does what ----

    def does(self, cube: bool, what: str) -> bool:
        """Whether this core executes an operation of cube or vector code. Complains where both kinds would."""
        launch = self.launch
        if cube and not launch.has_cube:
            launch.has_cube = True
        if self.scopes:
            if (self.scopes[-1] == "C") != cube:
                if self.cube == (self.scopes[-1] == "C"):
                    kind = "cube" if cube else "vector"
                    self.report(
                        "OPG745",
                        f'{what} belongs to the {kind} core and stands in T.Scope("{self.scopes[-1]}")',
                        why="Cube cores have L1 and L0, vector cores have UB; neither reaches the other's.",
                        fix=f'move it into T.Scope("{"C" if cube else "V"}")',
                    )
                return False
            return self.cube == cube
        if launch.settings.auto_cv:
            return self.cube == cube
        if (not self.cube or cube) and not launch.unscoped:
            launch.unscoped = True
            self.report(
                "OPG745",
                f"{what} stands outside T.Scope, so cube and vector cores both execute it",
                why="Without T.Scope and without TL_ASCEND_AUTO_CV_COMBINE every core runs the whole body.",
                fix=f'put it into `with T.Scope("{"C" if cube else "V"}"):`, or switch TL_ASCEND_AUTO_CV_COMBINE on',
            )
        return self.cube == cube

    def inside(self) -> bool:
        """Whether this core executes flags and barriers that stand here."""
        return not self.scopes or (self.scopes[-1] == "C") == self.cube

    # ---- what takes time ----

    def moved(self, pipe: int, extents: Sequence[int], item: int) -> None:
        """A copy between global memory and this core. extents: of the box, the last axis a row. item: bytes."""
        counters = self.launch.counters
        rows, row = math.prod(extents[:-1]), extents[-1] * item
        if pipe == MTE2:
            counters.bytes_in += rows * row
            counters.copies_in += 1
        else:
            counters.bytes_out += rows * row
            counters.copies_out += 1
        active = min(self.launch.blocks or 1, self.launch.settings.platform.cores)
        self.order.time.run(pipe, copy_cycles(rows, row, active, self.cube), COPY_LATENCY)

    def accessed(self) -> None:
        """A single element, by the scalar unit."""
        self.launch.counters.scalar_accesses += 1
        self.order.time.run(S, SCALAR_ACCESS)

    # ---- flags ----

    def set_flag(self, source: int, target: int, event: int, inner: bool = False) -> None:
        name = f"{PIPES[source]} -> {PIPES[target]}, id {event}"
        if event not in EVENT_IDS:
            self.report("OPG723", f"there is no event {event}", why="A pair of pipes has the events 0 to 7.")
            return
        key = (source, target, event)
        old = self.order.flags.get(key)
        if old is not None:
            if inner or old.inner:
                self._collision(name)
            else:
                self.report(
                    "OPG722",
                    f"the flag {name} is set again before anything waited for it",
                    why="A flag is one bit: the second set is lost, or the core hangs at a later wait.",
                    fix="wait for it exactly once between two sets",
                )
        self.order.flags[key] = self.order.flag(source, inner)

    def wait_flag(self, source: int, target: int, event: int) -> None:
        if event not in EVENT_IDS:
            self.report("OPG723", f"there is no event {event}", why="A pair of pipes has the events 0 to 7.")
            return
        flag = self.order.flags.pop((source, target, event), None)
        if flag is None:
            self.report(
                "OPG722",
                f"the flag {PIPES[source]} -> {PIPES[target]}, id {event} is waited for and was not set",
                why="The core waits for ever.",
                fix="set it before, once for each wait, with the same pipes and the same id",
            )
            return
        self.order.heed(target, flag)

    def inner_flag(self, source: int, target: int, event: int) -> None:
        """A flag that the compiler's own code sets and waits for at once."""
        old = self.order.flags.get((source, target, event))
        if old is not None:
            self._collision(f"{PIPES[source]} -> {PIPES[target]}, id {event}")
        self.order.follow(target, source)

    def _collision(self, name: str) -> None:
        self.report(
            "OPG723",
            f"the flag {name} is set here while the kernel's own one is pending",
            why="Clipped loads use event 0 between MTE2, MTE3 and V themselves, and gemm_v0 the events 0 and 1 of the "
            "cube core's pipes: the flag is set twice.",
            fix="use the events 2 to 7",
        )

    def end(self, spot: Spot) -> None:
        """What must hold when the core is done."""
        for source, target, event in self.order.flags:
            self.report(
                "OPG722",
                f"the flag {PIPES[source]} -> {PIPES[target]}, id {event} is set and never waited for",
                why="It stays set for the next kernel on this core, which then starts out of order.",
                fix="wait for it once more before the kernel ends",
                spot=spot,
            )
        if any(self.mail.values()):
            ids = sorted({event for (_, event), flags in self.mail.items() if flags})
            self.report(
                "OPG724",
                f"cross-core flag {', '.join(map(str, ids))} is set and never waited for",
                why="It stays set for the next kernel on this core.",
                fix="wait for every flag that is set",
                spot=spot,
            )


class Launch:
    """What the cores of one call share."""

    def __init__(self, settings: Settings, name: str, spot: Spot, workspaces: frozenset[str]) -> None:
        self.settings = settings
        self.name = name
        self.spot = spot
        self.recorder = Recorder()
        self.counters = Counters()
        self.tensors: dict[str, Tensor] = {}
        self.workspaces = workspaces
        self.blocks: int | None = None
        self.reduced = False  # threads=: one vector core a block, the compiler splits its buffers
        self.has_cube = False
        self.one_by_one = False  # T.Parallel goes through its elements
        self.unscoped = False  # told that the kernel has no T.Scope
        self.stores: dict[str, int] = {}
        self.handed: dict[tuple[int, int], Array] = {}  # on the way between cube and vector cores
        self.extents: dict[str, int] = {}  # symbol -> largest extent of a copy along it
        self.turns: Turns[Core] | None = None
        self.side_by_side = False  # all cores take turns, not only those of a block
        self.settled = 0  # T.sync_all() that all cores have passed

    def count(self, word: str) -> None:
        self.counters.syncs[word] = self.counters.syncs.get(word, 0) + 1


class _Now:
    """The core that runs now; None while no kernel does."""

    core: Core | None = None


def here() -> Core:
    """The core that runs now."""
    core = _Now.core
    if core is None:
        raise RuntimeError("this only works inside a kernel")
    return core


def running() -> bool:
    return _Now.core is not None


def switch(core: Core | None) -> None:
    _Now.core = core


def shown_pipe(pipe: int) -> str:
    return SHOWN[pipe]


__all__ = ["CUBE", "MTE1", "MTE2", "MTE3", "Abandon", "Core", "Launch", "NeedsTurns", "S", "Settings", "V", "here"]
