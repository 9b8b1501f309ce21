"""From a character of a text, or of a scalar's value, to line and column."""

from __future__ import annotations

import re
from bisect import bisect_right

from opgen.text.findings import Place

_ESCAPE_LENGTH = {"x": 4, "u": 6, "U": 10}


class Positions:
    """A text and where its lines begin. Lines and columns count from 1."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]

    def line(self, index: int) -> int:
        return bisect_right(self._starts, index)

    def place(self, index: int, length: int = 1) -> Place:
        """The place of a character; length is cut at the end of its line."""
        index = max(0, min(index, len(self.text)))
        line = self.line(index)
        start = self._starts[line - 1]
        end = self.text.find("\n", index)
        end = len(self.text) if end < 0 else end
        return Place(self.name, line, index - start + 1, max(1, min(length, end - index)))


def value_index(text: str, start: int, end: int, mark: str, value: str, offset: int) -> int:
    """The index in `text` of character `offset` of a scalar's value.

    The scalar stands at text[start:end] and mark is its indicator. Where the value cannot be followed back (a folded
    block), the index of the scalar itself.
    """
    if offset <= 0 and mark == "":
        return start
    if mark == "":
        decoded, places = _flow(text, start, end, "")
    elif mark in "'\"":
        decoded, places = _flow(text, start + 1, end - 1, mark)
    elif mark == "|":
        decoded, places = _literal(text, start)
    else:
        return start
    if not decoded.startswith(value) and not value.startswith(decoded):
        return start
    if offset < len(places):
        return places[offset]
    return places[-1] + 1 if places else start


def _flow(text: str, start: int, end: int, mark: str) -> tuple[str, list[int]]:
    """Value and places of a plain or quoted scalar, whose inner line breaks are folded."""
    decoded: list[str] = []
    places: list[int] = []
    at = start
    while at < end:
        character = text[at]
        if character == "\n":
            while places and decoded[-1] in " \t" and text[places[-1]] == decoded[-1]:
                decoded.pop()
                places.pop()
            breaks, first = 0, at
            while at < end and text[at] in " \t\n":
                breaks += text[at] == "\n"
                at += 1
            decoded.extend("\n" * (breaks - 1) or " ")
            places.extend([first] * max(1, breaks - 1))
        elif mark == "'" and text.startswith("''", at):
            decoded.append("'")
            places.append(at)
            at += 2
        elif mark == '"' and character == "\\":
            at = _escape(text, at, end, decoded, places)
        else:
            decoded.append(character)
            places.append(at)
            at += 1
    return "".join(decoded), places


_ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_ESCAPES |= {"e": "\x1b", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}  # others stand for themselves


def _escape(text: str, at: int, end: int, decoded: list[str], places: list[int]) -> int:
    """Reads the escape at `at`; returns the index after it."""
    letter = text[at + 1 : at + 2]
    if letter == "\n":  # an escaped line break joins the lines
        after = at + 2
        while after < end and text[after] in " \t":
            after += 1
        return after
    length = _ESCAPE_LENGTH.get(letter, 2)
    if length > 2:
        code = int(text[at + 2 : at + length], 16)
        decoded.append(chr(code) if code < 0x110000 else "\ufffd")
    else:
        decoded.append(_ESCAPES.get(letter, letter))
    places.append(at)
    return at + length


def _literal(text: str, start: int) -> tuple[str, list[int]]:
    """Value (with every line break kept) and places of a `|` block whose indicator is at `start`."""
    header_end = text.find("\n", start)
    if header_end < 0:
        return "", []
    header = re.match(r"\|[-+]?([1-9])?", text[start:header_end])
    explicit = int(header.group(1)) if header and header.group(1) else None
    indent = _parent_indent(text, start) + explicit if explicit else _first_indent(text, header_end + 1)
    decoded: list[str] = []
    places: list[int] = []
    at = header_end + 1
    while at < len(text):
        line_end = text.find("\n", at)
        line_end = len(text) if line_end < 0 else line_end
        line = text[at:line_end]
        if line.strip(" ") and (len(line) < indent or line[:indent].strip(" ")):
            break
        body = line[indent:]
        decoded.extend(body + "\n")
        places.extend(range(at + indent, at + indent + len(body)))
        places.append(line_end)
        at = line_end + 1
    return "".join(decoded), places


def _first_indent(text: str, at: int) -> int:
    """Spaces before the first line with something on it."""
    found = re.compile(r"(?:[ ]*\n)*([ ]*)").match(text, at)
    return len(found.group(1)) if found else 0


def _parent_indent(text: str, start: int) -> int:
    """Indentation of the mapping that holds the block: spaces and dashes before the key on the indicator's line."""
    line_start = text.rfind("\n", 0, start) + 1
    found = re.match(r"(?:[ ]|-[ ])*", text[line_start:start])
    return len(found.group()) if found else 0
