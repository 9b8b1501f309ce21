"""T.tile: operations of the vector unit."""

from __future__ import annotations

from typing import Any

from .operands import Piece, constant, number, on_chip, optional_tile, product, same_dtype, same_size, scalar, tile
from .tracing import VECTOR, current
from .tracing import call as call_core

_MODES = {
    "CAST_NONE": "NONE",
    "CAST_RINT": "RINT",
    "CAST_FLOOR": "FLOOR",
    "CAST_CEIL": "CEIL",
    "CAST_ROUND": "AWAY",
    "CAST_TRUNC": "TRUNC",
    "CAST_ODD": "ODD",
}
_RELATIONS = ("EQ", "NE", "GT", "GE", "LT", "LE")
_SELECTIONS = ("VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE", "VSEL_TENSOR_TENSOR_MODE")


def _call(name: str, *args: Any) -> Any:
    current().roles |= VECTOR
    return call_core(name, *args)


def _operand(value: Any, what: str) -> Piece:
    return on_chip(tile(value, what), what)


def _binary(name: str, code: str) -> Any:
    def operation(dst: Any, src0: Any, src1: Any) -> Any:
        what = f"T.tile.{name}"
        out, a = _operand(dst, what), _operand(src0, what)
        size, cxx = same_size(what, out, a), same_dtype(what, out, a)
        other = optional_tile(src1)
        if other is None:
            kind, value = scalar(src1)
            return _call(f"binary_scalar<ascend::{code}, {cxx}, {kind}>", *out.address, *a.address, value, size)
        b = on_chip(other, what)
        same_size(what, out, b)
        same_dtype(what, out, b)
        return _call(f"binary<ascend::{code}, {cxx}>", *out.address, *a.address, *b.address, size)

    return operation


add = _binary("add", "ADD")
sub = _binary("sub", "SUB")
mul = _binary("mul", "MUL")
div = _binary("div", "DIV")
max = _binary("max", "MAX")
min = _binary("min", "MIN")
bitwise_and = _binary("bitwise_and", "AND")
bitwise_or = _binary("bitwise_or", "OR")
bitwise_xor = _binary("bitwise_xor", "XOR")


def _unary(name: str, code: str) -> Any:
    def operation(dst: Any, src0: Any) -> Any:
        what = f"T.tile.{name}"
        out, a = _operand(dst, what), _operand(src0, what)
        size, cxx = same_size(what, out, a), same_dtype(what, out, a)
        return _call(f"unary<ascend::{code}, {cxx}>", *out.address, *a.address, size)

    return operation


exp = _unary("exp", "EXP")
ln = _unary("ln", "LN")
abs = _unary("abs", "ABS")
reciprocal = _unary("reciprocal", "RECIPROCAL")
sqrt = _unary("sqrt", "SQRT")
rsqrt = _unary("rsqrt", "RSQRT")
relu = _unary("relu", "RELU")
bitwise_not = _unary("bitwise_not", "NOT")
sigmoid = _unary("sigmoid", "SIGMOID")
silu = _unary("silu", "SILU")
sin = _unary("sin", "SIN")
cos = _unary("cos", "COS")


def round(out: Any, buffer: Any, count: Any) -> Any:
    """To whole numbers, half to even."""
    to, a = _operand(out, "T.tile.round"), _operand(buffer, "T.tile.round")
    return _call(f"unary<ascend::ROUND, {same_dtype('T.tile.round', to, a)}>", *to.address, *a.address, count)


def pow(dst: Any, src0: Any, src1: Any) -> Any:
    """src0 to the power of src1, whole buffers."""
    out, a, b = (_operand(value, "T.tile.pow") for value in (dst, src0, src1))
    return _call(f"power<{same_dtype('T.tile.pow', out, a, b)}>", *out.address, *a.address, *b.address, a.size)


def leaky_relu(dst: Any, src0: Any, scalar_value: Any) -> Any:
    """src0 where it is not negative, else src0 * scalar_value."""
    out, a = _operand(dst, "T.tile.leaky_relu"), _operand(src0, "T.tile.leaky_relu")
    size, cxx = same_size("T.tile.leaky_relu", out, a), same_dtype("T.tile.leaky_relu", out, a)
    return _call(f"leaky_relu<{cxx}>", *out.address, *a.address, number(scalar_value), size)


