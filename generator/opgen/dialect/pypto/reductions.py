"""Reductions of rows and columns, their spreading over a tile, and the filling of what is not valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.dialect.order import V
from opgen.dialect.pypto.elements import encoded
from opgen.dialect.pypto.rings import as_tile
from opgen.dialect.pypto.tiles import Tile
from opgen.dialect.pypto.vector import Call, apart, apply_binary, check_rows, check_shapes, check_types, operation
from opgen.dialect.pypto.words import FillPadMode, TensorLayout, TilePad
from opgen.dialect.pypto.worker import FrontEndError, here, shown
from opgen.dialect.report import Array
from opgen.facts.dtypes import DTYPES
from opgen.facts.pypto import INDEX_TYPES, OPERATIONS, REDUCTIONS

Compute = Callable[..., Any]


def _sum(values: Array, dtype: str, axis: int) -> Any:
    """As the chip adds: in the type of the elements."""
    if dtype == "float16":
        return np.add.reduce(values.astype(np.float16), axis=axis, dtype=np.float16, keepdims=True)
    return values.sum(axis=axis, keepdims=True, dtype=values.dtype)


def _reduced(name: str, values: Array, dtype: str, axis: int) -> Any:
    if name == "sum":
        return _sum(values, dtype, axis)
    if name == "maximum":
        return values.max(axis=axis, keepdims=True)
    if name == "minimum":
        return values.min(axis=axis, keepdims=True)
    position = np.argmax if name == "argmax" else np.argmin
    return np.expand_dims(position(values, axis=axis), axis)


def _reduce(name: str, out: Any, src: Any, tmp: Any, dim: Any) -> None:
    what = f"pl.{name}"
    target, source, scratch = as_tile(out, what), as_tile(src, what), as_tile(tmp, f"the scratch of {what}")
    if dim not in (0, 1):
        raise FrontEndError(f"{what} with dim={shown(dim)}", fix="dim=0 reduces each row, dim=1 each column")
    worker = here()
    check_types(name, REDUCTIONS[name][dim], [source], f" with dim={dim}")
    check_rows(name, [source])
    if name in ("argmax", "argmin"):
        if target.dtype not in INDEX_TYPES:
            fix = "give the result a type of pl.DT_INT32"
            worker.report("OPG834", f"{what} into {target.type.dtype}", why="Positions are 32-bit integers.", fix=fix)
    elif target.dtype != source.dtype:
        check_types(name, REDUCTIONS[name][dim], [target, source])
    wanted = (source.valid[0], 1) if dim == 0 else (1, source.valid[1])
    shape = (source.shape[0], 1) if dim == 0 else (1, source.shape[1])
    axis = 1 - dim
    if target.shape != shape:
        worker.report(
            "OPG835",
            f"{what} with dim={dim} of {source.name} of shape {list(source.shape)} into {target.name} of "
            f"shape {list(target.shape)}",
            why="dim=0 makes one column, dim=1 one row.",
            fix=f"give the result the shape {list(shape)}" + (", layout=pl.DN" if dim == 0 else ""),
        )
        target.known()[...] = True
        return
    if dim == 0 and target.shape[0] > 1 and target.type.layout is not TensorLayout.DN:
        worker.report(
            "OPG835",
            f"{what} with dim=0 into {target.name}, whose layout is not pl.DN",
            why="The results of the rows lie one behind the other, which is the layout DN of a tile of one column.",
            fix="give its type layout=pl.DN",
        )
    if target.valid != wanted:
        worker.report(
            "OPG835",
            f"{what} of {source.name} into {target.name} with a valid shape that does not fit",
            f": {list(source.valid)} gives {list(wanted)}, and it has {list(target.valid)}",
            fix=f"pl.set_validshape({target.name}, ...) to the rows or columns that are reduced",
        )
        target.known()[...] = True
        return
    _apart(name, target, source)
    if name != "sum":
        _check_scratch(name, scratch, source, target)
    running = Call(name, [target, source, scratch])
    values = running.read(source)
    running.write(target, _reduced(name, values, source.dtype, axis))
    running.done()


def _check_scratch(name: str, scratch: Tile, source: Tile, target: Tile) -> None:
    """All reductions but sums work in their scratch tile, which is like the source."""
    if scratch.type.dtype != source.type.dtype or scratch.shape != source.shape:
        here().report(
            "OPG835",
            f"pl.{name} of {source.name} of {source.type.dtype} and shape {list(source.shape)} with the scratch tile "
            f"{scratch.name} of {scratch.type.dtype} and shape {list(scratch.shape)}",
            why="The scratch tile of this reduction has the type and the shape of what is reduced.",
            fix="take a tile of the same type",
        )
    apart(name, scratch, [source, target])


def _apart(name: str, target: Tile, source: Tile) -> None:
    if target.slot.low < source.slot.high and source.slot.low < target.slot.high:
        here().report(
            "OPG833",
            f"pl.{name} writes {target.name} over {source.name}, which it reads",
            why="The first results overwrite rows that are still to be read.",
            fix="give the result an address of its own",
        )


@operation
def sum(out: Any, src: Any, tmp: Any, *, dim: Any = 0) -> None:
    """pl.sum: of each row into [rows, 1], or with dim=1 of each column into [1, columns]."""
    _reduce("sum", out, src, tmp, dim)


def extreme(name: str, compute: Compute) -> Callable[..., None]:
    """pl.maximum and pl.minimum: element by element, or a reduction where dim is given."""

    def call(out: Any, lhs: Any, rhs: Any, *, dim: Any = None) -> None:
        if dim is None:
            apply_binary(name, compute, out, lhs, rhs)
        else:
            _reduce(name, out, lhs, rhs, dim)

    call.__name__ = name
    return operation(call)


def position(name: str) -> Callable[..., None]:
    def call(out: Any, src: Any, tmp: Any, *, dim: Any = 0) -> None:
        _reduce(name, out, src, tmp, dim)

    call.__name__ = name
    return operation(call)


# ---- spreading ----


def expanded(name: str, compute: Compute) -> Callable[..., None]:
    """An operation with a column, [rows, 1], or with dim=1 a row, [1, columns]."""

    def call(out: Any, src: Any, scalar: Any, *, dim: Any = 0) -> None:
        what = f"pl.{name}"
        target, source, line = as_tile(out, what), as_tile(src, what), as_tile(scalar, f"the last tile of {what}")
        if dim not in (0, 1):
            raise FrontEndError(f"{what} with dim={shown(dim)}", fix="dim=0 spreads a column, dim=1 a row")
        check_types(name, OPERATIONS[name].dtypes, [target, source, line])
        check_shapes(name, [target, source])
        wanted = (source.shape[0], 1) if dim == 0 else (1, source.shape[1])
        valid = (source.valid[0], 1) if dim == 0 else (1, source.valid[1])
        if line.shape != wanted or line.valid != valid:
            here().report(
                "OPG835",
                f"{what} with dim={dim} of {source.name} and {line.name}, which is no "
                + ("column of as many rows" if dim == 0 else "row of as many columns"),
                f": {list(source.valid)} of {list(source.shape)} and {list(line.valid)} of {list(line.shape)}",
                fix=f"give it the shape {list(wanted)} and the same valid size",
            )
            target.known()[...] = True
            return
        if dim == 0 and line.shape[0] > 1 and line.type.layout is not TensorLayout.DN:
            here().report(
                "OPG835",
                f"{what} with dim=0 and {line.name}, whose layout is not pl.DN",
                why="The operation takes the values of the rows one behind the other.",
                fix="give its type layout=pl.DN",
            )
        running = Call(name, [target, source, line])
        with np.errstate(all="ignore"):
            running.write(target, compute(running.read(source), running.read(line)))
        running.done()

    call.__name__ = name
    return operation(call)


# ---- padding ----


def _padding(pad: Any, dtype: str) -> Any:
    known = DTYPES[dtype]
    if pad is TilePad.zero:
        return 0
    if pad is TilePad.max:
        return np.inf if known.kind == "float" else known.high
    return -np.inf if known.kind == "float" else known.low


@operation
def fillpad(out: Any, src: Any, *, mode: Any = FillPadMode.NORMAL) -> None:
    """The valid part of src, and around it the padding value of out's type."""
    target, source = as_tile(out, "pl.fillpad"), as_tile(src, "pl.fillpad")
    worker = here()
    check_types("fillpad", OPERATIONS["fillpad"].dtypes, [target, source])
    check_rows("fillpad", [target, source])
    if target.type.pad in (None, TilePad.null):
        worker.report(
            "OPG835",
            f"pl.fillpad into {target.name}, whose type has no pad",
            why="The value that is filled in is part of the type of the result.",
            fix="declare it with pad=pl.TilePad.zero, max or min",
        )
    fits = all(a >= b for a, b in zip(target.shape, source.shape, strict=True))
    if not fits or (mode is not FillPadMode.EXPAND and target.shape != source.shape):
        shapes = f"{list(source.shape)} into {list(target.shape)}"
        fix = "use mode=pl.FillPadMode.EXPAND for a larger result"
        worker.report("OPG835", f"pl.fillpad of {shapes}", why="Without EXPAND both shapes are equal.", fix=fix)
        target.known(target.shape)[...] = True
        return
    together = target.slot.low == source.slot.low
    if together != (mode is FillPadMode.INPLACE):
        worker.report(
            "OPG833",
            "pl.fillpad " + ("in place" if together else "INPLACE of two places"),
            why="Only mode=pl.FillPadMode.INPLACE works on one place, and only on one.",
            fix="name the mode that fits the addresses",
        )
    running = Call("fillpad", [target, source])
    values = source.read(worker, V, running.step, running.what)
    whole = np.full(target.shape, _padding(target.type.pad, target.dtype)).astype(values.dtype)
    whole[: source.valid[0], : source.valid[1]] = values
    target.touch(worker, V, running.step, running.what, True)
    target.bits(target.shape)[...] = encoded(whole, target.dtype)
    target.known(target.shape)[...] = True
    running.done()
