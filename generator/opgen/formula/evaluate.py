"""A formula with NumPy: floats in float64, ints in int64. Golden values come from here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opgen.facts.dtypes import DTYPES, Kind
from opgen.formula.ir import Node, TypedFormula
from opgen.formula.sizes import Size
from opgen.formula.sizes import evaluate as size_value

Array = NDArray[Any]

_WIDE = {"float": np.float64, "int": np.int64, "bool": np.bool_}
_GELU = math.sqrt(2.0 / math.pi)
_erf = np.frompyfunc(math.erf, 1, 1)


def evaluate(
    typed: TypedFormula, inputs: Mapping[str, Array], attrs: Mapping[str, object], dims: Mapping[str, object]
) -> dict[str, Array]:
    """The outputs, not yet rounded to their types, as float64, int64 or bool.

    inputs: elements already rounded to their types (bfloat16 as float32 or float64); absent ones are left out.
    attrs: at least the dynamic and open ones. dims: the sizes of symbols; what is not an int (`...`) is not looked at.
    An output that leaves out the axis of a reduction still has it here, with size 1. Division by zero and the like
    give infinities and NaN, as on the device.
    """
    sizes = {
        name: int(value) for name, value in [*dims.items(), *attrs.items()] if isinstance(value, (int, np.integer))
    }
    evaluator = _Evaluator(inputs, attrs, sizes)
    outputs: dict[str, Array] = {}
    with np.errstate(all="ignore"):
        for assignment in typed.assignments:
            value = evaluator.value(assignment.value)
            evaluator.locals[assignment.name] = value
            if assignment.output:
                outputs[assignment.name] = np.asarray(value)
    return outputs


def numpy_dtype(dtype: str) -> np.dtype[Any]:
    """The type of arrays that hold elements of a type. bfloat16 is held as float32."""
    return np.dtype("float32" if dtype == "bfloat16" else dtype)


def round_to(array: Array, dtype: str) -> Array:
    """The array in an element type, floats rounded half to even. Ints that do not fit wrap around."""
    with np.errstate(all="ignore"):
        if dtype == "bfloat16":
            return _bfloat16(np.asarray(array, np.float64)).astype(np.float32)
        return np.asarray(array).astype(numpy_dtype(dtype))


def _bfloat16(array: Array) -> Array:
    """Rounded to 8 significant bits, directly from float64; below 2**-126 to multiples of 2**-133."""
    bits = np.ascontiguousarray(array).reshape(array.shape).view(np.int64)
    odd = (bits >> 45) & 1
    rounded = (((bits + ((1 << 44) - 1) + odd) >> 45) << 45).view(np.float64)
    small = np.rint(array * 2.0**133) * 2.0**-133
    result = np.where(np.abs(array) < 2.0**-126, small, rounded)
    result = np.where(np.abs(result) >= 2.0**128, np.copysign(np.inf, array), result)
    return np.where(np.isnan(array), np.nan, result)


class _Evaluator:
    def __init__(self, inputs: Mapping[str, Array], attrs: Mapping[str, object], sizes: Mapping[str, int]) -> None:
        self.inputs = inputs
        self.attrs = attrs
        self.sizes = sizes
        self.locals: dict[str, Array] = {}

    def value(self, node: Node) -> Array:
        match node.op:
            case "const":
                return _wide(node.value, node.kind)
            case "attr":
                return _wide(self.attrs[str(node.value)], node.kind)
            case "dim":
                return _wide(self.sizes[str(node.value)], node.kind)
            case "load":
                return _wide(self.inputs[str(node.value)], node.kind)
            case "local":
                return self.locals[str(node.value)]
            case "arange":
                assert isinstance(node.value, Size)
                return np.arange(size_value(node.value, self.sizes), dtype=np.int64)
        args = [self.value(arg) for arg in node.args]
        if node.op in _OPERATIONS:
            return _wide(_OPERATIONS[node.op](*args), node.kind)
        return _wide(self._shaped(node, args), node.kind)

    def _shaped(self, node: Node, args: list[Array]) -> Array:
        """Operations that need more than their operands."""
        first = args[0]
        match node.op:
            case "gelu":
                return (
                    _gelu_tanh(first) if node.value == "tanh" else first * 0.5 * (1.0 + _error(first / math.sqrt(2.0)))
                )
            case "cast":
                return _cast(first, str(node.value))
            case "concat":
                return np.concatenate(args, axis=-1)
            case "slice":
                return first[..., slice(*self._piece(node, first.shape[-1]))]
            case "expand":
                assert isinstance(node.value, tuple)
                return np.expand_dims(first, tuple(int(axis) for axis in node.value if isinstance(axis, int)))
            case "matmul":
                assert isinstance(node.value, tuple)
                left, right = (
                    np.swapaxes(array, -1, -2) if transpose else array
                    for array, transpose in zip(args, node.value, strict=True)
                )
                return np.asarray(np.matmul(left, right))
            case _:
                raise AssertionError(node.op)

    def _piece(self, node: Node, axis: int) -> tuple[int, int]:
        assert isinstance(node.value, tuple)
        start, stop = node.value
        low = size_value(start, self.sizes) if isinstance(start, Size) else 0
        high = size_value(stop, self.sizes) if isinstance(stop, Size) else axis
        if not 0 <= low < high <= axis:
            raise ValueError(f"the piece {low}:{high} does not lie inside an axis of {axis}")
        return low, high


def _wide(value: object, kind: Kind) -> Array:
    return np.asarray(value, dtype=_WIDE[kind])


def _error(array: Array) -> Array:
    return np.asarray(_erf(array), dtype=np.float64)


def _gelu_tanh(x: Array) -> Array:
    return np.asarray(0.5 * x * (1.0 + np.tanh(_GELU * (x + 0.044715 * x * x * x))))


def _cast(array: Array, dtype: str) -> Array:
    kind = DTYPES[dtype].kind
    if kind == "bool":
        return np.asarray(array != 0)
    if kind == "int":
        return np.trunc(array).astype(np.int64) if array.dtype.kind == "f" else array.astype(np.int64)
    return round_to(array, dtype) if dtype != "float32" else array.astype(np.float64)


def _reduction(function: Callable[..., Any]) -> Callable[[Array], Array]:
    return lambda array: np.asarray(function(array, axis=-1, keepdims=True))


def _whole(function: Callable[[Array], Any]) -> Callable[[Array], Array]:
    """Rounding leaves ints as they are."""
    return lambda array: np.asarray(function(array)) if array.dtype.kind == "f" else array


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.mod,
    "pow": np.power,
    "neg": np.negative,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "reciprocal": lambda x: 1.0 / np.asarray(x, np.float64),
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "erf": _error,
    "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "silu": lambda x: x / (1.0 + np.exp(-x)),
    "abs": np.abs,
    "relu": lambda x: np.maximum(x, 0),
    "leaky_relu": lambda x, slope: np.where(x > 0, x, slope * x),
    "round": _whole(np.rint),
    "floor": _whole(np.floor),
    "ceil": _whole(np.ceil),
    "maximum": np.maximum,
    "minimum": np.minimum,
    "clip": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "where": np.where,
    "sum": _reduction(np.sum),
    "mean": _reduction(np.mean),
    "max": _reduction(np.max),
    "min": _reduction(np.min),
    "argmax": _reduction(np.argmax),
    "argmin": _reduction(np.argmin),
}
