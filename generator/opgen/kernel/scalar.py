"""Scalars of a kernel: one number for the whole tensor, computed by the scalar unit or when the kernel is written."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from opgen.facts.dtypes import Kind
from opgen.formula.sizes import Size

Number = bool | int | float


@dataclass(frozen=True)
class Scalar:
    """A scalar expression.

    op and value:
      const    value: a number
      name     value: an attribute, a one-element input or a size, in the formula's words
      neg add sub mul div floordiv mod   lt le gt ge eq ne   and or not   where   to_float to_int to_bool
    """

    op: str
    kind: Kind
    args: tuple[Scalar, ...] = ()
    value: Number | str = 0

    @property
    def constant(self) -> Number | None:
        """The number, if it is known when the kernel is written."""
        return None if self.op != "const" or isinstance(self.value, str) else self.value

    def walk(self) -> Iterator[Scalar]:
        for arg in self.args:
            yield from arg.walk()
        yield self


def const(value: Number) -> Scalar:
    kind: Kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"
    return Scalar("const", kind, (), value)


def named(name: str, kind: Kind) -> Scalar:
    return Scalar("name", kind, (), name)


def counted(size: Size) -> Scalar:
    """A size made of dims and numbers by whole arithmetic."""
    if size.op == "const":
        assert isinstance(size.value, int)
        return const(size.value)
    if size.op == "name":
        return named(str(size.value), "int")
    return apply(size.op, *map(counted, size.args))


def _divide(a: float, b: float) -> float:
    if b:
        return a / b
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _truncate(a: float) -> int:
    return int(a)


_FOLD: dict[str, Callable[..., Number]] = {
    "neg": operator.neg,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": _divide,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
    "and": lambda a, b: bool(a) and bool(b),
    "or": lambda a, b: bool(a) or bool(b),
    "not": operator.not_,
    "where": lambda c, a, b: a if c else b,
    "to_float": float,
    "to_int": _truncate,
    "to_bool": bool,
}

COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
_BOOL = (*COMPARISONS, "and", "or", "not", "to_bool")


def apply(op: str, *args: Scalar) -> Scalar:
    """The scalar `op` of `args`, folded where everything is known. Operands are brought to one kind first."""
    kind: Kind
    if op in _BOOL:
        kind = "bool"
    elif op in ("to_float", "div"):
        kind = "float"
    elif op == "to_int":
        kind = "int"
    else:
        kinds = {a.kind for a in (args[1:] if op == "where" else args)}
        kind = "float" if "float" in kinds else "int" if "int" in kinds else "bool"
    if op in ("to_float", "to_int", "to_bool") and args[0].kind == kind:
        return args[0]
    values = [a.constant for a in args]
    known = [v for v in values if v is not None]
    if len(known) == len(args) and not (op in ("floordiv", "mod") and known[1] == 0):
        folded = _FOLD[op](*known)
        return const(float(folded) if kind == "float" else folded)
    if op not in ("to_float", "to_int", "to_bool"):
        args = _one_kind(op, args, kind)
    return Scalar(op, kind, args)


def _one_kind(op: str, args: tuple[Scalar, ...], kind: Kind) -> tuple[Scalar, ...]:
    """Makes operands float where one of them is."""
    if op == "where":
        return (args[0], *_one_kind("", args[1:], kind))
    if kind == "float" or (op in COMPARISONS and any(a.kind == "float" for a in args)):
        return tuple(apply("to_float", a) for a in args)
    return args


def evaluate(scalar: Scalar, env: Mapping[str, Number]) -> Number:
    """The value, with the names' values from `env`."""
    if scalar.op == "const":
        assert not isinstance(scalar.value, str)
        return scalar.value
    if scalar.op == "name":
        return env[str(scalar.value)]
    return _FOLD[scalar.op](*(evaluate(a, env) for a in scalar.args))


_INFIX = {
    "or": ("or", 1),
    "and": ("and", 2),
    "lt": ("<", 4),
    "le": ("<=", 4),
    "gt": (">", 4),
    "ge": (">=", 4),
    "eq": ("==", 4),
    "ne": ("!=", 4),
    "add": ("+", 5),
    "sub": ("-", 5),
    "mul": ("*", 6),
    "div": ("/", 6),
    "floordiv": ("//", 6),
    "mod": ("%", 6),
}
_ATOM, _UNARY = 9, 7


def text(scalar: Scalar, names: Mapping[str, str], compiled_in: frozenset[str]) -> str:
    """Python of a TileLang kernel. names: formula name -> name in the script. compiled_in: names that are Python
    numbers when the kernel is compiled; expressions of these alone are plain Python."""
    return _text(scalar, names, compiled_in)[0]


def _plain(scalar: Scalar, compiled_in: frozenset[str]) -> bool:
    return all(s.op != "name" or s.value in compiled_in for s in scalar.walk())


def _text(scalar: Scalar, names: Mapping[str, str], compiled_in: frozenset[str]) -> tuple[str, int]:
    def operand(arg: Scalar, level: int) -> str:
        written, own = _text(arg, names, compiled_in)
        return written if own >= level else f"({written})"

    if scalar.op == "const":
        return number_text(scalar.value)
    if scalar.op == "name":
        return names[str(scalar.value)], _ATOM
    plain = _plain(scalar, compiled_in)
    args = scalar.args
    if scalar.op == "neg":
        return f"-{operand(args[0], _UNARY)}", _UNARY
    if scalar.op == "not":
        return (f"not {operand(args[0], 3)}", 3) if plain else (f"T.Not({operand(args[0], 0)})", _ATOM)
    if scalar.op in ("and", "or") and not plain:
        return f"T.{scalar.op.title()}({operand(args[0], 0)}, {operand(args[1], 0)})", _ATOM
    if scalar.op == "where":
        c, a, b = (operand(arg, 1) for arg in args)
        return (f"{a} if {c} else {b}", 0) if plain else (f"T.Select({c}, {a}, {b})", _ATOM)
    if scalar.op == "to_bool":
        return f"{operand(args[0], 5)} != 0", 4
    if scalar.op in ("to_float", "to_int"):
        return _conversion(scalar, operand, plain), _ATOM
    sign, level = _INFIX[scalar.op]
    right = level + 1 if scalar.op not in ("and", "or") else level
    return f"{operand(args[0], level)} {sign} {operand(args[1], right)}", level


def _conversion(scalar: Scalar, operand: Callable[[Scalar, int], str], plain: bool) -> str:
    arg = scalar.args[0]
    inner = operand(arg, 0)
    if plain:
        return f"{'float' if scalar.op == 'to_float' else 'int'}({inner})"
    if arg.kind == "bool":
        one, zero = ("1.0", "0.0") if scalar.op == "to_float" else ("1", "0")
        return f"T.Select({inner}, {one}, {zero})"
    return f'T.cast({inner}, "{"float32" if scalar.op == "to_float" else "int32"}")'


def number_text(value: Number | str) -> tuple[str, int]:
    """A number as Python of a kernel, and how tightly it binds."""
    if isinstance(value, float) and math.isinf(value):
        return ('T.infinity("float32")', _ATOM) if value > 0 else ('-T.infinity("float32")', _UNARY)
    written = repr(value).replace("e+", "e")
    return written, _UNARY if written.startswith("-") else _ATOM
