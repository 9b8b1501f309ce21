"""Ways to lay out a kernel on rows, of which the planner takes the one with the fewest modelled cycles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Variant
from opgen.kernel.cost import cycles
from opgen.kernel.forms import Rows
from opgen.kernel.memory import Layout
from opgen.kernel.names import KernelNames
from opgen.kernel.rows_planner import RowBytes, RowLayouts, row_bytes, row_layouts
from opgen.spec.model import Operator
from opgen.text.findings import Finding

Types = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Way:
    """spread_once: values for each column are spread over a whole tile before the first one, and stay on chip.
    recycled: outputs take the place of inputs on chip, which leaves room for larger tiles."""

    spread_once: bool
    recycled: bool


# The simple ones first.
_WAYS = (Way(True, False), Way(False, False), Way(True, True), Way(False, True))
_WORTH = 0.97  # of the modelled cycles: by less than that another way is not better
_ROWS = 1024  # that a kernel is planned for at least, unless their number is fixed
_TYPES = 3  # choices of types that ways are compared for at most


@dataclass(frozen=True)
class _Sizes:
    """What a kernel is planned for. rows: all of them. columns, longest: of a usual and of the longest row. wanted:
    rows of a tile that op.yaml has, by types."""

    rows: int
    columns: int
    longest: int
    cores: int
    budget: int
    dynamic: bool
    wanted: Mapping[Types, int]


def best_layouts(
    operator: Operator,
    rows: Rows,
    formulas: Mapping[Variant, TypedFormula],
    names: KernelNames,
    cores: int,
    choices: tuple[int, ...],
    budget: int,
    wanted: Mapping[Types, int],
) -> tuple[RowLayouts | None, int, tuple[Finding, ...]]:
    """The layouts of the best way and the slots of a tensor, the first of `choices` with which a row of every length
    fits; those of the last way, with the last of them, where none does."""
    usual = dict(operator.cases[0].dims)
    length, total = usual[rows.last.name], rows.count(usual)
    assert isinstance(length, int)
    sizes = _Sizes(
        total if rows.lead.fixed else max(total, _ROWS),
        rows.columns(length),
        longest_row(operator, rows),
        cores,
        budget,
        rows.lead.dynamic,
        wanted,
    )
    full = [v for v in formulas if not v.absent]
    compared = {v: formulas[v] for v in full if v.attrs == full[0].attrs}
    compared = dict(list(compared.items())[:_TYPES])
    best, slots, fewest = _WAYS[-1], choices[-1], math.inf
    tried: dict[Way, RowLayouts] = {}
    for way in _WAYS:
        found, problems = row_layouts(operator, rows, compared, names, way.spread_once, way.recycled)
        if found is None:
            return None, slots, problems
        if found.recycled or not way.recycled:
            tried[way] = found
    for number in choices:
        for way, found in tried.items():
            needed = _cycles(found, sizes, number)
            if needed < _WORTH * fewest:
                best, slots, fewest = way, number, needed
        if fewest < math.inf:
            break
    found, problems = row_layouts(operator, rows, formulas, names, best.spread_once, best.recycled)
    return found, slots, problems


def longest_row(operator: Operator, rows: Rows) -> int:
    """Elements of the longest row that op.yaml speaks of."""
    last = rows.last
    tested = [dict(case.dims)[last.name] for case in operator.cases]
    longest = [*last.values, *([last.max or 1] if last.dynamic else []), *tested]
    return max(rows.columns(size) for size in longest if isinstance(size, int))


def _cycles(found: RowLayouts, sizes: _Sizes, slots: int) -> float:
    """Modelled cycles of the kernels in all, infinite when a row does not fit."""
    return sum(
        _of_one(layout, replace(row_bytes(layout, slots), wanted=sizes.wanted.get(v.types, 0)), found, sizes)
        for v, layout in found.layouts.items()
    )


def _of_one(held: Layout, size: RowBytes, found: RowLayouts, sizes: _Sizes) -> float:
    columns, longest = (-(-c // found.step) * found.step for c in (sizes.columns, sizes.longest))
    if size.rows(longest, sizes.budget) < 1:
        return math.inf
    most = size.rows(columns, sizes.budget)
    workers = 2 * sizes.cores
    rounds = -(-sizes.rows // (workers * most))
    height = most if sizes.dynamic else -(-sizes.rows // (workers * rounds))
    return cycles(held.program, height, columns, rounds, workers, bool(found.recycled))
