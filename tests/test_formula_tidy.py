"""Formulas for readers: nothing is lost but comments and spaces."""

from __future__ import annotations

import pytest
from formula_cases import OPERATORS
from opgen.formula.syntax import Expr, parse
from opgen.formula.tidy import tidy


def _plain(expr: Expr) -> object:
    """A tree without its places."""
    index = [(entry.op, entry.start, entry.stop) for entry in expr.index]
    options = [(name, _plain(option)) for name, option in expr.options]
    return expr.op, expr.value, [_plain(arg) for arg in expr.args], index, options


def _meaning(source: str) -> list[tuple[str, object]]:
    return [(line.name, _plain(line.value)) for line in parse(source).lines]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("z=x+alpha*y", "z = x + alpha * y"),
        ("z = x  # 中文注释", "z = x"),
        ("y=-x**-2", "y = -x ** -2"),
        ("y = a*-b - -c", "y = a * -b - -c"),
        ("y = ( a+b )*~ ( c|d )", "y = (a + b) * ~(c | d)"),
        ("y = sum( x , axis = -1 )", "y = sum(x, axis=-1)"),
        ("y=x[ ...,None ,: C//2 ]", "y = x[..., None, :C // 2]"),
        ("y = x[:,None,:]", "y = x[:, None, :]"),
        ("y = concat([a,-b],axis=-1)", "y = concat([a, -b], axis=-1)"),
        ("y = a if not t else(b)", "y = a if not t else (b)"),
        ("y = a if s=='#' else b", "y = a if s == '#' else b"),
        ("y = (a\n     + b)", "y = (a + b)"),
        ("y = a \\\n  + b", "y = a + b"),
        ("y = 1e-6*x<=.5", "y = 1e-6 * x <= .5"),
    ],
)
def test_lines_are_tidied(source: str, line: str) -> None:
    assert tidy(source) == (line,)
    assert _meaning(line) == _meaning(source)


@pytest.mark.parametrize("name", OPERATORS)
def test_tidying_keeps_the_meaning(name: str) -> None:
    source, _ = OPERATORS[name]
    crammed = source.replace(", ", ",").replace(" * ", "*").replace(" + ", "+").replace(" = ", "=")
    assert _meaning("\n".join(tidy(crammed))) == _meaning(source)
    assert tidy("\n".join(tidy(crammed))) == tidy(crammed)
