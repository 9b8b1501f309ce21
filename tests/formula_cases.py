"""Signatures in one line, for the tests of the formula language."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from opgen.facts.dtypes import DTYPES
from opgen.formula.infer import resolve
from opgen.formula.ir import TypedFormula
from opgen.formula.problems import Problem
from opgen.formula.signature import Attr, Dim, Shape, Signature, Tensor, Variant
from opgen.formula.sizes import evaluate, names, parse_size
from opgen.formula.syntax import parse

_TENSOR = re.compile(r"(\w+): (\w+)\[(.*)\](?: = (.*))?")


def signature(inputs: str, outputs: str, *attrs: Attr) -> Signature:
    """`x: T[..., C]; gamma: T[C] = 1.0` and `y: T[..., C]`. An output `!x` is the input x, in place."""
    ins = tuple(_tensor(text, "input") for text in inputs.split("; "))
    by_name = {tensor.name: tensor for tensor in ins}
    outs = []
    for text in outputs.split("; "):
        if text.startswith("!"):
            old = by_name[text[1:]]
            outs.append(Tensor(old.name, old.dtype, old.shape, "output", inplace=True))
        else:
            outs.append(_tensor(text, "output"))
    axes = [axis for tensor in (*ins, *outs) for axis in tensor.shape]
    symbols = dict.fromkeys(name for axis in axes for name in names(axis) if name[0].isupper())
    dims = [Dim(name, 4) for name in symbols]
    if any(axis.op == "rest" for axis in axes):
        dims.insert(0, Dim("...", (2, 3)))
    return Signature(tuple(dims), ins, tuple(outs), attrs)


def _tensor(text: str, role: Any) -> Tensor:
    match = _TENSOR.fullmatch(text)
    assert match, text
    name, dtype, axes, default = match.groups()
    value = default if default is None else default == "True" if default in ("True", "False") else float(default)
    return Tensor(name, dtype, tuple(parse_size(axis) for axis in axes.split(", ") if axis), role, value)


def typed(source: str, sig: Signature, **choices: object) -> TypedFormula:
    """The formula for one variant; see `variant`."""
    result, problems = resolve(parse(source), sig, variant(sig, **choices))
    assert result is not None, problems
    return result


def problems(source: str, sig: Signature, **choices: object) -> tuple[Problem, ...]:
    return resolve(parse(source), sig, variant(sig, **choices))[1]


def variant(sig: Signature, absent: tuple[str, ...] = (), **choices: object) -> Variant:
    """`T="float16", transpose_b=True`. Symbols that are not named are float32."""
    symbols = dict.fromkeys(t.dtype for t in (*sig.inputs, *sig.outputs) if t.dtype not in DTYPES)
    attrs = {attr.name for attr in sig.attrs if attr.type != "dtype"}
    types = dict.fromkeys(symbols, "float32") | {n: str(v) for n, v in choices.items() if n not in attrs}
    values: Any = tuple((name, value) for name, value in choices.items() if name in attrs)
    return Variant(tuple(types.items()), values, absent)


def variants(sig: Signature, *types: str) -> Iterator[Variant]:
    """Every static choice and absence, for each type of T."""
    closed = [attr for attr in sig.attrs if attr.closed and not attr.dynamic]
    optional = [tensor.name for tensor in sig.inputs if tensor.optional]
    for dtype in types:
        for values in itertools.product(*(attr.values or (False, True) for attr in closed)):
            for count in range(len(optional) + 1):
                for absent in itertools.combinations(optional, count):
                    chosen: Any = tuple((attr.name, value) for attr, value in zip(closed, values, strict=True))
                    yield Variant((("T", dtype),), chosen, absent)


def shape(axes: Shape, sizes: dict[str, int], rest: tuple[int, ...]) -> tuple[int, ...]:
    result: list[int] = []
    for axis in axes:
        result.extend(rest if axis.op == "rest" else (evaluate(axis, sizes),))
    return tuple(result)


def arrays(
    sig: Signature, chosen: Variant, sizes: dict[str, int], rest: tuple[int, ...], low: float = -2.0, high: float = 2.0
) -> dict[str, np.ndarray]:
    """Elements for every input that is there; floats are multiples of 1/64, which every type holds."""
    random = np.random.default_rng(7)
    result = {}
    for tensor in sig.inputs:
        if tensor.name in chosen.absent:
            continue
        dims = shape(tensor.shape, sizes, rest)
        kind = DTYPES[chosen.dtype(tensor.dtype)].kind
        if kind == "float":
            result[tensor.name] = np.round(random.uniform(low, high, dims) * 64) / 64
        elif kind == "int":
            result[tensor.name] = random.integers(math.ceil(low), math.floor(high) + 5, dims)
        else:
            result[tensor.name] = random.random(dims) < 0.5
    return result


ALPHA = Attr("alpha", "float", 1.0, dynamic=True)
EPS = Attr("eps", "float", 1e-6, dynamic=True)
FLAG = Attr("transpose_b", "bool", False)
MODE = Attr("approximate", "string", "none", ("none", "tanh"))
REDUCTION = Attr("reduction", "string", "sum", ("sum", "mean"))
ROWS = signature("x: T[..., C]", "y: T[..., C]", EPS)
ELEMENTWISE = signature(
    "x: T[N]; y: T[N]; i: int32[N]; j: int32[N]; b: bool[N]; c: bool[N]",
    "z: T[N]",
    *(Attr(name, "float", 1.0, dynamic=True) for name in ("alpha", "low", "high")),
    Attr("k", "int", 1),
    Attr("n", "int", 1),
)
ATTENTION = """score = matmul(query, key, transpose_b=True) * scale
e = exp(score - max(score, axis=-1))
out = matmul(e / sum(e, axis=-1), value)"""
ADAM = """m = beta1 * m + (1 - beta1) * grad
v = beta2 * v + (1 - beta2) * grad * grad
m_hat = m / (1 - beta1_power)
v_hat = v / (1 - beta2_power)
var = var - lr * m_hat / (sqrt(v_hat) + eps)"""
HYPER = tuple(Attr(name, "float", 0.9, dynamic=True) for name in ("lr", "beta1", "beta2", "eps"))
OPERATORS = {
    "softmax": ("m = max(x, axis=-1)\ne = exp(x - m)\ny = e / sum(e, axis=-1)", ROWS),
    "layer_norm": (
        "mean = mean(x, axis=-1)\nd = x - mean\nrstd = rsqrt(mean(d * d, axis=-1) + eps)\ny = d * rstd * gamma + beta",
        signature(
            "x: T[..., C]; gamma: T[C] = 1.0; beta: T[C] = 0.0",
            "y: T[..., C]; mean: float32[..., 1]; rstd: float32[..., 1]",
            EPS,
        ),
    ),
    "rotary_embedding": (
        "re = cos[:, None, :]\nim = sin[:, None, :]\nx1 = x[..., :D]\nx2 = x[..., D:]\n"
        "y = concat([x1 * re - x2 * im, x2 * re + x1 * im], axis=-1)",
        signature("x: T[S, H, 2 * D]; cos: T[S, D]; sin: T[S, D]", "y: T[S, H, 2 * D]"),
    ),
    "matmul": (
        "c = matmul(a, b, transpose_b=transpose_b)",
        signature("a: T[M, K]; b: T[N if transpose_b else K, K if transpose_b else N]", "c: T[M, N]", FLAG),
    ),
    "attention": (
        ATTENTION,
        signature(
            "query: T[B, H, S, D]; key: T[B, H, S, D]; value: T[B, H, S, D]",
            "out: T[B, H, S, D]",
            Attr("scale", "float"),
        ),
    ),
    "apply_adam": (
        ADAM,
        signature(
            "var: T[N]; m: T[N]; v: T[N]; beta1_power: T[1]; beta2_power: T[1]; grad: T[N]", "!var; !m; !v", *HYPER
        ),
    ),
    "gelu": ("y = gelu(x, approximate=approximate)", signature("x: T[...]", "y: T[...]", MODE)),
    "masked_softmax": (
        "z = where(arange(C) < length, x, -inf)\ne = exp(z - max(z, axis=-1))\ny = e / sum(e, axis=-1)",
        signature("x: T[..., C]; length: int32[..., 1]", "y: T[..., C]"),
    ),
    "dynamic_quant": (
        "s = maximum(max(abs(x), axis=-1), 1e-6) / 127\ny = cast(round(x / s), int8)\nscale = s",
        signature("x: T[..., C]", "y: int8[..., C]; scale: float32[...]"),
    ),
    "linear_gelu": (
        'y = gelu(matmul(x, weight, transpose_b=True) + bias, approximate="tanh")',
        signature("x: T[..., K]; weight: T[N, K]; bias: float32[N] = 0", "y: T[..., N]"),
    ),
    "quantize": (
        "y = cast(clip(round(x / scale) + zero_point, -128, 127), int8)",
        signature("x: T[..., C]; scale: float32[C]; zero_point: int32[C] = 0", "y: int8[..., C]"),
    ),
    "row_sum_pro": (
        'y = mean(x, axis=-1) if reduction == "mean" else sum(x, axis=-1)',
        signature("x: T[R, C]", "y: T[R]", REDUCTION),
    ),
}
OPERATORS |= {
    "axpy": ("z = x + alpha * y", signature("x: T[...]; y: T[...]", "z: T[...]", ALPHA)),
    "batch_matmul": (
        "y = matmul(a, b, transpose_a=True)",
        signature("a: T[B, 1, K, M]; b: T[H, K, N]", "y: T[B, H, M, N]"),
    ),
    "argmax": (
        "value = max(x, axis=-1)\nindex = argmax(x, axis=-1)\nlowest = argmin(-x, axis=-1)",
        signature("x: T[..., C]", "value: T[...]; index: int32[...]; lowest: int64[..., 1]"),
    ),
    "counts": (
        "n = sum(x > 0, axis=-1)\nlast = max(where(x > 0, arange(C), -1), axis=-1)\nall_positive = min(x > 0, axis=-1)",
        signature("x: T[R, C]", "n: int32[R]; last: int32[R]; all_positive: bool[R, 1]"),
    ),
    "outer": (
        "y = x[:, None] * r[None, :] + sum(x * x[..., :], axis=-1)",
        signature("x: T[M]; r: T[N]", "y: T[M, N]"),
    ),
    "first_column": (
        "y = maximum(x, x[..., 1:2]) * (x[..., C - 1:] + arange(1))",
        signature("x: T[R, C]", "y: T[R, C]"),
    ),
    "int_matmul": ("y = a @ b + 1", signature("a: int8[M, K]; b: int8[K, N]", "y: int32[M, N]")),
    "pieces": (
        "h = exp(x[..., 1:C + 1]) + silu(x[..., C - 1:2 * C - 1] * 2)\n"
        "y = concat([h, sum(h, axis=-1), x[..., :2]], axis=-1)",
        signature("x: T[..., 2 * C]", "y: T[..., C + 3]"),
    ),
    "scalars": (
        "s = N % 3 + k // 2 + k % 3\ny = x * (N / 2) + s\nz = -alpha",
        signature("x: T[N]", "y: T[N]; z: T[]", ALPHA, Attr("k", "int", 1)),
    ),
    "sum_of_reductions": (
        "y = leaky_relu(mean(x - max(x, axis=-1), axis=-1) + 1, 0.1) * x",
        signature("x: T[R, C]", "y: T[R, C]"),
    ),
}
