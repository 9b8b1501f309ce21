"""Whether an operator fits the elementwise schedule, and how its tensors are held then."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.formula.ir import Node, TypedFormula
from opgen.formula.signature import Shape, Tensor, Variant
from opgen.formula.sizes import Size, show, simplify
from opgen.kernel.decompose import Place
from opgen.kernel.forms import POSITIONS, REDUCTIONS, Rows, single
from opgen.spec.model import Operator
from opgen.text.findings import Finding

_BY_HAND = "Write the kernel by hand and name it: `kernel: {name}_kernel.py`. The formula may stay beside it."
_LATER = (
    "Generated kernels are elementwise, where all tensors have one shape or one element, or work on rows [..., C] or "
    "[R, C] with tensors of that shape, [C] and [..., 1]. Other shapes are not generated yet, but for matrix products."
)

_CONSTRUCTS = {
    "sum": "the reduction `sum`",
    "mean": "the reduction `mean`",
    "max": "the reduction `max`",
    "min": "the reduction `min`",
    "argmax": "the reduction `argmax`",
    "argmin": "the reduction `argmin`",
    "arange": "`arange`",
    "slice": "a slice",
    "expand": "a new axis (`None` in an index)",
    "concat": "`concat`",
    "matmul": "a matrix product",
}


def full_shape(operator: Operator) -> Shape | None:
    """The shape of the tensors that have more than one element; None when none has."""
    for tensor in (*operator.outputs, *operator.inputs):
        if not single(tensor.shape):
            return tuple(simplify(axis) for axis in tensor.shape)
    return None


def places(operator: Operator, variant: Variant) -> dict[str, Place]:
    """How each tensor that is there is held. An in-place output is held as its input."""
    all_single = full_shape(operator) is None
    inputs = [t for t in operator.inputs if t.name not in variant.absent]
    outputs = [t for t in operator.outputs if not t.inplace]

    def place(tensor: Tensor) -> Place:
        alone = single(tensor.shape) and not all_single
        return Place(variant.dtype(tensor.dtype), alone, tensor.role == "input")

    return {t.name: place(t) for t in (*inputs, *outputs)}


def shape_findings(operator: Operator) -> Iterator[Finding]:
    """OPG309 for every tensor that is neither full nor of one element."""
    full = full_shape(operator)
    if full is None:
        return
    for kind, tensors in (("inputs", operator.inputs), ("outputs", operator.outputs)):
        for number, tensor in enumerate(tensors):
            pointer = f"{operator.pointer}/{kind}/{number}"
            if tensor.inplace:
                continue
            if kind == "outputs" and single(tensor.shape):
                what = f"output `{tensor.name}` has one element, and other tensors have more"
                yield _no_schedule(operator, what, pointer + "/shape")
            elif not single(tensor.shape) and tuple(simplify(axis) for axis in tensor.shape) != full:
                what = f"`{tensor.name}` has shape {_shown(tensor)} and other tensors {_axes(full)}"
                yield _no_schedule(operator, what, pointer + "/shape")


def formula_findings(operator: Operator, formula: TypedFormula, rows: Rows | None = None) -> Iterator[Finding]:
    """OPG309 for every construct that the schedule, elementwise without `rows`, has not."""
    pointer = operator.pointer + "/compute"
    for node in formula.walk():
        if rows is not None and node.op == "arange" and node.value != Size.name(rows.last.name):
            what = f"`arange({show(node.value)})` is not as long as a row"  # type: ignore[arg-type]
            why = f"A kernel on rows of `{rows.last.name}` elements numbers the columns of its rows, nothing else."
            fix = f"Write `arange({rows.last.name})`. {_BY_HAND.format(name=operator.name)}"
            yield Finding("OPG309", f"no schedule: {what}", why, fix, pointer=pointer, offset=node.offset)
        elif node.op in _CONSTRUCTS and (
            rows is None or node.op not in (*REDUCTIONS, *POSITIONS, "slice", "concat", "expand")
        ):
            yield _no_schedule(operator, f"{_CONSTRUCTS[node.op]} in the formula", pointer, node)
        elif rows is not None:
            known = [dim.name for _, dim in rows.sizes if not dim.rest]
            if node.op == "expand" and _ends_with_columns(node, rows):
                what = "a new axis behind the last one"
                yield _no_schedule(operator, what, pointer, node)
            elif node.op == "dim" and node.value not in known:
                yield _no_schedule(operator, f"the formula reads the size `{node.value}`", pointer, node)
        elif node.op == "dim" and not counts_elements(operator, str(node.value)):
            what = f"the formula reads the size `{node.value}`"
            why = "An elementwise kernel knows one size, the number of elements."
            fix = f"Fix the dim (`{node.value}: 4096`), or make it the only axis. {_BY_HAND.format(name=operator.name)}"
            yield Finding("OPG309", what, why, fix, pointer=pointer, offset=node.offset, length=len(str(node.value)))


def _ends_with_columns(node: Node, rows: Rows) -> bool:
    """Whether a new last axis moves that of the rows to the front."""
    inner = node.args[0].shape
    added = isinstance(node.value, tuple) and -1 in node.value
    return added and bool(inner) and inner is not None and rows.times(simplify(inner[-1])) is not None


def counts_elements(operator: Operator, dim: str) -> bool:
    """Whether a dim is the number of elements."""
    full = full_shape(operator)
    return full is not None and len(full) == 1 and full[0].op == "name" and full[0].value == dim


def _no_schedule(operator: Operator, what: str, pointer: str, node: Node | None = None) -> Finding:
    fix = _BY_HAND.format(name=operator.name)
    return Finding("OPG309", f"no schedule: {what}", _LATER, fix, pointer=pointer, offset=node.offset if node else None)


def _shown(tensor: Tensor) -> str:
    return _axes(tensor.shape)


def _axes(shape: Shape) -> str:
    return "[" + ", ".join("..." if axis.op == "rest" else show(axis) for axis in shape) + "]"
