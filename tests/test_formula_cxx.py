"""Formulas in C++: the text, and that compiled it computes what NumPy does."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from formula_cases import ALPHA, FLAG, MODE, OPERATORS, arrays, signature, typed, variant, variants
from opgen.facts.dtypes import DTYPES
from opgen.formula.cxx import ScalarCode, is_scalar, scalar
from opgen.formula.cxx_arrays import ELEMENTS
from opgen.formula.cxx_arrays import arrays as array_code
from opgen.formula.evaluate import evaluate
from opgen.formula.infer import resolve
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Attr, Signature, Variant
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
ELEMENTWISE = signature(
    "x: T[N]; y: T[N]; i: int32[N]; j: int32[N]; b: bool[N]; c: bool[N]",
    "z: T[N]",
    *(Attr(name, "float", 1.0, dynamic=True) for name in ("alpha", "low", "high")),
    Attr("k", "int", 1),
    Attr("n", "int", 1),
)


def _scalar(source: str, sig: Signature = ELEMENTWISE, **choices: object) -> ScalarCode:
    return scalar(typed(source, sig, **choices), str, str)


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
        ("1e-6 * x + 1e16", "1e-06 * x + 1e+16"),
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
    code = scalar(typed("error = x + 1\nbase = error\ny = base + (x * 2) ** 2", sig), str, str, taken=["error", "base"])
    assert code.statements[0] == "const double error_value = x + 1.0;"
    names = [statement.split()[2] for statement in code.statements]
    assert len(set(names)) == 3 and not {"error", "base"} & set(names)


def test_values_are_named_by_the_caller() -> None:
    sig = signature("x: T[N]", "y: T[N]", ALPHA)
    code = scalar(typed("y = alpha * x + N", sig), "in.{}[i]".format, "k_{}".format, "dim_{}".format)
    assert code.outputs == (("y", "k_alpha * in.x[i] + static_cast<double>(dim_N)"),)


def test_a_cast_to_the_type_of_the_output_is_left_to_the_store() -> None:
    sig = signature("x: T[N]", "y: float16[N]")
    assert scalar(typed("y = cast(x * 2, float16)", sig), str, str).outputs == (("y", "x * 2.0"),)
    code = scalar(typed("h = cast(x * 2, float16)\ny = h", sig), str, str)
    assert code.statements == ("const double h = RoundToFloat16(x * 2.0);",)
    assert code.rounds == ("float16",)


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
        scalar(formula, str, str)


# Compiled: one program for all formulas, compared with NumPy

ROUNDING = """
double RoundToBfloat16(double value) {
  int exponent = 0;
  if (value == 0.0 || !std::isfinite(value)) return value;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 8, -133));
  return std::nearbyint(value / step) * step;
}
double RoundToFloat16(double value) {
  int exponent = 0;
  if (value == 0.0 || !std::isfinite(value)) return value;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 11, -24));
  return std::nearbyint(value / step) * step;
}
"""


@dataclass
class _Program:
    """Functions that print every output, and what they should print."""

    functions: list[str] = field(default_factory=list)
    headers: set[str] = field(default_factory=lambda: {"<cstdio>", "<vector>", "<cstdint>", "<cmath>", "<algorithm>"})
    expected: list[tuple[str, np.ndarray]] = field(default_factory=list)

    def add(self, source: str, formula: TypedFormula, sig: Signature, choice: Variant, whole: bool) -> None:
        inputs = arrays(
            sig, choice, SIZES | {k: int(v) for k, v in choice.attrs if isinstance(v, bool)}, (2, 3), 0.1, 1.9
        )
        values = evaluate(formula, inputs, ATTRS, SIZES)
        lines = []
        for tensor in sig.inputs:
            if tensor.name in inputs:
                kind = ELEMENTS[DTYPES[choice.dtype(tensor.dtype)].kind]
                elements = ", ".join(repr(value) for value in np.ravel(inputs[tensor.name]).astype(float).tolist())
                numbers = elements if kind == "double" else ", ".join(str(int(float(e))) for e in elements.split(", "))
                lines.append(f"[[maybe_unused]] const std::vector<{kind}> in_{tensor.name}{{{numbers}}};")
        for name, value in ATTRS.items():
            lines.append(
                f"[[maybe_unused]] const {'double' if isinstance(value, float) else 'int64_t'} {name} = {value};"
            )
        for name, size in SIZES.items():
            lines.append(f"[[maybe_unused]] const int64_t {name} = {size};")
        lines += self._whole(formula) if whole else self._scalar(formula, sig, choice, values)
        self.functions.append("\n  ".join([f"void F{len(self.functions)}() {{", *lines]) + "\n}\n")
        self.expected += [(f"{source} {choice}", np.ravel(values[a.name])) for a in formula.assignments if a.output]

    def _whole(self, formula: TypedFormula) -> Iterator[str]:
        code = array_code(formula, "in_{}".format, str, str, rest="rest", taken=[*ATTRS, *SIZES])
        self.headers |= set(code.headers)
        yield "[[maybe_unused]] const int64_t rest = 6;"
        yield from code.lines
        for _, variable in code.outputs:
            yield f'for (const auto element : {variable}) std::printf("%.17g ", static_cast<double>(element));'
            yield r'std::printf("\n");'

    def _scalar(
        self, formula: TypedFormula, sig: Signature, choice: Variant, values: dict[str, np.ndarray]
    ) -> Iterator[str]:
        elements = {tensor.name: f"x_{tensor.name}" for tensor in sig.inputs}
        code = scalar(formula, elements.__getitem__, str)
        self.headers |= set(code.headers)
        for name, expression in code.outputs:
            yield f"for (size_t at = 0; at < {values[name].size}; ++at) {{"
            for tensor in sig.inputs:
                if tensor.name in choice.absent:
                    continue
                kind = DTYPES[choice.dtype(tensor.dtype)].kind
                place = "0" if all(axis.op == "const" for axis in tensor.shape) else "at"
                test = " != 0" if kind == "bool" else ""
                cxx = {"float": "double", "int": "int64_t", "bool": "bool"}[kind]
                element = f"in_{tensor.name}[{place}]{test}"
                yield f"  [[maybe_unused]] const {cxx} {elements[tensor.name]} = {element};"
            yield from (f"  [[maybe_unused]] {statement}" for statement in code.statements)
            yield f'  std::printf("%.17g ", static_cast<double>({expression}));'
            yield "}"
            yield r'std::printf("\n");'

    def check(self, folder: Path) -> None:
        text = "".join(f"#include {header}\n" for header in sorted(self.headers)) + ROUNDING + "\n".join(self.functions)
        calls = "".join(f"  F{i}();\n" for i in range(len(self.functions)))
        (folder / "formulas.cpp").write_text(f"{text}\nint main() {{\n{calls}}}\n", encoding="utf-8")
        flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-Wconversion"]
        subprocess.run(["g++", *flags, "formulas.cpp", "-o", "formulas"], cwd=folder, check=True)
        output = subprocess.run([folder / "formulas"], check=True, capture_output=True, text=True).stdout
        lines = output.splitlines()
        assert len(lines) == len(self.expected)
        for line, (what, expected) in zip(lines, self.expected, strict=True):
            actual = np.array([float(word) for word in line.split()])
            np.testing.assert_allclose(actual, expected.astype(float), rtol=1e-11, atol=1e-12, err_msg=what)


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


def test_elementwise_formulas_compute_what_numpy_does(tmp_path: Path) -> None:
    program = _Program()
    for source in _random_formulas(60):
        choice = variant(ELEMENTWISE)
        formula, problems = resolve(parse(source), ELEMENTWISE, choice)
        assert formula is not None, (source, problems)
        program.add(source, formula, ELEMENTWISE, choice, whole=False)
    for name in ("axpy", "apply_adam", "gelu"):
        source, sig = OPERATORS[name]
        for choice in variants(sig, "float32"):
            program.add(source, typed(source, sig, **dict(choice.attrs)), sig, choice, whole=False)
    program.check(tmp_path)


def test_every_formula_in_loops_computes_what_numpy_does(tmp_path: Path) -> None:
    program = _Program()
    for source, sig in OPERATORS.values():
        for choice in variants(sig, "float32"):
            formula, problems = resolve(parse(source), sig, choice)
            assert formula is not None, problems
            program.add(source, formula, sig, choice, whole=True)
    transposed = signature("a: T[K, M]; b: T[N if transpose_b else K, K if transpose_b else N]", "y: T[M, N]", FLAG)
    source = "y = gelu(matmul(a * 2, b, transpose_a=True, transpose_b=transpose_b), approximate=approximate) + 1"
    transposed = Signature(transposed.dims, transposed.inputs, transposed.outputs, (*transposed.attrs, MODE))
    for choice in variants(transposed, "float32"):
        formula, problems = resolve(parse(source), transposed, choice)
        assert formula is not None, problems
        program.add(source, formula, transposed, choice, whole=True)
    for source in list(_random_formulas(10)):
        program.add(source, typed(source, ELEMENTWISE), ELEMENTWISE, variant(ELEMENTWISE), whole=True)
    program.check(tmp_path)


def test_loops_read_as_if_written_by_hand() -> None:
    formula = typed("m = max(x, axis=-1)\ny = exp(x - m) * g", signature("x: T[..., C]; g: T[C]", "y: T[..., C]"))
    code = array_code(formula, str, str, str, rest="rows")
    assert code.lines == (
        "std::vector<double> m(rows);",
        "for (int64_t i = 0; i < rows; ++i) {",
        "  double best{};",
        "  for (int64_t column = 0; column < C; ++column) {",
        "    const double value = x[i * C + column];",
        "    if (column == 0 || value > best) {",
        "      best = value;",
        "    }",
        "  }",
        "  m[i] = best;",
        "}",
        "std::vector<double> y(rows * C);",
        "for (int64_t i = 0; i < rows; ++i) {",
        "  for (int64_t j = 0; j < C; ++j) {",
        "    y[i * C + j] = std::exp(x[i * C + j] - m[i]) * g[j];",
        "  }",
        "}",
    )
    assert code.outputs == (("y", "y"),)
