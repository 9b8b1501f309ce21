"""T.copy and T.tile.atomic_add: which way, how much of it, what is padded."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from opgen.dialect import cross
from opgen.dialect.boxes import CUBE_MEMORIES, Box, boxes, clipped, limits, pitch, rows, same_type
from opgen.dialect.buffers import Array, Buffer
from opgen.dialect.global_memory import Tensor
from opgen.dialect.indexing import number
from opgen.dialect.machine import Core
from opgen.dialect.numbers import rounded
from opgen.dialect.order import FIX, MTE1, MTE2, MTE3, V
from opgen.dialect.timing import staging_cycles
from opgen.facts.operations import BLOCK_BYTES, CUBE_ROWS, FILLED_WHEN_CLIPPED, OPERATIONS

_ROUTES = (
    "Copies go between global memory and UB, global memory and L1, L1 and L0A or L0B, L0C and global memory, UB and UB."
)


def copy(core: Core, source: Any, target: Any, relu: bool, transpose: bool, pad: Any) -> None:
    sides = boxes(core, source, target, "T.copy", transpose)
    if sides is None:
        return
    src, dst = sides
    if core.launch.settings.auto_cv_sync and core.launch.has_cube:
        names = {b.owner.name for b in sides if isinstance(b.owner, Tensor)}
        if names & core.launch.workspaces:
            cross.meet(core)
    ways = tuple(b.owner.memory if isinstance(b.owner, Buffer) else "GM" for b in sides)
    if ways in (("L0C", "UB"), ("UB", "L1")):
        _hand_over(core, src, dst, ways[0] == "L0C")
        return
    cube = any(way in CUBE_MEMORIES for way in ways)
    if not core.does(cube, "T.copy"):
        return
    match ways:
        case ("GM", "UB"):
            _load(core, src, dst, number(pad))
        case ("UB", "GM"):
            _store(core, src, dst, atomic=False)
        case ("UB", "UB"):
            _within(core, src, dst)
        case ("GM", "L1"):
            _load_l1(core, src, dst)
        case ("L1", "L0A") | ("L1", "L0B"):
            _load_l0(core, src, dst, transpose)
        case ("L0C", "GM"):
            _store_l0c(core, src, dst, relu, atomic=False)
        case _:
            core.report("OPG744", f"T.copy has no way from {ways[0]} to {ways[1]}", why=_ROUTES)


def atomic_add(core: Core, target: Any, source: Any) -> None:
    sides = boxes(core, source, target, "T.tile.atomic_add", False)
    if sides is None:
        return
    src, dst = sides
    memory = src.owner.memory if isinstance(src.owner, Buffer) else "GM"
    if not isinstance(dst.owner, Tensor) or memory not in ("UB", "L0C"):
        core.report("OPG744", "T.tile.atomic_add adds a buffer of UB or L0C to global memory, nothing else")
        return
    if dst.owner.dtype not in OPERATIONS["atomic_add"].dtypes:
        core.report(
            "OPG740",
            f"T.tile.atomic_add has no {dst.owner.dtype}",
            why=f"A2 and A3 add {', '.join(OPERATIONS['atomic_add'].dtypes)} in global memory.",
        )
        return
    if not core.does(memory == "L0C", "T.tile.atomic_add"):
        return
    if memory == "UB":
        _store(core, src, dst, atomic=True)
    else:
        _store_l0c(core, src, dst, False, atomic=True)


# ---- global memory and UB ----


def _load(core: Core, src: Box, dst: Box, pad: Any) -> None:
    tensor, buffer = src.owner, dst.owner
    assert isinstance(tensor, Tensor) and isinstance(buffer, Buffer)
    what = f"the load of {buffer.name}"
    if not same_type(core, tensor, buffer, what):
        return
    pitch(core, dst, what)
    moved, inner = clipped(core, src, dst)
    whole = inner.extents == dst.extents
    filled = not whole and buffer.dtype in FILLED_WHEN_CLIPPED
    value = _pad_value(pad, buffer.dtype)
    order = core.order
    if filled:
        for source in (MTE2, MTE3):
            core.inner_flag(source, V, 0)
        step = order.issue(V)
        for low, count in buffer.runs(dst.starts, dst.extents):
            data = buffer.write(core, V, step, low, count, f"the padding of {buffer.name}")
            if data is not None:
                data[:] = value
        core.inner_flag(V, MTE2, 0)
    step = order.issue(MTE2)
    if math.prod(moved.extents) == 0:
        return
    limits(core, moved, what)
    core.moved(MTE2, moved.extents, tensor.item)
    values = tensor.read(core, MTE2, step, (moved.starts, moved.extents), what)
    buffer.aligned(core, buffer.flat(dst.starts), what)
    columns = inner.extents[-1]
    if columns * buffer.item % BLOCK_BYTES == 0:
        _put(core, buffer, MTE2, step, inner, values, what)
        return
    # The last block of a row is written whole: with the padding, or with the row's first element.
    end = -(-columns * buffer.item // BLOCK_BYTES) * BLOCK_BYTES // buffer.item
    for low, row in zip(rows(inner), values.reshape(-1, columns), strict=True):
        data = buffer.write(core, MTE2, step, low, min(end, buffer.size - low), what)
        if data is not None:
            data[:columns] = row
            data[columns:] = value if columns != dst.extents[-1] else row[0]


def _put(core: Core, buffer: Buffer, pipe: int, step: int, box: Box, values: Array, what: str) -> None:
    """Writes a box of a buffer, piece by piece."""
    flat = values.ravel()
    position = 0
    for low, count in buffer.runs(box.starts, box.extents):
        data = buffer.write(core, pipe, step, low, count, what)
        if data is not None:
            data[:] = flat[position : position + count]
        position += count


def _take(core: Core, buffer: Buffer, pipe: int, step: int, box: Box, what: str) -> Array | None:
    """Reads a box of a buffer, piece by piece. None: a part lies outside."""
    parts = [buffer.read(core, pipe, step, low, count, what) for low, count in buffer.runs(box.starts, box.extents)]
    whole = [part for part in parts if part is not None]
    if len(whole) != len(parts) or not whole:
        return None
    return whole[0] if len(whole) == 1 else np.concatenate(whole)


def _pad_value(pad: Any, dtype: str) -> Any:
    with np.errstate(all="ignore"):
        return rounded(np.asarray(0 if pad is None else pad), dtype)


def _store(core: Core, src: Box, dst: Box, atomic: bool) -> None:
    tensor, buffer = dst.owner, src.owner
    assert isinstance(tensor, Tensor) and isinstance(buffer, Buffer)
    what = f"the store of {buffer.name}"
    core.launch.stores[tensor.name] = core.launch.stores.get(tensor.name, 0) + 1
    if not same_type(core, buffer, tensor, what):
        return
    pitch(core, src, what)
    moved, inner = clipped(core, dst, src)
    step = core.order.issue(MTE3)
    if math.prod(moved.extents) == 0:
        return
    limits(core, moved, what)
    core.moved(MTE3, moved.extents, tensor.item)
    buffer.aligned(core, buffer.flat(src.starts), what)
    values = _take(core, buffer, MTE3, step, inner, what)
    if values is not None:
        tensor.write(core, MTE3, step, (moved.starts, moved.extents), values.reshape(moved.extents), what, atomic)


def _within(core: Core, src: Box, dst: Box) -> None:
    """UB to UB: the vector unit copies, or casts where the types differ."""
    from opgen.dialect.vector import cast_elements, count_call

    source, target = src.owner, dst.owner
    assert isinstance(source, Buffer) and isinstance(target, Buffer)
    what = f"the copy of {source.name} to {target.name}"
    if source.dtype != target.dtype:
        exact = (source.dtype, target.dtype) in {
            ("float16", "float32"), ("bfloat16", "float32"), ("int16", "float32"), ("int8", "float16"),
        }  # fmt: skip
        mode = "CAST_NONE" if exact else "CAST_RINT"
        for low, high in zip(rows(src), rows(dst), strict=True):
            cast_elements(core, target, high, source, low, src.extents[-1], mode, "T.copy")
        return
    count_call(core, "copy", math.prod(src.extents) * source.item)
    step = core.order.issue(V)
    columns = src.extents[-1]
    whole = src.extents == source.shape and dst.extents == target.shape
    if (math.prod(src.extents) if whole else columns) * source.item % BLOCK_BYTES:
        core.report(
            "OPG712",
            f"{what} has {columns * source.item} bytes in a row, which is no multiple of {BLOCK_BYTES}",
            why="Copies within UB move whole blocks of 32 bytes.",
        )
    for low, high in zip(rows(src), rows(dst), strict=True):
        if not whole:
            source.aligned(core, low, what)
            target.aligned(core, high, what)
        values = source.read(core, V, step, low, columns, what)
        data = target.write(core, V, step, high, columns, what) if values is not None else None
        if data is not None and values is not None:
            data[:] = values.copy()


# ---- the cube core ----


def _load_l1(core: Core, src: Box, dst: Box) -> None:
    tensor, buffer = src.owner, dst.owner
    assert isinstance(tensor, Tensor) and isinstance(buffer, Buffer)
    what = f"the load of {buffer.name}"
    if not same_type(core, tensor, buffer, what):
        return
    if len(dst.extents) < 2 or dst.extents[-2] % CUBE_ROWS or dst.row_bytes % BLOCK_BYTES:
        core.report(
            "OPG714",
            f"{what}: a tile in L1 of {' x '.join(map(str, dst.extents))} {buffer.dtype}",
            why="L1 holds matrices in blocks of 16 rows of 32 bytes.",
            fix="make the rows a multiple of 16 and the columns a multiple of 32 bytes",
        )
        return
    moved, inner = clipped(core, src, dst)
    step = core.order.issue(MTE2)
    whole = np.zeros(dst.extents, buffer.data.dtype)  # a clipped tile is zeroed first
    if math.prod(moved.extents):
        core.moved(MTE2, moved.extents, tensor.item)
        values = tensor.read(core, MTE2, step, (moved.starts, moved.extents), what)
        whole[tuple(slice(0, extent) for extent in inner.extents)] = values.reshape(inner.extents)
    _put(core, buffer, MTE2, step, dst, whole, what)


def _load_l0(core: Core, src: Box, dst: Box, transpose: bool) -> None:
    source, target = src.owner, dst.owner
    assert isinstance(source, Buffer) and isinstance(target, Buffer)
    what = f"the load of {target.name}"
    if not same_type(core, source, target, what):
        return
    step = core.order.issue(MTE1)
    core.order.time.run(MTE1, staging_cycles(target.memory, math.prod(src.extents) * source.item))
    values = _take(core, source, MTE1, step, src, what)
    if values is None:
        return
    matrix = values.reshape(-1, src.extents[-1])
    _put(core, target, MTE1, step, dst, matrix.T if transpose else matrix, what)


def _hand_over(core: Core, src: Box, dst: Box, from_cube: bool) -> None:
    """Between the cube core and the vector cores of a block: through a workspace that the compiler adds, with its own
    flags around."""
    source, target = src.owner, dst.owner
    assert isinstance(source, Buffer) and isinstance(target, Buffer)
    core.launch.has_cube = True
    key = (core.block, core.met)
    if core.cube == from_cube:
        pipe = FIX if from_cube else MTE3
        values = _take(core, source, pipe, core.order.issue(pipe), src, f"the hand-over of {source.name}")
        if values is not None:
            core.launch.handed[key] = rounded(values, target.dtype)
    cross.meet(core)
    if core.cube != from_cube:
        values = core.launch.handed.get(key)
        if values is None or values.size != math.prod(dst.extents):
            target.forgive(core)
        else:
            _put(core, target, MTE2, core.order.issue(MTE2), dst, values, f"the hand-over to {target.name}")


_FROM_L0C = {
    ("float32", "float32"), ("float32", "float16"), ("float32", "bfloat16"), ("int32", "int32"), ("int32", "float16"),
}  # fmt: skip


def _store_l0c(core: Core, src: Box, dst: Box, relu: bool, atomic: bool) -> None:
    tensor, buffer = dst.owner, src.owner
    assert isinstance(tensor, Tensor) and isinstance(buffer, Buffer)
    what = f"the store of {buffer.name}"
    core.launch.stores[tensor.name] = core.launch.stores.get(tensor.name, 0) + 1
    if (buffer.dtype, tensor.dtype) not in _FROM_L0C:
        core.report(
            "OPG743",
            f"{what} from {buffer.dtype} to {tensor.name} of {tensor.dtype}",
            why="L0C is stored as float32, float16 or bfloat16 from float32, and as int32 from int32.",
        )
        return
    moved, inner = clipped(core, dst, src)
    step = core.order.issue(FIX)
    if not math.prod(moved.extents):
        return
    core.moved(FIX, moved.extents, tensor.item)
    values = _take(core, buffer, FIX, step, inner, what)
    if values is None:
        return
    stored = rounded(np.maximum(values, 0) if relu else values, tensor.dtype).reshape(moved.extents)
    tensor.write(core, FIX, step, (moved.starts, moved.extents), stored, what, atomic)
