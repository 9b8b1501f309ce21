"""Infinities, NaN and numbers at the limits: every pair of them through what arithmetic there is.

A2 and A3 compute in Inf/NaN mode, so results are those of IEEE 754; the public documentation of the vector unit says no
more. NaN of either operand is the maximum and the minimum, as it is for whoever asks for them by a formula. Casts to
integers saturate and take NaN for 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from dialect_conformance import FLOATS, HALVES, Conformance, rounded_half, tolerance_of
from dialect_support import kernel
from opgen.facts.operations import CASTS

_TILE = 256


def specials() -> Iterator[Conformance]:
    yield from _element_by_element()
    yield from _casts()
    yield from _reductions()


def _numbers(dtype: str) -> Any:
    return np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, -2.5, float(np.finfo(dtype).max)], dtype)


_UNARY: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "exp": ("T.tile.exp(c, a)", np.exp),
    "ln": ("T.tile.ln(c, a)", np.log),
    "sqrt": ("T.tile.sqrt(c, a)", np.sqrt),
    "rsqrt": ("T.tile.rsqrt(c, a)", lambda x: 1 / np.sqrt(x)),
    "reciprocal": ("T.tile.reciprocal(c, a)", lambda x: 1 / x),
    "abs": ("T.tile.abs(c, a)", np.abs),
    "relu": ("T.tile.relu(c, a)", lambda x: np.where(x < 0, 0, x)),
    "leaky_relu": ("T.tile.leaky_relu(c, a, 0.25)", lambda x: np.where(x < 0, x / 4, x)),
    "sigmoid": ("T.tile.sigmoid(c, a)", lambda x: 1 / (1 + np.exp(-x))),
    "silu": ("T.tile.silu(c, a)", lambda x: x / (1 + np.exp(-x))),
    "round": (f"T.tile.round(c, a, {_TILE})", np.rint),
    "max-scalar": ("T.tile.max(c, a, 1.5)", lambda x: np.maximum(x, 1.5)),
    "min-scalar": ("T.tile.min(c, a, 1.5)", lambda x: np.minimum(x, 1.5)),
    "clamp_max": (f"T.tile.clamp_max(c, a, 1.0, {_TILE})", lambda x: np.minimum(x, 1)),
    "clamp_min": (f"T.tile.clamp_min(c, a, -1.0, {_TILE})", lambda x: np.maximum(x, -1)),
}
_BINARY: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    **{
        name: (f"T.tile.{name}(c, a, b)", function)
        for name, function in (
            ("add", np.add),
            ("sub", np.subtract),
            ("mul", np.multiply),
            ("div", np.divide),
            ("max", np.maximum),
            ("min", np.minimum),
        )
    },
    "mul_add_dst": ("T.tile.fill(c, 1.0)\nT.tile.mul_add_dst(c, a, b)", lambda x, y: x * y + 1),
    **{
        f"compare-{mode}": (
            f'T.tile.compare(bits, a, b, "{mode}")\nT.tile.select(c, bits, a, 7.0, "VSEL_TENSOR_SCALAR_MODE")',
            lambda x, y, holds=holds: np.where(holds(x, y), x, 7),
        )
        for mode, holds in (
            ("LT", np.less),
            ("LE", np.less_equal),
            ("GT", np.greater),
            ("GE", np.greater_equal),
            ("EQ", np.equal),
            ("NE", np.not_equal),
        )
    },
}


def _element_by_element() -> Iterator[Conformance]:
    for dtype in FLOATS:
        numbers = _numbers(dtype)
        for name, (statement, unary) in _UNARY.items():
            with np.errstate(all="ignore"):
                wide = unary(numbers.astype(np.float64))
            yield _case(f"{name}-{dtype}", statement, {"x": numbers}, dtype, wide)
        pairs = {"x": np.repeat(numbers, len(numbers)), "y": np.tile(numbers, len(numbers))}
        for name, (statement, binary) in _BINARY.items():
            with np.errstate(all="ignore"):
                wide = binary(*(values.astype(np.float64) for values in pairs.values()))
            yield _case(f"{name}-{dtype}", statement, pairs, dtype, wide)


def _case(name: str, statement: str, inputs: dict[str, Any], out: str, wide: Any) -> Conformance:
    """One tile, most of which lies behind the end. wide: the result before it is rounded to the output's type."""
    size, dtype = len(wide), str(inputs["x"].dtype)
    buffers = "".join(f'{n} = T.alloc_ub(({_TILE},), "{dtype}")\n' for n in ("a", "b")[: len(inputs)])
    bits = f'bits = T.alloc_ub(({_TILE // 8},), "uint8")\n' if "bits" in statement else ""
    loads = "".join(f"T.copy({n}[0], {buffer})\n" for n, buffer in zip(inputs, ("a", "b"), strict=False))
    body = f'{buffers}{bits}c = T.alloc_ub(({_TILE},), "{out}")\n{loads}{statement}\nT.copy(c, z[0])\n'
    parameters = "".join(f'{n}: T.Tensor(({size},), "{dtype}"), ' for n in inputs)
    text = kernel(body, f'{parameters}z: T.Tensor(({size},), "{out}")', out=f"[{len(inputs)}]")
    with np.errstate(all="ignore"):
        expected = np.asarray(wide).astype(out)
    return Conformance(f"special-{name}", text, inputs, ("z", (size,), out), expected, tolerance_of(out, 2))


