"""Vector programs: what they compute, and that their buffers, aliases and barriers keep the rules of the chip."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kernel_machine import Machine, check_layout
from opgen.facts.dtypes import DEFAULT_TOLERANCE, DTYPES
from opgen.facts.operations import MOVED_AS
from opgen.formula.evaluate import evaluate, round_to
from opgen.kernel.elementwise import places
from opgen.kernel.plan import VariantPlan
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.model import Operator
from opgen.spec.variants import typed
from spec_support import accepted

FLOATS = ["float32", "float16", "bfloat16"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
SIZE = 257


def tensor(name: str, dtype: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "dtype": dtype, "shape": ["..."], **more}


def moved(values: Any, dtype: str) -> Any:
    """Elements as copies bring them to the chip."""
    rounded = round_to(np.asarray(values), dtype)
    return (
        rounded.view(MOVED_AS[dtype])
        if dtype in MOVED_AS and dtype != "bool"
        else rounded.astype(np.uint8 if dtype == "bool" else rounded.dtype)
    )


def sample(dtype: str, low: float, high: float, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    kind = DTYPES[dtype].kind
    if kind == "bool":
        return rng.integers(0, 2, SIZE).astype(bool)
    if kind == "int":
        return rng.integers(int(low), int(high) + 1, SIZE)
    return round_to(rng.uniform(low, high, SIZE), dtype).astype(np.float64)


def agrees(operator: Operator, plan: VariantPlan, values: dict[str, Any], attrs: dict[str, Any]) -> None:
    """The program and the formula say the same within the operator's tolerance."""
    golden = evaluate(typed(operator, plan.variant), values, attrs, {})
    held = places(operator, plan.variant)
    tiles = {n: moved(values[n], p.dtype) for n, p in held.items() if p.input and not p.single}
    elements = {n: np.asarray(moved(values[n], p.dtype)).item() for n, p in held.items() if p.input and p.single}
    actual = Machine(plan.layout, {**attrs, **elements}).run(tiles, SIZE)
    tolerance = dict(operator.tolerance)
    for output in operator.outputs:
        dtype = held[output.name].dtype
        got, wanted = actual[output.name], np.broadcast_to(golden[output.name], SIZE)
        if DTYPES[dtype].kind != "float":
            shown = got.view(dtype) if dtype in MOVED_AS and dtype != "bool" else got
            np.testing.assert_array_equal(shown.astype(np.int64), np.asarray(wanted).astype(np.int64))
            continue
        wanted = np.asarray(wanted, np.float64)
        limit = tolerance.get(dtype, DEFAULT_TOLERANCE[dtype])
        with np.errstate(all="ignore"):
            rounded = round_to(wanted, dtype).astype(np.float64)
            close = np.abs(got - wanted) <= limit * (1 + np.abs(wanted))
            same = (got == rounded) | (np.isnan(got) & np.isnan(wanted))
        bad = np.flatnonzero(~(close | same))
        assert not len(bad), (output.name, dtype, got[bad[:3]], wanted[bad[:3]])


def check(compute: str, *, low: float = -4, high: float = 4, types: list[str], **changes: Any) -> None:
    """Plans y = f(x1, x2) for each type and compares the program with the formula."""
    inputs = changes.pop("inputs", None) or [tensor("x", "T"), tensor("y", "T")]
    used = [i for i in inputs if re.search(rf"\b{i['name']}\b", compute)]
    spec = accepted(dtypes={"T": types}, inputs=used, attrs=None, compute=compute, **changes)
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    for variant in plan.variants:
        check_layout(variant, plan.budget)
        values = {
            t.name: sample(variant.variant.dtype(t.dtype), low, high, seed) for seed, t in enumerate(operator.inputs)
        }
        agrees(operator, variant, values, {})


UNARY = [
    "exp(x)",
    "sin(x)",
    "cos(x)",
    "tanh(x)",
    "erf(x)",
    "sigmoid(x)",
    "silu(x)",
    "gelu(x)",
    'gelu(x, approximate="tanh")',
    "abs(x)",
    "relu(x)",
    "leaky_relu(x, 0.1)",
    "-x",
    "x ** 3",
    "x ** 0",
    "1 - x",
    "x / 3",
    "x - 3",
    "x",
    "clip(x, -1, 1)",
    "where(x < 0, 0, x)",
    "where(x < 0, x, 0)",
    "where(x == 0, 1, 2)",
]


@pytest.mark.parametrize("formula", UNARY)
def test_functions_of_floats(formula: str) -> None:
    check(f"z = {formula}", types=FLOATS)


