"""Numbers of the scalar unit: constants, min and max, single elements of tiles and views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.dialect.numbers import rounded
from opgen.dialect.order import S
from opgen.dialect.pypto.elements import decoded, encoded
from opgen.dialect.pypto.run_time import RunTime
from opgen.dialect.pypto.tensors import View
from opgen.dialect.pypto.tiles import Tile
from opgen.dialect.pypto.words import DataType
from opgen.dialect.pypto.worker import FrontEndError, here, integer, shown
from opgen.facts.dtypes import DTYPES


def plain(value: Any) -> Any:
    """A number as kernels compute with it: ints of any size, floats in float32."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return value if isinstance(value, RunTime) else int(value)
    if isinstance(value, (float, np.floating)):
        return np.float32(value)
    raise FrontEndError(f"{shown(value)} is no number")


def const(value: Any, dtype: Any) -> Any:
    if not isinstance(dtype, DataType) or not dtype.name:
        raise FrontEndError(f"pl.const of the type {shown(dtype)}")
    return plain(rounded(np.asarray(value), dtype.name)[()])


def minimum(lhs: Any, rhs: Any) -> Any:
    """pl.min of two numbers."""
    return _chosen(min, *_pair("pl.min", lhs, rhs))


def maximum(lhs: Any, rhs: Any) -> Any:
    """pl.max of two numbers."""
    return _chosen(max, *_pair("pl.max", lhs, rhs))


def _chosen(choose: Callable[[Any, Any], Any], first: Any, second: Any) -> Any:
    result = choose(first, second)
    return RunTime(result) if isinstance(first, RunTime) or isinstance(second, RunTime) else result


def _pair(what: str, lhs: Any, rhs: Any) -> tuple[Any, Any]:
    for value in (lhs, rhs):
        if isinstance(value, Tile):
            name = "maximum" if what == "pl.max" else "minimum"
            raise FrontEndError(f"{what} takes numbers, not tiles", fix=f"use pl.{name}(out, lhs, rhs)")
    first, second = plain(lhs), plain(rhs)
    if isinstance(first, np.float32) != isinstance(second, np.float32):
        raise FrontEndError(
            f"{what} of {shown(lhs)} and {shown(rhs)}",
            "Both numbers are integers, or both are floats.",
            "write 1.0 for 1, or convert one with pl.const",
        )
    return first, second


# ---- single elements ----


def tile_element(tile: Tile, index: Any) -> Any:
    """tile[i, j]."""
    at = _place(tile.name, tile.shape, index)
    worker = here()
    step = worker.begin(S, [tile])
    worker.launch.counters.scalar_accesses += 1
    tile.touch(worker, S, step, "an element access", False)
    if not tile.known(tile.shape)[at].all():
        worker.report(
            "OPG837",
            f"{tile.name}[{at[0]}, {at[1]}] is read where nothing was written to it",
            why="On-chip memory holds what the last kernel left.",
            fix="write to it first",
        )
    worker.end(S, [tile])
    return _learnt(decoded(tile.bits(tile.shape)[at], tile.dtype)[()])


def _learnt(value: Any) -> Any:
    """An element as a number of the kernel."""
    number = plain(value)
    return RunTime(number) if type(number) is int else number


def set_tile_element(tile: Tile, index: Any, value: Any) -> None:
    """tile[i, j] = value."""
    at = _place(tile.name, tile.shape, index)
    worker = here()
    step = worker.begin(S, [tile])
    worker.launch.counters.scalar_accesses += 1
    tile.touch(worker, S, step, "an element access", True)
    tile.bits(tile.shape)[at] = encoded(rounded(np.asarray(value), tile.dtype), tile.dtype)
    tile.known(tile.shape)[at] = True
    worker.end(S, [tile])


def view_element(view: View, index: Any) -> Any:
    """view[i, j]: a number straight from global memory."""
    worker = here()
    step = worker.begin(S, [])
    worker.launch.counters.scalar_accesses += 1
    at = _place(view.name, view.shape, index)
    box = view.box(worker, at, (1,) * len(at), "an element access")
    bits = None if box is None else view.read(worker, S, step, box, "an element access")
    worker.end(S, [])
    zero = np.float32(0) if DTYPES[view.type.name].kind == "float" else 0
    return zero if bits is None else _learnt(decoded(bits, view.type.name).flat[0])


def set_view_element(view: View, index: Any, value: Any) -> None:
    """view[i, j] = value."""
    worker = here()
    step = worker.begin(S, [])
    worker.launch.counters.scalar_accesses += 1
    at = _place(view.name, view.shape, index)
    box = view.box(worker, at, (1,) * len(at), "an element access")
    if box is not None:
        bits = encoded(rounded(np.full(box.shape, value), view.type.name), view.type.name)
        view.write(worker, S, step, box, bits, "an element access")
    worker.end(S, [])


def getval(container: Any, offset: Any) -> Any:
    return _container(container)[_unravelled(container, offset)]


def setval(container: Any, offset: Any, value: Any) -> None:
    _container(container)[_unravelled(container, offset)] = value


def _container(value: Any) -> Any:
    if not isinstance(value, (Tile, View)):
        raise FrontEndError(f"an element of {shown(value)}, which is neither tile nor view")
    return value


def _unravelled(container: Any, offset: Any) -> tuple[int, ...]:
    """Where a linear element offset is, in row-major order."""
    left, index = integer(offset, "an element offset"), []
    for axis in reversed(container.shape[1:]):
        index.append(left % axis)
        left //= axis
    return (left, *reversed(index))


def _place(name: str, shape: tuple[int, ...], index: Any) -> tuple[int, ...]:
    at = tuple(integer(one, f"an index of {name}") for one in (index if isinstance(index, tuple) else (index,)))
    if len(at) != len(shape):
        raise FrontEndError(f"{name} has {len(shape)} axes and is indexed with {len(at)}")
    if not all(0 <= one < size for one, size in zip(at, shape, strict=True)):
        here().report(
            "OPG836",
            f"an element access leaves {name}",
            f": [{', '.join(map(str, at))}] of shape {list(shape)}",
            why="Nothing is checked on the chip: the access goes elsewhere.",
        )
        return tuple(min(max(one, 0), size - 1) for one, size in zip(at, shape, strict=True))
    return at
