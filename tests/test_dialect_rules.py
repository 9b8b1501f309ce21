"""The pages of the rules about kernel text: the wrong example breaks the rule, the right one breaks none."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialect_support import HEAD, checked_text, kernel, rules, shown
from opgen.spec.kernel_rules import KERNEL_RULES

PAGES = {rule.id: rule for rule in KERNEL_RULES}
ORDER = ("OPG720", "OPG721", "OPG722", "OPG723", "OPG724", "OPG745")  # in these examples nothing is automatic
PARAMETERS = 'x: T.Tensor((2048,), "float32"), y: T.Tensor((2048,), "float32"), m: T.Tensor((64, 100), "float16")'


def frame(rule: str, example: str) -> str:
    if rule == "OPG746":
        return HEAD + example
    if rule == "OPG732":
        return kernel(example, 'y: T.Tensor((2048,), "float32")', out="[0]")
    return kernel(example, PARAMETERS, configs="None" if rule in ORDER else "AUTO")


@pytest.mark.parametrize("rule", sorted(PAGES))
def test_the_wrong_example_breaks_the_rule_and_no_other(rule: str, tmp_path: Path) -> None:
    assert rules(checked_text(tmp_path, frame(rule, PAGES[rule].wrong))) == {rule}


@pytest.mark.parametrize("rule", sorted(PAGES))
def test_the_right_example_is_accepted(rule: str, tmp_path: Path) -> None:
    assert shown(checked_text(tmp_path, frame(rule, PAGES[rule].right))) == []
