"""The tile program of every variant of an operator, and where its values are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opgen.facts.pypto import CASTS, OPERATIONS, REDUCTIONS
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Variant
from opgen.kernel.blocks import Blocks
from opgen.kernel.decompose import build_parts, jumps
from opgen.kernel.elementwise import places
from opgen.kernel.forms import Rows
from opgen.kernel.pypto.builder import RowTileBuilder, TileBuilder
from opgen.kernel.pypto.memory import TileLayout, place
from opgen.kernel.pypto.names import Names
from opgen.kernel.pypto.program import FUNCTIONS, finish, name_of
from opgen.kernel.rows_builder import Unsupported
from opgen.kernel.rows_planner import row_places
from opgen.kernel.stages import stages
from opgen.kernel.vector import MASK, Instruction, Program, Registers
from opgen.spec.model import Operator
from opgen.text.findings import Finding


@dataclass(frozen=True)
class Layouts:
    """whole: where a tile holds whole rows, or a piece of a flattened tensor. pieces: of rows, for a kernel on rows.
    free: whether pieces cost nothing, as one pass serves and no input of one row is loaded for each tile."""

    whole: dict[Variant, TileLayout]
    pieces: dict[Variant, TileLayout]

    @property
    def free(self) -> bool:
        return all(
            len([s for s in held.passes if s.loops]) == 1 and not held.program.vectors for held in self.pieces.values()
        )


def tile_layouts(
    operator: Operator, rows: Rows | None, formulas: Mapping[Variant, TypedFormula], names: Names
) -> tuple[Layouts, tuple[Finding, ...]]:
    """OPG309: the documented operations do not suffice."""
    layouts = Layouts({}, {})
    findings: dict[Finding, None] = {}
    for variant, formula in formulas.items():
        try:
            program, registers = _program(operator, rows, variant, formula)
            for instruction in program.instructions():
                _check(instruction)
            layouts.whole[variant] = place(program, names.tiles, names.taken)
            if rows is not None:
                passes = stages(program, registers, names.tensor)
                layouts.pieces[variant] = place(program, names.tiles, names.taken, passes)
        except Unsupported as problem:
            findings[_unsupported(operator, problem)] = None
    return layouts, tuple(findings)


def _program(
    operator: Operator, rows: Rows | None, variant: Variant, formula: TypedFormula
) -> tuple[Program, Registers]:
    build: TileBuilder
    if rows is None:
        build = TileBuilder(exact_division=jumps(formula))
        parts = build_parts(formula, places(operator, variant), build)
    else:
        if isinstance(rows, Blocks):
            raise _OtherForm("broadcasting along leading axes")
        if len(rows.axes) != 1:
            wanted = f"`[..., {rows.last.name}]`"
            if rows.alone:
                raise _OtherForm("one row", f"Put leading axes before it, of which there may be none: {wanted}.")
            raise _OtherForm("rows along several leading axes", f"Write the leading axes as one: {wanted}.")
        build = RowTileBuilder(rows.last.name, True, {}, exact_division=jumps(formula))
        parts = build_parts(formula, row_places(operator, rows, variant), build)
    return finish(parts, build.instructions, build.registers), build.registers


def _check(instruction: Instruction) -> None:
    """Unsupported: the operation does not have the type."""
    if instruction.op == "cast":
        source, target = instruction.reads[0].dtype, instruction.target.dtype
        if target not in CASTS.get(source, ()):
            raise Unsupported(f"a cast from {source} to {target}")
        return
    name = name_of(instruction)
    dtypes = [r.dtype for r in (*instruction.reads, instruction.target) if r.dtype != MASK]
    if name.startswith("reduce_"):
        known = REDUCTIONS[FUNCTIONS[name]][0]
    elif name in OPERATIONS:
        known = OPERATIONS[name].dtypes
    else:
        raise Unsupported(_SPOKEN.get(name, f"`{name}`"))
    for dtype in dtypes:
        if dtype not in known:
            raise Unsupported(f"`{name}` of {dtype}")


_SPOKEN = {"createvecindex": "positions (`argmax`, `argmin`, `arange`)"}


class _OtherForm(Unsupported):
    """The tensors are laid out as no PyPTO kernel of our planning takes them, whatever the operations."""


def _unsupported(operator: Operator, problem: Unsupported) -> Finding:
    if isinstance(problem, _OtherForm):
        why = "opgen plans PyPTO kernels for tensors of one shape, and for rows `[..., C]` with `[C]` and `[..., 1]`."
    else:
        why = "PyPTO Pro documents no tile operation for it."
    by_hand = f"Write the kernel by hand and name it: `kernel: {operator.name}.py`. The formula may stay beside it."
    fix = " ".join([part for part in (problem.instead, by_hand) if part])
    pointer = operator.pointer + "/compute"
    return Finding("OPG309", f"no schedule: {problem}", why, fix, pointer=pointer, offset=problem.offset)
