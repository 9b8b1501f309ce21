"""Rows of tensors with several leading axes, which not all of them have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opgen.formula.signature import Dim, Tensor
from opgen.formula.sizes import Size, names, simplify
from opgen.kernel.forms import Form, Moved, Rows, single
from opgen.kernel.lengths import lengths
from opgen.spec.model import Operator


@dataclass(frozen=True)
class Blocks(Rows):
    """A tile has rows along one leading axis, `lead`, at one index of every other.

    axes: all leading axes, in order. by_tile: tiles of the same rows follow each other, since some tensors have no
    other axis than `lead` and stay on chip meanwhile; else tiles at the same indices do.
    """

    by_tile: bool = False
    order: tuple[Dim, ...] = ()  # the dims of op.yaml

    @property
    def around(self) -> tuple[Dim, ...]:
        """The axes that a tile has one index of."""
        return tuple(axis for axis in self.axes if axis != self.lead)

    def dims_of(self, size: Dim) -> tuple[Dim, ...]:
        return (size,)

    @property
    def sizes(self) -> tuple[tuple[str, Dim], ...]:
        used = (*self.axes, self.last)
        return tuple((self.row_name if d.rest else d.name, d) for d in self.order if d in used)

    def count(self, sizes: Mapping[str, int | tuple[int, ...]]) -> int:
        return math.prod(_usual(sizes, axis) for axis in self.axes)

    def leading(self, tensor: Tensor) -> tuple[Dim | None, ...] | None:
        """The leading axes of a tensor, None for one of size 1. None for all: it has others, or in another order."""
        shape = tuple(simplify(axis) for axis in tensor.shape)
        known = {_name(dim): dim for dim in self.axes}
        whole = bool(shape) and (_name(shape[-1]) in known)
        found = [None if axis.number == 1 else known.get(_name(axis)) for axis in (shape if whole else shape[:-1])]
        if any(dim is None and axis.number != 1 for dim, axis in zip(found, shape, strict=False)):
            return None
        order = [self.axes.index(dim) for dim in found if dim is not None]
        return tuple(found) if order == sorted(set(order)) else None

    def form(self, tensor: Tensor) -> Form | None:
        leading = self.leading(tensor)
        if leading is None or single(tensor.shape):
            return None
        own = [dim for dim in leading if dim is not None]
        # An output may lack axes around its rows: tiles that differ in those store the same values. Not in place, where
        # they would read what others have stored.
        if tensor.role == "output" and (self.lead not in own or (tensor.inplace and tuple(own) != self.axes)):
            return None
        if self.times(simplify(tensor.shape[-1])) is not None:
            return "" if self.lead in own else "column"
        # One value a row: those of a tile must lie side by side, with no axis behind them.
        one = tensor.shape[-1].number == 1 or len(leading) == len(tensor.shape)
        return "row" if one and own and own[-1] == self.lead else None

    def moved(self, tensor: Tensor) -> Moved:
        """When a tensor is loaded: before the first tile, when what it depends on changes, for each tile."""
        own = [dim for dim in self.leading(tensor) or () if dim is not None]
        if not own:
            return "once"
        return "kept" if (own == [self.lead] if self.by_tile else self.lead not in own) else "tile"


def blocks_of(operator: Operator) -> Blocks | None:
    """The blocks of an operator whose tensors have different leading axes; None where no choice fits all of them."""
    tensors = [t for t in (*operator.outputs, *operator.inputs) if not single(t.shape)]
    usual = dict(operator.cases[0].dims)
    for axes in _leading_axes(operator, tensors):
        for last in _lasts(operator, tensors):
            several = lengths(operator, last)
            for lead in sorted(axes, key=lambda dim: (_usual(usual, dim), axes.index(dim)), reverse=True):
                by_tile = Blocks(lead, last, axes, several, True, operator.dims)
                alone = any(by_tile.leading(t) is not None and by_tile.moved(t) == "kept" for t in operator.inputs)
                blocks = by_tile if alone else Blocks(lead, last, axes, several, False, operator.dims)
                if last not in axes and all(blocks.form(t) is not None for t in tensors):
                    return blocks
    return None


def _leading_axes(operator: Operator, tensors: list[Tensor]) -> Iterator[tuple[Dim, ...]]:
    """What the leading axes may be, those of the tensors with the most axes first: a tensor has them in front of its
    last axis, or no other."""
    dims = {_name(dim): dim for dim in operator.dims}
    shapes = [tuple(simplify(axis) for axis in t.shape) for t in tensors]
    for shape in sorted([*(s[:-1] for s in shapes), *shapes], key=len, reverse=True):
        found = [dims.get(_name(axis)) for axis in shape]
        axes = tuple(dim for dim in found if dim is not None)
        if len(axes) == len(found) and len(axes) > 1 and len(set(axes)) == len(axes):
            yield axes


def _lasts(operator: Operator, tensors: list[Tensor]) -> Iterator[Dim]:
    """Dims that the last axis may be a multiple of."""
    known = dict.fromkeys(name for t in tensors for name in names(simplify(t.shape[-1])))
    yield from (dim for name in known for dim in operator.dims if dim.name == name)


def _usual(sizes: Mapping[str, int | tuple[int, ...]], dim: Dim) -> int:
    size = sizes[dim.name]
    return math.prod(size) if isinstance(size, tuple) else size


def _name(axis: Size | Dim) -> str:
    if isinstance(axis, Dim):
        return axis.name
    return "..." if axis.op == "rest" else str(axis.value) if axis.op == "name" else ""
