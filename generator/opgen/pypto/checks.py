"""Checks of the host code: a macro of the operator repositories logs and returns."""

from __future__ import annotations

from opgen.cxx.layout import WIDTH, Expr, call, flat, statement


def op_check(indent: int, wrong: Expr, message: str, *values: str) -> str:
    """`OP_CHECK_IF(wrong, OP_LOGE(context, message, ...), return ge::GRAPH_FAILED);` message: a C++ literal."""
    log = call("OP_LOGE", "context", message, *values)
    return statement(" " * indent, call("OP_CHECK_IF", wrong, log, "return ge::GRAPH_FAILED"), ";")


def null_check(indent: int, pointer: str) -> str:
    return statement(" " * indent, call("OP_CHECK_NULL_WITH_CONTEXT", "context", pointer), ";")


def unless_success(status: Expr) -> str:
    """`if (status != ge::GRAPH_SUCCESS) { return ge::GRAPH_FAILED; }`"""
    condition = statement("    if (", status, " !=")
    if "\n" in condition or len(condition) + len(" ge::GRAPH_SUCCESS) {") <= WIDTH:
        condition = statement("    if (", status, " != ge::GRAPH_SUCCESS) {")
    else:
        condition += "\n        ge::GRAPH_SUCCESS) {"
    return f"{condition}\n        return ge::GRAPH_FAILED;\n    }}"


def registration(macro: str, *calls: str) -> str:
    """`MACRO.A(...).B(...);`, a call a line where one line cannot hold them."""
    line = f"{macro}{''.join(calls)};"
    return line if len(line) <= WIDTH else "\n    ".join([macro, *calls]) + ";"


def short_function(signature: Expr, result: Expr) -> str:
    """A function that returns an expression, on one line where that fits."""
    whole = statement("", signature, f" {{ return {flat(result)}; }}")
    if "\n" not in whole and len(whole) <= WIDTH:
        return whole
    return "\n".join([statement("", signature, ""), "{", statement("    return ", result, ";"), "}"])
