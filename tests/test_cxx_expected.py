"""ComputeExpected: compiled, it computes what NumPy does; its text reads as if written by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from expected_program import REST, ExpectedProgram, sized
from formula_cases import ALPHA, ELEMENTWISE, FLAG, MODE, OPERATORS, arrays, signature, typed, variant, variants
from opgen.cxx.expected import expected_code
from opgen.formula.infer import resolve
from opgen.formula.signature import Signature
from opgen.formula.syntax import parse

SIZES = {"B": 2, "C": 5, "D": 3, "H": 3, "K": 7, "M": 4, "N": 11, "R": 6, "S": 5}
ATTRS: dict[str, float | int] = {
    "alpha": 0.5,
    "eps": 1e-3,
    "lr": 0.1,
    "beta1": 0.9,
    "beta2": 0.99,
    "scale": 0.25,
    "k": -5,
    "n": 3,
    "low": -0.75,
    "high": 1.25,
}


def _random_formulas(count: int) -> Iterator[str]:
    """Formulas over ELEMENTWISE, each operation of the language at any place where its kinds allow it."""
    rng = random.Random(20)

    def floats(depth: int) -> str:
        if depth == 0:
            return rng.choice(["x", "y", "alpha", "low", "0.5", "2", "-1.25"])
        f, i, b = (lambda g=g: g(depth - 1) for g in (floats, ints, bools))
        return rng.choice(
            [
                lambda: f"({f()} {rng.choice('+-*')} {f()})",
                lambda: f"({f()} / (1 + abs({f()})))",
                lambda: f"({f()} * {i()})",
                lambda: f"-{f()}",
                lambda: (
                    f"{rng.choice(['tanh', 'sin', 'cos', 'erf', 'sigmoid', 'silu', 'gelu', 'relu', 'floor'])}({f()})"
                ),
                lambda: f"exp(minimum({f()}, 2))",
                lambda: f"gelu({f()}, approximate='tanh')",
                lambda: f"{rng.choice(['log', 'sqrt', 'rsqrt', 'reciprocal'])}(abs({f()}) + 0.5)",
                lambda: f"leaky_relu({f()}, 0.1)",
                lambda: f"({f()}) ** {rng.choice([0, 1, 2, 3, 4, 5])}",
                lambda: f"{rng.choice(['maximum', 'minimum'])}({f()}, {f()})",
                lambda: f"clip({f()}, low, high)",
                lambda: f"where({b()}, {f()}, {f()})",
                lambda: f"cast({rng.choice([f, i, b])()}, float32)",
                lambda: f"cast({f()}, {rng.choice(['float16', 'bfloat16'])})",
            ]
        )()

    def ints(depth: int) -> str:
        if depth == 0:
            return rng.choice(["i", "j", "k", "n", "N", "3"])
        f, i, b = (lambda g=g: g(depth - 1) for g in (floats, ints, bools))
        return rng.choice(
            [
                lambda: f"({i()} {rng.choice('+-')} {i()})",
                lambda: f"({i()} * {rng.choice(['i', '3', 'k'])})",
                lambda: f"-{i()}",
                lambda: f"{rng.choice(['abs', 'relu', 'round'])}({i()})",
                lambda: (
                    f"({rng.choice(['k', 'N', 'n + k'])} {rng.choice(['//', '%'])} {rng.choice(['n', 'k', '4', 'N'])})"
                ),
                lambda: f"{rng.choice(['i', 'j'])} ** {rng.choice([0, 1, 2, 3])}",
                lambda: f"{rng.choice(['maximum', 'minimum'])}({i()}, {i()})",
                lambda: f"where({b()}, {i()}, {i()})",
                lambda: f"cast(clip({f()}, -100, 100), int32)",
                lambda: f"cast({b()}, int8)",
            ]
        )()

    def bools(depth: int) -> str:
        if depth == 0:
            return rng.choice(["b", "c"])
        f, i, b = (lambda g=g: g(depth - 1) for g in (floats, ints, bools))
        return rng.choice(
            [
                lambda: (
                    f"({rng.choice([f, i])()} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {rng.choice([f, i])()})"
                ),
                lambda: f"({b()} {rng.choice('&|')} {b()})",
                lambda: f"({b()} {rng.choice(['==', '!='])} {b()})",
                lambda: f"~{b()}",
                lambda: f"cast({i()}, bool)",
            ]
        )()

    for _ in range(count):
        yield f"h = {floats(2)}\nm = {bools(2)}\nw = {ints(2)}\nz = x * 0 + where(m, h, {floats(3)}) + w"


def _program() -> ExpectedProgram:
    return ExpectedProgram(SIZES | {name: value for name, value in ATTRS.items() if isinstance(value, int)}, ATTRS)


def _add(program: ExpectedProgram, source: str, sig: Signature = ELEMENTWISE, low: float = 0.1) -> None:
    """Every variant, with inputs from low to 1.9."""
    for choice in variants(sig, "float32"):
        formula, problems = resolve(parse(source), sig, choice)
        assert formula is not None, (source, problems)
        flags = {name: int(value) for name, value in choice.attrs if isinstance(value, bool)}
        program.add(source, formula, sig, choice, arrays(sig, choice, SIZES | flags, REST, low, 1.9))


def test_elementwise_formulas_compute_what_numpy_does(tmp_path: Path) -> None:
    program = _program()
    for source in _random_formulas(70):
        _add(program, source)
    program.check(tmp_path)


@pytest.mark.parametrize("low", [0.1, -1.9])
def test_formulas_of_operators_compute_what_numpy_does(tmp_path: Path, low: float) -> None:
    program = _program()
    for source, sig in OPERATORS.values():
        _add(program, source, sig, low)
    transposed = signature("a: T[K, M]; b: T[N if transpose_b else K, K if transpose_b else N]", "y: T[M, N]")
    transposed = Signature(transposed.dims, transposed.inputs, transposed.outputs, (FLAG, MODE))
    source = "y = gelu(matmul(a * 2, b, transpose_a=True, transpose_b=transpose_b), approximate=approximate) + 1"
    _add(program, source, transposed, low)
    program.check(tmp_path)


def test_batches_of_products_and_kinds_are_put_together(tmp_path: Path) -> None:
    program = _program()
    batches = signature("a: T[B, 1, D, M, K]; b: T[1, H, D, K, N]; c: T[H, 1, K, N]", "y: T[B, H, D, M, N]")
    _add(program, "y = matmul(a, b) + matmul(a, c)", batches)
    kinds = signature("x: T[R, K]; i: int32[R, K]; v: T[K, N]; w: int32[K, N]", "y: T[R, 3 * K + N]")
    _add(program, "y = concat([x, x * 2, x, x @ v], axis=-1)", kinds)
    _add(program, "y = concat([x, i, x * i, i @ w], axis=-1)", kinds)
    program.check(tmp_path)


def test_nan_goes_on_as_in_numpy(tmp_path: Path) -> None:
    program = _program()
    sig = signature("x: T[R, C]; z: T[R, C]", "y: T[R, C]")
    for source in [
        "y = maximum(log(x), 0.5)",
        "y = maximum(0.5, log(x))",
        "y = maximum(log(x), sqrt(z))",
        "y = minimum(log(x), sqrt(z)) + minimum(x, log(z))",
        "y = clip(log(x), sqrt(z), 1) + clip(x, -1, log(z))",
        "h = log(x)\nk = sqrt(z)\ny = maximum(h, k) * minimum(x, k)",
        "h = x / (x * 0)\ny = maximum(x, h * 0) + relu(h - h)",
        "y = where(x > 0, x, -inf) - maximum(x, -inf * relu(x))",
        "m = max(log(x), axis=-1)\ny = where(m == m, m, minimum(x, log(x)))",
        "y = minimum(z, max(sqrt(x), axis=-1)) + minimum(z, min(sqrt(x), axis=-1))",
        "y = log(x) + argmax(sqrt(x), axis=-1) + argmin(log(x), axis=-1)",
        "h = exp(z * 1000)\ny = maximum(x, sum(h - h, axis=-1))",
    ]:
        for low in (-1.9, -0.1):
            _add(program, source, sig, low)
            assert np.isnan(program.expected[-1][1]).any(), source
    program.check(tmp_path)


def _text(source: str, sig: Signature) -> list[str]:
    """The function without its comment, head and end."""
    choice = variant(sig)
    code = expected_code(sized(typed(source, sig), sig, choice, SIZES, ATTRS), source)
    lines = code.text.splitlines()
    return lines[lines.index("inline Expected ComputeExpected(const Inputs &inputs) {") + 1 : -2]


def test_loops_read_as_if_written_by_hand() -> None:
    text = _text("m = max(x, axis=-1)\ny = exp(x - m) * g", signature("x: T[..., C]; g: T[C]", "y: T[..., C]"))
    assert text == [
        "  const std::vector<double> x(inputs.x.begin(), inputs.x.end());",
        "  const std::vector<double> g(inputs.g.begin(), inputs.g.end());",
        "  std::vector<double> m(6U);",
        "  for (size_t i = 0U; i < m.size(); ++i) {",
        "    m[i] = *std::max_element(x.begin() + i * 5, x.begin() + (i + 1U) * 5);",
        "  }",
        "  std::vector<double> y(30U);",
        "  for (size_t i = 0U; i < y.size(); ++i) {",
        "    y[i] = std::exp(x[i] - m[i / 5]) * g[i % 5];",
        "  }",
        "  Expected expected;",
        "  expected.y.assign(y.begin(), y.end());",
    ]


def test_nan_is_looked_for_only_where_it_can_come_from() -> None:
    sig = signature("x: T[N]; z: T[N]", "y: T[N]", ALPHA)
    for source in (
        "y = maximum(x, z)",
        "y = clip(log(x), -alpha, z * alpha)",
        "y = maximum(1, 1 / x)",
        "y = maximum(x, exp(z))",
        "h = x * z - 1\ny = minimum(x, h)",
        "y = x - max(tanh(x) * z, axis=-1)",
    ):
        assert not any("isnan" in line for line in _text(source, sig)), source
    assert _text("y = maximum(log(x), sqrt(z))", sig)[-3:] == [
        "    const double limit = std::sqrt(z);",
        "    expected.y[i] = std::isnan(limit) ? limit : std::max(std::log(x), limit);",
        "  }",
    ]
