"""Variants whose kernels read differently, as branches of Python with the shortest conditions that tell them apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from opgen.formula.signature import Variant
from opgen.kernel.joined import Parts, joined
from opgen.kernel.lines import WIDTH

HALF = ("float16", "bfloat16")

Values = tuple[object, ...]
Group = tuple[tuple[Variant, ...], tuple[str, ...]]  # variants, and the lines that they share


@dataclass(frozen=True)
class Axis:
    """Something that tells variants apart. written: the variable that holds it in the script. said: conditions on it
    that the script has a name for, with that."""

    written: str
    of: Mapping[Variant, object]
    said: Mapping[str, str] = field(default_factory=dict)


def named(axis: Axis, values: Sequence[object], word: str) -> Axis:
    """The axis with a word for these values of it."""
    mine = [value for value in dict.fromkeys(axis.of.values()) if value in values]
    rest = [value for value in dict.fromkeys(axis.of.values()) if value not in values]
    said = {_of_one(axis.written, mine, others): word for others in (rest, [])}
    said |= {_of_one(axis.written, rest, others): f"not {word}" for others in (mine, [])}
    return Axis(axis.written, axis.of, said)


def merge(texts: Mapping[Variant, tuple[str, ...]]) -> list[Group]:
    """Variants with equal texts together, in order of appearance."""
    groups: dict[tuple[str, ...], list[Variant]] = {}
    for variant, lines in texts.items():
        groups.setdefault(lines, []).append(variant)
    return [(tuple(group), lines) for lines, group in groups.items()]


def branches(groups: list[Group], axes: Sequence[Axis], indent: int) -> list[str]:
    """The lines of all groups under if, elif and else, with what they share outside: what begins or ends all of them
    alike, or whatever they share, if that is shorter. indent: columns in front of the result.
    """
    if len(groups) == 1:
        return _lines(groups[0][1])

    def holds(parts: Parts, rest: Parts) -> str:
        mine, others = ([v for n in sorted(some) for v in groups[n][0]] for some in (parts, rest))
        return condition(mine, others, axes)

    apart = _apart(groups, axes, indent)
    together = joined([_lines(lines) for _, lines in groups], holds)
    return min(apart, together, key=partial(effort, indent=indent))


def effort(lines: list[str], indent: int = 0) -> int:
    """What it takes to read them: each line, and more for conditions, most for those of several variables at once and
    for those that fit into no line."""
    heads = [line for line in lines if line.lstrip().startswith(("if ", "elif ", "else:"))]
    wide = sum(indent + len(line) > WIDTH for line in heads)
    return len(lines) + sum(50 if " in ((" in head else 2 for head in heads) + 1000 * wide


def _apart(groups: list[Group], axes: Sequence[Axis], indent: int) -> list[str]:
    """Each group's lines as a branch."""
    before = _common([lines for _, lines in groups])
    while before and before[-1].startswith("#"):  # a comment stays with what it heads
        before = before[:-1]
    groups = [(group, lines[len(before) :]) for group, lines in groups]
    after = _common([lines[::-1] for _, lines in groups])[::-1]
    groups = [(group, lines[: len(lines) - len(after)]) for group, lines in groups]
    result = _lines(before)
    for number, (group, lines, rest) in enumerate(_ordered(groups, axes)):
        if not rest and not lines:
            continue
        result += [
            *_head(number, group, rest, axes, indent),
            *(f"    {line}" if line else "" for line in _lines(lines or ("pass",))),
        ]
    return [*result, *_lines(after)]


def choice(name: str, groups: list[Group], axes: Sequence[Axis], indent: int) -> list[str]:
    """`name` set to the one line of the group that applies."""
    if len(groups) == 1:
        return [f"{name} = {groups[0][1][0]}"]
    parts: list[str] = []
    for group, (line,), rest in _ordered(groups, axes):
        parts.append(f"else {line}" if parts else line)
        if rest:
            parts.append(f"if {condition(group, rest, axes)}")
    one = f"{name} = {' '.join(parts)}"
    return [one] if indent + len(one) <= WIDTH else [f"{name} = (", *(f"    {part}" for part in parts), ")"]


