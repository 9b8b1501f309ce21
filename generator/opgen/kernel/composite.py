"""Functions that the chip does not have, from those it has. Accuracy is that of float32, a few units in the last place
relative to 1 + abs(result), unless said otherwise."""

from __future__ import annotations

import math

from opgen.kernel.builder import Builder
from opgen.kernel.scalar import Scalar, const
from opgen.kernel.vector import Register

Number = Register | Scalar

# erf(x) = x * P(x^2) / Q(x^2) for abs(x) <= 4, within 5e-7. At 4 it is a little beyond 1, so that limiting it to 1 is
# exact from there on. Found by weighted least squares.
_ERF_LIMIT = 4.0
_ERF_P = (1.128381, 0.1286537, 0.0445342, 0.001108603, 0.0002231259, 2.492403e-06)
_ERF_Q = (1.0, 0.4473676, 0.08853342, 0.009648388, 0.0005148053, 3.946131e-05)

# From here on every float32 is a whole number.
_WHOLE = 8388608.0

# Factors of a power of a scalar that are written out at most.
_WRITTEN_OUT = 4

ROUNDING = {"round": "CAST_RINT", "floor": "CAST_FLOOR", "ceil": "CAST_CEIL"}


def limit(build: Builder, x: Number, low: Number, high: Number) -> Number:
    return build.extreme("min", build.extreme("max", x, low), high)


def square_root(build: Builder, x: Number) -> Number:
    if isinstance(x, Scalar) and x.constant is not None and x.constant >= 0:
        return const(math.sqrt(x.constant))
    return build.function("sqrt", x)


def exponential(build: Builder, x: Number) -> Number:
    if isinstance(x, Scalar) and x.constant is not None and x.constant < 700:
        return const(math.exp(x.constant))
    return build.function("exp", x)


def logarithm(build: Builder, x: Number) -> Number:
    if isinstance(x, Scalar) and x.constant is not None and x.constant > 0:
        return const(math.log(x.constant))
    return build.function("ln", x)


def reciprocal(build: Builder, x: Number) -> Number:
    """1 / x: the chip's own reciprocal has too few bits."""
    return build.divide(const(1.0), x)


def sigmoid(build: Builder, x: Number) -> Number:
    """1 / (1 + exp(-x)); exp may overflow to infinity, which gives 0."""
    with build.noting("sigmoid(v) = 1 / (1 + exp(-v))"):
        return reciprocal(build, build.add(exponential(build, build.negate(x)), const(1.0)))


def silu(build: Builder, x: Number) -> Number:
    with build.noting("silu(v) = v / (1 + exp(-v))"):
        return build.divide(x, build.add(exponential(build, build.negate(x)), const(1.0)))


def tanh(build: Builder, x: Number) -> Number:
    """1 - 2 / (exp(2x) + 1); exp may overflow to infinity, which gives 1."""
    with build.noting("tanh(v) = 1 - 2 / (exp(2 * v) + 1)"):
        grown = build.add(exponential(build, build.multiply(x, const(2.0))), const(1.0))
        return build.add(build.divide(const(-2.0), grown), const(1.0))


def times_one_plus_tanh(build: Builder, factor: Number, x: Number) -> Number:
    """factor * (1 + tanh(x)) = 2 * factor / (1 + exp(-2x)): shorter, and no digits cancel where tanh is near -1."""
    with build.noting("1 + tanh(v) = 2 / (1 + exp(-2 * v))"):
        grown = build.add(exponential(build, build.multiply(x, const(-2.0))), const(1.0))
        return build.divide(build.multiply(factor, const(2.0)), grown)


def erf(build: Builder, x: Number) -> Number:
    with build.noting("erf(v) = v * P(v * v) / Q(v * v), with v limited to 4"):
        x = _held(build, x)
        x = limit(build, x, const(-_ERF_LIMIT), const(_ERF_LIMIT))
        square = build.multiply(x, x)
        ratio = build.divide(build.multiply(x, _polynomial(build, square, _ERF_P)), _polynomial(build, square, _ERF_Q))
        return limit(build, ratio, const(-1.0), const(1.0))


