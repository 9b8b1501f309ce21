"""Integer expressions as text: as op.yaml writes them, in C++, in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opgen.formula.size_tree import Size

Rename = Callable[[str], str]

_CHOICE, _NOT, _COMPARE, _SUM, _TERM, _UNARY, _ATOM = range(7)  # how tightly an expression binds
_LOOSE = _CHOICE
_BINARY = {
    "add": ("+", _SUM),
    "sub": ("-", _SUM),
    "mul": ("*", _TERM),
    "floordiv": ("//", _TERM),
    "mod": ("%", _TERM),
    "lt": ("<", _COMPARE),
    "le": ("<=", _COMPARE),
    "gt": (">", _COMPARE),
    "ge": (">=", _COMPARE),
    "eq": ("==", _COMPARE),
    "ne": ("!=", _COMPARE),
}


def show(size: Size) -> str:
    """As op.yaml writes it."""
    return _Printer(lambda name: name)(size)


def python(size: Size, rename: Rename) -> str:
    """An expression of Python with the same value."""
    return _Python(rename)(size)


def cxx(size: Size, rename: Rename) -> str:
    """An expression of C++ with names of type int64_t. Needs <algorithm> for minimum and maximum.

    Operands of `//` and `%` are taken not to be negative, as sizes are; C++ would round the other way below zero.
    """
    return _Cxx(rename)(size)


@dataclass
class _Printer:
    rename: Rename

    def __call__(self, size: Size) -> str:
        return self.text(size)[0]

    def text(self, size: Size) -> tuple[str, int]:
        """The text and how tightly it binds."""
        if size.op in _BINARY:
            sign, level = _BINARY[size.op]
            return self.binary(self.sign(sign), level, size.args[0], size.args[1])
        match size.op:
            case "const":
                text = str(size.value)
                return text, _UNARY if text.startswith("-") else _ATOM
            case "name":
                return self.rename(str(size.value)), _ATOM
            case "rest":
                return "...", _ATOM
            case "neg":
                return f"-{self.within(size.args[0], _UNARY, minus=True)}", _UNARY
            case "not":
                return self.negation(size.args[0])
            case "if":
                return self.choice(*size.args), _CHOICE
            case _:
                return self.function(size)

    def within(self, size: Size, level: int, minus: bool = False) -> str:
        """The text, in parentheses where it binds less tightly than `level`. minus: two signs must not touch."""
        text, own = self.text(size)
        return f"({text})" if own < level or (minus and text.startswith("-")) else text

    def binary(self, sign: str, level: int, left: Size, right: Size) -> tuple[str, int]:
        first = self.within(left, level + (level == _COMPARE))
        return f"{first} {sign} {self.within(right, level + 1)}", level

    def sign(self, sign: str) -> str:
        return sign

    def negation(self, arg: Size) -> tuple[str, int]:
        return f"not {self.within(arg, _NOT)}", _NOT

    def choice(self, condition: Size, then: Size, otherwise: Size) -> str:
        return f"{self.within(then, _NOT)} if {self.within(condition, _NOT)} else {self.within(otherwise, _CHOICE)}"

    def function(self, size: Size) -> tuple[str, int]:
        if size.op == "itemsize":
            return f"itemsize({size.value})", _ATOM
        return f"{size.op}({', '.join(self(arg) for arg in size.args)})", _ATOM

    def round_up(self, value: Size, by: Size, divide: str) -> str:
        """The quotient, rounded up: `(a + b - 1) / b`."""
        number = by.number
        slack = f"{self.within(value, _SUM)} + {self.within(by, _TERM)} - 1"
        if number is not None:
            slack = f"{self.within(value, _SUM)} + {number - 1}"
        return f"({slack}) {divide} {self.within(by, _UNARY)}"


class _Python(_Printer):
    def function(self, size: Size) -> tuple[str, int]:
        if size.op in ("minimum", "maximum"):
            return f"{size.op[:3]}({', '.join(self(arg) for arg in size.args)})", _ATOM
        if size.op == "itemsize":
            raise ValueError(f"itemsize({size.value}) has no number yet")
        text = self.round_up(size.args[0], size.args[1], "//")
        if size.op == "ceildiv":
            return text, _TERM
        return f"{text} * {self.within(size.args[1], _UNARY)}", _TERM


class _Cxx(_Printer):
    def sign(self, sign: str) -> str:
        return "/" if sign == "//" else sign

    def negation(self, arg: Size) -> tuple[str, int]:
        return f"!{self.within(arg, _ATOM)}", _UNARY

    def choice(self, condition: Size, then: Size, otherwise: Size) -> str:
        test = self.within(condition, _NOT)
        return f"{test} ? {self.within(then, _NOT)} : {self.within(otherwise, _CHOICE)}"

    def function(self, size: Size) -> tuple[str, int]:
        if size.op in ("minimum", "maximum"):
            return f"std::{size.op[:3]}<int64_t>({', '.join(self(arg) for arg in size.args)})", _ATOM
        if size.op == "itemsize":
            raise ValueError(f"itemsize({size.value}) has no number yet")
        text = self.round_up(size.args[0], size.args[1], "/")
        if size.op == "ceildiv":
            return text, _TERM
        return f"{text} * {self.within(size.args[1], _UNARY)}", _TERM
