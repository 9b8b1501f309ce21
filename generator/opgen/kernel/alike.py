"""Two texts of one computation that differ in buffers: what is in them at the same place, and the texts made alike."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

Pair = tuple[str, str]  # what the first text has at a place, and the second

_GAP = "\0"  # where words have a buffer


@dataclass(frozen=True)
class _Statement:
    """words: with gaps for buffers. buffers: those in the gaps."""

    words: str
    buffers: tuple[str, ...] = ()

    @property
    def computes(self) -> bool:
        return not self.words.startswith(("#", "T.pipe_barrier", "T.set_flag", "T.wait_flag"))

    def text(self, buffers: Sequence[str]) -> str:
        left = iter(buffers)
        return re.sub(_GAP, lambda _: next(left), self.words)


_Row = tuple[_Statement | None, _Statement | None]  # what the two texts have at one place


class Alike:
    """Two texts side by side."""

    def __init__(self, first: Sequence[str], second: Sequence[str], buffers: Collection[str]) -> None:
        names = sorted(buffers, key=len, reverse=True)
        named = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b(\[[^\]]*\])?")
        texts = ([_statement(line, named) for line in text] for text in (first, second))
        self.rows = list(_aligned(*texts))

    def pairs(self) -> Iterator[Pair]:
        """Buffers at the same place, what is read in front of what is written."""
        for row in self.rows:
            yield from _read_first(_pairs(row))

    def texts(self, names: Mapping[Pair, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Both texts with names for buffers, with each barrier that either has between two common instructions, with
        flags set where the later of them does and waited for where the earlier does."""
        result: tuple[list[str], list[str]] = ([], [])
        rows = self._together(names)
        for number, (one, other) in enumerate(rows):
            if one is not None and one == other:
                result[0].append(one)
                result[1].append(one)
                continue
            alone = _around(rows, number)
            barrier = _line((one, other)).startswith("T.pipe_barrier") and not any(map(_instruction, alone))
            for side, line in enumerate((one, other)):
                if line is not None or barrier:
                    result[side].append(_line((one, other)))
        return _single_barriers(result[0]), _single_barriers(result[1])

    def _together(self, names: Mapping[Pair, str]) -> list[tuple[str | None, str | None]]:
        """The rows as lines, with flags of both texts in the same rows."""
        rows = [self._named(number, names) for number in range(len(self.rows))]
        for word, later in (("T.set_flag", True), ("T.wait_flag", False)):
            alone = [
                (n, row) for n, row in enumerate(rows) if None in row and (row[0] or row[1] or "").startswith(word)
            ]
            for n, (one, other) in alone:
                twin = next((m for m, row in alone if row == (other, one)), None)
                if twin is None or one is None:
                    continue
                kept, dropped = (max if later else min)(n, twin), (min if later else max)(n, twin)
                rows[kept], rows[dropped] = (one, one), (None, None)
        return [row for row in rows if row != (None, None)]

    def _named(self, number: int, names: Mapping[Pair, str]) -> tuple[str | None, str | None]:
        one, other = self.rows[number]
        if one and other:
            text = one.text([names[pair] for pair in zip(one.buffers, other.buffers, strict=True)])
            return text, text
        if one:
            return one.text([self._name(number, 0, buffer, names) for buffer in one.buffers]), None
        assert other is not None
        return None, other.text([self._name(number, 1, buffer, names) for buffer in other.buffers])

    def _name(self, number: int, side: int, buffer: str, names: Mapping[Pair, str]) -> str:
        """What the next common statement that has a buffer of one text calls it, else the last one before."""
        behind = [_read_first(_pairs(row)) for row in self.rows[number + 1 :]]
        before = [_pairs(row) for row in self.rows[:number][::-1]]
        for pair in itertools.chain(*behind, *before):
            if pair[side] == buffer:
                return names[pair]
        return buffer


def _pairs(row: _Row) -> list[Pair]:
    """Buffers at the same places of a common statement, what is written in front."""
    one, other = row
    if one is None or other is None:
        return []
    pairs = list(zip(one.buffers, other.buffers, strict=True))
    return pairs if one.words.startswith("T.tile.") else pairs[::-1]


def _read_first(pairs: list[Pair]) -> list[Pair]:
    return [*pairs[1:], *pairs[:1]]


def _statement(line: str, named: re.Pattern[str]) -> _Statement:
    if line.startswith("#"):
        return _Statement(line)
    return _Statement(named.sub(_GAP, line), tuple(match[0] for match in named.finditer(line)))


def _instruction(line: str) -> bool:
    return not line.startswith(("#", "T.pipe_barrier", "T.set_flag", "T.wait_flag"))


def _line(row: tuple[str | None, str | None]) -> str:
    return row[0] or row[1] or ""


def _around(rows: Sequence[tuple[str | None, str | None]], number: int) -> list[str]:
    """The lines of one text only that stand together with one."""
    start = end = number
    while start and rows[start - 1][0] != rows[start - 1][1]:
        start -= 1
    while end < len(rows) and rows[end][0] != rows[end][1]:
        end += 1
    return [line for row in rows[start:end] for line in row if line is not None]


def _single_barriers(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines without barriers that follow one with no instruction in between."""
    result = []
    done = False
    for line in lines:
        barrier = line.startswith("T.pipe_barrier")
        if not (barrier and done):
            result.append(line)
        done = barrier or (done and not _instruction(line))
    return tuple(result)


def _aligned(first: Sequence[_Statement], second: Sequence[_Statement]) -> Iterator[_Row]:
    """Statements of the same words side by side, so that as many as possible are, instructions first."""
    weights = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        for j in range(len(second) - 1, -1, -1):
            weights[i][j] = max(weights[i + 1][j], weights[i][j + 1])
            if first[i].words == second[j].words:
                weights[i][j] = max(weights[i][j], weights[i + 1][j + 1] + _weight(first[i], second[j]))
    i = j = 0
    while i < len(first) or j < len(second):
        alike = i < len(first) and j < len(second) and first[i].words == second[j].words
        if alike and weights[i][j] == weights[i + 1][j + 1] + _weight(first[i], second[j]):
            yield first[i], second[j]
            i, j = i + 1, j + 1
        elif i == len(first) or (j < len(second) and weights[i][j] == weights[i][j + 1]):
            yield None, second[j]
            j += 1
        else:
            yield first[i], None
            i += 1


def _weight(one: _Statement, other: _Statement) -> float:
    if not one.computes:
        return 0.5
    return 2.0 + 0.01 * sum(a == b for a, b in zip(one.buffers, other.buffers, strict=True))
