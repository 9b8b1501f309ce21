"""The grammar of formulas: what is read, and what is said, and where, when something is not part of it."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from opgen.formula.sizes import show
from opgen.formula.syntax import Expr, Formula, FormulaError, Problem, parse


def _value(source: str) -> Expr:
    formula = parse(f"y = {source}")
    assert [line.name for line in formula.lines] == ["y"]
    return formula.lines[0].value


def _text(expr: Expr) -> str:
    """A tree in full parentheses, to compare with."""
    if expr.op in ("name", "number", "bool", "string"):
        return repr(expr.value) if expr.op == "string" else str(expr.value)
    parts = [_text(arg) for arg in expr.args] + [f"{name}={_text(option)}" for name, option in expr.options]
    return f"({expr.value if expr.op == 'call' else expr.op} {' '.join(parts)})"


def _problems(source: str) -> tuple[Problem, ...]:
    with pytest.raises(FormulaError) as caught:
        parse(source)
    return caught.value.problems


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("a + b * c", "(add a (mul b c))"),
        ("a - b - c", "(sub (sub a b) c)"),
        ("-a ** 2", "(neg (pow a 2))"),
        ("a ** -b", "(pow a (neg b))"),
        ("a ** b ** c", "(pow a (pow b c))"),
        ("a & b | c", "(or (and a b) c)"),
        ("(a < b) & (c >= d)", "(and (lt a b) (ge c d))"),
        ("a & b == c", "(eq (and a b) c)"),
        ("~a | b", "(or (not a) b)"),
        ("a // b % c @ d", "(matmul (mod (floordiv a b) c) d)"),
        ("a / b", "(div a b)"),
        ("a != 1e-5", "(ne a 1e-05)"),
        ("inf", "inf"),
        ("True", "True"),
        ("0x10 + 1_000", "(add 16 1000)"),
        ("a if t else b if u else c", "(if t a (if u b c))"),
        ("a if not t else b", "(if (not t) a b)"),
        ('a if mode == "mean" else b', "(if (eq mode 'mean') a b)"),
        ("a if k != -1 else b", "(if (ne k -1) a b)"),
        ("exp(x)", "(exp x)"),
        ("sum(x, axis=-1)", "(sum x)"),
        ("max(x, -1)", "(max x)"),
        ('gelu(x, approximate="tanh")', "(gelu x approximate='tanh')"),
        ("gelu(x, approximate=mode)", "(gelu x approximate=mode)"),
        ("clip(x, lo=0, hi=6)", "(clip x 0 6)"),
        ("leaky_relu(x, slope=0.1)", "(leaky_relu x 0.1)"),
        ("concat([a, b + c], axis=-1)", "(concat (list a (add b c)))"),
        ("matmul(a, b, transpose_b=t)", "(matmul a b transpose_b=t)"),
        ("cast(x, T)", "(cast x T)"),
        ("cast(x, dtype=int8)", "(cast x int8)"),
    ],
)
def test_precedence_and_calls_are_those_of_python(source: str, tree: str) -> None:
    assert _text(_value(source)) == tree


def test_an_index_keeps_axes_adds_one_and_takes_a_piece() -> None:
    expr = _value("x[..., None, C // 2:2 * C]")
    assert expr.op == "index"
    assert [entry.op for entry in expr.index] == ["rest", "new", "slice"]
    start, stop = expr.index[2].start, expr.index[2].stop
    assert start is not None and stop is not None
    assert (show(start), show(stop)) == ("C // 2", "2 * C")
    assert _value("x[:, :]").index[0].whole


def test_an_index_of_an_index_needs_parentheses() -> None:
    assert [expr.op for expr in parse("y = (x[:, None])[..., :C]").walk()] == ["index", "index", "name"]


def test_arange_takes_an_integer_expression() -> None:
    expr = _value("arange(ceildiv(C, 2))")
    assert show(expr.args[0].value) == "ceildiv(C, 2)"  # type: ignore[arg-type]


def test_every_line_has_its_place() -> None:
    source = "\n# first\nh = x + r  # the sum\n\ny = (h\n     * 2)\n"
    formula = parse(source)
    assert [(line.name, line.offset) for line in formula.lines] == [
        ("h", source.index("h =")),
        ("y", source.index("y =")),
    ]
    value = formula.lines[1].value
    assert source[value.offset : value.offset + value.length] == "h\n     * 2"
    assert formula.source == source


def test_line_ends_of_windows_and_a_continued_line_are_read() -> None:
    formula = parse("h = x \\\r\n  + r\r\ny = h\r\n")
    assert [line.name for line in formula.lines] == ["h", "y"]


def test_a_column_counts_characters_not_bytes() -> None:
    source = 'y = a if s == "求和" else foo(x)'
    problem = _problems(source)[0]
    assert (problem.rule, problem.offset, problem.length) == ("OPG303", source.index("foo"), 3)
    problem = _problems("# 注释\ny = foo(x)")[0]
    assert problem.offset == 9


@pytest.mark.parametrize(
    ("source", "rule", "at", "fix"),
    [
        ("y = a and b", "OPG303", "and", "`(a) & (b)`"),
        ("y = a > 0 or b", "OPG303", "or", "`(a > 0) | (b)`"),
        ("y = max(a, b)", "OPG303", "max(a, b)", "`maximum(a, b)`"),
        ("y = min(a, b + 1)", "OPG303", "min(a, b + 1)", "`minimum(a, b + 1)`"),
        ("y = clamp(x, 0, 1)", "OPG303", "clamp", "`clip`"),
        ("y = expp(x)", "OPG303", "expp", "`exp`"),
        ("y = softmax(x)", "OPG303", "softmax", "exp(x - max(x, axis=-1))"),
        ("y = pow(x, 2)", "OPG303", "pow", "`a ** b`"),
        ("y = np.exp(x)", "OPG303", "np.exp", "`exp(x)`"),
        ("y = sum(x)", "OPG303", "sum(x)", "`sum(x, axis=-1)`"),
        ("y = concat([a, b])", "OPG303", "concat([a, b])", "axis=-1"),
        ("y = sum(x, axis=0)", "OPG303", "0", "axis=-1"),
        ("y = sum(x, axis=k)", "OPG303", "k", "axis=-1"),
        ("y = sum(x, axis=-1, keepdims=True)", "OPG303", "keepdims=True", "Remove"),
        ("y = sum(x, dim=-1)", "OPG303", "dim=-1", "`axis=-1`"),
        ("y = gelu(x, aproximate=mode)", "OPG303", "aproximate=mode", "`approximate`"),
        ("y = exp(x, y)", "OPG303", "y)", ""),
        ("y = exp()", "OPG303", "exp()", "`x`"),
        ("y = clip(x, 0)", "OPG303", "clip(x, 0)", "`hi`"),
        ("y = clip(x, 0, x=1, hi=2)", "OPG303", "x=1", ""),
        ("y = exp(*x)", "OPG303", "*x", ""),
        ("y = exp(**x)", "OPG303", "x)", ""),
        ("y = concat(a, axis=-1)", "OPG303", "a,", "`[a, b]`"),
        ("y = cast(x, 'int8')", "OPG303", "'int8'", "without quotes"),
        ("y = ceildiv(a, b)", "OPG303", "ceildiv", "sizes"),
        ("y = a < b < c", "OPG301", "< c", "`(a < b) & (b < c)`"),
        ("y = a > 0 & b < 1", "OPG301", "< 1", "&"),
        ("y = not a", "OPG301", "not a", "`~`"),
        ("y = a if b < c else d", "OPG301", "b < c", "`where(c, a, b)`"),
        ("y = a if t and u else d", "OPG301", "t and u", "Nest"),
        ("y = x[0]", "OPG301", "0", "`a:b`"),
        ("y = x[..., ::2]", "OPG301", "2", "kernel"),
        ("y = x[0:2][1:2]", "OPG301", "x[0:2][1:2]", "one pair"),
        ("y = x.T", "OPG301", "x.T", "`matmul(a, b, transpose_b=True)`"),
        ("y = x.shape", "OPG301", "x.shape", "`dims`"),
        ("y == x * a", "OPG301", "y == x * a", "`y = x * a`"),
        ("y *= a + b", "OPG301", "y *= a + b", "`t = y * (a + b)`"),
        ("y = sqr(x)", "OPG303", "sqr", "`x * x`"),
        ("y = a ^ b", "OPG301", "a ^ b", "`a ** b`"),
        ("y = a << 1", "OPG301", "a << 1", "power of two"),
        ("y = +a", "OPG301", "+a", "Remove"),
        ("y = (a, b)", "OPG301", "(a, b)", "one value a line"),
        ("y = [a]", "OPG301", "[a]", ""),
        ("y = {a}", "OPG301", "{a}", ""),
        ("y = [i for i in a]", "OPG301", "[i for i in a]", "whole tensors"),
        ("y = lambda: a", "OPG301", "lambda: a", ""),
        ("y = (z := a)", "OPG301", "z := a", "line of its own"),
        ("y = f'{a}'", "OPG301", "f'{a}'", "plain"),
        ("y = 'mean'", "OPG301", "'mean'", ""),
        ("y = None", "OPG301", "None", "`x[:, None, :]`"),
        ("y = 2j", "OPG301", "2j", "real"),
        ("y = b'a'", "OPG301", "b'a'", ""),
        ("y = 1e999", "OPG301", "1e999", "`inf`"),
        ("y = 99999999999999999999", "OPG301", "99999999999999999999", "float"),
        ("y += x", "OPG301", "y += x", "`t = y + x`"),
        ("x + y", "OPG301", "x + y", "`y = x + y`"),
        ("y = z = x", "OPG301", "z", "two lines"),
        ("a, b = x", "OPG301", "a, b", "NAME = expression"),
        ("y[0] = x", "OPG301", "y[0]", "NAME = expression"),
        ("inf = x", "OPG301", "inf", "another name"),
        ("y: int = x", "OPG301", "y: int = x", ""),
        ("import os", "OPG301", "import os", ""),
        ("for i in x: y = i", "OPG301", "for", ""),
        ("y = a; z = b", "OPG301", ";", "line of its own"),
        ("y = a;", "OPG301", ";", "line of its own"),
        ("y = clip(x, lo=a + b, hi=2)", "OPG303", "lo=a + b", "position"),
        ("y = x +", "OPG301", "+", "Complete"),
        ("y = (x + a", "OPG301", "(", "`)`"),
        ("y = x + a)", "OPG301", ")", "Remove `)`"),
        ("y = (x + a]", "OPG301", "]", "`)`"),
        ("y = x && a", "OPG301", "& a", "`&`"),
        ("y = x || a", "OPG301", "| a", "`|`"),
        ("y = !x", "OPG301", "!x", "`~`"),
        ("y = x ? a : b", "OPG301", "?", "if c else"),
        ("y = a if t", "OPG301", "a if t", "`a if c else b`"),
        ("y = a b", "OPG301", "b", "operator"),
        ("y = f(a b)", "OPG301", "a b", "comma"),
        ("y = 08", "OPG301", "08", "digits"),
        ("y = 'a", "OPG301", "'a", "Add '"),
        ("y = x × 2", "OPG301", "×", "`*`"),
        ("y = x ， a", "OPG301", "，", "`,`"),
        ("y = α * x", "OPG301", "α", "ASCII"),
        ("ｙ = x", "OPG301", "ｙ", "`y`"),
        ("y = x\x00", "OPG301", "\x00", "Remove"),
        ("y = x\n  + a", "OPG301", "+ a", "parentheses"),
        ("", "OPG301", "", "`y = ...`"),
        ("# nothing", "OPG301", "", "`y = ...`"),
    ],
)
def test_what_is_not_in_the_grammar_is_said_with_its_place(source: str, rule: str, at: str, fix: str) -> None:
    problem = _problems(source)[0]
    place = source.rindex(at) if at in ("y)", "x)", "a,", "z", "b", "x=1", "0", "2", "k", ")") else source.index(at)
    assert (problem.rule, problem.offset) == (rule, place)
    assert fix in problem.fix
    assert problem.what and problem.why.endswith((".", "?", "!")) and problem.fix.endswith((".", "?", "!"))


def test_blocks_are_named_once_and_what_is_below_them_is_not_read() -> None:
    choice, other = _problems("if alpha > 0:\n  y = x\nelse:\n  y = -x")
    assert (choice.offset, choice.length, other.what) == (0, 2, "`else` is no statement here")
    assert "`where(c, a, b)`" in choice.fix and "`a if s else b`" in choice.fix
    (loop,) = _problems("y = x\nfor i in range(3):\n  y = y * x")
    assert loop.what == "`for` is no statement here" and "whole tensors" in loop.fix


def test_all_lines_are_complained_about_at_once() -> None:
    source = "a = (x\nb = foo(x) + bar(x)\nc = x and x\nd = x +\ny = x"
    assert [(p.rule, p.offset) for p in _problems(source)] == [
        ("OPG301", source.index("(")),
        ("OPG303", source.index("foo")),
        ("OPG303", source.index("bar")),
        ("OPG303", source.index("and")),
        ("OPG301", source.index("+\ny")),
    ]


def test_arguments_of_a_wrong_call_are_looked_at() -> None:
    assert [p.rule for p in _problems("y = foo(x and x)")] == ["OPG303", "OPG303"]


@pytest.mark.parametrize(
    "source",
    [
        "(" * 100_000,
        "y = " + "-" * 3_000 + "x",
        "y = " + "exp(" * 300 + "x" + ")" * 300,
        "y = " + " + ".join("x" * 500),
        "y = " + "9" * 3_900,
        "y = x ** " * 200 + "2",
        "y" * 100_000,
        "y = x\n" * 20_000,
        "\ud800",
        "y = '\udfff'",
        "\x00" * 50,
        "y = '\\",
        "\r\n\r",
        "y = '\\N{BULLET}'",
        "y = '\\x'",
    ],
)
def test_hostile_texts_end_in_a_formula_error(source: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(source)
    assert all(0 <= p.offset <= len(source) for p in caught.value.problems)


def test_a_long_formula_of_reasonable_lines_is_read() -> None:
    source = "\n".join(f"t{i} = x * {i} + exp(x)" for i in range(300))
    assert len(parse(source).lines) == 300


_TOKENS = r"""
y x a = == != < <= + - * / // % @ ** & | ~ ( ) [ ] , : ... None True inf if else not and or 1 2.5 1e9 'a' " # \
exp max maximum concat cast axis=-1 gelu , 中 × ; . := lambda
"""
_WORDS = st.sampled_from([*_TOKENS.split(), "\n", "\t"])


@given(st.one_of(st.text(max_size=60), st.lists(_WORDS, max_size=25).map(" ".join)))
@settings(max_examples=1500, deadline=None)
@example("y = x\x0c")
@example("y = (\n#")
@example("y = 0_")
@example("y = 1if x else 2")
@example("y=x#\r\ry=")
def test_any_text_is_a_formula_or_a_formula_error(source: str) -> None:
    try:
        formula = parse(source)
    except FormulaError as error:
        assert error.problems
        for problem in error.problems:
            assert problem.rule in ("OPG301", "OPG303")
            assert 0 <= problem.offset <= len(source) and problem.length >= 1
            assert problem.what and problem.fix
    else:
        assert isinstance(formula, Formula)
        for line in formula.lines:
            assert source[line.offset : line.offset + line.length] == line.name
