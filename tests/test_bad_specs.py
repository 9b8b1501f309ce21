"""Specs that are refused, and what is said about them. OPGEN_UPDATE=1 writes the expected texts anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from opgen.spec.loader import check
from opgen.spec.rules import RULES
from opgen.text import report
from opgen.text.findings import Finding
from opgen.text.yaml_reader import read
from spec_support import plan_findings

BAD = Path(__file__).parent / "bad"
FOLDERS = sorted(path.name for path in BAD.iterdir())


def findings_of(data: bytes) -> list[Finding]:
    """Everything that is said before files are planned."""
    spec, findings = check(data, "op.yaml")
    document = read(data, "op.yaml")
    return [*findings, *(document.locate(finding) for finding in (plan_findings(spec) if spec else ()))]


@pytest.mark.parametrize("name", FOLDERS)
def test_findings(name: str) -> None:
    data = (BAD / name / "op.yaml").read_bytes()
    findings = findings_of(data)
    text = report.text(findings, {"op.yaml": data.decode()})
    golden = BAD / name / "expected.txt"
    if os.environ.get("OPGEN_UPDATE"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FOLDERS)
def test_each_finding_says_where_what_and_what_to_do(name: str) -> None:
    findings = findings_of((BAD / name / "op.yaml").read_bytes())
    assert findings
    for finding in findings:
        assert finding.place is not None and finding.place.line > 0
        assert finding.what
        assert finding.fix or finding.rule.startswith("OPG0"), finding
        assert finding.rule in RULES


def test_every_rule_about_op_yaml_has_a_refused_spec() -> None:
    said = "".join((BAD / name / "expected.txt").read_text(encoding="utf-8") for name in FOLDERS)
    about_text = [rule for rule in RULES if (rule[3] in "12348" and rule < "OPG820") or rule == "OPG501"]
    assert [rule for rule in about_text if rule not in said] == []
