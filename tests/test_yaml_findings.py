"""Bad YAML: a finding with the place and what to do, never an exception."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from opgen.text import yaml_nodes
from opgen.text.findings import Finding
from opgen.text.yaml_reader import MAX_BYTES, read


@pytest.fixture(params=["C", "Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "Python":
        monkeypatch.setattr(yaml_nodes, "_LOADER", yaml.SafeLoader)


def findings(text: str | bytes) -> tuple[Finding, ...]:
    return read(text if isinstance(text, bytes) else text.encode(), "op.yaml").findings


def only(text: str | bytes, rule: str, line: int, column: int) -> Finding:
    (finding,) = findings(text)
    assert finding.place is not None
    assert (finding.rule, finding.place.line, finding.place.column) == (rule, line, column)
    assert finding.place.file == "op.yaml"
    return finding


# -- syntax (P42) ---------------------------------------------------------------------------------------------------


def test_a_space_too_few() -> None:
    finding = only("dims:\n  N: {default: 4096}\n M: {default: 16}\nop: A\n", "OPG001", 3, 2)
    assert "line 2" in finding.why or "line 1" in finding.why
    assert "Indent" in finding.fix


def test_a_space_too_many() -> None:
    only("op: A\n scenario: offline\n", "OPG001", 2, 10)


def test_an_open_bracket_names_where_it_was_opened() -> None:
    finding = only("inputs: [a,\n  b\nop: A\n", "OPG001", 3, 3)
    assert "line 1" in finding.why
    assert "]" in finding.fix


def test_an_open_quote_is_shown_where_it_begins() -> None:
    finding = only('op: "A\nscenario: offline\n', "OPG001", 1, 5)
    assert "quote" in finding.what


def test_a_colon_in_a_formula() -> None:
    finding = only("compute: y = x if a else b: c\n", "OPG001", 1, 27)
    assert "|" in finding.fix


def test_a_character_that_begins_nothing() -> None:
    finding = only("op: @add\n", "OPG001", 1, 5)
    assert "'@'" in finding.what
    assert "quotes" in finding.fix


def test_no_space_behind_the_first_colon() -> None:
    finding = only("op:AddCustom\n", "OPG009", 1, 1)
    assert "space" in finding.fix


def test_text_behind_the_bar() -> None:
    finding = only("compute: | y = x\n", "OPG001", 1, 12)
    assert "next line" in finding.fix


def test_an_unknown_escape() -> None:
    (finding,) = findings('summary: {en: "a\\q", zh: b}\n')
    assert finding.rule == "OPG001"
    assert finding.place is not None
    assert finding.place.column in (17, 18)  # the backslash or the letter, as the parser has it
    assert "\\\\" in finding.fix


def test_a_tab_in_the_indentation() -> None:
    only("dims:\n\tN: 4\n", "OPG019", 2, 1)
    only("compute: |\n\ty = x\n", "OPG019", 2, 1)


def test_a_key_that_is_a_list() -> None:
    only("? [a, b]\n: 1\n", "OPG001", 1, 3)


# -- duplicates, tags, merge keys, aliases (P37, P41) ---------------------------------------------------------------


def test_a_duplicate_key_names_both_lines_and_keeps_the_first() -> None:
    text = "attrs: [1]\nop: A\nattrs: [2]\n"
    finding = only(text, "OPG002", 3, 1)
    assert '"attrs"' in finding.what
    assert "line 1" in finding.what
    assert "line 3" in finding.what
    assert read(text.encode(), "op.yaml").data["attrs"] == [1]


def test_duplicates_inside_of_flow_mappings_and_quoted_ones() -> None:
    only('inputs: [{name: x, "name": y}]\n', "OPG002", 1, 20)


def test_tags_are_refused_and_build_nothing() -> None:
    finding = only("op: !!python/object/apply:os.system [echo]\n", "OPG003", 1, 5)
    assert "!!python/object/apply:os.system" in finding.what
    assert findings("op: !!str 5\n")[0].rule == "OPG003"
    assert findings("op: !mine {a: 1}\n")[0].rule == "OPG003"


def test_merge_keys_are_refused() -> None:
    finding = only("a: &b {x: 1}\nc:\n  <<: *b\n  y: 2\n", "OPG004", 3, 3)
    assert "alias" in finding.fix
    assert read(b"a: &b {x: 1}\nc:\n  <<: *b\n  y: 2\n", "op.yaml").data["c"] == {"y": 2}


def test_a_quoted_merge_sign_is_a_key_like_any_other() -> None:
    assert read(b'"<<": 1\n', "op.yaml").data == {"<<": 1}


def test_aliases_within_bounds_are_allowed() -> None:
    text = "a: &a {x: 1}\nb: [" + ", ".join(["*a"] * 100) + "]\n"
    document = read(text.encode(), "op.yaml")
    assert document.findings == ()
    assert document.data["b"] == [{"x": 1}] * 100


def test_too_many_aliases() -> None:
    text = "a: &a {x: 1}\nb: [" + ", ".join(["*a"] * 101) + "]\n"
    only(text, "OPG005", 2, 5 + 100 * 4)


def test_an_alias_bomb_is_stopped_before_it_grows() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    (finding,) = findings("\n".join(lines) + "\n")
    assert finding.rule == "OPG005"
    assert "10000" in finding.what


def test_unknown_and_endless_aliases() -> None:
    finding = only("shape: *s\n", "OPG005", 1, 8)
    assert "&s" in finding.fix
    only("a: &a [1, *a]\n", "OPG005", 1, 11)


# -- full-width characters (P38) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "names", "meant"),
    [
        ("op：AddCustom\nscenario: offline\n", 1, 3, "U+FF1A", '":"'),
        ("scenario: offline\nop：AddCustom\n", 2, 3, "U+FF1A", '":"'),
        ("op：AddCustom\n", 1, 3, "U+FF1A", '":"'),
        ("shape: [1，2]\n", 1, 10, "U+FF0C", '","'),
        ("shape: ［1, 2］\n", 1, 8, "U+FF3B", '"["'),
        ("inputs:\n　　name: x\n", 2, 1, "ideographic space", "two spaces"),
        ("op: “AddCustom”\n", 1, 5, "U+201C", '"""'),
        ("inputs:\n  - {name：x, dtype: T}\n", 2, 10, "U+FF1A", '":"'),
        ("inputs:\n  - {name: x， dtype: T}\n", 2, 13, "U+FF0C", '","'),
        ("summary: {en: adds， zh: 相加}\n", 1, 19, "U+FF0C", '","'),
        ("op:\u00a0AddCustom\n", 1, 4, "no-break space", "a space"),
        ("dims: {Ｎ: 4}\n", 1, 8, "U+FF2E", '"N"'),
    ],
)
def test_a_full_width_character_and_its_twin(text: str, line: int, column: int, names: str, meant: str) -> None:
    finding = only(text, "OPG007", line, column)
    assert names in finding.what
    assert meant in finding.fix


