"""Shapes of a formula: NumPy's rules over axis expressions. Functions return a shape, or say why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.formula.signature import Shape
from opgen.formula.sizes import Size, difference, least, show, simplify
from opgen.formula.syntax_tree import Index

ONE = Size.const(1)
REST = Size.rest()


@dataclass(frozen=True)
class Misfit:
    """Why shapes do not go together. entry: of the index that is at fault, where there is one."""

    what: str
    why: str
    fix: str
    entry: Index | None = None


def shape_text(shape: Shape | None) -> str:
    """As op.yaml writes it."""
    return "a scalar" if shape is None else f"[{', '.join(show(axis) for axis in shape)}]"


def same(first: Size, second: Size) -> bool:
    """Whether two axes are the same expression."""
    return first == second or difference(first, second) == 0


def equal(first: Shape, second: Shape) -> bool:
    return len(first) == len(second) and all(same(a, b) for a, b in zip(first, second, strict=True))


def broadcast(first: Shape | None, second: Shape | None) -> Shape | Misfit | None:
    """The shape of an operation of two values. None is a weak scalar."""
    if first is None or second is None:
        return second if first is None else first
    result: list[Size] = []
    for distance in range(1, max(len(first), len(second)) + 1):
        if distance > len(first) or distance > len(second):
            longer = first if distance > len(second) else second
            result.append(longer[-distance])
            continue
        axis = _agree(first[-distance], second[-distance])
        if axis is None:
            return _no_broadcast(first, second, distance)
        result.append(axis)
    return tuple(reversed(result))


def _agree(first: Size, second: Size) -> Size | None:
    if same(first, second):
        return first
    if "rest" in (first.op, second.op):
        return None
    if first == ONE:
        return second
    return first if second == ONE else None


def _no_broadcast(first: Shape, second: Shape, distance: int) -> Misfit:
    one = show(first[-distance]) if distance <= len(first) else "nothing"
    two = show(second[-distance]) if distance <= len(second) else "nothing"
    what = f"{shape_text(first)} and {shape_text(second)} do not broadcast"
    if REST in (*first, *second) and "..." in (one, two):
        why = f"`...` agrees with `...` or with nothing, not with `{two if one == '...' else one}`"
        fix = "declare both with `...`, or the smaller one as `[]`"
        if (REST,) in (first, second) and "1" not in (one, two):
            fix = "declare the last axis too: `[..., 1]` for one value a row, which an output may leave out"
    else:
        why = f"`{one}` meets `{two}`; axes agree when they are the same expression or one is 1"
        fix = "declare the axes with the same symbol, or with 1 where the value repeats"
    return Misfit(what, why, fix)


def reduce(shape: Shape | None) -> Shape | Misfit:
    """Of a reduction over the last axis, which stays with size 1."""
    if shape is None or not shape:
        return Misfit("a scalar has no axis", "a reduction works along the last axis", "reduce a tensor")
    if shape[-1] == REST:
        why = "`...` may stand for no axis at all, so there is no last one"
        return Misfit("`...` is not reduced", why, "declare the last axis by a symbol: `[..., C]`")
    return (*shape[:-1], ONE)


def concat(shapes: list[Shape | None]) -> Shape | Misfit:
    """Of tensors joined along the last axis."""
    first = shapes[0]
    total = Size.const(0)
    for shape in shapes:
        if not shape or shape[-1] == REST or not first:
            what = f"{shape_text(shape)} has no last axis to join"
            return Misfit(what, "`concat` joins tensors along the last axis", "declare that axis by a symbol")
        if not equal(shape[:-1], first[:-1]):
            what = f"{shape_text(first)} and {shape_text(shape)} differ before the last axis"
            return Misfit(what, "`concat` broadcasts nothing", "give the members the same leading axes")
        total = Size("add", (total, shape[-1]))
    assert first
    return (*first[:-1], simplify(total))


def matmul(first: Shape | None, second: Shape | None, transpose: tuple[bool, bool]) -> Shape | Misfit:
    """Of the product of the last two axes; leading axes broadcast. A `...` may stand for the rows of the first."""
    if first is None or second is None or len(first) < 2 or len(second) < 2 or second[-2] == REST or second[-1] == REST:
        small = second if first is not None and len(first) > 1 else first
        what = f"{shape_text(small)} is no matrix"
        fix = "declare it with two axes, one of them 1: `[K, 1]` on the right, `[1, K]` on the left"
        if small and REST in small:
            fix = "declare its last two axes by symbols, as in `[..., M, K]`"
        return Misfit(what, "a product is taken of the last two axes of both", fix)
    if first[-1] == REST or (first[-2] == REST and (transpose[0] or len(second) > 2)):
        what = f"the rows of {shape_text(first)} have no name"
        return Misfit(what, "`...` may stand for any number of axes", "declare the last two axes by symbols")
    rows, inner = (first[-1], first[-2]) if transpose[0] else (first[-2], first[-1])
    columns, other = (second[-2], second[-1]) if transpose[1] else (second[-1], second[-2])
    if not same(inner, other):
        what = f"{shape_text(first)} and {shape_text(second)} cannot be multiplied"
        why = f"`{show(inner)}` columns of the left meet `{show(other)}` rows of the right"
        return Misfit(what, why, "transpose one of them: `matmul(a, b, transpose_b=True)`")
    leading = broadcast(first[:-2], second[:-2])
    if isinstance(leading, Misfit):
        return leading
    return (*(leading or ()), rows, columns)


@dataclass(frozen=True)
class Indexed:
    """What an index does: a piece of the last axis, then new axes (counted from the end) of the result."""

    shape: Shape
    sliced: Shape
    piece: tuple[Size | None, Size | None] | None
    new: tuple[int, ...]


def index(shape: Shape | None, entries: tuple[Index, ...]) -> Indexed | Misfit:
    """Of NumPy's basic indexing, cut down to what kernels do."""
    if shape is None:
        return Misfit("a scalar has no axes", "an index keeps axes of a tensor", "remove the brackets")
    assigned = _assign(shape, entries)
    if isinstance(assigned, Misfit):
        return assigned
    axes = [entry for entry in assigned if entry is None or entry.op == "slice"]
    for entry in axes[:-1]:
        if entry is not None and not entry.whole:
            fix = "write the kernel by hand (`kernel:`)"
            return Misfit("a piece of another axis than the last", "pieces are taken of the last axis", fix, entry)
    sliced: Shape = shape
    piece: tuple[Size | None, Size | None] | None = None
    last = axes[-1] if axes else None
    if last is not None and not last.whole:
        taken = _piece(shape[-1], last)
        if isinstance(taken, Misfit):
            return taken
        piece = taken
        sliced = (*shape[:-1], simplify(Size("sub", (taken[1] or shape[-1], taken[0] or Size.const(0)))))
    result: list[Size] = []
    remaining = list(sliced)
    for entry in assigned:
        result.append(ONE if entry is not None and entry.op == "new" else remaining.pop(0))
    new = tuple(i - len(result) for i, entry in enumerate(assigned) if entry is not None and entry.op == "new")
    if REST in result[1:]:
        what = "a new axis stands before `...`"
        return Misfit(what, "`...` is the first axis of a shape", "add the axis behind `...`", entries[0])
    return Indexed(tuple(result), sliced, piece, new)


