"""What operations of the dialect do, as a table: a kernel, its data, and what NumPy says, for whoever executes kernels.

Expectations are computed in float64 and rounded at the end, by other means than the checker's.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from dialect_support import kernel
from opgen.facts.operations import CASTS, OPERATIONS

TILE = 256  # elements of a vector core
SIZES = (1, TILE + 3, 2 * TILE)  # two of the three end in a broken tile
FLOATS = ("float16", "float32")
INTS = ("int16", "int32")


@dataclass(frozen=True)
class Conformance:
    """One kernel. inputs: data by parameter, in call order, outputs excepted. output: (name, shape, dtype). tolerance:
    of |got - expected| / (1 + |expected|), 0 for equality."""

    name: str
    script: str
    inputs: dict[str, Any]
    output: tuple[str, tuple[int, ...], str]
    expected: Any
    tolerance: float = 0
    scalars: dict[str, Any] = field(default_factory=dict)


def tolerance_of(dtype: str, factor: float = 1) -> float:
    return {"float16": 1e-3, "float32": 2e-6, "bfloat16": 8e-3}.get(dtype, 0) * factor


def data(dtype: str, size: int | tuple[int, ...], seed: int, low: float = -3, high: float = 3) -> Any:
    random = np.random.default_rng(seed)
    if dtype.startswith(("int", "uint")):
        first = 0 if dtype.startswith("u") else int(low * 7)
        return random.integers(first, int(high * 7) + 1, size).astype(dtype)
    return (
        as_bfloat16(random.uniform(low, high, size))
        if dtype == "bfloat16"
        else random.uniform(low, high, size).astype(dtype)
    )


# ---- rounding, by looking the neighbours up ----


def _values(dtype: str) -> Any:
    """Every finite number of a half type, in order."""
    bits = np.arange(2**16, dtype=np.uint32)
    if dtype == "float16":
        numbers = bits.astype(np.uint16).view(np.float16).astype(np.float64)
    else:
        numbers = (bits << 16).view(np.float32)
    return np.unique(numbers[np.isfinite(numbers)].astype(np.float64))


HALVES = {dtype: _values(dtype) for dtype in ("float16", "bfloat16")}


def rounded_half(values: Any, dtype: str, mode: str) -> Any:
    numbers = HALVES[dtype]
    wide = np.asarray(values, np.float64)
    above = np.clip(np.searchsorted(numbers, wide), 0, len(numbers) - 1)
    below = np.clip(np.searchsorted(numbers, wide, side="right") - 1, 0, len(numbers) - 1)
    low, high = numbers[below], numbers[above]
    to_low, to_high = wide - low, high - wide
    # Numbers in order alternate between even and odd mantissas, zero is even.
    zero = int(np.searchsorted(numbers, 0.0))
    even_low = (below - zero) % 2 == 0
    away = np.where(wide > 0, high, low)
    match mode:
        case "CAST_RINT" | "CAST_NONE":
            return np.where(to_low < to_high, low, np.where(to_high < to_low, high, np.where(even_low, low, high)))
        case "CAST_FLOOR":
            return low
        case "CAST_CEIL":
            return high
        case "CAST_TRUNC":
            return np.where(wide > 0, low, high)
        case "CAST_ROUND":
            return np.where(to_low < to_high, low, np.where(to_high < to_low, high, away))
        case "CAST_ODD":
            return np.where(low == high, low, np.where(even_low, high, low))
    raise AssertionError(mode)


def as_bfloat16(values: Any) -> Any:
    return rounded_half(np.asarray(values, np.float64), "bfloat16", "CAST_RINT").astype(np.float32)


def rounded_whole(values: Any, mode: str) -> Any:
    """Whole numbers, one at a time, in Python."""

    def one(value: float) -> float:
        low = math.floor(value)
        part = value - low
        match mode:
            case "CAST_RINT":
                return float(round(value))
            case "CAST_FLOOR":
                return float(low)
            case "CAST_CEIL":
                return float(math.ceil(value))
            case "CAST_TRUNC":
                return float(math.trunc(value))
            case "CAST_ROUND":
                return float(low + 1 if part > 0.5 or (part == 0.5 and value > 0) else low)
        raise AssertionError(mode)

    return np.array([one(float(v)) for v in np.ravel(values)])


# ---- element by element ----

_LOAD = "T.copy({0}[vid * TILE], {0}_ub)\n"


def elementwise(
    name: str,
    statement: str,
    types: tuple[str, ...],
    function: Callable[..., Any],
    operands: int = 1,
    low: float = -3,
    high: float = 3,
    factor: float = 1,
    result: str = "",
) -> Iterator[Conformance]:
    """statement: of z_ub, x_ub, y_ub, bits. result: the output's type, if it is another one."""
    for dtype in types:
        for size in SIZES:
            names = ("x", "y")[:operands]
            out = result or dtype
            buffers = [f'{n}_ub = T.alloc_ub((TILE,), "{dtype}")\n' for n in names]
            body = f"TILE = {TILE}\n" + "".join(buffers) + f'z_ub = T.alloc_ub((TILE,), "{out}")\n'
            if "bits" in statement:
                body += 'bits = T.alloc_ub((TILE // 8,), "uint8")\n'
            body += "".join(_LOAD.format(n) for n in names) + statement + "\nT.copy(z_ub, z[vid * TILE])\n"
            parameters = ", ".join(f'{n}: T.Tensor(({size},), "{dtype}")' for n in names)
            parameters += f', z: T.Tensor(({size},), "{out}")'
            inputs = {n: data(dtype, size, seed, low, high) for seed, n in enumerate(names)}
            wide = [v.astype(np.int64 if v.dtype.kind in "iu" else np.float64) for v in inputs.values()]
            expected = np.asarray(function(*wide))
            if out.startswith(("int", "uint")):
                expected = expected.astype(np.int64).astype(out)
            yield Conformance(
                f"{name}-{dtype}-{size}", kernel(body, parameters, out=f"[{operands}]"), inputs, ("z", (size,), out),
                np.broadcast_to(expected, size), tolerance_of(out, factor),
            )  # fmt: skip