@pytest.mark.parametrize(
    "text",
    [
        "summary: {en: a, zh: 将两个张量相加，返回（z）。}\n",
        "zh: “加法”：x，y\n",
        "# 注释：全角，括号（）\nop: A\n",
        'doc: "全角：，（）"\n',
        "note: '全角：，（）'\n",
        "notes:\n  - en: a\n    zh: |\n      第一行，\n      第二行：好。\n",
        "ignore: [{rule: OPG308, why: 保留，以兼容旧图}]\n",
    ],
)
def test_full_width_characters_are_welcome_in_sentences_quotes_and_comments(text: str) -> None:
    assert findings(text) == ()


def test_several_slips_are_found_in_one_run() -> None:
    rules = [f.rule for f in findings("a: [1，2]\nb: 1\nb: 2\nc: !x 1\nd: 012\ne: *f\n")]
    assert rules == ["OPG007", "OPG002", "OPG003", "OPG021", "OPG005"]


# -- blocks, documents, sizes, control characters --------------------------------------------------------------------


def test_a_folded_formula() -> None:
    finding = only("compute: >\n  t = x\n  y = t\n", "OPG008", 1, 10)
    assert "|" in finding.fix
    assert findings("summary: {en: a}\nnotes: >\n  t = x\n  y = t\n") == ()


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a comment\n", "---\n", "~\n", "- a\n- b\n", "AddCustom\n", '"op"\n']
)
def test_what_is_no_mapping(text: str) -> None:
    (finding,) = findings(text)
    assert finding.rule == "OPG009"
    assert finding.place is not None
    assert finding.fix


