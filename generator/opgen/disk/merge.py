"""Three-way merge of lines: what a person changed since the base, and what the plan changed since the base."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

OURS = "edited by hand"
THEIRS = "generated from op.yaml"

_BEGIN = re.compile(rb"^<{7} ", re.MULTILINE)
_MIDDLE = re.compile(rb"^={7}\r?$", re.MULTILINE)
_END = re.compile(rb"^>{7} ", re.MULTILINE)


@dataclass(frozen=True)
class Merged:
    """conflicts: regions that both sides changed differently, each between markers in `content`."""

    content: bytes
    conflicts: int


def has_markers(content: bytes) -> bool:
    """Whether a conflict, of opgen or of git, is still open in a text."""
    return all(pattern.search(content) for pattern in (_BEGIN, _MIDDLE, _END))


def first_marker(content: bytes) -> int:
    """The line, from 1, of the first marker in a text that has some."""
    match = _BEGIN.search(content)
    return content.count(b"\n", 0, match.start()) + 1 if match else 1


def merge_texts(base: bytes, ours: bytes, theirs: bytes) -> Merged:
    """The text with the changes of both. All three have LF line ends; any bytes are lines of text here."""
    lines: list[bytes] = []
    conflicts = 0
    for region in _regions(base.splitlines(keepends=True), _lines(ours), _lines(theirs)):
        if isinstance(region, _Clash):
            conflicts += 1
            lines += region.marked()
        else:
            lines += region
    return Merged(b"".join(lines), conflicts)


def _lines(text: bytes) -> list[bytes]:
    return text.splitlines(keepends=True)


@dataclass(frozen=True)
class _Clash:
    """What either side has where both changed the same lines."""

    ours: Sequence[bytes]
    theirs: Sequence[bytes]

    def marked(self) -> list[bytes]:
        return [
            f"<<<<<<< {OURS}\n".encode(),
            *_ended(self.ours),
            b"=======\n",
            *_ended(self.theirs),
            f">>>>>>> {THEIRS}\n".encode(),
        ]


def _ended(lines: Sequence[bytes]) -> list[bytes]:
    """Lines before a marker; the last line of a file may lack its end."""
    return [line if line.endswith(b"\n") else line + b"\n" for line in lines]


def _regions(base: Sequence[bytes], ours: Sequence[bytes], theirs: Sequence[bytes]) -> Iterator[list[bytes] | _Clash]:
    """The pieces of the result, in order. Between runs of lines that all three share, a piece comes from the side that
    changed it, or both changed it."""
    at_base = at_ours = at_theirs = 0
    for shared_base, shared_ours, shared_theirs, length in _shared(base, ours, theirs):
        was = base[at_base:shared_base]
        yield from _piece(was, ours[at_ours:shared_ours], theirs[at_theirs:shared_theirs])
        yield list(base[shared_base : shared_base + length])
        at_base, at_ours, at_theirs = shared_base + length, shared_ours + length, shared_theirs + length


def _piece(was: Sequence[bytes], ours: Sequence[bytes], theirs: Sequence[bytes]) -> Iterator[list[bytes] | _Clash]:
    if ours in (was, theirs):
        yield list(theirs)
    elif theirs == was:
        yield list(ours)
    else:
        # What both sides begin and end with is no matter of dispute.
        head = _common(ours, theirs)
        tail = _common(ours[head:][::-1], theirs[head:][::-1])
        yield list(ours[:head])
        yield _Clash(ours[head : len(ours) - tail], theirs[head : len(theirs) - tail])
        yield list(ours[len(ours) - tail :])


def _common(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _shared(
    base: Sequence[bytes], ours: Sequence[bytes], theirs: Sequence[bytes]
) -> Iterator[tuple[int, int, int, int]]:
    """Runs of lines that are in all three texts, in order: where they begin in each, and how many. The last is the end
    of all three, of length zero."""
    mine, other = _matches(base, ours), _matches(base, theirs)
    i = j = 0
    while i < len(mine) and j < len(other):
        (a, a_side, a_length), (b, b_side, b_length) = mine[i], other[j]
        start, end = max(a, b), min(a + a_length, b + b_length)
        if start < end:
            yield start, a_side + start - a, b_side + start - b, end - start
        if a + a_length < b + b_length:
            i += 1
        else:
            j += 1
    yield len(base), len(ours), len(theirs), 0


def _matches(base: Sequence[bytes], side: Sequence[bytes]) -> list[tuple[int, int, int]]:
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(None, base, side, autojunk=False).get_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks if block.size]
