"""Values of op.yaml as C++ literals."""

from __future__ import annotations

import math

from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Value
from opgen.text.numbers import shortest

AttrValue = Value | tuple[int, ...] | tuple[float, ...]

_INT64_MIN = -(2**63)


def string(text: str) -> str:
    """A string literal. Bytes beyond ASCII stay UTF-8; trigraphs and the end of the literal are kept apart."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "?": "\\?"}
    safe = "".join(escapes.get(c, c) if c.isprintable() or c in escapes else f"\\{ord(c):03o}" for c in text)
    return f'"{safe}"'


def real(value: float, suffix: str = "F") -> str:
    """A float. Infinities need <limits>."""
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}std::numeric_limits<float>::infinity()"
    return f"{shortest(value)}{suffix}"


def integer(value: int) -> str:
    return "INT64_MIN" if value == _INT64_MIN else str(value)


def attr_value(attr: Attr, value: AttrValue, suffix: str = "F", namespace: str = "ge::") -> str:
    """A value of an attribute, of the C++ type that the attribute has on the host."""
    if isinstance(value, tuple):
        one = real if attr.type == "floats" else lambda item, _: integer(int(item))
        return "{" + ", ".join(one(item, suffix) for item in value) + "}"
    match attr.type:
        case "bool":
            return "true" if value else "false"
        case "float":
            return real(float(value), suffix)
        case "int":
            return integer(int(value))
        case "dtype":
            return f"{namespace}{DTYPES[str(value)].ge}"
        case _:
            return string(str(value))
