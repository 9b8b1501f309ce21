"""The word that was meant."""

from __future__ import annotations

import pytest
from opgen.facts.dtypes import DTYPES
from opgen.text.suggest import closest

KEYS = ["name", "dtype", "shape", "default", "inputs", "outputs", "multiple_of", "compute", "scenario", "summary"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("inptus", "inputs"),
        ("input", "inputs"),
        ("Inputs", "inputs"),
        ("multipleOf", "multiple_of"),
        ("multiple-of", "multiple_of"),
        ("comptue", "compute"),
        ("senario", "scenario"),
        ("def", "default"),
        ("summary_text", "summary"),
    ],
)
def test_slips_of_keys(word: str, meant: str) -> None:
    assert closest(word, KEYS) == meant


@pytest.mark.parametrize(("word", "meant"), [("folat32", "float32"), ("bfloat", "bfloat16"), ("FLOAT16", "float16")])
def test_slips_of_types(word: str, meant: str) -> None:
    assert closest(word, DTYPES) == meant


@pytest.mark.parametrize("word", ["", "x", "zzz", "quantization", "加法", "n" * 300])
def test_nothing_is_near(word: str) -> None:
    assert closest(word, KEYS) is None


def test_the_order_of_the_known_words_does_not_matter() -> None:
    assert closest("bat", ["cat", "bar", "hat"]) == closest("bat", ["hat", "bar", "cat"]) == "bar"


def test_no_known_words() -> None:
    assert closest("name", []) is None
