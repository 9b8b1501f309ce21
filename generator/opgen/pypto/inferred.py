"""Shape inference in Python, as op_host/NAME_infershape.cpp does it: what its unit tests expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opgen.formula.signature import Dim, Shape
from opgen.formula.sizes import Size, binding, evaluate, names, simplify, substitute
from opgen.spec.model import Operator

Dims = tuple[int, ...]

UNKNOWN_DIM = -1
UNKNOWN_RANK: Dims = (-2,)


class _Contradiction(Exception):
    """Shapes that do not go together."""


def infer(operator: Operator, shapes: Sequence[Dims], attrs: Mapping[str, int]) -> tuple[Dims, ...] | None:
    """The shapes of the outputs; None where those of the inputs are refused. attrs: those that shapes name."""
    sizes = _Sizes(operator.dims)
    settled = [tuple(simplify(substitute(simplify(axis), attrs)) for axis in t.shape) for t in operator.inputs]
    try:
        for shape, dims in zip(settled, shapes, strict=True):
            if dims != UNKNOWN_RANK:
                sizes.merge(shape, dims)
        sizes.compare()
        sizes.check()
        outputs = [tuple(simplify(substitute(simplify(axis), attrs)) for axis in t.shape) for t in operator.outputs]
        return tuple(map(sizes.shape, outputs))
    except _Contradiction:
        return None


class _Sizes:
    def __init__(self, dims: tuple[Dim, ...]) -> None:
        self.dims = dims
        self.leading = UNKNOWN_RANK
        self.known: dict[str, int] = {}
        self.computed: list[tuple[Size, int]] = []  # axes that follow from dims, and their sizes

    def merge(self, shape: Shape, dims: Dims) -> None:
        rest = bool(shape) and shape[0].op == "rest"
        count = len(shape) - rest
        if len(dims) < count or (not rest and len(dims) != count):
            raise _Contradiction
        if rest:
            self._merge_leading(dims[: len(dims) - count])
        for axis, dim in zip(shape[rest:], dims[len(dims) - count :], strict=True):
            if dim != UNKNOWN_DIM:
                self._merge_axis(axis, dim)

    def _merge_leading(self, dims: Dims) -> None:
        if self.leading == UNKNOWN_RANK:
            self.leading = dims
            return
        if len(dims) != len(self.leading):
            raise _Contradiction
        pairs = list(zip(self.leading, dims, strict=True))
        if any(UNKNOWN_DIM not in pair and pair[0] != pair[1] for pair in pairs):
            raise _Contradiction
        self.leading = tuple(new if old == UNKNOWN_DIM else old for old, new in pairs)

    def _merge_axis(self, axis: Size, dim: int) -> None:
        bound = binding(axis)
        if bound is None:
            self.computed.append((axis, dim))
            return
        symbol, factor = bound
        multiple = factor.number or 0
        if multiple <= 0 or dim % multiple or self.known.setdefault(symbol, dim // multiple) != dim // multiple:
            raise _Contradiction

    def compare(self) -> None:
        """The axes that follow from dims, once all of these are bound."""
        if any(self.size(axis) not in (UNKNOWN_DIM, dim) for axis, dim in self.computed):
            raise _Contradiction

    def size(self, axis: Size) -> int:
        if any(name not in self.known for name in names(axis)):
            return UNKNOWN_DIM
        size = evaluate(axis, self.known)
        if size < 0:
            raise _Contradiction
        return size

    def shape(self, shape: Shape) -> Dims:
        rest = bool(shape) and shape[0].op == "rest"
        if rest and self.leading == UNKNOWN_RANK:
            return UNKNOWN_RANK
        return (*(self.leading if rest else ()), *map(self.size, shape[rest:]))

    def check(self) -> None:
        """Limits of the sizes that are known."""
        for dim in self.dims:
            size = self.known.get(dim.name)
            if size is not None and not allowed(dim, size):
                raise _Contradiction


def allowed(dim: Dim, size: int) -> bool:
    """Whether the host takes that size of a dim."""
    if dim.closed:
        return size in (dim.values or (dim.default,))
    least = dim.min if dim.min > 1 else 0
    return size >= least and (dim.max is None or size <= dim.max) and size % dim.multiple_of == 0
