"""The catalogue of phrases and the languages that speak them.

A phrase has an id and one text a language. Placeholders are `{name}` in lower case; `${NAME}` and other braces are
text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from opgen.formula.signature import Text

Code = Literal["en", "zh"]

_PLACEHOLDER = re.compile(r"\{([a-z][a-z_]*)\}")
_SEPARATOR = "separator."  # these may be empty
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z0-9`]")


class PhraseFault(Exception):
    """A phrase is missing, or its placeholders are not those that it is given. A fault of opgen, not of op.yaml."""


@cache
def catalogue() -> dict[str, Text]:
    """Every phrase by its id. Raises PhraseFault when two parts of the catalogue share an id."""
    from opgen.docs.catalogue import PARTS

    phrases: dict[str, Text] = {}
    for part in PARTS:
        for phrase, text in part.items():
            if phrase in phrases:
                raise PhraseFault(f"phrase {phrase} is defined twice")
            phrases[phrase] = text
    return phrases


def placeholders(text: str) -> frozenset[str]:
    """The names in braces of a phrase."""
    return frozenset(_PLACEHOLDER.findall(text))


def _filled(text: str, values: Mapping[str, str | int]) -> str:
    """The text with its placeholders filled in. Where a value meets Chinese, a space stands between Chinese and Latin
    characters and none between Chinese characters."""
    filled, end = "", 0
    for match in _PLACEHOLDER.finditer(text):
        filled = _met(_met(filled, text[end : match.start()], end > 0), str(values[match[1]]), True)
        end = match.end()
    return _met(filled, text[end:], end > 0)


def _met(left: str, right: str, at_value: bool) -> str:
    before, after = left.rstrip(" "), right.lstrip(" [")
    if not (at_value and before and after):
        return left + right
    if _HAN.match(before[-1]) and _HAN.match(after[0]):
        return before + right.lstrip(" ")
    one, two = (_HAN, _LATIN) if _HAN.match(before[-1]) else (_LATIN, _HAN)
    if one.match(before[-1]) and two.match(after[0]):
        return f"{before} {right.lstrip(' ')}"
    return left + right


class Language:
    """Speaks one language: the only source of prose in a document."""

    def __init__(self, code: Code) -> None:
        self.code: Code = code

    def say(self, phrase: str, /, **values: str | int) -> str:
        """The phrase with its placeholders filled in. Raises PhraseFault unless `values` are exactly these."""
        found = catalogue().get(phrase)
        if found is None:
            raise PhraseFault(f"no phrase {phrase}")
        text = self.text(found)
        if not text and not phrase.startswith(_SEPARATOR):
            raise PhraseFault(f"phrase {phrase} has no text in {self.code}")
        if placeholders(text) != values.keys():
            raise PhraseFault(f"phrase {phrase} takes {sorted(placeholders(text))}, not {sorted(values)}")
        return _filled(text, values)

    def counted(self, phrase: str, count: int, /, **values: str | int) -> str:
        """The phrase for one thing (`PHRASE.one`) or for another number of things (`PHRASE.other`)."""
        return self.say(f"{phrase}.one" if count == 1 else f"{phrase}.other", **values)

    def text(self, text: Text) -> str:
        return text.en if self.code == "en" else text.zh

    def _joined(self, separator: str, items: Sequence[str]) -> str:
        return Language.say(self, separator).join(items)

    def listing(self, items: Sequence[str]) -> str:
        """a, b, c"""
        return self._joined("separator.item", items)

    def parts(self, items: Sequence[str]) -> str:
        """Parts that stand loosely together: a, b, where items of their own may be lists."""
        return self._joined("separator.part", items)

    def clauses(self, items: Sequence[str]) -> str:
        """Parts of one statement: a; b"""
        return self._joined("separator.clause", items)

    def sentences(self, items: Sequence[str]) -> str:
        """Complete sentences of one paragraph. Empty ones are left out."""
        return self._joined("separator.sentence", [item for item in items if item])

    def all_of(self, items: Sequence[str]) -> str:
        """a, b and c"""
        return self._last("list.and", items)

    def one_of(self, items: Sequence[str]) -> str:
        """a, b or c"""
        return self._last("list.or", items)

    def _last(self, phrase: str, items: Sequence[str]) -> str:
        if len(items) < 2:
            return "".join(items)
        return self.say(phrase, most=self.listing(items[:-1]), last=items[-1])
