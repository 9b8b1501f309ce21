"""Whether a document in Chinese and one in English say the same (OPG502 to OPG509)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from opgen.docs.blocks import Block, Link, Section, links, sections, spans, words
from opgen.text.findings import Finding, Place

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_FULL_WIDTH = re.compile(r"[\u3000-\u303f\uff01-\uff65\u2018\u2019\u201c\u201d]")
_ENGLISH = re.compile(r"(?:\b[A-Za-z]{2,}\b[ ,]+){3,}\b[A-Za-z]{2,}\b")
_TREE = re.compile(r"^[\s│├└─]*")
_COMMENT = re.compile(r"(?:^|\s)(?:#|//|--)\s")
_PROSE_FENCES = ("", "text", "txt", "markdown", "md")  # these may hold prose; everything else is code


@dataclass(frozen=True)
class Document:
    """name: file name, as findings say it."""

    name: str
    text: str

    @property
    def sections(self) -> list[Section]:
        return sections(self.text)


def check_pair(chinese: Document, english: Document, known: Container[str] | None = None) -> tuple[Finding, ...]:
    """What the two documents do not share, and what is in the wrong language. known: the paths that links may lead to,
    relative to the folder that the documents' names are relative to; None, and beyond that folder: not looked at."""
    zh, en = chinese.sections, english.sections
    findings = [
        *_structure(chinese, zh, english, en),
        *_mixed_english(english, en, chinese.name, _data(zh)),
        *_mixed_chinese(chinese, zh, _data(en)),
        *_untranslated(chinese, zh, en),
    ]
    for document, own, other in ((chinese, zh, english), (english, en, chinese)):
        findings += _links(document, own, other.name, known)
        findings += _empty(document, own)
    return tuple(sorted(findings, key=_order))


def _order(finding: Finding) -> tuple[str, int, str]:
    assert finding.place is not None
    return finding.place.file, finding.place.line, finding.rule


def _finding(rule: str, document: Document, line: int, what: str, why: str, fix: str) -> Finding:
    return Finding(rule, what, why, fix, severity="warning", place=Place(document.name, line, 1))


# Structure


def _structure(chinese: Document, zh: list[Section], english: Document, en: list[Section]) -> Iterator[Finding]:
    for left, right in zip_longest(zh, en):
        if left is None or right is None or left.level != right.level:
            yield _headings(chinese, left, english, right)
            return
    for left, right in zip(zh, en, strict=True):
        yield from _tables(left, english, right)
        yield from _fences(left, english, right)
        items, others = len(left.of("item")), len(right.of("item"))
        if items != others:
            yield _differs("OPG509", english, right.line, f"{others} list items", chinese, left.line, items)


def _headings(chinese: Document, left: Section | None, english: Document, right: Section | None) -> Finding:
    why = "Both documents have the same headings in the same order, so that a reader finds a place in either."
    fix = "Add the heading that is missing, or give both the same level."
    if right is None:
        assert left is not None
        what = f"the heading `{left.title}` has no counterpart in {english.name}"
        return _finding("OPG502", chinese, left.line, what, why, fix)
    there = f"`{left.title}` (level {left.level}, line {left.line})" if left else "nothing"
    what = f"the heading `{right.title}` (level {right.level}) stands where {chinese.name} has {there}"
    return _finding("OPG502", english, right.line, what, why, fix)


def _differs(rule: str, document: Document, line: int, what: str, other: Document, there: int, count: int) -> Finding:
    return _finding(
        rule,
        document,
        line,
        f"{what} here, {count} in {other.name}:{there}",
        "One of the two documents lacks a fact.",
        "Add what is missing, or remove what is gone, in both.",
    )


def _tables(left: Section, english: Document, right: Section) -> Iterator[Finding]:
    shapes = [[len(row.cells) for row in rows] for rows in _by_table(left)]
    found = [[len(row.cells) for row in rows] for rows in _by_table(right)]
    if shapes == found:
        return
    line = right.line
    for number, rows in enumerate(_by_table(right)):
        if number >= len(shapes) or shapes[number] != found[number]:
            line = rows[0].line
            break
    what = f"tables of {_shape(found)} (rows x columns) where the Chinese document has {_shape(shapes)}"
    why = "A row or a column of one language is missing in the other."
    yield _finding("OPG503", english, line, what, why, "Give both tables the same rows and columns.")


