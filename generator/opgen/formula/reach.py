"""How far the floats of an expression can reach: whether a comparison must be ready for NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import IntEnum

from opgen.formula.ir import Node

__all__ = ["Reach", "Reaches", "reach"]

# Finite operands have a finite result, infinite ones may give NaN. Overflow of double is left out of account.
_FINITE = {"add", "sub", "mul", "sin", "cos", "leaky_relu", "gelu", "silu", "sum", "mean", "matmul"}
# NaN comes out only where NaN goes in.
_KEEPING = {"neg", "abs", "tanh", "erf", "sigmoid", "relu", "round", "floor", "ceil", "maximum", "minimum", "clip"}
_KEEPING |= {"where", "cast", "max", "min", "slice", "expand", "concat", "exp"}
_OVERFLOWING = {"exp", "cast"}


class Reach(IntEnum):
    FINITE = 0
    NUMBER = 1  # or an infinity
    ANYTHING = 2  # or NaN


# ("load" or "local", name) -> its reach.
Reaches = Mapping[tuple[str, str], Reach]


def reach(node: Node, known: Reaches) -> Reach:
    """What the elements of a node can be, if inputs and attributes are finite. known: names that are not finite."""
    if node.kind != "float":
        return Reach.FINITE
    if node.op == "const":
        return Reach.NUMBER if math.isinf(float(str(node.value))) else Reach.FINITE
    if not node.args:
        return known.get((node.op, str(node.value)), Reach.FINITE)
    worst = max(reach(arg, known) for arg in node.args)
    if node.op in _KEEPING:
        return max(worst, Reach.NUMBER) if node.op in _OVERFLOWING else worst
    return Reach.FINITE if node.op in _FINITE and worst == Reach.FINITE else Reach.ANYTHING