# ---- casts ----

_BEYOND = (np.nan, np.inf, -np.inf, 0.0, 126.5, 127.5, -128.5, 255.5, -0.5, 300.0, -300.0, 32767.5, -40000.0)
_FAR = (65519.0, 65520.0, 70000.0, -70000.0, 2.0**31, -3.0e9, 2.0**63, -1.0e19, 3.4e38, 1.0e-8, -1.0e-8)


def _casts() -> Iterator[Conformance]:
    """From floats, whatever the other type makes of them: a row of the output for each mode."""
    for (source, target), modes in CASTS.items():
        if source not in FLOATS or target == "float32":
            continue
        values = np.array(_BEYOND if source == "float16" else _BEYOND + _FAR, source)
        size, wide = len(values), values.astype(np.float64)
        expected = [_half(wide, target, mode) if target in HALVES else _whole(wide, target, mode) for mode in modes]
        body = f'a = T.alloc_ub(({_TILE},), "{source}")\nc = T.alloc_ub(({_TILE},), "{target}")\nT.copy(x[0], a)\n'
        for row, mode in enumerate(modes):
            body += f'T.tile.cast(c, a, "{mode}", {_TILE})\nT.copy(c, z[{row}, 0])\n'
        parameters = f'x: T.Tensor(({size},), "{source}"), z: T.Tensor(({len(modes)}, {size}), "{target}")'
        yield Conformance(
            f"special-cast-{source}-{target}", kernel(body, parameters, out="[1]"), {"x": values},
            ("z", (len(modes), size), target), expected,
        )  # fmt: skip


def _half(wide: Any, target: str, mode: str) -> Any:
    """Half a unit beyond the largest number begins infinity, for modes that round to the nearest; any that rounds
    toward zero keeps finite numbers finite."""
    numbers = HALVES[target]
    largest = numbers[-1]
    edge = largest + (largest - numbers[-2]) / 2
    outward = {
        "CAST_FLOOR": wide < -largest,
        "CAST_CEIL": wide > largest,
        "CAST_TRUNC": np.isinf(wide),
        "CAST_ODD": np.isinf(wide),
    }.get(mode, np.abs(wide) >= edge)
    finite = np.clip(np.nan_to_num(wide), -largest, largest)
    result = np.where(outward | np.isinf(wide), np.copysign(np.inf, wide), rounded_half(finite, target, mode))
    return np.where(np.isnan(wide), np.nan, result)


def _whole(wide: Any, target: str, mode: str) -> Any:
    round_one = {
        "CAST_FLOOR": np.floor,
        "CAST_CEIL": np.ceil,
        "CAST_TRUNC": np.trunc,
        "CAST_ROUND": lambda x: np.trunc(x + np.copysign(0.5, x)),
    }.get(mode, np.rint)
    limits = np.iinfo(target)
    whole = round_one(np.nan_to_num(wide, nan=0, posinf=1e300, neginf=-1e300))
    return [max(limits.min, min(limits.max, int(value))) for value in whole]


# ---- reductions ----


def _reductions() -> Iterator[Conformance]:
    """Rows with NaN first, last and in the middle, with infinities, and with both."""
    for dtype in FLOATS:
        x = np.random.default_rng(21).uniform(-3, 3, (8, 64)).astype(dtype)
        x[0, 0] = x[1, 63] = x[2, 31] = x[3, 0] = np.nan
        x[3, 1], x[4, 5], x[5, 9], x[6, 40], x[6, 41] = np.inf, np.inf, -np.inf, np.inf, -np.inf
        x[7] = -np.inf
        for kind, function in (("max", np.max), ("min", np.min), ("sum", np.sum)):
            if (kind, dtype) == ("sum", "float16"):
                continue
            for along, dim, count in (("rows", -1, 8), ("columns", 0, 64)):
                body = (
                    f'v = T.alloc_ub((8, 64), "{dtype}")\nr = T.alloc_ub(({count},), "{dtype}")\n'
                    f"T.copy(x, v)\nT.reduce_{kind}(v, r, dim={dim})\nT.copy(r, z)\n"
                )
                parameters = f'x: T.Tensor((8, 64), "{dtype}"), z: T.Tensor(({count},), "{dtype}")'
                with np.errstate(all="ignore"):
                    expected = function(x.astype(np.float64), axis=dim)
                yield Conformance(
                    f"special-reduce_{kind}-{dtype}-{along}", kernel(body, parameters, out="[1]"), {"x": x},
                    ("z", (count,), dtype), expected, tolerance_of(dtype, 10),
                )  # fmt: skip
