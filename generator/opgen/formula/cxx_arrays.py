"""Any formula in C++17: loops over row-major std::vector, computed in double."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from opgen.facts.dtypes import Kind
from opgen.formula.cxx import Name, live, rounding_call
from opgen.formula.cxx_printer import TYPES, Printer, Rounding
from opgen.formula.ir import Node, TypedFormula
from opgen.formula.signature import Shape
from opgen.formula.sizes import Size, cxx, simplify

__all__ = ["ArrayCode", "arrays"]

ELEMENTS: Mapping[Kind, str] = {"float": "double", "int": "int64_t", "bool": "uint8_t"}  # in a std::vector
_ONE = Size.const(1)
_REDUCTIONS = {"sum", "mean", "max", "min", "argmax", "argmin"}
_LETTERS = "ijklmn"


@dataclass(frozen=True)
class ArrayCode:
    """C++ for whole tensors.

    lines: indented by two spaces a level. outputs: (name, variable): a std::vector of double, int64_t or uint8_t, not
    yet rounded to its type; an output that leaves out the axis of a reduction has the same elements. headers and rounds
    are those of ScalarCode.
    """

    lines: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    headers: tuple[str, ...]
    rounds: tuple[str, ...]


def arrays(
    typed: TypedFormula,
    element: Name,
    attr: Name,
    size: Name,
    rest: str = "1",
    rounding: Rounding = rounding_call,
    taken: Iterable[str] = (),
) -> ArrayCode:
    """Loops for a formula of any kind.

    element: input -> variable, a row-major std::vector of double, int64_t or uint8_t. attr: attribute -> expression
    that binds like a name. size: dim or int attribute -> such an expression of type int64_t. rest: the product of
    `...`, in the same way. taken: identifiers that variables must not have.
    """
    writer = _Writer(typed, element, attr, size, rest, rounding, taken)
    for assignment in live(typed):
        writer.assign(assignment.name, assignment.value, assignment.output)
    return ArrayCode(
        tuple(writer.lines), tuple(writer.outputs), tuple(sorted(writer.headers)), tuple(sorted(writer.rounds))
    )


class _Writer:
    def __init__(
        self,
        typed: TypedFormula,
        element: Name,
        attr: Name,
        size: Name,
        rest: str,
        rounding: Rounding,
        taken: Iterable[str],
    ) -> None:
        self.names: dict[str, Callable[[str], str]] = {"attr": attr, "dim": size, "load": element}
        self.size = size
        self.rest = rest
        self.rounding = rounding
        self.lines: list[str] = []
        self.outputs: list[tuple[str, str]] = []
        self.headers: set[str] = {"<cstdint>", "<vector>"}
        self.rounds: set[str] = set()
        self.depth = 0
        self.variables: dict[str, str] = {}  # of earlier lines
        self.results: dict[int, str] = {}  # of reductions and the like, by the identity of their nodes
        used = {self.names[node.op](str(node.value)) for node in typed.walk() if node.op in self.names}
        ranks = [len(node.shape or ()) for node in typed.walk()]
        self.taken = {*used, *taken, rest, *_LETTERS[: max(ranks)]}
        self.taken |= {size(str(part.value)) for node in typed.walk() for part in _names(node.shape)}

    # Output.

    def write(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def loops(self, axes: list[tuple[str, str]], body: Callable[[], None]) -> None:
        """A nest of loops over (index, count), with `body` inside. Names that are made up inside end with it."""
        taken = set(self.taken)
        for index, count in axes:
            self.write(f"for (int64_t {index} = 0; {index} < {count}; ++{index}) {{")
            self.depth += 1
        body()
        for _ in axes:
            self.depth -= 1
            self.write("}")
        if axes:
            self.taken = taken

    def printer(self, indices: list[str]) -> Printer:
        """Prints the element at indices of the result. Names that it makes up are those of the block."""

        def rounded(dtype: str, expression: str) -> str:
            self.rounds.add(dtype)
            return self.rounding(dtype, expression)

        return Printer(lambda node: self.leaf(node, indices), rounded, set(self.taken))

    def value(self, node: Node, indices: list[str], kind: Kind | None = None) -> str:
        """The element of a node; variables that it needs are written first."""
        printer = self.printer(indices[len(indices) - len(node.shape or ()) :])
        text = printer.text(node, kind)
        self.headers |= printer.headers
        for statement in printer.statements:
            self.write(statement)
        self.taken |= printer.taken
        return text

    # Names, sizes, places.

    def fresh(self, stem: str) -> str:
        name, count = stem, 1
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self.taken.add(name)
        return name

    def extent(self, axis: Size) -> str:
        """The number of elements along an axis, as an operand of `*`."""
        if axis.op == "rest":
            return self.rest
        text = cxx(axis, self.size)
        if "std::" in text:
            self.headers.add("<algorithm>")
        return text if axis.op in ("name", "const") else f"({text})"

    def count(self, shape: Shape) -> str:
        return " * ".join(self.extent(axis) for axis in shape if axis != _ONE) or "1"

    def place(self, shape: Shape, indices: list[str]) -> str:
        """Position of an element in a row-major array: `(i * H + j) * C + k`. Axes of size 1 have no part in it."""
        text = ""
        for axis, index in zip(shape, indices, strict=True):
            if axis == _ONE:
                continue
            if not text:
                text = index
                continue
            left = f"({text})" if "+" in text else text
            text = f"{left} * {self.extent(axis)} + {index}"
        return text or "0"

    def leaf(self, node: Node, indices: list[str]) -> str | None:
        """What the printer takes for a name: elements of arrays, scalars."""
        shape = node.shape or ()
        own = indices[len(indices) - len(shape) :]
        own = ["0" if axis == _ONE else index for axis, index in zip(shape, own, strict=True)]  # repeated
        match node.op:
            case "attr" | "dim":
                return self.names[node.op](str(node.value))
            case "load" | "local":
                known = self.names["load"] if node.op == "load" else self.variables.__getitem__
                return self.element(known(str(node.value)), node, own)
            case "arange":
                return own[0]
            case "slice":
                return self.shifted(node, own)
            case "expand":
                assert isinstance(node.value, tuple)
                new = {len(own) + int(str(position)) for position in node.value}
                kept = [index for position, index in enumerate(own) if position not in new]
                return self.parenthesised(node.args[0], kept)
            case _ if id(node) in self.results:
                return self.element(self.results[id(node)], node, own)
            case _:
                return None

    def element(self, array: str, node: Node, indices: list[str]) -> str:
        if node.shape is None:
            return array
        text = f"{array}[{self.place(node.shape, indices)}]"
        return f"({text} != 0)" if node.kind == "bool" else text

    def shifted(self, node: Node, indices: list[str]) -> str:
        assert isinstance(node.value, tuple)
        start = node.value[0]
        last = indices[-1]
        if isinstance(start, Size) and start != Size.const(0):
            last = f"({last} + {self.extent(start)})"
        return self.parenthesised(node.args[0], [*indices[:-1], last])

    def parenthesised(self, node: Node, indices: list[str]) -> str:
        text = self.value(node, indices)
        return text if node.op in ("load", "local") else f"({text})"

    # Statements.

    def assign(self, name: str, node: Node, output: bool) -> None:
        """An array, or a scalar, for one line."""
        variable = self.fresh(name if name not in self.taken else f"{name}_value")
        for arg in node.args:
            self.prepare(arg)
        if node.shape is None and not output:
            text = self.value(node, [])
            self.write(f"const {TYPES[node.kind]} {variable} = {text};")
        else:
            self.fill(variable, node)
        self.variables[name] = variable
        if output:
            self.outputs.append((name, variable))

    def prepare(self, node: Node) -> None:
        """Arrays for what cannot be computed inside the loop of the whole: reductions, products, joined tensors."""
        for arg in node.args:
            self.prepare(arg)
        if node.op in _REDUCTIONS or node.op in ("concat", "matmul"):
            variable = self.fresh(f"{node.op}_value")
            self.fill(variable, node)
            self.results[id(node)] = variable

    def fill(self, variable: str, node: Node) -> None:
        """Declares an array and computes it."""
        shape = node.shape or ()
        self.write(f"std::vector<{ELEMENTS[node.kind]}> {variable}({self.count(shape)});")
        if node.op in _REDUCTIONS:
            self.reduce(variable, node)
        elif node.op == "concat":
            self.concat(variable, node)
        elif node.op == "matmul":
            self.matmul(variable, node)
        else:
            indices, loops = self.axes(shape)
            self.loops(loops, lambda: self.store(variable, shape, indices, self.value(node, indices)))

    def axes(self, shape: Shape) -> tuple[list[str], list[tuple[str, str]]]:
        """An index for each axis, and the loops; an axis of size 1 needs none."""
        indices = ["0" if axis == _ONE else _LETTERS[i % 6] * (1 + i // 6) for i, axis in enumerate(shape)]
        loops = [(i, self.extent(axis)) for i, axis in zip(indices, shape, strict=True) if axis != _ONE]
        return indices, loops

    def store(self, variable: str, shape: Shape, indices: list[str], text: str) -> None:
        self.write(f"{variable}[{self.place(shape, indices)}] = {text};")

    def reduce(self, variable: str, node: Node) -> None:
        operand = node.args[0]
        assert node.shape is not None and operand.shape is not None
        indices, loops = self.axes(node.shape)
        last = self.fresh("column")  # an index of a loop only, like i and j
        self.taken.remove(last)
        count = self.extent(operand.shape[-1])
        kind: Kind = "float" if node.op == "mean" else operand.kind

        def add() -> None:
            total = self.fresh("total")
            self.write(f"{TYPES[node.kind]} {total} = {'0.0' if node.kind == 'float' else '0'};")
            inner = [*indices[:-1], last]
            self.loops([(last, count)], lambda: self.write(f"{total} += {self.value(operand, inner, node.kind)};"))
            result = f"{total} / static_cast<double>({count})" if node.op == "mean" else total
            self.store(variable, node.shape or (), indices, result)

        def choose() -> None:
            best, at = self.fresh("best"), self.fresh("position")
            self.write(f"{TYPES[kind]} {best}{{}};")
            if node.op.startswith("arg"):
                self.write(f"int64_t {at} = 0;")
            self.loops([(last, count)], lambda: compare(best, at))
            self.store(variable, node.shape or (), indices, at if node.op.startswith("arg") else best)

        def compare(best: str, at: str) -> None:
            value = self.fresh("value")
            self.write(f"const {TYPES[kind]} {value} = {self.value(operand, [*indices[:-1], last])};")
            sign = ">" if node.op.endswith("max") else "<"
            self.write(f"if ({last} == 0 || {value} {sign} {best}) {{")
            self.write(f"  {best} = {value};")
            if node.op.startswith("arg"):
                self.write(f"  {at} = {last};")
            self.write("}")

        self.loops(loops, add if node.op in ("sum", "mean") else choose)

    def concat(self, variable: str, node: Node) -> None:
        """Each member is copied behind the ones before it."""
        assert node.shape is not None
        start = Size.const(0)
        for member in node.args:
            assert member.shape is not None
            indices, loops = self.axes(member.shape)
            last = indices[-1]
            if start != Size.const(0):
                last = self.extent(start) if last == "0" else f"{last} + {self.extent(start)}"
            target = [*indices[:-1], last]

            def copy(member: Node = member, indices: list[str] = indices, target: list[str] = target) -> None:
                self.store(variable, node.shape or (), target, self.value(member, indices, node.kind))

            self.loops(loops, copy)
            start = simplify(Size("add", (start, member.shape[-1])))

    def matmul(self, variable: str, node: Node) -> None:
        first, second = node.args
        assert node.shape is not None and first.shape is not None and second.shape is not None
        assert isinstance(node.value, tuple)
        transpose_a, transpose_b = node.value
        indices, loops = self.axes(node.shape)
        inner = self.fresh("inner")
        self.taken.remove(inner)
        count = self.extent(first.shape[-2] if transpose_a else first.shape[-1])

        def body() -> None:
            total = self.fresh("total")
            self.write(f"{TYPES[node.kind]} {total} = {'0.0' if node.kind == 'float' else '0'};")
            row, column = indices[-2:]
            left = [*indices[:-2], *((inner, row) if transpose_a else (row, inner))]
            right = [*indices[:-2], *((column, inner) if transpose_b else (inner, column))]

            def add() -> None:
                factors = [self.parenthesised(first, left), self.parenthesised(second, right)]
                self.write(f"{total} += {factors[0]} * {factors[1]};")

            self.loops([(inner, count)], add)
            self.store(variable, node.shape or (), indices, total)

        self.loops(loops, body)


def _names(shape: Shape | None) -> list[Size]:
    return [part for axis in shape or () for part in axis.walk() if part.op == "name"]
