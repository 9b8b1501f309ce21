"""What an op.yaml of a PyPTO folder may not say (OPG800, OPG805, OPG806). Reads plain data, like the rules of names."""

from __future__ import annotations

from typing import Any

from opgen.facts.naming import camel, snake
from opgen.spec.collect import Collector, at
from opgen.spec.names import operator_name, operators_of

_NOT_THERE = {
    "ops": (
        "a folder of an operator repository is one operator",
        "Write an op.yaml for each, in a folder of its own.",
    ),
    "extra": (
        "the build of an operator repository takes the files whose names it knows, and no others",
        "Remove it; put code of the kernel into the kernel file.",
    ),
    "neighbour": (
        "there is no other scenario that a PyPTO operator is compared with",
        "Remove it.",
    ),
}


def check_pypto(data: Any, out: Collector) -> None:
    """For a whole op.yaml, whose form need not be right."""
    if not isinstance(data, dict) or data.get("scenario") != "pypto":
        return
    for key, (why, fix) in _NOT_THERE.items():
        if key in data:
            out.add("OPG800", at("", key), f"`{key}` in pypto", why[0].upper() + why[1:] + ".", fix, key=True)
    for pointer, operator in operators_of(data):
        _check_type(pointer, operator, out)
        _check_kernel(pointer, operator, out)


def _check_type(pointer: str, operator: dict[str, Any], out: Collector) -> None:
    op, name = operator.get("op"), operator.get("name")
    if not isinstance(op, str) or not op.isidentifier():
        return
    why = "The build goes from the operator type to its files, and from the name of a file to the type."
    if camel(snake(op)) != op:
        what = f"`{op}` becomes the files `{snake(op)}`, and these become the type `{camel(snake(op))}`"
        out.add("OPG805", at(pointer, "op"), what, why, f"Write `op: {camel(snake(op))}`.")
    elif isinstance(name, str) and name != snake(op):
        what = f"the files of `{op}` cannot be called `{name}` in pypto"
        out.add("OPG805", at(pointer, "name"), what, why, f"Remove it: they are called `{snake(op)}`.")


def _check_kernel(pointer: str, operator: dict[str, Any], out: Collector) -> None:
    op = operator.get("op")
    kernel, name = operator.get("kernel"), snake(op) if isinstance(op, str) else operator_name(operator)
    if isinstance(kernel, str) and name and kernel != f"{name}.py":
        what = f"the kernel is called `{kernel}`, not `{name}.py`"
        why = "It stands in op_kernel, where the build finds it by the name of the operator, as it does its function."
        out.add(
            "OPG806", at(pointer, "kernel"), what, why, f"Write `kernel: {name}.py`, and call its function `{name}`."
        )
