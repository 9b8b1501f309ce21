"""T.tile: gathering and sorting."""

from __future__ import annotations

from typing import Any

from .operands import Piece, constant, on_chip, same_dtype, tile
from .tracing import VECTOR, call, current

# Pattern of gather_mask -> (first element, distance).
_PATTERNS = {
    "P0101": (0, 2),
    "P1010": (1, 2),
    "P0001": (0, 4),
    "P0010": (1, 4),
    "P0100": (2, 4),
    "P1000": (3, 4),
    "P1111": (0, 1),
}
_BLOCK = 32  # elements that are sorted at once


def _operand(value: Any, what: str) -> Piece:
    return on_chip(tile(value, what), what)


def _call(name: str, *args: Any) -> Any:
    current().roles |= VECTOR
    return call(name, *args)


def _static(size: Any, what: str) -> int:
    known = constant(size)
    if known is None:
        raise ValueError(f"{what}: the size must be known when the kernel is compiled")
    return known


def gather(dst: Any, src: Any, src_offset: Any, src_base_addr: Any) -> Any:
    """Elements at byte offsets."""
    out, a, offsets = (_operand(value, "T.tile.gather") for value in (dst, src, src_offset))
    sizes = [constant(out.size), constant(offsets.size)]
    count = out.size if sizes[0] is not None and sizes[1] is not None and sizes[0] <= sizes[1] else offsets.size
    name = f"gather<{same_dtype('T.tile.gather', out, a)}>"
    return _call(name, *out.address, *a.address, *offsets.address, src_base_addr, count)


def gather_mask(dst: Any, src: Any, src1Pattern: Any) -> Any:  # noqa: N803 - the dialect's name
    """Every second or fourth element."""
    what = "T.tile.gather_mask"
    if not isinstance(src1Pattern, str):
        raise NotImplementedError(f"{what}: a pattern in a buffer is not known to opgen's CPU build")
    if src1Pattern not in _PATTERNS:
        raise ValueError(f"{what}: pattern {src1Pattern!r}: must be one of {', '.join(_PATTERNS)}")
    out, a = _operand(dst, what), _operand(src, what)
    first, step = _PATTERNS[src1Pattern]
    count = _static(a.size, what) // step
    return _call(f"pick<{same_dtype(what, out, a)}>", *out.address, *a.address, first, step, count)


def _row_expand(name: str, code: str) -> Any:
    def operation(dst: Any, src0: Any, src1: Any, tmp: Any = None) -> Any:
        what = f"T.tile.{name}"
        out, a, b = (_operand(value, what) for value in (dst, src0, src1))
        cols = _static(out.sizes[-1], what)
        rows = _static(out.size, what) // cols
        if (_static(a.size, what), _static(b.size, what)) != (rows * cols, rows):
            raise ValueError(f"{what}: {b.buffer.name} must have one element for each of {rows} rows")
        cxx = same_dtype(what, out, a, b)
        return _call(f"row_expand<ascend::{code}, {cxx}>", *out.address, *a.address, *b.address, rows, cols)

    return operation


row_expand_mul_experiment = _row_expand("row_expand_mul_experiment", "MUL")
row_expand_sub_experiment = _row_expand("row_expand_sub_experiment", "SUB")
row_expand_div_experiment = _row_expand("row_expand_div_experiment", "DIV")


def sort(dst: Any, src: Any, actual_num: Any) -> Any:
    """All elements as (value, index) pairs, the largest value first."""
    out, a = _operand(dst, "T.tile.sort"), _operand(src, "T.tile.sort")
    count = (actual_num + _BLOCK - 1) // _BLOCK * _BLOCK
    return _call(f"sort<{same_dtype('T.tile.sort', out, a)}>", *out.address, *a.address, count, count, actual_num)


def topk(dst: Any, src: Any, K: Any, actual_num: Any) -> Any:  # noqa: N803 - the dialect's name
    """The K largest elements as (value, index) pairs."""
    out, a = _operand(dst, "T.tile.topk"), _operand(src, "T.tile.topk")
    count = -(-_static(a.size, "T.tile.topk") // _BLOCK) * _BLOCK
    return _call(f"sort<{same_dtype('T.tile.topk', out, a)}>", *out.address, *a.address, K, count, actual_num)


def merge_sort(dst: Any, src0: Any, src1: Any, src2: Any = None, src3: Any = None) -> Any:
    """Two to four sorted lists of pairs as one."""
    what = "T.tile.merge_sort"
    out = _operand(dst, what)
    lists = [_operand(value, what) for value in (src0, src1, src2, src3) if value is not None]
    cxx = same_dtype(what, out, *lists)
    given: list[Any] = []
    for one in lists:
        given += [*one.address, _static(one.size, what) // 2]
    for _ in range(4 - len(lists)):
        given += [*lists[0].address, 0]
    return _call(f"merge<{cxx}>", *out.address, *given)
