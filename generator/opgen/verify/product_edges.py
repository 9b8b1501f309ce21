"""Sizes of a matrix product around those of its tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.formula.signature import Dim
from opgen.kernel.matmul_forms import dims_of, product
from opgen.kernel.plan import VariantPlan
from opgen.spec.model import Operator
from opgen.spec.variants import typed

Sizes = Mapping[str, int | tuple[int, ...]]

# Rows, columns and terms, in tiles of the plan and what is added to them. Open rows are also met below a tile, where
# all is clipped; several tiles follow each other on one core.
_AROUND = (
    ((0, 1), (0, 1), (0, 1)),
    ((0, 1), (0, 17), (1, 0)),
    ((1, -1), (1, -1), (1, -1)),
    ((1, 0), (1, 0), (2, 0)),
    ((1, 1), (1, 1), (1, 1)),
    ((2, 1), (1, 7), (3, 5)),
    ((4, 1), (0, 33), (2, 1)),
)
_LARGEST = 320  # of a size: the checker computes what a chip does


def product_edges(operator: Operator, plan: VariantPlan) -> Iterator[dict[str, int | tuple[int, ...]]]:
    """As far as the dims allow them; a size that cannot be met stays as in the first test case."""
    found = product(typed(operator, plan.variant))
    usual = dict(operator.cases[0].dims)
    met = []
    for around in _AROUND:
        dims = dict(usual)
        for extent, tile, (tiles, more) in zip(
            (found.m, found.n, found.k), (plan.rows, plan.columns, plan.depth), around, strict=True
        ):
            size = min(tiles * tile + more, _LARGEST)
            for position, dim in enumerate(reversed(dims_of(operator, extent))):
                dims[dim.name] = _nearest(dim, size if not position else 1, usual[dim.name])
        if found.batch is not None:
            for dim in dims_of(operator, found.batch):
                dims[dim.name] = _nearest(dim, 3, usual[dim.name])
        if dims not in met:
            met.append(dims)
            yield dims


def _nearest(dim: Dim, size: int, usual: int | tuple[int, ...]) -> int | tuple[int, ...]:
    """A size that the dim allows, at least `size`."""
    if dim.rest:
        return (size,)
    if dim.fixed or dim.values:
        return usual
    size = -(-max(size, dim.min) // dim.multiple_of) * dim.multiple_of
    return usual if dim.max is not None and size > dim.max else size