def _lines(texts: Sequence[str]) -> list[str]:
    """Texts of one line or of several that must stay together, as lines."""
    return [line for text in texts for line in text.split("\n")]


def _common(texts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The longest common beginning."""
    length = 0
    while all(len(text) > length for text in texts) and len({text[length] for text in texts}) == 1:
        length += 1
    return texts[0][:length]


def _ordered(
    groups: list[Group], axes: Sequence[Axis]
) -> Iterator[tuple[tuple[Variant, ...], tuple[str, ...], list[Variant]]]:
    """Each group with the variants that are left after it: the half types first, then the shortest conditions."""
    left = list(groups)
    while left:
        chosen = min(left, key=partial(_cost, left=left, two=len(groups) == 2, axes=axes))
        left = [group for group in left if group is not chosen]
        yield *chosen, [v for group in left for v in group[0]]


def _cost(group: Group, left: list[Group], two: bool, axes: Sequence[Axis]) -> tuple[bool, int]:
    rest = [v for other in left if other is not group for v in other[0]]
    half = two and any({axis.of[v] for v in group[0]} <= set(HALF) for axis in axes)
    return not half, len(condition(group[0], rest, axes)) if rest else 0


def _head(
    number: int, group: Sequence[Variant], rest: Sequence[Variant], axes: Sequence[Axis], indent: int
) -> list[str]:
    if not rest:
        return ["else:"]
    keyword = "elif" if number else "if"
    line = f"{keyword} {condition(group, rest, axes)}:"
    if indent + len(line) <= WIDTH:
        return [line]
    names, _, values = line.partition(" in (")
    return [f"{names} in (", *(f"    {value}," for value in values[:-2].replace("), (", ")\n(").splitlines()), "):"]


def condition(group: Sequence[Variant], rest: Sequence[Variant], axes: Sequence[Axis]) -> str:
    """What holds for `group` and for none of `rest`: of as few variables as possible."""
    for size in range(1, len(axes) + 1):
        for chosen in itertools.combinations(axes, size):
            mine = list(dict.fromkeys(tuple(axis.of[v] for axis in chosen) for v in group))
            others = {tuple(axis.of[v] for axis in chosen) for v in rest}
            if others.isdisjoint(mine):
                return _written(chosen, mine, others)
    raise ValueError("variants with different kernels that nothing tells apart")


def _written(axes: Sequence[Axis], mine: list[Values], others: set[Values]) -> str:
    if len(axes) == 1:
        text = _of_one(axes[0].written, [value for (value,) in mine], [value for (value,) in others])
        return axes[0].said.get(text, text)
    by_axis = [list(dict.fromkeys(values)) for values in zip(*mine, strict=True)]
    if len(mine) == len(list(itertools.product(*by_axis))):
        parts = [_written([axis], [(v,) for v in values], set()) for axis, values in zip(axes, by_axis, strict=True)]
        return " and ".join(parts)
    if len(axes) == 2 and all(a == b for a, b in mine) and not any(a == b for a, b in others):
        return f"{axes[0].written} == {axes[1].written}"
    if len(others) == 1 and others <= set(itertools.product((True, False), repeat=len(axes))):
        (other,) = others
        return " or ".join(_written([axis], [(not v,)], {(v,)}) for axis, v in zip(axes, other, strict=True))
    names = ", ".join(axis.written for axis in axes)
    shown = ", ".join(f"({', '.join(map(literal, values))})" for values in mine)
    return f"({names}) in ({shown}{',' if len(mine) == 1 else ''})"


def _of_one(name: str, values: list[object], others: list[object]) -> str:
    if values in ([True], [False]):
        return name if values[0] else f"not {name}"
    if len(values) == 1:
        return f"{name} == {literal(values[0])}"
    if len(others) == 1:
        return f"{name} != {literal(others[0])}"
    return f"{name} in ({', '.join(map(literal, values))})"


def literal(value: object) -> str:
    """A value as Python with double quotes."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    return repr(value)
