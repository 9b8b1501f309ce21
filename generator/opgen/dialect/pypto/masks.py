"""Comparisons, whose results are packed into bits, and the choice by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.dialect.order import V
from opgen.dialect.pypto.rings import as_tile
from opgen.dialect.pypto.tiles import Tile
from opgen.dialect.pypto.vector import Call, check_shapes, check_types, number, operation
from opgen.dialect.pypto.worker import here
from opgen.facts.pypto import OPERATIONS, SELECT_SCALAR

RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def comparison(name: str) -> Callable[..., None]:
    def call(out: Any, lhs: Any, rhs: Any) -> None:
        mask, left = as_tile(out, f"pl.{name}"), as_tile(lhs, f"pl.{name}")
        operands = [left, *([rhs] if isinstance(rhs, Tile) else [])]
        check_types(name, OPERATIONS[name].dtypes, operands)
        check_shapes(name, operands)
        _check_mask(name, mask, left)
        running = Call(name, [mask, *operands])
        first = running.read(left)
        second = running.read(rhs) if isinstance(rhs, Tile) else number(name, rhs, left)
        with np.errstate(all="ignore"):
            bits = np.packbits(RELATIONS[name](first, second), axis=1, bitorder="little")
        mask.touch(running.worker, V, running.step, running.what, True)
        if bits.shape[0] <= mask.shape[0] and bits.shape[1] <= mask.shape[1] and mask.type.dtype.size == 1:
            mask.bits(bits.shape)[...] = bits
            mask.known(bits.shape)[...] = True
        mask.slot.mask = left.valid
        running.done()

    call.__name__ = name
    return operation(call)


@operation
def select(out: Any, mask: Any, lhs: Any, rhs: Any, tmp: Any) -> None:
    """lhs where a bit of the mask is set, else rhs."""
    target, chooser, left = (as_tile(tile, "pl.select") for tile in (out, mask, lhs))
    scratch = as_tile(tmp, "the scratch of pl.select")
    operands = [target, left, *([rhs] if isinstance(rhs, Tile) else [])]
    dtypes = OPERATIONS["select"].dtypes if isinstance(rhs, Tile) else SELECT_SCALAR
    check_types("select", dtypes, operands, "" if isinstance(rhs, Tile) else " with a number")
    check_shapes("select", operands)
    _check_mask("select", chooser, target)
    running = Call("select", [chooser, *operands, scratch])
    first = running.read(left)
    second = running.read(rhs) if isinstance(rhs, Tile) else number("select", rhs, left)
    chooser.touch(running.worker, V, running.step, running.what, False)
    chosen = _unpacked(running, chooser, target)
    running.write(target, np.where(chosen, first, second))
    running.done()


def _unpacked(running: Call, chooser: Tile, target: Tile) -> Any:
    """The bits of a mask for the valid elements of a tile."""
    rows, columns = target.valid
    held = chooser.slot.mask
    if held is None or held[0] < rows or held[1] < columns:
        running.worker.report(
            "OPG837",
            f"pl.select reads bits of {chooser.name} that no comparison has put there",
            "" if held is None else f": they cover {list(held)}, and {list(target.valid)} are chosen",
            why="The mask is made by pl.eq, ne, lt, le, gt or ge alone; a tile of zeros and ones is none.",
            fix="compare first, in the same valid shape",
        )
        return np.zeros(target.valid, np.bool_)
    bits = chooser.bits((rows, -(-columns // 8)))
    return np.unpackbits(np.ascontiguousarray(bits), axis=1, count=columns, bitorder="little").astype(np.bool_)


def _check_mask(name: str, mask: Tile, tile: Tile) -> None:
    if mask.dtype != "uint8":
        here().report(
            "OPG834",
            f"pl.{name} with a mask of {mask.type.dtype}",
            why="Comparisons pack their results into the bits of a tile of pl.DT_UINT8.",
            fix="give the mask a type of its own: the same shape, dtype=pl.DT_UINT8",
        )
    if mask.shape != tile.shape:
        here().report(
            "OPG835",
            f"pl.{name} with a mask of shape {list(mask.shape)} for {tile.name} of shape {list(tile.shape)}",
            why="A mask has the shape of the tiles that it is made from: each of its rows begins where theirs do.",
            fix="give its type the same shape",
        )
