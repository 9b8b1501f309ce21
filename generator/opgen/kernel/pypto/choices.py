"""Kernel instances that read differently, as `if`, `elif` and `else` over constants of the instance.

The front end takes comparisons with `==` and `!=`, and no `in`: conditions are of one constant each, nested where one
does not tell all instances apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Lines = tuple[str, ...]
Point = tuple[str, ...]  # an instance: the value of each axis, as written
Branch = tuple[list[str], list[str]]  # values of an axis, and the lines that they share


@dataclass(frozen=True)
class Axis:
    """A constant of the instance: its name in the kernel. other: the value that every other value is treated as; ""
    where there are no others. The build may try a kernel with a type that it does not have."""

    name: str
    other: str = ""


def choose(texts: Mapping[Point, Lines], axes: Sequence[Axis]) -> list[str]:
    """The lines of all instances. What begins or ends all of them alike stands outside."""
    different = set(texts.values())
    if len(different) == 1:
        return list(next(iter(texts.values())))
    before = _common(list(different))
    while before and before[-1].lstrip().startswith("#"):
        before = before[:-1]  # a comment stays with what it heads
    rest = {point: lines[len(before) :] for point, lines in texts.items()}
    after = _common([lines[::-1] for lines in set(rest.values())])[::-1]
    rest = {point: lines[: len(lines) - len(after)] for point, lines in rest.items()}
    return [*before, *_split(rest, axes), *after]


def _common(texts: Sequence[Lines]) -> Lines:
    """The longest common beginning that leaves no block cut in two."""
    length = 0
    while all(len(text) > length for text in texts) and len({text[length] for text in texts}) == 1:
        length += 1
    first = min(texts, key=len)
    while (
        length
        and length < max(map(len, texts))
        and any(len(text) > length and text[length].startswith((" ", ")", "]")) for text in texts)
    ):
        length -= 1
    return first[:length]


def _split(texts: Mapping[Point, Lines], axes: Sequence[Axis]) -> list[str]:
    number = min(range(len(axes)), key=lambda n: (_cost(texts, n), n))
    groups = _groups(texts, number)
    if len(groups) < 2:
        raise ValueError("instances with different text that nothing tells apart")
    axis = axes[number]
    branches = [(values, choose(members, axes)) for values, members in groups]
    if len(branches) == 2 and not all(lines for _, lines in branches):
        return _one_sided(axis, branches)
    # The last one needs no condition: what other values are treated as, else what is empty or has most values.
    last = max(branches, key=lambda branch: (axis.other in branch[0], not branch[1], len(branch[0])))
    result: list[str] = []
    for values, lines in branches:
        if values is not last[0]:
            for condition in _conditions(axis.name, values):
                result += [f"{'elif' if result else 'if'} {condition}:", *_indented(lines or ["pass"])]
    if _is_choice(last[1]):
        return [*result, f"el{last[1][0]}", *last[1][1:]]
    return [*result, "else:", *_indented(last[1])] if last[1] else result


def _one_sided(axis: Axis, branches: list[Branch]) -> list[str]:
    """Two branches of which one has no lines."""
    ((values, lines),) = (branch for branch in branches if branch[1])
    ((without, _),) = (branch for branch in branches if not branch[1])
    negative = axis.other in values or (len(values) > 1 and len(without) == 1)
    if axis.other in without or not negative:
        tests = _conditions(axis.name, values)
        return [line for test in tests for line in (f"if {test}:", *_indented(lines))]
    for value in without[::-1]:
        lines = [f"if {axis.name} != {value}:", *_indented(lines)]
    return list(lines)


def _is_choice(lines: Sequence[str]) -> bool:
    """Whether these are an `if` with its branches and nothing else."""
    inner = [line for line in lines[1:] if line and not line.startswith(" ")]
    return bool(lines) and lines[0].startswith("if ") and all(line.startswith(("elif ", "else:")) for line in inner)


def _conditions(name: str, values: list[str]) -> list[str]:
    """One condition for one value or two; several where there are more, since conditions have two terms at most."""
    tests = [f"{name} == {value}" for value in values]
    return [" or ".join(tests)] if len(tests) <= 2 else tests


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def _groups(texts: Mapping[Point, Lines], number: int) -> list[tuple[list[str], dict[Point, Lines]]]:
    """Values of an axis that lead to the same texts, with those texts."""
    by_value: dict[str, dict[Point, Lines]] = {}
    for point, lines in texts.items():
        by_value.setdefault(point[number], {})[point] = lines
    groups: list[tuple[list[str], dict[Point, Lines]]] = []
    for value, members in by_value.items():
        shape = {_without(point, number): lines for point, lines in members.items()}
        for values, known in groups:
            if shape == {_without(point, number): lines for point, lines in known.items()}:
                values.append(value)
                break
        else:
            groups.append(([value], members))
    return groups


def _without(point: Point, number: int) -> Point:
    return (*point[:number], *point[number + 1 :])


def _cost(texts: Mapping[Point, Lines], number: int) -> tuple[int, int]:
    """How many texts are left to tell apart behind a choice, and its branches."""
    groups = _groups(texts, number)
    if len(groups) < 2:
        return (10**6, 0)
    return (sum(len(set(members.values())) for _, members in groups), len(groups))
