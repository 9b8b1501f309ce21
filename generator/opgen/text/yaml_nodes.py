"""The tree of a YAML text, with the place of everything in it, from PyYAML's events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from opgen.text.findings import Finding
from opgen.text.yaml_positions import Positions

Style = Literal["plain", "quoted", "block"]

MAX_DEPTH = 50
MAX_ALIASES = 100
MAX_EXPANDED = 10_000  # nodes that aliases stand for, all together
MAX_FINDINGS = 100  # somebody who gets these has other worries than the next

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Node:
    """A node. start, end: character indices into the text. mark: the indicator of a scalar ('', "'", '"', '|', '>').

    pairs: of a mapping; a key that cannot be used is left out. size: nodes in this tree, aliases expanded.
    """

    kind: Literal["scalar", "mapping", "sequence"]
    start: int
    end: int
    mark: str = ""
    text: str = ""
    flow: bool = False
    items: list[Node] = field(default_factory=list)
    pairs: dict[str, tuple[Node, Node]] = field(default_factory=dict)
    size: int = 1

    @property
    def style(self) -> Style:
        return "plain" if not self.mark else "block" if self.mark in "|>" else "quoted"


class Stopped(Exception):
    """Reading on makes no sense; the findings say why."""


@dataclass(slots=True)
class _Open:
    """A collection whose end has not been seen. key: of a mapping, waiting for its value."""

    node: Node
    anchor: str | None
    key: Node | None = None


class Composer:
    """Builds the tree of the first document; findings hold what YAML allows and op.yaml does not."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._anchors: dict[str, Node | None] = {}
        self._stack: list[_Open] = []
        self._aliases = 0
        self._expanded = 0
        self._documents = 0
        self.root: Node | None = None
        self.findings: list[Finding] = []

    def compose(self) -> None:
        """Reads all events. Raises yaml.YAMLError for a syntax error and Stopped when a bound is passed."""
        for event in self._events():
            if isinstance(event, yaml.DocumentStartEvent):
                self._documents += 1
                if self._documents > 1:
                    self._report(
                        "OPG009",
                        "a second document begins here",
                        _span(event)[0],
                        length=3,
                        why="One op.yaml describes one project.",
                        fix="Put the operators of one library under ops:, and other projects into files of their own.",
                    )
                    return
            elif isinstance(event, yaml.NodeEvent):
                self._node(event)
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                done = self._stack.pop()
                done.node.end = _span(event)[1]
                if done.anchor:
                    self._anchors[done.anchor] = done.node
                if self._stack:
                    self._attach(done.node)

    def _events(self) -> Iterator[Any]:
        loader = _LOADER(self._positions.text)
        try:
            while loader.check_event():
                yield loader.get_event()
        finally:
            loader.dispose()

    def _node(self, event: Any) -> None:
        start, end = _span(event)
        if isinstance(event, yaml.AliasEvent):
            self._attach(self._alias(str(event.anchor), start, end))
            return
        if event.tag is not None:
            self._tag(event, start)
        if isinstance(event, yaml.ScalarEvent):
            start = _skip_properties(self._positions.text, start, end, event)
            node = Node("scalar", start, end, event.style or "", event.value)
            if event.anchor:
                self._anchors[event.anchor] = node
            self._attach(node)
            return
        kind: Literal["mapping", "sequence"] = "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
        node = Node(kind, start, end, flow=bool(event.flow_style))
        if len(self._stack) >= MAX_DEPTH:
            self._report(
                "OPG010", f"nested more than {MAX_DEPTH} deep", start, why="No field of op.yaml nests so deep."
            )
            raise Stopped
        if event.anchor:
            self._anchors[event.anchor] = None
        if not self._stack and self.root is None:
            self.root = node
        self._stack.append(_Open(node, event.anchor))

    def _attach(self, node: Node) -> None:
        if not self._stack:
            self.root = node
            return
        top = self._stack[-1]
        top.node.size += node.size
        if top.node.kind == "sequence":
            top.node.items.append(node)
        elif top.key is None:
            top.key = node
        else:
            key, top.key = top.key, None
            self._pair(top.node, key, node)

    def _pair(self, mapping: Node, key: Node, value: Node) -> None:
        if key.kind != "scalar":
            self._report(
                "OPG001", "a list or mapping stands where a key should", key.start, why="Keys of op.yaml are words."
            )
            return
        length = max(1, key.end - key.start)
        if key.text == "<<" and not key.mark:
            self._report(
                "OPG004",
                "merge key <<",
                key.start,
                length=length,
                why="Merge keys left YAML in version 1.2, and readers differ about them.",
                fix="Write the keys out, or give the whole value by an alias.",
            )
        elif not key.text and not key.mark:
            self._report("OPG001", "no key before ':'", key.start, fix="Write the key, or remove the ':'.")
        elif key.text in mapping.pairs:
            first = self._positions.line(mapping.pairs[key.text][0].start)
            line = self._positions.line(key.start)
            self._report(
                "OPG002",
                f'key "{_short(key.text)}" stands twice in one mapping: line {first} and line {line}',
                key.start,
                length=length,
                why="YAML readers keep one of the two values silently.",
                fix="Remove one of them, or join their values.",
            )
        else:
            mapping.pairs[key.text] = (key, value)

    def _alias(self, name: str, start: int, end: int) -> Node:
        nothing = Node("scalar", start, end)
        length = max(1, end - start)
        if name not in self._anchors:
            self._report(
                "OPG005", f"alias *{_short(name)} without an anchor", start, length=length,
                why="An alias repeats the value that an anchor marked before.",
                fix=f"Mark the value with &{_short(name)} before this line, or put text that begins with * in quotes.",
            )  # fmt: skip
            return nothing
        target = self._anchors[name]
        if target is None:
            self._report(
                "OPG005", f"alias *{_short(name)} stands inside the value that it repeats", start, length=length,
                why="Such a value has no end.", fix="Write the value out.",
            )  # fmt: skip
            return nothing
        self._aliases += 1
        self._expanded += target.size
        if self._aliases > MAX_ALIASES or self._expanded > MAX_EXPANDED:
            self._report(
                "OPG005",
                f"more than {MAX_ALIASES} aliases" if self._aliases > MAX_ALIASES
                else f"aliases that stand for more than {MAX_EXPANDED} nodes",
                start, length=length,
                why="Aliases of aliases grow without bound, so there is a limit.", fix="Write the values out.",
            )  # fmt: skip
            raise Stopped
        return target

    def _tag(self, event: Any, start: int) -> None:
        written = re.compile(r"![^\s,\[\]{}]*").search(self._positions.text, start)
        shown = written.group() if written else event.tag
        self._report(
            "OPG003",
            f"tag {_short(shown)}",
            written.start() if written else start,
            length=len(shown),
            why="op.yaml holds data only; a tag asks the reader to build something else.",
            fix="Remove the tag; quotes make a string.",
        )

    def _report(self, rule: str, what: str, index: int, length: int = 1, why: str = "", fix: str = "") -> None:
        place = self._positions.place(index, length)
        self.findings.append(Finding(rule, what, why=why, fix=fix, length=place.length, place=place))
        if len(self.findings) == MAX_FINDINGS:
            raise Stopped


def _span(event: Any) -> tuple[int, int]:
    return event.start_mark.index, event.end_mark.index


def _skip_properties(text: str, start: int, end: int, event: Any) -> int:
    """The index where a scalar itself begins: anchor and tag stand before it and are counted into the event."""
    while (event.anchor or event.tag) and start < end and text[start] in "&!":
        while start < end and not text[start].isspace():
            start += 1
        while start < end and text[start].isspace():
            start += 1
    return start


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
