"""Long expressions of a formula, taken apart until the lines of C++ fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from opgen.cxx.layout import WIDTH, columns
from opgen.cxx.names import Names
from opgen.formula.cxx import ScalarCode
from opgen.formula.ir import Assignment, Node

_NAMED = ("attr", "load", "local")
_LEAVES = ("const", "dim", *_NAMED)
_SHORT = "u"

Print = Callable[[tuple[Assignment, ...]], tuple[list[str], ScalarCode]]


def fitting(assignments: tuple[Assignment, ...], print_all: Print, indent: int) -> tuple[list[str], ScalarCode]:
    """The lines of some assignments. Long expressions are taken apart until every line fits."""
    names = Names(a.name for a in assignments)
    while True:
        lines, code = print_all(assignments)
        long = next((n for n, line in enumerate(lines) if columns(line) + indent > WIDTH), None)
        if long is None:
            return lines, code
        position = _assignment_of(lines[long:], assignments)
        parts = _taken_apart(assignments[position], names)
        if parts is None:
            return lines, code
        assignments = (*assignments[:position], *parts, *assignments[position + 1 :])


def _assignment_of(lines: list[str], assignments: tuple[Assignment, ...]) -> int:
    """The assignment that the first of the lines belongs to. A variable that a function needs stands before it."""
    names = {a.name: n for n, a in enumerate(assignments)}
    for line in lines:
        target = line.split(" = ", 1)[0].split()[-1].removeprefix("expected.").removesuffix("[i]")
        for name in (target, re.sub(r"_value(_\d+)?$", "", target)):
            if name in names:
                return names[name]
    return len(assignments) - 1


def _taken_apart(assignment: Assignment, names: Names) -> tuple[Assignment, Assignment] | None:
    """The largest operand as a line of its own, and the line that reads it. None: there is nothing to take out."""
    value = assignment.value
    candidates = [arg for arg in value.args if arg.op not in _LEAVES]
    if candidates:
        operand = max(candidates, key=lambda arg: sum(1 for _ in arg.walk()))
        name = names.new(re.sub(r"_part\d*$", "", assignment.name) + "_part")
    else:
        # A function that is written out repeats its operand: a short name helps.
        candidates = [arg for arg in value.args if arg.op in _NAMED and str(arg.value).rstrip("0123456789") != _SHORT]
        if not candidates:
            return None
        operand, name = candidates[0], names.new(_SHORT)
    part = Assignment(name, operand, output=False)
    local = Node("local", operand.kind, operand.shape, (), part.name, operand.offset)
    args = tuple(local if arg is operand else arg for arg in value.args)
    return part, replace(assignment, value=replace(value, args=args))
