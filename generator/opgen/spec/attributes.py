"""`attrs` of op.yaml, and the values that an attribute takes anywhere else."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Value
from opgen.spec.collect import Collector, at, did_you_mean, listed
from opgen.spec.dims import text

AttrValue = Value | tuple[int, ...] | tuple[float, ...]

_INT64 = 2**63
_FLOAT32_MAX = DTYPES["float32"].high
_FORMS = {
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "string": "a string",
    "dtype": "a type",
    "ints": "a list of whole numbers",
    "floats": "a list of numbers",
}
_SOME: dict[str, AttrValue] = {
    "bool": False,
    "int": 0,
    "float": 0.0,
    "string": "",
    "dtype": "float32",
    "ints": (),
    "floats": (),
}


def build_attrs(items: list[dict[str, Any]], pointer: str, out: Collector) -> tuple[Attr, ...]:
    """The attributes in order of declaration. The form is right already."""
    return tuple(_attr(item, at(pointer, number), out) for number, item in enumerate(items))


def _attr(item: dict[str, Any], pointer: str, out: Collector) -> Attr:
    kind = item["type"]
    low, high = item.get("min"), item.get("max")
    if kind == "float":
        low, high = (None if limit is None else float(limit) for limit in (low, high))
    bare = Attr(item["name"], kind, min=low, max=high)
    for key, limit in (("min", low), ("max", high)):
        if limit is not None and limit != limit:
            what = "a limit that is no number"
            out.add("OPG206", at(pointer, key), what, "Nothing compares with it.", "Write a number, or leave it out.")
            return bare
    if low is not None and high is not None and low > high:
        what = f"`min: {low}` is above `max: {high}`"
        out.add("OPG206", at(pointer, "min"), what, "No value is allowed then.", "Swap them.")
        return bare
    values = [
        attr_value(bare, value, at(pointer, "values", number), out)
        for number, value in enumerate(item.get("values", ()))
    ]
    attr = Attr(
        item["name"],
        kind,
        values=tuple(dict.fromkeys(value for value in values if value is not None)),
        min=low,
        max=high,
        dynamic=item.get("dynamic", kind == "float"),
        doc=text(item.get("doc")),
    )
    if "default" not in item:
        return attr
    default = attr_value(attr, item["default"], at(pointer, "default"), out)
    if default is None:
        default = attr.values[0] if attr.values else _SOME[kind]  # the attribute has a default, if not this one
    return replace(attr, default=default)


def attr_value(attr: Attr, value: Any, pointer: str, out: Collector) -> AttrValue | None:
    """A value as the attribute's type has it; None when it has no such value, which is reported."""
    plain = _convert(attr.type, value)
    shown = _shown(value)
    if plain is None:
        what = f"`{attr.name}` is {_FORMS[attr.type]}, not {shown}"
        out.add("OPG206", pointer, what, f"Its type is {attr.type}.", f"Write {_FORMS[attr.type]}.")
        return None
    why = "The host refuses any other value."
    if attr.values and plain not in attr.values:
        choice = [_shown(v) for v in attr.values]
        near = did_you_mean(value, [str(v) for v in attr.values]) if isinstance(value, str) else ""
        fix = f"{near} Its values: {listed(choice)}.".strip()
        out.add("OPG206", pointer, f"{shown} is not among the values of `{attr.name}`", why, fix)
        return None
    if isinstance(plain, (int, float)) and not isinstance(plain, bool):
        if attr.min is not None and plain < attr.min:
            out.add(
                "OPG206", pointer, f"{shown} is below `min: {attr.min}` of `{attr.name}`", why, "Write a larger value."
            )
            return None
        if attr.max is not None and plain > attr.max:
            out.add(
                "OPG206", pointer, f"{shown} is above `max: {attr.max}` of `{attr.name}`", why, "Write a smaller value."
            )
            return None
    problem = _out_of_type(plain)
    if problem:
        out.add("OPG206", pointer, f"{shown} {problem}", "GE keeps it in that type.", "Write another value.")
        return None
    return plain


def _convert(kind: str, value: Any) -> AttrValue | None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    match kind:
        case "bool":
            return value if isinstance(value, bool) else None
        case "int":
            return value if isinstance(value, int) and number else None
        case "float":
            return _float(value) if number else None
        case "string":
            return value if isinstance(value, str) else None
        case "dtype":
            return value if isinstance(value, str) and value in DTYPES else None
    if not isinstance(value, list):
        return None
    if kind == "ints":
        return tuple(value) if all(isinstance(m, int) and not isinstance(m, bool) for m in value) else None
    if not all(isinstance(m, (int, float)) and not isinstance(m, bool) for m in value):
        return None
    return tuple(_float(member) for member in value)


def _float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(1e308, value)


def _out_of_type(value: AttrValue) -> str:
    """Why GE cannot hold a value; "" when it can."""
    if isinstance(value, tuple):
        return next(filter(None, map(_out_of_type, value)), "")
    if isinstance(value, (bool, str)):
        return ""
    if isinstance(value, int):
        return "" if -_INT64 <= value < _INT64 else "does not fit into 64 bits"
    if value != value:
        return "is not a number"
    return "" if math.isinf(value) or abs(value) <= _FLOAT32_MAX else "does not fit into float32"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return str(value)
