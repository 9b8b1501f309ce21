"""Integer expressions of op.yaml: reading, normal form, value, text."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opgen.formula.sizes import (
    FormulaError,
    Size,
    binding,
    cxx,
    difference,
    evaluate,
    names,
    parse_size,
    parse_value,
    python,
    show,
    simplify,
    substitute,
    type_names,
)


def _same(name: str) -> str:
    return name


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("N", 10),
        ("N + 2 * C", 16),
        ("N // C", 3),
        ("N % C", 1),
        ("-N + 1", -9),
        ("N > C", 1),
        ("N == C", 0),
        ("C if N < C else N", 10),
        ("not N", 0),
        ("minimum(N, C) + maximum(N, C)", 13),
        ("ceildiv(N, C)", 4),
        ("align(N, 8)", 16),
        ("N * itemsize(float16)", 20),
        ("(N - C) * 2", 14),
        ("True + 1", 2),
    ],
)
def test_value(text: str, value: int) -> None:
    size = parse_size(text)
    assert evaluate(size, {"N": 10, "C": 3}) == value
    assert evaluate(simplify(size), {"N": 10, "C": 3}) == value
    assert eval(python(parse_size(text.replace("itemsize(float16)", "2")), _same), {"N": 10, "C": 3}) == value


def test_a_plain_number_is_a_size() -> None:
    assert parse_size(4096) == Size.const(4096)
    assert parse_size("...") == Size.rest()


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("2 * C", "C * 2"),
        ("C + C", "2 * C"),
        ("N + C", "C + N"),
        ("2 * (C + 1)", "2 * C + 2"),
        ("2 * C - C", "C"),
        ("(2 * C) // 2", "C"),
        ("ceildiv(C, 1)", "C"),
        ("align(8 * C, 4)", "8 * C"),
        ("ceildiv(N * C, N)", "ceildiv(C * N, N)"),
        ("minimum(N, C)", "minimum(C, N)"),
        ("N if 1 else C", "N"),
        ("C % 1 + N", "N"),
        ("itemsize(int8) * N", "N"),
        ("N - N", "0"),
    ],
)
def test_equal_sizes_have_one_normal_form(one: str, two: str) -> None:
    assert simplify(parse_size(one)) == simplify(parse_size(two))
    assert difference(parse_size(one), parse_size(two)) == 0


def test_different_sizes_stay_apart() -> None:
    assert simplify(parse_size("N + 1")) != simplify(parse_size("N"))
    assert difference(parse_size("N + 1"), parse_size("N")) == 1
    assert difference(parse_size("N"), parse_size("C")) is None
    assert difference(parse_size("..."), parse_size("N")) is None


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("C", ("C", "1")),
        ("2 * C", ("C", "2")),
        ("C * 2", ("C", "2")),
        ("parts * C", ("C", "parts")),
        ("C * parts", ("C", "parts")),
        ("C + 0", ("C", "1")),
    ],
)
def test_a_symbol_is_bound_by_a_multiple_of_it(text: str, bound: tuple[str, str]) -> None:
    found = binding(parse_size(text))
    assert found == (bound[0], parse_size(bound[1]))


@pytest.mark.parametrize("text", ["4", "k", "N * C", "N + 1", "C // 2", "-C", "...", "2 * k * C", "N if t else C"])
def test_nothing_else_binds_a_symbol(text: str) -> None:
    assert binding(parse_size(text)) is None


def test_names_come_once_in_the_order_of_appearance() -> None:
    size = parse_size("B * H * itemsize(T) + (H if t else B)")
    assert names(size) == ("B", "H", "t")
    assert type_names(size) == ("T",)


def test_names_are_replaced() -> None:
    size = parse_size("N if transpose_b else K * itemsize(T)")
    assert simplify(substitute(size, {"transpose_b": 1})) == Size.name("N")
    assert show(simplify(substitute(size, {"transpose_b": 0, "T": 4}))) == "4 * K"
    assert substitute(size, {"X": 1}) is size


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(N + 1) * C", "(N + 1) * C"),
        ("N + 1 * C", "N + 1 * C"),
        ("ceildiv(N, 1024)", "(N + 1023) / 1024"),
        ("ceildiv(N, C)", "(N + C - 1) / C"),
        ("align(N, 16)", "(N + 15) / 16 * 16"),
        ("N // 2 % C", "N / 2 % C"),
        ("N // (2 * C)", "N / (2 * C)"),
        ("minimum(N, 4096)", "std::min<int64_t>(N, 4096)"),
        ("N if t else K", "t ? N : K"),
        ("(N if t else K) + 1", "(t ? N : K) + 1"),
        ("not N > 1", "!(N > 1)"),
        ("-(-N)", "-(-N)"),
        ("N - (C - 1)", "N - (C - 1)"),
    ],
)
def test_cxx_has_only_the_parentheses_it_needs(text: str, expected: str) -> None:
    assert cxx(parse_size(text), _same) == expected


def test_names_are_renamed_in_other_languages() -> None:
    assert cxx(parse_size("2 * C"), lambda name: f"dims.{name}") == "2 * dims.C"
    assert python(parse_size("minimum(N, C)"), str.lower) == "min(n, c)"


@pytest.mark.parametrize(
    ("text", "rule", "offset", "fix"),
    [
        ("C / 2", "OPG301", 0, "`//`"),
        ("C * 1.5", "OPG301", 4, "integer"),
        ("min(N, C)", "OPG303", 0, "`minimum`"),
        ("ceil_div(N, C)", "OPG303", 0, "`ceildiv`"),
        ("N + sqrt(C)", "OPG303", 4, "one of these"),
        ("a and b", "OPG301", 0, "b if a else 0"),
        ("N ** 2", "OPG301", 0, "product"),
        ("N[0]", "OPG301", 0, ""),
        ("N +", "OPG301", 2, "Complete"),
        ("(N", "OPG301", 0, "`)`"),
        ("N = 3", "OPG301", 0, ""),
        ("", "OPG301", 0, "Write"),
        ("N if t == 'x' else C", "OPG301", 10, "attribute"),
        ("N × 2", "OPG301", 2, "`*`"),
        ("99999999999999999999", "OPG301", 0, "smaller"),
        ("ceildiv(N)", "OPG303", 0, "`ceildiv(a, b)`"),
        ("itemsize(4)", "OPG301", 9, "type"),
        ("a < b < c", "OPG301", 0, "(a < b)"),
    ],
)
def test_what_is_no_size_is_said_with_its_place(text: str, rule: str, offset: int, fix: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_size(text)
    problem = caught.value.problems[0]
    assert (problem.rule, problem.offset) == (rule, offset)
    assert fix in problem.fix


def test_every_problem_of_a_size_is_found() -> None:
    with pytest.raises(FormulaError) as caught:
        parse_size("C / 2 + sqrt(N)")
    assert [(p.rule, p.offset) for p in caught.value.problems] == [("OPG301", 0), ("OPG303", 8)]


@pytest.mark.parametrize("text", ["N // C", "N % C", "ceildiv(N, C)", "align(N, C)"])
def test_division_by_zero_is_an_error(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        evaluate(parse_size(text), {"N": 1, "C": 0})
    assert caught.value.problems[0].rule == "OPG206"


def test_a_name_without_a_value_is_an_error() -> None:
    with pytest.raises(FormulaError, match="`C`"):
        evaluate(parse_size("C + 1"), {"N": 1})
    with pytest.raises(FormulaError):
        evaluate(Size.rest(), {})


def test_values_of_tiling_may_be_floats() -> None:
    assert parse_value(1.5).value == 1.5
    assert show(parse_value("2.5 if N > 4 else -0.5")) == "2.5 if N > 4 else -0.5"
    with pytest.raises(FormulaError):
        parse_size("2.5")


# Expressions at random: `-` before numbers is read into the number, so that trees print and read alike.
_LEAVES = st.one_of(
    st.integers(-5, 9).map(Size.const),
    st.sampled_from(["N", "C", "k"]).map(Size.name),
    st.just(Size("itemsize", (), "int16")),
)
_BINARY = ["add", "sub", "mul", "floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne"]
_SIZES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.builds(
            lambda op, a, b: Size(op, (a, b)),
            st.sampled_from([*_BINARY, "minimum", "maximum", "ceildiv", "align"]),
            inner,
            inner,
        ),
        st.builds(lambda a, b, c: Size("if", (a, b, c)), inner, inner, inner),
        st.builds(lambda a: Size("not", (a,)), inner),
        st.builds(lambda a: Size("neg", (a,)), inner.filter(lambda a: a.op != "const")),
    ),
    max_leaves=12,
)
_ENV = st.fixed_dictionaries({"N": st.integers(1, 50), "C": st.integers(1, 50), "k": st.integers(-4, 4)})


@given(_SIZES, _ENV)
@settings(max_examples=300, deadline=None)
def test_the_normal_form_keeps_the_value(size: Size, env: dict[str, int]) -> None:
    try:
        value = evaluate(size, env)
    except FormulaError:
        return
    normal = simplify(size)
    assert evaluate(normal, env) == value
    assert simplify(normal) == normal


@given(_SIZES)
@settings(max_examples=300, deadline=None)
def test_what_is_shown_reads_back(size: Size) -> None:
    assert parse_size(show(size)) == size


@given(_SIZES, _ENV)
@settings(max_examples=200, deadline=None)
def test_python_text_has_the_same_value(size: Size, env: dict[str, int]) -> None:
    size = substitute(size, {"int16": 2})
    try:
        value = evaluate(size, env)
    except FormulaError:
        return
    divisors = [part.args[1] for part in size.walk() if part.op in ("ceildiv", "align")]
    if any(evaluate(divisor, env) <= 0 for divisor in divisors):
        return  # tiles and alignments are positive; the text rounds up for those only
    assert eval(python(size, _same), dict(env)) == value


@given(st.text(alphabet="NCk0123456789+-*/%()<>=!., ifelsnot\n\"'#\\\x00中", max_size=40))
@settings(max_examples=500, deadline=None)
def test_any_text_is_a_size_or_a_formula_error(text: str) -> None:
    try:
        size = parse_size(text)
    except FormulaError as error:
        assert all(0 <= p.offset <= len(text) and p.length >= 1 for p in error.problems)
    else:
        assert parse_size(show(size)) == size


def test_cxx_agrees_with_evaluate(tmp_path: Path) -> None:
    texts = [
        "(N + 1) * C - N // 3",
        "ceildiv(N, C) * align(C, 16)",
        "minimum(N, 40) + maximum(C, N % 7)",
        "N if t else C * 2",
        "(N > C) + (N != C)",
        "(N if not t else C) % 5",
    ]
    envs = [{"N": 37, "C": 5, "t": 1}, {"N": 4, "C": 64, "t": 0}]
    lines = ["#include <algorithm>", "#include <cstdint>", "#include <iostream>"]
    lines += ["void Print(int64_t N, int64_t C, int64_t t) {"]
    lines += [f'  std::cout << ({cxx(parse_size(text), _same)}) << "\\n";' for text in texts]
    lines += ["}", "int main() {", *(f"  Print({e['N']}, {e['C']}, {e['t']});" for e in envs), "}"]
    source = tmp_path / "sizes.cpp"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wconversion"]
    subprocess.run(["g++", *flags, str(source), "-o", str(tmp_path / "sizes")], check=True)
    output = subprocess.run([tmp_path / "sizes"], check=True, capture_output=True, text=True).stdout
    assert [int(word) for word in output.split()] == [evaluate(parse_size(t), e) for e in envs for t in texts]
