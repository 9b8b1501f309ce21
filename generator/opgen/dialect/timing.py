"""A model of time: every instruction takes what facts/costs.py says, on its pipe, behind what it waits for.

It compares kernels of one operator with each other, and tells how much of the copying computation hides. It predicts no
times.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping

from opgen.facts import costs

_PIPES = 7
_S, _V, _M, _MTE1 = 0, 1, 2, 3  # as in opgen.dialect.order

Span = tuple[float, float]


class Timeline:
    """One core. All times are cycles since its block began."""

    def __init__(self) -> None:
        self.issued = 0.0  # the scalar unit hands out the next instruction
        self.free = [0.0] * _PIPES  # the pipe takes its next one
        self.done = [0.0] * _PIPES  # everything that the pipe was given has taken effect
        self._copies: list[Span] = []  # from and to global memory
        self._computations: list[Span] = []

    def run(self, pipe: int, cycles: float, latency: float = 0.0) -> None:
        """An instruction. latency: from its end on the pipe until others can see what it did."""
        if pipe == _S:
            self.issued += cycles
            return
        self.issued += costs.ISSUE
        start = max(self.issued, self.free[pipe])
        self.free[pipe] = start + cycles
        self.done[pipe] = max(self.done[pipe], self.free[pipe] + latency)
        if cycles and pipe != _MTE1:
            (self._computations if pipe in (_V, _M) else self._copies).append((start, self.free[pipe]))

    def reached(self, pipe: int) -> float:
        """When everything that a pipe has been given until now is done."""
        return self.issued if pipe == _S else max(self.issued, self.done[pipe])

    def wait(self, pipe: int, until: float) -> None:
        """Holds a pipe, or with the scalar unit everything that comes."""
        if pipe == _S:
            self.issued = max(self.issued, until)
        else:
            self.free[pipe] = max(self.free[pipe], until)

    def barrier(self, pipe: int) -> None:
        self.issued += costs.ISSUE
        self.wait(pipe, self.reached(pipe))

    def barrier_all(self) -> None:
        self.issued += costs.ISSUE
        self.issued = self.finished + costs.BARRIER_ALL

    @property
    def finished(self) -> float:
        return max(self.issued, *self.done)

    def hidden(self) -> tuple[float, float]:
        """Cycles in which something is copied, and those of them in which something is computed, too."""
        copying = _united(self._copies)
        computing = _united(self._computations)
        moved = sum(end - start for start, end in copying)
        return moved, sum(_shared(copying, computing))


def _united(spans: list[Span]) -> list[Span]:
    """Spans that do not touch, ascending."""
    united: list[Span] = []
    for start, end in sorted(spans):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((start, end))
    return united


def _shared(first: list[Span], second: list[Span]) -> Iterable[float]:
    """Lengths of what lies in both."""
    i = j = 0
    while i < len(first) and j < len(second):
        yield max(0.0, min(first[i][1], second[j][1]) - max(first[i][0], second[j][0]))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1


def launch_cycles(blocks: Mapping[int, float], cores: int) -> float:
    """When the last block has ended. blocks: how long each takes; each starts on the core that is free first."""
    free = [0.0] * max(1, cores)
    heapq.heapify(free)
    for block in sorted(blocks):
        heapq.heapreplace(free, free[0] + costs.BLOCK_START + blocks[block])
    return max(free)


# ---- how long instructions take ----


def vector_cycles(name: str, bytes_: int) -> float:
    """bytes_: of the widest operand."""
    cost = costs.VECTOR_COSTS.get(name, costs.USUAL)
    return cost.steps * costs.VECTOR_START + cost.sweeps * -(-bytes_ // costs.VECTOR_BYTES_PER_CYCLE)


def copy_cycles(rows: int, row_bytes: int, active: int, cube: bool) -> float:
    """A copy between global memory and a core. active: AI cores in use."""
    bytes_ = row_bytes if rows == 1 else rows * -(-row_bytes // costs.GM_UNIT) * costs.GM_UNIT
    fair = costs.GM_BYTES_PER_CYCLE / active
    rate = min(costs.GM_CUBE_CORE, fair) if cube else min(costs.GM_VECTOR_CORE, fair / 2)
    return costs.COPY_START + bytes_ / rate


def staging_cycles(memory: str, bytes_: int) -> float:
    """From L1 to L0A or L0B."""
    return costs.L1_TO_L0_START + bytes_ / costs.L1_TO_L0[memory]


def product_cycles(dtype: str, multiply_adds: int) -> float:
    return costs.CUBE_START + multiply_adds / costs.CUBE_MACS_PER_CYCLE[dtype]
