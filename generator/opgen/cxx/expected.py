"""ComputeExpected: what the outputs of one case should be, in C++."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from opgen.cxx.arrays import Arrays, SizedFormula, broadcast_index
from opgen.cxx.fitting import fitting
from opgen.cxx.layout import WIDTH, columns, comment
from opgen.cxx.names import Names
from opgen.formula.cxx import ScalarCode, is_scalar, scalar
from opgen.formula.cxx_printer import TYPES
from opgen.formula.ir import Assignment, TypedFormula
from opgen.text.escape import cxx_comment

_DECLARATION = re.compile(r" *const (?:double|int64_t|bool) (\w+) = ")
_VARIABLE = re.compile(r"(?<![.\w])[A-Za-z_]\w*")  # not the members of structs
_OWN = ("inputs", "expected", "i", "k", "row", "column", "sum")


@dataclass(frozen=True)
class ExpectedCode:
    """text: the function with its comment. includes: standard headers that it needs."""

    text: str
    includes: frozenset[str]


def expected_code(formula: SizedFormula, compute: str) -> ExpectedCode:
    """`Expected ComputeExpected(const Inputs &inputs)`: the formula in double, int64_t and bool.

    Both structs have a std::vector for each tensor. The inputs are finite; NaN that the formula makes of them goes on
    as in NumPy. compute: the formula for readers.
    """
    lines, headers = expected_body(formula)
    parameter = "inputs" if any("inputs." in line for line in lines) else ""
    text = [
        *_comment(compute),
        f"inline Expected ComputeExpected(const Inputs &{parameter}) {{",
        *lines,
        "  return expected;",
        "}",
    ]
    return ExpectedCode("\n".join(text), headers)


def expected_body(formula: SizedFormula) -> tuple[list[str], frozenset[str]]:
    """The statements that declare and fill `expected`, two columns a level, and the headers that they need."""
    names = Names((*_OWN, *formula.taken))
    attrs = {name: names.new(name, f"{name}_value") for name in formula.attrs}
    kinds = {str(node.value): node.kind for node in formula.typed.walk() if node.op == "attr"}
    body = _Fused(formula, names, attrs) if _is_fused(formula) else _Unfused(formula, names, attrs)
    declared = [
        *(f"  const {TYPES[kinds[n]]} {attrs[n]} = {value};" for n, value in formula.attrs.items() if n in kinds),
        *body.lines(),
    ]
    return _read(declared), frozenset(header.strip("<>") for header in body.headers)


def _comment(compute: str) -> Iterator[str]:
    lines = [cxx_comment(line) for line in compute.splitlines() if line.strip()]
    if len(lines) == 1 and columns(lines[0]) + len("// , computed in double.") <= WIDTH:
        yield f"// {lines[0].strip()}, computed in double."
        return
    yield "// The formula, computed in double:"
    for line in lines:
        yield f"//   {line}" if columns(line) + len("//   ") <= WIDTH else comment(line, sign="//   ")


def _read(lines: list[str]) -> list[str]:
    """Without the numbers that nothing reads: `x ** 0` and `i == i` do not look at their operands."""
    declared = [(line, found.group(1)) for line in lines if (found := _DECLARATION.match(line))]
    words = Counter(word for line in lines for word in _VARIABLE.findall(line))
    unread = {line for line, name in declared if words[name] == 1}
    return _read([line for line in lines if line not in unread]) if unread else lines


def _is_fused(formula: SizedFormula) -> bool:
    """Whether one loop over the elements does it: all outputs have one shape, and every element stands alone."""
    return is_scalar(formula.typed) and len({dims for _, dims in formula.outputs}) == 1


class _Fused:
    """One loop, in which all outputs are computed."""

    def __init__(self, formula: SizedFormula, names: Names, attrs: Mapping[str, str]) -> None:
        self.formula = formula
        self.attrs = attrs
        self.headers: set[str] = set()
        self.loads = {str(node.value): node.kind for node in formula.typed.walk() if node.op == "load"}
        self.variables = {name: names.new(name, f"{name}_value") for name in self.loads}
        self.taken = ("inputs", "expected", "i", *formula.taken)

    def lines(self) -> Iterator[str]:
        first, dims = self.formula.outputs[0]
        size = self.formula.counts[first]
        constant: list[str] = []
        element: list[str] = []
        for name, own in self.formula.inputs:
            if name in self.loads:
                index = broadcast_index(own, dims)
                target = constant if index == "0" else element
                target.append(self._load(name, index))
        yield from (f"  {line}" for line in constant)
        yield "  Expected expected;"
        for name, _ in self.formula.outputs:
            yield f"  expected.{name}.resize({size});"
        yield f"  for (size_t i = 0U; i < {size}; ++i) {{"
        yield from (f"    {line}" for line in element)
        yield from (f"    {line}" for line in self._statements())
        yield "  }"

    def _load(self, name: str, index: str) -> str:
        kind = self.loads[name]
        test = " != 0" if kind == "bool" else ""
        return f"const {TYPES[kind]} {self.variables[name]} = inputs.{name}[{index}]{test};"

    def _statements(self) -> Sequence[str]:
        def print_all(assignments: tuple[Assignment, ...]) -> tuple[list[str], ScalarCode]:
            code = scalar(
                TypedFormula(assignments),
                element=self.variables.__getitem__,
                attr=self.attrs.__getitem__,
                dim=self.formula.dim,
                rounding=self.formula.rounding,
                taken=self.taken,
            )
            return [*code.statements, *(f"expected.{name}[i] = {text};" for name, text in code.outputs)], code

        lines, code = fitting(self.formula.typed.assignments, print_all, indent=2 * self.formula.indent)
        self.headers.update(code.headers)
        return lines


class _Unfused:
    """One loop a line of the formula, over whole arrays."""

    def __init__(self, formula: SizedFormula, names: Names, attrs: Mapping[str, str]) -> None:
        self.formula = formula
        self.arrays = Arrays(formula, names, attrs)
        self.headers = self.arrays.headers

    def lines(self) -> Iterator[str]:
        yield from (f"  {line}" for line in self.arrays.lines)
        yield "  Expected expected;"
        for name, _ in self.formula.outputs:
            variable = self.arrays.outputs[name]
            yield f"  expected.{name}.assign({variable}.begin(), {variable}.end());"
