"""Who wrote and read which part of a memory last, as pieces that grow and shrink with the accesses."""

from __future__ import annotations

from bisect import bisect_right
from typing import Generic, TypeVar

State = TypeVar("State")


class Piece(Generic[State]):
    """Elements low..high, all in one state."""

    __slots__ = ("high", "low", "state")

    def __init__(self, low: int, high: int, state: State) -> None:
        self.low = low
        self.high = high
        self.state = state


class Spans(Generic[State]):
    """Pieces in order, without gaps. copy_state: a state of its own for a piece that is split off."""

    def __init__(self, size: int, state: State) -> None:
        self.pieces: list[Piece[State]] = [Piece(0, size, state)]
        self.starts = [0]

    def over(self, low: int, high: int) -> list[Piece[State]]:
        """The pieces that make up low..high; such that cross its ends are split."""
        first = bisect_right(self.starts, low) - 1
        piece = self.pieces[first]
        if piece.low == low and piece.high == high:
            return [piece]
        if piece.low < low:
            self._split(first, low)
            first += 1
        last = bisect_right(self.starts, high - 1) - 1
        if self.pieces[last].high > high:
            self._split(last, high)
        return self.pieces[first : last + 1]

    def replace(self, low: int, high: int, state: State) -> None:
        """Makes low..high one piece. `over` was called for it."""
        first = bisect_right(self.starts, low) - 1
        last = bisect_right(self.starts, high - 1) - 1
        if first == last:
            self.pieces[first].state = state
            return
        self.pieces[first : last + 1] = [Piece(low, high, state)]
        self.starts[first : last + 1] = [low]

    def _split(self, index: int, at: int) -> None:
        piece = self.pieces[index]
        self.pieces.insert(index + 1, Piece(at, piece.high, _copied(piece.state)))
        self.starts.insert(index + 1, at)
        piece.high = at


def _copied(state: State) -> State:
    copy = getattr(state, "copy", None)
    return copy() if copy is not None else state
