"""Vector operations that look at shapes: reductions, broadcast, transpose, gather, sort."""

from __future__ import annotations

from typing import Any

import numpy as np

from opgen.dialect import numbers
from opgen.dialect.buffers import Array
from opgen.dialect.indexing import integer
from opgen.dialect.machine import Abandon, Core
from opgen.dialect.operands import Operand, operand
from opgen.dialect.order import S, V
from opgen.dialect.vector import Call, is_buffer, scalar_operand
from opgen.facts.operations import BLOCK_BYTES, HALF_SUM_ELEMENTS, HALF_SUM_ROWS

_JOIN = {"reduce_sum": np.add, "reduce_max": np.maximum, "reduce_min": np.minimum}


def reduce(core: Core, name: str, source: Any, target: Any, dim: int, clear: bool, real_shape: Any) -> None:
    what = f"T.{name}"
    if not core.does(False, what):
        return
    src, dst = operand(core, source, what), operand(core, target, what)
    rows, columns, axis = _matrix(core, src.shape, dim, what)
    real = [integer(axis_size) for axis_size in real_shape] if real_shape is not None else [0, 0]
    valid_rows, valid_columns = real[0] or rows, real[1] or columns
    if valid_rows > rows or valid_columns > columns:
        core.report("OPG743", f"{what}: real_shape {real} is larger than the buffer, {rows} x {columns}")
        raise Abandon
    results = valid_rows if axis == 1 else valid_columns
    if dst.size < results:
        core.report("OPG743", f"{what} has {results} results and {dst.buffer.name} holds {dst.size}")
        raise Abandon
    if len(src.shape) == 1 and dst.size != 1:
        core.report(
            "OPG743",
            f"{what} of one axis has one result and {dst.buffer.name} holds {dst.size}",
            why="The compiler accepts nothing but a buffer of one element there.",
            fix=f"allocate {dst.buffer.name} with the shape (1,)",
        )
        raise Abandon
    if axis == 1 and columns * src.buffer.item % BLOCK_BYTES:
        core.report(
            "OPG711",
            f"{what}: rows of {src.buffer.name} take {columns * src.buffer.item} bytes, no multiple of {BLOCK_BYTES}",
            why="Rows are reduced in blocks of 32 bytes.",
            fix="pad the rows to 32 bytes, with 0 for sums and infinity for extremes",
        )
    if axis == 1 and valid_rows > 1 and valid_columns != columns:
        core.report(
            "OPG711",
            f"{what} takes rows that are {valid_columns} elements apart, and those of {src.buffer.name} are "
            f"{columns} apart",
            why="real_shape is all that the reduction is told: rows follow each other without a gap.",
            fix="let the padding not count, as 0 in sums and infinity in extremes, and leave real_shape out",
        )
    if name == "reduce_sum" and src.dtype == "float16":
        _half_sum(core, valid_rows, valid_columns, axis, what)
    dst = dst._replace(size=results)
    call = Call(core, name, dst, [src])
    call.scratch()
    values = call.read(src)
    old = None if clear else call.read(dst)
    if values is None:
        return
    matrix = numbers.wide(values, src.dtype).reshape(rows, columns)[:valid_rows, :valid_columns]
    with np.errstate(all="ignore"):
        result = _JOIN[name].reduce(matrix, axis=axis)
        if old is not None:
            result = _JOIN[name](numbers.wide(old, dst.dtype), result)
    call.write(numbers.rounded(result, dst.dtype))


def _matrix(core: Core, shape: tuple[int, ...], dim: int, what: str) -> tuple[int, int, int]:
    """Rows, columns, and the axis of the two that is reduced."""
    rank = len(shape)
    trailing = shape[-2:] if rank > 1 else (1, *shape)
    if rank > 3 or (rank == 3 and shape[0] != 1):
        core.report("OPG743", f"{what} of {rank} axes", why="Reductions take one or two axes, or a tile of three.")
        raise Abandon
    axes = {-1: 1, -2: 0, 1: 1, 0: 0} if rank > 1 else {-1: 1, 0: 1}
    if dim not in axes:
        core.report("OPG743", f"{what} over axis {dim} of {rank}")
        raise Abandon
    return trailing[0], trailing[1], axes[dim]


