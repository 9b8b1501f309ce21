"""Operations of the vector unit, element by element: their types, their operands, what they compute."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from opgen.dialect.numbers import cast as converted
from opgen.dialect.numbers import rounded, wide
from opgen.dialect.order import V
from opgen.dialect.pypto.rings import as_tile
from opgen.dialect.pypto.tiles import Tile
from opgen.dialect.pypto.words import RoundMode
from opgen.dialect.pypto.worker import FrontEndError, Worker, here, shown
from opgen.dialect.report import Array
from opgen.facts.dtypes import DTYPES
from opgen.facts.pypto import CASTS, ODD_CAST, OPERATIONS

Compute = Callable[..., Any]


class Call:
    """A call of an operation on its way: its tiles are locked, and the vector unit has a number for it."""

    def __init__(self, name: str, tiles: Sequence[Tile]) -> None:
        self.worker: Worker = here()
        self.what = f"pl.{name}"
        self.tiles = tiles
        self.step = self.worker.begin(V, tiles)
        calls = self.worker.launch.counters.vector_calls
        calls[name] = calls.get(name, 0) + 1

    def read(self, tile: Tile) -> Array:
        """Valid elements, as they are computed with."""
        return wide(tile.read(self.worker, V, self.step, self.what), tile.dtype)

    def write(self, tile: Tile, values: Any) -> None:
        """Results, rounded to the tile's type."""
        exact = rounded(np.broadcast_to(values, tile.valid), tile.dtype)
        tile.write(self.worker, V, self.step, exact, self.what)

    def done(self) -> None:
        self.worker.end(V, self.tiles)


def check_types(name: str, dtypes: Sequence[str], tiles: Sequence[Tile], note: str = "") -> None:
    """The operation has the element type of its tiles, and all have one."""
    first = tiles[0]
    what = f"pl.{name}{note}"
    for other in tiles[1:]:
        if other.dtype != first.dtype:
            here().report(
                "OPG835",
                f"{what} of {first.name} of {first.type.dtype} and {other.name} of {other.type.dtype}",
                why="The operands of an operation have one element type.",
                fix="convert one with pl.cast into a tile of the other type",
            )
            return
    if first.dtype not in dtypes:
        known = ", ".join(dtypes)
        here().report(
            "OPG834",
            f"{what} of {first.type.dtype}",
            why=f"On Ascend 950 the operation takes {known}. The front end accepts every type.",
            fix="convert with pl.cast to a type that it takes, compute, and convert back",
        )


def check_rows(name: str, tiles: Sequence[Tile]) -> None:
    """Tiles whose rows lie one behind the other."""
    for tile in tiles:
        if tile.type.columns_first:
            here().report(
                "OPG835",
                f"pl.{name} of {tile.name}, whose layout is pl.DN",
                why="Only reductions write, and pl.expand_* read, a tile whose columns lie one behind the other.",
                fix="make a ring of the shape [1, rows] with the same address and the same mutex id, and compute there",
            )


def check_shapes(name: str, tiles: Sequence[Tile]) -> None:
    """All tiles have one shape and one valid shape."""
    check_rows(name, tiles)
    first = tiles[0]
    for other in tiles[1:]:
        if other.shape != first.shape:
            here().report(
                "OPG835",
                f"pl.{name} of {first.name} with shape {list(first.shape)} and {other.name} with "
                f"shape {list(other.shape)}",
                why="The operands of an operation have one shape: rows of different lengths lie at different places.",
                fix="give both types the same shape and cut with pl.set_validshape",
            )
            raise _Unequal
        if other.valid != first.valid:
            here().report(
                "OPG835",
                f"pl.{name} of {first.name} and {other.name} with different valid shapes",
                f": {list(first.valid)} and {list(other.valid)}",
                why="The operation covers one of the two; what the other has is lost or left over.",
                fix="set the same valid shape on every tile of the step, results included",
            )
            raise _Unequal


class _Unequal(Exception):
    """The operation cannot be carried out: said, and its result counts as written."""


