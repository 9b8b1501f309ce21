"""The plan: every file of a project, complete, before anything is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

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
class Plan:
    """files: in ascending order of their paths, no two alike (also not when case is ignored). spec_hash,
    template_hash: of the input and of the templates, for the lock. findings: warnings and notes about the input."""

    files: tuple[PlannedFile, ...]
    spec_hash: str
    template_hash: str
    version: str
    findings: tuple[Finding, ...] = ()

    def __iter__(self) -> Iterator[PlannedFile]:
        return iter(self.files)
