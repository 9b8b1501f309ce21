"""Pieces of Markdown that are drawn from data: code spans, tables, trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_BARE_PIPE = re.compile(r"(?<!\\)\|")
_TICKS = re.compile(r"`+")


def code(text: str) -> str:
    """A code span, with a fence longer than any run of back-ticks inside."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def codes(texts: Iterable[str]) -> list[str]:
    return [code(text) for text in texts]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table. Cells are Markdown already; a bare `|`, as in a formula, is escaped."""
    lines = [_row(header), "|" + "---|" * len(header)]
    lines += [_row(row) for row in rows]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_BARE_PIPE.sub(r"\\|", cell) for cell in cells) + " |"


def bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def numbered(items: Iterable[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1))


@dataclass(frozen=True)
class Node:
    """A line of a tree, a comment that is set off to its right, and the lines below it."""

    text: str
    children: tuple[Node, ...] = ()
    comment: str = ""


def node(text: str, *children: Node | None) -> Node:
    """A line and what is below it; None is left out."""
    return Node(text, tuple(child for child in children if child is not None))


def forest(roots: Iterable[Node]) -> str:
    """Trees, one below another with an empty line between."""
    return "\n\n".join(tree(root) for root in roots)


def tree(root: Node) -> str:
    """A tree. Comments stand in one column, four places right of the longest line."""
    lines = list(_lines(root, "", ""))
    column = max((len(text) for text, _ in lines), default=0) + 4
    return "\n".join(f"{text:<{column}}# {comment}" if comment else text for text, comment in lines)


def _lines(item: Node, lead: str, indent: str) -> Iterable[tuple[str, str]]:
    for number, text in enumerate(item.text.split("\n")):
        yield (lead if number == 0 else indent) + text, item.comment if number == 0 else ""
    for child in item.children:
        last = child is item.children[-1]
        yield from _lines(child, indent + ("└── " if last else "├── "), indent + ("    " if last else "│   "))