def axpy(dst: Any, src0: Any, scalar_value: Any) -> Any:
    """dst += src0 * scalar_value."""
    out, a = _operand(dst, "T.tile.axpy"), _operand(src0, "T.tile.axpy")
    size, cxx = same_size("T.tile.axpy", out, a), same_dtype("T.tile.axpy", out, a)
    return _call(f"axpy<{cxx}>", *out.address, *a.address, number(scalar_value), size)


def mul_add_dst(dst: Any, src0: Any, src1: Any) -> Any:
    """dst += src0 * src1."""
    out, a, b = (_operand(value, "T.tile.mul_add_dst") for value in (dst, src0, src1))
    size, cxx = same_size("T.tile.mul_add_dst", out, a, b), same_dtype("T.tile.mul_add_dst", out, a, b)
    return _call(f"mul_add<{cxx}>", *out.address, *a.address, *b.address, size)


def _shift(name: str, left: int) -> Any:
    def operation(dst: Any, src0: Any, scalarValue: Any) -> Any:  # noqa: N803 - the dialect's name
        what = f"T.tile.{name}"
        out, a = _operand(dst, what), _operand(src0, what)
        size, cxx = same_size(what, out, a), same_dtype(what, out, a)
        return _call(f"shift<{cxx}>", left, *out.address, *a.address, scalarValue, size)

    return operation


bitwise_lshift = _shift("bitwise_lshift", 1)
bitwise_rshift = _shift("bitwise_rshift", 0)


def _clamp(name: str, out: Any, buffer: Any, low: Any, high: Any, count: Any) -> Any:
    to, a = _operand(out, name), _operand(buffer, name)
    limits = [
        value for limit in (low, high) for value in (int(limit is not None), number(0.0 if limit is None else limit))
    ]
    return _call(f"clamp<{same_dtype(name, to, a)}>", *to.address, *a.address, *limits, count)


def clamp(out: Any, buffer: Any, min_scalar: Any, max_scalar: Any, count: Any) -> Any:
    """Limited from below and above."""
    return _clamp("T.tile.clamp", out, buffer, min_scalar, max_scalar, count)


def clamp_min(out: Any, buffer: Any, scalar_value: Any, count: Any) -> Any:
    """Limited from below."""
    return _clamp("T.tile.clamp_min", out, buffer, scalar_value, None, count)


def clamp_max(out: Any, buffer: Any, scalar_value: Any, count: Any) -> Any:
    """Limited from above."""
    return _clamp("T.tile.clamp_max", out, buffer, None, scalar_value, count)


def fill(buffer: Any, value: Any) -> Any:
    """The same value everywhere."""
    out = _operand(buffer, "T.tile.fill")
    kind, found = scalar(value)
    return _call(f"fill<{out.cxx}, {kind}>", *out.address, found, out.size)


def clear(buffer: Any) -> Any:
    """Zero everywhere."""
    return fill(buffer, 0)


def _progression(dst: Any, first: Any, step: Any, count: Any, what: str) -> Any:
    out = _operand(dst, what)
    if out.dtype.startswith(("float", "bfloat")):
        return _call(f"progression<{out.cxx}, float>", *out.address, number(first), number(step), count)
    kind, start = scalar(first)
    return _call(f"progression<{out.cxx}, {kind}>", *out.address, start, scalar(step)[1], count)


def createvecindex(dst: Any, firstValue: Any) -> Any:  # noqa: N803 - the dialect's name
    """firstValue, firstValue + 1, ..."""
    return _progression(dst, firstValue, 1, tile(dst, "T.tile.createvecindex").size, "T.tile.createvecindex")


def arith_progression(buffer: Any, first_value: Any, diff_value: Any, count: Any) -> Any:
    """first_value, first_value + diff_value, ..."""
    return _progression(buffer, first_value, diff_value, count, "T.tile.arith_progression")


def compare(dst: Any, src0: Any, src1: Any, mode: str) -> Any:
    """One bit an element: whether the relation holds."""
    if mode not in _RELATIONS:
        raise ValueError(f"T.tile.compare: mode {mode!r}: must be one of {', '.join(_RELATIONS)}")
    out, a = _operand(dst, "T.tile.compare"), _operand(src0, "T.tile.compare")
    size = a.size
    bits, room = constant(size), constant(out.size)
    if bits is not None and room is not None and bits > 8 * room:
        raise ValueError(
            f"T.tile.compare: {out.buffer.name} has room for {8 * room} bits, and there are {bits} elements"
        )
    other = optional_tile(src1)
    if other is not None:
        b = on_chip(other, "T.tile.compare")
        cxx = same_dtype("T.tile.compare", a, b)
        same_size("T.tile.compare", a, b)
        return _call(f"compare<ascend::{mode}, {cxx}>", *out.address, *a.address, *b.address, size)
    if isinstance(src1, int):
        raise TypeError("T.tile.compare: a scalar is a float, or wrapped as T.int32(...); a bare int is not taken")
    kind, value = scalar(src1)
    return _call(f"compare_scalar<ascend::{mode}, {a.cxx}, {kind}>", *out.address, *a.address, value, size)


