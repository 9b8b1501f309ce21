"""On-chip memory of one core: what the compiler has to find room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opgen.facts.operations import BLOCK_BYTES

if TYPE_CHECKING:
    from opgen.dialect.buffers import Buffer
    from opgen.dialect.machine import Core
    from opgen.dialect.places import Spot

_WHY = {
    False: "Without TL_ASCEND_MEMORY_PLANNING buffers are laid one behind the other and nobody checks where they end.",
    True: "TL_ASCEND_MEMORY_PLANNING shares addresses between buffers that are not needed at the same time, and the "
    "compiler crashes when that is not enough.",
}


class Budget:
    """The buffers of a core, and its hidden scratch buffer."""

    def __init__(self) -> None:
        self.buffers: list[Buffer] = []
        self.scratch = 0
        self.scratch_spot: Spot | None = None
        self.scratch_for = ""

    def needs_scratch(self, size: int, what: str, spot: Spot) -> None:
        if size > self.scratch:
            self.scratch, self.scratch_for, self.scratch_spot = size, what, spot

    def check(self, core: Core) -> None:
        """Reports overflow, and notes how much is in use at most."""
        launch = core.launch
        platform = launch.settings.platform
        limits = {
            "UB": platform.unified_buffer,
            "L1": platform.l1,
            "L0A": platform.l0a,
            "L0B": platform.l0b,
            "L0C": platform.l0c,
        }
        for memory, limit in limits.items():
            # The compiler gives no room to what nothing touches.
            buffers = [b for b in self.buffers if b.memory == memory and b.used_last >= 0]
            scratch = _blocks(self.scratch) if memory == "UB" else 0
            if not buffers and not scratch:
                continue
            used, at = self._peak(buffers) if launch.settings.planning else _bump(buffers)
            peak = launch.counters.peak
            peak[memory] = max(peak.get(memory, 0), used + scratch)
            if used + scratch > limit and at is not None:
                parts = [f"{b.name} {_size(b)}" for b in buffers]
                if scratch:
                    parts.append(f"hidden scratch of {self.scratch_for} {scratch}")
                core.report(
                    "OPG710",
                    f"{used + scratch} bytes of {memory} are needed at once, there are {limit}: {', '.join(parts)}",
                    why=_WHY[launch.settings.planning],
                    fix="use smaller tiles or fewer buffers",
                    spot=at.spot,
                )

    def _peak(self, buffers: list[Buffer]) -> tuple[int, Buffer | None]:
        """The most bytes that hold something at one moment, and the buffer that makes it so many."""
        events: list[tuple[int, int, Buffer]] = []
        for buffer in buffers:
            for start, stop in [*buffer.lives, (buffer.alive_from, buffer.used_last)]:
                if start >= 0:
                    events.append((start, 1, buffer))
                    events.append((stop + 1, 0, buffer))
        used = most = 0
        at: Buffer | None = None
        for _, begins, buffer in sorted(events, key=lambda e: (e[0], e[1])):
            used += _size(buffer) if begins else -_size(buffer)
            if used > most:
                most, at = used, buffer
        return most, at


def _bump(buffers: list[Buffer]) -> tuple[int, Buffer | None]:
    return sum(map(_size, buffers)), buffers[-1] if buffers else None


def _size(buffer: Buffer) -> int:
    return _blocks(buffer.size * buffer.item // buffer.shared_by)


def _blocks(size: int) -> int:
    return -(-size // BLOCK_BYTES) * BLOCK_BYTES