def _half_sum(core: Core, rows: int, columns: int, axis: int, what: str) -> None:
    if axis == 0 or columns > HALF_SUM_ELEMENTS or rows > HALF_SUM_ROWS:
        core.report(
            "OPG714",
            f"{what} of float16, {rows} x {columns} over axis {'0' if axis == 0 else '-1'}",
            why=f"It becomes one instruction a row with the row as mask: at most {HALF_SUM_ELEMENTS} elements and "
            f"{HALF_SUM_ROWS} rows, the last axis only.",
            fix="cast to float32 and sum that",
        )


def broadcast(core: Core, target: Any, source: Any, axis: int | None) -> None:
    what = "T.tile.broadcast"
    if not core.does(False, what):
        return
    dst, src = operand(core, target, what), operand(core, source, what)
    into, out_of = dst.shape[-2:], src.shape[-2:]
    if len(out_of) == 1 and len(into) == 2:
        if axis == 0 or (axis is None and into[1] == out_of[0]):
            out_of = (1, out_of[0])
        elif axis == 1 or (axis is None and into[0] == out_of[0]):
            out_of = (out_of[0], 1)
    if len(into) != len(out_of) or any(a not in (1, b) for a, b in zip(out_of, into, strict=True)):
        core.report(
            "OPG743",
            f"{what} from {src.buffer.name} {src.shape} to {dst.buffer.name} {dst.shape}",
            why="One axis of the source has one element, the other is that of the destination.",
        )
        raise Abandon
    call = Call(core, "broadcast", dst, [src])
    call.scratch()
    values = call.read(src)
    if values is not None:
        call.write(np.broadcast_to(values.reshape(out_of), into).ravel())


def transpose(core: Core, target: Any, source: Any) -> None:
    what = "T.tile.transpose"
    if not core.does(False, what):
        return
    dst, src = operand(core, target, what), operand(core, source, what)
    if len(src.shape) != 2 or dst.shape != src.shape[::-1]:
        core.report("OPG743", f"{what} from {src.shape} to {dst.shape}")
        raise Abandon
    call = Call(core, "transpose", dst, [src])
    pipe = V if src.shape == (16, 16) and src.buffer.item == 2 else S  # anything else is a loop of the scalar unit
    step = call.step if pipe == V else core.order.issue(S)
    values = src.buffer.read(core, pipe, step, src.start, src.size, what)
    data = dst.buffer.write(core, pipe, step, dst.start, dst.size, what) if values is not None else None
    if data is not None and values is not None:
        data[:] = values.reshape(src.shape).T.ravel()


def gather(core: Core, target: Any, source: Any, offsets: Any, base: Any) -> None:
    """Offsets are bytes."""
    what = "T.tile.gather"
    if not core.does(False, what):
        return
    dst, src, at = operand(core, target, what), operand(core, source, what), operand(core, offsets, what)
    if at.dtype != "uint32":
        core.report("OPG740", f"{what} with offsets of {at.dtype}", why="Offsets are bytes, of uint32.")
        raise Abandon
    count = min(dst.size, at.size)
    call = Call(core, "gather", dst._replace(size=count), [src])
    where = call.read(at, count)
    if where is None:
        return
    indices = (where.astype(np.int64) + integer(base)) // src.buffer.item
    outside = (indices < 0) | (indices >= src.size)
    if outside.any():
        core.report("OPG731", f"{what} reads past the end of {src.buffer.name}", why="Offsets are not checked.")
        return
    values = call.read(src)
    if values is not None:
        call.write(values[indices])


_PATTERNS = {
    "P0101": (2, 0), "P1010": (2, 1), "P1111": (1, 0),
    "P0001": (4, 0), "P0010": (4, 1), "P0100": (4, 2), "P1000": (4, 3),
}  # fmt: skip


