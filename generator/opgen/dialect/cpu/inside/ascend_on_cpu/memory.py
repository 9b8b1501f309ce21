"""Tensors and buffers: how they are declared, and how bfloat16 is held.

TileLang's CPU target has no bfloat16 outside global memory. Such tensors and buffers are declared as uint16; `Memory`
keeps their type, and elements that the scalar unit reads or writes are converted.
"""

from __future__ import annotations

from typing import Any

import tilelang.language as language
from tilelang.language.eager import builder as eager
from tvm import tirx
from tvm.script.ir_builder import tirx as ir

from .tracing import MEMORIES, READS, Memory, current

# Element types as prelude.h calls them.
CXX = {
    "float32": "float",
    "float16": "half",
    "bfloat16": "bfloat16",
    "bool": "uint8_t",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}


_HELD_AS = {"bfloat16": "uint16"}
_mainline_tensor = language.Tensor


def dtype_of(buffer: Any) -> str:
    """The type of a buffer's elements, as the kernel declared it."""
    known = MEMORIES.get(buffer.data)
    return known.dtype if known else str(buffer.dtype)


def place_of(buffer: Any) -> str:
    """gm, ub, l1, l0a, l0b, l0c or any."""
    known = MEMORIES.get(buffer.data)
    return known.place if known else "gm"


def _registered(buffer: Any, dtype: str, place: str) -> Any:
    MEMORIES[buffer.data] = Memory(dtype, place)
    return buffer


class _Tensor:
    """T.Tensor(shape, dtype)."""

    def __call__(self, shape: Any, dtype: Any = "float32", *args: Any, **kwargs: Any) -> Any:
        name = str(dtype)
        return _registered(_mainline_tensor(shape, _HELD_AS.get(name, name), *args, **kwargs), name, "gm")


tensor = _Tensor()


def _allocate(place: str, shape: Any, dtype: Any) -> Any:
    name = str(dtype)
    if isinstance(shape, int):
        shape = (shape,)
    sizes = [int(size) for size in shape]
    if any(size < 1 for size in sizes):
        raise ValueError(f"an on-chip buffer of shape {tuple(sizes)}")
    return _registered(language.alloc_shared(sizes, _HELD_AS.get(name, name), scope="shared"), name, place)


def alloc_ub(shape: Any, dtype: Any) -> Any:
    """T.alloc_ub."""
    return _allocate("ub", shape, dtype)


def alloc_l1(shape: Any, dtype: Any) -> Any:
    """T.alloc_L1."""
    return _allocate("l1", shape, dtype)


def alloc_l0a(shape: Any, dtype: Any) -> Any:
    """T.alloc_L0A."""
    return _allocate("l0a", shape, dtype)


def alloc_l0b(shape: Any, dtype: Any) -> Any:
    """T.alloc_L0B."""
    return _allocate("l0b", shape, dtype)


def alloc_l0c(shape: Any, dtype: Any) -> Any:
    """T.alloc_L0C."""
    return _allocate("l0c", shape, dtype)


def alloc_anywhere(shape: Any, dtype: Any, scope: str = "") -> Any:
    """T.alloc_shared, T.alloc_fragment: the compiler finds out which memory it is."""
    current().joint = True
    return _allocate("any", shape, dtype)


def _read(buffer: Any, load: Any) -> Any:
    """What the scalar unit gets when it reads an element.

    A call, since TileLang moves plain loads past calls, which it does not know to write to buffers.
    """
    offset = load.buffer.offset_of(list(load.indices))[0]
    dtype = dtype_of(buffer)
    wide = dtype == "bfloat16"
    name = "ascend::widen" if wide else f"ascend::read<{CXX[dtype]}>"
    call = tirx.call_extern("float32" if wide else load.dtype, name, buffer.data, offset)
    READS[call] = load
    return call


def install_elements() -> None:
    """Single elements are read by calls; bfloat16 ones are converted where they are read and written."""
    plain_read = tirx.Buffer.__getitem__
    plain_store = eager.Builder.assign_slice

    def read(buffer: Any, index: Any) -> Any:
        found = plain_read(buffer, index)
        return _read(buffer, found) if isinstance(found, tirx.BufferLoad) and buffer.data in MEMORIES else found

    def store(self: Any, target: Any, index: Any, value: Any, *rest: Any, **more: Any) -> Any:
        if isinstance(target, tirx.Buffer) and dtype_of(target) == "bfloat16":
            value = tirx.call_extern("uint16", "ascend::narrow", ir.Cast("float32", value))
        return plain_store(self, target, index, value, *rest, **more)

    tirx.Buffer.__getitem__ = read
    eager.Builder.assign_slice = store
