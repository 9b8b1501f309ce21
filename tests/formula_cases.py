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