def gather_mask(core: Core, target: Any, source: Any, pattern: Any) -> None:
    what = "T.tile.gather_mask"
    if not core.does(False, what):
        return
    dst, src = operand(core, target, what), operand(core, source, what)
    if is_buffer(pattern):
        core.unknown("T.tile.gather_mask with a pattern from a buffer")
        return
    if pattern not in _PATTERNS:
        core.report("OPG743", f'{what} has no pattern "{pattern}"', fix=f"use one of {', '.join(_PATTERNS)}")
        raise Abandon
    step, first = _PATTERNS[pattern]
    call = Call(core, "gather_mask", dst._replace(size=src.size // step), [src])
    values = call.read(src)
    if values is not None:
        call.write(values[first::step][: src.size // step])


# ---- sorting: (value, index) pairs, largest value first ----


def sort(core: Core, name: str, target: Any, source: Any, keep: int | None, actual: Any) -> None:
    what = f"T.tile.{name}"
    if not core.does(False, what):
        return
    dst, src = operand(core, target, what), operand(core, source, what)
    valid = integer(actual)
    blocks = -(-(src.size if name == "topk" else valid) // 32) * 32
    kept = blocks if keep is None else keep
    call = Call(core, name, dst._replace(size=2 * kept), [src])
    call.scratch()
    values = call.read(src, valid)
    if values is None:
        return
    whole = np.full(blocks, -np.inf, np.float32)
    whole[:valid] = values
    if blocks > valid:  # the rest is overwritten with -inf
        rest = src.buffer.write(core, V, call.step, src.start + valid, blocks - valid, what)
        if rest is not None:
            rest[:] = -np.inf
    order = np.argsort(-whole, kind="stable")[:kept]
    call.write(numbers.rounded(np.stack([whole[order], order], 1).ravel(), dst.dtype))


def merge_sort(core: Core, target: Any, sources: list[Any]) -> None:
    what = "T.tile.merge_sort"
    if not core.does(False, what):
        return
    dst = operand(core, target, what)
    lists = [operand(core, source, what) for source in sources if source is not None]
    total = sum(one.size // 2 * 2 for one in lists)
    call = Call(core, "merge_sort", dst._replace(size=total), lists)
    parts = [call.read(one, one.size // 2 * 2) for one in lists]
    if any(part is None for part in parts):
        return
    pairs = np.concatenate([part for part in parts if part is not None]).reshape(-1, 2)
    call.write(pairs[np.argsort(-pairs[:, 0].astype(np.float64), kind="stable")].ravel())


def init_sort_buf(core: Core, target: Any, count: Any, value: Any) -> None:
    """Pairs of the lowest number and an index that no element has."""
    what = "T.tile.init_sort_buf"
    if not core.does(False, what):
        return
    dst = operand(core, target, what)._replace(size=integer(count))
    Call(core, "sort", dst, []).write(numbers.rounded(scalar_operand(core, value, dst.dtype, what), dst.dtype))


def row_expand(core: Core, name: str, target: Any, left: Any, right: Any, scratch: Any) -> None:
    """Each row with one number of its own."""
    what = f"T.tile.{name}"
    if not core.does(False, what):
        return
    dst, first, second = (operand(core, value, what) for value in (target, left, right))
    rows, columns = dst.shape[-2], dst.shape[-1]
    if rows % 8 or columns * dst.buffer.item != 8 * BLOCK_BYTES:
        core.report(
            "OPG714",
            f"{what} of {rows} rows of {columns * dst.buffer.item} bytes",
            why="It works on multiples of 8 rows of 256 bytes.",
        )
    operands: list[Operand] = [first, second]
    call = Call(core, name, dst, operands)
    a, b = call.read(first), call.read(second, rows)
    if a is None or b is None:
        return
    function = np.subtract if "sub" in name else np.divide
    with np.errstate(all="ignore"):
        wide: Array = function(numbers.wide(a, dst.dtype).reshape(rows, columns), numbers.wide(b, dst.dtype)[:, None])
    call.write(numbers.rounded(wide.ravel(), dst.dtype))
