"""Expressions of op.yaml as C++ of int64_t, and of float where an attribute is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from opgen.cxx.literals import integer, real
from opgen.formula.sizes import Size

_CHOICE, _COMPARE, _SUM, _TERM, _UNARY, _ATOM = range(6)  # how tightly an expression binds
_BINARY = {
    "add": ("+", _SUM),
    "sub": ("-", _SUM),
    "mul": ("*", _TERM),
    "lt": ("<", _COMPARE),
    "le": ("<=", _COMPARE),
    "gt": (">", _COMPARE),
    "ge": (">=", _COMPARE),
    "eq": ("==", _COMPARE),
    "ne": ("!=", _COMPARE),
}
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne", "not")

# Expressions that are of type int64_t as they are written.
_NUMBERS = ("name", "ceildiv", "align", "minimum", "maximum")

# Functions that a file defines where its expressions call them.
HELPERS = {"ceildiv": "CeilDiv", "floordiv": "FloorDiv", "mod": "Modulo", "align": "AlignUp"}


@dataclass(frozen=True)
class SizeCode:
    """Prints expressions. name: what stands for a name. floats: the names that are of type float; truths: of bool."""

    name: Callable[[str], str]
    floats: frozenset[str] = frozenset()
    truths: frozenset[str] = frozenset()

    def __call__(self, size: Size) -> str:
        return self._text(size)[0]

    def of_type(self, size: Size, cxx: str) -> str:
        """The expression as the value of a variable of that type."""
        truth = self.is_truth(size)
        if cxx == "bool":
            return self(size) if truth else f"{self._within(size, _COMPARE + 1)} != 0"
        return f"{self._within(size, _CHOICE + 1)} ? 1 : 0" if truth else self(size)

    def is_float(self, size: Size) -> bool:
        if size.op == "const":
            return isinstance(size.value, float)
        if size.op == "name":
            return str(size.value) in self.floats
        args = size.args[1:] if size.op == "if" else size.args
        return size.op not in _COMPARISONS and any(map(self.is_float, args))

    def is_truth(self, size: Size) -> bool:
        return size.op in _COMPARISONS or (size.op == "name" and str(size.value) in self.truths)

    def _text(self, size: Size) -> tuple[str, int]:
        if size.op in _BINARY:
            sign, level = _BINARY[size.op]
            left, right = (self._within(arg, level + later) for later, arg in enumerate(size.args))
            if level == _COMPARE and left == right:  # compilers warn of it
                return ("true" if size.op in ("le", "ge", "eq") else "false"), _ATOM
            return f"{left} {sign} {right}", level
        match size.op:
            case "const":
                text = real(size.value) if isinstance(size.value, float) else integer(int(size.value))
                return text, _UNARY if text.startswith("-") else _ATOM
            case "name":
                text = self.name(str(size.value))
                return text, _UNARY if text.startswith("*") else _ATOM
            case "neg":
                text = self._within(size.args[0], _UNARY)
                return (f"-({text})" if text.startswith("-") else f"-{text}"), _UNARY
            case "not":
                return f"!{self._within(size.args[0], _ATOM)}", _UNARY
            case "if":
                condition, then, otherwise = size.args
                test = self._within(condition, _CHOICE + 1)
                return f"{test} ? {self._within(then, _CHOICE + 1)} : {self(otherwise)}", _CHOICE
            case _:
                return self._function(size)

    def _function(self, size: Size) -> tuple[str, int]:
        if plain_division(size):
            left, right = size.args
            sign = "/" if size.op == "floordiv" else "%"
            return f"{self._within(left, _TERM)} {sign} {self._within(right, _TERM + 1)}", _TERM
        args = ", ".join(map(self, size.args))
        if size.op in HELPERS:
            return f"{HELPERS[size.op]}({args})", _ATOM
        function = f"std::{size.op[:3]}"
        if self.is_float(size):
            function += "<float>"
        elif not all(map(self._is_number, size.args)):
            function += "<int64_t>"
        return f"{function}({args})", _ATOM

    def _is_number(self, size: Size) -> bool:
        """Whether an expression is of type int64_t as it is written: a literal is an int."""
        literal = size.op == "name" and self.name(str(size.value)).lstrip("-").isdigit()
        return size.op in _NUMBERS and not literal and not self.is_truth(size)

    def _within(self, size: Size, level: int) -> str:
        text, own = self._text(size)
        return f"({text})" if own < level else text


def size_code(size: Size, name: Callable[[str], str]) -> str:
    """An expression over sizes."""
    return SizeCode(name)(size)


def plain_division(size: Size) -> bool:
    """Whether the divisor is a number, so that `/` and `%` do."""
    return size.op in ("floordiv", "mod") and bool(size.args[1].number)


def helpers(sizes: Iterable[Size]) -> Iterator[str]:
    """The functions that the expressions call."""
    used = {part.op for size in sizes for part in size.walk() if part.op in HELPERS and not plain_division(part)}
    yield from (name for op, name in HELPERS.items() if op in used)