def _types(name: str) -> tuple[str, ...]:
    return OPERATIONS[name].dtypes


_UNARY: tuple[tuple[str, Callable[[Any], Any], float, float], ...] = (
    ("exp", np.exp, -3, 3),
    ("ln", np.log, 0.1, 9),
    ("sqrt", np.sqrt, 0.1, 9),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 0.1, 9),
    ("reciprocal", lambda x: 1 / x, 0.5, 9),
    ("abs", np.abs, -3, 3),
    ("relu", lambda x: np.where(x > 0, x, 0), -3, 3),
    ("sigmoid", lambda x: 1 / (1 + np.exp(-x)), -3, 3),
    ("silu", lambda x: x / (1 + np.exp(-x)), -3, 3),
    ("sin", np.sin, -3, 3),
    ("cos", np.cos, -3, 3),
    ("bitwise_not", np.invert, 0, 3),
)
_BINARY: tuple[tuple[str, Callable[[Any, Any], Any], float, float], ...] = (
    ("add", np.add, -3, 3),
    ("sub", np.subtract, -3, 3),
    ("mul", np.multiply, -3, 3),
    ("div", np.divide, 0.5, 3),
    ("max", np.maximum, -3, 3),
    ("min", np.minimum, -3, 3),
    ("bitwise_and", np.bitwise_and, 0, 3),
    ("bitwise_or", np.bitwise_or, 0, 3),
    ("bitwise_xor", np.bitwise_xor, 0, 3),
    ("pow", lambda x, y: x**y if x.dtype.kind == "f" else x ** (y % 4), 0.1, 2),
)
_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}


