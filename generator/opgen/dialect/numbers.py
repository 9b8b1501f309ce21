"""Arithmetic as the vector unit does it: computed in float32 (integers in 64 bits) and rounded once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opgen.dialect.indexing import held
from opgen.facts.dtypes import DTYPES

Array = NDArray[Any]


def wide(values: Array, dtype: str) -> Array:
    """Elements as they are computed with."""
    if DTYPES[dtype].kind == "float":
        return values if values.dtype == np.float32 else values.astype(np.float32)
    return values.astype(np.int64)


def rounded(values: Any, dtype: str) -> Array:
    """Results in an element type: floats to nearest even, integers wrap around."""
    array = np.asarray(values)
    if dtype == "bfloat16":
        return to_bfloat16(array)
    with np.errstate(all="ignore"):
        return array.astype(held(dtype))


def scalar(value: Any, dtype: str) -> Any:
    """A scalar operand as the instruction gets it. Constants are printed with seven significant digits."""
    if isinstance(value, float) and DTYPES[dtype].kind == "float":
        value = np.float32(f"{value:e}")
    if DTYPES[dtype].kind == "float":
        with np.errstate(all="ignore"):
            return np.float32(held(dtype).type(value)) if dtype != "bfloat16" else to_bfloat16(np.float32(value))
    return np.int64(int(value))


def to_bfloat16(values: Any) -> Array:
    """float32 with the lower 16 bits rounded away, half to even."""
    array = np.ascontiguousarray(values, np.float32)
    bits = array.view(np.uint32)
    with np.errstate(over="ignore"):
        nearest = ((bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)).view(
            np.float32
        )
    result: Array = np.where(np.isnan(array), np.float32(np.nan), nearest)
    return result


# ---- casts ----

_WHOLE: dict[str, Callable[[Array], Array]] = {
    "CAST_NONE": np.rint,
    "CAST_RINT": np.rint,
    "CAST_FLOOR": np.floor,
    "CAST_CEIL": np.ceil,
    "CAST_ROUND": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    "CAST_TRUNC": np.trunc,
}


def cast(values: Array, source: str, target: str, mode: str) -> Array:
    """A documented cast. Floats that an integer type cannot hold give its nearest value, NaN gives 0."""
    into, out_of = DTYPES[target].kind, DTYPES[source].kind
    if into != "float":
        if out_of != "float":
            return rounded(values, target)
        whole = _WHOLE[mode](values.astype(np.float64))
        low, high = DTYPES[target].low, DTYPES[target].high
        inside = np.clip(np.nan_to_num(whole, nan=0, posinf=high, neginf=low), low, high)
        result = np.where(inside >= 2.0**63, 0, inside).astype(np.int64)
        return np.where(inside >= 2.0**63, np.int64(2**63 - 1), result).astype(held(target))
    if target == "float32":
        if source == "float32":
            with np.errstate(all="ignore"):
                return _WHOLE[mode](values.astype(np.float64)).astype(np.float32)
        return values.astype(np.float32)
    wide_values = values.astype(np.float64)
    nearest = rounded(values.astype(np.float32), target)
    if mode in ("CAST_RINT", "CAST_NONE"):
        return nearest
    return _directed(wide_values, nearest, target, mode)


def _directed(values: Array, nearest: Array, target: str, mode: str) -> Array:
    """The neighbour of `values` in a half type that a mode chooses. nearest: the closest one."""
    with np.errstate(all="ignore"):
        magnitude = np.abs(values)
        near = np.abs(nearest.astype(np.float64))
        exact = (near == magnitude) | ~np.isfinite(values)
        low = np.where(near > magnitude, _next(np.abs(nearest), target, -1), np.abs(nearest))
        high = _next(low, target, +1)
        negative = np.signbit(values)
        if mode == "CAST_FLOOR":
            up = negative
        elif mode == "CAST_CEIL":
            up = ~negative
        elif mode == "CAST_ROUND":
            up = np.isinf(nearest) | (high.astype(np.float64) - magnitude <= magnitude - low.astype(np.float64))
        elif mode == "CAST_ODD":
            up = ~_odd(low)
        else:
            up = np.zeros(values.shape, np.bool_)
        chosen = np.where(up, high, low)
        result = np.where(exact, nearest, np.copysign(chosen, values.astype(chosen.dtype)))
    return result.astype(held(target))


def _next(values: Array, target: str, direction: int) -> Array:
    """The next magnitude of a half type."""
    if target == "float16":
        halves: Array = values.astype(np.float16).view(np.uint16) + np.uint16(direction % 2**16)
        return halves.view(np.float16)
    bits: Array = values.astype(np.float32).view(np.uint32) + np.uint32(direction * 0x10000 % 2**32)
    return bits.view(np.float32)


def _odd(values: Array) -> NDArray[np.bool_]:
    if values.dtype == np.float16:
        return (values.view(np.uint16) & 1).astype(np.bool_)
    return ((values.view(np.uint32) >> 16) & 1).astype(np.bool_)