@pytest.mark.parametrize(
    ("formula", "operations"),
    [
        ("x + y", ["add"]),
        ("x - y", ["sub"]),
        ("x * y", ["mul"]),
        ("x + 0.5", ["add"]),
        ("maximum(abs(x), relu(y))", ["abs", "relu", "max"]),
        ("clip(x, -1, 0.25)", ["max", "min"]),
        ("maximum(x, y) * y", ["max", "mul"]),
        ("x + 0.1", ["cast", "add", "cast"]),  # no half
        ("x + y + x", ["cast", "cast", "add", "add", "cast"]),  # rounding twice is not rounding once
        ("x * y + 1", ["cast", "cast", "mul", "add", "cast"]),
        ("x / y", ["cast", "cast", "div", "cast"]),
    ],
)
def test_halves_are_computed_as_halves_where_that_gives_the_same_bits(formula: str, operations: list[str]) -> None:
    check(f"z = {formula}", types=["float16"])
    inputs = [tensor(name, "T") for name in ("x", "y") if name in formula]
    spec = accepted(dtypes={"T": ["float16", "bfloat16"]}, inputs=inputs, attrs=None, compute=f"z = {formula}")
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    half, other = ([i.op for i in variant.layout.program.body] for variant in plan.variants)
    assert half == operations
    assert other.count("cast") == len(inputs) + 1  # bfloat16 has no arithmetic of its own


