"""T.copy and T.tile.atomic_add: boxes that move between memories, clipped where a tensor ends."""

from __future__ import annotations

from typing import Any

from tvm import tirx
from tvm.script.ir_builder import tirx as ir

from .operands import Piece, constant, piece
from .tracing import CUBE, VECTOR, call, current

_AXES = 4  # as in prelude.h

# Types of 16 and 32 bits: the vector unit fills a tile of them before a clipped copy into it.
_FILLED = ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")

_EXACT = {
    ("float16", "float32"),
    ("bfloat16", "float32"),
    ("int16", "float32"),
    ("int8", "float16"),
    ("int32", "int16"),
}


def _larger(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    return tirx.max(a, b) if constant(a) != constant(b) or constant(a) is None else a


def _extended(source: Piece, target: Piece) -> tuple[Piece, Piece]:
    """Both with extents: a corner takes those of the other side."""
    if source.extents is None and target.extents is None:
        raise ValueError("T.copy: neither side says how much to copy")
    from_extents = list(source.extents or [1] * len(target.sizes))
    to_extents = list(target.extents or [1] * len(source.sizes))
    longest = max(len(from_extents), len(to_extents))
    from_extents += [1] * (longest - len(from_extents))
    to_extents += [1] * (longest - len(to_extents))
    extents = [_larger(a, b) for a, b in zip(from_extents, to_extents, strict=True)]

    def complete(found: Piece) -> Piece:
        if found.extents is not None:
            return found
        mine = extents[-len(found.shape) :]
        return Piece(found.buffer, found.start, (*[1] * (len(found.shape) - len(mine)), *mine))

    return complete(source), complete(target)


def _active(found: Piece) -> list[int]:
    """Axes along which there is more than one element."""
    return [axis for axis, extent in enumerate(found.sizes) if constant(extent) != 1]


def _axes(source: Piece, target: Piece, transpose: bool) -> list[Any]:
    """For each of four axes: extent, how many of them are inside global memory, stride in source and in target."""
    mine, theirs = _active(source), _active(target)
    if len(mine) != len(theirs):  # a row of one element, which is padded on chip
        mine, theirs = (sorted({*axes, len(x.sizes) - 1}) for axes, x in ((mine, source), (theirs, target)))
    if len(mine) != len(theirs):
        raise ValueError(
            f"T.copy: {source.buffer.name}{list(source.sizes)} does not fit {target.buffer.name}{list(target.sizes)}"
        )
    if len(mine) > _AXES:
        raise ValueError(f"T.copy: more than {_AXES} axes")
    if transpose:
        mine = [*mine[:-2], *mine[-2:][::-1]]
    result: list[Any] = []
    chip = target if source.place == "gm" else source
    for a, b in zip(mine, theirs, strict=True):
        extent: Any = chip.sizes[b if chip is target else a]
        valid = extent
        for found, axis in ((source, a), (target, b)):
            if found.place == "gm":
                valid = _clipped(valid, found.sizes[axis], found.shape[axis], found.start[axis])
            else:
                valid = _smaller(valid, found.sizes[axis])
        result.append([extent, valid, source.strides[a], target.strides[b]])
    result = [[1, 1, 0, 0] for _ in range(_AXES - len(result))] + result
    for corner in _corners(source, target):
        result[0][1] = result[0][1] * corner
    return [value for axis in result for value in axis]


def _corners(*sides: Piece) -> list[Any]:
    """For the axes of global memory along which there is one element: 1 where it is inside, else 0."""
    found = []
    for side in sides:
        if side.place == "gm":
            single = set(range(len(side.shape))) - set(_active(side))
            found += [
                _clipped(1, 1, side.shape[a], side.start[a]) for a in sorted(single) if constant(side.start[a]) != 0
            ]
    return found


def _smaller(a: Any, b: Any) -> Any:
    if constant(a) is not None and constant(a) == constant(b):
        return a
    return tirx.min(a, b)


def _clipped(wanted: Any, extent: Any, size: Any, start: Any) -> Any:
    left = size - start
    inside = constant(left)
    wanted = _smaller(wanted, extent)
    if inside is not None and constant(wanted) is not None:
        return max(0, min(constant(wanted) or 0, inside))
    return tirx.call_extern("int64", "ascend::clip", size, start, wanted)


def _role(found: Piece) -> int:
    return {"ub": VECTOR, "any": CUBE | VECTOR}.get(found.place, CUBE)


def _meets(found: Piece, role: int) -> None:
    """Notes what the kernel uses; copies through a workspace happen in program order on all cores of a block."""
    kernel = current()
    kernel.roles |= role
    if found.place == "gm" and "workspace" in found.buffer.name:
        kernel.shared.add(found.buffer.name)
        ir.evaluate(call("meet"))


def copy(src: Any, dst: Any, enable_relu: bool = False, transpose: bool | None = False, pad_value: Any = None) -> Any:
    """T.copy."""
    first, second = piece(src), piece(dst)
    if first is None or second is None:
        raise TypeError("T.copy: buffers, slices or corners of them are needed")
    source, target = _extended(first, second)
    if source.place == "gm" and target.place == "gm":
        raise ValueError("T.copy: no way from global memory to global memory")
    if (source.place in ("l0c", "l0a", "l0b") and target.place == "ub") or (
        source.place == "ub" and target.place == "l1"
    ):
        raise NotImplementedError(
            f"T.copy from {source.place} to {target.place} goes through a hidden workspace, which this build does not "
            "have: copy through a tensor in global memory"
        )
    axes = _axes(source, target, bool(transpose))
    if source.place == "gm":
        return _load(source, target, pad_value, axes)
    if target.place == "gm":
        role = _role(source)
        _meets(target, role)
        name = f"store<{target.cxx}, {source.cxx}>"
        return call(name, role, int(bool(enable_relu)), *target.address, *source.address, *axes)
    role = _role(target) & _role(source)
    _meets(target, role)
    exact = (source.dtype, target.dtype) in _EXACT
    name = f"move<{target.cxx}, {source.cxx}, ascend::{'NONE' if exact else 'RINT'}>"
    return call(name, role, *target.address, *source.address, *axes)


def _load(source: Piece, target: Piece, pad_value: Any, axes: list[Any]) -> Any:
    if source.dtype != target.dtype:
        raise TypeError(f"T.copy: {source.buffer.name} is {source.dtype} and {target.buffer.name} {target.dtype}")
    role = _role(target)
    _meets(source, role)
    filled = constant(target.offset) == 0 if target.place == "l1" else target.dtype in _FILLED
    fill = (1 if target.place == "l1" else 2) if filled else 0
    pad = 0.0 if pad_value is None else pad_value
    pad = tirx.const(float(pad), "float32") if isinstance(pad, (int, float)) else tirx.Cast("float32", pad)
    return call(f"load<{target.cxx}>", role, fill, *target.address, *source.address, pad, *axes)


def atomic_add(dst: Any, src: Any) -> Any:
    """T.tile.atomic_add: adds to global memory."""
    first, second = piece(src), piece(dst)
    if first is None or second is None or second.place != "gm" or first.place == "gm":
        raise ValueError("T.tile.atomic_add: adds a buffer on chip to a tensor in global memory")
    source, target = _extended(first, second)
    axes = _axes(source, target, False)
    role = _role(source)
    _meets(target, role)
    return call(f"store_add<{target.cxx}, {source.cxx}>", role, *target.address, *source.address, *axes)
