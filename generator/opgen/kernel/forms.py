"""Which schedule an operator's formula takes, and how each tensor of the rows schedule is held."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from opgen.formula.signature import Dim, Shape, Tensor
from opgen.formula.sizes import Size, evaluate, names, simplify
from opgen.kernel.lengths import lengths, multiple, told_by
from opgen.spec.model import Operator

Form = Literal["", "row", "column"]
Moved = Literal["once", "kept", "tile"]  # when a tensor is loaded: see `Rows.moved`

REDUCTIONS = ("sum", "mean", "max", "min")
POSITIONS = ("argmax", "argmin", "arange")  # work with the numbers of columns
_NOT_YET = ("matmul",)  # calls that are not generated yet


@dataclass(frozen=True)
class Rows:
    """Tensors as rows: R, the leading axis or the product of all of them, and C, the last axis, or several times C in
    tensors that are taken apart by slices or put together by `concat`.

    lead, last: dims. axes: the leading axes, of which `lead` is the only one or stands for all; none where all tensors
    are one row. row_name: of R in keys and on the command line. lengths: those of rows on chip, where C tells them and
    they are not all multiples of it.
    """

    lead: Dim
    last: Dim
    axes: tuple[Dim, ...]
    lengths: tuple[Size, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether there is just one row."""
        return not self.axes

    @property
    def row_name(self) -> str:
        """`...` is called N, unless the last axis is."""
        if not self.lead.rest:
            return self.lead.name
        return "N" if self.last.name != "N" else "R"

    def form(self, tensor: Tensor) -> Form | None:
        """ "": every element, "row": one a row, "column": one a column. None: something else, or a single element."""
        shape = tuple(simplify(axis) for axis in tensor.shape)
        lead, one = tuple(map(_axis, self.axes)), Size.const(1)
        wide = bool(shape) and self.times(shape[-1]) is not None
        if self.alone:
            if wide and all(axis == one for axis in shape[:-1]):
                return ""
            return "row" if single(shape) and tensor.role == "output" else None
        if wide and shape[:-1] == lead:
            return ""
        if shape in ((*lead, one), lead):
            return "row"
        if wide and all(axis == one for axis in shape[:-1]):
            return "column"
        return None

    @property
    def sizes(self) -> tuple[tuple[str, Dim], ...]:
        """The sizes of a kernel, in the order of its command line, with their names there."""
        last = (self.last.name, self.last)
        return (last,) if self.alone else ((self.row_name, self.lead), last)

    def dims_of(self, size: Dim) -> tuple[Dim, ...]:
        """The dims of op.yaml whose product a size is."""
        return self.axes if size == self.lead else (size,)

    def count(self, sizes: Mapping[str, int | tuple[int, ...]]) -> int:
        """Rows in all, of so large dims."""
        return math.prod(_product(sizes[axis.name]) for axis in self.axes)

    def moved(self, tensor: Tensor) -> Moved:
        """When a tensor is loaded: before the first tile, when what it depends on changes, for each tile."""
        return "once" if self.form(tensor) == "column" else "tile"

    def times(self, axis: Size) -> int | None:
        """2 for 2 * C; None for what is no multiple of C. 1 for every length where there are several."""
        if self.lengths:
            return 1 if told_by(simplify(axis), self.last) else None
        return multiple(axis, self.last)

    def columns(self, length: int) -> int:
        """The longest row on chip, where C is `length`."""
        return max((evaluate(axis, {self.last.name: length}) for axis in self.lengths), default=length)


def _product(size: int | tuple[int, ...]) -> int:
    return math.prod(size) if isinstance(size, tuple) else size


def _axis(dim: Dim) -> Size:
    return Size.rest() if dim.rest else Size.name(dim.name)


def single(shape: Shape) -> bool:
    """Whether a shape has one element: [] or ones only."""
    return all(simplify(axis).number == 1 for axis in shape)


