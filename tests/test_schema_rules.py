"""The pages of the rules about form: their wrong examples break them, their right examples keep them."""

from __future__ import annotations

import re

import pytest
from opgen.spec.rule import Rule
from opgen.spec.schema import validate
from opgen.spec.schema_rules import SCHEMA_RULES
from opgen.text.findings import Finding
from opgen.text.yaml_reader import read

BASE = {
    "edition": "edition: 1",
    "op": "op: AddCustom",
    "scenario": "scenario: offline",
    "summary": "summary: {en: Adds., zh: 相加。}",
    "dtypes": "dtypes: {T: [float32, float16]}",
    "inputs": "inputs: [{name: x, dtype: T, shape: [N]}]",
    "outputs": "outputs: [{name: z, dtype: T, shape: [N]}]",
    "compute": "compute: z = x",
}


def found(example: str, encoding: str = "utf-8") -> list[Finding]:
    """Findings about an example within a document that is right otherwise."""
    keys = set(re.findall(r"^(\w+):", example, flags=re.MULTILINE))
    rest = "\n".join(line for key, line in BASE.items() if key not in keys)
    document = read(f"{example.rstrip()}\n{rest}\n".encode(encoding), "op.yaml")
    return [*document.findings, *validate(document)]


def test_the_ids_are_there_once_and_in_their_family() -> None:
    ids = [rule.id for rule in SCHEMA_RULES]
    assert len(ids) == len(set(ids))
    assert sorted(ids) == [f"OPG{n:03}" for n in range(1, 22)]


@pytest.mark.parametrize("rule", SCHEMA_RULES, ids=lambda rule: rule.id)
def test_both_languages_say_something(rule: Rule) -> None:
    for text in (rule.title, rule.why):
        assert text.en
        assert re.search("[\u4e00-\u9fff]", text.zh)
    assert not re.search("[\u4e00-\u9fff]", rule.title.en)
    assert rule.why.en.endswith(".")
    assert rule.why.zh.endswith("。")


# Examples that are no parts of an op.yaml's own keys, or that stand for a text which cannot be shown.
_SHOWN_ONLY = {"OPG004", "OPG006", "OPG009", "OPG010", "OPG020"}


@pytest.mark.parametrize("rule", [r for r in SCHEMA_RULES if r.id not in _SHOWN_ONLY], ids=lambda rule: rule.id)
def test_the_wrong_example_breaks_the_rule_and_the_right_one_does_not(rule: Rule) -> None:
    assert rule.id in [f.rule for f in found(rule.wrong)]
    assert found(rule.right) == []


def test_examples_that_stand_for_others() -> None:
    pages = {rule.id: rule for rule in SCHEMA_RULES}
    assert found(f"inputs:\n{pages['OPG004'].wrong}".replace("- {name: x", "- &x {name: x"))[0].rule == "OPG004"
    assert found(f"inputs:\n{pages['OPG004'].right}") == []
    assert found(pages["OPG006"].wrong, "gbk")[0].rule == "OPG006"
    assert found(pages["OPG006"].right) == []
    assert read(pages["OPG009"].wrong.encode(), "op.yaml").findings[0].rule == "OPG009"
    assert read(pages["OPG009"].right.replace(", ...", "").encode(), "op.yaml").findings == ()
    assert found(pages["OPG010"].wrong.replace(" ... ", "[" * 60 + "]" * 60))[0].rule == "OPG010"
    assert found(pages["OPG020"].wrong.split("#")[0].replace("\u2400", "\x01"))[0].rule == "OPG020"
