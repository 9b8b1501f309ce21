"""Texts of op.yaml in both languages (OPG501)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from opgen.spec.collect import Collector, at
from opgen.text.findings import Severity

_CODE = re.compile(r"`[^`]*`")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_FULL_WIDTH = re.compile(r"[\u3000-\u303f\uff01-\uff65\u2018\u2019\u201c\u201d]")
_WORD = re.compile(r"[A-Za-z]{2,}")
_LONG = 12  # characters from which equal texts are taken for a forgotten translation
_PROSE = 3  # words from which a text is prose, and not a name or a unit
_WHY = "Each README is written in one language; readers of the other one find a text that they cannot read."


def check_languages(data: Any, out: Collector) -> None:
    """OPG501 for all texts of op.yaml, whose form need not be right."""
    for pointer, text in _texts(data, ""):
        en, zh = text.get("en"), text.get("zh")
        if isinstance(en, str):
            _check_english(en, at(pointer, "en"), out)
        if isinstance(zh, str):
            _check_chinese(zh, at(pointer, "zh"), out)
        if isinstance(en, str) and isinstance(zh, str) and en.strip() == zh.strip() and len(en.strip()) >= _LONG:
            if _HAN.search(en) or len(_WORD.findall(zh)) >= _PROSE:
                continue  # said already: one of the two is in the wrong language
            _add(out, at(pointer, "zh"), "both languages have the same text", "Translate it.")


def _texts(data: Any, pointer: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Mappings with both languages, wherever they stand."""
    if isinstance(data, dict):
        if "en" in data or "zh" in data:
            yield pointer, data
            return
        for key, value in data.items():
            yield from _texts(value, at(pointer, key))
    elif isinstance(data, list):
        for number, item in enumerate(data):
            yield from _texts(item, at(pointer, number))


def _check_english(text: str, pointer: str, out: Collector) -> None:
    prose = _blank_code(text)
    if not text.strip():
        _add(out, pointer, "the English text is empty", "Write the sentence in English.", severity="error")
    elif match := _HAN.search(prose):
        what = f"Chinese in the English text: `{match.group()}`"
        _add(out, pointer, what, "Translate it, or put a name of code into backticks.", match.start())
    elif match := _FULL_WIDTH.search(prose):
        sign = match.group()
        plain = unicodedata.normalize("NFKC", sign)
        fix = f"Write `{plain}`." if plain.isascii() and plain.strip() else "Write ASCII punctuation."
        _add(out, pointer, f"full-width punctuation in the English text: `{sign}`", fix, match.start())


def _check_chinese(text: str, pointer: str, out: Collector) -> None:
    if not text.strip():
        _add(out, pointer, "the Chinese text is empty", "Write the sentence in Chinese.", severity="error")
    elif not _HAN.search(text) and len(_WORD.findall(_blank_code(text))) >= _PROSE:
        _add(out, pointer, "no Chinese in the Chinese text", "Translate it, or put names of code into backticks.")


def _blank_code(text: str) -> str:
    return _CODE.sub(lambda match: " " * len(match.group()), text)


def _add(
    out: Collector, pointer: str, what: str, fix: str, offset: int | None = None, severity: Severity = "warning"
) -> None:
    out.add("OPG501", pointer, what, _WHY, fix, severity=severity, offset=offset)
