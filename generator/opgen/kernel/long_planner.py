"""Plans kernels for rows that do not fit on chip: programs in passes over pieces of rows, and the size of a piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Variant
from opgen.kernel.forms import Rows
from opgen.kernel.memory import Layout, allocate
from opgen.kernel.names import KernelNames
from opgen.kernel.passes import Pass, in_passes
from opgen.kernel.pieces import pieces
from opgen.kernel.rows_planner import TILE, RowBytes, fewest_masks, row_step
from opgen.kernel.sharing import laid_out
from opgen.kernel.vector import Program
from opgen.spec.model import Operator

# Columns of a piece: as many as make copies long where rows are known to be so, and few enough not to be mostly padding
# where their length is only known at run time.
_LONG, _ANY = 2048, 512

LongLayouts = dict[Variant, tuple[Layout, tuple[Pass, ...]]]


def takes_pieces(operator: Operator, rows: Rows) -> bool:
    """Whether rows can be taken in pieces: those of more than two axes, and those that slices or `concat` take apart,
    are not."""
    return type(rows) is Rows and not pieces(operator)


def always_long(rows: Rows) -> bool:
    """Whether nothing says how long rows are at most, and a kernel has to take rows of every length."""
    return rows.last.dynamic and rows.last.max is None and not rows.last.values


def may_be_long(rows: Rows) -> bool:
    """Whether a row may come that nobody spoke of: one kernel for each length, and no limit."""
    last = rows.last
    return not (last.dynamic or last.fixed or last.values or last.max is not None)


def long_layouts(
    operator: Operator, rows: Rows, formulas: Mapping[Variant, TypedFormula], names: KernelNames
) -> tuple[LongLayouts, int]:
    """The programs and where their values are, and the step that pieces are a multiple of."""
    programs: dict[Variant, Program] = {}
    ways: dict[Variant, tuple[Pass, ...]] = {}
    step = 1
    for variant, formula in formulas.items():
        whole, registers = fewest_masks(operator, rows, variant, formula, False, True, True)
        programs[variant], ways[variant] = in_passes(whole, registers)
        step = max(step, row_step(programs[variant]))
    layouts = laid_out(programs, partial(allocate, names.taken, names.slots), names.taken)
    return {v: (held, tuple(_placed(ways[v], held.program.loops))) for v, held in layouts.items()}, step


def _placed(passes: tuple[Pass, ...], loops: tuple[tuple[int, int], ...]) -> Iterator[Pass]:
    """The passes where their loops are, once copies for whole buffers have moved them."""
    start = 0
    for this, (loop, end) in zip(passes, loops, strict=True):
        yield replace(this, start=start, loop=loop, end=end)
        start = end


def piece(rows: Rows, sizes: list[RowBytes], step: int, budget: int, given: int | None = None) -> tuple[int, int]:
    """Rows and columns of a tile for all types; no rows when not even a short piece of one fits. given: the columns, as
    op.yaml has them."""
    wanted = given or (TILE if rows.alone else _ANY if always_long(rows) else _LONG)
    columns = -(-wanted // step) * step
    while given is None and columns > step and min(size.rows(columns, budget) for size in sizes) < 1:
        columns = -(-columns // (2 * step)) * step
    return min(size.rows(columns, budget) for size in sizes), columns
