"""Reductions, and the cube core's products."""

from __future__ import annotations

from typing import Any

from tvm import tirx

from .operands import Piece, constant, on_chip, piece, same_dtype, tile
from .tracing import CUBE, VECTOR, call, current


def _reduction(name: str, code: str) -> Any:
    what = f"T.{name}"

    def operation(buffer: Any, out: Any, dim: int = -1, *args: Any, clear: bool = True, real_shape: Any = None) -> Any:
        for extra in args:
            if isinstance(extra, bool):
                clear = extra
            else:
                real_shape = extra
        a, to = on_chip(tile(buffer, what), what), on_chip(tile(out, what), what)
        sizes = list(a.sizes)
        if len(sizes) not in (1, 2, 3):
            raise ValueError(f"{what}: reduces buffers of one to three axes, not {len(sizes)}")
        last_two = sizes[-2:] if len(sizes) > 1 else [1, sizes[0]]
        axes = 1 if len(sizes) == 1 else 2
        axis = dim if dim >= 0 else axes + dim
        if not 0 <= axis < axes:
            raise ValueError(f"{what}: no axis {dim}")
        down = axes == 2 and axis == 0
        rows, cols = last_two
        pitch = last_two[1]
        if real_shape is not None and len(sizes) == 2:
            rows = rows if constant(real_shape[0]) == 0 else real_shape[0]
            cols = cols if constant(real_shape[1]) == 0 else real_shape[1]
        results, room = constant(cols if down else rows), constant(to.size)
        if results is not None and room is not None and room < results:
            raise ValueError(f"{what}: {to.buffer.name} has room for {room} results, and there are {results}")
        current().roles |= VECTOR
        cxx = same_dtype(what, a, to)
        return call(f"reduce<ascend::{code}, {cxx}>", int(down), int(clear), *to.address, *a.address, rows, cols, pitch)

    return operation


reduce_sum = _reduction("reduce_sum", "SUM")
reduce_max = _reduction("reduce_max", "MOST")
reduce_min = _reduction("reduce_min", "LEAST")


def _matrix(operand: Any, what: str) -> tuple[Piece, Any, Any, Any]:
    """A piece, its last two extents and the distance of its rows."""
    found = piece(operand)
    if found is None or found.extents is None or len(found.sizes) < 2:
        raise TypeError(f"{what}: a matrix is needed")
    if any(constant(size) != 1 for size in found.sizes[:-2]):
        raise ValueError(f"{what}: leading axes must be 1")
    if found.place not in ("l1", "l0a", "l0b", "l0c", "any"):
        raise ValueError(f"{what}: {found.buffer.name} is not in the cube core's memory")
    return found, found.sizes[-2], found.sizes[-1], found.strides[-2]


def _multiply(what: str, a: Any, b: Any, c: Any, transpose_a: bool, transpose_b: bool, init: Any) -> Any:
    left, a_rows, a_cols, a_pitch = _matrix(a, what)
    right, b_rows, b_cols, b_pitch = _matrix(b, what)
    out, rows, cols, c_pitch = _matrix(c, what)
    depth = a_rows if transpose_a else a_cols
    other = b_cols if transpose_b else b_rows
    if constant(depth) != constant(other):
        raise ValueError(f"{what}: K is {depth} in {left.buffer.name} and {other} in {right.buffer.name}")
    fits = (constant(a_cols if transpose_a else a_rows), constant(b_rows if transpose_b else b_cols))
    if fits != (constant(rows), constant(cols)) or constant(c_pitch) != constant(cols):
        raise ValueError(f"{what}: the product is {fits}, and {out.buffer.name} is {(constant(rows), constant(cols))}")
    pair = (same_dtype(what, left, right), out.cxx)
    if pair not in (("half", "float"), ("bfloat16", "float"), ("float", "float"), ("int8_t", "int32_t")):
        raise TypeError(f"{what}: no product of {left.dtype} with sums in {out.dtype}")
    current().roles |= CUBE
    first = int(init) if isinstance(init, (bool, int)) else tirx.Cast("int32", init)
    return call(
        f"multiply<{pair[0]}, {pair[1]}>",
        *out.address,
        *left.address,
        *((1, a_pitch) if transpose_a else (a_pitch, 1)),
        *right.address,
        *((1, b_pitch) if transpose_b else (b_pitch, 1)),
        first,
        rows,
        cols,
        depth,
    )


def gemm_v0(A: Any, B: Any, C: Any, transpose_A: bool = False, transpose_B: bool = False, init: Any = False) -> Any:  # noqa: N803
    """C (+)= A * B for tiles in L1."""
    return _multiply("T.gemm_v0", A, B, C, transpose_A, transpose_B, init)


def mma(A: Any, B: Any, C: Any, init: Any = False) -> Any:  # noqa: N803
    """C (+)= A * B for tiles in L0A and L0B."""
    return _multiply("T.mma", A, B, C, False, False, init)