def all_elementwise() -> Iterator[Conformance]:
    for name, function, low, high in _UNARY:
        yield from elementwise(name, f"T.tile.{name}(z_ub, x_ub)", _types(name), function, 1, low, high, 2)
    for name, binary, low, high in _BINARY:
        types = tuple(t for t in _types(name) if not (name == "pow" and t.startswith("int")))
        yield from elementwise(name, f"T.tile.{name}(z_ub, x_ub, y_ub)", types, binary, 2, low, high, 2)
    for name, binary, _, _ in _BINARY[:6]:
        number = "1.5"
        yield from elementwise(
            f"{name}-scalar", f"T.tile.{name}(z_ub, x_ub, {number})", FLOATS, lambda x, f=binary: f(x, 1.5), factor=2
        )
        if name != "div":
            yield from elementwise(f"{name}-scalar", f"T.tile.{name}(z_ub, x_ub, 3)", INTS, lambda x, f=binary: f(x, 3))
    yield from elementwise("add-inplace", "T.tile.add(x_ub, x_ub, y_ub)\nT.copy(x_ub, z_ub)", FLOATS, np.add, 2)
    yield from elementwise(
        "leaky_relu", "T.tile.leaky_relu(z_ub, x_ub, 0.25)", FLOATS, lambda x: np.where(x < 0, x / 4, x)
    )
    yield from elementwise(
        "axpy", "T.copy(y_ub, z_ub)\nT.tile.axpy(z_ub, x_ub, 0.5)", FLOATS, lambda x, y: y + x / 2, 2, factor=2
    )
    yield from elementwise(
        "mul_add_dst", "T.tile.fill(z_ub, 1.0)\nT.tile.mul_add_dst(z_ub, x_ub, y_ub)", FLOATS,
        lambda x, y: x * y + 1, 2, factor=2,
    )  # fmt: skip
    shifted = ("int16", "uint16", "int32", "uint32")
    yield from elementwise("lshift", "T.tile.bitwise_lshift(z_ub, x_ub, 2)", shifted, lambda x: x * 4)
    yield from elementwise("rshift", "T.tile.bitwise_rshift(z_ub, x_ub, 2)", shifted, lambda x: x // 4)
    yield from elementwise("round", f"T.tile.round(z_ub, x_ub, {TILE})", FLOATS, np.rint)
    yield from elementwise(
        "clamp_max", f"T.tile.clamp_max(z_ub, x_ub, 1.0, {TILE})", FLOATS, lambda x: np.where(x > 1, 1, x)
    )
    yield from elementwise(
        "clamp_min", f"T.tile.clamp_min(z_ub, x_ub, -1.0, {TILE})", FLOATS, lambda x: np.where(x < -1, -1, x)
    )
    for dtype in _types("fill"):
        yield from elementwise(f"fill-{dtype}", "T.tile.fill(z_ub, 7)", ("float32",), lambda x: 7, result=dtype)
    for mode, relation in _RELATIONS.items():
        select = 'T.tile.select(z_ub, bits, x_ub, {}, "VSEL_{}_MODE")'
        yield from elementwise(
            f"compare-{mode}", f'T.tile.compare(bits, x_ub, y_ub, "{mode}")\n' + select.format("y_ub", "TENSOR_TENSOR"),
            FLOATS, lambda x, y, f=relation: np.where(f(x, y), x, y), 2,
        )  # fmt: skip
        yield from elementwise(
            f"compare-scalar-{mode}",
            f'T.tile.compare(bits, x_ub, 0.5, "{mode}")\n' + select.format("-1.0", "TENSOR_SCALAR"),
            FLOATS, lambda x, f=relation: np.where(f(x, 0.5), x, -1),
        )  # fmt: skip
    yield from elementwise(
        "compare-int",
        'T.tile.compare(bits, x_ub, y_ub, "EQ")\none = T.alloc_ub((TILE,), "float32")\nT.tile.fill(one, 1.0)\n'
        'T.tile.select(z_ub, bits, one, 0.0, "VSEL_TENSOR_SCALAR_MODE")',
        ("int32",), lambda x, y: x == y, 2, result="float32",
    )  # fmt: skip


# ---- casts ----


def casts() -> Iterator[Conformance]:
    """Every pair of types with every mode."""
    size = 2 * TILE - 5
    for (source, target), modes in CASTS.items():
        for mode in modes:
            values = _cast_data(source, target, size)
            body = (
                f"TILE = {TILE}\n"
                f'x_ub = T.alloc_ub((TILE,), "{source}")\nz_ub = T.alloc_ub((TILE,), "{target}")\n'
                f'{_cleared(source)}T.copy(x[vid * TILE], x_ub)\nT.tile.cast(z_ub, x_ub, "{mode}", TILE)\n'
                "T.copy(z_ub, z[vid * TILE])\n"
            )
            parameters = f'x: T.Tensor(({size},), "{source}"), z: T.Tensor(({size},), "{target}")'
            yield Conformance(
                f"cast-{source}-{target}-{mode}", kernel(body, parameters, out="[1]"), {"x": values},
                ("z", (size,), target), _cast_expected(values, source, target, mode),
            )  # fmt: skip


def _cleared(source: str) -> str:
    """Clipped loads leave the rest of such tiles as it was; an exact cast gives it something to be."""
    through = {"int8": "float16", "uint8": "float16", "int64": "int32"}.get(source)
    if through is None:
        return ""
    mode = "CAST_NONE" if source == "int64" else "CAST_RINT"
    return f'zero = T.alloc_ub((TILE,), "{through}")\nT.tile.fill(zero, 0)\nT.tile.cast(x_ub, zero, "{mode}", TILE)\n'


def _cast_data(source: str, target: str, size: int) -> Any:
    random = np.random.default_rng(11)
    if source.startswith(("int", "uint")):
        # Beyond what float16 and float32 hold exactly, but within the integer types that are cast to.
        limit = {"int8": 127, "uint8": 255, "int16": 32767}.get(source, 2**31 - 1)
        if target == "int16":
            limit = 32767
        low = 0 if source.startswith("u") else -limit
        return random.integers(low, limit + 1, size).astype(source)
    wide = random.uniform(-100, 100, size)
    wide[:8] = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.0, 99.5]
    if target in ("int8", "uint8"):
        wide = np.abs(wide) if target == "uint8" else wide
    if source == "bfloat16":
        return as_bfloat16(wide)
    if target in ("float16", "bfloat16"):  # halfway between neighbours, too
        wide[8:40] = (HALVES[target][30000:30032] + HALVES[target][30001:30033]) / 2
    return wide.astype(source)


