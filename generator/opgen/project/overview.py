"""The table of all operators of a repository, for documents in two languages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass

from opgen.disk.plan import About
from opgen.docs.markdown import code
from opgen.docs.phrases import Language
from opgen.facts.scenarios import SCENARIOS
from opgen.formula.signature import Text
from opgen.text.escape import markdown_cell

BEGIN, END = "<!-- opgen overview begins -->", "<!-- opgen overview ends -->"

_HEADER = (
    Text("Operator", "算子"),
    Text("Scenario", "场景"),
    Text("Types", "数据类型"),
    Text("Description", "说明"),
)
_BETWEEN = re.compile(f"^{re.escape(BEGIN)}$(.*?)^{re.escape(END)}$", re.MULTILINE | re.DOTALL)
_SAFE = re.compile(r"[^\w./-]", re.ASCII)


@dataclass(frozen=True)
class Row:
    """folder: of the project, relative to the root of the repository, with slashes; "." for the root. readmes: names of
    its READMEs by language."""

    folder: str
    about: About
    readmes: dict[str, str]


def table(rows: Iterable[Row], document: str, language: str) -> str:
    """The table, ascending by operator, without a newline at its end. document: the path of what it stands in."""
    lines = [_line([_text(text, language) for text in _HEADER]), _line(["---"] * len(_HEADER))]
    lines += [_row(row, document, language) for row in sorted(rows, key=lambda r: (r.about.operators, r.folder))]
    return "\n".join(lines)


def _row(row: Row, document: str, language: str) -> str:
    target = posixpath.relpath(f"{row.folder}/{row.readmes[language]}", posixpath.dirname(document) or ".")
    link = _SAFE.sub(
        lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogateescape")), target
    )
    operators = [f"[{markdown_cell(type_)}]({link})" for type_, _ in row.about.operators]
    return _line(
        [
            _joined(operators, language),
            _scenario(row.about.scenario, language),
            _joined(list(map(code, row.about.types)), language) or "-",
            markdown_cell(row.about.en if language == "en" else row.about.zh),
        ]
    )


def _scenario(name: str, language: str) -> str:
    """Its name in words; of one that nobody knows, which only a forged lock has, the name as code."""
    return Language("en" if language == "en" else "zh").say(f"capital.{name}") if name in SCENARIOS else code(name)


def _joined(items: list[str], language: str) -> str:
    return (", " if language == "en" else "、").join(items)


def _text(text: Text, language: str) -> str:
    return text.en if language == "en" else text.zh


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def inserted(document: str, table: str) -> str | None:
    """The document with the table between its markers; None when it has no pair of markers, or several. Line ends of
    the document are kept."""
    lines = document.replace("\r\n", "\n")
    if len(_BETWEEN.findall(lines)) != 1:
        return None
    filled = _BETWEEN.sub(lambda _: f"{BEGIN}\n{table}\n{END}", lines)
    return filled.replace("\n", "\r\n") if "\r\n" in document else filled