def _assign(shape: Shape, entries: tuple[Index, ...]) -> list[Index | None] | Misfit:
    """An entry for each axis of the result; None keeps an axis that the index does not name."""
    rests = [i for i, entry in enumerate(entries) if entry.op == "rest"]
    if len(rests) > 1:
        return Misfit(
            "`...` stands twice in an index", "it is not clear then what each is", "keep one", entries[rests[1]]
        )
    cut = rests[0] if rests else len(entries)
    before, after = entries[:cut], entries[cut + 1 :]
    named_before = sum(entry.op == "slice" for entry in before)
    named_after = sum(entry.op == "slice" for entry in after)
    if named_before + named_after > len(shape):
        what = f"the index has more entries than {shape_text(shape)} has axes"
        return Misfit(what, "each `:` or `a:b` is one axis", "remove entries", entries[0])
    if shape and shape[0] == REST and (named_before or named_after == len(shape)):
        what = "an entry of the index meets `...` of the shape"
        return Misfit(what, "it is not known how many axes that is", "begin the index with `...`", entries[0])
    kept = len(shape) - named_before - named_after
    return [*before, *[None] * kept, *after]


def _piece(axis: Size, entry: Index) -> tuple[Size | None, Size | None] | Misfit:
    """Start and stop, counted from the front."""
    start, stop = _from_front(axis, entry.start), _from_front(axis, entry.stop)
    first, end = start or Size.const(0), stop or axis
    below = first.number is not None and first.number < 0
    if below or (least(Size("sub", (end, axis))) or 0) > 0:
        what = f"the piece reaches beyond the axis `{show(axis)}`"
        return Misfit(what, "a piece lies inside its axis", "shorten it", entry)
    missing = least(Size("sub", (first, end)))
    if end.number == 0 or (missing is not None and missing >= 0):
        fix = "write `start:stop` with start < stop"
        return Misfit("the piece is empty", "tensors have at least one element", fix, entry)
    return start, stop


def _from_front(axis: Size, bound: Size | None) -> Size | None:
    if bound is None:
        return None
    bound = simplify(bound)
    number = bound.number
    if bound.op == "neg" or (number is not None and number < 0):
        return simplify(Size("add", (axis, bound)))
    return bound
