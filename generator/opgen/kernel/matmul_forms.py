"""Formulas whose kernel is a matrix product, and the sizes of the product in terms of op.yaml's dims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.formula.ir import Node, TypedFormula
from opgen.formula.signature import Dim, Shape, Variant
from opgen.formula.sizes import Size, simplify
from opgen.spec.model import Operator

ROLES = ("batch", "m", "n", "k")  # what the script calls the sizes of a product


@dataclass(frozen=True)
class Extent:
    """A size of the product. of: dims whose product it is; none of them: the number."""

    of: tuple[str, ...]
    number: int = 0


@dataclass(frozen=True)
class Operand:
    """An input that is multiplied. batched: whether there is one matrix for each of the products."""

    tensor: str
    batched: bool
    transposed: bool


@dataclass(frozen=True)
class Product:
    """batch matrices of m x n, sums of k terms. batch None: there is one product."""

    a: Operand
    b: Operand
    batch: Extent | None
    m: Extent
    n: Extent
    k: Extent

    def extent(self, role: str) -> Extent | None:
        return {"batch": self.batch, "m": self.m, "n": self.n, "k": self.k}[role]

    @property
    def extents(self) -> tuple[Extent | None, Extent, Extent, Extent]:
        return self.batch, self.m, self.n, self.k


@dataclass(frozen=True)
class Unfit(Exception):
    """Why a formula's matrix product has no kernel. offset: into the formula."""

    what: str
    why: str
    offset: int | None = None


def multiplies(operator: Operator) -> bool:
    """Whether the formula, not somebody's kernel, has a matrix product."""
    if operator.kernel is not None or operator.formula is None:
        return False
    return any(e.op == "matmul" or (e.op == "call" and e.value == "matmul") for e in operator.formula.walk())


def products(formula: TypedFormula) -> Iterator[Node]:
    return (node for node in formula.walk() if node.op == "matmul")


_INPUTS = "The cube core multiplies matrices as they lie in global memory."


def product(formula: TypedFormula) -> Product:
    """The one product of a formula. Unfit: there are several, of something else than inputs, or of other shapes."""
    first, *others = products(formula)
    if others:
        why = "A generated kernel has one product; what comes after it is computed on the vector cores."
        raise Unfit("two matrix products in one formula", why, others[0].offset)
    left, right = first.args
    for side in (left, right):
        if side.op != "load":
            raise Unfit("a matrix product of what the formula computes", _INPUTS, side.offset)
    assert isinstance(first.value, tuple) and left.shape is not None and right.shape is not None
    transposed = bool(first.value[0]), bool(first.value[1])
    (*lead_a, x, y), (*lead_b, u, v) = map(_simple, (left.shape, right.shape))
    m, k = (y, x) if transposed[0] else (x, y)
    n = u if transposed[1] else v
    batch: tuple[Size, ...] = tuple(lead_a)
    rows: tuple[Size, ...] = (m,)
    if lead_a and not lead_b and not transposed[0]:
        batch, rows = (), (*lead_a, m)  # rows of all matrices follow each other: one product
    elif not lead_a:
        batch = tuple(lead_b)
    elif lead_b and lead_a != lead_b:
        why = "Either both have the same leading axes, or only one has any."
        raise Unfit("leading axes that broadcast in part", why, first.offset)
    return Product(
        Operand(str(left.value), bool(lead_a and batch), transposed[0]),
        Operand(str(right.value), bool(lead_b), transposed[1]),
        _extent(batch, first) if batch else None,
        _extent(rows, first),
        _extent((n,), first),
        _extent((k,), first),
    )


def _simple(shape: Shape) -> Shape:
    return tuple(map(simplify, shape))


def _extent(axes: tuple[Size, ...], node: Node) -> Extent:
    if len(axes) == 1 and axes[0].number is not None:
        return Extent((), axes[0].number)
    if all(axis.op in ("name", "rest") for axis in axes) and (len(axes) == 1 or all(a.op == "name" for a in axes)):
        return Extent(tuple("..." if axis.op == "rest" else str(axis.value) for axis in axes))
    why = "A size of the product is a dim, a product of leading dims, `...` or a number."
    raise Unfit("an axis of a matrix that is computed from dims", why, node.offset)


def sizes_of(operator: Operator) -> tuple[tuple[str, Extent], ...]:
    """The sizes of the kernel's command line, in the order of op.yaml's dims: names as in keys, and what they are."""
    from opgen.spec.variants import typed, variants

    try:
        found = product(typed(operator, variants(operator)[0]))
    except Unfit:
        return tuple((_name(operator, (d.name,), "M"), Extent((d.name,))) for d in operator.dims)
    named: dict[Extent, str] = {}
    for role in ROLES:
        extent = found.extent(role)
        if extent is not None and extent.of and extent not in named:
            named[extent] = _name(operator, extent.of, "B" if role == "batch" else "M")
    order = [d.name for d in operator.dims]
    return tuple((name, extent) for extent, name in sorted(named.items(), key=lambda item: order.index(item[0].of[0])))


def _name(operator: Operator, of: tuple[str, ...], wanted: str) -> str:
    """A dim is called by its name, a product of dims by a letter that no dim has."""
    if len(of) == 1 and of[0] != "...":
        return of[0]
    taken = {d.name for d in operator.dims}
    return next(letter for letter in (wanted, "R", "S", "ROWS") if letter not in taken)


def dims_of(operator: Operator, extent: Extent) -> tuple[Dim, ...]:
    by_name = {d.name: d for d in operator.dims}
    return tuple(by_name[name] for name in extent.of)


def is_open(operator: Operator, extent: Extent | None) -> bool:
    """Whether a size is known only at run time."""
    return extent is not None and any(d.dynamic for d in dims_of(operator, extent))


def tensor_shape(product_: Product, operand: Operand) -> tuple[Extent, ...]:
    """Of an operand in global memory, as the kernel sees it."""
    inner = (product_.m, product_.k) if operand is product_.a else (product_.k, product_.n)
    inner = inner[::-1] if operand.transposed else inner
    return (product_.batch, *inner) if operand.batched and product_.batch is not None else inner


def variants_differ(found: dict[Variant, Product]) -> bool:
    """Whether the sizes of the product depend on attributes."""
    return len({p.extents for p in found.values()}) > 1
