"""What a plain scalar means: YAML 1.2's core schema, with `true` and `false` as the only booleans."""

from __future__ import annotations

import re

Scalar = str | int | float | bool | None

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = {"true": True, "false": False}
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)")
_FIRST = frozenset("0123456789+-.~nNtf")

MAX_DIGITS = 400  # more than float64 can tell apart, and far below CPython's own limit

# What only a YAML 1.1 reader, or only another 1.2 reader, takes for something else than a string.
_UNDERSCORED = re.compile(r"[-+]?(?=[0-9.]*[0-9])(?=[^_]*_)[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?")
_BINARY = re.compile(r"[-+]?0b[01_]+|[-+]0[xo][0-9a-fA-F_]+|0x[0-9a-fA-F_]+")
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?")


def resolve(text: str) -> Scalar:
    """The value of a plain scalar. A number longer than MAX_DIGITS stays a string: the reader reports it."""
    if text and text[0] not in _FIRST:
        return text
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if len(text) > MAX_DIGITS:
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _OCTAL.fullmatch(text):
        return int(text, 8)
    if _HEX.fullmatch(text):
        return int(text, 16)
    if _INFINITE.fullmatch(text):
        return float("-inf") if text[0] == "-" else float("inf")
    if _NAN.fullmatch(text):
        return float("nan")
    return text


def mistaken_for(text: str) -> str | None:
    """What some YAML reader makes of this plain scalar instead of a string, in words; None when all read a string.

    The words of YAML 1.1 (`no`, `on`, `yes`) are not among them: they are too common as names.
    """
    value = resolve(text)
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return f"the number {value!r}"
    if _DATE.fullmatch(text):
        return "a date"
    if _BASE_60.fullmatch(text):
        return "a number in base 60"
    if _BINARY.fullmatch(text):
        return "a number"
    if _UNDERSCORED.fullmatch(text):
        return f"the number {text.replace('_', '')}"
    return None


def ambiguous_number(text: str) -> str | None:
    """Why this plain scalar, a number to everybody, is not the same number to everybody; None when it is."""
    body = text.lstrip("+-")
    if len(body) > 1 and body[0] == "0" and body.isascii() and body.isdigit():
        octal = f", the octal number {int(body, 8)} to a YAML 1.1 reader" if not set(body) & set("89") else ""
        return f"{text} is {int(text)} to a YAML 1.2 reader{octal}" if len(text) <= MAX_DIGITS else None
    if len(text) > MAX_DIGITS and (_INT.fullmatch(text) or _FLOAT.fullmatch(text)):
        return f"a number of {len(text)} characters is more than a float64 or an int64 holds"
    if len(text) <= MAX_DIGITS and _FLOAT.fullmatch(text) and not _INT.fullmatch(text):
        number = float(text)
        mantissa = re.split("[eE]", text)[0]
        if number in (float("inf"), float("-inf")):
            return f"{text} is larger than a float64 can be; infinity is written .inf"
        if number == 0 and set(mantissa) & set("123456789"):
            return f"{text} is smaller than a float64 can be and would become 0"
    return None