def test_sums_of_halves_have_the_bits_of_exact_sums_rounded_once() -> None:
    """Every pair of 2000 halves that lie between zero, the smallest ones and the largest."""
    rng = np.random.default_rng(7)
    x, y = rng.integers(0, 2**16, (2, 2000)).astype(np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        for function in (np.add, np.subtract, np.multiply):
            exact = function(x.astype(np.float64), y.astype(np.float64)).astype(np.float16)
            wide = function(x.astype(np.float32), y.astype(np.float32)).astype(np.float16)
            np.testing.assert_array_equal(wide, exact)
            np.testing.assert_array_equal(function(x, y), exact)


@pytest.mark.parametrize(
    "formula", ["x * (1 + tanh(y))", "0.5 * x * (tanh(y) + 1)", "1 + tanh(x)", "(1 + tanh(x)) * x"]
)
def test_one_plus_tanh_is_one_quotient(formula: str) -> None:
    check(f"z = {formula}", low=-9, high=9, types=FLOATS)
    names = [name for name in ("x", "y") if name in formula]
    spec = accepted(
        dtypes={"T": ["float32"]}, inputs=[tensor(n, "T") for n in names], attrs=None, compute=f"z = {formula}"
    )
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    made = [i.op for i in plan.variants[0].layout.program.body]
    assert (made.count("exp"), made.count("div"), made.count("add")) == (1, 1, 1)


@pytest.mark.parametrize(
    "formula", ["log(x)", "sqrt(x)", "rsqrt(x)", "reciprocal(x)", "2 / x", "x ** -2", "x ** y", "x ** 1.7"]
)
def test_functions_of_positive_floats(formula: str) -> None:
    check(f"z = {formula}", low=0.05, high=4, types=FLOATS)


@pytest.mark.parametrize(
    "formula", ["tanh(x)", "erf(x)", "sigmoid(x)", "silu(x)", "gelu(x)", 'gelu(x, approximate="tanh")']
)
@pytest.mark.parametrize("high", [1e-6, 30, 1e4, 3e38])
def test_activations_stay_right_far_out(formula: str, high: float) -> None:
    check(f"z = {formula}", low=-high, high=high, types=["float32"])


@pytest.mark.parametrize("formula", ["round(x)", "floor(x)", "ceil(x)"])
@pytest.mark.parametrize("high", [3, 1e5, 1e9, 1e30])
def test_rounding_keeps_what_has_no_fraction(formula: str, high: float) -> None:
    check(f"z = {formula}", low=-high, high=high, types=["float32"])


@pytest.mark.parametrize("divisor", ["3", "7", "a", "s"])
@pytest.mark.parametrize("formula", ["cast(x / {}, int32)", "floor(x / {})", "cast((x / {}) * 3 == x, int32)"])
def test_divisions_are_exact_where_the_last_bit_counts(formula: str, divisor: str) -> None:
    attrs = [{"name": "a", "type": "float", "default": 3.0}] if divisor == "a" else None
    inputs = [tensor("x", "float32")] + ([{"name": "s", "dtype": "float32", "shape": []}] if divisor == "s" else [])
    outputs = [tensor("z", "float32" if "floor" in formula else "int32")]
    compute = f"z = {formula.format(divisor)}"
    spec = accepted(dtypes=None, inputs=inputs, outputs=outputs, attrs=attrs, compute=compute)
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    values = {"x": np.arange(SIZE) - 100.0, "s": np.asarray(3.0)}
    agrees(operator, plan.variants[0], values, {"a": 3.0})


def test_rounding_is_half_to_even() -> None:
    spec = accepted(inputs=[tensor("x", "T")], attrs=None, compute="z = round(x)")
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    values = np.array([0.5, 1.5, 2.5, -0.5, -1.5, np.inf, -np.inf, np.nan, 8388609.0], np.float32)
    result = Machine(plan.variants[0].layout, {}).run({"x": values}, len(values))["z"]
    np.testing.assert_array_equal(result, [0, 2, 2, -0.0, -2, np.inf, -np.inf, np.nan, 8388609.0])


@pytest.mark.parametrize("dtype", INTS)
@pytest.mark.parametrize(
    "formula", ["x + y", "x * y", "maximum(x, y)", "minimum(x, 3)", "abs(x)", "relu(x)", "x ** 2", "clip(x, 2, 5)", "x",
                "where(x < y, x, y)", "where(x >= y, 3, x)", "where(x != y, x, 0)", "where(x == 3, 0, y)", "round(x)"],
)  # fmt: skip
def test_integers(dtype: str, formula: str) -> None:
    check(f"z = {formula}", low=0, high=10, types=[dtype])


@pytest.mark.parametrize("dtype", INTS)
def test_integers_at_the_ends_of_their_type(dtype: str) -> None:
    low, high = max(DTYPES[dtype].low, -(2**31)), min(DTYPES[dtype].high, 2**31 - 1)
    check("z = where(x < y, x, y)", low=low, high=high, types=[dtype])
    check("z = maximum(x, y)", low=low, high=high, types=[dtype])


@pytest.mark.parametrize("dtype", [*FLOATS, *INTS])
@pytest.mark.parametrize(
    "formula",
    ["x < y", "x <= y", "x > y", "x >= y", "x == y", "x != y", "x < 3", "4 >= x", "~(x < y)",
     "(x < y) & (y < 5) | (x == 0)",
     "(x < y) == (y < 5)", "(x < y) != (y < 5)", "where(x < y, x < 3, y < 3)", "(x < y) & True"],
)  # fmt: skip
def test_comparisons(dtype: str, formula: str) -> None:
    check(f"z = {formula}", low=0, high=6, types=[dtype], outputs=[tensor("z", "bool")])


@pytest.mark.parametrize("target", [*FLOATS, *INTS, "bool"])
@pytest.mark.parametrize("source", [*FLOATS, *INTS, "bool"])
def test_casts(source: str, target: str) -> None:
    low, high = (0, 100) if "u" in source + target else (-100, 100)
    check(f"z = cast(x, {target})", low=low, high=high, types=[source], outputs=[tensor("z", target)])


@pytest.mark.parametrize("target", [*FLOATS, *INTS])
def test_truth_values_go_into_any_type(target: str) -> None:
    check("z = x < y", types=["float32"], outputs=[tensor("z", target)])


@pytest.mark.parametrize("formula", ["x & y", "x | y", "~x", "x == y", "x != y", "where(x, y, ~y)", "x"])
def test_truth_values(formula: str) -> None:
    check(f"z = {formula}", types=["bool"], outputs=[tensor("z", "bool")])


def test_temporaries_are_not_rounded() -> None:
    check("t = x + y\nz = t - x", types=["float16"])


def test_cast_to_a_half_type_rounds() -> None:
    check("t = cast(x + y, float16)\nz = t - x", types=["float16"], outputs=[tensor("z", "float32")])


def test_inplace_outputs_are_read_old_and_then_new() -> None:
    changes: dict[str, Any] = {"outputs": [tensor("z", "T"), {"name": "x", "inplace": True}]}
    check("x = x + y\nz = x * y", types=FLOATS, **changes)


def test_outputs_of_one_value_are_stored_each() -> None:
    outputs = [tensor("z", "T"), tensor("w", "T"), tensor("b", "bool"), tensor("u", "uint8")]
    check("z = x + y\nw = z\nb = x < y\nu = b", types=FLOATS, outputs=outputs)


@pytest.mark.parametrize("dtype", [*FLOATS, *INTS, "bool"])
def test_elements_of_every_type(dtype: str) -> None:
    inputs = [tensor("x", "float32"), {"name": "s", "dtype": "T", "shape": []}]
    compute = "z = where(s, x, 1.0)" if dtype == "bool" else "z = where(x > 0, cast(s, float32) * x, cast(s, float32))"
    spec = accepted(dtypes={"T": [dtype]}, inputs=inputs, outputs=[tensor("z", "float32")], attrs=None, compute=compute)
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    check_layout(plan.variants[0], plan.budget)
    for element in (1, 0) if dtype == "bool" else (3, DTYPES[dtype].high if dtype == "uint16" else 5):
        values = {"x": sample("float32", -2, 2, 0), "s": np.asarray(element, bool if dtype == "bool" else None)}
        agrees(operator, plan.variants[0], values, {})


@pytest.mark.parametrize("compute", ["z = x * erf(s) + gelu(p)", "z = x * s ** 9 + p ** 7"])
def test_expressions_of_elements_are_written_once(compute: str) -> None:
    spec = accepted(
        inputs=[tensor("x", "float32"), {"name": "s", "dtype": "float32", "shape": []}],
        outputs=[tensor("z", "float32")],
        attrs=[{"name": "p", "type": "float", "default": 0.5}],
        dtypes=None,
        compute=compute,
        tests={"tolerance": {"float32": 1e-4}},
    )
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    element = np.asarray(0.9, np.float32)
    agrees(operator, plan.variants[0], {"x": sample("float32", -2, 2, 0), "s": element}, {"p": 0.75})
    assert max(map(len, script(spec, operator, plan).splitlines())) <= 120


def test_functions_of_elements_and_attributes() -> None:
    spec = accepted(
        inputs=[tensor("x", "float32"), {"name": "s", "dtype": "float32", "shape": []}],
        outputs=[tensor("z", "float32")],
        attrs=[
            {"name": "p", "type": "float", "default": 0.5},
            {"name": "k", "type": "int", "default": 3, "dynamic": True},
        ],
        dtypes=None,
        compute="t = rsqrt(s) + exp(-p) * k\nz = x * t + maximum(s, 1.5) + (k // 2) + 1 / (1 - p)",
    )
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    check_layout(plan.variants[0], plan.budget)
    assert {i.op for i in plan.variants[0].layout.program.once} >= {"sqrt", "exp"}, "computed before the first tile"
    values = {"x": sample("float32", -2, 2, 0), "s": np.asarray(2.5)}
    agrees(operator, plan.variants[0], values, {"p": 0.75, "k": 7})


LEAVES = ("x", "y", "w", "a", "0.5", "2.0", "-1.5")
SHAPES = (
    "({} + {})",
    "({} - {})",
    "({} * {})",
    "maximum({}, {})",
    "minimum({}, {})",
    "({} / (1.0 + abs({})))",
    "tanh({})",
    "sigmoid({})",
    "sqrt(abs({}))",
    "sin(tanh({}))",
    "(-({}))",
    "clip({}, -3, 3)",
    "where({} < {}, {}, {})",
    "where(({} > 0.25) & ~({} > 0.5), {}, w)",
)


@st.composite
def formulas(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(LEAVES))
    shape = draw(st.sampled_from(SHAPES))
    return shape.format(*(draw(formulas(depth - 1)) for _ in range(shape.count("{}"))))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(formulas(), min_size=1, max_size=3), st.sampled_from(FLOATS), st.integers(0, 1000))
