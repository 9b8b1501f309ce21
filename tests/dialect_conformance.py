"""What operations of the dialect do, as a table: a kernel, its data, and what NumPy says, for whoever executes kernels.

Expectations are computed in float64 and rounded at the end, by other means than the checker's.
"""

from __future__ import annotations

import math
import re
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

    @property
    def dtypes(self) -> dict[str, str]:
        """Element type of every tensor parameter; bfloat16 is data in float32."""
        return dict(re.findall(r'(\w+): T\.Tensor\(\([\d, ]*\), "(\w+)"\)', self.script))


def agree(case: Conformance, got: Any) -> None:
    """Infinities are equal to themselves only, NaN is where it is expected."""
    expected = np.asarray(case.expected, np.float64).reshape(got.shape)
    wide = got.astype(np.float64)
    with np.errstate(invalid="ignore"):
        error = np.abs(wide - expected) / (1 + np.abs(expected))
    error[(wide == expected) | (np.isnan(wide) & np.isnan(expected))] = 0
    assert not np.isnan(error).any() and np.max(error) <= case.tolerance, (case.name, np.max(error))


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

_CONSTANTS = f"TILE = {TILE}\n"
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
            body = "".join(buffers) + f'z_ub = T.alloc_ub((TILE,), "{out}")\n'
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
                f"{name}-{dtype}-{size}", kernel(body, parameters, out=f"[{operands}]", constants=_CONSTANTS), inputs,
                ("z", (size,), out), np.broadcast_to(expected, size), tolerance_of(out, factor),
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
    yield from elementwise(
        "select-element",
        'one = T.alloc_ub((8,), "float32")\nT.tile.fill(one, 0.25)\nT.tile.compare(bits, x_ub, 0.5, "LT")\n'
        'quarter = one[0]\nT.tile.select(z_ub, bits, x_ub, quarter, "VSEL_TENSOR_SCALAR_MODE")',
        ("float32",), lambda x: np.where(x < 0.5, x, 0.25),
    )  # fmt: skip
    for written in ("T.int32(-3)", 'T.cast(-3, "int32")'):
        yield from elementwise(
            f"compare-{written.split('(')[0]}",
            f'T.tile.compare(bits, x_ub, {written}, "EQ")\none = T.alloc_ub((TILE,), "float32")\n'
            'T.tile.fill(one, 1.0)\nT.tile.select(z_ub, bits, one, 0.0, "VSEL_TENSOR_SCALAR_MODE")',
            ("int32",), lambda x: x == -3, result="float32",
        )  # fmt: skip


# ---- casts ----


def casts() -> Iterator[Conformance]:
    """Every pair of types with every mode."""
    size = 2 * TILE - 5
    for (source, target), modes in CASTS.items():
        for mode in modes:
            values = _cast_data(source, target, size)
            body = (
                f'x_ub = T.alloc_ub((TILE,), "{source}")\nz_ub = T.alloc_ub((TILE,), "{target}")\n'
                f'{_cleared(source)}T.copy(x[vid * TILE], x_ub)\nT.tile.cast(z_ub, x_ub, "{mode}", TILE)\n'
                "T.copy(z_ub, z[vid * TILE])\n"
            )
            parameters = f'x: T.Tensor(({size},), "{source}"), z: T.Tensor(({size},), "{target}")'
            yield Conformance(
                f"cast-{source}-{target}-{mode}", kernel(body, parameters, out="[1]", constants=_CONSTANTS),
                {"x": values}, ("z", (size,), target), _cast_expected(values, source, target, mode),
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
