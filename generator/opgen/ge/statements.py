"""Statements that the callbacks of custom_op.cpp repeat."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cxx.layout import Expr, call, condition, negated

CONTEXT_GIVEN = call("check.Given", "ctx", '"the context"')
ATTRIBUTES_READ = "ReadAttributes(check, ctx->GetAttrs(), attributes)"


def unless(indent: int, checks: Sequence[Expr], result: str = "ge::GRAPH_PARAM_INVALID") -> str:
    """`if (!a || !b) { return result; }`"""
    pad = " " * indent
    return f"{condition(indent, [negated(check) for check in checks])}\n{pad}  return {result};\n{pad}}}"