def _cast_expected(values: Any, source: str, target: str, mode: str) -> Any:
    if target in ("float16", "bfloat16"):
        return rounded_half(values.astype(np.float64), target, mode)
    if source.startswith(("int", "uint")):
        if target == "float32":
            return values.astype(np.float32)  # to nearest, as NumPy does
        return values.astype(np.int64)
    if target == "float32" and source != "float32":
        return values.astype(np.float64)
    return rounded_whole(values, "CAST_RINT" if mode == "CAST_NONE" else mode)


# ---- shapes ----


def shaped() -> Iterator[Conformance]:
    yield from reductions()
    yield from broadcasts()
    yield from moves()
    yield from sorting()


def _case(
    name: str, body: str, inputs: dict[str, Any], out: tuple[tuple[int, ...], str], expected: Any, tolerance: float = 0
) -> Conformance:
    """One block in which both vector cores do the same; equal values may be stored twice."""
    parameters = [
        f'{n}: T.Tensor({v.shape}, "{"bfloat16" if n.endswith("_bf16") else v.dtype}")' for n, v in inputs.items()
    ]
    parameters.append(f'z: T.Tensor({out[0]}, "{out[1]}")')
    text = kernel(body, ", ".join(parameters), out=f"[{len(inputs)}]")
    return Conformance(name, text, inputs, ("z", out[0], out[1]), expected, tolerance)


_JOIN: dict[str, Callable[..., Any]] = {"sum": np.sum, "max": np.max, "min": np.min}


