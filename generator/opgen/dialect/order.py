"""What is known to be finished: pipes, their clocks, flags and barriers of one core."""

from __future__ import annotations

from typing import NamedTuple

from opgen.dialect.timing import Timeline
from opgen.facts import costs

PIPES = ("s", "v", "m", "mte1", "mte2", "mte3", "fix")
S, V, M, MTE1, MTE2, MTE3, FIX = range(7)
SHOWN = ("the scalar unit", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")

Clock = list[int]


class Flag(NamedTuple):
    """A flag that is set and not yet waited for: what its sender knew. inner: by the compiler's own code. time: when it
    can be seen."""

    clock: tuple[int, ...]
    inner: bool
    time: float


class Order:
    """The clocks of a core's pipes.

    known[p][q]: how many instructions of pipe q are finished when the next one of pipe p starts. issued[p]: how many
    pipe p was given. The scalar unit hands instructions out, so every pipe knows what it knows. Instructions of one
    pipe start in order, but known[V][V] counts those that are finished: the vector unit overlaps them.
    """

    def __init__(self) -> None:
        self.known: list[Clock] = [[0] * 7 for _ in PIPES]
        self.issued = [0] * 7
        self.flags: dict[tuple[int, int, int], Flag] = {}
        self.time = Timeline()

    def issue(self, pipe: int) -> int:
        """The number of a new instruction of a pipe."""
        self.issued[pipe] += 1
        if pipe != S:
            self.join(pipe, self.known[S])
        return self.issued[pipe]

    def join(self, pipe: int, clock: Clock | tuple[int, ...]) -> None:
        mine = self.known[pipe]
        for other, step in enumerate(clock):
            if step > mine[other]:
                mine[other] = step

    def snapshot(self, pipe: int) -> tuple[int, ...]:
        """What is finished once everything that the pipe has now is finished."""
        clock = list(self.known[pipe])
        if pipe != S:
            for other, step in enumerate(self.known[S]):
                if step > clock[other]:
                    clock[other] = step
        clock[pipe] = self.issued[pipe]
        return tuple(clock)

    def flag(self, source: int, inner: bool = False) -> Flag:
        """A flag that is set behind everything that a pipe has now."""
        self.time.run(S, costs.ISSUE)
        return Flag(self.snapshot(source), inner, self.time.reached(source) + costs.FLAG)

    def heed(self, pipe: int, flag: Flag) -> None:
        """Lets a pipe wait for a flag."""
        self.time.run(S, costs.ISSUE)
        self.time.wait(pipe, flag.time)
        self.join(pipe, flag.clock)

    def follow(self, pipe: int, source: int) -> None:
        """What a flag that is set and waited for at once does: `pipe` waits for `source`."""
        self.heed(pipe, self.flag(source))

    def barrier(self, pipe: int) -> None:
        self.time.barrier(pipe)
        self.known[pipe][pipe] = self.issued[pipe]

    def barrier_all(self) -> None:
        self.time.barrier_all()
        for clock in self.known:
            for pipe, step in enumerate(self.issued):
                clock[pipe] = step

    def done(self, pipe: int, writer: int, step: int) -> bool:
        """Whether an instruction that `pipe` starts now finds instruction `step` of `writer` finished, or may start
        before it is because one pipe does them in order."""
        if pipe == writer and pipe != V:
            return True
        return self.known[pipe][writer] >= step
