"""Elementwise formulas in C++: the text."""

from __future__ import annotations

from typing import Any

import pytest
from expected_program import call_of_rounding
from formula_cases import ALPHA, ELEMENTWISE, signature, typed
from opgen.formula.cxx import ScalarCode, is_scalar
from opgen.formula.cxx import scalar as scalar_code
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Signature


def _scalar(source: str, sig: Signature = ELEMENTWISE, **choices: object) -> ScalarCode:
    return scalar(typed(source, sig, **choices))


def scalar(formula: TypedFormula, **options: Any) -> ScalarCode:
    """Everything is named by what it is."""
    named: Any = dict.fromkeys(("element", "attr", "dim"), str)
    return scalar_code(formula, **{**named, "rounding": call_of_rounding, **options})


def _text(expression: str) -> str:
    """The expression of the only output."""
    code = _scalar(f"z = cast({expression}, float32)")
    return "; ".join([*code.statements, code.outputs[0][1]])


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("x + alpha * y", "x + alpha * y"),
        ("(x + y) * 2", "(x + y) * 2.0"),
        ("x - (y - x)", "x - (y - x)"),
        ("x - y - x", "x - y - x"),
        ("x / (y * x)", "x / (y * x)"),
        ("-(-x)", "-(-x)"),
        ("x - -1", "x - -1.0"),
        ("x * i", "x * static_cast<double>(i)"),
        ("1 / (1 - alpha) * x", "1.0 / (1.0 - alpha) * x"),
        ("exp(x + y)", "std::exp(x + y)"),
        ("x * x * x + x ** 3", "x * x * x + x * x * x"),
        ("(x + y) ** 2", "const double base = x + y;; base * base"),
        ("x ** 7", "std::pow(x, 7.0)"),
        ("x ** -1 + x ** 0 + x ** 1", "std::pow(x, -1.0) + 1.0 + x"),
        ("i ** 2 + i", "static_cast<double>(i * i + i)"),
        ("rsqrt(x) * y", "1.0 / std::sqrt(x) * y"),
        ("y / rsqrt(x)", "y / (1.0 / std::sqrt(x))"),
        ("sigmoid(-x)", "1.0 / (1.0 + std::exp(-(-x)))"),
        ("silu(x)", "x / (1.0 + std::exp(-x))"),
        ("silu(x + y)", "const double silu_input = x + y;; silu_input / (1.0 + std::exp(-silu_input))"),
        ("gelu(x)", "0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0)))"),
        ("where(x > y, x, 0)", "x > y ? x : 0.0"),
        ("where(b, x, y) + 1", "(b ? x : y) + 1.0"),
        ("where(b, 1, 0) * x", "static_cast<double>(b ? 1 : 0) * x"),
        ("where(b & (x > 0) | c, x, y)", "(b && x > 0.0) || c ? x : y"),
        ("where((b | c) & ~b, x, y)", "(b || c) && !b ? x : y"),
        ("where((x > 0) == b, x, y)", "(x > 0.0) == b ? x : y"),
        ("where(i > 0.5, x, y)", "static_cast<double>(i) > 0.5 ? x : y"),
        ("clip(x, low, high)", "std::min(std::max(x, low), high)"),
        ("maximum(x, 0)", "std::max(x, 0.0)"),
        ("maximum(i, 0) * x", "static_cast<double>(std::max<int64_t>(i, 0)) * x"),
        ("minimum(x, inf)", "std::min(x, std::numeric_limits<double>::infinity())"),
        ("round(x) + round(i)", "std::nearbyint(x) + static_cast<double>(i)"),
        ("abs(x - y)", "std::abs(x - y)"),
        ("cast(x, int32) * 2", "static_cast<double>(static_cast<int64_t>(x) * 2)"),
        ("cast(x, bool) & b", "x != 0.0 && b ? 1.0 : 0.0"),
        ("cast(b, int8) + i", "static_cast<double>((b ? 1 : 0) + i)"),
        ("cast(x * y, float16) + 1", "RoundToFloat16(x * y) + 1.0"),
        ("N // 2 * x", "static_cast<double>(N / 2) * x"),
        ("k % n * x", "static_cast<double>((k % n + n) % n) * x"),
        ("1e-6 * x + 1e16", "1e-6 * x + 1e16"),
    ],
)
def test_text_reads_as_if_written_by_hand(expression: str, text: str) -> None:
    assert _text(expression) == text


def test_temporaries_are_variables_and_unused_ones_are_not_written() -> None:
    code = _scalar("h = x + y\nunused = exp(h)\nz = h * h")
    assert code.statements == ("const double h = x + y;",)
    assert code.outputs == (("z", "h * h"),)
    assert code.headers == ()


def test_new_values_of_in_place_outputs_have_names_of_their_own() -> None:
    code = _scalar("r = x + r\ny = r * r", signature("x: T[N]; r: T[N]", "y: T[N]; !r"))
    assert code.statements == ("const double r_value = x + r;",)
    assert code.outputs == (("r", "r_value"), ("y", "r_value * r_value"))


def test_names_that_are_taken_are_left_alone() -> None:
    sig = signature("x: T[N]", "y: T[N]")
    code = scalar(typed("error = x + 1\nbase = error\ny = base + (x * 2) ** 2", sig), taken=["error", "base"])
    assert code.statements[0] == "const double error_value = x + 1.0;"
    names = [statement.split()[2] for statement in code.statements]
    assert len(set(names)) == 3 and not {"error", "base"} & set(names)


def test_values_are_named_by_the_caller() -> None:
    sig = signature("x: T[N]", "y: T[N]", ALPHA)
    code = scalar(typed("y = alpha * x + N", sig), element="in.{}[i]".format, attr="k_{}".format, dim="dim_{}".format)
    assert code.outputs == (("y", "k_alpha * in.x[i] + static_cast<double>(dim_N)"),)


def test_a_cast_to_the_type_of_the_output_is_left_to_the_store() -> None:
    sig = signature("x: T[N]", "y: float16[N]")
    assert scalar(typed("y = cast(x * 2, float16)", sig)).outputs == (("y", "x * 2.0"),)
    code = scalar(typed("h = cast(x * 2, float16)\ny = h", sig))
    assert code.statements == ("const double h = RoundToFloat16(x * 2.0);",)


def test_headers_are_those_that_the_text_needs() -> None:
    assert _scalar("z = clip(exp(x), 0, inf)").headers == ("<algorithm>", "<cmath>", "<limits>")
    assert _scalar("h = abs(i)\nz = h").headers == ("<cstdint>", "<cstdlib>")


def test_nested_functions_do_not_grow_without_bound() -> None:
    source = "z = " + "silu(" * 60 + "x" + ")" * 60
    code = _scalar(source)
    assert len(code.statements) == 59
    assert sum(map(len, code.statements)) < 10_000


def test_a_formula_of_rows_is_not_scalar() -> None:
    formula = typed("y = x / sum(x, axis=-1)", signature("x: T[R, C]", "y: T[R, C]"))
    assert not is_scalar(formula)
    with pytest.raises(ValueError, match="sum"):
        scalar(formula)