def test_a_second_document() -> None:
    only("op: A\n---\nop: B\n", "OPG009", 2, 1)
    assert findings("---\nop: A\n...\n") == ()


def test_too_large_and_too_deep() -> None:
    only(b"a: " + b"x" * MAX_BYTES, "OPG010", 1, 1)
    only("a: " + "[" * 60 + "]" * 60 + "\n", "OPG010", 1, 53)
    assert [f.rule for f in findings("[" * 200_000)] == ["OPG010"]


def test_control_characters_are_named_and_the_rest_is_read() -> None:
    text = "op: Add\x01Custom\nb: 1\nb: 2\n"
    first, second = findings(text)
    assert (first.rule, second.rule) == ("OPG020", "OPG002")
    assert "U+0001" in first.what
    assert first.place is not None
    assert (first.place.line, first.place.column) == (1, 8)
    only("a: x\u2028y\n", "OPG020", 1, 5)


# -- encodings ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "name", "line", "column"),
    [
        ("op: A\nsummary: {zh: 将两个张量相加}\n".encode("gbk"), "GBK", 2, 15),
        ("# 加法算子\nop: A\n".encode("gb18030"), "GBK", 1, 3),
        ("op: A\n".encode("utf-16"), "UTF-16", 1, 1),
        ("op: A\nsummary: {zh: 加}\n".encode("utf-16-be"), "UTF-16", 2, 8),
        ("op: caf\xe9\n".encode("latin-1"), "Latin-1", 1, 8),
        ("en: na\xefve\n".encode("latin-1"), "Latin-1", 1, 7),
    ],
)
def test_another_encoding_is_named(data: bytes, name: str, line: int, column: int) -> None:
    (finding,) = findings(data)
    assert finding.rule == "OPG006"
    assert name in finding.what
    assert "iconv" in finding.fix
    assert finding.place is not None
    assert finding.place.line == line
    if name != "UTF-16":
        assert finding.place.column == column


# -- fuzz -----------------------------------------------------------------------------------------------------------

_WORDS = "a - { } [ ] , ' \" | > &a *a !t # ... ? : ： ， 加 1e-5 012 \\ |2 @ ` 0x ~ compute zh: !!binary \U0001f600"
_SPACES = ("b: ", "- ", "  ", "\n", "\t", ", ", "<<: ", "# ", "---\n", ": ", "? ", "%YAML 1.2\n", "\u3000", "\r\n")
_PIECES = st.sampled_from((*_WORDS.split(), *_SPACES, "\0", "\ufeff", "\u2028", "\x85", '"\\x', '"\\ud800"'))


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=60), st.lists(_PIECES, max_size=25).map(lambda parts: "".join(parts).encode())))
@example(b'a: "\\ud800"\n')
@example(b"\xff\xfe")
@example(b"a: &a\nb: *a\n")
@example(b"%TAG ! tag:x,2000:\n--- !a b\n")
@example(b"? |\n  a\n: b\n")
@example(b"a: '\n\n'\n")
def test_no_bytes_make_the_reader_fail(data: bytes) -> None:
    document = read(data, "op.yaml")
    lines = document.text.split("\n")
    for finding in document.findings:
        assert finding.what
        assert finding.place is not None
        assert 1 <= finding.place.line <= len(lines)
        assert 1 <= finding.place.column <= len(lines[finding.place.line - 1]) + 1
    assert document.data is not None or any(f.severity == "error" for f in document.findings)
    for pointer in ("", "/a", "/b/0", "/compute"):
        document.place(pointer, 3)
        document.place(pointer, key=True)
        document.scalar(pointer)


@pytest.mark.parametrize("data", [b"a: 1\n" * 20_000, b"a: [" + b"012," * 20_000 + b"]", b"\x01" * 20_000])
def test_a_file_full_of_slips_is_told_so_a_hundred_times_and_no_more(data: bytes) -> None:
    assert 100 <= len(findings(data)) <= 101
