"""Every rule has a page, and its examples do what they say."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from opgen.spec.loader import check
from opgen.spec.rules import RULES
from opgen.text.findings import Finding
from opgen.text.yaml_reader import read
from spec_support import plan_findings, spec_text

SOURCES = sorted(Path(__file__).resolve().parents[1].glob("generator/opgen/**/*.py"))
# Examples of the other rules are no parts of a mapping that YAML can read, but broken YAML, READMEs and shell commands;
# the tests of reader, schema, parity and disk have them.
FRAGMENTS = sorted(rule for rule in RULES if (rule[3] in "12348" and rule < "OPG820") or rule == "OPG501")


def findings_of(example: str) -> list[Finding]:
    """What is found when the example replaces parts of a valid op.yaml, planning included."""
    fragment: dict[str, Any] = read(example.encode(), "example").data
    assert fragment is not None, example
    if "kernel" in fragment:
        fragment.setdefault("compute", None)
    spec, findings = check(spec_text(fragment), "op.yaml")
    return [*findings, *(plan_findings(spec) if spec else ())]


def test_every_rule_that_a_finding_names_has_a_page() -> None:
    named = {match for path in SOURCES for match in re.findall(r'"(OPG\d{3})"', path.read_text(encoding="utf-8"))}
    assert named <= set(RULES)


@pytest.mark.parametrize("rule", FRAGMENTS)
def test_the_wrong_example_breaks_the_rule(rule: str) -> None:
    assert rule in [finding.rule for finding in findings_of(RULES[rule].wrong)]


@pytest.mark.parametrize("rule", FRAGMENTS)
def test_the_right_example_is_accepted(rule: str) -> None:
    found = findings_of(RULES[rule].right)
    assert [f"{f.rule} {f.what}" for f in found if f.severity == "error"] == []
    assert rule not in [finding.rule for finding in found]


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_page_speaks_both_languages(rule: str) -> None:
    page = RULES[rule]
    for text in (page.title, page.why):
        assert text.en.strip() and text.zh.strip()
        assert not any(unicodedata.east_asian_width(char) in "WF" for char in re.sub(r"`[^`]*`", "", text.en))
        assert re.search(r"[\u4e00-\u9fff]", text.zh)
    assert page.why.en.endswith(".") and page.why.zh.endswith("。")
    assert page.wrong != page.right
    assert page.wrong.endswith("\n") and page.right.endswith("\n")
