"""A formula over whole arrays in C++: reductions, pieces, matrix products, broadcasting.

Every index is arithmetic on sizes, which are numbers or extents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from opgen.cxx.extents import Axis, elements, extent, real
from opgen.cxx.fitting import fitting
from opgen.cxx.names import Names
from opgen.facts.dtypes import Kind
from opgen.formula.cxx import ScalarCode, live, scalar
from opgen.formula.cxx_printer import TYPES, Rounding
from opgen.formula.ir import Assignment, Node, TypedFormula
from opgen.formula.reach import Reach, reach
from opgen.formula.signature import Shape
from opgen.formula.sizes import Size, evaluate, names, substitute

_REDUCTIONS = {"sum", "mean", "max", "min", "argmax", "argmin"}
# NaN is the largest of its row, and the smallest, as in NumPy.
_NAN_FIRST = {
    "max": "[](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }",
    "min": "[](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a < b; }",
}
_MOVING = _REDUCTIONS | {"arange", "slice", "expand", "concat", "matmul"}


@dataclass(frozen=True)
class SizedFormula:
    """A formula with everything that C++ for it is made of.

    inputs, outputs: (name, dims), in order; inputs are members of `inputs`. counts: output -> the constant with its
    number of elements. sizes: dims, and attributes that are whole numbers. rest: the axes that `...` stands for.
    attrs: attribute -> its value in C++. rounding: see Printer. indent: columns in front of the statements.
    taken: names that variables must not have.
    """

    typed: TypedFormula
    inputs: tuple[tuple[str, tuple[Axis, ...]], ...]
    outputs: tuple[tuple[str, tuple[Axis, ...]], ...]
    counts: Mapping[str, str]
    sizes: Mapping[str, Axis]
    rest: tuple[Axis, ...]
    attrs: Mapping[str, str]
    rounding: Rounding
    indent: int = 2
    taken: tuple[str, ...] = ()

    def axis(self, size: Size) -> Axis:
        """A size of op.yaml."""
        known = {name: axis if isinstance(axis, int) else axis.size for name, axis in self.sizes.items()}
        numbers = {name: value for name, value in known.items() if isinstance(value, int)}
        return evaluate(size, numbers) if set(names(size)) <= set(numbers) else extent(substitute(size, known))

    def dim(self, name: str) -> str:
        """A dim in an expression, of type int64_t."""
        axis = self.sizes[name]
        return str(axis) if isinstance(axis, int) else f"static_cast<int64_t>({elements(axis)})"


@dataclass(frozen=True)
class Array:
    """A variable that holds all elements. A weak scalar has one element and no dims."""

    variable: str
    kind: Kind
    dims: tuple[Axis, ...]
    reach: Reach

    @property
    def elements(self) -> Axis:
        return product(self.dims)


class Arrays:
    """Collects the statements that compute a formula.

    lines: the statements. outputs: output -> variable with its elements. headers: what they need. attrs: attribute ->
    its variable.
    """

    def __init__(self, formula: SizedFormula, names: Names, attrs: Mapping[str, str]) -> None:
        self.lines: list[str] = []
        self.outputs: dict[str, str] = {}
        self.headers: set[str] = set()
        self._formula = formula
        self._names = names
        self._attrs = attrs
        self._loads: dict[str, Array] = {}
        self._locals: dict[str, Array] = {}
        self._known: dict[str, Array] = {}  # by variable
        self._compute()

    def _compute(self) -> None:
        typed = self._formula.typed
        loaded = {str(node.value): node.kind for node in typed.walk() if node.op == "load"}
        for name, dims in self._formula.inputs:
            if name in loaded:
                kind = loaded[name]
                array = self._array(name, kind, dims, Reach.FINITE)
                elements = f"(inputs.{name}.begin(), inputs.{name}.end())"
                self.lines.append(f"const std::vector<{TYPES[kind]}> {array.variable}{elements};")
                self._loads[name] = array
        for assignment in live(typed):
            value = self._flat(assignment.value, assignment.name)
            array = self._whole(value, assignment.value.shape, assignment.name)
            self._locals[assignment.name] = array
            if assignment.output:
                self.outputs[assignment.name] = array.variable

    def _array(self, stem: str, kind: Kind, dims: tuple[Axis, ...], reach: Reach) -> Array:
        array = Array(self._names.new(stem, f"{stem}_value"), kind, dims, reach)
        self._known[array.variable] = array
        return array

    def _dims(self, shape: Shape | None) -> tuple[Axis, ...]:
        dims: list[Axis] = []
        for axis in shape or ():
            if axis.op == "rest":
                dims += self._formula.rest
            else:
                dims.append(self._formula.axis(axis))
        return tuple(dims)

    def _leaf(self, array: Array, shape: Shape | None) -> Node:
        return Node("load", array.kind, shape, (), array.variable)

    def _flat(self, node: Node, stem: str = "") -> Node:
        """The node with everything that moves elements computed before; variables are loads of their names. stem: name
        for the variable that the node itself becomes, if it becomes one."""
        if node.op == "load":
            return self._leaf(self._loads[str(node.value)], node.shape)
        if node.op == "local":
            return self._leaf(self._locals[str(node.value)], node.shape)
        args = tuple(self._flat(arg) for arg in node.args)
        if node.op not in _MOVING:
            return replace(node, args=args)
        operands = [self._whole(flat, arg.shape, "part") for flat, arg in zip(args, node.args, strict=True)]
        return self._leaf(self._moved(node, operands, stem or node.op), node.shape)

    def _whole(self, node: Node, shape: Shape | None, stem: str) -> Array:
        return self._known[str(node.value)] if node.op == "load" else self._loop(stem, node, shape)

    @property
    def _reaches(self) -> dict[tuple[str, str], Reach]:
        return {("load", variable): array.reach for variable, array in self._known.items()}

    def _loop(self, stem: str, node: Node, shape: Shape | None) -> Array:
        """An array of its own for an expression element by element."""
        reaches = self._reaches
        array = self._array(stem, node.kind, self._dims(shape), reach(node, reaches))

        def print_all(assignments: tuple[Assignment, ...]) -> tuple[list[str], ScalarCode]:
            code = scalar(
                TypedFormula(assignments),
                element=lambda name: f"{name}[{broadcast_index(self._known[name].dims, array.dims)}]",
                attr=self._attrs.__getitem__,
                dim=self._formula.dim,
                rounding=self._formula.rounding,
                taken=("inputs", "i", *self._formula.taken, *self._known, *self._attrs.values()),
                reaches=reaches,
            )
            return [*code.statements, *(f"{array.variable}[i] = {text};" for _, text in code.outputs)], code

        lines, code = fitting((Assignment(array.variable, node, output=True),), print_all, 2 * self._formula.indent)
        self.headers.update(code.headers)
        self._fill(array, lines)
        return array

    def _fill(self, array: Array, lines: Sequence[str]) -> None:
        """Declares an array and runs `lines` for each of its elements."""
        self.lines.append(f"std::vector<{TYPES[array.kind]}> {array.variable}({elements(array.elements)});")
        self.lines.append(f"for (size_t i = 0U; i < {array.variable}.size(); ++i) {{")
        self.lines += [f"  {line}" for line in lines]
        self.lines.append("}")

    def _moved(self, node: Node, operands: list[Array], stem: str) -> Array:
        if node.op == "expand":
            array = replace(operands[0], dims=self._dims(node.shape))
            alias = self._array(f"{operands[0].variable}_view", array.kind, array.dims, array.reach)
            self.lines.append(f"const std::vector<{TYPES[array.kind]}> &{alias.variable} = {operands[0].variable};")
            return alias
        leaves = tuple(self._leaf(operand, arg.shape) for operand, arg in zip(operands, node.args, strict=True))
        array = self._array(stem, node.kind, self._dims(node.shape), reach(replace(node, args=leaves), self._reaches))
        if node.op in _REDUCTIONS:
            self._fill(array, [f"{array.variable}[i] = {self._reduced(node.op, operands[0])};"])
        elif node.op == "arange":
            self._fill(array, [f"{array.variable}[i] = static_cast<int64_t>(i);"])
        elif node.op == "slice":
            width, length = operands[0].dims[-1], array.dims[-1]
            assert isinstance(node.value, tuple)
            begin = node.value[0]
            start = self._formula.axis(begin) if isinstance(begin, Size) else 0
            offset = f" + {start}" if start != 0 else ""
            index = f"i / {length} * {width}{offset} + i % {length}"
            self._fill(array, [f"{array.variable}[i] = {operands[0].variable}[{index}];"])
        elif node.op == "concat":
            self._concat(array, operands)
        else:
            self._matmul(node, array, operands)
        return array

    def _reduced(self, op: str, operand: Array) -> str:
        """The value for row i."""
        x, width = operand.variable, operand.dims[-1]
        row = f"{x}.begin() + i * {width}, {x}.begin() + (i + 1U) * {width}"
        self.headers.add("<numeric>" if op in ("sum", "mean") else "<algorithm>")
        self.headers |= {"<cmath>"} if operand.reach == Reach.ANYTHING and op not in ("sum", "mean") else set()
        if op == "sum":
            return f"std::accumulate({row}, {'0.0' if operand.kind == 'float' else 'int64_t{0}'})"
        if op == "mean":
            return f"std::accumulate({row}, 0.0) / {real(width)}"
        order = f", {_NAN_FIRST[op[-3:]]}" if operand.reach == Reach.ANYTHING else ""
        found = f"std::{op[-3:]}_element({row}{order})"
        return f"{found} - ({x}.begin() + i * {width})" if op.startswith("arg") else f"*{found}"

    def _concat(self, array: Array, operands: list[Array]) -> None:
        width = array.dims[-1]
        lines = [f"const size_t row = i / {width};", f"const size_t column = i % {width};"]
        start: Axis = 0
        for position, operand in enumerate(operands):
            part = operand.dims[-1]
            head = f"}} else if (column < {start + part}) {{" if position else f"if (column < {part}) {{"
            lines.append("} else {" if position == len(operands) - 1 and position else head)
            offset = f" - {start}" if start != 0 else ""
            element = f"{operand.variable}[row * {part} + column{offset}]"
            lines.append(f"  {array.variable}[i] = {_converted(element, operand.kind, array.kind)};")
            start = start + part
        self._fill(array, [*lines, "}"])

    def _matmul(self, node: Node, array: Array, operands: list[Array]) -> None:
        left, right = operands
        assert isinstance(node.value, tuple)
        left_transposed, right_transposed = node.value
        rows, columns = array.dims[-2:]
        depth = left.dims[-2] if left_transposed else left.dims[-1]
        lines = [f"const size_t row = i / {columns} % {rows};", f"const size_t column = i % {columns};"]
        starts = []
        for operand in operands:
            index = broadcast_index(operand.dims[:-2], array.dims[:-2], f"i / {rows * columns}")
            index = f"({index})" if " + " in index else index
            starts.append("" if index == "0" else f"{index} * {product(operand.dims[-2:])} + ")
        of_left = f"k * {rows} + row" if left_transposed else f"row * {depth} + k"
        of_right = f"column * {depth} + k" if right_transposed else f"k * {columns} + column"
        lines += [
            f"{TYPES[array.kind]} sum = 0;",
            f"for (size_t k = 0U; k < {depth}; ++k) {{",
            f"  sum += {left.variable}[{starts[0]}{of_left}] * {right.variable}[{starts[1]}{of_right}];",
            "}",
            f"{array.variable}[i] = sum;",
        ]
        self._fill(array, lines)


def _converted(element: str, kind: Kind, wanted: Kind) -> str:
    """An element of an array as a number of a wider kind."""
    return element if kind == wanted else f"static_cast<{TYPES[wanted]}>({element})"


def product(dims: tuple[Axis, ...]) -> Axis:
    """The number of elements."""
    count: Axis = 1
    for axis in dims:
        count = count * axis
    return count


def broadcast_index(dims: tuple[Axis, ...], result: tuple[Axis, ...], i: str = "i") -> str:
    """Index of the element of an array with `dims` that element `i` of the result is computed from."""
    if product(dims) == 1:
        return "0"
    padded: tuple[Axis, ...] = (*(1 for _ in range(len(result) - len(dims))), *dims)
    runs: list[list[int]] = []  # [first axis of the run, last axis], of axes that the array has in full
    for axis, (own, whole) in enumerate(zip(padded, result, strict=True)):
        if own != whole or own == 1:
            continue
        joins = runs and all(result[a] == 1 for a in range(runs[-1][1] + 1, axis))
        if joins:
            runs[-1][1] = axis
        else:
            runs.append([axis, axis])
    terms = []
    for first, last in runs:
        behind = product(result[last + 1 :])
        before = product(result[:first])
        term = i if behind == 1 else f"{i} / {behind}"
        if before > 1:
            term += f" % {product(result[first : last + 1])}"
        own_stride = product(padded[last + 1 :])
        terms.append(term if own_stride == 1 else f"{term} * {own_stride}")
    return " + ".join(terms)
