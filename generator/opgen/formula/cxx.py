"""An elementwise formula in C++17: what one element of each output should be, computed in double."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from opgen.formula.cxx_printer import Printer, Rounding
from opgen.formula.ir import Assignment, Node, TypedFormula
from opgen.formula.reach import Reaches, reach

__all__ = ["ScalarCode", "is_scalar", "live", "scalar"]

Name = Callable[[str], str]

# Operations that look at more than one element, or move elements.
_MOVING = {"sum", "mean", "max", "min", "argmax", "argmin", "arange", "slice", "expand", "concat", "matmul"}


@dataclass(frozen=True)
class ScalarCode:
    """C++ for one element.

    statements: in order, `const double h = ...;`. outputs: (name, expression) of each output that the formula assigns,
    of type double, int64_t or bool, not yet rounded to its type. headers: "<cmath>" and the like, sorted.
    """

    statements: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    headers: tuple[str, ...]


def is_scalar(typed: TypedFormula) -> bool:
    """Whether every element of the outputs follows from one element of each input."""
    return not any(node.op in _MOVING for node in typed.walk())


def scalar(
    typed: TypedFormula,
    element: Name,
    attr: Name,
    dim: Name,
    rounding: Rounding,
    taken: Iterable[str] = (),
    reaches: Reaches | None = None,
) -> ScalarCode:
    """The statements and expressions for one element. ValueError: the formula is not elementwise.

    element, attr, dim: name -> expression that binds like a name, of type double, int64_t or bool by the kind of the
    input or attribute (dims: int64_t). rounding: see Printer. taken: identifiers that variables must not have, besides
    what these functions give. reaches: elements that may be more than finite numbers.
    """
    variables: dict[str, str] = {}
    naming: dict[str, Name] = {"load": element, "attr": attr, "dim": dim, "local": lambda name: variables[name]}

    def leaf(node: Node) -> str | None:
        return naming[node.op](str(node.value)) if node.op in naming else None

    used = {naming[node.op](str(node.value)) for node in typed.walk() if node.op in naming and node.op != "local"}
    known = dict(reaches or {})
    printer = Printer(leaf, rounding, {*used, *taken}, known)
    read = {str(node.value) for node in typed.walk() if node.op == "local"}
    outputs: list[tuple[str, str]] = []
    for assignment in live(typed):
        text = printer.text(_stored(assignment, read))
        known["local", assignment.name] = reach(assignment.value, known)
        if assignment.name in read:
            stem = assignment.name if assignment.name not in printer.taken else f"{assignment.name}_value"
            variable = printer.fresh(stem)
            printer.statements.append(f"const {printer.type(assignment.value.kind)} {variable} = {text};")
            variables[assignment.name] = text = variable
        if assignment.output:
            outputs.append((assignment.name, text))
    return ScalarCode(tuple(printer.statements), tuple(outputs), tuple(sorted(printer.headers)))


def _stored(assignment: Assignment, read: set[str]) -> Node:
    """The value; a cast to the type of the output is left to the store, where nothing else reads the value."""
    value = assignment.value
    if value.op == "cast" and value.value == assignment.dtype and assignment.name not in read:
        operand = value.args[0]
        if operand.kind == value.kind == "float":
            return operand
    return value


def live(typed: TypedFormula) -> tuple[Assignment, ...]:
    """The assignments that an output depends on, in order."""
    needed: set[str] = set()
    kept: list[Assignment] = []
    for assignment in reversed(typed.assignments):
        if assignment.output or assignment.name in needed:
            kept.append(assignment)
            needed.update(str(node.value) for node in assignment.value.walk() if node.op == "local")
    return tuple(reversed(kept))
