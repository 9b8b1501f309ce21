"""Findings while a spec is read: pointers, and the ways in which problems of smaller texts become findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from opgen.formula.problems import FormulaError, Problem
from opgen.formula.sizes import Size, parse_size, parse_value
from opgen.text.findings import Finding, Severity
from opgen.text.suggest import closest


def at(pointer: str, *steps: str | int) -> str:
    """The JSON pointer below `pointer`."""
    return pointer + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A sentence with the nearest known word, else `otherwise`."""
    near = closest(word, known)
    return f"Did you mean `{near}`?" if near else otherwise


def listed(words: Iterable[object], joint: str = "and") -> str:
    """ "`a`, `b` and `c`"."""
    items = [f"`{word}`" for word in words]
    return f" {joint} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


class Collector:
    """Collects findings. `errors` counts those that make the spec unusable. silenced: which ones op.yaml ignores."""

    def __init__(self, silenced: Callable[[Finding], bool] = lambda finding: False) -> None:
        self.findings: list[Finding] = []
        self.errors = 0
        self._silenced = silenced

    def add(
        self,
        rule: str,
        pointer: str,
        what: str,
        why: str = "",
        fix: str = "",
        *,
        severity: Severity = "error",
        offset: int | None = None,
        length: int = 1,
        key: bool = False,
    ) -> None:
        finding = Finding(rule, what, why, fix, severity, pointer, offset, length, key)
        if not self._silenced(finding):
            self.errors += severity == "error"
            self.findings.append(finding)

    def problems(self, pointer: str, problems: Iterable[Problem]) -> None:
        for p in problems:
            self.add(p.rule, pointer, p.what, p.why, p.fix, offset=p.offset, length=p.length)

    def size(self, value: str | int, pointer: str) -> Size | None:
        """An integer expression; None when it is none, which is reported."""
        try:
            return parse_size(value)
        except FormulaError as error:
            self.problems(pointer, error.problems)
            return None

    def tiling_value(self, value: str | int | float, pointer: str) -> Size | None:
        """A value of `tiling`, where floats may stand."""
        try:
            return parse_value(value)
        except FormulaError as error:
            self.problems(pointer, error.problems)
            return None

    def within(self, rule: str, pointer: str, source: object, word: str, what: str, why: str, fix: str) -> None:
        """A finding at a word of a size as written."""
        match = re.search(rf"\b{re.escape(word)}\b", source) if isinstance(source, str) else None
        self.add(rule, pointer, what, why, fix, offset=match.start() if match else None, length=len(word))
