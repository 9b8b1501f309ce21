"""Collects findings: each place and subject once, described as it first happened and counted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from opgen.dialect.places import Spot, place
from opgen.text.findings import Finding, Place, Severity


@dataclass
class _Entry:
    finding: Finding
    where: str
    count: int = 0


class Recorder:
    """where: which core runs now, for messages; set by whoever lets cores run."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str, int, str], _Entry] = {}
        self.complete = True

    def add(
        self,
        rule: str,
        spot: Spot,
        subject: str,
        detail: str = "",
        why: str = "",
        fix: str = "",
        severity: Severity = "error",
        where: str = "",
    ) -> None:
        """subject: what is told apart at one place; detail: what differs from one occurrence to the next."""
        key = (rule, spot.code.co_filename, spot.line, subject)
        entry = self.entries.get(key)
        if entry is None:
            finding = Finding(rule, subject + detail, why, fix, severity, place=place(spot))
            entry = self.entries[key] = _Entry(finding, where)
        entry.count += 1

    @property
    def failed(self) -> bool:
        return any(entry.finding.severity == "error" for entry in self.entries.values())

    def findings(self) -> tuple[Finding, ...]:
        return tuple(_counted(entry) for entry in self.entries.values())


def _counted(entry: _Entry) -> Finding:
    parts = [part for part in (entry.where, f"{entry.count} times" if entry.count > 1 else "") if part]
    if not parts:
        return entry.finding
    return replace(entry.finding, what=f"{entry.finding.what} ({'; '.join(parts)})")


def merged(groups: list[tuple[str, tuple[Finding, ...]]]) -> tuple[Finding, ...]:
    """Findings of several calls, each rule and place once. A group comes with what tells its call from the others."""
    seen: dict[tuple[str, Place | None], Finding] = {}
    for call, findings in groups:
        for finding in findings:
            key = (finding.rule, finding.place)
            if key not in seen:
                seen[key] = replace(finding, what=f"{finding.what} [{call}]") if call else finding
    return tuple(seen.values())