def operation(function: Callable[..., None]) -> Callable[..., None]:
    """Lets a call whose operands do not fit leave its result as written."""
    signature = inspect.signature(function)
    name = function.__name__

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> None:
        try:
            bound = signature.bind(*args, **named)
        except TypeError as error:
            raise FrontEndError(f"pl.{name}: {error}", fix=f"its parameters are {signature}") from None
        try:
            function(*args, **named)
        except _Unequal:
            out = bound.arguments.get("out")
            if isinstance(out, Tile):
                out.known()[...] = True

    return call


def number(name: str, value: Any, tile: Tile) -> Any:
    """A scalar operand as the instruction gets it."""
    kind = DTYPES[tile.dtype].kind
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise FrontEndError(f"pl.{name} of {tile.name} and {shown(value)}", fix="give a tile or a number")
    if kind == "float":
        return wide(rounded(np.asarray(value), tile.dtype), tile.dtype)[()]
    if isinstance(value, (float, np.floating)):
        here().report(
            "OPG834",
            f"pl.{name} of {tile.name} of {tile.type.dtype} and a float",
            f", {float(value)}",
            why="The number is converted to the type of the tile: its fraction is lost.",
            fix="write an integer, or convert the tile with pl.cast",
        )
    return np.int64(int(value))


# ---- one and two operands ----


def _divided(a: Any, b: Any) -> Any:
    """As the chip divides: integers toward zero."""
    a, b = np.broadcast_arrays(a, b)
    if a.dtype.kind == "f":
        return a / b
    safe = np.where(b == 0, 1, b)
    return np.sign(a) * np.sign(safe) * (np.abs(a) // np.abs(safe))


def _relu(x: Any) -> Any:
    return np.maximum(x, 0)


BINARY: dict[str, Compute] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": _divided,
    "and_": np.bitwise_and,
    "shl": np.left_shift,
    "shr": np.right_shift,
    "add_relu": lambda a, b: _relu(a + b),
    "sub_relu": lambda a, b: _relu(a - b),
}
UNARY: dict[str, Compute] = {
    "neg": np.negative,
    "abs": np.abs,
    "relu": _relu,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: np.float32(1) / np.sqrt(x),
    "recip": lambda x: np.float32(1) / x,
}
IN_PLACE: dict[str, Compute] = {
    "mul_add_dst": lambda out, a, b: out + a * b,
    "fused_mul_add": lambda out, a, b: out * a + b,
    "fused_mul_add_relu": lambda out, a, b: _relu(out * a + b),
}
OVERWRITES_LHS = ("add_relu", "sub_relu")


def unary(name: str) -> Callable[..., None]:
    def call(out: Any, src: Any) -> None:
        target, source = as_tile(out, f"pl.{name}"), as_tile(src, f"pl.{name}")
        check_types(name, OPERATIONS[name].dtypes, [target, source])
        check_shapes(name, [target, source])
        running = Call(name, [target, source])
        with np.errstate(all="ignore"):
            running.write(target, UNARY[name](running.read(source)))
        running.done()

    call.__name__ = name
    return operation(call)


def binary(name: str, compute: Compute) -> Callable[..., None]:
    def call(out: Any, lhs: Any, rhs: Any) -> None:
        apply_binary(name, compute, out, lhs, rhs)

    call.__name__ = name
    return operation(call)


def apply_binary(name: str, compute: Compute, out: Any, lhs: Any, rhs: Any) -> None:
    known = OPERATIONS[name]
    target, left = as_tile(out, f"pl.{name}"), as_tile(lhs, f"pl.{name}")
    tiles = [target, left]
    if isinstance(rhs, Tile) or not known.scalar:
        tiles.append(as_tile(rhs, f"the right side of pl.{name}"))
    check_types(name, known.dtypes, tiles)
    check_shapes(name, tiles)
    running = Call(name, tiles)
    first = running.read(left)
    second = running.read(rhs) if isinstance(rhs, Tile) else number(name, rhs, left)
    with np.errstate(all="ignore"):
        result = compute(first, second)
    running.write(target, result)
    if name in OVERWRITES_LHS and left.slot is not target.slot:
        running.write(left, result)
    running.done()


def in_place(name: str) -> Callable[..., None]:
    def call(out: Any, lhs: Any, rhs: Any) -> None:
        tiles = [as_tile(tile, f"pl.{name}") for tile in (out, lhs, rhs)]
        check_types(name, OPERATIONS[name].dtypes, tiles)
        check_shapes(name, tiles)
        running = Call(name, tiles)
        with np.errstate(all="ignore"):
            running.write(tiles[0], IN_PLACE[name](*(running.read(tile) for tile in tiles)))
        running.done()

    call.__name__ = name
    return operation(call)