def _by_table(section: Section) -> list[list[Block]]:
    tables: dict[int, list[Block]] = {}
    for row in section.of("row"):
        tables.setdefault(row.table, []).append(row)
    return list(tables.values())


def _shape(tables: list[list[int]]) -> str:
    return ", ".join(f"{len(rows)}x{max(rows)}" for rows in tables) or "none"


def _fences(left: Section, english: Document, right: Section) -> Iterator[Finding]:
    zh, en = left.of("fence"), right.of("fence")
    why = "Commands and code are the same in every language; a reader copies them."
    if len(zh) != len(en):
        what = f"{len(en)} code blocks where the Chinese document has {len(zh)}"
        yield _finding("OPG504", english, right.line, what, why, "Add the block that is missing.")
        return
    for first, second in zip(zh, en, strict=True):
        if first.info != second.info:
            what = f"a code block of `{second.info}` where the Chinese document has one of `{first.info}`"
            yield _finding("OPG504", english, second.line, what, why, "Name the same language.")
        yield from _fence(first, english, second, why)


def _fence(first: Block, english: Document, second: Block, why: str) -> Iterator[Finding]:
    prose = first.info in _PROSE_FENCES
    for number, (zh, en) in enumerate(zip_longest(first.lines, second.lines), start=second.line + 1):
        if zh is None or en is None or not _same_line(zh, en, prose):
            what = f"`{(en or '').strip()}` where the Chinese document has `{(zh or '').strip()}`"
            yield _finding("OPG504", english, number, what, why, "Make the lines equal; only comments are translated.")
            return


def _same_line(zh: str, en: str, prose: bool) -> bool:
    """Whether two lines of code are the same but for a comment, or two lines of prose have the same place in a tree."""
    if zh == en or not _HAN.search(zh):
        return zh == en
    (code, comment), (other, translated) = _split(zh), _split(en)
    if comment and translated:
        return code.rstrip() == other.rstrip()
    return prose and _prefix(zh) == _prefix(en)


def _prefix(line: str) -> str:
    match = _TREE.match(line)
    return match[0] if match else ""


# Languages


def _data(found: list[Section]) -> set[str]:
    """Lines of code with Chinese in their data, such as a text in both languages. Comments are no data."""
    blocks = (block for section in found for block in section.of("fence") if block.info not in _PROSE_FENCES)
    return {line for block in blocks for line in block.lines if not _HAN.search(_split(line)[1])}


def _split(line: str) -> tuple[str, str]:
    """A line of code, and its comment."""
    comment = _COMMENT.search(line)
    return (line[: comment.start()], line[comment.start() :]) if comment else (line, "")


def _mixed_english(document: Document, found: list[Section], other: str, shared: set[str]) -> Iterator[Finding]:
    for section in found:
        switches = {link.label for link in links(section) if _below(document.name, link.target) == other}
        for line, text in _pieces(section):
            if text in shared:
                continue
            for label in switches:
                text = text.replace(label, "")
            if match := _HAN.search(text):
                what = f"Chinese in the English document: `{_around(text, match)}`"
                yield _finding("OPG506", document, line, what, "Its readers cannot read it.", "Translate it.")
            elif match := _FULL_WIDTH.search(text):
                what = f"full-width punctuation in the English document: `{match.group()}`"
                why = "It comes from a Chinese input method and breaks the spacing of Latin text."
                yield _finding("OPG508", document, line, what, why, "Write ASCII punctuation.")


def _pieces(section: Section) -> Iterator[tuple[int, str]]:
    """Everything that is written in a section, with lines."""
    yield section.line, section.title
    for block in section.blocks:
        if block.kind == "fence":
            yield from enumerate(block.lines, start=block.line + 1)
        else:
            yield block.line, " ".join(block.prose())


