"""Rows on chip of several lengths, which one dim tells: slices at any column, and members of `concat` of any length."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import reduce

from opgen.formula.ir import Node, TypedFormula
from opgen.formula.signature import Dim
from opgen.formula.sizes import FormulaError, Size, evaluate, names, simplify
from opgen.kernel.pieces import pieces, read
from opgen.spec.model import Operator

_PLAIN = ("const", "name", "add", "sub", "mul", "floordiv", "mod")
_TRIED = 4096  # lengths that are tried, to tell which of two is longer and from where on slices lie inside


def multiple(axis: Size, last: Dim) -> int | None:
    """2 for 2 * C; None for what is no multiple of C."""
    if names(axis) != (last.name,):
        return None
    try:
        times = evaluate(axis, {last.name: 1})
    except FormulaError:
        return None
    product = Size("mul", (Size.const(times), Size.name(last.name)))
    return times if times > 0 and simplify(axis) == simplify(product) else None


def told_by(axis: Size, last: Dim) -> bool:
    """Whether an axis is a length of rows: longer than 1, and known when `last` is."""
    plain = all(part.op in _PLAIN for part in axis.walk())
    return plain and (names(axis) == (last.name,) or (not names(axis) and (axis.number or 0) > 1))


def lengths(operator: Operator, last: Dim) -> tuple[Size, ...]:
    """The lengths of what lies on chip. None where all are multiples of `last`, or where it does not tell all."""
    assert operator.formula is not None
    if not any(e.op == "index" or e.value == "concat" for e in operator.formula.walk()):
        return ()
    shapes = [tuple(map(simplify, t.shape)) for t in (*operator.inputs, *operator.outputs) if t.shape]
    leading = {axis for shape in shapes for axis in shape[:-1]}  # of one value a row, it is the last one
    held = _of_columns(_on_chip(operator), leading)
    known = {*held, *_of_columns((shape[-1] for shape in shapes), leading)}
    if not all(told_by(axis, last) for axis in known):
        return ()
    return () if all(multiple(axis, last) for axis in (*known, *_computed(operator))) else held


def _computed(operator: Operator) -> Iterator[Size]:
    """Where what is computed is cut."""
    for formula in _formulas(operator):
        for node in formula.walk():
            if node.op == "slice" and node.args[0].op != "load" and isinstance(node.value, tuple):
                start = node.value[0]
                if isinstance(start, Size) and simplify(start).number != 0:
                    yield simplify(start)


def _of_columns(axes: Iterable[Size], leading: Collection[Size]) -> tuple[Size, ...]:
    found = dict.fromkeys(map(simplify, axes))
    return tuple(axis for axis in found if axis.number != 1 and axis not in leading)


def _formulas(operator: Operator) -> Iterator[TypedFormula]:
    from opgen.spec.variants import typed, variants

    yield from (typed(operator, variant) for variant in variants(operator))


def _on_chip(operator: Operator) -> Iterator[Size]:
    for formula in _formulas(operator):
        for assignment in formula.assignments:
            joined = assignment.output and assignment.value.op == "concat"
            for node in assignment.value.args if joined else (assignment.value,):
                yield from _of(node)


def _of(node: Node) -> Iterator[Size]:
    if node.shape:
        yield node.shape[-1]
    if read(node) is None:
        for arg in node.args:
            yield from _of(arg)


def longest(axes: Iterable[Size], last: Dim, least: int) -> tuple[Size, ...]:
    """The lengths that are not at most as long as another, whatever `last` is, from `least` on."""
    sizes = [size for size in _sizes(last) if size >= least]

    def never_longer(axis: Size, other: Size) -> bool:
        return all(_at(axis, last, size) <= _at(other, last, size) for size in sizes)

    def kept(rest: tuple[Size, ...], axis: Size) -> tuple[Size, ...]:
        if any(never_longer(axis, other) for other in rest):
            return rest
        return (*(other for other in rest if not never_longer(other, axis)), axis)

    return reduce(kept, axes, ())


def _sizes(last: Dim) -> Iterable[int]:
    if last.fixed and isinstance(last.default, int):
        return (last.default,)
    return last.values or range(1, _TRIED + 1)


def _at(axis: Size, last: Dim, size: int) -> int:
    try:
        return evaluate(axis, {last.name: size})
    except FormulaError:
        return 0


def shortest(operator: Operator, last: Dim) -> int:
    """From which length on all slices lie inside their tensors."""
    shapes = {(t.name, t.role == "output"): t.shape for t in (*operator.inputs, *operator.outputs)}
    ends = [(p.start, p.stop, shapes[p.tensor, p.output][-1]) for p in pieces(operator)]

    def inside(size: int) -> bool:
        return all(0 <= _at(a, last, size) < _at(b, last, size) <= _at(axis, last, size) for a, b, axis in ends)

    far = next((size for size in range(1, _TRIED + 1) if inside(size)), 0)
    if far:
        return far
    low, high = _TRIED, next((2**n for n in range(13, 31) if inside(2**n)), 2**31)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if inside(middle) else (middle, high)
    return high
