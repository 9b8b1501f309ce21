"""What opgen writes as YAML is read back as the same text."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from opgen.text.yaml_reader import read
from opgen.text.yaml_writer import formula, scalar

_LETTERS = st.text("ab:#,[]{}&*!|>'\"%@`-?\\ \n\t加，：　\x01\x85\u2028\ufeff\U0001f600.0yNo~", max_size=14)


@settings(max_examples=300, deadline=None)
@given(_LETTERS)
@example("no")
@example("y")
@example("910_93")
@example("a: b")
@example("a #b")
@example("将两个张量相加：x，y")
def test_any_text_is_read_back(text: str) -> None:
    document = read(f"a: {scalar(text)}\nzh: {{en: {scalar(text)}}}\nlist: [{scalar(text)}]\n".encode(), "op.yaml")
    expected = text
    assert document.data == {"a": expected, "zh": {"en": expected}, "list": [expected]}
    assert all(f.rule == "OPG007" for f in document.findings)


@pytest.mark.parametrize("text", ["Adds two tensors.", "将两个张量相加。", "add_custom", "Ascend910_9362"])
def test_ordinary_texts_have_no_quotes(text: str) -> None:
    assert scalar(text) == text


@pytest.mark.parametrize("text", ["no", "1.5", "910_93", "", "a: b", "x, y", "it's", "*a", "a\nb", " a"])
def test_others_have(text: str) -> None:
    assert scalar(text).startswith('"')


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("z = x + y", "z = x + y"),
        ("y = x[..., 0:4]\n", "y = x[..., 0:4]"),
        ("y = gelu(x, approximate='tanh')", "y = gelu(x, approximate='tanh')"),
        ("t = x * 2\ny = t + 1\n", "|\n  t = x * 2\n  y = t + 1"),
        ("  t = x\n\n  y = t  # done", "|\n  t = x\n\n  y = t  # done"),
        ("y = x[: , None]", "|\n  y = x[: , None]"),
    ],
)
def test_formulas(text: str, written: str) -> None:
    assert formula(text) == written
    document = read(f"compute: {written}\n".encode(), "op.yaml")
    assert document.findings == ()
    lines = [line.strip() for line in text.strip().split("\n")]
    assert document.data["compute"].rstrip("\n").split("\n") == lines


@settings(max_examples=200, deadline=None)
@given(st.text("ab=x[:, ]#\n*+'\"|&!\t\x01", min_size=1, max_size=20))
def test_any_formula_is_read_back(text: str) -> None:
    lines = [line.strip() for line in text.strip().split("\n")]
    document = read(f"compute: {formula(text)}\n".encode(), "op.yaml")
    assert document.findings == ()
    assert (document.data["compute"] or "").rstrip("\n") == "\n".join(lines)
