"""What the outputs of the first case should be, in C++: ComputeExpected of common/NAME_case.h."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from opgen.cxx.layout import WIDTH, columns, comment
from opgen.formula.cxx import ScalarCode, is_scalar, scalar
from opgen.formula.cxx_printer import TYPES
from opgen.formula.ir import Assignment, Node, TypedFormula
from opgen.ge.program_arrays import Arrays, broadcast_index
from opgen.ge.program_model import ELEMENTS, CaseModel, CaseTensor, Names
from opgen.text.escape import cxx_comment

_NAMED = ("attr", "load", "local")
_LEAVES = ("const", "dim", *_NAMED)
_SHORT = "u"


@dataclass(frozen=True)
class ExpectedCode:
    """text: the function with its comment. includes: standard headers that it needs."""

    text: str
    includes: frozenset[str]


def expected_code(model: CaseModel) -> ExpectedCode:
    """`Expected ComputeExpected(const Inputs &inputs)`: the formula in double, int64_t and bool."""
    assert model.typed is not None
    names = Names(("inputs", "expected", "i", "k", "row", "column", "sum"))
    attrs = {a.attr.name: names.new(a.attr.name, f"{a.attr.name}_value") for a in model.attrs}
    body = _Fused(model, names, attrs) if _is_fused(model) else _Unfused(model, names, attrs)
    lines = list(body.lines())
    used = {str(node.value) for node in model.typed.walk() if node.op == "attr"}
    kinds = {str(node.value): node.kind for node in model.typed.walk() if node.op == "attr"}
    constants = [
        f"  const {TYPES[kinds[a.attr.name]]} {attrs[a.attr.name]} = {a.constant};"
        for a in model.attrs
        if a.attr.name in used
    ]
    text = [
        *_comment(model.operator.compute),
        "inline Expected ComputeExpected(const Inputs &inputs) {",
        *constants,
        *lines,
        "  return expected;",
        "}",
    ]
    return ExpectedCode("\n".join(text), frozenset(header.strip("<>") for header in body.headers))


def _comment(compute: str) -> Iterator[str]:
    lines = [cxx_comment(line) for line in compute.splitlines() if line.strip()]
    if len(lines) == 1 and columns(lines[0]) + len("// , computed in double.") <= WIDTH:
        yield f"// {lines[0].strip()}, computed in double."
        return
    yield "// The formula, computed in double:"
    for line in lines:
        yield f"//   {line}" if columns(line) + len("//   ") <= WIDTH else comment(line, sign="//   ")


def _is_fused(model: CaseModel) -> bool:
    """Whether one loop over the elements does it: all outputs have one shape, and every element stands alone."""
    assert model.typed is not None
    return is_scalar(model.typed) and len({t.dims for t in model.outputs}) == 1


def rounded(dtype: str, expression: str) -> str:
    """A double rounded to a half type."""
    return f"static_cast<double>({ELEMENTS[dtype]}({expression}))"


class _Fused:
    """One loop, in which all outputs are computed."""

    def __init__(self, model: CaseModel, names: Names, attrs: dict[str, str]) -> None:
        self.model = model
        self.attrs = attrs
        self.headers: set[str] = set()
        assert model.typed is not None
        self.typed = model.typed
        self.loads = {str(node.value): node for node in self.typed.walk() if node.op == "load"}
        self.variables = {name: names.new(name, f"{name}_value") for name in self.loads}
        self.taken = ("inputs", "expected", "i")

    def lines(self) -> Iterator[str]:
        count = self.model.outputs[0].count
        dims = self.model.outputs[0].dims
        constant: list[str] = []
        element: list[str] = []
        for tensor in self.model.inputs:
            if tensor.name in self.loads:
                index = broadcast_index(tensor.dims, dims)
                target = constant if index == "0" else element
                target.append(self._load(tensor, index))
        yield from (f"  {line}" for line in constant)
        yield "  Expected expected;"
        for tensor in self.model.outputs:
            yield f"  expected.{tensor.name}.resize({count});"
        yield f"  for (size_t i = 0U; i < {count}; ++i) {{"
        yield from (f"    {line}" for line in element)
        yield from (f"    {line}" for line in self._formula())
        yield "  }"

    def _load(self, tensor: CaseTensor, index: str) -> str:
        kind = self.loads[tensor.name].kind
        test = " != 0" if kind == "bool" else ""
        return f"const {TYPES[kind]} {self.variables[tensor.name]} = inputs.{tensor.name}[{index}]{test};"

    def _formula(self) -> Sequence[str]:
        dims = dict(self.model.dims)

        def print_all(assignments: tuple[Assignment, ...]) -> tuple[list[str], ScalarCode]:
            code = scalar(
                TypedFormula(assignments),
                element=self.variables.__getitem__,
                attr=self.attrs.__getitem__,
                dim=lambda name: str(dims[name]),
                rounding=rounded,
                taken=self.taken,
            )
            return [*code.statements, *(f"expected.{name}[i] = {text};" for name, text in code.outputs)], code

        lines, code = fitting(self.typed.assignments, print_all, indent=4)
        self.headers.update(code.headers)
        return lines


class _Unfused:
    """One loop a line of the formula, over whole arrays."""

    def __init__(self, model: CaseModel, names: Names, attrs: dict[str, str]) -> None:
        self.model = model
        self.headers: set[str] = set()
        self.arrays = Arrays(model, names, attrs, self.headers, rounded)

    def lines(self) -> Iterator[str]:
        self.arrays.compute(fitting)
        yield from (f"  {line}" for line in self.arrays.lines)
        yield "  Expected expected;"
        for tensor in self.model.outputs:
            variable = self.arrays.outputs[tensor.name]
            yield f"  expected.{tensor.name}.assign({variable}.begin(), {variable}.end());"


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
