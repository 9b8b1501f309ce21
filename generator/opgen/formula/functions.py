"""The functions of a formula: their arguments, and what people write instead of their names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    """params: must be given, in order. options: may be left out."""

    name: str
    params: tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """How it is called, for messages."""
        return _USAGE.get(self.name, f"{self.name}({', '.join(self.params)})")


_USAGE = {
    "gelu": 'gelu(x, approximate="none")',
    "cast": "cast(x, float32)",
    "concat": "concat([a, b], axis=-1)",
    "matmul": "matmul(a, b, transpose_a=False, transpose_b=False)",
}

FLOAT_UNARY = ("exp", "log", "sqrt", "rsqrt", "reciprocal", "sin", "cos", "tanh", "erf", "sigmoid", "silu")
KIND_UNARY = ("abs", "relu", "round", "floor", "ceil")
REDUCTIONS = ("sum", "mean", "max", "min", "argmax", "argmin")

_USAGE.update({name: f"{name}(x, axis=-1)" for name in REDUCTIONS})

FUNCTIONS: dict[str, Function] = {
    function.name: function
    for function in (
        *(Function(name, ("x",)) for name in FLOAT_UNARY + KIND_UNARY),
        *(Function(name, ("x", "axis")) for name in REDUCTIONS),
        Function("gelu", ("x",), ("approximate",)),
        Function("leaky_relu", ("x", "slope")),
        Function("maximum", ("a", "b")),
        Function("minimum", ("a", "b")),
        Function("clip", ("x", "lo", "hi")),
        Function("where", ("c", "a", "b")),
        Function("cast", ("x", "dtype")),
        Function("arange", ("n",)),
        Function("concat", ("arrays", "axis")),
        Function("matmul", ("a", "b"), ("transpose_a", "transpose_b")),
    )
}

# What other libraries call them.
OTHER_NAMES = {
    "clamp": "clip",
    "concatenate": "concat",
    "cat": "concat",
    "amax": "max",
    "amin": "min",
    "fmax": "maximum",
    "fmin": "minimum",
    "absolute": "abs",
    "fabs": "abs",
    "astype": "cast",
    "to": "cast",
    "select": "where",
    "dot": "matmul",
    "mm": "matmul",
    "bmm": "matmul",
    "swish": "silu",
    "rint": "round",
    "average": "mean",
    "leakyrelu": "leaky_relu",
    "recip": "reciprocal",
    "logistic": "sigmoid",
    "linspace": "arange",
}

# Functions that the language spells with an operator or in steps.
INSTEAD = {
    "pow": "write `a ** b`",
    "power": "write `a ** b`",
    "square": "write `x * x`",
    "sqr": "write `x * x`",
    "add": "write `a + b`",
    "sub": "write `a - b`",
    "subtract": "write `a - b`",
    "mul": "write `a * b`",
    "multiply": "write `a * b`",
    "div": "write `a / b`",
    "divide": "write `a / b`",
    "neg": "write `-x`",
    "negative": "write `-x`",
    "logical_and": "write `a & b`",
    "logical_or": "write `a | b`",
    "logical_not": "write `~a`",
    "softmax": "write `e = exp(x - max(x, axis=-1))` and `y = e / sum(e, axis=-1)`",
    "var": "write `mean(d * d, axis=-1)` with `d = x - mean(x, axis=-1)`",
    "std": "write `sqrt(mean(d * d, axis=-1))` with `d = x - mean(x, axis=-1)`",
    "log1p": "write `log(1 + x)`",
    "expm1": "write `exp(x) - 1`",
    "log2": "write `log(x) / log(2)`",
    "log10": "write `log(x) / log(10)`",
    "exp2": "write `exp(x * log(2))`",
    "tan": "write `sin(x) / cos(x)`",
    "sign": "write `where(x > 0, 1.0, where(x < 0, -1.0, 0.0))`",
    "prod": "write the kernel by hand: `kernel:`",
    "cumsum": "write the kernel by hand: `kernel:`",
    "transpose": "write the kernel by hand: `kernel:`",
    "sort": "write the kernel by hand: `kernel:`",
    "topk": "write the kernel by hand: `kernel:`",
    "gather": "write the kernel by hand: `kernel:`",
    "scatter": "write the kernel by hand: `kernel:`",
}
