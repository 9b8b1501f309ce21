"""Copies between global memory and tiles: load, store, and their forms that count in tiles."""

from __future__ import annotations

import math
from typing import Any

from opgen.dialect.order import MTE2, MTE3
from opgen.dialect.pypto.rings import as_tile
from opgen.dialect.pypto.tensors import View
from opgen.dialect.pypto.tiles import Tile, Use
from opgen.dialect.pypto.words import AtomicType
from opgen.dialect.pypto.worker import FrontEndError, Worker, here, integer, shown


def load(dst_tile: Any, src_tensor: Any, offsets: Any, *, order: Any = None) -> None:
    """pl.load: elements from `offsets` on to the valid part of a tile."""
    _load(as_tile(dst_tile, "pl.load"), _view(src_tensor, "pl.load"), offsets, order, "pl.load", False)


def load_tile(dst_tile: Any, src_tensor: Any, tile_offsets: Any, *, order: Any = None) -> None:
    """pl.load_tile: offsets count in tiles."""
    _load(as_tile(dst_tile, "pl.load_tile"), _view(src_tensor, "pl.load_tile"), tile_offsets, order, "pl.load_tile",
          True)  # fmt: skip


def store(dst_tensor: Any, src_tile: Any, offsets: Any, *, order: Any = None, atomic: Any = None, **more: Any) -> None:
    """pl.store: the valid part of a tile to the elements from `offsets` on."""
    _store(_view(dst_tensor, "pl.store"), as_tile(src_tile, "pl.store"), offsets, order, atomic, more, "pl.store",
           False)  # fmt: skip


def store_tile(
    dst_tensor: Any, src_tile: Any, tile_offsets: Any, *, order: Any = None, atomic: Any = None, **more: Any
) -> None:
    """pl.store_tile: offsets count in tiles."""
    _store(_view(dst_tensor, "pl.store_tile"), as_tile(src_tile, "pl.store_tile"), tile_offsets, order, atomic, more,
           "pl.store_tile", True)  # fmt: skip


def _load(tile: Tile, view: View, offsets: Any, order: Any, what: str, in_tiles: bool) -> None:
    worker = here()
    axes = _axes(worker, tile, view, order, what)
    if axes is None or not _same_type(worker, tile, view, what):
        _forgive(tile)
        return
    if tile.dtype == "bool":
        raise FrontEndError(
            "pl.load into a tile of pl.DT_BOOL", "The front end takes no tiles of this type at loads.",
            "use pl.DT_UINT8: a bool is a byte, 0 or 1", "OPG834",
        )  # fmt: skip
    starts = _starts(tile, view, offsets, axes, in_tiles, what)
    extents = _extents(tile, view, axes)
    step = worker.begin(MTE2, [tile])
    tile.load_over(worker, step)
    box = view.box(worker, starts, extents, what)
    tile.touch(worker, MTE2, step, what, True)
    if box is None:
        _forgive(tile)
    else:
        bits = view.read(worker, MTE2, step, box, what)
        shape = (extents[axes[0]], extents[axes[1]])
        ordered = bits if axes[0] < axes[1] else bits.swapaxes(axes[0], axes[1])
        tile.bits()[...] = ordered.reshape(shape)
        tile.known()[...] = True
        worker.launch.counters.bytes_in += bits.nbytes
    tile.slot.loaded.append((Use(MTE2, step, worker.spot), tile.rectangle))
    worker.launch.counters.copies_in += 1
    worker.end(MTE2, [tile])


def _store(
    view: View, tile: Tile, offsets: Any, order: Any, atomic: Any, more: dict[str, Any], what: str, in_tiles: bool
) -> None:
    worker = here()
    used = [name for name, value in more.items() if value is not None]
    if used:
        worker.unknown(f"{what} with {', '.join(used)}")
    axes = _axes(worker, tile, view, order, what)
    if axes is None or not _same_type(worker, tile, view, what):
        return
    if axes[0] > axes[1]:
        raise FrontEndError(f"{what} with order={list(axes)}", "Stores take ascending axes only.")
    if tile.slot.mask is not None:
        worker.report(
            "OPG834",
            f"{what} takes {tile.name}, which holds the bits of a comparison",
            why="Comparisons pack eight results into a byte; only pl.select reads them.",
            fix="let pl.select choose between two tiles and store its result",
        )
    starts = _starts(tile, view, offsets, axes, in_tiles, what)
    extents = _extents(tile, view, axes)
    step = worker.begin(MTE3, [tile])
    tile.read(worker, MTE3, step, what)
    box = view.box(worker, starts, extents, what)
    if box is not None:
        adds = atomic is AtomicType.AtomicAdd
        view.write(worker, MTE3, step, box, tile.bits().reshape(extents), what, adds)
        worker.launch.counters.bytes_out += math.prod(extents) * view.type.size
    worker.launch.counters.copies_out += 1
    worker.end(MTE3, [tile])


def _view(value: Any, what: str) -> View:
    if not isinstance(value, View):
        fix = "make a view of the pointer with pl.make_tensor"
        raise FrontEndError(f"{what} takes a view, not {shown(value)}", fix=fix)
    return value


def _axes(worker: Worker, tile: Tile, view: View, order: Any, what: str) -> tuple[int, int] | None:
    """Which axes of the view the rows and the columns of the tile lie along."""
    rank = len(view.shape)
    if rank < 2:
        worker.report(
            "OPG843",
            f"{what} takes a view of {view.name} with {rank} axis",
            why="A tile has two axes, and the front end looks for both of them in the view.",
            fix="give the view two axes: [1, n] with the stride [n, 1]",
        )
        return None
    if order is None:
        return rank - 2, rank - 1
    if not isinstance(order, (list, tuple)) or len(order) != 2 or order[0] == order[1]:
        raise FrontEndError(f"order is {shown(order)}", fix="name two different axes of the view")
    if not all(0 <= axis < rank for axis in order):
        raise FrontEndError(f"order names axis {max(order)} of a view with {rank}")
    return int(order[0]), int(order[1])


def _same_type(worker: Worker, tile: Tile, view: View, what: str) -> bool:
    if tile.type.dtype == view.type:
        return True
    worker.report(
        "OPG835",
        f"{what} between {tile.name} of {tile.type.dtype} and a view of {view.name} of {view.type}",
        why="A copy converts nothing: the bytes mean other numbers there.",
        fix="give both the same dtype, and let pl.cast convert between tiles",
    )
    return tile.type.dtype.size == view.type.size and tile.dtype != "bool"


def _starts(tile: Tile, view: View, offsets: Any, axes: tuple[int, int], in_tiles: bool, what: str) -> tuple[int, ...]:
    if not isinstance(offsets, (list, tuple)) or len(offsets) != len(view.shape):
        given = len(offsets) if isinstance(offsets, (list, tuple)) else shown(offsets)
        raise FrontEndError(f"{what} with {given} offsets for a view of {len(view.shape)} axes")
    starts = [integer(offset, f"an offset of {what}") for offset in offsets]
    if in_tiles:
        for axis, size in zip(axes, tile.shape, strict=True):
            starts[axis] *= size
    return tuple(starts)


def _extents(tile: Tile, view: View, axes: tuple[int, int]) -> tuple[int, ...]:
    extents = [1] * len(view.shape)
    for axis, size in zip(axes, tile.valid, strict=True):
        extents[axis] = size
    return tuple(extents)


def _forgive(tile: Tile) -> None:
    """Counts as written: what was to be written here has been complained about."""
    tile.known()[...] = True
