"""Bytes that a kernel moves to and from global memory, beside the fewest with which it could do."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from opgen.facts.dtypes import DTYPES
from opgen.formula.sizes import evaluate
from opgen.kernel.forms import rows_of
from opgen.kernel.matmul_forms import Extent, product
from opgen.kernel.pieces import pieces
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.spec.model import Operator
from opgen.spec.variants import typed


@dataclass(frozen=True)
class Traffic:
    """For each element of a row, of a tensor or of a product, at the sizes of the first test case. least: of a kernel
    that reads each input once. Inputs that stay on chip for several tiles do not count, but for matrices."""

    moved: float
    least: float


def traffic(operator: Operator, plan: KernelPlan, variant: VariantPlan) -> Traffic:
    return _of_product(operator, variant) if plan.schedule == "matmul" else _of_tiles(operator, variant)


def _of_tiles(operator: Operator, variant: VariantPlan) -> Traffic:
    rows = rows_of(operator)
    usual = dict(operator.cases[0].dims)
    length = usual[rows.last.name] if rows else 1
    assert isinstance(length, int)
    program = variant.layout.program
    loads = [x for x in program.loads if x.moved == "tile" and not x.register.form]
    times = Counter(x.tensor for one in variant.passes for x in one.loads) or Counter(x.tensor for x in loads)
    moves = [(x.tensor, False, x.register, times[x.tensor]) for x in loads]
    moves += [(x.tensor, True, x.register, 1) for x in program.stores if not x.register.form]
    cut = {(piece.name, piece.output): piece for piece in pieces(operator)}
    shapes = {(t.name, t.role == "output"): t.shape for t in (*operator.inputs, *operator.outputs)}
    moved = 0.0
    spans: defaultdict[tuple[str, bool], set[int]] = defaultdict(set)
    sizes: dict[tuple[str, bool], int] = {}
    for name, output, register, count in moves:
        piece = cut.get((name, output))
        tensor = (piece.tensor if piece else name, output)
        ends = (piece.start, piece.stop) if piece else (None, shapes[tensor][-1])
        known = {rows.last.name: length} if rows else {}
        start, stop = (0 if end is None else evaluate(end, known) for end in ends) if rows else (0, 1)
        sizes[tensor] = DTYPES[register.dtype].size
        spans[tensor] |= set(range(start, stop))
        moved += count * sizes[tensor] * (stop - start)
    least = sum(sizes[tensor] * len(columns) for tensor, columns in spans.items())
    return Traffic(moved / length, least / length)


def _of_product(operator: Operator, variant: VariantPlan) -> Traffic:
    """Matrices are read once for each tile of the other one; what is computed behind the product is left out."""
    found = product(typed(operator, variant.variant))
    usual = dict(operator.cases[0].dims)

    def extent(of: Extent | None) -> int:
        return 1 if of is None else math.prod(_sizes(usual[name] for name in of.of)) if of.of else of.number

    batch, m, n, k = map(extent, found.extents)
    types = {t.name: DTYPES[variant.variant.dtype(t.dtype)].size for t in (*operator.inputs, *operator.outputs)}
    output = next(t.name for t in operator.outputs)
    first, second = m * k * types[found.a.tensor], k * n * types[found.b.tensor]
    stored = types[output] * m * n
    moved = batch * (first * -(-n // variant.columns) + second * -(-m // variant.rows) + stored)
    least = first * (batch if found.a.batched else 1) + second * (batch if found.b.batched else 1) + batch * stored
    return Traffic(moved / (batch * m * n), least / (batch * m * n))


def _sizes(values: Iterable[int | tuple[int, ...]]) -> Iterable[int]:
    return (math.prod(value) if isinstance(value, tuple) else value for value in values)
