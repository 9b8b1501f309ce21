"""Texts as scalars of YAML, for files that opgen begins and people go on with."""

from __future__ import annotations

import re

from opgen.text.yaml_lexical import FORBIDDEN
from opgen.text.yaml_scalars import mistaken_for

_YAML_11_BOOLEANS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_MARKUP = re.compile(r"[,\[\]{}\"'`]|:(?:\s|$)|\s#|[ \t]$|\s{2}|[\n\t]")
_BLOCK_MARKUP = re.compile(r":(?:\s|$)|\s#|[\n\t]")
_INVISIBLE = re.compile("[\ud800-\udfff\ufeff\x80-\xa0\u2028-\u202e\u2060-\u2069\u3000]|" + FORBIDDEN.pattern)


def scalar(text: str) -> str:
    """The text as a plain scalar where every reader takes it for this string, in lists too; else in double quotes."""
    if (
        text[:1].isalpha()
        and not _MARKUP.search(text)
        and not _INVISIBLE.search(text)
        and text.lower() not in _YAML_11_BOOLEANS
        and mistaken_for(text) is None
    ):
        return text
    body = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{_INVISIBLE.sub(lambda m: _code(m.group()), body)}"'


def formula(text: str) -> str:
    """A formula as the value of a key at the left margin: a plain scalar, or a | block of several lines."""
    lines = [line.strip() for line in text.strip().split("\n")]
    body = "\n".join(lines)
    if _INVISIBLE.search(body) or not body:
        return scalar(body)
    if body[0].isalpha() and not _BLOCK_MARKUP.search(body) and mistaken_for(body) is None:
        return body
    return "|\n" + "\n".join(f"  {line}" if line else "" for line in lines)


def _code(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
