"""Operands of the dialect's functions: buffers, pieces of them, corners, scalars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilelang.language.frame import get_let_value, has_let_value
from tvm import arith, tirx

from .memory import CXX, dtype_of, place_of
from .tracing import READS

_analyzer = arith.Analyzer()


def constant(value: Any) -> int | None:
    """The integer that an expression is, if it is one."""
    if isinstance(value, int):
        return value
    simple = _analyzer.simplify(value)
    return int(simple.value) if isinstance(simple, tirx.IntImm) else None


def simple(value: Any) -> Any:
    """An expression, as short as it gets."""
    return value if isinstance(value, int) else _analyzer.simplify(value)


def product(values: Sequence[Any]) -> Any:
    result: Any = 1
    for value in values:
        result = result * value
    return simple(result)


@dataclass(frozen=True)
class Piece:
    """A box of a buffer: its corner, and its extents unless only the corner is known."""

    buffer: Any
    start: tuple[Any, ...]
    extents: tuple[Any, ...] | None

    @property
    def dtype(self) -> str:
        return dtype_of(self.buffer)

    @property
    def cxx(self) -> str:
        return CXX[self.dtype]

    @property
    def place(self) -> str:
        return place_of(self.buffer)

    @property
    def shape(self) -> list[Any]:
        return list(self.buffer.shape)

    @property
    def strides(self) -> list[Any]:
        """In elements; tensors and buffers are row-major."""
        return [product(self.shape[axis + 1 :]) for axis in range(len(self.shape))]

    @property
    def offset(self) -> Any:
        """Elements from the buffer's beginning to the corner."""
        return simple(sum((s * p for s, p in zip(self.start, self.strides, strict=True)), start=0))

    @property
    def sizes(self) -> tuple[Any, ...]:
        """The extents; all of the buffer's axes must be known."""
        if self.extents is None:
            raise TypeError(f"{self.buffer.name}: a whole buffer or a slice of one is needed, not a single element")
        return self.extents

    @property
    def size(self) -> Any:
        """Elements of the box."""
        return product(self.sizes)

    @property
    def address(self) -> tuple[Any, Any]:
        """What prelude.h takes for it: the buffer's address and the offset of the corner."""
        return self.buffer.data, self.offset


def _resolved(operand: Any) -> Any:
    if isinstance(operand, tirx.Var) and has_let_value(operand):
        operand = get_let_value(operand)
    return READS.get(operand, operand) if isinstance(operand, tirx.Call) else operand


def piece(operand: Any) -> Piece | None:
    """A buffer, a slice or an element as a box; None for scalars."""
    operand = _resolved(operand)
    if isinstance(operand, tirx.Buffer):
        return Piece(operand, (0,) * len(operand.shape), tuple(operand.shape))
    if isinstance(operand, tirx.BufferRegion):
        return Piece(operand.buffer, tuple(r.min for r in operand.region), tuple(r.extent for r in operand.region))
    if isinstance(operand, tirx.BufferLoad):
        return Piece(operand.buffer, tuple(operand.indices), None)
    return None


def tile(operand: Any, what: str) -> Piece:
    """A buffer or a slice of one."""
    found = piece(operand)
    if found is None or found.extents is None:
        raise TypeError(f"{what}: a buffer or a slice of one is needed, not {operand!r}")
    return found


def optional_tile(operand: Any) -> Piece | None:
    """A buffer or a slice of one; None for scalars, single elements among them."""
    found = piece(operand)
    return found if found is not None and found.extents is not None else None


def on_chip(found: Piece, what: str) -> Piece:
    """The vector unit reads and writes buffers on chip only."""
    if found.place not in ("ub", "any"):
        where = "global memory" if found.place == "gm" else found.place
        raise ValueError(f"{what}: {found.buffer.name} is in {where}, and the vector unit only sees the unified buffer")
    return found


def same_size(what: str, *pieces: Piece) -> Any:
    """The number of elements that all have."""
    sizes = [constant(found.size) for found in pieces]
    if len(set(sizes)) > 1:
        shown = ", ".join(f"{p.buffer.name}: {p.size}" for p in pieces)
        raise ValueError(f"{what}: operands of different sizes ({shown})")
    return pieces[0].size


def same_dtype(what: str, *pieces: Piece) -> str:
    """The C++ name of the type that all have."""
    if len({found.dtype for found in pieces}) > 1:
        shown = ", ".join(f"{p.buffer.name}: {p.dtype}" for p in pieces)
        raise TypeError(f"{what}: operands of different types ({shown})")
    return pieces[0].cxx


def scalar(value: Any) -> tuple[str, Any]:
    """A scalar with the C++ type that carries it."""
    if isinstance(value, bool):
        return "int64_t", int(value)
    if isinstance(value, int):
        return "int64_t", tirx.const(value, "int64" if abs(value) >= 2**31 else "int32")
    if isinstance(value, float):
        return "float", tirx.const(value, "float32")
    dtype = str(value.dtype)
    if dtype.startswith("float"):
        return "float", value if dtype == "float32" else tirx.Cast("float32", value)
    return "int64_t", value


def number(value: Any) -> Any:
    """A scalar as float32."""
    kind, found = scalar(value)
    return found if kind == "float" else tirx.Cast("float32", found)
