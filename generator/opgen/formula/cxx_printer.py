"""One element of a formula as an expression of C++17: double for floats, int64_t for ints, bool."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from opgen.facts.dtypes import DTYPES, Kind
from opgen.formula.ir import Node
from opgen.formula.reach import Reach, Reaches, reach
from opgen.text.numbers import shortest

CHOICE, OR, AND, EQUAL, LESS, SUM, TERM, SIGN, ATOM = range(9)  # how tightly an expression binds
TYPES: dict[Kind, str] = {"float": "double", "int": "int64_t", "bool": "bool"}
_BINARY = {
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", TERM),
    "div": ("/", TERM),
    "lt": ("<", LESS),
    "le": ("<=", LESS),
    "gt": (">", LESS),
    "ge": (">=", LESS),
    "eq": ("==", EQUAL),
    "ne": ("!=", EQUAL),
}
_UNARY = {"exp", "log", "sqrt", "sin", "cos", "tanh", "erf"}
_WHOLE = {"round": "nearbyint", "floor": "floor", "ceil": "ceil"}
_WRITTEN_OUT = 4  # powers up to here are products

Rounding = Callable[[str, str], str]


@dataclass
class Printer:
    """Prints expressions, and notes what they need.

    leaf: the text of a node that stands for a variable (it binds like a name), or None. rounding: (type, expression) ->
    expression of the value rounded to float16 or bfloat16. statements: variables that expressions need before them.
    taken: names that are in use. reaches: names that may hold more than finite numbers. headers: as in #include.
    """

    leaf: Callable[[Node], str | None]
    rounding: Rounding
    taken: set[str]
    reaches: Reaches = field(default_factory=dict)
    statements: list[str] = field(default_factory=list)
    headers: set[str] = field(default_factory=set)

    def text(self, node: Node, kind: Kind | None = None) -> str:
        """The expression, turned into a kind. In a cast of C++ only where C++ would not do the same by itself."""
        return self.typed(node, kind or node.kind)[0]

    def typed(self, node: Node, kind: Kind) -> tuple[str, int]:
        if node.kind == kind:
            return self.print(node)
        if node.kind == "bool":
            then, otherwise = ("1.0", "0.0") if kind == "float" else ("1", "0")
            return f"{self.within(node, OR)} ? {then} : {otherwise}", CHOICE
        if kind == "bool":
            zero = "0.0" if node.kind == "float" else "0"
            return f"{self.within(node, LESS)} != {zero}", EQUAL
        if node.op == "const" and kind == "float":
            return self.number(float(str(node.value)))
        if kind == "int":
            self.headers.add("<cstdint>")
        return f"static_cast<{TYPES[kind]}>({self.text(node)})", ATOM

    def within(self, node: Node, level: int, kind: Kind | None = None) -> str:
        """The expression as an operand, in parentheses where it binds less tightly than `level`."""
        text, own = self.typed(node, kind or node.kind)
        return f"({text})" if own < level else text

    def simple(self, node: Node, kind: Kind, stem: str) -> str:
        """A name or number for an operand that is used several times; a variable of its own when it is neither."""
        text, _ = self.typed(node, kind)
        if node.op in ("const", "attr", "dim", "local", "load") and node.kind == kind:
            return text if not text.startswith("-") else f"({text})"
        name = self.fresh(stem)
        self.statements.append(f"const {self.type(kind)} {name} = {text};")
        return name

    def fresh(self, stem: str) -> str:
        """A name that is not taken."""
        name, count = stem, 1
        while name in self.taken:
            count += 1
            name = f"{stem}_{count}"
        self.taken.add(name)
        return name

    def type(self, kind: Kind) -> str:
        if kind == "int":
            self.headers.add("<cstdint>")
        return TYPES[kind]

    def number(self, value: bool | int | float) -> tuple[str, int]:
        if isinstance(value, bool):
            return ("true" if value else "false"), ATOM
        if isinstance(value, float) and math.isinf(value):
            self.headers.add("<limits>")
            text = "std::numeric_limits<double>::infinity()"
            return (f"-{text}", SIGN) if value < 0 else (text, ATOM)
        text = shortest(value) if isinstance(value, float) else str(value)
        return text, SIGN if math.copysign(1, value) < 0 else ATOM

    def print(self, node: Node) -> tuple[str, int]:
        """The expression in its own kind, and how tightly it binds."""
        leaf = self.leaf(node)
        if leaf is not None:
            return leaf, ATOM
        op = node.op
        if op == "const":
            assert isinstance(node.value, (bool, int, float))
            return self.number(node.value)
        if op in _BINARY:
            return self.binary(node)
        if op in ("and", "or"):
            return self.logic(node)
        if op == "not":
            return f"!{self.within(node.args[0], SIGN)}", SIGN
        if op == "neg":
            return self.negative(node.args[0]), SIGN
        if op in _UNARY:
            return self.call(op, node.args[0]), ATOM
        if op in ("maximum", "minimum", "clip", "relu"):
            return self.extreme(node)
        if op in ("floordiv", "mod"):
            return self.whole_division(node)
        return self.other(node)

    def other(self, node: Node) -> tuple[str, int]:
        first = node.args[0] if node.args else node
        match node.op:
            case "pow":
                return self.power(node)
            case "rsqrt":
                return f"1.0 / {self.call('sqrt', first)}", TERM
            case "reciprocal":
                return f"1.0 / {self.within(first, SIGN, 'float')}", TERM
            case "sigmoid":
                self.headers.add("<cmath>")
                return f"1.0 / (1.0 + std::exp({self.negative(first, 'float')}))", TERM
            case "silu":
                self.headers.add("<cmath>")
                x = self.simple(first, "float", "silu_input")
                return f"{x} / (1.0 + std::exp(-{x}))", TERM
            case "gelu":
                return self.gelu(node)
            case "leaky_relu":
                x = self.simple(first, "float", "leaky_relu_input")
                return f"{x} > 0.0 ? {x} : {self.within(node.args[1], TERM, 'float')} * {x}", CHOICE
            case "abs":
                self.headers.add("<cmath>" if node.kind == "float" else "<cstdlib>")
                return f"std::abs({self.text(first)})", ATOM
            case "round" | "floor" | "ceil":
                return (self.call(_WHOLE[node.op], first), ATOM) if node.kind == "float" else self.print(first)
            case "where":
                then, otherwise = (self.within(arg, OR, node.kind) for arg in node.args[1:])
                return f"{self.within(first, OR)} ? {then} : {otherwise}", CHOICE
            case "cast":
                return self.cast(node)
            case _:
                raise ValueError(f"`{node.op}` is no operation element by element")

    def call(self, name: str, node: Node) -> str:
        self.headers.add("<cmath>")
        return f"std::{name}({self.text(node, 'float')})"

    def negative(self, node: Node, kind: Kind | None = None) -> str:
        text = self.within(node, SIGN, kind)
        return f"-({text})" if text.startswith("-") else f"-{text}"

    def binary(self, node: Node) -> tuple[str, int]:
        sign, level = _BINARY[node.op]
        left, right = node.args
        kind: Kind | None = node.kind
        if node.op in ("lt", "le", "gt", "ge", "eq", "ne"):
            kind = "float" if "float" in (left.kind, right.kind) else None
        compared = level in (LESS, EQUAL)
        first = self.within(left, SUM if compared else level, kind)
        second = self.within(right, SUM if compared else level + 1, kind)
        if compared and first == second and left.kind != "float":  # g++ warns of it; floats may be NaN
            return ("true" if node.op in ("le", "ge", "eq") else "false"), ATOM
        return f"{first} {sign} {second}", level

    def logic(self, node: Node) -> tuple[str, int]:
        sign, level = ("&&", AND) if node.op == "and" else ("||", OR)
        parts = []
        for arg in node.args:
            text, own = self.typed(arg, "bool")
            mixed = own < level or (own in (AND, OR) and own != level)  # g++ asks for parentheses around mixed ones
            parts.append(f"({text})" if mixed else text)
        return f" {sign} ".join(parts), level

    def extreme(self, node: Node) -> tuple[str, int]:
        """NaN of any operand is the result, as in NumPy. std::max and std::min do so for their first operand only."""
        self.headers.add("<algorithm>")
        plain = "" if node.kind == "float" else f"<{self.type(node.kind)}>"
        first, *others = node.args
        if len(others) == 1 and self.may_be_nan(others[0]) and not self.may_be_nan(first):
            first, others = others[0], [first]
        text, level = self.text(first, node.kind), ATOM
        if node.op == "relu":
            return f"std::max{plain}({text}, {'0.0' if node.kind == 'float' else '0'})", level
        functions = {"maximum": ["max"], "minimum": ["min"], "clip": ["max", "min"]}[node.op]
        for function, other in zip(functions, others, strict=True):
            nan = self.may_be_nan(other)
            limit = self.simple(other, node.kind, "limit") if nan else self.text(other, node.kind)
            text, level = f"std::{function}{plain}({text}, {limit})", ATOM
            if nan:
                self.headers.add("<cmath>")
                text, level = f"std::isnan({limit}) ? {limit} : {text}", CHOICE
        return text, level

    def may_be_nan(self, node: Node) -> bool:
        return reach(node, self.reaches) == Reach.ANYTHING

    def whole_division(self, node: Node) -> tuple[str, int]:
        """Python's `//` and `%`, which round down; C++ rounds toward zero."""
        positive = all(arg.op == "dim" or (arg.op == "const" and int(str(arg.value)) >= 0) for arg in node.args)
        if positive:
            sign = "/" if node.op == "floordiv" else "%"
            return f"{self.within(node.args[0], TERM)} {sign} {self.within(node.args[1], SIGN)}", TERM
        left = self.simple(node.args[0], "int", "dividend")
        right = self.simple(node.args[1], "int", "divisor")
        rest = f"({left} % {right} + {right}) % {right}"
        return (rest, TERM) if node.op == "mod" else (f"({left} - {rest}) / {right}", TERM)

    def power(self, node: Node) -> tuple[str, int]:
        base, exponent = node.args
        if exponent.op == "const" and exponent.kind == "int":
            count = int(str(exponent.value))
            if count == 0:
                return ("1.0" if node.kind == "float" else "1"), ATOM
            if count == 1:
                return self.typed(base, node.kind)
            if 0 < count <= _WRITTEN_OUT:
                return " * ".join([self.simple(base, node.kind, "base")] * count), TERM
        self.headers.add("<cmath>")
        text = f"std::pow({self.text(base, 'float')}, {self.text(exponent, 'float')})"
        if node.kind == "float":
            return text, ATOM
        return f"static_cast<{self.type('int')}>({text})", ATOM

    def gelu(self, node: Node) -> tuple[str, int]:
        self.headers.add("<cmath>")
        x = self.simple(node.args[0], "float", "gelu_input")
        if node.value == "none":
            return f"0.5 * {x} * (1.0 + std::erf({x} / std::sqrt(2.0)))", TERM
        inner = f"{math.sqrt(2.0 / math.pi)!r} * ({x} + 0.044715 * {x} * {x} * {x})"
        return f"0.5 * {x} * (1.0 + std::tanh({inner}))", TERM

    def cast(self, node: Node) -> tuple[str, int]:
        """Rounding is needed for the half types only: the others hold what a double or int64_t is turned into."""
        operand = node.args[0]
        if str(node.value) in ("float16", "bfloat16") and operand.kind != "bool":
            return self.rounding(str(node.value), self.text(operand, "float")), ATOM
        return self.typed(operand, DTYPES[str(node.value)].kind)
