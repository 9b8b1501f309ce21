"""Texts joined into one: each text does what it did, in order, and what several do stands once."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opgen.kernel.joined import Parts, joined

NAMES = ("has_a", "has_b")
CHOICES = list(itertools.product((True, False), repeat=len(NAMES)))


def condition(parts: Parts, rest: Parts) -> str:
    """As a comparison of everything that tells texts apart."""
    assert not parts & rest
    return f"number in {tuple(sorted(parts))}"


def run(text: list[str], number: int, values: Mapping[str, object] | None = None) -> list[str]:
    """What a text does: names that it says, in order."""
    said: list[str] = []
    scope = {"number": number, "say": said.append, **(values or {})}
    exec("\n".join([*text, "pass"]), scope)
    return said


def test_what_all_have_stands_once_and_the_rest_under_its_condition() -> None:
    whole = ["say('load')", "# scale", "say('mul')", "# shift", "say('add')", "say('store')"]
    without = ["say('load')", "# scale", "say('mul')", "say('store')"]
    assert joined([whole, without], condition) == [
        "say('load')",
        "# scale",
        "say('mul')",
        "if number in (0,):",
        "    # shift",
        "    say('add')",
        "say('store')",
    ]


def test_what_stands_in_place_of_something_else_is_an_else() -> None:
    texts = [["say('a')", f"say('{x}')", "say('z')"] for x in ("b", "c", "d")]
    assert joined(texts, condition) == [
        "say('a')",
        "if number in (0,):",
        "    say('b')",
        "elif number in (1,):",
        "    say('c')",
        "else:",
        "    say('d')",
        "say('z')",
    ]


def test_of_two_the_one_that_holds_comes_first() -> None:
    def half(parts: Parts, rest: Parts) -> str:
        return "not half" if parts == {0} else "half"

    assert joined([["say('a')"], ["say('b')"]], half) == ["if half:", "    say('b')", "else:", "    say('a')"]


def test_suites_are_joined_inside() -> None:
    texts = [
        ["for i in range(2):", "    say('a')", "    if i:", "        say('b')", "    else:", "        say('c')"],
        ["for i in range(2):", "    if i:", "        say('b')", "        say('d')", "    else:", "        say('c')"],
    ]
    text = joined(texts, condition)
    assert sum(line.startswith("for ") for line in text) == 1
    assert [run(text, n) for n in (0, 1)] == [run(t, 0) for t in texts]


def test_a_comment_that_heads_nothing_is_left_out() -> None:
    texts = [["# a", "say('x')"], ["say('x')"], ["# b", "say('x')"]]
    assert joined(texts, condition) == ["say('x')"]


def test_statements_in_brackets_stay_whole() -> None:
    texts = [["say(", "    'a'", ")", "say('z')"], ["if (", "    number", "):", "    say('b')", "say('z')"]]
    text = joined(texts, condition)
    assert [run(text, n) for n in (0, 1)] == [["a", "z"], ["b", "z"]]


WORDS = st.sampled_from("abcd")


@st.composite
def bodies(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """Lines of a suite: statements, comments, loops and branches."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["say", "say", "comment", "for", "if"] if depth < 2 else ["say", "comment"]))
        if kind == "say":
            lines.append(f"say('{draw(WORDS)}')")
        elif kind == "comment":
            lines.append(f"# {draw(WORDS)}")
        elif kind == "for":
            lines += ["for _ in range(2):", *(f"    {line}" for line in draw(bodies(depth=depth + 1)))]
        else:
            first, second = draw(bodies(depth=depth + 1)), draw(bodies(depth=depth + 1))
            lines += ["if True:", *(f"    {line}" for line in first), "else:", *(f"    {line}" for line in second)]
    return [*lines, f"say('{draw(WORDS)}')"]


@given(st.lists(bodies(), min_size=1, max_size=4))
def test_every_text_does_what_it_did(texts: list[list[str]]) -> None:
    text = joined(texts, condition)
    for number, alone in enumerate(texts):
        assert run(text, number) == run(alone, 0)


@given(bodies(), st.integers(1, 4))
def test_equal_texts_are_one(text: list[str], count: int) -> None:
    assert joined([text] * count, condition) == text


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_independent_parts_need_conditions_of_their_own(order: tuple[int, ...]) -> None:
    def text(has: tuple[bool, bool]) -> list[str]:
        return ["say('x')", *(["say('a')"] if has[0] else []), "say('y')", *(["say('b')"] if has[1] else [])]

    choices = [CHOICES[n] for n in order]
    result = joined([text(has) for has in choices], condition)
    assert sum(line.startswith("if ") for line in result) == 2 and len(result) == 6