@operation
def axpy(out: Any, src: Any, alpha: Any) -> None:
    """out += alpha * src; out may be float32 where src is float16."""
    target, source = as_tile(out, "pl.axpy"), as_tile(src, "pl.axpy")
    if (target.dtype, source.dtype) != ("float32", "float16"):
        check_types("axpy", OPERATIONS["axpy"].dtypes, [target, source])
    check_shapes("axpy", [target, source])
    running = Call("axpy", [target, source])
    with np.errstate(all="ignore"):
        running.write(target, running.read(target) + number("axpy", alpha, source) * running.read(source))
    running.done()


@operation
def addc(out: Any, a: Any, b: Any, c: Any) -> None:
    tiles = [as_tile(tile, "pl.addc") for tile in (out, a, b, c)]
    check_types("addc", OPERATIONS["addc"].dtypes, tiles)
    check_shapes("addc", tiles)
    running = Call("addc", tiles)
    with np.errstate(all="ignore"):
        running.write(tiles[0], sum(running.read(tile) for tile in tiles[1:]))
    running.done()


@operation
def xor(out: Any, lhs: Any, rhs: Any, tmp: Any) -> None:
    tiles = [as_tile(tile, "pl.xor") for tile in (out, lhs, rhs, tmp)]
    check_types("xor", OPERATIONS["xor"].dtypes, tiles)
    check_shapes("xor", tiles)
    apart("xor", tiles[3], tiles[:3])
    running = Call("xor", tiles)
    running.write(tiles[0], running.read(tiles[1]) ^ running.read(tiles[2]))
    running.done()


@operation
def expands(out: Any, scalar: Any) -> None:
    """Every element becomes the number."""
    target = as_tile(out, "pl.expands")
    check_types("expands", OPERATIONS["expands"].dtypes, [target])
    check_rows("expands", [target])
    running = Call("expands", [target])
    running.write(target, number("expands", scalar, target))
    running.done()


def apart(name: str, tmp: Tile, tiles: Sequence[Tile]) -> None:
    """A scratch tile has a place of its own."""
    for tile in tiles:
        if tile.slot.low < tmp.slot.high and tmp.slot.low < tile.slot.high:
            here().report(
                "OPG833",
                f"pl.{name} takes {tile.name} as an operand and its bytes as scratch memory too",
                why="The operation writes to its scratch tile before it has read its operands.",
                fix="give it a scratch tile with an address of its own",
            )


@operation
def cast(out: Any, src: Any, *, mode: Any = RoundMode.CAST_ROUND) -> None:
    target, source = as_tile(out, "pl.cast"), as_tile(src, "pl.cast")
    if not isinstance(mode, RoundMode):
        raise FrontEndError(f"pl.cast with mode={shown(mode)}", fix="write pl.RoundMode.CAST_RINT and the like")
    pair = (source.dtype, target.dtype)
    if target.dtype not in CASTS.get(source.dtype, ()):
        to = ", ".join(CASTS.get(source.dtype, ())) or "nothing"
        here().report(
            "OPG834",
            f"pl.cast of {source.type.dtype} to {target.type.dtype}",
            why=f"Ascend 950 converts {source.dtype} to {to}.",
            fix="convert in two steps, through a type that has both conversions",
        )
    if mode is RoundMode.CAST_ODD and pair != ODD_CAST:
        here().report(
            "OPG834",
            f"pl.cast of {source.type.dtype} to {target.type.dtype} with CAST_ODD",
            why="Rounding to odd is made for float32 to float16 alone.",
            fix="use CAST_RINT",
        )
    check_shapes("cast", [target, source])
    if source.slot is not target.slot and source.slot.low < target.slot.high and target.slot.low < source.slot.high:
        apart("cast", source, [target])
    running = Call("cast", [target, source])
    values = source.read(running.worker, V, running.step, running.what)
    result = converted(values, source.dtype, target.dtype, mode.name)
    target.write(running.worker, V, running.step, result, running.what)
    running.done()
