"""What the ladder found, in print: a table for a person, JSON and JUnit XML for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from opgen.verify.result import RUNGS, Climbed, Result, as_data

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML 1.0
_WIDTH = max(len(rung) for rung in RUNGS)


def text(everything: Sequence[Climbed]) -> str:
    """A block a project: a row a rung, then what a person needs to see."""
    return "\n".join(_block(climbed) for climbed in everything)


def summary(everything: Sequence[Climbed]) -> str:
    counts = {status: sum(c.count(status) for c in everything) for status in ("passed", "failed", "skipped")}
    told = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    projects = f"{len(everything)} projects: " if len(everything) != 1 else ""
    return f"{projects}{told or 'nothing to do'}"


def as_json(everything: Sequence[Climbed]) -> str:
    """{"format": 1, "projects": [{"project", "scenario", "refused", "asked", "results": [...]}], "passed": n, ...}."""
    data = {"format": 1, "projects": [as_data(climbed) for climbed in everything]}
    counts = {status: sum(c.count(status) for c in everything) for status in ("passed", "failed", "skipped")}
    return json.dumps({**data, **counts}, ensure_ascii=False, indent=2) + "\n"


def as_junit(everything: Sequence[Climbed]) -> str:
    """A test suite a project, a test case a rung."""
    root = ElementTree.Element("testsuites", {"name": "opgen verify", **_counts(everything)})
    for climbed in everything:
        suite = ElementTree.SubElement(root, "testsuite", {"name": _xml(climbed.title), **_counts([climbed])})
        for result in climbed.results:
            _case(suite, climbed, result)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _block(climbed: Climbed) -> str:
    lines = [climbed.title]
    lines += [f"  {r.rung:<{_WIDTH}}  {r.status:<7}  {r.seconds:6.1f} s  {r.summary}" for r in climbed.results]
    for result in climbed.results:
        if result.status != "skipped" and result.details:
            lines += ["", f"  {result.rung}:", *(f"    {line}".rstrip() for line in result.details.split("\n"))]
    return "\n".join(lines) + "\n"


def _counts(everything: Sequence[Climbed]) -> dict[str, str]:
    results = [result for climbed in everything for result in climbed.results]
    return {
        "tests": str(len(results)),
        "failures": str(sum(result.status == "failed" for result in results)),
        "errors": "0",
        "skipped": str(sum(result.status == "skipped" for result in results)),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }


def _case(suite: ElementTree.Element, climbed: Climbed, result: Result) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        {"classname": _xml(climbed.title), "name": result.rung, "time": f"{result.seconds:.3f}"},
    )
    if result.status == "failed":
        failure = ElementTree.SubElement(case, "failure", {"message": _xml(result.summary), "type": result.rung})
        failure.text = _xml(result.details)
    elif result.status == "skipped":
        ElementTree.SubElement(case, "skipped", {"message": _xml(result.summary)})
    else:
        ElementTree.SubElement(case, "system-out").text = _xml(result.summary)


def _xml(words: str) -> str:
    return _FORBIDDEN.sub("\ufffd", words)