def reductions() -> Iterator[Conformance]:
    for kind, function in _JOIN.items():
        for dtype in ("float32",) if kind == "sum" else FLOATS:
            x = data(dtype, (8, 64), 1)
            wide = x.astype(np.float64)
            for dim in (0, 1, -1, -2):
                count = 64 if dim in (0, -2) else 8
                body = (
                    f'v = T.alloc_ub((8, 64), "{dtype}")\nr = T.alloc_ub(({count},), "{dtype}")\n'
                    f"T.copy(x, v)\nT.reduce_{kind}(v, r, dim={dim})\nT.copy(r, z)\n"
                )
                yield _case(
                    f"reduce_{kind}-{dtype}-{dim}", body, {"x": x}, ((count,), dtype), function(wide, axis=dim),
                    tolerance_of(dtype, 10),
                )  # fmt: skip
            body = (
                f'v = T.alloc_ub((8, 64), "{dtype}")\nr = T.alloc_ub((8,), "{dtype}")\n'
                f"T.copy(x, v)\nT.reduce_{kind}(v, r, dim=-1, real_shape=[8, 50])\nT.copy(r, z)\n"
            )
            yield _case(
                f"reduce_{kind}-{dtype}-real", body, {"x": x}, ((8,), dtype), function(wide[:, :50], axis=1),
                tolerance_of(dtype, 10),
            )  # fmt: skip
            body = (
                f'v = T.alloc_ub((512,), "{dtype}")\nr = T.alloc_ub((1,), "{dtype}")\n'
                f"T.copy(x, v)\nT.tile.fill(r, 5.0)\nT.reduce_{kind}(v, r, dim=-1, clear=False)\nT.copy(r, z)\n"
            )
            flat = x.ravel()
            yield _case(
                f"reduce_{kind}-{dtype}-merge", body, {"x": flat}, ((1,), dtype),
                [function(np.append(flat.astype(np.float64), 5.0))], tolerance_of(dtype, 40),
            )  # fmt: skip
    x = data("float16", (8, 64), 2)
    body = (
        'v = T.alloc_ub((8, 64), "float16")\nr = T.alloc_ub((16,), "float16")\nT.tile.fill(r, 0.0)\n'
        "s = T.reshape(r, (2, 8))\nT.copy(x, v)\nT.reduce_sum(v, s[0, :], dim=-1)\nT.copy(r, z)\n"
    )
    expected = np.append(x.astype(np.float64).sum(1), np.zeros(8))
    yield _case("reduce_sum-float16", body, {"x": x}, ((16,), "float16"), expected, 1e-2)


def broadcasts() -> Iterator[Conformance]:
    for dtype in _types("broadcast"):
        for name, shape, axis, of in (
            ("rows", (32, 1), None, lambda x: np.broadcast_to(x, (32, 64))),
            ("columns", (1, 64), None, lambda x: np.broadcast_to(x, (32, 64))),
            ("flat-0", (64,), 0, lambda x: np.broadcast_to(x, (32, 64))),
            ("flat-1", (32,), 1, lambda x: np.broadcast_to(x[:, None], (32, 64))),
        ):
            source = data(dtype, math.prod(shape), 3).reshape(shape)
            body = (
                f'v = T.alloc_ub((32, 64), "{dtype}")\nu = T.alloc_ub(({math.prod(shape)},), "{dtype}")\n'
                f"s = T.reshape(u, {shape})\nT.copy(x, u)\nT.tile.broadcast(v, s, axis={axis})\nT.copy(v, z)\n"
            )
            yield _case(f"broadcast-{name}-{dtype}", body, {"x": source.ravel()}, ((32, 64), dtype), of(source))


