"""The plan: every file of a project, complete, before anything is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from opgen.text.findings import Finding

Owner = Literal["generated", "once"]


@dataclass(frozen=True)
class PlannedFile:
    """path: relative, with slashes, inside the project. content: UTF-8 text with LF line ends."""

    path: str
    content: str
    owner: Owner = "generated"
    executable: bool = False


@dataclass(frozen=True)
class Pair:
    """A text in two languages. field: its name, "inputs/x/doc". pointer: JSON pointer into the input. item: it is one
    of a list whose items have no names."""

    field: str
    pointer: str
    en: str
    zh: str
    item: bool = False


@dataclass(frozen=True)
class About:
    """What is said of a project where it is one of many. operators: type and name of each. types: element types."""

    operators: tuple[tuple[str, str], ...]
    scenario: str
    types: tuple[str, ...]
    en: str
    zh: str

    def plain(self) -> dict[str, Any]:
        return {
            "operators": [list(names) for names in self.operators],
            "scenario": self.scenario,
            "types": list(self.types),
            "en": self.en,
            "zh": self.zh,
        }

    @staticmethod
    def read(value: Any) -> About:
        """The inverse of `plain`, of values that cannot be trusted. TypeError, ValueError, KeyError."""
        operators = tuple((_string(type_), _string(name)) for type_, name in value["operators"])
        types = tuple(_string(name) for name in value["types"])
        return About(operators, _string(value["scenario"]), types, _string(value["en"]), _string(value["zh"]))


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


@dataclass(frozen=True)
class Plan:
    """files: in ascending order of their paths, no two alike (also not when case is ignored). spec_hash,
    template_hash: of the input and of the templates, for the lock. findings: warnings and notes about the input.
    texts: those that stand in the input in two languages. about: what an overview says of the project."""

    files: tuple[PlannedFile, ...]
    spec_hash: str
    template_hash: str
    version: str
    findings: tuple[Finding, ...] = ()
    texts: tuple[Pair, ...] = ()
    about: About | None = None

    def __iter__(self) -> Iterator[PlannedFile]:
        return iter(self.files)
