"""Inputs of a kernel's run and what its outputs should be."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from opgen.facts.dtypes import DTYPES
from opgen.formula.evaluate import Array, evaluate, numpy_dtype, round_to
from opgen.formula.signature import Tensor
from opgen.formula.sizes import Size
from opgen.formula.sizes import evaluate as size_value
from opgen.spec.model import Operator
from opgen.spec.variants import typed
from opgen.verify.points import Point, environment, shape_of


def make_inputs(operator: Operator, point: Point) -> dict[str, Array]:
    """Random inputs within the limits of op.yaml, the limits themselves among them, rounded to their types.

    Absent inputs are left out; the tensors of a list are called `xs[0]`, `xs[1]`. The same run has the same inputs
    every time. bfloat16 is held as float32.
    """
    generator = np.random.default_rng(zlib.crc32(point.title.encode()))
    env = environment(point.dims, point.attrs)
    inputs = {}
    for tensor in operator.inputs:
        if tensor.name not in point.variant.absent:
            shape = shape_of(tensor.shape, point.dims, env)
            for name in members(tensor, point):
                inputs[name] = _values(generator, tensor, point.variant.dtype(tensor.dtype), shape, env)
    return inputs


def members(tensor: Tensor, point: Point) -> list[str]:
    """The names of the tensors that it stands for: one, or those of a list."""
    if tensor.count is None:
        return [tensor.name]
    return [f"{tensor.name}[{i}]" for i in range(size_value(tensor.count, environment(point.dims, point.attrs)))]


def make_expected(operator: Operator, point: Point, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """The outputs as the formula has them, in float64, int64 or bool. The operator has a formula."""
    formula = typed(operator, point.variant)
    env = environment(point.dims, {})
    outputs = evaluate(formula, inputs, point.attrs, point.dims)
    shapes = {t.name: shape_of(t.shape, point.dims, env) for t in operator.outputs}
    return {name: _stored(value, shapes[name]) for name, value in outputs.items()}


def _stored(value: Array, shape: tuple[int, ...]) -> Array:
    """A value in the shape of its output, which may have dropped the axis that a reduction left."""
    return np.broadcast_to(value[..., 0] if value.ndim > len(shape) else value, shape)


def share_of_tolerance(actual: Array, expected: Array, tolerance: float) -> Array:
    """For each element its error as a share of what is allowed, above 1 where it is wrong.

    Allowed is tolerance * (1 + abs(expected)), as in the programs: an infinity agrees with the same infinity only, and
    where NaN is expected, every NaN is right and nothing else is.
    """
    with np.errstate(all="ignore"):
        if actual.dtype.kind in "iub" and expected.dtype.kind in "iub":
            error = np.where(actual == expected, 0.0, np.maximum(1.0, abs(_wide(actual) - _wide(expected))))
        else:
            a, e = _wide(actual), _wide(expected)
            error = np.where((a == e) | (np.isnan(a) & np.isnan(e)), 0.0, abs(a - e))
        limit = tolerance * (1.0 + abs(_wide(expected)))
        share = np.where(error == 0.0, 0.0, np.where(np.isfinite(error) & np.isfinite(limit), error / limit, np.inf))
    return np.where(np.isnan(share), np.inf, share)


def tolerance_of(operator: Operator, point: Point, output: str) -> float:
    (tensor,) = (t for t in operator.outputs if t.name == output.partition("[")[0])
    return dict(operator.tolerance).get(point.variant.dtype(tensor.dtype), 0.0)


def _values(
    generator: np.random.Generator, tensor: Tensor, dtype: str, shape: tuple[int, ...], env: Mapping[str, int]
) -> Array:
    kind = DTYPES[dtype]
    if kind.kind == "bool":
        return generator.integers(0, 2, shape).astype(np.bool_)
    low, high = (min(max(_limit(v, env), kind.low), kind.high) for v in (tensor.low, tensor.high))
    if kind.kind == "float":
        values = round_to(low + (high - low) * generator.random(shape), dtype)
    else:
        values = generator.integers(int(low), int(high), shape, dtype=numpy_dtype(dtype).type, endpoint=True)
    flat: Any = values.reshape(-1)
    if flat.size > 2:
        flat[0], flat[-1] = round_to(np.asarray(low), dtype), round_to(np.asarray(high), dtype)
    return values


def _limit(value: int | float | Size | None, env: Mapping[str, int]) -> int | float:
    assert value is not None  # inputs always have limits
    return size_value(value, env) if isinstance(value, Size) else value


def _wide(array: Array) -> Array:
    return np.asarray(array, np.float64)
