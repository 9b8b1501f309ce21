"""Formulas at random, right and wrong: a typed formula or findings, and what is promised of a typed one is true."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from expected_program import REST, ExpectedProgram, sized
from formula_cases import ALPHA, FLAG, arrays, shape, signature, variant
from hypothesis import given, settings
from hypothesis import strategies as st
from opgen.cxx.expected import expected_code
from opgen.formula.evaluate import evaluate
from opgen.formula.infer import resolve
from opgen.formula.signature import Attr
from opgen.formula.syntax import FormulaError, parse

SIG = signature(
    "x: T[..., 2 * C]; c: T[C]; r: T[..., 1]; s: T[]; i: int32[C]; b: bool[..., 2 * C]; o: T[2 * C] = 0.5; "
    "w: T[C, 2 * C]",
    "y: T[..., 2 * C]",
    ALPHA,
    FLAG,
    Attr("k", "int", 2),
)
SIZES = {"C": 3}
ATTRS = {"alpha": 0.5, "k": 2}

_LEAVES = """
x x c r s i b o w alpha k C 2 0.5 True -1 inf transpose_b nothing x[...,:C] x[...,C:] c[None,:]
"""
# E stands for an expression.
_FORMS = [
    *(f"(E {sign} E)" for sign in ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "<", "<=", "==", "!="]),
    *(f"{name}(E)" for name in ("exp", "abs", "round", "relu", "silu", "gelu", "-", "~")),
    *(f"{name}(E, axis=-1)" for name in ("sum", "mean", "max", "argmax", "min")),
    *(f"{name}(E, E)" for name in ("maximum", "minimum", "leaky_relu")),
    *(f"cast(E, {name})" for name in ("int8", "float16", "T", "bool", "U")),
    *(f"{name}[{index}]" for name in "xcws" for index in (":", "..., None", ":, :1", "..., :k", "None, ...")),
    *(f"matmul(E, w, transpose_b={flag})" for flag in ("True", "transpose_b", "k")),
    *(f"(E if {test} else E)" for test in ("transpose_b", "k == 2", "x", "not transpose_b")),
    "where(E, E, E)",
    "concat([E, E], axis=-1)",
    "arange(C + C)",
]


@st.composite
def _expressions(draw: st.DrawFn, depth: int = 3) -> str:
    form = draw(st.sampled_from(_FORMS if depth else _LEAVES.split()))
    if not depth:
        return form
    first, *rest = form.split("E")
    return first + "".join(draw(_expressions(draw(st.integers(0, depth - 1)))) + part for part in rest)


@given(_expressions(), st.booleans(), st.booleans(), st.sampled_from(["float32", "int32"]))
@settings(max_examples=600, deadline=None)
def test_a_typed_formula_has_the_kind_and_shape_that_it_says(
    expression: str, flag: bool, absent: bool, dtype: str
) -> None:
    source = f"t = {expression}\ny = x"
    try:
        formula = parse(source)
    except FormulaError:
        return
    choice = variant(SIG, ("o",) if absent else (), transpose_b=flag, T=dtype)
    result, problems = resolve(formula, SIG, choice)
    if result is None:
        assert problems
        for problem in problems:
            assert problem.rule in ("OPG201", "OPG302", "OPG304", "OPG305", "OPG307")
            assert 0 <= problem.offset < len(source) and problem.offset + problem.length <= len(source)
            assert problem.what and problem.why and problem.fix
        return
    assert not problems
    value = result.assignments[0].value
    inputs = arrays(SIG, choice, SIZES, (2,), 0.25, 2.0)
    target = shape(value.shape or (), SIZES | {"k": 2}, (2,))
    # The value as an output: stored where any kind goes, so that it can be looked at.
    output = type(result)((type(result.assignments[0])("t", value, True, "float32"),))
    try:
        array = evaluate(output, inputs, ATTRS, SIZES)["t"]
    except ValueError as error:
        assert "does not lie inside" in str(error)
        return
    assert array.shape == target
    assert array.dtype == {"float": np.float64, "int": np.int64, "bool": np.bool_}[value.kind]
    text = expected_code(sized(output, SIG, choice, SIZES | {"k": 2, "transpose_b": flag}, ATTRS), expression).text
    assert "expected.t" in text


def _random_expression(rng: random.Random, depth: int) -> str:
    form = rng.choice(_FORMS if depth else _LEAVES.split())
    if not depth:
        return form
    first, *rest = form.split("E")
    return first + "".join(_random_expression(rng, rng.randrange(depth)) + part for part in rest)


def test_typed_formulas_compute_in_cxx_what_numpy_does(tmp_path: Path) -> None:
    """Of all kinds of operations, in one program. What divides by zero as whole numbers is left out."""
    rng = random.Random(5)
    program = ExpectedProgram(SIZES | {"k": 2, "transpose_b": 0}, ATTRS)
    choice = variant(SIG, transpose_b=False)
    inputs = arrays(SIG, choice, SIZES, REST, 0.25, 2.0)
    while len(program.functions) < 120:
        expression = _random_expression(rng, 4)
        try:
            formula = parse(f"t = {expression}\ny = x")
        except FormulaError:
            continue
        result, _ = resolve(formula, SIG, choice)
        if result is None or any(node.op in ("floordiv", "mod") for node in result.walk()):
            continue
        value = result.assignments[0].value
        if not value.args:
            continue
        output = type(result)((type(result.assignments[0])("t", value, True, "float32"),))
        try:
            program.add(expression, output, SIG, choice, inputs)
        except ValueError as error:
            assert "does not lie inside" in str(error)
    program.check(tmp_path)