def test_any_elementwise_formula(texts: list[str], dtype: str, seed: int) -> None:
    lines = [f"z{n} = {text} + x * y + w * a" for n, text in enumerate(texts)]
    spec = accepted(
        dtypes={"T": [dtype]},
        inputs=[tensor("x", "T"), tensor("y", "T"), tensor("w", "float32")],
        outputs=[tensor(f"z{n}", "float32") for n in range(len(texts))],
        attrs=[{"name": "a", "type": "float", "default": 1.0}],
        compute="\n".join(lines),
        tests={"tolerance": {"float32": 1e-3}},
    )
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    variant = plan.variants[0]
    check_layout(variant, plan.budget)
    values = {n: sample(d, -2, 2, seed + k) for k, (n, d) in enumerate([("x", dtype), ("y", dtype), ("w", "float32")])}
    golden = evaluate(typed(operator, variant.variant), values, {"a": 0.75}, {})
    tiles = {t.name: moved(values[t.name], variant.variant.dtype(t.dtype)) for t in operator.inputs}
    actual = Machine(variant.layout, {"a": 0.75}).run(tiles, SIZE)
    for name, wanted in golden.items():
        # Where rounding decides a comparison, an element may go the other way; nearly all must agree.
        close = np.abs(actual[name] - wanted) <= 1e-3 * (1 + np.abs(wanted))
        assert np.mean(close) > 0.97, (lines, name)
