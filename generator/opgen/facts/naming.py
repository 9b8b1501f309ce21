"""How CANN and GE derive names from other names."""

from __future__ import annotations

import re
from typing import Literal

Port = Literal["input", "dynamic_input", "output", "dynamic_output", "attr"]

# A capital begins a word when a small letter or digit stands before it, or when a capital stands before it and a small
# letter behind it. This is the rule by which CANN finds the files of an operator type.
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake(op: str) -> str:
    """AddCustom -> add_custom, Conv2D -> conv2_d, Conv2d -> conv2d, ABC2dEF -> abc2d_ef."""
    return _WORD.sub("_", op).lower()


def camel(name: str) -> str:
    """add_custom -> AddCustom: the shortest operator type whose snake form is `name`, where there is one."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


_ACCESSORS: dict[Port, tuple[str, ...]] = {
    "input": ("name_in_{}", "set_input_{}", "set_input_{}_by_name", "get_input_desc_{}", "update_input_desc_{}"),
    "dynamic_input": (
        "create_dynamic_input_{}",
        "create_dynamic_input_byindex_{}",
        "get_dynamic_input_desc_{}",
        "update_dynamic_input_desc_{}",
        "set_dynamic_input_{}",
    ),
    "output": ("name_out_{}", "get_output_desc_{}", "update_output_desc_{}"),
    "dynamic_output": (
        "create_dynamic_output_{}",
        "get_dynamic_output_desc_{}",
        "update_dynamic_output_desc_{}",
    ),
    "attr": ("name_attr_{}", "set_attr_{}", "get_attr_{}"),
}


def accessors(port: Port, name: str) -> tuple[str, ...]:
    """Member functions that REG_OP makes for an input, output or attribute."""
    return tuple(pattern.format(name) for pattern in _ACCESSORS[port])
