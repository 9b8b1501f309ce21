"""The vector program of what a formula computes with a matrix product."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES
from opgen.formula.ir import Node, TypedFormula
from opgen.formula.signature import Variant
from opgen.kernel.decompose import Place, decompose_rows, jumps
from opgen.kernel.forms import REDUCTIONS, Moved
from opgen.kernel.matmul_forms import Unfit, product
from opgen.kernel.matmul_rest import WORKSPACE, factor_of, form_of, sums_of
from opgen.kernel.memory import Layout, allocate
from opgen.kernel.names import KernelNames
from opgen.kernel.rows_builder import RowBuilder, Unsupported
from opgen.kernel.sharing import laid_out
from opgen.kernel.vector import MASK, Program
from opgen.spec.model import Operator

_APART = (*REDUCTIONS, "argmax", "argmin", "arange", "slice", "expand", "concat", "dim")


def rest_program(operator: Operator, variant: Variant, formula: TypedFormula) -> Program:
    """The vector program of a part of a tile. Unfit: there is none."""
    found = product(formula)
    sums = sums_of(factor_of(operator, variant, formula)) or "float32"
    remaining = _without_product(formula)
    read = {str(node.value) for node in remaining.walk() if node.op == "load"}
    places = {WORKSPACE: Place(sums, False, True)}
    for tensor in (*operator.inputs, *operator.outputs):
        factor = tensor.name in (found.a.tensor, found.b.tensor) and tensor.name not in read
        if tensor.name in variant.absent or factor:
            continue
        if tensor.inplace:
            raise Unfit(f"output `{tensor.name}` in place of an input", "Cores may store a value twice.")
        form = form_of(formula, tensor)
        if tensor.role == "output" and form != "":
            raise Unfit(f"output `{tensor.name}` of another shape than the product", "Cores store tiles of it.")
        moved: Moved = "once" if form == "column" else "tile"  # once for each tile of the product, or for its parts
        dtype = variant.dtype(tensor.dtype)
        places[tensor.name] = Place(dtype, form is None, tensor.role == "input", form or "", moved=moved)
    for node in remaining.walk():
        if node.op in _APART:
            what = "a size" if node.op == "dim" else f"`{node.op}`"
            raise Unfit(f"{what} beside a matrix product", "Vector cores work on tiles of it.", node.offset)
    try:
        return decompose_rows(remaining, places, RowBuilder("N", True, {}, exact_division=jumps(formula)))
    except Unsupported as problem:
        raise Unfit(str(problem), "The vector cores have no instructions for it.") from problem


def rest_layouts(programs: Mapping[Variant, Program], names: KernelNames) -> dict[Variant, Layout]:
    """The programs with their values on chip."""
    return laid_out(programs, partial(allocate, names.taken, names.slots), names.taken)


def column_step(layouts: Iterable[Layout]) -> int:
    """Columns of a tile are a multiple of it: rows on chip are whole blocks of every type."""
    held = [b for layout in layouts for b in layout.buffers if not b.form and b.dtype != MASK]
    return BLOCK_BYTES // min((DTYPES[b.dtype].size for b in held), default=BLOCK_BYTES)


def _without_product(formula: TypedFormula) -> TypedFormula:
    """The formula on what lies in the workspace."""

    def changed(node: Node) -> Node:
        if node.op == "matmul":
            return replace(node, op="load", args=(), value=WORKSPACE)
        return replace(node, args=tuple(map(changed, node.args)))

    return TypedFormula(tuple(replace(a, value=changed(a.value)) for a in formula.assignments))
