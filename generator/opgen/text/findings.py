"""Findings: what is wrong with an input, as data. Printers are elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Place:
    """A place in a file. Lines and columns count from 1, columns in characters. length: characters to underline."""

    file: str
    line: int
    column: int
    length: int = 1


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    rule: stable id, "OPG203". what: what was found, with the value. why: the fact that makes it wrong. fix: what to
    write instead. pointer: JSON pointer into op.yaml ("/inputs/0/dtype"); offset: characters into the scalar there, for
    places inside a formula; key: the key of the pointer is meant, not its value. place: set by whoever holds the text.
    """

    rule: str
    what: str
    why: str = ""
    fix: str = ""
    severity: Severity = "error"
    pointer: str = ""
    offset: int | None = None
    length: int = 1
    key: bool = False
    place: Place | None = None


class Refused(Exception):
    """The input cannot be used. Carries every finding, errors among them."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("; ".join(f"{f.rule} {f.what}" for f in self.findings))


class CannotWork(Exception):
    """Usage, file system or environment: one line for the user, exit code 2. fix: what to do about it."""

    def __init__(self, message: str, fix: str = "") -> None:
        self.message = message
        self.fix = fix
        super().__init__(message)
