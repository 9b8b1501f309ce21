"""The words of findings about the schema."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from opgen.facts.dtypes import ALIASES, DTYPES, SUB_BYTE
from opgen.facts.reserved import RESERVED_DIMS, RESERVED_NAMES
from opgen.text.suggest import closest
from opgen.text.yaml_scalars import mistaken_for, resolve

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
}
_SNAKE = "^[a-z][a-z0-9]*(_[a-z0-9]+)*$"
_CAMEL = "[A-Z][A-Za-z0-9]*"
_YES_NO = {"yes": "true", "on": "true", "true": "true", "y": "true", "no": "false", "off": "false", "false": "false"}


def label(path: Sequence[Any]) -> str:
    """A place in words: "shape[0] of inputs[1]" becomes inputs[1].shape[0]; for an item of ops the list is left out."""
    words = ""
    for step in path:
        words += f"[{step}]" if isinstance(step, int) else f".{step}" if words else str(step)
    return words


def shown(value: Any) -> str:
    """A value as op.yaml would have it, short."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if not isinstance(value, str):
        return {"inf": ".inf", "-inf": "-.inf"}.get(repr(value), repr(value))
    words = "".join(c if c.isprintable() else "\ufffd" for c in value)
    return f'"{words}"' if len(words) <= 40 else f'"{words[:36]}..."'


def pattern_matches(pattern: str, text: str) -> bool:
    """Whether the whole text matches: unlike Python's, the schema's `$` is the very end."""
    return re.search(pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern, text) is not None


def wrong_type(name: str, value: Any, schema: Any, scalar: tuple[str, str] | None) -> tuple[str, str]:
    """What and fix for a value of the wrong type. scalar: its text and style, if it is one."""
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    words = " or ".join(_TYPES[t] for t in wanted)
    example = f"Write for example {schema['x-example']}" if "x-example" in schema else f"Write {words}."
    if value is None:
        return f"{name} has no value; {words} is wanted", example
    text, style = scalar or ("", "")
    number = resolve(text) if style else None
    fix = example
    if isinstance(value, str) and wanted[0] in ("integer", "number", "boolean"):
        if "boolean" in wanted and value.lower() in _YES_NO:
            fix = f"Write {_YES_NO[value.lower()]}."
        elif style == "quoted" and isinstance(number, (int, float)):
            fix = f"Write {text} without quotes."
        elif "_" in text and mistaken_for(text):
            fix = f"Write {text.replace('_', '')}."
    elif isinstance(value, float) and wanted[0] == "integer" and value.is_integer():
        fix = f"Write {int(value)}."
    elif wanted == ["array"] and scalar and not isinstance(value, bool):
        fix = f"Write [{text}]."
    return f"{name or 'op.yaml'} is {_kind(value)}; {words} is wanted", fix


# What people write for the type of an attribute, and what it is called here.
_ATTR_TYPES = {
    "str": "string",
    "double": "float",
    "float32": "float",
    "float64": "float",
    "number": "float",
    "integer": "int",
    "int32": "int",
    "int64": "int",
    "list_int": "ints",
    "listint": "ints",
    "list_float": "floats",
    "listfloat": "floats",
}


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return ("the string " if isinstance(value, str) else "") + shown(value)


def not_allowed(name: str, value: Any, keyword: str, schema: Any) -> tuple[str, str, str]:
    """What, why and fix for a value outside of an enumeration or of limits."""
    if keyword == "const":
        wanted = shown(schema["const"])
        fix = f"Write {wanted}." if name.rpartition(".")[2] != "inplace" else "Remove inplace, or write true."
        return f"{name} is {shown(value)}; only {wanted} is allowed", "", fix
    if keyword in ("minimum", "maximum"):
        limit = shown(schema[keyword])
        side = "less than the smallest" if keyword == "minimum" else "more than the largest"
        fix = f"Write {limit} or {'more' if keyword == 'minimum' else 'less'}."
        return f"{name} is {shown(value)}, {side} value allowed, {limit}", "", fix
    choices = [str(c) for c in schema["enum"]]
    listed = f"One of: {', '.join(choices)}."
    meant: str | None = None
    why = ""
    if isinstance(value, str):
        if choices == list(DTYPES):
            meant = ALIASES.get(value.lower())
            if value.lower() in SUB_BYTE:
                return (
                    f"{name}: type {shown(value)} has less than a byte",
                    "GE and the kernels count whole bytes, so types below a byte are refused.",
                    listed,
                )
        if "bool" in choices and value.lower() in ("boolean", "bol"):
            meant = "bool"
        if "string" in choices:
            meant = meant or _ATTR_TYPES.get(value.lower())
        meant = meant or closest(value, choices)
    return f"{name}: {shown(value)} is not known", why, (f"Write {meant}. " if meant else "") + listed


