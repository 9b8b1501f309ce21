"""TilingData as the kernel uses it: every field is read, and every field that is read is there."""

from __future__ import annotations

import ast

from opgen.dialect.pypto.text.classes import fields_of, tiling_class
from opgen.dialect.pypto.text.source import Source, parameters_of
from opgen.text.suggest import closest


def check_fields(source: Source, kernel: ast.FunctionDef) -> None:
    tiling = tiling_class(source, kernel)
    if tiling is None:
        return
    fields = fields_of(tiling)
    parameter = parameters_of(kernel)[-1].arg
    read = _read(source, kernel, parameter, fields)
    nodes = {n.target.id: n for n in tiling.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}
    for name, node in nodes.items():
        if read is not None and name not in read:
            source.add(
                "OPG827",
                node,
                f"the kernel never reads the field {name}",
                "The host computes it and copies it to every core for nothing; or the kernel misses it.",
                f"read {parameter}.{name}, or leave the field out on both sides",
            )


def _read(source: Source, function: ast.FunctionDef, name: str, fields: dict[str, str]) -> set[str] | None:
    """Fields that a function reads of its parameter `name`; None when the whole class goes where it cannot be
    followed."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            found.add(node.attr)
            if node.attr not in fields:
                near = closest(node.attr, fields)
                fix = f"write {name}.{near}" if near else "add it to the class, and to the host"
                source.add("OPG827", node, f"TilingData has no field {node.attr}", "", fix)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in source.functions:
            helper = source.functions[node.func.id]
            for parameter, value in zip(parameters_of(helper), node.args, strict=False):
                if isinstance(value, ast.Name) and value.id == name and helper is not function:
                    more = _read(source, helper, parameter.arg, fields)
                    if more is None:
                        return None
                    found |= more
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == name:
            return None
    return found
