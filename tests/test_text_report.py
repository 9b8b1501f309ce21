"""Findings in print: for people, for programs, for GitHub."""

from __future__ import annotations

import io
import json

import pytest
from opgen.text.findings import Finding, Place
from opgen.text.report import as_json, github, summary, text, use_colour

SOURCE = "edition: 1\nzh: 加法，dtype: T\n\tx: 1\n"
ERROR = Finding(
    "OPG201", 'unknown type "T"', why="No symbol.", fix="List T.", pointer="/x", place=Place("op.yaml", 2, 8, 5)
)
WARNING = Finding("OPG308", "never read", severity="warning", place=Place("op.yaml", 1, 1, 7))
NOTE = Finding("OPG213", "no golden values", severity="note")


def test_place_rule_excerpt_why_and_fix() -> None:
    assert text([ERROR], {"op.yaml": SOURCE}) == (
        'op.yaml:2:8: error OPG201: unknown type "T"\n'
        "  2 | zh: 加法，dtype: T\n"
        "    |           ^^^^^\n"
        "  why: No symbol.\n"
        "  fix: List T.\n"
        "\n"
        "1 error\n"
    )


def test_wide_characters_take_two_carets() -> None:
    finding = Finding("OPG007", "x", place=Place("op.yaml", 2, 5, 2))
    assert "    |     ^^^^\n" in text([finding], {"op.yaml": SOURCE})


def test_tabs_and_controls_do_not_move_the_caret() -> None:
    finding = Finding("OPG019", "x", place=Place("op.yaml", 3, 1, 1))
    assert "  3 |  x: 1\n    | ^\n" in text([finding], {"op.yaml": SOURCE})
    shown = text([Finding("OPG020", "a\x1b[31mb\nc", place=Place("f", 1, 1))], {"f": "\x1b[31m"})
    assert "\x1b" not in shown
    assert "a\ufffd[31mb c" in shown


def test_a_long_line_is_cut_around_the_place() -> None:
    source = "x" * 500 + "BAD" + "y" * 500
    shown = text([Finding("OPG301", "x", place=Place("f", 1, 501, 3))], {"f": source}).split("\n")
    assert max(map(len, shown)) < 200
    caret = shown[2].index("^")
    assert shown[1][caret : caret + 3] == "BAD"


def test_findings_are_in_order_of_place_and_counted() -> None:
    shown = text([ERROR, NOTE, WARNING], {"op.yaml": SOURCE})
    assert shown.index("OPG213") < shown.index("OPG308") < shown.index("OPG201")
    assert shown.endswith("\n1 error, 1 warning, 1 note\n")


def test_a_finding_without_place_or_source() -> None:
    assert text([NOTE], {}).startswith("note OPG213: no golden values\n")
    assert text([ERROR], {}).startswith('op.yaml:2:8: error OPG201: unknown type "T"\n  why:')
    assert text([Finding("OPG001", "x", place=Place("f", 9, 1))], {"f": "a"}).startswith("f:9:1: error OPG001: x\n\n")


@pytest.mark.parametrize(
    ("findings", "words"),
    [([], "no findings"), ([ERROR] * 3 + [WARNING], "3 errors, 1 warning"), ([WARNING] * 2, "2 warnings")],
)
def test_summary(findings: list[Finding], words: str) -> None:
    assert summary(findings) == words


def test_json() -> None:
    assert json.loads(as_json([ERROR, NOTE])) == {
        "format": 1,
        "findings": [
            {
                "rule": "OPG213",
                "severity": "note",
                "what": "no golden values",
                "why": "",
                "fix": "",
                "pointer": "",
                "file": None,
                "line": None,
                "column": None,
                "length": None,
            },
            {
                "rule": "OPG201",
                "severity": "error",
                "what": 'unknown type "T"',
                "why": "No symbol.",
                "fix": "List T.",
                "pointer": "/x",
                "file": "op.yaml",
                "line": 2,
                "column": 8,
                "length": 5,
            },
        ],
        "errors": 1,
        "warnings": 0,
        "notes": 1,
    }


def test_github() -> None:
    finding = Finding("OPG301", "100% of a\nb", fix="c::d", place=Place("a,b:c.yaml", 3, 4, 2))
    assert github([finding, NOTE]) == (
        "::notice title=OPG213::no golden values\n"
        "::error file=a%2Cb%3Ac.yaml,line=3,col=4,endColumn=5,title=OPG301::100%25 of a%0Ab%0Ac::d\n"
    )
    assert github([]) == ""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_only_on_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert use_colour(Terminal())
    assert not use_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not use_colour(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not use_colour(Terminal())


def test_colour_changes_no_words() -> None:
    import re

    coloured = text([ERROR, WARNING], {"op.yaml": SOURCE}, colour=True)
    assert "\x1b[31;1m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == text([ERROR, WARNING], {"op.yaml": SOURCE})