def broken_pattern(name: str, value: str, schema: Any) -> tuple[str, str, str, int | None]:
    """What, why, fix and the offending character of a text that breaks the rule of its field."""
    pattern = schema.get("pattern", "")
    rule = schema.get("patternErrorMessage", "")
    limit = schema.get("maxLength")
    why = f"The rule: {rule}" + (f"; at most {limit} characters." if limit else ".") if rule else ""
    if not value:
        return f"{name} is empty", why, _instead(value, pattern, schema), None
    if limit and len(value) > limit:
        fix = f"Write at most {limit} characters."
        return f"{name} has {len(value)} characters, at most {limit} are allowed", why, fix, None
    offset = _offender(value, pattern)
    if offset is None:
        what = f"{name} {shown(value)} breaks its rule"
    elif offset == 0 and not _first_allowed(value, pattern):
        what = f"{name} {shown(value)} begins with {shown(value[0])}"
    else:
        what = f"{name} {shown(value)} has {shown(value[offset])} in it"
        if value[offset] == "_":
            what = f"{name} {shown(value)} has an underscore that is not between two words"
    return what, why, _instead(value, pattern, schema), offset


def _instead(value: str, pattern: str, schema: Any) -> str:
    """A name near to the value that keeps the rule, else the schema's example."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+", value) if value.isascii() else []
    candidate = ""
    if pattern == _SNAKE:
        candidate = "_".join(w.lower() for w in words)
        candidate += "_value" if candidate in RESERVED_NAMES else ""
    elif _CAMEL in pattern:
        candidate = "".join(w[0].upper() + w[1:] for w in words)
        candidate += "Size" if r"\.\.\." in pattern and candidate in RESERVED_DIMS else ""
    if candidate and pattern_matches(pattern, candidate):
        return f"Write {candidate}."
    return f"Write for example {schema['x-example']}" if "x-example" in schema else ""


def _first_allowed(value: str, pattern: str) -> bool:
    first = re.match(r"\^\(?(?:\\\.\\\.\\\.\|)?(\[[^\]]+\])", pattern)
    return first is None or re.match(first.group(1), value) is not None


def _offender(value: str, pattern: str) -> int | None:
    """The first character that the pattern has no room for; None when only the order is wrong."""
    if not _first_allowed(value, pattern):
        return 0
    classes = re.findall(r"\[[^\]]+\]", pattern)
    if not classes:
        return None
    literal = "".join(c for c in re.sub(r"\[[^\]]+\]|\{\d+\}", "", pattern) if c not in "^$()*+?|\\")
    allowed = re.compile("|".join([*classes, *(re.escape(c) for c in sorted(set(literal)))]))
    for index, character in enumerate(value):
        if not allowed.match(character):
            return index
    stray = re.search(r"_(?=_|$)", value)
    return stray.start() if stray and pattern == _SNAKE else None


def wrong_size(name: str, value: Any, keyword: str, schema: Any) -> tuple[str, str, int | None]:
    """What, fix and the index of the offending item of a list or mapping with too few, too many or equal items."""
    example = f"Write for example {schema['x-example']}" if "x-example" in schema else ""
    if keyword == "uniqueItems":
        for index, item in enumerate(value):
            if any(item == other and type(item) is type(other) for other in value[:index]):
                return f"{name} has {shown(item)} twice", "Remove one of them.", index
        return f"{name} has an item twice", "Remove one of them.", None
    if keyword in ("minItems", "minProperties"):
        return f"{name} is empty", (example + ", or remove the key.") if example else "Remove the key.", None
    limit = schema[keyword]
    return f"{name} has {len(value)} items, at most {limit} are allowed", "", limit