def rows_of(operator: Operator) -> Rows | None:
    """The rows of an operator that needs them, since shapes differ or the formula reduces.

    None: it does not, or its axes are neither leading ones and a last one, nor a last one alone.
    """
    if operator.kernel is not None or operator.formula is None:
        return None
    tensors = (*operator.inputs, *operator.outputs)
    shapes = {tuple(simplify(axis) for axis in t.shape) for t in tensors if not single(t.shape)}
    calls = {e.value for e in operator.formula.walk() if e.op == "call"}
    sliced = any(e.op == "index" for e in operator.formula.walk())
    if len(shapes) < 2 and not sliced and not calls.intersection((*REDUCTIONS, *POSITIONS, "concat")):
        return None
    if calls.intersection(_NOT_YET) or any(e.op == "matmul" for e in operator.formula.walk()):
        return None
    folded = _folded(operator)
    if folded is not None:
        return folded
    if not all(single(t.shape) or _flat(t.shape) for t in tensors):
        from opgen.kernel.blocks import blocks_of

        blocks = blocks_of(operator)
        if blocks is not None:
            return blocks
    full = next((s for s in (tuple(map(simplify, t.shape)) for t in tensors) if len(s) == 2 and _rows(s)), None)
    if full is None:
        return None
    lead, last = _dim(operator, full[0]), _dim(operator, Size.name(names(full[1])[0]))
    if lead is None or last is None or last.rest or lead == last:
        return None
    return Rows(lead, last, (lead,))


def _folded(operator: Operator) -> Rows | None:
    """Rows that all leading axes are counted in, where each tensor has all of them or none; one row without any."""
    tensors = (*operator.outputs, *operator.inputs)
    shapes = [tuple(map(simplify, t.shape)) for t in tensors if not single(t.shape)]
    full = max(shapes, key=lambda shape: (len(shape), len(names(shape[-1]))), default=())
    axes = [_dim(operator, axis) for axis in full[:-1] if axis.number != 1]
    for name in names(full[-1]) if full else ():
        last = _dim(operator, Size.name(name))
        known = tuple(axis for axis in axes if axis is not None)
        if last is None or last in known or len(set(known)) != len(axes):
            continue
        rows = Rows(_product_of(operator, known), last, known, lengths(operator, last) if known else ())
        if all(single(t.shape) or rows.form(t) is not None for t in tensors) and not _read(operator, rows):
            return rows
    return None


def _read(operator: Operator, rows: Rows) -> bool:
    """Whether the formula reads one of several leading axes as a number."""
    assert operator.formula is not None
    several = {axis.name for axis in rows.axes} if len(rows.axes) > 1 else set()
    return any(e.op == "name" and e.value in several for e in operator.formula.walk())


def _product_of(operator: Operator, axes: tuple[Dim, ...]) -> Dim:
    """The dim itself, or one that stands for the product of several, named by a letter that no dim has."""
    if len(axes) == 1:
        return axes[0]
    taken = {dim.name for dim in operator.dims}
    name = next(letter for letter in ("R", "N", "M", "ROWS") if letter not in taken)
    choices = [(dim.default,) if dim.fixed else dim.values for dim in axes]
    values = {math.prod(map(_product, chosen)) for chosen in itertools.product(*choices)} if all(choices) else set()
    default = math.prod(_product(dim.default) for dim in axes)
    fixed, dynamic = all(dim.fixed for dim in axes), any(dim.dynamic for dim in axes)
    return Dim(name, default, fixed, dynamic, () if fixed else tuple(sorted(values)))


def _flat(shape: Shape) -> bool:
    """Whether at most one axis in front of the last has a size."""
    return sum(simplify(axis).number != 1 for axis in shape[:-1]) < 2 and len(shape) < 3


def _rows(shape: Shape) -> bool:
    """Whether the first axis is a dim by itself, and the last one of one dim."""
    return shape[0].op in ("rest", "name") and len(names(shape[1])) == 1


def _dim(operator: Operator, axis: Size) -> Dim | None:
    """The dim that an axis is."""
    name = "..." if axis.op == "rest" else str(axis.value) if axis.op == "name" else ""
    return next((d for d in operator.dims if d.name == name), None)
