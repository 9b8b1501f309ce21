"""What a rule says to people."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.formula.signature import Text


@dataclass(frozen=True)
class Rule:
    """A page of `opgen explain`.

    id: "OPG203". title: what is wrong, in one line. why: the fact of YAML, GE, TileLang or the chip behind it, whole
    sentences. wrong, right: the smallest parts of op.yaml that break and keep the rule.
    """

    id: str
    title: Text
    why: Text
    wrong: str
    right: str
