"""A formula for readers: in comments, docstrings and READMEs."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator

from opgen.formula.lines import scan

__all__ = ["tidy"]

_TIGHT_BEFORE = {")", "]", ",", ":"}
_TIGHT_AFTER = {"(", "[", "~", ":"}
_VALUE_END = {tokenize.NAME, tokenize.NUMBER, tokenize.STRING}


def tidy(source: str) -> tuple[str, ...]:
    """The lines without comments, one space around operators; nothing else is lost. The source is a formula."""
    lines, _ = scan(source)
    return tuple("".join(_spaced(line.text)) for line in lines)


def _spaced(text: str) -> Iterator[str]:
    """Tokens with the spaces that belong between them."""
    brackets: list[str] = []
    before: tokenize.TokenInfo | None = None
    tight = False  # the token before clings to the next one
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER):
            continue
        word = token.string
        sign = word in ("-", "~") and not _ends_value(before)
        named = word == "=" and bool(brackets)
        opening = word in ("(", "[") and _ends_value(before)
        close = word in _TIGHT_BEFORE and not (word == ":" and before is not None and before.string == ",")
        if before is not None and not tight and not (close or named or opening):
            yield " "
        yield word
        tight = sign or named or word in _TIGHT_AFTER
        if word in ("(", "["):
            brackets.append(word)
        elif word in (")", "]") and brackets:
            brackets.pop()
        before = token


def _ends_value(token: tokenize.TokenInfo | None) -> bool:
    """Whether a value ends here, so that `-` behind it subtracts and `(` behind it calls."""
    if token is None:
        return False
    if token.type == tokenize.NAME:
        return not keyword.iskeyword(token.string) or token.string in ("True", "False", "None")
    return token.type in _VALUE_END or token.string in (")", "]", "...")
