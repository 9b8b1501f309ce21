"""Scalar functions of tilelang.language: what the scalar unit computes, or the script before there is a kernel."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.dialect.expression import apply
from opgen.dialect.indexing import Number, dtype_name, held
from opgen.dialect.numbers import rounded, to_bfloat16
from opgen.facts.dtypes import DTYPES


def _read(value: Any) -> Any:
    return value.number() if isinstance(value, Number) else value


def _either(numbers: Callable[..., Any], arrays: Callable[..., Any]) -> Callable[..., Any]:
    """arrays: for the indices of a T.Parallel loop and what is computed from them."""

    def both(*operands: Any) -> Any:
        return (arrays if any(isinstance(o, np.ndarray) for o in operands) else numbers)(*operands)

    return _function(both)


def _function(function: Callable[..., Any]) -> Callable[..., Any]:
    def scalar(*operands: Any) -> Any:
        with np.errstate(all="ignore"):
            return apply(function, *map(_read, operands))

    return scalar


class Immediate(int):
    """What T.int32(3) is: a number to the compiler, where a bare Python int is taken for a buffer."""


def convert(value: Any, dtype: Any) -> Any:
    """A number in an element type."""
    name = dtype_name(dtype)

    def into(number: Any) -> Any:
        with np.errstate(all="ignore"):
            if name == "bfloat16":
                return to_bfloat16(np.float32(number)).reshape(())[()]
            if isinstance(number, np.ndarray):
                return rounded(number, name)
            if DTYPES[name].kind == "int":
                return Immediate(np.asarray(number).astype(held(name)))
            return np.asarray(number).astype(held(name))[()]

    return apply(into, _read(value))


def ceildiv(a: Any, b: Any) -> Any:
    return apply(lambda x, y: -(-x // y), _read(a), _read(b))


def infinity(dtype: Any) -> float:
    return math.inf


def max_value(dtype: Any) -> Any:
    dtype = DTYPES[dtype_name(dtype)]
    return dtype.high


def min_value(dtype: Any) -> Any:
    dtype = DTYPES[dtype_name(dtype)]
    return dtype.low


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ceildiv": ceildiv,
    "floordiv": _function(operator.floordiv),
    "floormod": _function(operator.mod),
    "truncdiv": _function(lambda a, b: int(a / b)),
    "truncmod": _function(lambda a, b: a - b * int(a / b)),
    "min": _either(min, np.minimum),
    "max": _either(max, np.maximum),
    "abs": _function(abs),
    "exp": _function(np.exp),
    "log": _function(np.log),
    "sqrt": _function(np.sqrt),
    "rsqrt": _function(lambda x: 1 / np.sqrt(x)),
    "pow": _function(operator.pow),
    "floor": _function(np.floor),
    "ceil": _function(np.ceil),
    "round": _function(np.rint),
    "trunc": _function(np.trunc),
    "And": _either(lambda *values: all(values), np.logical_and),
    "Or": _either(lambda *values: any(values), np.logical_or),
    "Not": _either(operator.not_, np.logical_not),
    "if_then_else": _either(lambda condition, a, b: a if condition else b, np.where),
    "Select": _either(lambda condition, a, b: a if condition else b, np.where),
    "clamp": _either(lambda value, low, high: min(max(value, low), high), np.clip),
    "bitwise_and": _function(operator.and_),
    "bitwise_or": _function(operator.or_),
    "bitwise_xor": _function(operator.xor),
    "shift_left": _function(operator.lshift),
    "shift_right": _function(operator.rshift),
    "cast": convert,
    "Cast": lambda dtype, value: convert(value, dtype),
    "infinity": infinity,
    "max_value": max_value,
    "min_value": min_value,
    "int_max": max_value,
}
