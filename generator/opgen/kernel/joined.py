"""Several texts of one block of Python as one, with branches around what only some of them have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

Parts = frozenset[int]  # numbers of the texts
Condition = Callable[[Parts, Parts], str]  # what holds for the first and for none of the second


@dataclass(frozen=True)
class Statement:
    """A line, or one of several in brackets, or a compound statement: what heads its suites, and those."""

    heads: tuple[str, ...]
    suites: tuple[tuple[Statement, ...], ...] = ()


@dataclass
class _Item:
    """A statement of the joined text, and the texts that have it."""

    heads: tuple[str, ...]
    suites: list[list[_Item]]
    parts: Parts


def joined(texts: Sequence[Sequence[str]], condition: Condition) -> list[str]:
    """One text that does what each of `texts` does under its condition. Statements keep their order."""
    items: list[_Item] = []
    for number, text in enumerate(texts):
        items = _align(items, parse(text), number)
    return _shown(items, frozenset(range(len(texts))), condition)


# ---- reading ----


def parse(lines: Sequence[str]) -> tuple[Statement, ...]:
    """Statements of lines that begin without indentation, blank ones and comments among them."""
    result: list[Statement] = []
    position = 0
    while position < len(lines):
        end = position + 1
        while end < len(lines) and (_inner(lines[end]) or _closes(lines[end])):
            end += 1
        while end > position + 1 and not lines[end - 1]:  # blank lines in front of what follows
            end -= 1
        head, rest = _head(lines[position:end])
        suites = (parse([line[4:] for line in rest]),) if rest else ()
        if head.startswith(("elif ", "else:")):
            before = result.pop()
            result.append(Statement((*before.heads, head), (*before.suites, *suites)))
        else:
            result.append(Statement((head,), suites))
        position = end
    return tuple(result)


def _inner(line: str) -> bool:
    return not line or line.startswith(" ")


def _closes(line: str) -> bool:
    return line.startswith((")", "]", "}"))


def _head(lines: Sequence[str]) -> tuple[str, Sequence[str]]:
    """A statement's first line, with those that its brackets go on in, and its suite."""
    depth = count = 0
    for line in lines:
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        count += 1
        if depth <= 0 or line.startswith("#"):
            break
    return "\n".join(lines[:count]), lines[count:]


# ---- joining ----


def _align(items: list[_Item], text: Sequence[Statement], number: int) -> list[_Item]:
    """The items with one more text, so that the two share as much as possible."""
    weights = [[0.0] * (len(text) + 1) for _ in range(len(items) + 1)]
    for i, item in enumerate(items, 1):
        for j, statement in enumerate(text, 1):
            weights[i][j] = max(weights[i - 1][j], weights[i][j - 1])
            if item.heads == statement.heads:
                weights[i][j] = max(weights[i][j], weights[i - 1][j - 1] + _weight(item, statement))
    result: list[_Item] = []
    i, j = len(items), len(text)
    while i or j:
        if i and j and items[i - 1].heads == text[j - 1].heads:
            item, statement = items[i - 1], text[j - 1]
            if weights[i][j] == weights[i - 1][j - 1] + _weight(item, statement):
                suites = [_align(a, b, number) for a, b in zip(item.suites, statement.suites, strict=True)]
                result.append(_Item(item.heads, suites, item.parts | {number}))
                i, j = i - 1, j - 1
                continue
        if j and weights[i][j] == weights[i][j - 1]:
            j -= 1
            result.append(_item(text[j], number))
        else:
            i -= 1
            result.append(items[i])
    return result[::-1]


def _weight(item: _Item, statement: Statement) -> float:
    """What it is worth to have a statement once. Those that more texts have are better."""
    if not statement.heads[0]:
        return 0.1
    one = 0.5 if statement.heads[0].startswith(("#", "T.pipe_barrier")) else 2.0
    return one + 2.0 * sum(map(len, statement.suites)) + 0.01 * len(item.parts)


def _item(statement: Statement, number: int) -> _Item:
    suites = [[_item(inner, number) for inner in suite] for suite in statement.suites]
    return _Item(statement.heads, suites, frozenset({number}))


# ---- writing ----


def _shown(items: list[_Item], every: Parts, condition: Condition) -> list[str]:
    result: list[str] = []
    grouped = [(parts, list(run)) for parts, run in groupby(items, key=lambda item: item.parts)]
    runs = [
        (every if all(map(_hurts_nobody, run)) else parts, run)
        for parts, run in grouped
        if parts == every or not all(map(_says_nothing, run))
    ]
    position = 0
    while position < len(runs):
        parts, run = runs[position]
        if parts == every:
            result += _plain(run, condition)
            position += 1
            continue
        rest = every - parts
        if position + 1 < len(runs) and runs[position + 1][0] == rest and condition(parts, rest).startswith("not "):
            runs[position : position + 2] = runs[position + 1], runs[position]  # what holds comes first
            (parts, run), rest = runs[position], parts
        keyword = "if"
        while True:
            head = f"{keyword} {condition(parts, rest)}:" if rest else "else:"
            result += [head, *(f"    {line}" if line else "" for line in _plain(run, condition))]
            position += 1
            if position == len(runs) or not runs[position][0] <= rest:
                break
            parts, run = runs[position]
            rest, keyword = rest - parts, "elif"
    return result


def _says_nothing(item: _Item) -> bool:
    """A comment or a blank line, which alone needs no condition."""
    return not item.suites and (not item.heads[0] or item.heads[0].startswith("#"))


def _hurts_nobody(item: _Item) -> bool:
    """A barrier, which costs little where it is not needed and a condition would cost the reader more."""
    return _says_nothing(item) or (not item.suites and item.heads[0].startswith("T.pipe_barrier"))


def _plain(run: list[_Item], condition: Condition) -> list[str]:
    return [line for item in run for line in _lines(item, condition)]


def _lines(item: _Item, condition: Condition) -> Iterator[str]:
    if not item.suites:
        yield from item.heads[0].split("\n")
    for head, suite in zip(item.heads, item.suites, strict=False):
        yield from head.split("\n")
        yield from (f"    {line}" if line else "" for line in _shown(suite, item.parts, condition))
