"""Order between cores: cross-core flags, T.sync_all, and what TL_ASCEND_AUTO_CV_SYNC puts around workspaces."""

from __future__ import annotations

from opgen.dialect.machine import Core, NeedsTurns
from opgen.dialect.order import PIPES, S
from opgen.dialect.turns import Turns
from opgen.facts.costs import CROSS_CORE_FLAG, SYNC_ALL

_HANG = "The core waits for ever."


def set_cross_flag(core: Core, pipe: str, event: int, mode: int) -> None:
    if not core.inside():
        return
    core.launch.has_cube = True
    turns = _turns(core, grid=False)
    core.launch.count("set_cross_flag")
    if mode != 2:
        core.unknown(f"T.set_cross_flag in mode {mode}")
        return
    if pipe.lower() not in PIPES:
        core.report("OPG724", f'"{pipe}" is no pipe', fix='use "MTE3" on the vector core and "FIX" on the cube core')
        return
    flag = core.order.flag(PIPES.index(pipe.lower()))
    for other in turns.cores:
        if other.block == core.block and other.cube != core.cube:
            other.mail.setdefault((core.sub, event), []).append(flag)
    turns.moved()


def wait_cross_flag(core: Core, event: int) -> None:
    if not core.inside():
        return
    core.launch.has_cube = True
    turns = _turns(core, grid=False)
    core.launch.count("wait_cross_flag")
    senders = [c.sub for c in turns.cores if c.block == core.block and c.cube != core.cube]
    spot = core.spot
    if not turns.wait(lambda: all(core.mail.get((sender, event)) for sender in senders)):
        core.report(
            "OPG724",
            f"cross-core flag {event} is waited for and never set",
            why=_HANG,
            fix="set it on the other kind of core of the block, once for each wait",
            spot=spot,
        )
        return
    for sender in senders:
        flag = core.mail[sender, event].pop(0)
        core.order.time.wait(S, flag.time + CROSS_CORE_FLAG)
        _hear(core, sender, flag.clock)
    turns.moved()


def sync_all(core: Core) -> None:
    """All cores meet, cube cores among them."""
    if not core.inside():
        return
    launch = core.launch
    launch.has_cube = True
    turns = _turns(core, grid=True)
    launch.count("sync_all")
    if launch.blocks is not None and launch.blocks > launch.settings.platform.cores:
        core.report(
            "OPG724",
            f"T.sync_all() in {launch.blocks} blocks, and the chip has {launch.settings.platform.cores} AI cores",
            why="Blocks that do not fit start when others end, and those wait for them: the kernel hangs.",
            fix="launch at most as many blocks as there are AI cores",
        )
    core.order.barrier_all()
    core.synced += 1
    mine = core.synced
    spot = core.spot
    if not turns.wait(lambda: all(c.synced >= mine for c in turns.cores)):
        core.report(
            "OPG724",
            "not every core reaches this T.sync_all()",
            why=_HANG,
            fix="put it outside T.Scope and let all cores execute it equally often, whatever cid and vid are",
            spot=spot,
        )
        return
    turns.moved()
    core.order.time.wait(S, max(c.order.time.finished for c in turns.cores if c.synced == mine) + SYNC_ALL)
    if mine > launch.settled:
        launch.settled = mine
        for tensor in launch.tensors.values():
            tensor.settle()


def meet(core: Core) -> None:
    """Around a workspace: the compiler's flags let the cores of a block go on together."""
    turns = _turns(core, grid=False)
    group = [c for c in turns.cores if c.block == core.block]
    core.met += 1
    mine = core.met
    turns.moved()
    turns.wait(lambda: all(c.met >= mine or turns.done[turns.cores.index(c)] for c in group))
    for other in group:
        if other is not core:
            _hear(core, other.sub, tuple(other.order.issued))


def _hear(core: Core, sender: int, clock: tuple[int, ...]) -> None:
    """What another core has finished is known from here on, to all pipes."""
    old = core.heard.get(sender)
    core.heard[sender] = clock if old is None else tuple(max(a, b) for a, b in zip(old, clock, strict=True))


def _turns(core: Core, grid: bool) -> Turns[Core]:
    turns = core.launch.turns
    if turns is None or (grid and not core.launch.side_by_side):
        raise NeedsTurns(grid)
    return turns
