"""op.yaml as plain values, with the place of every key, value and character, and everything that is wrong as YAML."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import yaml

from opgen.text.findings import Finding, Place
from opgen.text.yaml_lexical import FORBIDDEN, LOOKALIKE, decode
from opgen.text.yaml_nodes import MAX_FINDINGS, Composer, Node, Stopped, Style
from opgen.text.yaml_positions import Positions, value_index
from opgen.text.yaml_scalars import ambiguous_number, resolve
from opgen.text.yaml_syntax import explain, full_width

MAX_BYTES = 1 << 20
_PROSE = frozenset(("en", "zh", "why"))  # keys whose values are sentences


class Document:
    """A text that was read. data: plain values, None when the text is not one mapping. findings: in order of place.

    A mapping's keys are strings, as written. Where a key stands twice, data has the first value.
    """

    def __init__(self, positions: Positions, root: Node | None, data: Any, findings: list[Finding]) -> None:
        self._positions = positions
        self._root = root
        self.name = positions.name
        self.text = positions.text
        self.data = data
        self.findings = tuple(sorted(findings, key=lambda f: (f.place.line, f.place.column) if f.place else (0, 0)))

    def place(self, pointer: str, offset: int | None = None, length: int = 1, key: bool = False) -> Place:
        """The place of the value at `pointer`, of character `offset` of a scalar, or of the key.

        Without an offset a scalar or a flow collection is underlined as a whole. A pointer that leads nowhere gives the
        place of the nearest value around it.
        """
        key_node, node, _ = self._walk(pointer)
        if node is None:
            return self._positions.place(0)
        if key and key_node is not None:
            return self._whole(key_node)
        if offset is not None and node.kind == "scalar":
            text = self._positions.text
            index = value_index(text, node.start, node.end, node.mark, node.text, offset)
            return self._positions.place(index, length)
        return self._whole(node)

    def locate(self, finding: Finding) -> Finding:
        """The finding with its place, which is kept if it has one."""
        if finding.place is not None:
            return finding
        place = self.place(finding.pointer, finding.offset, finding.length, finding.key)
        return dataclasses.replace(finding, place=place)

    def scalar(self, pointer: str) -> tuple[str, Style] | None:
        """Text and style of the scalar at `pointer`: of a plain one the source text, else the value; None elsewhere."""
        _, node, depth = self._walk(pointer)
        if node is None or node.kind != "scalar" or depth != pointer.count("/"):
            return None
        return node.text, node.style

    def _walk(self, pointer: str) -> tuple[Node | None, Node | None, int]:
        """Key and node at the pointer, or the nearest ones around it; how many steps led there."""
        key: Node | None = None
        node = self._root
        depth = 0
        for step in pointer.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if node is None:
                break
            if node.kind == "mapping" and name in node.pairs:
                key, node = node.pairs[name]
            elif node.kind == "sequence" and name.isdecimal() and int(name) < len(node.items):
                key, node = None, node.items[int(name)]
            else:
                break
            depth += 1
        return key, node, depth

    def _whole(self, node: Node) -> Place:
        if node.kind != "scalar" and not node.flow:
            inner = next(iter(node.pairs.values()))[0] if node.pairs else None
            return self._whole(inner) if inner is not None else self._positions.place(node.start)
        if node.mark and node.mark in "|>":
            return self._positions.place(node.start)
        return self._positions.place(node.start, max(1, node.end - node.start))


def read(data: bytes, name: str) -> Document:
    """Reads op.yaml. Never raises for any bytes: what is wrong is in `findings` of the result."""
    text, undecodable = decode(data[:MAX_BYTES])
    positions = Positions(name, text)
    if len(data) > MAX_BYTES:
        finding = Finding(
            "OPG010",
            f"{len(data)} bytes",
            why=f"An op.yaml is a few kilobytes; more than {MAX_BYTES} are not read.",
            place=positions.place(0),
        )
        return Document(positions, None, None, [finding])
    if undecodable is not None:
        head = text[: len(decode(data[: undecodable.offset])[0])]
        finding = Finding(
            "OPG006",
            f"not UTF-8: the text looks like {undecodable.encoding}",
            why="op.yaml is UTF-8, so that every machine reads the same characters.",
            fix=f"Save the file as UTF-8, for example: {undecodable.fix} FILE > FILE.new",
            place=positions.place(len(head)),
        )
        return Document(positions, None, None, [finding])
    findings = _forbidden(positions)
    if findings:
        positions = Positions(name, FORBIDDEN.sub("\ufffd", text))
    composer = Composer(positions)
    try:
        composer.compose()
    except yaml.YAMLError as error:
        return Document(positions, None, None, [*findings, *composer.findings, explain(error, positions)])
    except Stopped:
        return Document(positions, None, None, [*findings, *composer.findings])
    findings += composer.findings
    root = composer.root
    if root is None or root.kind != "mapping":
        findings.append(_not_a_mapping(root, positions))
        return Document(positions, root, None, findings)
    values = _Values(positions)
    plain = values.of(root, "", "")
    return Document(positions, root, plain, findings + values.findings)


def _not_a_mapping(root: Node | None, positions: Positions) -> Finding:
    empty = root is None or (root.kind == "scalar" and not root.text and not root.mark)
    lookalike = LOOKALIKE.search(positions.text, root.start, root.end) if root and not empty else None
    if lookalike:
        return full_width(positions, lookalike.start())
    fix = 'Begin with "edition: 1" and "op: NAME"; `opgen new NAME` writes a file to start from.'
    if root and root.kind == "scalar" and re.match(r"\w+:\S", root.text):
        fix = "Write KEY: VALUE with a space after ':'."
    what = "an empty file" if empty else "a list" if root and root.kind == "sequence" else "a single value"
    return Finding(
        "OPG009",
        f"{what} instead of a mapping",
        why="op.yaml is one mapping of keys to values.",
        fix=fix,
        place=positions.place(root.start if root else 0),
    )


def _forbidden(positions: Positions) -> list[Finding]:
    found = []
    for match in FORBIDDEN.finditer(positions.text):
        found.append(
            Finding(
                "OPG020",
                f"control character U+{ord(match.group()):04X}",
                why="Control characters are invisible, and YAML allows none but line feed and tab.",
                fix="Remove it; in double quotes it can be written as an escape.",
                place=positions.place(match.start()),
            )
        )
        if len(found) == MAX_FINDINGS:
            break
    return found


class _Values:
    """Turns nodes into plain values and reports scalars that do not say what they seem to say."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._seen: set[int] = set()
        self.findings: list[Finding] = []

    def of(self, node: Node, pointer: str, key: str) -> Any:
        if node.kind == "mapping":
            result = {}
            for name, (key_node, value) in node.pairs.items():
                inner = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
                if not key_node.mark:
                    self._twins(key_node, inner, is_key=True)
                result[name] = self.of(value, inner, name)
            return result
        if node.kind == "sequence":
            return [self.of(item, f"{pointer}/{number}", key) for number, item in enumerate(node.items)]
        if len(self.findings) < MAX_FINDINGS:
            self._scalar(node, pointer, key)
        return node.text if node.mark else resolve(node.text)

    def _scalar(self, node: Node, pointer: str, key: str) -> None:
        if key == "compute" and node.mark == ">":
            self.findings.append(
                Finding(
                    "OPG008",
                    "a folded block (>) for a formula",
                    why="Folding joins lines, and a formula has one assignment a line.",
                    fix="Write | instead of >.",
                    pointer=pointer,
                    place=self._positions.place(node.start),
                )
            )
        if node.mark:
            return
        # The parser of formulas names what it cannot read by itself.
        if key not in _PROSE and key != "compute":
            self._twins(node, pointer)
        ambiguous = ambiguous_number(node.text)
        if ambiguous and id(node) not in self._seen:
            self._seen.add(id(node))
            self.findings.append(
                Finding(
                    "OPG021",
                    ambiguous,
                    why="The same text must be the same number for every reader.",
                    fix="Write the number plainly, or quote it if a string is meant.",
                    pointer=pointer,
                    place=self._positions.place(node.start, node.end - node.start),
                )
            )

    def _twins(self, node: Node, pointer: str, is_key: bool = False) -> None:
        if node.text.isascii() or id(node) in self._seen or len(self.findings) >= MAX_FINDINGS:
            return
        found = LOOKALIKE.search(self._positions.text, node.start, node.end)
        if found:
            self._seen.add(id(node))
            self.findings.append(full_width(self._positions, found.start(), pointer, is_key))
