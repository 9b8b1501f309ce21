"""op.yaml against its JSON Schema."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from opgen.spec.schema_fast import Invalid, check
from opgen.text.findings import Finding
from opgen.text.yaml_nodes import MAX_FINDINGS
from opgen.text.yaml_reader import Document
from opgen.text.yaml_scalars import mistaken_for

# Of several findings about one value the first of these says most.
_FIRST = ("OPG012", "OPG015", "OPG017", "OPG018", "OPG016", "OPG013")
_NUMBER_LIKE = frozenset("0123456789+-.")


def validate(document: Document) -> tuple[Finding, ...]:
    """Everything in the document that its schema does not allow, with places, one finding a mistake, 100 at most.

    Empty when the document could not be read at all: its own findings say why. What they are about is not said again.
    """
    if document.data is None:
        return ()
    found = list(_scalars(document, document.data, ""))
    try:
        check(document.data)
    except Invalid:
        from opgen.spec.schema_explain import explain  # imports jsonschema

        found += explain(document) or [Finding("OPG012", "the document does not fit the schema")]
    seen = [f.pointer for f in document.findings if f.pointer]
    best: dict[tuple[str, bool, str], Finding] = {}
    for finding in found:
        if any(finding.pointer == p or finding.pointer.startswith(p + "/") for p in seen):
            continue
        group = "value" if finding.rule in _FIRST else finding.rule + finding.what
        key = (finding.pointer, finding.key, group)
        if key not in best or (group == "value" and _rank(finding) < _rank(best[key])):
            best[key] = finding
    located = [document.locate(f) for f in best.values()]
    located.sort(key=lambda f: (f.place.line, f.place.column) if f.place else (0, 0))
    return tuple(located[:MAX_FINDINGS])


def _rank(finding: Finding) -> int:
    return _FIRST.index(finding.rule)


def _scalars(document: Document, value: Any, pointer: str) -> Iterator[Finding]:
    """Findings about scalars that a schema cannot judge: NaN, and strings that other readers take for numbers."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _scalars(document, inner, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _scalars(document, inner, f"{pointer}/{number}")
    elif isinstance(value, float):
        if math.isnan(value):
            yield Finding(
                "OPG012",
                ".nan is no value of a field",
                why="Nothing compares with it, so neither a default nor a limit can be it.",
                fix="Write a number, or .inf or -.inf where no limit is meant.",
                pointer=pointer,
            )
    elif isinstance(value, str) and value[:1] in _NUMBER_LIKE and value:
        scalar = document.scalar(pointer)
        other = mistaken_for(value)
        if other and scalar and scalar[1] == "plain":
            yield unquoted(pointer, value, other)


def unquoted(pointer: str, text: str, other: str, fix: str = "") -> Finding:
    """The finding about a plain scalar that should have quotes. other: what a reader makes of it."""
    return Finding(
        "OPG013",
        f"{text} without quotes is {other} to a YAML reader",
        why="A string is meant here, and readers of YAML 1.1 and 1.2 do not agree about such text.",
        fix=fix or f'Quote it: "{text}".',
        pointer=pointer,
    )
