"""Elements as memory holds them, and as they are computed with: bfloat16 is 16 bits there and a float32 here."""

from __future__ import annotations

from typing import Any

import numpy as np

from opgen.dialect.indexing import held
from opgen.dialect.numbers import rounded, to_bfloat16
from opgen.dialect.report import Array

_BITS = {"bfloat16": "uint16", "bool": "uint8"}


def stored(dtype: str) -> np.dtype[Any]:
    """The NumPy type with the same bytes."""
    return np.dtype(_BITS.get(dtype, dtype))


def decoded(bits: Array, dtype: str) -> Array:
    """Numbers from memory, a copy."""
    if dtype == "bfloat16":
        wide: Array = (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return wide
    return np.array(bits)


def encoded(values: Array, dtype: str) -> Array:
    """Numbers to memory. values: in the type already, bfloat16 as float32."""
    if dtype == "bfloat16":
        bits: Array = np.ascontiguousarray(to_bfloat16(values)).view(np.uint32)
        halves: Array = (bits >> np.uint32(16)).astype(np.uint16)
        return halves
    exact: Array = np.asarray(values, stored(dtype))
    return exact


def as_bytes(values: Any, dtype: str) -> Array:
    """What global memory holds for the elements of a tensor, flat."""
    exact = rounded(np.asarray(values).ravel(), dtype)
    flat: Array = np.ascontiguousarray(encoded(exact, dtype)).view(np.uint8).ravel().copy()
    return flat


def from_bytes(data: Array, dtype: str) -> Array:
    """Elements of global memory, flat; bfloat16 as float32."""
    numbers: Array = decoded(data.view(stored(dtype)), dtype).astype(held(dtype), copy=False)
    return numbers
