"""Calls in a formula: which function, and which argument goes where."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from opgen.formula.functions import FUNCTIONS, INSTEAD, OTHER_NAMES, Function
from opgen.formula.lines import Line
from opgen.formula.problems import Problem


@dataclass(frozen=True)
class Call:
    """A call whose arguments have found their parameters. options: those given, by name."""

    function: Function
    args: tuple[ast.expr, ...]
    options: tuple[tuple[str, ast.expr], ...]


def bind(line: Line, node: ast.Call) -> Call | Problem:
    """The arguments of a call in the order of the parameters, or what is wrong with them."""
    function = _function(line, node)
    if isinstance(function, Problem):
        return function
    if function.name in ("max", "min") and len(node.args) > 1 and not _is_number(node.args[1]):
        return _two_values(line, node, function.name)
    given: dict[str, ast.expr] = {}
    names = function.params + function.options
    for position, argument in enumerate(node.args):
        if isinstance(argument, ast.Starred):
            return _wrong(line, argument, function, "`*` is not part of the language")
        if position >= len(names):
            return _too_many(line, argument, function)
        given[names[position]] = argument
    for keyword in node.keywords:
        if keyword.arg is None:
            return _wrong(line, keyword.value, function, "`**` is not part of the language")
        if keyword.arg in given:
            return _wrong(line, keyword, function, f"`{keyword.arg}` is given twice")
        if keyword.arg not in names:
            return _unknown_argument(line, keyword, function)
        if keyword.arg in function.params and not _is_plain(keyword.value):
            why = "what is given by name is a name, a number or a bool"
            return line.problem(
                keyword, "OPG303", f"`{keyword.arg}` is given an expression", why, "give it by position"
            )
        given[keyword.arg] = keyword.value
    missing = [name for name in function.params if name not in given]
    if missing:
        return _missing(line, node, function, missing[0])
    if "axis" in given and not _is_last(given["axis"]):
        why = "kernels work along the last axis"
        fix = "write `axis=-1`, or the kernel by hand (`kernel:`)"
        return line.problem(given["axis"], "OPG303", f"`{function.name}` takes `axis=-1` only", why, fix)
    options = tuple((name, given[name]) for name in function.options if name in given)
    return Call(function, tuple(given[name] for name in function.params if name != "axis"), options)


def _function(line: Line, node: ast.Call) -> Function | Problem:
    callee = node.func
    if isinstance(callee, ast.Attribute):
        what = f"`{line.source(callee)}` is not part of the language"
        name = OTHER_NAMES.get(callee.attr, callee.attr)
        usage = FUNCTIONS[name].usage if name in FUNCTIONS else "the functions of the language"
        why = "functions stand alone: there are no modules and no methods"
        return line.problem(callee, "OPG303", what, why, f"write `{usage}`" if name in FUNCTIONS else f"use {usage}")
    if not isinstance(callee, ast.Name):
        return line.problem(callee, "OPG301", "only a function is called", "a call is NAME(...)", "remove the call")
    if callee.id in FUNCTIONS:
        return FUNCTIONS[callee.id]
    return unknown_function(line, callee)


def unknown_function(line: Line, callee: ast.Name) -> Problem:
    """With what the language has instead."""
    from opgen.text.suggest import closest

    name = callee.id
    if name in INSTEAD:
        fix = INSTEAD[name]
    elif name in ("ceildiv", "align", "itemsize"):
        fix = f"`{name}` stands in sizes: slices, `arange`, `tiling`"
    else:
        near = OTHER_NAMES.get(name) or closest(name, FUNCTIONS)
        fix = f"did you mean `{near}`?" if near else "move the computation into a kernel (`kernel:`)"
    why = f"functions are {' '.join(FUNCTIONS)}"
    return line.problem(callee, "OPG303", f"unknown function `{name}`", why, fix)


def _is_last(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
        and node.operand.value == 1
        and type(node.operand.value) is int
    )


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or _is_number(node)


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def _two_values(line: Line, node: ast.Call, name: str) -> Problem:
    arguments = ", ".join(line.source(argument) for argument in node.args[:2])
    why = f"`{name}(x, axis=-1)` reduces one tensor; of two values `{name}imum` takes the {_EXTREME[name]}"
    return line.problem(node, "OPG303", f"`{name}` of two values", why, f"write `{name}imum({arguments})`")


_EXTREME = {"max": "larger", "min": "smaller"}


def _wrong(line: Line, node: ast.AST, function: Function, what: str) -> Problem:
    return line.problem(node, "OPG303", what, f"it is called as `{function.usage}`", "write it so")


def _too_many(line: Line, node: ast.expr, function: Function) -> Problem:
    return _wrong(line, node, function, f"`{function.name}` has no argument for `{line.source(node)}`")


def _unknown_argument(line: Line, keyword: ast.keyword, function: Function) -> Problem:
    from opgen.text.suggest import closest

    name = str(keyword.arg)
    what = f"`{function.name}` has no argument `{name}`"
    if name in ("keepdim", "keepdims"):
        why = "a reduction keeps its axis with size 1; the output may leave it out"
        return line.problem(keyword, "OPG303", what, why, f"remove `{name}`")
    if name == "dim" and "axis" in function.params:
        return line.problem(keyword, "OPG303", what, "the name is NumPy's", "write `axis=-1`")
    near = closest(name, function.params + function.options)
    fix = f"did you mean `{near}`?" if near else f"remove `{name}`"
    return line.problem(keyword, "OPG303", what, f"it is called as `{function.usage}`", fix)


def _missing(line: Line, node: ast.Call, function: Function, name: str) -> Problem:
    if name != "axis":
        what = f"`{function.name}` has no value for `{name}`"
        return line.problem(node, "OPG303", what, f"it is called as `{function.usage}`", f"add `{name}`")
    why = "without an axis NumPy would take another one" if function.name == "concat" else "NumPy would take all axes"
    return line.problem(node, "OPG303", f"`{function.name}` has no axis", why, f"write `{function.usage}`")
