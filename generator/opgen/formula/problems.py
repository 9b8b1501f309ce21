"""What is wrong with a formula or a size, as data, with its place in the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """rule: stable id. what, why, fix: as in a finding. offset, length: characters of the formula or size.

    why and fix are made sentences here, because most of them are put together from parts.
    """

    rule: str
    what: str
    why: str
    fix: str
    offset: int
    length: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "why", _sentence(self.why))
        object.__setattr__(self, "fix", _sentence(self.fix))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) or not text else ".")


class FormulaError(Exception):
    """The text is not a formula or a size. Carries every problem found, in the order of the text."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.offset))
        super().__init__("; ".join(f"{p.rule} {p.what}" for p in self.problems))
