"""Numbers that are known only when the kernel is called: symbolic sizes, and what is computed from them before.

While a kernel runs its sizes have values, and every operation on them gives a plain number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

Number = Any  # int, float, a NumPy scalar, or an Expression

_values: dict[str, int] = {}


class Unknown(Exception):
    """A size is needed before the kernel is called. name: of the symbol."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"the size {name} has no value before the kernel is called")


def bind(values: Mapping[str, int]) -> None:
    """Gives symbols their values; without any, they are open again."""
    _values.clear()
    _values.update(values)


class Expression:
    """Something to be computed. symbols: what it depends on."""

    def __init__(self, function: Callable[..., Any], operands: tuple[Any, ...], symbols: frozenset[str]) -> None:
        self.function = function
        self.operands = operands
        self.symbols = symbols

    def value(self) -> Any:
        return self.function(*(o.value() if isinstance(o, Expression) else o for o in self.operands))

    def __index__(self) -> int:
        return int(self.value())

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.value())

    def __bool__(self) -> bool:
        return bool(self.value())

    def __hash__(self) -> int:
        return id(self)

    def __add__(self, other: Any) -> Any:
        return apply(operator.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return apply(operator.add, other, self)

    def __sub__(self, other: Any) -> Any:
        return apply(operator.sub, self, other)

    def __rsub__(self, other: Any) -> Any:
        return apply(operator.sub, other, self)

    def __mul__(self, other: Any) -> Any:
        return apply(operator.mul, self, other)

    def __rmul__(self, other: Any) -> Any:
        return apply(operator.mul, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return apply(operator.floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return apply(operator.floordiv, other, self)

    def __truediv__(self, other: Any) -> Any:
        return apply(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return apply(operator.truediv, other, self)

    def __mod__(self, other: Any) -> Any:
        return apply(operator.mod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return apply(operator.mod, other, self)

    def __neg__(self) -> Any:
        return apply(operator.neg, self)

    def __lt__(self, other: Any) -> Any:
        return apply(operator.lt, self, other)

    def __le__(self, other: Any) -> Any:
        return apply(operator.le, self, other)

    def __gt__(self, other: Any) -> Any:
        return apply(operator.gt, self, other)

    def __ge__(self, other: Any) -> Any:
        return apply(operator.ge, self, other)

    def __eq__(self, other: object) -> Any:
        return apply(operator.eq, self, other)

    def __ne__(self, other: object) -> Any:
        return apply(operator.ne, self, other)


class Symbol(Expression):
    """A size without a value yet."""

    def __init__(self, name: str) -> None:
        super().__init__(self._look_up, (), frozenset({name}))
        self.name = name

    def _look_up(self) -> int:
        if self.name not in _values:
            raise Unknown(self.name)
        return _values[self.name]

    def __repr__(self) -> str:
        return self.name


def apply(function: Callable[..., Any], *operands: Any) -> Any:
    """The result, or an Expression when an operand is an open one."""
    symbols = frozenset[str]().union(*(o.symbols for o in operands if isinstance(o, Expression)))
    if symbols and not all(name in _values for name in symbols):
        return Expression(function, operands, symbols)
    return function(*(o.value() if isinstance(o, Expression) else o for o in operands))


def plain(value: Any) -> Any:
    """An expression's value; anything else as it is."""
    return value.value() if isinstance(value, Expression) else value


def symbols_of(value: Any) -> frozenset[str]:
    return value.symbols if isinstance(value, Expression) else frozenset()
