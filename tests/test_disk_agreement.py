"""Texts in two languages: when one of them is stale."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from opgen.disk.agreement import Agreement, agree, load_texts, text_hash
from opgen.disk.plan import Pair


def pair(field: str, en: str, zh: str) -> Pair:
    return Pair(field, f"/{field}", en, zh, item=field.startswith("notes"))


def after(first: list[Pair], *then: list[Pair]) -> Agreement:
    """What is known after the texts were, one after another, these."""
    found = agree(first, {}, {})
    for pairs in then:
        found = agree(pairs, found.agreed, load_texts(found.dump()))
    return found


def stale(first: list[Pair], *then: list[Pair]) -> list[tuple[str, str, str | None]]:
    return [(s.pair.field, s.changed, s.before) for s in after(first, *then).stale]


ONE = [pair("summary", "Adds.", "相加。")]
ZH = [pair("summary", "Adds.", "求和。")]
EN = [pair("summary", "Sums.", "相加。")]
BOTH = [pair("summary", "Sums.", "求和。")]


def test_new_texts_agree() -> None:
    assert stale(ONE) == []
    assert stale([], ONE) == []
    assert stale(ONE, [*ONE, pair("notes/0", "A", "甲")]) == []


def test_a_change_of_one_side_makes_the_other_stale_until_it_changes_too() -> None:
    assert stale(ONE, ZH) == [("summary", "zh", "相加。")]
    assert stale(ONE, EN) == [("summary", "en", "Adds.")]
    assert stale(ONE, ZH, ZH) == [("summary", "zh", "相加。")]
    assert stale(ONE, BOTH) == []
    assert stale(ONE, ZH, BOTH) == []
    assert stale(ONE, ZH, BOTH, ZH) == [("summary", "en", "Sums.")]
    assert stale(ONE, ZH, ONE) == []


def test_line_breaks_do_not_count() -> None:
    assert stale([pair("summary", "Adds two.", "甲。")], [pair("summary", "Adds\n  two.\n", "甲。")]) == []


def test_items_of_a_list_are_known_by_their_content() -> None:
    a, b = pair("notes/0", "A", "甲"), pair("notes/1", "B", "乙")
    moved = [pair("notes/0", "B", "乙"), pair("notes/1", "A", "甲")]
    assert stale([a, b], moved) == []
    assert stale([a, b], [pair("notes/0", "B", "乙")]) == []
    assert stale([a, b], [pair("notes/0", "new", "新"), pair("notes/1", "A", "甲"), pair("notes/2", "B", "乙")]) == []
    assert stale([a, b], [pair("notes/0", "B", "丙"), pair("notes/1", "A", "甲")]) == [("notes/0", "zh", "乙")]
    assert stale([a, b], [pair("notes/0", "A2", "甲2"), pair("notes/1", "B", "乙")]) == []


def test_a_renamed_field_stays_stale() -> None:
    first = [pair("inputs/x/doc", "The input.", "输入。")]
    assert stale(
        first, [pair("inputs/x/doc", "The left input.", "输入。")], [pair("inputs/a/doc", "The left input.", "输入。")]
    )


def test_accepted_texts_agree() -> None:
    found = after(ONE, ZH)
    accepted = agree(ZH, found.agreed, found.texts, ["summary"])
    assert accepted.stale == ()
    assert accepted.agreed["summary"] == (text_hash("Adds."), text_hash("求和。"))
    assert agree(BOTH, accepted.agreed, accepted.texts).stale[0].changed == "en"


def test_what_a_text_was_is_not_told_when_nobody_can_know() -> None:
    found = after(ONE)
    for kept in (b"", b"\xff", b"[]", b'{"summary": 1}', b'{"summary": {"en": "Adds.", "zh": "forged"}}'):
        (only,) = agree(ZH, found.agreed, load_texts(kept)).stale
        assert only.before is None


texts = st.sampled_from(["a", "b", "c"])
documents = st.dictionaries(st.sampled_from(["summary", "notes/0", "notes/1", "notes/2"]), st.tuples(texts, texts))


@given(st.lists(documents, min_size=1, max_size=5))
def test_the_same_texts_again_change_nothing(history: list[dict[str, tuple[str, str]]]) -> None:
    pairs = [[pair(field, en, zh) for field, (en, zh) in sorted(document.items())] for document in history]
    found = after(*pairs)
    assert set(found.agreed) == set(found.texts) == {p.field for p in pairs[-1]}
    again = agree(pairs[-1], found.agreed, found.texts)
    assert (again.agreed, again.texts, again.stale) == (found.agreed, found.texts, found.stale)
