"""Integer expressions as C++ over custom_op::Size, which knows of sizes that are not known yet."""

from __future__ import annotations

from collections.abc import Callable

from opgen.formula.sizes import Size

_SIGNS = {"add": "+", "sub": "-", "mul": "*"}
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_FUNCTIONS = {
    "floordiv": "FloorDiv",
    "mod": "Modulo",
    "ceildiv": "CeilDiv",
    "align": "Align",
    "minimum": "Minimum",
    "maximum": "Maximum",
}
_LEVEL = {"add": 1, "sub": 1, "mul": 2, "neg": 3}
_ATOM = 4


def size_code(size: Size, name: Callable[[str], str], itemsize: Callable[[str], str] | None = None) -> str:
    """The expression. name: what stands for a dim or an attribute; itemsize: for the bytes of a type or symbol."""
    if size.op in _SIGNS:
        left, right = (_within(arg, _LEVEL[size.op] + later, name, itemsize) for later, arg in enumerate(size.args))
        return f"{left} {_SIGNS[size.op]} {right}"
    if size.op in _FUNCTIONS:
        args = ", ".join(size_code(arg, name, itemsize) for arg in size.args)
        return f"custom_op::{_FUNCTIONS[size.op]}({args})"
    match size.op:
        case "const":
            return str(size.value)
        case "name":
            return name(str(size.value))
        case "neg":
            return f"-{_within(size.args[0], _LEVEL['neg'], name, itemsize)}"
        case "if":
            condition = condition_code(size.args[0], name)
            then, otherwise = (f"custom_op::Size({size_code(arg, name, itemsize)})" for arg in size.args[1:])
            return f"({condition} ? {then} : {otherwise})"
        case "itemsize" if itemsize is not None:
            return itemsize(str(size.value))
        case _:
            return f"({condition_code(size, name)} ? 1 : 0)"


def condition_code(size: Size, name: Callable[[str], str]) -> str:
    """A condition over attributes, as a bool."""
    if size.op in _COMPARISONS:
        left, right = (size_code(arg, name) for arg in size.args)
        return f"{left} {_COMPARISONS[size.op]} {right}"
    if size.op == "not":
        inner = condition_code(size.args[0], name)
        return f"!{inner}" if size.args[0].op == "name" else f"!({inner})"
    return size_code(size, name)


def _within(size: Size, level: int, name: Callable[[str], str], itemsize: Callable[[str], str] | None) -> str:
    text = size_code(size, name, itemsize)
    own = _LEVEL.get(size.op, _ATOM)
    return f"({text})" if own < level or (level == _LEVEL["neg"] and text.startswith("-")) else text