def select(dst: Any, selMask: Any, src0: Any, src1: Any, selMode: str) -> Any:  # noqa: N803 - the dialect's names
    """src0 where the bit is set, else src1."""
    if selMode not in _SELECTIONS:
        raise ValueError(f"T.tile.select: mode {selMode!r}: must be one of {', '.join(_SELECTIONS)}")
    what = "T.tile.select"
    out, bits, a = (_operand(value, what) for value in (dst, selMask, src0))
    size, cxx = same_size(what, out, a), same_dtype(what, out, a)
    other = optional_tile(src1)
    if other is None:
        if selMode != "VSEL_TENSOR_SCALAR_MODE":
            raise ValueError(f"T.tile.select: a scalar needs VSEL_TENSOR_SCALAR_MODE, not {selMode}")
        if isinstance(src1, int):
            raise TypeError("T.tile.select: a scalar is a float; a bare int is not taken")
        return _call(f"select_scalar<{cxx}>", *out.address, *bits.address, *a.address, number(src1), size)
    if selMode == "VSEL_TENSOR_SCALAR_MODE":
        raise ValueError("T.tile.select: two tensors need VSEL_TENSOR_TENSOR_MODE")
    b = on_chip(other, what)
    same_dtype(what, out, b)
    element_bytes = {"half": 2, "bfloat16": 2, "int16_t": 2, "uint16_t": 2}.get(cxx, 4)
    period = 256 // element_bytes if selMode == "VSEL_CMPMASK_SPR" else 0
    return _call(f"select<{cxx}>", *out.address, *bits.address, *a.address, *b.address, period, size)


def cast(dst: Any, src: Any, mode: str, count: Any) -> Any:
    """Another type, rounded by `mode`."""
    if mode not in _MODES:
        raise ValueError(f"T.tile.cast: mode {mode!r}: must be one of {', '.join(_MODES)}")
    out, a = _operand(dst, "T.tile.cast"), _operand(src, "T.tile.cast")
    return _call(f"cast<{out.cxx}, {a.cxx}, ascend::{_MODES[mode]}>", *out.address, *a.address, count)


def broadcast(dst: Any, src: Any, axis: int | None = None) -> Any:
    """A row, a column or one element to a whole tile."""
    out, a = _operand(dst, "T.tile.broadcast"), _operand(src, "T.tile.broadcast")
    cxx = same_dtype("T.tile.broadcast", out, a)
    to = [constant(size) for size in out.sizes[-2:]]
    from_ = [constant(size) for size in a.sizes[-2:]]
    if len(from_) == 1 and len(to) == 2:
        if axis == 0 or (axis is None and to[1] == from_[0]):
            from_ = [1, *from_]
        elif axis == 1 or (axis is None and to[0] == from_[0]):
            from_ = [*from_, 1]
    if len(from_) != len(to) or any(f not in (1, t) for f, t in zip(from_, to, strict=True)):
        raise ValueError(f"T.tile.broadcast: {a.buffer.name}{from_} does not fit {out.buffer.name}{to}")
    rows, cols = (1, to[0]) if len(to) == 1 else to
    own_rows, own_cols = (1, from_[0]) if len(from_) == 1 else from_
    row_step = 0 if own_rows == 1 else own_cols
    return _call(f"broadcast<{cxx}>", *out.address, *a.address, rows, cols, row_step, 0 if own_cols == 1 else 1)


def transpose(dst: Any, src: Any) -> Any:
    """Rows become columns."""
    out, a = _operand(dst, "T.tile.transpose"), _operand(src, "T.tile.transpose")
    rows, cols = product(a.sizes[:-1]), a.sizes[-1]
    return _call(f"transpose<{same_dtype('T.tile.transpose', out, a)}>", *out.address, *a.address, rows, cols)
