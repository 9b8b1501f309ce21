"""The tree of an integer expression: its parts, its value, replacing names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opgen.facts.dtypes import DTYPES
from opgen.formula.problems import FormulaError, Problem


@dataclass(frozen=True)
class Size:
    """An integer expression. Equal expressions compare equal after `simplify`.

    op: const (value: int; a float only in a value of `tiling`), name (value: str), rest (`...`), neg, not,
    add sub mul floordiv mod, lt le gt ge eq ne (0 or 1), if (condition, then, otherwise), minimum maximum ceildiv
    align, itemsize (value: type or symbol).
    """

    op: str
    args: tuple[Size, ...] = ()
    value: int | float | str = 0

    @staticmethod
    def const(value: int) -> Size:
        return Size("const", (), value)

    @staticmethod
    def name(value: str) -> Size:
        return Size("name", (), value)

    @staticmethod
    def rest() -> Size:
        return Size("rest")

    @property
    def number(self) -> int | None:
        """The value of a constant."""
        return self.value if self.op == "const" and isinstance(self.value, int) else None

    def walk(self) -> Iterator[Size]:
        """This expression and all below it, in the order in which it is written."""
        yield self
        for arg in self.args:
            yield from arg.walk()


def names(size: Size) -> tuple[str, ...]:
    """Names of dims, attributes and fields, each once, in order of appearance. Types of `itemsize` are none of them."""
    return tuple(dict.fromkeys(str(part.value) for part in size.walk() if part.op == "name"))


def type_names(size: Size) -> tuple[str, ...]:
    """Types and type symbols that `itemsize` asks for, each once, in order of appearance."""
    return tuple(dict.fromkeys(str(part.value) for part in size.walk() if part.op == "itemsize"))


def substitute(size: Size, values: Mapping[str, int | Size]) -> Size:
    """The expression with names replaced. A type symbol may be replaced by the name of a type. Nothing is folded."""
    if size.op == "name" and size.value in values:
        value = values[str(size.value)]
        return value if isinstance(value, Size) else Size.const(int(value))
    if size.op == "itemsize" and size.value in values:
        value = values[str(size.value)]
        return Size("itemsize", (), value.value) if isinstance(value, Size) else Size.const(int(value))
    if not size.args:
        return size
    args = tuple(substitute(arg, values) for arg in size.args)
    return size if args == size.args else Size(size.op, args, size.value)


def evaluate(size: Size, env: Mapping[str, int]) -> int:
    """The value, with Python's `//` and `%`. FormulaError: a name has no value, a division by zero, `...`."""
    number = size.number
    if number is not None:
        return int(number)
    if size.op in ("name", "itemsize"):
        return _lookup(size, env)
    if size.op == "if":
        condition, then, otherwise = size.args
        return evaluate(then if evaluate(condition, env) else otherwise, env)
    if size.op in ("rest", "const"):
        what = "`...` stands for several sizes" if size.op == "rest" else f"{size.value} is not a whole number"
        raise _error("OPG203", what, "one size is wanted here", "name the size")
    values = [evaluate(arg, env) for arg in size.args]
    if size.op in ("floordiv", "mod", "ceildiv", "align") and values[1] == 0:
        raise _error("OPG206", "a size divides by zero", "no size follows from that", "set limits for the divisor")
    return apply(size.op, values)


def _lookup(size: Size, env: Mapping[str, int]) -> int:
    name = str(size.value)
    if name in env:
        return int(env[name])
    if size.op == "itemsize" and name in DTYPES:
        return DTYPES[name].size
    raise _error(
        "OPG203", f"`{name}` has no value here", "a size is computed from dims and int attributes", "declare it"
    )


def _error(rule: str, what: str, why: str, fix: str) -> FormulaError:
    return FormulaError((Problem(rule, what, why, fix, 0),))


def apply(op: str, values: list[int]) -> int:
    """One operation on numbers. ZeroDivisionError like Python."""
    first = values[0]
    if op == "neg":
        return -first
    if op == "not":
        return int(not first)
    second = values[1]
    match op:
        case "add":
            return first + second
        case "sub":
            return first - second
        case "mul":
            return first * second
        case "floordiv":
            return first // second
        case "mod":
            return first % second
        case "minimum":
            return min(first, second)
        case "maximum":
            return max(first, second)
        case "ceildiv":
            return -(-first // second)
        case "align":
            return -(-first // second) * second
        case _:
            return int(_COMPARISONS[op](first, second))


_COMPARISONS = {
    "lt": int.__lt__,
    "le": int.__le__,
    "gt": int.__gt__,
    "ge": int.__ge__,
    "eq": int.__eq__,
    "ne": int.__ne__,
}
