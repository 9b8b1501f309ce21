"""The tile program of every variant of an operator, and where its values are."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.facts.pypto import CASTS, OPERATIONS, REDUCTIONS
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Variant
from opgen.kernel.decompose import build_parts, jumps
from opgen.kernel.elementwise import places
from opgen.kernel.forms import Rows
from opgen.kernel.pypto.builder import RowTileBuilder, TileBuilder
from opgen.kernel.pypto.memory import TileLayout, place
from opgen.kernel.pypto.names import Names
from opgen.kernel.pypto.program import FUNCTIONS, finish, name_of
from opgen.kernel.rows_builder import Unsupported
from opgen.kernel.rows_planner import row_places
from opgen.kernel.vector import MASK, Instruction, Program
from opgen.spec.model import Operator
from opgen.text.findings import Finding


def tile_layouts(
    operator: Operator, rows: Rows | None, formulas: Mapping[Variant, TypedFormula], names: Names
) -> tuple[dict[Variant, TileLayout], tuple[Finding, ...]]:
    """OPG309: the documented operations do not suffice."""
    layouts: dict[Variant, TileLayout] = {}
    findings: dict[Finding, None] = {}
    for variant, formula in formulas.items():
        try:
            program = _program(operator, rows, variant, formula)
            for instruction in program.instructions():
                _check(instruction)
            layouts[variant] = place(program, names.tiles, names.taken)
        except Unsupported as problem:
            findings[_unsupported(operator, str(problem))] = None
    return layouts, tuple(findings)


def _program(operator: Operator, rows: Rows | None, variant: Variant, formula: TypedFormula) -> Program:
    build: TileBuilder
    if rows is None:
        build = TileBuilder(exact_division=jumps(formula))
        parts = build_parts(formula, places(operator, variant), build)
    else:
        build = RowTileBuilder(rows.last.name, True, {}, exact_division=jumps(formula))
        parts = build_parts(formula, row_places(operator, rows, variant), build)
    return finish(parts, build.instructions, build.registers)


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
        raise Unsupported(f"`{name}`")
    for dtype in dtypes:
        if dtype not in known:
            raise Unsupported(f"`{name}` of {dtype}")


_NEAREST = (
    (
        "a power",
        "Write a whole exponent, 0.5 or -0.5; for positive `x`, `exp(y * log(x))` is within float32's accuracy.",
    ),
    ("the scalar operation", "Let the caller compute it: make the result an attribute."),
    ("an infinite number", "Write a finite limit such as 3e38."),
)


def _unsupported(operator: Operator, problem: str) -> Finding:
    why = "PyPTO Pro documents no tile operation for it."
    by_hand = f"Write the kernel by hand and name it: `kernel: {operator.name}.py`. The formula may stay beside it."
    nearest = [text for start, text in _NEAREST if problem.startswith(start)]
    fix = " ".join([*nearest, by_hand])
    return Finding("OPG309", f"no schedule: {problem}", why, fix, pointer=operator.pointer + "/compute")
