"""opgen explain: a page for every rule, in both languages."""

from __future__ import annotations

import re
import unicodedata

import pytest
from cli_support import Run, run
from conftest import ROOT
from opgen.spec.disk_rules import DISK_RULES
from opgen.spec.repository_rules import REPOSITORY_RULES
from opgen.spec.rules import RULES

__all__ = ["run"]


def test_the_rules_on_disk_are_those_that_speak() -> None:
    rooms = [ROOT / "generator/opgen" / room for room in ("disk", "cli", "project")]
    source = "".join(path.read_text("utf-8") for room in rooms for path in room.glob("*.py"))
    assert {rule.id for rule in (*DISK_RULES, *REPOSITORY_RULES)} == set(re.findall(r"OPG6\d\d", source))


@pytest.mark.parametrize("language", ["en", "zh", "both"])
def test_every_page_has_its_parts(run: Run, language: str) -> None:
    for rule in RULES.values():
        ran = run("explain", rule.id, "--lang", language)
        assert ran.code == 0
        assert (rule.title.en in ran.out) == (language != "zh")
        assert (rule.title.zh in ran.out) == (language != "en")
        for part in (rule.wrong, rule.right):
            assert all(line.strip() in ran.out for line in part.splitlines())
        spoken = ran.out.replace("\n  ", " " if language == "en" else "")
        if language != "both":
            why = rule.why.en if language == "en" else rule.why.zh
            assert re.sub(r"\s", "", why) in re.sub(r"\s", "", spoken)


def test_no_line_of_a_page_is_wider_than_a_terminal(run: Run) -> None:
    for rule in RULES.values():
        for line in run("explain", rule.id, "--lang", "both").out.splitlines():
            if line.startswith("    "):
                continue  # an example
            wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
            assert wide <= 120, line
            assert line == line.rstrip()


def test_ids_are_found_in_any_spelling(run: Run) -> None:
    page = run("explain", "OPG606").out
    assert page.startswith("OPG606: a generated file was edited\n")
    assert run("explain", "opg606").out == run("explain", "606").out == page


def test_an_unknown_id(run: Run) -> None:
    ran = run("explain", "OPG6066")
    assert ran.code == 2
    assert ran.out == ""
    assert 'there is no rule "OPG6066"' in ran.err
    assert "did you mean OPG606?" in ran.err


def test_the_list_of_all_rules(run: Run) -> None:
    lines = run("explain", "--lang", "both").out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(RULES)
