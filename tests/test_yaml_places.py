"""Every key, value and character of a value has its line and column."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from opgen.text import yaml_nodes
from opgen.text.findings import Finding
from opgen.text.yaml_reader import Document, read

TEXT = """\
edition: 1
summary: {en: "a \\"b\\" \\u52A0 c", zh: '它''s 好'}
dims:
  N: {default: 4096}
inputs:
  - name: x
    shape: [N,
            2 * N]
compute: |
  t = x * 2

    y = t + 1
tail: one
  two
"""


@pytest.fixture(params=["C", "Python"])
def document(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Document:
    if request.param == "Python":
        monkeypatch.setattr(yaml_nodes, "_LOADER", yaml.SafeLoader)
    return read(TEXT.encode(), "op.yaml")


def at(document: Document, pointer: str, offset: int | None = None, key: bool = False) -> tuple[int, int, int]:
    place = document.place(pointer, offset, key=key)
    return place.line, place.column, place.length


def test_values_and_keys(document: Document) -> None:
    assert at(document, "/edition") == (1, 10, 1)
    assert at(document, "/dims/N/default") == (4, 16, 4)
    assert at(document, "/dims/N/default", key=True) == (4, 7, 7)
    assert at(document, "/dims/N", key=True) == (4, 3, 1)
    assert at(document, "/dims/N") == (4, 6, len("{default: 4096}"))
    assert at(document, "/inputs/0/shape/1") == (8, 13, 5)
    assert at(document, "/inputs", key=True) == (5, 1, 6)


def test_a_block_mapping_is_shown_by_its_first_key(document: Document) -> None:
    assert at(document, "/inputs/0") == (6, 5, 4)
    assert at(document, "") == (1, 1, 7)


def test_a_collection_of_several_lines_is_underlined_on_its_first(document: Document) -> None:
    assert at(document, "/inputs/0/shape") == (7, 12, 3)


def test_characters_of_a_plain_scalar(document: Document) -> None:
    assert at(document, "/inputs/0/shape/1", 4) == (8, 17, 1)


def test_characters_of_quoted_scalars(document: Document) -> None:
    value = document.data["summary"]["en"]
    assert value == 'a "b" 加 c'
    line = TEXT.split("\n")[1]
    assert at(document, "/summary/en", value.index("b")) == (2, line.index("b") + 1, 1)
    assert at(document, "/summary/en", value.index("加")) == (2, line.index("\\u52A0") + 1, 1)
    assert at(document, "/summary/en", value.index("c")) == (2, line.index(" c") + 2, 1)
    assert at(document, "/summary/zh", document.data["summary"]["zh"].index("好")) == (2, line.index("好") + 1, 1)


def test_characters_of_a_block(document: Document) -> None:
    value = document.data["compute"]
    assert value == "t = x * 2\n\n  y = t + 1\n"
    assert at(document, "/compute", 0) == (10, 3, 1)
    assert at(document, "/compute", value.index("2")) == (10, 11, 1)
    assert at(document, "/compute", value.index("y")) == (12, 5, 1)
    assert at(document, "/compute") == (9, 10, 1)


def test_characters_of_a_plain_scalar_on_two_lines(document: Document) -> None:
    assert document.data["tail"] == "one two"
    assert at(document, "/tail", 4) == (14, 3, 1)


def test_a_pointer_that_leads_nowhere_gives_what_is_around_it(document: Document) -> None:
    assert at(document, "/inputs/0/dtype") == (6, 5, 4)
    assert at(document, "/dims/M/default") == (4, 3, 1)
    assert at(document, "/nothing") == (1, 1, 7)


def test_length_ends_with_the_line(document: Document) -> None:
    assert document.place("/compute", 8, length=50).length == 1


def test_locate_keeps_a_place_and_adds_a_missing_one(document: Document) -> None:
    found = document.locate(Finding("OPG301", "x", pointer="/compute", offset=4, length=5))
    assert found.place is not None
    assert (found.place.file, found.place.line, found.place.column, found.place.length) == ("op.yaml", 10, 7, 5)
    assert document.locate(found) is found


def test_text_and_style_of_scalars(document: Document) -> None:
    assert document.scalar("/edition") == ("1", "plain")
    assert document.scalar("/summary/en") == ('a "b" 加 c', "quoted")
    assert document.scalar("/compute") == ("t = x * 2\n\n  y = t + 1\n", "block")
    assert document.scalar("/dims") is None
    assert document.scalar("/dims/N/nothing") is None


def test_keys_with_slashes_and_tildes() -> None:
    document = read(b"a/b: {c~d: 1}\n", "op.yaml")
    assert at(document, "/a~1b/c~0d") == (1, 12, 1)


def test_carriage_returns_and_byte_order_marks_change_nothing() -> None:
    plain = read(TEXT.encode(), "op.yaml")
    for data in (TEXT.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + TEXT.encode()):
        other = read(data, "op.yaml")
        assert other.data == plain.data
        assert other.findings == ()
        for pointer in ("/edition", "/summary/zh", "/inputs/0/shape/1", "/compute", "/tail"):
            assert other.place(pointer, 2) == plain.place(pointer, 2)


def test_a_block_with_an_indentation_indicator() -> None:
    document = read(b"a:\n  b: |2\n      x = 1\n     y\n", "op.yaml")
    assert document.data == {"a": {"b": "  x = 1\n y\n"}}
    assert at(document, "/a/b", 2) == (3, 7, 1)
    assert at(document, "/a/b", 9) == (4, 6, 1)


def test_values_behind_anchors_and_aliases() -> None:
    document = read(b"a: &s [N, 4]\nb: *s\nc: &t N\n", "op.yaml")
    assert document.data == {"a": ["N", 4], "b": ["N", 4], "c": "N"}
    assert at(document, "/b/1") == (1, 11, 1)
    assert at(document, "/c") == (3, 7, 1)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("ab =+()[],加，'\"\\", min_size=1, max_size=12), min_size=1, max_size=5),
    st.integers(1, 6),
    st.sampled_from(["|", "|-", "|+"]),
)
def test_each_character_of_a_block_is_found_where_it_stands(lines: list[str], indent: int, mark: str) -> None:
    lines[0] = "x" + lines[0]
    text = f"compute: {mark}\n" + "".join(f"{' ' * indent}{line}\n" for line in lines)
    document = read(text.encode(), "op.yaml")
    value = document.data["compute"]
    source = text.split("\n")
    for offset, character in enumerate(value):
        if character != "\n":
            place = document.place("/compute", offset)
            assert source[place.line - 1][place.column - 1] == character
            assert place.line == 2 + value[:offset].count("\n")


@settings(max_examples=200, deadline=None)
@given(st.text("ab '\"\\\n加:#[", max_size=15), st.sampled_from("'\""))
def test_each_character_of_a_quoted_scalar_is_found_where_it_stands(value: str, quote: str) -> None:
    if quote == "'":
        value = value.replace("\n", " ")
        body = value.replace("'", "''")
    else:
        body = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    text = f"a: [1, {quote}{body}{quote}]"
    document = read(text.encode(), "op.yaml")
    assert document.data == {"a": [1, value]}
    expected = text.index(quote)
    for offset, character in enumerate(value):
        place = document.place("/a/1", offset)
        expected += 1
        assert place.column == expected + 1
        escaped = {"\n": "\\n", "\\": "\\\\", '"': '\\"'} if quote == '"' else {"'": "''"}
        expected += len(escaped.get(character, " ")) - 1
