"""Texts of two kinds of types with names for the tiles in which they differ: each does what it did, in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opgen.kernel.alike import Alike

BARRIER = 'T.pipe_barrier("v")'
FREE = 'T.set_flag("v", "mte2", EVENT)'
STORED = 'T.wait_flag("mte3", "v", ROW_EVENT)'
BUFFERS = ("x_ub", "y_ub", "work_f32", "work2_f32")

HALF = [
    BARRIER,
    'T.tile.cast(work_f32, x_ub[i % 2, :], "CAST_NONE", tile)',
    FREE,
    "# m = max(x, axis=-1)",
    BARRIER,
    STORED,
    "T.reduce_max(work_f32, row_f32, dim=-1)",
    BARRIER,
    "T.tile.exp(work_f32, work_f32)",
    BARRIER,
    'T.tile.cast(y_ub[i % 2, :], work_f32, "CAST_RINT", tile)',
]
SINGLE = [
    "# m = max(x, axis=-1)",
    STORED,
    "T.reduce_max(x_ub[i % 2, :], row_f32, dim=-1)",
    FREE,
    BARRIER,
    "T.tile.exp(y_ub[i % 2, :], x_ub[i % 2, :])",
]


def named(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, list[str]]]:
    """The texts with names, and what those stand for in each."""
    alike = Alike(first, second, BUFFERS)
    pairs = dict.fromkeys(alike.pairs())
    names = {pair: pair[0] if pair[0] == pair[1] else f"tile{number}" for number, pair in enumerate(pairs)}
    meaning = {name: list(pair) for pair, name in names.items() if name.startswith("tile")}
    return *alike.texts(names), meaning


def plain(text: Sequence[str], meaning: dict[str, list[str]], side: int) -> list[str]:
    """A text with what names stand for in it."""
    return [re.sub(r"\btile\d+\b", lambda match: meaning[match[0]][side], line) for line in text]


def work(text: Sequence[str]) -> list[str]:
    return [line for line in text if line.startswith(("T.tile.", "T.reduce", "T.copy"))]


def barriers(text: Sequence[str]) -> set[int]:
    """In front of which instructions there is one, after the one before."""
    found, number = set(), 0
    for line in text:
        number += line in work([line])
        if line == BARRIER:
            found.add(number)
    return found


def test_what_both_do_is_one_text_with_names_and_the_casts_are_apart() -> None:
    first, second, meaning = named(HALF, SINGLE)
    assert meaning == {"tile0": ["work_f32", "x_ub[i % 2, :]"], "tile1": ["work_f32", "y_ub[i % 2, :]"]}
    assert second == (
        "# m = max(x, axis=-1)",
        BARRIER,
        STORED,
        "T.reduce_max(tile0, row_f32, dim=-1)",
        FREE,
        BARRIER,
        "T.tile.exp(tile1, tile0)",
    )
    assert [line for line in first if line not in second] == [
        'T.tile.cast(tile0, x_ub[i % 2, :], "CAST_NONE", tile)',
        'T.tile.cast(y_ub[i % 2, :], tile1, "CAST_RINT", tile)',
    ]


@pytest.mark.parametrize("side", [0, 1])
def test_a_flag_is_set_where_the_later_sets_it_and_waited_for_where_the_earlier_waits(side: int) -> None:
    late = [BARRIER, "T.reduce_max(x_ub, row_f32, dim=-1)", STORED, "T.tile.exp(y_ub, x_ub)", FREE]
    early = [BARRIER, "T.tile.cast(work_f32, x_ub)", FREE, STORED, "T.reduce_max(work_f32, row_f32, dim=-1)"]
    text = named(early, late)[side]
    order = [line for line in text if line in (FREE, STORED) or "reduce_max" in line]
    assert [line.partition("(")[0] for line in order] == ["T.wait_flag", "T.reduce_max", "T.set_flag"]


LINES = st.lists(
    st.sampled_from(
        [
            BARRIER,
            "T.tile.exp(work_f32, x_ub[i % 2, :])",
            "T.tile.mul(work_f32, work_f32, work2_f32)",
            "T.tile.mul(work2_f32, x_ub[i % 2, :], x_ub[i % 2, :])",
            "T.tile.cast(y_ub[i % 2, :], work_f32)",
            "T.copy(x_ub[i % 2, :], work2_f32)",
            "T.reduce_sum(work_f32, row_f32, dim=-1)",
            "# y = exp(x)",
        ]
    ),
    max_size=8,
)


@given(LINES, LINES, st.tuples(*(st.integers(0, 8) for _ in range(4))))
def test_each_text_does_what_it_did(first: list[str], second: list[str], at: tuple[int, ...]) -> None:
    for text, free, stored in ((first, *at[:2]), (second, *at[2:])):
        text.insert(free, FREE)
        text.insert(stored, STORED)
    *texts, meaning = named(first, second)
    for side, (before, after) in enumerate(zip((first, second), texts, strict=True)):
        text = plain(after, meaning, side)
        assert work(text) == work(before)
        assert barriers(text) >= {number for number in barriers(before) if number < len(work(before))}
        assert text.count(FREE) == text.count(STORED) == 1
        assert len(work(text[: text.index(FREE)])) >= len(work(before[: before.index(FREE)]))
        assert len(work(text[: text.index(STORED)])) <= len(work(before[: before.index(STORED)]))
