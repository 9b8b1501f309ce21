"""Golden values: against formulas written by hand, and against Python's own reading of the same text."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from formula_cases import OPERATORS, arrays, shape, signature, typed, variant, variants
from hypothesis import given, settings
from hypothesis import strategies as st
from opgen.formula.evaluate import evaluate, numpy_dtype, round_to
from opgen.formula.infer import resolve
from opgen.formula.signature import Signature, Variant
from opgen.formula.syntax import parse

SIZES = {"B": 2, "C": 5, "D": 3, "H": 3, "K": 7, "M": 4, "N": 11, "R": 6, "S": 5}
ATTRS = {"alpha": 0.5, "eps": 1e-3, "lr": 0.1, "beta1": 0.9, "beta2": 0.99, "scale": 0.25, "k": -5}


def _run(
    source: str, sig: Signature, choice: Variant, rest: tuple[int, ...] = (2, 3), low: float = -2.0, high: float = 2.0
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    formula, problems = resolve(parse(source), sig, choice)
    assert formula is not None, problems
    inputs = arrays(sig, choice, SIZES | {k: int(v) for k, v in choice.attrs if isinstance(v, bool)}, rest, low, high)
    return inputs, evaluate(formula, inputs, ATTRS, SIZES)


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def _erf(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.vectorize(math.erf)(x))


def _rotary(i: dict[str, np.ndarray]) -> np.ndarray:
    d = SIZES["D"]
    halves = i["x"][..., :d] + 1j * i["x"][..., d:]
    turned = halves * (i["cos"] + 1j * i["sin"])[:, None, :]
    return np.concatenate([turned.real, turned.imag], -1)


ORACLES: dict[str, tuple[str, Callable[[dict[str, np.ndarray]], Any]]] = {
    "softmax": ("y", lambda i: _softmax(i["x"])),
    "layer_norm": (
        "y",
        lambda i: (
            (i["x"] - i["x"].mean(-1, keepdims=True)) / np.sqrt(i["x"].var(-1, keepdims=True) + 1e-3) * i["gamma"]
            + i["beta"]
        ),
    ),
    "rotary_embedding": ("y", _rotary),
    "matmul": ("c", lambda i: i["a"] @ i["b"]),
    "attention": (
        "out",
        lambda i: _softmax(np.einsum("bhsd,bhtd->bhst", i["query"], i["key"]) * 0.25) @ i["value"],
    ),
    "gelu": ("y", lambda i: i["x"] * (1 + _erf(i["x"] / math.sqrt(2))) / 2),
    "masked_softmax": (
        "y",
        lambda i: _softmax(np.where(np.arange(SIZES["C"]) < i["length"], i["x"], -np.inf)),
    ),
    "dynamic_quant": (
        "y",
        lambda i: np.rint(i["x"] / (np.abs(i["x"]).max(-1, keepdims=True) / 127)),
    ),
    "batch_matmul": ("y", lambda i: np.einsum("bzkm,hkn->bhmn", i["a"], i["b"])),
    "argmax": ("index", lambda i: i["x"].argmax(-1)[..., None]),
    "counts": ("n", lambda i: (i["x"] > 0).sum(-1, keepdims=True)),
    "outer": ("y", lambda i: np.outer(i["x"], i["r"]) + (i["x"] ** 2).sum()),
    "int_matmul": ("y", lambda i: i["a"].astype(int) @ i["b"].astype(int) + 1),
    "scalars": ("y", lambda i: i["x"] * 5.5 + (2 + -3 + 1)),
    "axpy": ("z", lambda i: i["x"] + 0.5 * i["y"]),
}


@pytest.mark.parametrize("name", ORACLES)
def test_whole_operators_agree_with_numpy(name: str) -> None:
    source, sig = OPERATORS[name]
    output, oracle = ORACLES[name]
    choice = next(variants(sig, "float32"))
    inputs, outputs = _run(source, sig, choice, low=0.25 if name == "masked_softmax" else -2.0)
    np.testing.assert_allclose(outputs[output], oracle(inputs), rtol=1e-12, atol=1e-13)


def test_adam_reads_old_values_before_and_new_ones_after() -> None:
    source, sig = OPERATORS["apply_adam"]
    i, out = _run(source, sig, variant(sig), low=0.1, high=0.9)
    m = 0.9 * i["m"] + (1 - 0.9) * i["grad"]
    v = 0.99 * i["v"] + (1 - 0.99) * i["grad"] ** 2
    step = 0.1 * (m / (1 - i["beta1_power"])) / (np.sqrt(v / (1 - i["beta2_power"])) + 1e-3)
    for name, expected in (("m", m), ("v", v), ("var", i["var"] - step)):
        np.testing.assert_allclose(out[name], expected, rtol=1e-12)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("rest", [(), (2,), (3, 2)])
def test_every_variant_gives_the_declared_shapes(name: str, rest: tuple[int, ...]) -> None:
    source, sig = OPERATORS[name]
    for choice in variants(sig, "float16"):
        sizes = SIZES | {key: int(value) for key, value in choice.attrs if isinstance(value, bool)}
        _, outputs = _run(source, sig, choice, rest, 0.1, 0.9)
        for tensor in sig.outputs:
            declared = shape(tensor.shape, sizes, rest)
            assert outputs[tensor.name].shape in (declared, (*declared, 1))
            assert outputs[tensor.name].dtype in (np.float64, np.int64, np.bool_)


def _one(expression: str, **values: object) -> np.ndarray:
    """An expression of float tensors f, g, int tensors i, j and bool tensors b, c."""
    sig = signature("f: float32[N]; g: float32[N]; i: int32[N]; j: int32[N]; b: bool[N]; c: bool[N]", "y: float32[N]")
    formula = typed(f"y = cast({expression}, float32)", sig)
    inputs = {name: np.asarray(value) for name, value in values.items()}
    return evaluate(formula, inputs, {}, {"N": len(next(iter(inputs.values())))})["y"]


@pytest.mark.parametrize(
    ("expression", "values", "expected"),
    [
        ("round(f)", [0.5, 1.5, 2.5, -0.5, -1.5], [0, 2, 2, 0, -2]),
        ("floor(f)", [0.5, -0.5], [0, -1]),
        ("ceil(f)", [0.5, -0.5], [1, 0]),
        ("cast(f, int32)", [1.9, -1.9, 0.5], [1, -1, 0]),
        ("cast(f, bool)", [0.0, 0.1, -2.0], [0, 1, 1]),
        ("cast(f, float16)", [1 + 2**-11, 1 + 3 * 2**-11, 70000.0], [1, 1 + 2**-9, np.inf]),
        ("cast(f, bfloat16)", [1 + 2**-8, 1 + 3 * 2**-8, 3.4e38], [1, 1 + 2**-6, np.inf]),
        ("relu(f)", [-1.0, 2.0], [0, 2]),
        ("leaky_relu(f, 0.5)", [-1.0, 2.0], [-0.5, 2]),
        ("clip(f, -1, 1)", [-3.0, 0.5, 3.0], [-1, 0.5, 1]),
        ("f ** 3", [2.0, -2.0], [8, -8]),
        ("f ** -2", [2.0], [0.25]),
        ("reciprocal(f) + rsqrt(f)", [4.0], [0.75]),
        ("sigmoid(f)", [0.0, 1000.0, -1000.0], [0.5, 1, 0]),
        ("silu(f)", [0.0], [0]),
        ("gelu(f, approximate='tanh')", [0.0, 1.0], [0, 0.8411919906082768]),
        ("gelu(f)", [1.0], [0.8413447460685429]),
        ("erf(f)", [0.5, 1e-8], [0.5204998778130465, 1.1283791670955126e-08]),
        ("1 / f", [0.0, 4.0], [np.inf, 0.25]),
        ("log(f)", [0.0, 1.0], [-np.inf, 0]),
        ("where(f > 0, f, -inf)", [1.0, -1.0], [1, -np.inf]),
        ("7 // 2 * f", [1.0], [3]),
    ],
)
def test_functions_of_floats(expression: str, values: list[float], expected: list[float]) -> None:
    np.testing.assert_allclose(_one(expression, f=values), expected, rtol=1e-15, atol=0)


def test_ints_stay_ints() -> None:
    assert list(_one("(i * j + 3) ** 2", i=[2, -3], j=[5, 7])) == [169, 324]
    assert list(_one("abs(round(i)) + maximum(i, 2)", i=[2, -3])) == [4, 5]
    assert list(_one("where(b | ~c, 1, 0)", b=[True, False, False], c=[True, True, False])) == [1, 0, 1]


def test_first_position_wins() -> None:
    sig = signature("x: T[R, C]", "a: int32[R]; b: int32[R]")
    formula = typed("a = argmax(x, axis=-1)\nb = argmin(x, axis=-1)", sig)
    out = evaluate(formula, {"x": np.array([[1.0, 3, 3, 1]])}, {}, {"R": 1, "C": 4})
    assert (out["a"].tolist(), out["b"].tolist()) == ([[1]], [[0]])


def test_a_piece_outside_its_axis_is_an_error_not_a_shorter_piece() -> None:
    sig = signature("x: T[R, C]; z: T[D]", "y: T[R, D]")
    formula = typed("y = x[..., :D] + z", sig)
    with pytest.raises(ValueError, match="0:9"):
        evaluate(formula, {"x": np.zeros((2, 4)), "z": np.zeros(9)}, {}, {"R": 2, "C": 4, "D": 9})


def test_types_of_arrays() -> None:
    assert numpy_dtype("bfloat16") == np.float32
    assert round_to(np.array([1.5, 2.5]), "float16").dtype == np.float16
    assert round_to(np.array([3]), "int8").dtype == np.int8
    assert round_to(np.array([True]), "float32").tolist() == [1.0]


@given(st.floats(allow_nan=True, allow_infinity=True, width=64))
@settings(max_examples=500, deadline=None)
def test_bfloat16_is_the_nearest_with_ties_to_even(value: float) -> None:
    result = float(round_to(np.array([value]), "bfloat16")[0])
    if math.isnan(value):
        assert math.isnan(result)
        return
    exponent = max(math.frexp(value)[1] - 8, -133) if math.isfinite(value) else 0
    step = math.ldexp(1.0, exponent)
    if not math.isfinite(value) or abs(value) / step * step >= 2.0**128 * (1 - 2.0**-9):
        assert result == math.copysign(math.inf, value)
        return
    assert result == round(value / step) * step  # Python rounds halves to even
    assert math.copysign(1, result) == math.copysign(1, value)


# Python reads the same text: its operators on NumPy arrays are the oracle.
_NAMESPACE: dict[str, Any] = {
    "exp": np.exp,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
    "abs": np.abs,
    "floor": np.floor,
    "round": np.round,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "clip": lambda x, lo, hi: np.minimum(np.maximum(x, lo), hi),
    "where": np.where,
    "relu": lambda x: np.where(x > 0, x, 0 * x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sum": lambda x, axis: np.sum(x, axis, keepdims=True),
    "max": lambda x, axis: np.max(x, axis, keepdims=True),
    "mean": lambda x, axis: np.mean(x, axis, keepdims=True),
    "concat": np.concatenate,
    "arange": np.arange,
}
_FLOATS = st.recursive(
    st.sampled_from(["x", "r", "c", "s", "0.5", "2", "alpha", "C", "x[..., :]", "c[None, :]"]),
    lambda e: st.one_of(
        st.builds("({} {} {})".format, e, st.sampled_from("+-*/"), e),
        st.builds("{}({})".format, st.sampled_from(["exp", "tanh", "sin", "cos", "sigmoid"]), e),
        st.builds("sqrt(abs({}))".format, e),
        st.builds("({}) ** 2".format, e),
        st.builds("-{}".format, e),
        st.builds("{}({}, {})".format, st.sampled_from(["maximum", "minimum"]), e, e),
        st.builds("clip({}, -1, 1.5)".format, e),
        st.builds(
            # One float operand makes the result float whatever the others are.
            "where(({} {} {}) & ~m | (x > 0), {} + s, {})".format,
            e,
            st.sampled_from(["<", ">=", "=="]),
            e,
            e,
            e,
        ),
        st.builds("({} if flag else {})".format, e, e),
        st.builds("({} if not flag else {})".format, e, e),
        st.builds("{}(x + {}, axis=-1)".format, st.sampled_from(["sum", "max", "mean"]), e),
    ),
    max_leaves=10,
)
_ORACLE_SIG = signature("x: T[R, C]; r: T[R, 1]; c: T[C]; s: T[]; m: bool[R, C]", "y: T[R, C]")


@given(_FLOATS, st.booleans())
@settings(max_examples=250, deadline=None)
def test_evaluation_is_that_of_python(expression: str, flag: bool) -> None:
    from opgen.formula.signature import Attr

    attrs = (Attr("alpha", "float", 1.0, dynamic=True), Attr("flag", "bool", False))
    sig = Signature(_ORACLE_SIG.dims, _ORACLE_SIG.inputs, _ORACLE_SIG.outputs, attrs)
    source = f"t = {expression}\ny = x + t"
    formula, problems = resolve(parse(source), sig, variant(sig, flag=flag))
    assert formula is not None, problems
    sizes = {"R": 3, "C": 4}
    inputs = arrays(sig, variant(sig, flag=flag), sizes, ())
    value = evaluate(formula, inputs, {"alpha": 0.75}, sizes)["y"]
    with np.errstate(all="ignore"):
        names = {**_NAMESPACE, **inputs, **sizes, "alpha": 0.75, "flag": flag, "inf": np.inf}
        names = {
            k: np.float64(v) if isinstance(v, (int, float)) and not isinstance(v, bool) else v for k, v in names.items()
        }
        t = eval(expression, {"__builtins__": {}}, names)
        expected = inputs["x"] + t
    np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-9)
