"""pl.system: barriers, flags, mutexes, the meeting of all workers; and what a kernel asks about itself."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from opgen.dialect.order import MTE2, MTE3
from opgen.dialect.pypto.run_time import RunTime
from opgen.dialect.pypto.words import PipeType, SyncAllMode, SyncCoreType
from opgen.dialect.pypto.worker import FrontEndError, NeedsTurns, here, integer, shown


def _count(word: str) -> None:
    syncs = here().launch.counters.syncs
    syncs[word] = syncs.get(word, 0) + 1


def _pipe(value: Any) -> int:
    if not isinstance(value, PipeType):
        raise FrontEndError(f"a pipe is {shown(value)}", fix="write pl.PipeType.MTE2 and the like")
    return int(value.value)


def bar_mte2() -> None:
    here().barrier(MTE2)
    _count("bar_mte2")


def bar_mte3() -> None:
    here().barrier(MTE3)
    _count("bar_mte3")


def bar_all() -> None:
    here().barrier(None)
    _count("bar_all")


def _cube_only(name: str) -> Any:
    def call() -> None:
        here().unknown(f"pl.system.{name}, which is of cube sections")

    return call


def sync_src(*, set_pipe: Any, wait_pipe: Any, event_id: Any) -> None:
    """Sets a flag."""
    here().set_flag(_pipe(set_pipe), _pipe(wait_pipe), int(event_id))
    _count("sync_src")


def sync_dst(*, set_pipe: Any, wait_pipe: Any, event_id: Any) -> None:
    """Waits for it."""
    here().wait_flag(_pipe(set_pipe), _pipe(wait_pipe), int(event_id))
    _count("sync_dst")


def mutex_lock(*, pipe: Any, mutex_id: Any, **_: Any) -> None:
    here().lock(_pipe(pipe), int(mutex_id))
    _count("mutex_lock")


def mutex_unlock(*, pipe: Any, mutex_id: Any, **_: Any) -> None:
    here().unlock(_pipe(pipe), int(mutex_id))
    _count("mutex_unlock")


def sync_all(workspaces: Any = None, *, core_type: Any = SyncCoreType.MIX, mode: Any = SyncAllMode.HARD) -> None:
    """All workers meet: what each has done before is seen by all afterwards."""
    worker = here()
    launch = worker.launch
    if core_type is not SyncCoreType.AIV_ONLY:
        worker.report(
            "OPG838",
            "pl.system.sync_all waits for cube cores, and this kernel has none that come here",
            why="core_type is pl.SyncCoreType.MIX when it is left out.",
            fix="write core_type=pl.SyncCoreType.AIV_ONLY",
        )
    if launch.turns is None:
        raise NeedsTurns
    _count("sync_all")
    worker.barrier(None)
    worker.synced += 1
    launch.turns.moved()
    workers = launch.turns.cores
    if not launch.turns.wait(lambda: all(other.synced >= worker.synced for other in workers)):
        worker.report(
            "OPG838",
            "not all workers come to this pl.system.sync_all: those that do wait for ever",
            why="It waits for every vector core of the launch, also for those that have no tile.",
            fix="put it outside of loops and conditions that differ from worker to worker",
        )
    if launch.met < worker.synced:
        launch.met = worker.synced
        for buffer in launch.buffers.values():
            buffer.settle()


def get_block_idx() -> int:
    return RunTime(here().index)


def get_block_num() -> int:
    return RunTime(here().launch.blocks)


def get_subblock_idx() -> int:
    return RunTime(here().index % here().launch.subblocks)


def get_subblock_num() -> int:
    return RunTime(here().launch.subblocks)


class Section:
    """with pl.section_vector() or pl.section_cube()."""

    def __init__(self, vector: bool) -> None:
        self.vector = vector

    def __enter__(self) -> None:
        if not self.vector:
            here().unknown("what stands in pl.section_cube()")

    def __exit__(self, *_: object) -> None:
        return None


def section_vector() -> Section:
    return Section(True)


def section_cube() -> Section:
    return Section(False)


def loop(*bounds: Any) -> Iterator[int]:
    """pl.range."""
    if not 1 <= len(bounds) <= 3:
        raise FrontEndError("pl.range takes one to three numbers")
    whole = [integer(bound, "a bound of pl.range") for bound in bounds]
    if len(whole) == 3 and not whole[2]:
        raise FrontEndError("pl.range with the step 0", fix="a step is a number other than 0")
    return map(RunTime, range(*whole))


def namespace() -> types.SimpleNamespace:
    """pl.system."""
    words: dict[str, Any] = {
        "bar_mte2": bar_mte2, "bar_mte3": bar_mte3, "bar_all": bar_all, "sync_src": sync_src, "sync_dst": sync_dst,
        "mutex_lock": mutex_lock, "mutex_unlock": mutex_unlock, "sync_all": sync_all,
    }  # fmt: skip
    words |= {name: _cube_only(name) for name in ("bar_m", "bar_mte1", "bar_fix")}
    for name in ("set_cross_core", "wait_cross_core", "dcci"):
        words[name] = _unknown(name)
    return types.SimpleNamespace(**words)


def _unknown(name: str) -> Any:
    def call(*_: Any, **__: Any) -> None:
        here().unknown(f"pl.system.{name}")

    return call
