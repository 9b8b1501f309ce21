"""Bytes to text, and characters that only look like those of YAML."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

# Twins of ASCII that input methods and word processors put in: the block of full-width forms, and those outside it.
_TWINS = {
    "\u3000": "two spaces",
    "\u00a0": "a space",
    "\u2003": "a space",
    "\u2002": "a space",
    "\u200b": "nothing",
    "\ufeff": "nothing",
    "\u201c": '"',
    "\u201d": '"',
    "\u2018": "'",
    "\u2019": "'",
    "\u3001": ",",
    "\u3002": ".",
    "\u3010": "[",
    "\u3011": "]",
    "\u3008": "<",
    "\u3009": ">",
    "\u300a": "<",
    "\u300b": ">",
    "\u2014": "-",
    "\u2013": "-",
    "\u2212": "-",
    "\u00d7": "*",
    "\u2026": "...",
}
_NAMES = {
    "\u3000": "ideographic space",
    "\u00a0": "no-break space",
    "\u2003": "em space",
    "\u2002": "en space",
    "\u200b": "zero-width space",
    "\ufeff": "byte order mark inside the text",
    "\u00d7": "multiplication sign",
    "\u2212": "minus sign",
    "\u2013": "dash",
    "\u2014": "dash",
    "\u2026": "ellipsis",
    "\u201c": "curly quote",
    "\u201d": "curly quote",
    "\u2018": "curly quote",
    "\u2019": "curly quote",
}
LOOKALIKE = re.compile("[\uff01-\uff5e" + "".join(_TWINS) + "]")

# Control characters, and the line breaks that YAML 1.1 knows and 1.2 does not.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")


@dataclass(frozen=True)
class Undecodable:
    """Bytes that are not UTF-8. offset: of the first such byte; encoding: what they look like."""

    offset: int
    encoding: str
    fix: str


def decode(data: bytes) -> tuple[str, Undecodable | None]:
    """The text without byte order mark and with LF line ends; what cannot be decoded is U+FFFD there."""
    problem: Undecodable | None = None
    body = data[3:] if data.startswith(codecs.BOM_UTF8) else data
    skipped = len(data) - len(body)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = Undecodable(error.start + skipped, *_guess(data))
        text = body.decode("utf-8", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n"), problem


def _guess(data: bytes) -> tuple[str, str]:
    for mark, name in (
        (codecs.BOM_UTF32_LE, "UTF-32"),
        (codecs.BOM_UTF32_BE, "UTF-32"),
        (codecs.BOM_UTF16_LE, "UTF-16"),
        (codecs.BOM_UTF16_BE, "UTF-16"),
    ):
        if data.startswith(mark):
            return name, f"iconv -f {name} -t UTF-8"
    if data.count(0) * 4 > len(data):
        return "UTF-16 without a byte order mark", "iconv -f UTF-16LE -t UTF-8"
    if _chinese(data):
        return "GBK (GB18030)", "iconv -f GB18030 -t UTF-8"
    return "a single-byte encoding such as Latin-1", "iconv -f ISO-8859-1 -t UTF-8"


def _chinese(data: bytes) -> bool:
    """Whether this reads as GB18030 and most of its characters are pairs of GB2312, as Chinese text is."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    others = [c for c in text if c > "\x7f"]
    common = 0
    for character in others:
        raw = character.encode("gb18030")
        common += len(raw) == 2 and raw[0] >= 0xA1 and raw[1] >= 0xA1
    return any("\u4e00" <= c <= "\u9fff" for c in others) and common * 2 > len(others)


def twin(character: str) -> str:
    """What stands on an ASCII keyboard for a look-alike: the character, or words for it."""
    return _TWINS.get(character) or chr(ord(character) - 0xFEE0)


def describe(character: str) -> str:
    """A look-alike by name and code: full-width "：" (U+FF1A)."""
    name = _NAMES.get(character)
    code = f"U+{ord(character):04X}"
    if name and (character.isspace() or character in "\u200b\ufeff"):
        return f"{name} ({code})"
    return f'{name or "full-width"} "{character}" ({code})'
