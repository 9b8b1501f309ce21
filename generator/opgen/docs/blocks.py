"""Markdown as blocks with line numbers: as much of it as comparing two documents needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(\S*)")
_ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)])\s+(.*)$")
_RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$")
_CELL_END = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]*)[^)]*\)")
_SPAN = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)")

BlockKind = Literal["paragraph", "item", "row", "fence", "comment"]


@dataclass(frozen=True)
class Block:
    """kind: of the block; a table gives a row for its header and each line below the rule. line: its first one, from 1.
    text: of a paragraph or item on one line. cells: of a row. table: number of the table that a row is in. info, lines:
    of a fence."""

    kind: BlockKind
    line: int
    text: str = ""
    cells: tuple[str, ...] = ()
    table: int = 0
    info: str = ""
    lines: tuple[str, ...] = ()

    def prose(self) -> tuple[str, ...]:
        """The pieces of prose."""
        return self.cells if self.kind == "row" else (self.text,) if self.kind in ("paragraph", "item") else ()


@dataclass(frozen=True)
class Section:
    """A heading (level 0 before the first one) and the blocks below it, up to the next heading of any level."""

    level: int
    title: str
    line: int
    blocks: list[Block] = field(default_factory=list)

    def of(self, kind: BlockKind) -> list[Block]:
        return [block for block in self.blocks if block.kind == kind]


@dataclass(frozen=True)
class Link:
    label: str
    target: str
    line: int


def sections(text: str) -> list[Section]:
    """The document. The first section has level 0 and may be empty."""
    found = [Section(0, "", 1)]
    lines = text.split("\n")
    number = tables = 0
    while number < len(lines):
        line = lines[number]
        fence = _FENCE.match(line)
        if fence:
            number, block = _fence(lines, number, fence)
            found[-1].blocks.append(block)
        elif heading := _HEADING.match(line):
            found.append(Section(len(heading[1]), heading[2], number + 1))
            number += 1
        elif not line.strip():
            number += 1
        elif line.lstrip().startswith("<!--"):
            found[-1].blocks.append(Block("comment", number + 1, line.strip()))
            while number < len(lines) and "-->" not in lines[number]:
                number += 1
            number += 1
        elif "|" in line and number + 1 < len(lines) and _RULE.match(lines[number + 1]) and "|" in lines[number + 1]:
            tables += 1
            number = _table(lines, number, tables, found[-1].blocks)
        else:
            number, block = _paragraph(lines, number)
            found[-1].blocks.append(block)
    return found


def _fence(lines: list[str], start: int, fence: re.Match[str]) -> tuple[int, Block]:
    indent, mark = len(fence[1]), fence[2]
    end = start + 1
    while end < len(lines) and not re.match(rf"^\s*{re.escape(mark[0])}{{{len(mark)},}}\s*$", lines[end]):
        end += 1
    body = tuple(line[indent:] if not line[:indent].strip() else line for line in lines[start + 1 : end])
    return end + 1, Block("fence", start + 1, info=fence[3], lines=body)


def _table(lines: list[str], start: int, table: int, blocks: list[Block]) -> int:
    number = start
    while number < len(lines) and "|" in lines[number]:
        if number != start + 1:
            inner = lines[number].strip()
            inner = inner[1:] if inner.startswith("|") else inner
            inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
            cells = tuple(cell.strip() for cell in _CELL_END.split(inner))
            blocks.append(Block("row", number + 1, cells=cells, table=table))
        number += 1
    return number


def _paragraph(lines: list[str], start: int) -> tuple[int, Block]:
    item = _ITEM.match(lines[start])
    parts = [item[3] if item else lines[start].strip()]
    number = start + 1
    while number < len(lines) and lines[number].strip() and not _starts(lines[number]):
        parts.append(lines[number].strip())
        number += 1
    return number, Block("item" if item else "paragraph", start + 1, " ".join(parts))


def _starts(line: str) -> bool:
    """Whether the line begins a block of its own."""
    return bool(
        _HEADING.match(line) or _FENCE.match(line) or _ITEM.match(line) or line.lstrip().startswith(("|", "<!--"))
    )


def links(section: Section) -> Iterator[Link]:
    for block in section.blocks:
        for text in block.prose():
            for match in _LINK.finditer(_SPAN.sub(lambda m: " " * len(m[0]), text)):
                yield Link(match[1], match[2], block.line)


def spans(text: str) -> list[str]:
    """The contents of the code spans of a piece of prose."""
    return [match[2].strip() for match in _SPAN.finditer(text)]


def words(text: str) -> str:
    """A piece of prose without code spans, links' targets and HTML."""
    text = _SPAN.sub(" ", text)
    text = _LINK.sub(lambda match: f" {match[1]} ", text)
    return re.sub(r"<[^>]*>|https?://\S+", " ", text)