def moves() -> Iterator[Conformance]:
    x = data("float16", (21, 100), 4)
    padded = np.full((32, 112), -5.0)
    padded[:21, :100] = x
    body = 'v = T.alloc_ub((32, 112), "float16")\nT.copy(x[0, 0], v, pad_value=-5.0)\nT.copy(v, z)\n'
    yield _case("copy-pad", body, {"x": x}, ((32, 112), "float16"), padded)
    body = 'v = T.alloc_ub((8, 48), "float16")\nT.copy(x[8:16, 16:64], v)\nT.copy(v, z)\n'
    yield _case("copy-box", body, {"x": x}, ((8, 48), "float16"), x[8:16, 16:64])
    body = 'v = T.alloc_ub((16, 16), "float16")\nT.copy(x[0, 0], v)\nT.copy(v, z[8, 96])\nT.copy(v, z[0, 0])\n'
    square = np.zeros((16, 112))
    square[:, :16] = x[:16, :16]
    square[8:, 96:] = x[:8, :16]
    zeros = 'w = T.alloc_ub((16, 112), "float16")\nT.tile.fill(w, 0.0)\nT.copy(w, z)\nT.barrier_all()\n'
    alone = "if vid == 0:\n" + textwrap.indent(zeros + body, "    ")
    yield _case("copy-clipped-store", alone, {"x": x}, ((16, 112), "float16"), square)
    body = (
        'v = T.alloc_ub((16, 16), "float16")\nw = T.alloc_ub((16, 16), "float16")\nT.copy(x[0:16, 0:16], v)\n'
        "T.tile.transpose(w, v)\nT.copy(w, z)\n"
    )
    yield _case("transpose", body, {"x": x}, ((16, 16), "float16"), x[:16, :16].T)
    table = data("float32", 128, 5)
    places = np.random.default_rng(6).integers(0, 128, 64)
    body = (
        't = T.alloc_ub((128,), "float32")\no = T.alloc_ub((64,), "uint32")\nv = T.alloc_ub((64,), "float32")\n'
        "T.copy(x, t)\nT.copy(offsets, o)\nT.tile.gather(v, t, o, 0)\nT.copy(v, z)\n"
    )
    inputs = {"x": table, "offsets": (places * 4).astype(np.uint32)}
    yield _case("gather", body, inputs, ((64,), "float32"), table[places])
    for pattern, chosen in (("P0101", table[::2]), ("P1010", table[1::2]), ("P0100", table[2::4]), ("P1111", table)):
        body = (
            f't = T.alloc_ub((128,), "float32")\nv = T.alloc_ub(({len(chosen)},), "float32")\nT.copy(x, t)\n'
            f'T.tile.gather_mask(v, t, "{pattern}")\nT.copy(v, z)\n'
        )
        yield _case(f"gather_mask-{pattern}", body, {"x": table}, ((len(chosen),), "float32"), chosen)
    for dtype in _types("createvecindex"):
        body = f'v = T.alloc_ub((64,), "{dtype}")\nT.tile.createvecindex(v, 3)\nT.copy(v, z)\n'
        yield _case(f"createvecindex-{dtype}", body, {}, ((64,), dtype), np.arange(3, 67))
        body = f'v = T.alloc_ub((64,), "{dtype}")\nT.tile.arith_progression(v, 5, 2, 64)\nT.copy(v, z)\n'
        yield _case(f"arith_progression-{dtype}", body, {}, ((64,), dtype), 5 + 2 * np.arange(64))
    wide = data("float32", (8, 64), 8)
    body = (
        'v = T.alloc_ub((8, 64), "float32")\nr = T.alloc_ub((8,), "float32")\nT.copy(x, v)\nT.copy(s, r)\n'
        "for i in T.serial(8):\n    T.tile.mul(v[i, :], v[i, :], r[i])\nT.copy(v, z)\n"
    )
    factors = data("float32", 8, 9)
    yield _case(
        "element-operand",
        body,
        {"x": wide, "s": factors},
        ((8, 64), "float32"),
        wide * factors[:, None].astype(float),
        2e-6,
    )