def _mixed_chinese(document: Document, found: list[Section], shared: set[str]) -> Iterator[Finding]:
    for section in found:
        for block in section.blocks:
            if block.kind == "fence":
                yield from _full_width_code(document, block, shared)
                continue
            for text in block.prose():
                prose = words(text)
                if not _HAN.search(prose) and (match := _ENGLISH.search(prose)):
                    what = f"no Chinese in the Chinese document: `{match.group()}`"
                    yield _finding("OPG507", document, block.line, what, "Its readers expect Chinese.", "Translate it.")
                for span in spans(text):
                    if not _HAN.search(span) and (sign := _FULL_WIDTH.search(span)):
                        yield _full_width(document, block.line, sign.group())


def _full_width_code(document: Document, block: Block, shared: set[str]) -> Iterator[Finding]:
    for number, line in enumerate(block.lines, start=block.line + 1):
        code = _split(line)[0]
        prose = block.info in _PROSE_FENCES and _HAN.search(code)
        if not prose and line not in shared and (sign := _FULL_WIDTH.search(code)):
            yield _full_width(document, number, sign.group())


def _full_width(document: Document, line: int, sign: str) -> Finding:
    why = "Compilers and shells know ASCII punctuation only."
    return _finding(
        "OPG508", document, line, f"full-width punctuation in code: `{sign}`", why, "Write ASCII punctuation."
    )


def _untranslated(document: Document, zh: list[Section], en: list[Section]) -> Iterator[Finding]:
    """Long texts that are the same in both languages, though some Chinese may be in them."""
    english = {text for section in en for block in section.blocks for text in block.prose()}
    for section in zh:
        for block in section.blocks:
            for text in block.prose():
                prose = words(text)
                if text in english and _HAN.search(prose) and len(prose.strip()) >= 12:
                    what = f"the same text in both languages: `{text[:40]}`"
                    yield _finding(
                        "OPG507", document, block.line, what, "One of them is not translated.", "Translate it."
                    )


def _around(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 10) : match.end() + 10].strip()


# Links


def _links(document: Document, found: list[Section], other: str, known: Container[str] | None) -> Iterator[Finding]:
    anchors = {anchor(section.title) for section in found}
    for section in found:
        for link in links(section):
            if "://" in link.target or link.target.startswith("mailto:"):
                continue
            problem = _wrong(link, document.name, other, anchors, known)
            if problem:
                why = "A reader who follows it ends in the wrong language or nowhere."
                yield _finding(
                    "OPG505", document, link.line, f"the link to `{link.target}` {problem}", why, "Correct it."
                )


def _wrong(link: Link, own: str, other: str, anchors: set[str], known: Container[str] | None) -> str:
    """What is wrong with a link, or ""."""
    path, _, fragment = link.target.partition("#")
    if not path:
        return "" if fragment in anchors else "names no heading of this document"
    inside = _below(own, path)
    if inside != other and posixpath.basename(path) == posixpath.basename(other) != posixpath.basename(own):
        return "leads to the other language"
    folder = "zh" if own.endswith(("_en.md", ".en.md")) or other.endswith("_zh.md") else "en"
    if folder in path.split("/"):
        return "leads to the other language"
    if known is not None and not inside.startswith("..") and inside not in known:
        return "leads to no file"
    return ""


def _below(own: str, path: str) -> str:
    """Where a link of a document leads, relative to what the document's name is relative to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(own), path))


def anchor(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"[^\w\- ]", "", title.replace("`", "").lower())
    return text.replace(" ", "-")


# Emptiness


def _empty(document: Document, found: list[Section]) -> Iterator[Finding]:
    why = "A reader looks for something that is not there."
    for section, following in zip_longest(found, found[1:]):
        ends = following is None or following.level <= section.level
        if section.level > 0 and not section.blocks and ends:
            what = f"nothing stands below the heading `{section.title}`"
            yield _finding("OPG509", document, section.line, what, why, "Write the section, or remove the heading.")
        for block in section.blocks:
            if block.kind == "row" and not all(block.cells):
                yield _finding(
                    "OPG509", document, block.line, "a table cell is empty", why, "Fill it, or write a dash."
                )
            if block.kind == "item" and not block.text.strip():
                yield _finding("OPG509", document, block.line, "a list item is empty", why, "Write it, or remove it.")
        for link in links(section):
            if not link.label.strip() or not link.target:
                yield _finding("OPG509", document, link.line, "a link without a label or a target", why, "Complete it.")