def _held(build: Builder, x: Number) -> Number:
    """A value that is read many times: a scalar's expression would be written out as often."""
    return build.tile(x) if isinstance(x, Scalar) and x.kind == "float" and x.constant is None else x


def _polynomial(build: Builder, x: Number, coefficients: tuple[float, ...]) -> Number:
    """Horner's scheme, coefficients from the lowest power."""
    result: Number = const(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result = build.add(build.multiply(result, x), const(coefficient))
    return result


def gelu_erf(build: Builder, x: Number) -> Number:
    with build.noting("gelu(v) = 0.5 * v * (1 + erf(v / sqrt(2)))"):
        half = build.multiply(x, const(0.5))
        return build.multiply(half, build.add(erf(build, build.multiply(x, const(math.sqrt(0.5)))), const(1.0)))


def gelu_tanh(build: Builder, x: Number) -> Number:
    """0.5 * x * (1 + tanh(u)) = x / (1 + exp(-2u)), u = sqrt(2 / pi) * (x + 0.044715 * x^3)."""
    with build.noting("gelu(v) = v / (1 + exp(-2 * sqrt(2 / pi) * (v + 0.044715 * v * v * v)))"):
        scale = -2 * math.sqrt(2 / math.pi)
        square = build.multiply(x, x)
        inner = build.add(build.multiply(square, const(0.044715 * scale)), const(scale))
        return build.divide(x, build.add(exponential(build, build.multiply(inner, x)), const(1.0)))


def rounded(build: Builder, op: str, x: Number) -> Number:
    """To whole numbers. What is too large to have a fraction, infinity and NaN stay as they are."""
    if isinstance(x, Scalar) and x.constant is not None and abs(x.constant) < _WHOLE:
        whole = (
            round(x.constant) if op == "round" else math.floor(x.constant) if op == "floor" else math.ceil(x.constant)
        )
        return const(float(whole))
    tile = build.tile(build.to_float(x))
    with build.noting("what has no fraction any more, infinity and NaN stay as they are"):
        small = build.compare("lt", build.function("abs", tile), const(_WHOLE))
    return build.where(small, build.emit("cast", "float32", tile, mode=ROUNDING[op]), tile)  # type: ignore[return-value]


def leaky_relu(build: Builder, x: Number, slope: Number) -> Number:
    tile = build.tile(build.to_float(x))
    slope = build.to_float(slope)
    if isinstance(slope, Scalar):
        return build.emit("leaky_relu", "float32", tile, slope)
    below = build.multiply(build.extreme("min", tile, const(0.0)), slope)
    return build.add(build.emit("relu", "float32", tile), below)


def power(build: Builder, x: Number, y: Number) -> Number:
    """x ** y. Small whole exponents are products, halves are square roots."""
    exponent = y.constant if isinstance(y, Scalar) else None
    if exponent is not None:
        if float(exponent).is_integer() and abs(exponent) <= 64:
            product = _repeated(build, _held(build, x) if abs(exponent) > _WRITTEN_OUT else x, abs(int(exponent)))
            return product if exponent >= 0 else reciprocal(build, product)
        if exponent == 0.5:
            return square_root(build, x)
        if exponent == -0.5:
            return reciprocal(build, square_root(build, x))
    return build.emit("pow", "float32", build.tile(build.to_float(x)), build.tile(build.to_float(y)))


def _repeated(build: Builder, x: Number, times: int) -> Number:
    """The product of `times` factors x, by squaring."""
    result: Number | None = None
    while times:
        if times & 1:
            result = x if result is None else build.multiply(result, x)
        times >>= 1
        if times:
            x = build.multiply(x, x)
    if result is None:
        return const(1) if not isinstance(x, Register) or x.dtype == "int32" else const(1.0)
    return result
