"""The typed tree of a call: what each function takes and gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opgen.facts.dtypes import DTYPES, Kind
from opgen.formula import shapes
from opgen.formula.expressions import describe, wider
from opgen.formula.functions import FLOAT_UNARY, KIND_UNARY, REDUCTIONS
from opgen.formula.ir import Node
from opgen.formula.shapes import Misfit
from opgen.formula.sizes import Size
from opgen.formula.syntax_tree import Expr

if TYPE_CHECKING:
    from opgen.formula.expressions import Expressions


def call(expressions: Expressions, expr: Expr) -> Node | None:
    """The node of a call, or None after a report."""
    name = str(expr.value)
    if name == "arange":
        return _arange(expressions, expr)
    if name == "cast":
        return _cast(expressions, expr)
    nodes = expressions.all(expr.args[0].args if name == "concat" else expr.args)
    if nodes is None:
        return None
    if name in FLOAT_UNARY or name in ("gelu", "leaky_relu"):
        return _float_function(expressions, expr, name, nodes)
    if name in KIND_UNARY or name in ("maximum", "minimum", "clip"):
        return _kind_function(expressions, expr, name, nodes)
    if name in REDUCTIONS:
        return _reduction(expressions, expr, name, nodes[0])
    if name == "where":
        return _where(expressions, expr, nodes)
    if name == "concat":
        return _concat(expressions, expr, nodes)
    return _matmul(expressions, expr, nodes)


def _arange(expressions: Expressions, expr: Expr) -> Node | None:
    size = expr.args[0].value
    assert isinstance(size, Size)
    names = {*expressions.assigned, *expressions.later}
    count = expressions.statics.size(size, expr.args[0].offset, expr.args[0].length, names)
    if count is None:
        return None
    number = count.number
    if number is not None and number < 1:
        why, fix = "tensors have at least one element", "write a number from 1"
        expressions.refuse_shape(expr, Misfit(f"`arange({number})` is empty", why, fix))
        return None
    return Node("arange", "int", (count,), (), count, expr.offset)


def _cast(expressions: Expressions, expr: Expr) -> Node | None:
    operand = expressions.resolve(expr.args[0])
    dtype = expressions.statics.type(expr.args[1])
    if operand is None or dtype is None:
        return None
    return Node("cast", DTYPES[dtype].kind, operand.shape, (operand,), dtype, expr.offset)


def _float_function(expressions: Expressions, expr: Expr, name: str, nodes: tuple[Node, ...]) -> Node | None:
    for node, operand in zip(nodes, expr.args, strict=True):
        if node.kind == "bool" or (node.kind == "int" and node.shape is not None):
            text = expressions.text(operand)
            what = f"`{text}` is {describe(node)}, an argument of `{name}`"
            why = f"`{name}` takes floats; int scalars turn into one, tensors are cast"
            expressions.refuse_kind(operand, what, why, f"write `cast({text}, float32)`")
            return None
    form = None
    if name == "gelu":
        form = _gelu_form(expressions, expr)
        if form is None:
            return None
    return expressions.elementwise(name, "float", expr, nodes, form)


def _gelu_form(expressions: Expressions, expr: Expr) -> str | None:
    for _, option in expr.options:
        value = expressions.statics.option(option)
        if value is None:
            return None
        if value not in ("none", "tanh"):
            what, why = f'`gelu` has no form "{value}"', "`approximate` is the erf form or the tanh form"
            expressions.statics.report("OPG303", option, what, why, 'write "none" or "tanh"')
            return None
        return str(value)
    return "none"


def _kind_function(expressions: Expressions, expr: Expr, name: str, nodes: tuple[Node, ...]) -> Node | None:
    for node, operand in zip(nodes, expr.args, strict=True):
        if node.kind == "bool":
            what = f"`{expressions.text(operand)}` is bool, an argument of `{name}`"
            fix = "write `a | b`" if name == "maximum" else "write `a & b`" if name == "minimum" else "cast it first"
            expressions.refuse_kind(operand, what, "bool never turns into a number by itself", fix)
            return None
    return expressions.elementwise(name, wider(nodes), expr, nodes)


def _reduction(expressions: Expressions, expr: Expr, name: str, operand: Node) -> Node | None:
    if operand.kind == "bool" and name in ("mean", "argmax", "argmin"):
        text = expressions.text(expr.args[0])
        fix = f"write `{name}(cast({text}, float32), axis=-1)`"
        why = "bool never turns into a number by itself; `sum` of bool counts"
        expressions.refuse_kind(expr.args[0], f"`{text}` is bool, an argument of `{name}`", why, fix)
        return None
    shape = shapes.reduce(operand.shape)
    if isinstance(shape, Misfit):
        expressions.refuse_shape(expr, shape)
        return None
    kind: Kind = operand.kind
    if name == "mean":
        kind = "float"
    elif name in ("argmax", "argmin") or (name == "sum" and kind == "bool"):
        kind = "int"
    return Node(name, kind, shape, (operand,), None, expr.offset)


def _where(expressions: Expressions, expr: Expr, nodes: tuple[Node, ...]) -> Node | None:
    condition, then, otherwise = nodes
    if condition.kind != "bool":
        text = expressions.text(expr.args[0])
        what = f"`{text}` is {condition.kind}, the condition of `where`"
        expressions.refuse_kind(expr.args[0], what, "a condition is bool", f"write `{text} != 0`")
        return None
    if (then.kind == "bool") != (otherwise.kind == "bool"):
        what = f"`where` chooses between {describe(then)} and {describe(otherwise)}"
        expressions.refuse_kind(expr, what, "bool never turns into a number by itself", "cast one side")
        return None
    return expressions.elementwise("where", wider((then, otherwise)), expr, nodes)


def _concat(expressions: Expressions, expr: Expr, nodes: tuple[Node, ...]) -> Node | None:
    if len({node.kind == "bool" for node in nodes}) > 1:
        why = "bool never turns into a number by itself"
        expressions.refuse_kind(expr, "`concat` joins bools and numbers", why, "cast one side")
        return None
    shape = shapes.concat([node.shape for node in nodes])
    if isinstance(shape, Misfit):
        expressions.refuse_shape(expr, shape)
        return None
    return Node("concat", wider(nodes), shape, nodes, None, expr.offset)


def _matmul(expressions: Expressions, expr: Expr, nodes: tuple[Node, ...]) -> Node | None:
    transpose = {"transpose_a": False, "transpose_b": False}
    for name, option in expr.options:
        value = expressions.statics.option(option)
        if value is None:
            return None
        if not isinstance(value, bool):
            what, why = f"`{name}` is `{value}`", f"`{name}` is True, False or a bool attribute"
            expressions.statics.report("OPG304", option, what, why, "write True or False")
            return None
        transpose[name] = value
    return product(expressions, expr, nodes, (transpose["transpose_a"], transpose["transpose_b"]))


def product(expressions: Expressions, expr: Expr, nodes: tuple[Node, ...], transpose: tuple[bool, bool]) -> Node | None:
    """A matrix product."""
    first, second = nodes
    if first.kind != second.kind or first.kind == "bool":
        what = f"a product of {describe(first)} and {describe(second)}"
        expressions.refuse_kind(expr, what, "both are floats or both are ints", "cast one of them")
        return None
    shape = shapes.matmul(first.shape, second.shape, transpose)
    if isinstance(shape, Misfit):
        expressions.refuse_shape(expr, shape)
        return None
    return Node("matmul", first.kind, shape, nodes, transpose, expr.offset)
