"""Numbers in generated texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opgen.cxx.literals import real
from opgen.text.numbers import shortest


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e-8, "1e-8"), (1.5e-7, "1.5e-7"), (1e16, "1e16"), (0.001, "0.001"), (1.0, "1.0"), (-0.0, "-0.0")],
)
def test_numbers_read_as_if_written_by_hand(value: float, text: str) -> None:
    assert shortest(value) == text
    assert real(value) == f"{text}F"


@given(st.floats(allow_nan=False))
def test_nothing_is_lost(value: float) -> None:
    assert float(shortest(value)) == value