def sorting() -> Iterator[Conformance]:
    x = data("float32", 90, 10)
    order = np.argsort(-x, kind="stable")
    pairs = np.stack([x[order], order], 1)
    body = (
        'v = T.alloc_ub((96,), "float32")\np = T.alloc_ub((16,), "float32")\nT.copy(x[0:90], v[0:90])\n'
        "T.tile.topk(p, v, 8, 90)\nT.copy(p, z)\n"
    )
    yield _case("topk", body, {"x": x}, ((16,), "float32"), pairs[:8].ravel())
    body = (
        'v = T.alloc_ub((64,), "float32")\np = T.alloc_ub((128,), "float32")\nT.copy(x[0:64], v)\n'
        "T.tile.sort(p, v, 64)\nT.copy(p, z)\n"
    )
    order = np.argsort(-x[:64], kind="stable")
    yield _case("sort", body, {"x": x}, ((128,), "float32"), np.stack([x[order], order], 1).ravel())
    first, second = (
        np.array([[5, 0], [3, 1], [1, 2], [0, 3]], np.float32),
        np.array([[4, 8], [2, 9], [1, 10], [-1, 11]]),
    )
    both = np.concatenate([first, second.astype(np.float32)])
    merged = both[np.argsort(-both[:, 0], kind="stable")]
    body = (
        'a = T.alloc_ub((8,), "float32")\nb = T.alloc_ub((8,), "float32")\nv = T.alloc_ub((16,), "float32")\n'
        "T.copy(x, a)\nT.copy(y, b)\nT.tile.merge_sort(v, a, b)\nT.copy(v, z)\n"
    )
    inputs = {"x": first.ravel(), "y": second.astype(np.float32).ravel()}
    yield _case("merge_sort", body, inputs, ((16,), "float32"), merged.ravel())


# ---- matrix products ----


def products() -> Iterator[Conformance]:
    for dtype, sums in (("float16", "float32"), ("float32", "float32"), ("int8", "int32")):
        m, n, k = 32, 64 if dtype == "int8" else 48, 64
        for left, right in ((False, False), (False, True), (True, False)):
            a, b = data(dtype, (k, m) if left else (m, k), 1), data(dtype, (n, k) if right else (k, n), 2)
            body = (
                f'p = T.alloc_L1({a.shape}, "{dtype}")\nq = T.alloc_L1({b.shape}, "{dtype}")\n'
                f'r = T.alloc_L0C(({m}, {n}), "{sums}")\nT.copy(a, p)\nT.copy(b, q)\n'
                f"T.gemm_v0(p, q, r, transpose_A={left}, transpose_B={right}, init=True)\nT.copy(r, z[0, 0])\n"
            )
            wide = (a.T if left else a).astype(np.float64) @ (b.T if right else b).astype(np.float64)
            yield _case(
                f"gemm-{dtype}-{int(left)}{int(right)}",
                body,
                {"a": a, "b": b},
                ((m, n), sums),
                wide,
                1e-5 * (dtype != "int8"),
            )
    a, b = data("bfloat16", (16, 32), 5), data("bfloat16", (32, 16), 6)
    body = (
        'p = T.alloc_L1((16, 32), "bfloat16")\nq = T.alloc_L1((32, 16), "bfloat16")\n'
        'r = T.alloc_L0C((16, 16), "float32")\nT.copy(a_bf16, p)\nT.copy(b_bf16, q)\n'
        "T.gemm_v0(p, q, r, init=True)\nT.copy(r, z[0, 0])\n"
    )
    wide = a.astype(np.float64) @ b.astype(np.float64)
    yield _case("gemm-bfloat16", body, {"a_bf16": a, "b_bf16": b}, ((16, 16), "float32"), wide, 1e-5)
    a, b = data("float16", (30, 70), 3), data("float16", (70, 40), 4)
    body = (
        'p = T.alloc_L1((32, 64), "float16")\nq = T.alloc_L1((64, 48), "float16")\n'
        'r = T.alloc_L0C((32, 48), "float32")\n'
        "for i in T.serial(2):\n    T.copy(a[0, i * 64], p)\n    T.copy(b[i * 64, 0], q)\n"
        "    T.gemm_v0(p, q, r, init=(i == 0))\nT.copy(r, z[0, 0], enable_relu=True)\n"
    )
    wide = np.maximum(a.astype(np.float64) @ b.astype(np.float64), 0)
    yield _case("gemm-tails-relu", body, {"a": a, "b": b}, ((30, 40), "float16"), wide, 1e-3)


def conformance() -> Iterator[Conformance]:
    yield from all_elementwise()
    yield from casts()
    yield from shaped()
    yield from products()
