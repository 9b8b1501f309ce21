"""Syntax errors of YAML in words that lead to the repair."""

from __future__ import annotations

import re
from typing import Any

from opgen.text.findings import Finding
from opgen.text.yaml_lexical import LOOKALIKE, describe, twin
from opgen.text.yaml_positions import Positions

# Part of the parser's own message (both of PyYAML's parsers) -> what, fix.
_MESSAGES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("mapping values are not allowed",),
        "a ':' that cannot begin a value here",
        "Indent this key like its neighbours; put a value that contains ': ' in quotes or into a | block.",
    ),
    (
        ("did not find expected key", "expected <block end>", "block end"),
        "indentation that fits no mapping or list around it",
        "Indent the keys of one mapping, and the dashes of one list, equally.",
    ),
    (
        ("did not find expected '-' indicator",),
        "a line that is no item of the list around it",
        "Begin each item with '- ', all dashes in one column.",
    ),
    (
        ("expected ',' or ']'",),
        "a list in [ ] that does not go on with ',' or ']'",
        "Separate items with ',' and close the list with ']'.",
    ),
    (
        ("expected ',' or '}'",),
        "a mapping in { } that does not go on with ',' or '}'",
        "Separate entries with ',' and close the mapping with '}'; quote a value that contains ', ', '}' or ': '.",
    ),
    (
        ("could not find expected ':'",),
        "a line without ': ' where a key is expected",
        "Write KEY: VALUE with a space after ':'.",
    ),
    (("unexpected end of stream",), "a quote that is never closed", "Close the quote."),
    (
        ("unknown escape character", "expected hexdecimal", "expected escape sequence"),
        "an escape that double quotes do not know",
        "Write \\\\ for a backslash, or use single quotes.",
    ),
    (
        ("block sequence entries are not allowed", "sequence entries are not allowed"),
        "a '-' that cannot begin a list item here",
        "Put the list on lines of its own below the key.",
    ),
    (
        ("comment or line break", "expected a comment or a line break"),
        "text behind '|' or '>'",
        "Put the text on the next line, indented below the key.",
    ),
    (
        ("did not find expected node content", "expected the node content"),
        "something that cannot begin a value",
        "Quote the value if it begins with one of , ] } % @ ` & * ! | >.",
    ),
    (("document start", "document indicator"), "text that belongs to no mapping", "Write one mapping only."),
    (("duplicate anchor",), "an anchor that was set before", "Give each anchor a name of its own."),
)  # fmt: skip
# Part of the parser's context -> why.
_AROUND = {
    "flow sequence": "The '[' opened on line {} is not closed before this place.",
    "flow mapping": "The '{{' opened on line {} is not closed before this place.",
    "block mapping": "The mapping that begins on line {} does not fit this line.",
    "block collection": "The list that begins on line {} does not fit this line.",
}


def explain(error: Any, positions: Positions) -> Finding:
    """One finding for a parser's error (yaml.YAMLError)."""
    mark = getattr(error, "problem_mark", None)
    context_mark = getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "text that is not YAML")
    context = str(getattr(error, "context", None) or "")
    text = positions.text
    index = _visible(text, mark.index if mark is not None else 0)
    line_start = text.rfind("\n", 0, index) + 1
    indent = re.compile(r" *\t").match(text, line_start)
    if indent:
        return _at(
            positions,
            indent.end() - 1,
            "OPG019",
            "tab in the indentation",
            why="YAML indents with spaces only, because editors disagree about the width of a tab.",
            fix="Replace the tab with spaces.",
        )
    if "nesting depth" in problem:
        return _at(positions, index, "OPG010", "nested too deep", why="No field of op.yaml is so deep.")
    lookalike = _lookalike(text, line_start)
    if lookalike is not None:
        return full_width(positions, lookalike)
    opened = context_mark.index if context_mark is not None else None
    if "end of stream" in problem and opened is not None:
        index, opened = opened, None
    if "cannot start any token" in problem:
        character = text[index : index + 1]
        what, fix = f"{character!r} cannot begin a value", "Put the value in quotes."
    else:
        what, fix = next(((w, f) for parts, w, f in _MESSAGES if any(p in problem for p in parts)), (problem, ""))
    why = ""
    for part, words in _AROUND.items():
        if part in context and opened is not None:
            why = words.format(positions.line(opened))
    return _at(positions, index, "OPG001", what, why=why, fix=fix)


def full_width(positions: Positions, index: int, pointer: str = "", key: bool = False) -> Finding:
    """The finding about the look-alike of an ASCII character at `index`."""
    character = positions.text[index]
    meant = twin(character)
    return Finding(
        "OPG007",
        f"{describe(character)} outside of a sentence",
        why="It looks like its ASCII twin, but to YAML it is a letter like any other.",
        fix=f"Write {meant} instead."
        if " " in meant or meant == "nothing"
        else f'Type "{meant}" as an ASCII character.',
        pointer=pointer,
        key=key,
        place=positions.place(index),
    )


def _lookalike(text: str, line_start: int) -> int | None:
    """A look-alike that explains why the line at `line_start` cannot be read: on it, or on the line before.

    On the line itself it must stand outside of quotes, comments and Chinese text; the line before is to blame when a
    look-alike is the reason why it has no key.
    """
    line = _unquoted(_line(text, line_start))
    prose = line.find("zh:")
    found = LOOKALIKE.search(line, 0, prose if prose >= 0 else len(line))
    if found:
        return line_start + found.start()
    if line_start == 0:
        return None
    before = text.rfind("\n", 0, line_start - 1) + 1
    line = _unquoted(_line(text, before))
    found = None if re.search(r":(?:\s|$)", line) else LOOKALIKE.search(line)
    return before + found.start() if found else None


def _unquoted(line: str) -> str:
    """The line with quoted strings and a comment blanked out."""
    blanked = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'", lambda m: " " * len(m.group()), line)
    return re.sub(r"(?:^|(?<=\s))#.*", lambda m: " " * len(m.group()), blanked)


def _line(text: str, index: int) -> str:
    start = text.rfind("\n", 0, index) + 1
    end = text.find("\n", index)
    return text[start : len(text) if end < 0 else end]


def _visible(text: str, index: int) -> int:
    """`index`, or the last visible character before it when it stands at the end of the text or of a line."""
    index = max(0, min(index, len(text) - 1))
    if index == len(text) - 1 and text[index : index + 1].isspace():
        return max(0, len(text.rstrip()) - 1)
    return index


def _at(positions: Positions, index: int, rule: str, what: str, why: str = "", fix: str = "") -> Finding:
    return Finding(rule, what, why=why, fix=fix, place=positions.place(index))
