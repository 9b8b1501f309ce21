"""Findings in print: for a person, for a program, for GitHub."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterable, Mapping
from typing import IO

from opgen.text.findings import Finding

_COLOURS = {"error": "31", "warning": "33", "note": "36"}
_GITHUB = {"error": "error", "warning": "warning", "note": "notice"}
_MAX_EXCERPT = 160  # columns


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by file, line, column and rule; those without a place come first."""
    return sorted(
        findings,
        key=lambda f: (f.place.file, f.place.line, f.place.column, f.rule) if f.place else ("", 0, 0, f.rule),
    )


def summary(findings: Iterable[Finding]) -> str:
    """ "3 errors, 1 warning"; "no findings" when there are none."""
    counts = {"error": 0, "warning": 0, "note": 0}
    for finding in findings:
        counts[finding.severity] += 1
    parts = [f"{n} {word}{'s' if n > 1 else ''}" for word, n in counts.items() if n]
    return ", ".join(parts) or "no findings"


def text(findings: Iterable[Finding], sources: Mapping[str, str], colour: bool = False) -> str:
    """For a person: a line with the place, the line of the file with a caret below, why and fix; a summary at last.

    sources: the text of each file by the name that places carry; a file that is not among them has no excerpt.
    """
    items = ordered(findings)
    blocks = [_block(finding, sources, colour) for finding in items]
    return "\n".join([*blocks, summary(items)]) + "\n"


def as_json(findings: Iterable[Finding]) -> str:
    """For a program: {"format": 1, "findings": [...], "errors": n, "warnings": n, "notes": n}.

    A finding has rule, severity, what, why, fix, pointer, file, line, column, length; the last four are null without a
    place. Keys and their meaning stay, others may be added.
    """
    items = ordered(findings)
    objects = [
        {
            "rule": f.rule,
            "severity": f.severity,
            "what": f.what,
            "why": f.why,
            "fix": f.fix,
            "pointer": f.pointer,
            "file": f.place.file if f.place else None,
            "line": f.place.line if f.place else None,
            "column": f.place.column if f.place else None,
            "length": f.place.length if f.place else None,
        }
        for f in items
    ]
    counts = {f"{kind}s": sum(f.severity == kind for f in items) for kind in ("error", "warning", "note")}
    return json.dumps({"format": 1, "findings": objects, **counts}, ensure_ascii=False, indent=2) + "\n"


def github(findings: Iterable[Finding]) -> str:
    """For GitHub Actions: one workflow command a finding, nothing when there are none."""
    lines = []
    for f in ordered(findings):
        properties = []
        if f.place:
            end = f.place.column + f.place.length - 1
            properties = [
                f"file={_property(f.place.file)}",
                f"line={f.place.line}",
                f"col={f.place.column}",
                f"endColumn={end}",
            ]
        properties.append(f"title={_property(f.rule)}")
        message = "\n".join(part for part in (f.what, f.why, f.fix) if part)
        lines.append(f"::{_GITHUB[f.severity]} {','.join(properties)}::{_data(message)}\n")
    return "".join(lines)


def use_colour(stream: IO[str]) -> bool:
    """Colour only on a terminal, and not where NO_COLOR is set or the terminal is dumb."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width(line: str) -> int:
    """Columns that a terminal gives a line: wide characters take two, combining ones none."""
    return sum(_columns(c) for c in line)


def _columns(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _block(finding: Finding, sources: Mapping[str, str], colour: bool) -> str:
    place = finding.place
    where = f"{place.file}:{place.line}:{place.column}: " if place else ""
    kind = _paint(f"{finding.severity} {finding.rule}:", _COLOURS[finding.severity] + ";1", colour)
    lines = [f"{where}{kind} {_one_line(finding.what)}"]
    if place and place.file in sources:
        lines += _excerpt(sources[place.file], place.line, place.column, place.length, colour)
    lines += [f"  {word}: {_one_line(part)}" for word, part in (("why", finding.why), ("fix", finding.fix)) if part]
    return "\n".join(lines) + "\n"


def _excerpt(source: str, line: int, column: int, length: int, colour: bool) -> list[str]:
    lines = source.split("\n")
    if line > len(lines):
        return []
    shown = [_visible(c) for c in lines[line - 1]]
    start, stop = min(column - 1, len(shown)), min(column - 1 + length, len(shown))
    first = 0
    while width("".join(shown[first:start])) > _MAX_EXCERPT // 2:
        first += 20
    last = len(shown)
    while width("".join(shown[first:last])) > _MAX_EXCERPT and last > first:
        last -= max(1, (width("".join(shown[first:last])) - _MAX_EXCERPT) // 2)
    stop = min(stop, max(last, start + 1))
    head, tail = "... " if first else "", " ..." if last < len(shown) else ""
    number = str(line)
    bar = f"  {' ' * len(number)} | "
    caret = " " * (len(head) + width("".join(shown[first:start])))
    under = "^" * max(1, width("".join(shown[start:stop])))
    return [f"  {number} | {head}{''.join(shown[first:last])}{tail}", f"{bar}{caret}{_paint(under, '32;1', colour)}"]


def _visible(character: str) -> str:
    if character == "\t":
        return " "
    return "\ufffd" if unicodedata.category(character) in ("Cc", "Cs") else character


def _one_line(words: str) -> str:
    return " ".join("".join(_visible(c) if c != "\n" else " " for c in words).split(" "))


def _paint(words: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{words}\x1b[0m" if colour else words


def _data(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _data(words).replace(":", "%3A").replace(",", "%2C")
