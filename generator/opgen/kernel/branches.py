"""Variants whose kernels read differently, as branches of Python with the shortest conditions that tell them apart."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from opgen.formula.signature import Variant

HALF = ("float16", "bfloat16")

Values = tuple[object, ...]


@dataclass(frozen=True)
class Axis:
    """Something that tells variants apart. written: the variable that holds it in the script."""

    written: str
    of: Mapping[Variant, object]


def merge(texts: Mapping[Variant, tuple[str, ...]]) -> list[tuple[tuple[Variant, ...], tuple[str, ...]]]:
    """Variants with equal texts together, in order of appearance."""
    groups: dict[tuple[str, ...], list[Variant]] = {}
    for variant, lines in texts.items():
        groups.setdefault(lines, []).append(variant)
    return [(tuple(group), lines) for lines, group in groups.items()]


def branches(groups: list[tuple[tuple[Variant, ...], tuple[str, ...]]], axes: Sequence[Axis]) -> list[str]:
    """The lines of all groups under if, elif and else; a single group without any condition. Groups without lines: pass."""
    if len(groups) == 1:
        return list(groups[0][1])
    groups = sorted(groups, key=lambda group: _rank(group[0], groups, axes))
    result: list[str] = []
    for number, (group, lines) in enumerate(groups):
        rest = [v for other, _ in groups[number + 1 :] for v in other]
        if not rest:
            if not lines:
                continue
            head = "else:"
        else:
            head = f"{'elif' if number else 'if'} {condition(group, rest, axes)}:"
        result += [head, *(f"    {line}" if line else "" for line in lines or ("pass",))]
    return result


def _rank(group: tuple[Variant, ...], groups: Sequence[object], axes: Sequence[Axis]) -> tuple[int, int]:
    """The half types come first, as they need more text; the rest in order."""
    half = any({axis.of[v] for v in group} <= set(HALF) for axis in axes)
    return (0 if half and len(groups) == 2 else 1, 0)


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
        name, values = axes[0].written, [value for (value,) in mine]
        if values in ([True], [False]):
            return name if values[0] else f"not {name}"
        if len(values) == 1:
            return f"{name} == {literal(values[0])}"
        if len(others) == 1:
            ((other,),) = others
            return f"{name} != {literal(other)}"
        return f"{name} in ({', '.join(map(literal, values))})"
    by_axis = [list(dict.fromkeys(values)) for values in zip(*mine, strict=True)]
    if len(mine) == len(list(itertools.product(*by_axis))):
        parts = [_written([axis], [(v,) for v in values], set()) for axis, values in zip(axes, by_axis, strict=True)]
        return " and ".join(parts)
    names = ", ".join(axis.written for axis in axes)
    shown = ", ".join(f"({', '.join(map(literal, values))})" for values in mine)
    return f"({names}) in ({shown}{',' if len(mine) == 1 else ''})"


def literal(value: object) -> str:
    """A value as Python with double quotes."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    return repr(value)
