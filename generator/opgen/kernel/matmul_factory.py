"""The function of a kernel script that builds a matrix product."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr
from opgen.kernel.body import Body
from opgen.kernel.branches import condition
from opgen.kernel.factory import Factory, _formula_lines
from opgen.kernel.lines import comment, indented, listed
from opgen.kernel.matmul_cube import CubePart
from opgen.kernel.matmul_forms import ROLES, Extent, Operand, Product, is_open, product, sizes_of, tensor_shape
from opgen.kernel.matmul_planner import PART, PART_ELEMENTS
from opgen.kernel.matmul_rest import WORKSPACE, form_of, has_rest, sums_of
from opgen.kernel.matmul_tiles import parameters
from opgen.kernel.matmul_vector import VectorPart
from opgen.kernel.names import KernelNames
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.spec.model import Operator, Tensor
from opgen.spec.variants import typed


class MatmulFactory(Factory):
    """Writes `def NAME(m, n, k, dtype, cores, ...)`. plans: the variants with exactly these inputs absent.

    tile: where the tile is, "" when the script chooses it. taken: where it says what a part of it takes on chip, when
    vector cores work on it.
    """

    def __init__(
        self,
        operator: Operator,
        plan: KernelPlan,
        plans: tuple[VariantPlan, ...],
        names: KernelNames,
        tile: str,
        taken: str,
        whole: MatmulFactory | None = None,
    ) -> None:
        self.products = {p.variant: product(typed(operator, p.variant)) for p in plans}
        self.product = self.products[plans[0].variant]
        self.batched = self.product.batch is not None
        self.rest = has_rest(operator)
        self.taken = taken
        super().__init__(operator, plan, plans, names, tile, bool(self.open_dims(operator)), whole)
        self.overlapping = False  # of what the vector cores load

    @staticmethod
    def open_dims(operator: Operator) -> list[str]:
        return [d.name for d in operator.dims if d.dynamic]

    def _scalars(self) -> dict[str, str]:
        return {a.name: self.names.user[a.name] for a in self.operator.attrs} | self.elements.scalars

    def _body(self, plan: VariantPlan, compiled_in: frozenset[str]) -> Body:
        lines = tuple(_formula_lines(self.operator))
        wide = frozenset(a.name for a in self.operator.dynamic_attrs if a.type == "int")
        names = replace(self.names, own={**self.own, "rows": self.own["part"]})
        body = Body(plan.layout, names, self.scalars, compiled_in, wide, plan.slots, lines, rank=2)
        body.turn = self.own["turn"]
        body.event = f"EVENT + {body.turn}"
        return body

    # ---- names and types ----

    def size(self, role: str) -> str:
        """A size of the product in the script."""
        extent = self.product.extent(role)
        assert extent is not None
        return self._written(extent)

    def _written(self, extent: Extent) -> str:
        if not extent.of:
            return str(extent.number)
        return self.own[next(role for role in ROLES if self.product.extent(role) == extent)]

    @property
    def sizes(self) -> list[str]:
        """Parameters of the function that are sizes, in the order of the command line."""
        return [self._written(extent) for _, extent in sizes_of(self.operator)]

    @property
    def open(self) -> list[str]:
        """Sizes that may be known only at run time."""
        return [self._written(extent) for _, extent in sizes_of(self.operator) if is_open(self.operator, extent)]

    def tensor(self, name: str) -> Tensor:
        return next(t for t in (*self.operator.inputs, *self.operator.outputs) if t.name == name)

    @property
    def factor(self) -> str:
        """The type of what is multiplied."""
        return self.dtype(self.tensor(self.product.a.tensor))

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """The types that it can have."""
        dtype = self.tensor(self.product.a.tensor).dtype
        return tuple(dict.fromkeys(p.variant.dtype(dtype) for p in self.plans))

    def transposed(self, side: str) -> str:
        """Whether a side is stored transposed, as an expression of the script."""
        of = {v: self.side(p, side).transposed for v, p in self.products.items()}
        if len(set(of.values())) == 1:
            return str(next(iter(of.values())))
        yes, no = (tuple(v for v, value in of.items() if value == wanted) for wanted in (True, False))
        return condition(yes, no, self.axes)

    @staticmethod
    def side(found: Product, side: str) -> Operand:
        return found.a if side == "a" else found.b

    @cached_property
    def options(self) -> list[Attr]:
        """Static attributes that the kernel's text reads."""
        sides = [self.transposed("a"), self.transposed("b")]
        text = " ".join([*sides, *CubePart(self).copy_out(), *self._joined_vector()])
        words = set("".join(c if c.isalnum() or c == "_" else " " for c in text).split())
        return [a for a in self.operator.static_attrs if self.names.user[a.name] in words]

    # ---- the text ----

    def _summary(self) -> str:
        m, n, k = (self.size(role) for role in ("m", "n", "k"))
        many = f"{self.size('batch')} products" if self.batched else "the product"
        open_ = f"; -1 leaves {listed(self.open)} open" if self.open else ""
        return f"The kernel for {many} of {m} x {k} and {k} x {n} elements{open_}."

    def _chosen(self) -> str:
        """The call that chooses the tile."""
        values = {role: self.size(role) for role in ROLES if self.product.extent(role)}
        values |= {"size": self._item, "cores": self.own["cores"]}
        return f"tile_of({', '.join(values[name] for name in parameters(self.batched))})"

    @property
    def _item(self) -> str:
        """Bytes of an element that is multiplied."""
        sizes = {DTYPES[dtype].size for dtype in self.factors}
        return str(sizes.pop()) if len(sizes) == 1 else f"BYTES[{self.factor}]"

    def _sizes(self) -> Iterator[str]:
        """Tile, blocks and steps."""
        own = self.own
        rows, columns, depth, sums, whole = (own[x] for x in ("rows", "columns", "depth", "sums", "whole"))
        m, n, k = (self.size(role) for role in ("m", "n", "k"))
        for symbol, variable in self.moved.items():
            yield f"{variable} = MOVED_AS.get({self.names.dtypes[symbol]}, {self.names.dtypes[symbol]})"
        if self._half:
            yield f"{own['half']} = {self._half}"
        if len({sums_of(f) for f in self.factors}) > 1:
            yield f'{own["sum_dtype"]} = "int32" if {self.factor} == "int8" else "float32"'
        yield f"{rows}, {columns}, {depth} = {self.tile or self._chosen()}"
        for side in ("a", "b"):
            if self._both(side):
                yield f"{own[f'{side}_step']} = {self._step_shape(side)}"
        yield f"{sums} = min(2, L0C // (4 * {rows} * {columns}))  # tiles in L0C: one of two is stored meanwhile"
        if self.rest:
            yield from self._parts()
        tiles = [f"-(-{m} // {rows})", f"-(-{n} // {columns})", *([self.size("batch")] if self.batched else [])]
        blocks = f"min({own['cores']}, {' * '.join(tiles)})"
        counted = [size for size in self.open if size in (m, n, *([self.size("batch")] if self.batched else []))]
        if counted:
            unknown = f"{counted[0]} == -1" if len(counted) == 1 else f"-1 in ({', '.join(counted)})"
            blocks = f"{own['cores']} if {unknown} else {blocks}"
        yield f"{own['blocks']} = {blocks}"
        first = [size for size in ([self.size("batch")] if self.batched else []) + [k] if size in self.open]
        for size in dict.fromkeys(first):
            yield from self._symbolic(size)
        yield from comment("Steps along k that are whole, in tiles that are whole: nothing is clipped in them.")
        yield f"{whole} = {k} // {depth}"
        for size, side in ((m, rows), (n, columns)):
            if size in first:  # it may be a variable by now
                yield f"{whole} = T.Select({size} >= {side}, {whole}, 0)"
                continue
            if size in self.open:
                first.append(size)
                yield from self._symbolic(size)
                yield f"    {whole} = T.Select({size} >= {side}, {whole}, 0)"
                yield f"elif {size} < {side}:"
            else:
                yield f"if {size} < {side}:"
            yield f"    {whole} = 0"

    def _parts(self) -> Iterator[str]:
        """What a vector core works on at a time."""
        rows, columns, each, part = (self.own[x] for x in ("rows", "columns", "each", "part"))
        yield f"element, column_bytes, row_bytes, always = {self.taken}"
        yield f"{each} = {rows} // 2  # rows of a vector core: there are two, vid 0 and 1"
        yield f"fit = (UB - always - column_bytes * {columns}) // (element * {columns} + row_bytes)"
        yield "# Parts of equal size, and whole steps of the vector unit."
        yield f"fitting = range(1, min(fit, {PART} // {columns}) + 1)"
        whole = f"{each} % r == 0 and r * {columns} % {PART_ELEMENTS} == 0"
        yield f"{part} = max(r for r in fitting if {whole})"
        yield f"tile = {part} * {columns}"

    @staticmethod
    def _symbolic(size: str) -> Iterator[str]:
        yield f"if {size} == -1:"
        yield f'    {size} = T.symbolic("{size}")'

    def _main(self) -> list[str]:
        own = self.own
        result = ["@T.prim_func", f"def {own['main']}("]
        for tensor in (*self.inputs, *self.outputs):
            result.append(f"    {self.names.user[tensor.name]}: T.Tensor({self._shape(tensor)}, {self.dtype(tensor)}),")
        if self.rest:
            shape = f"(2 * {own['blocks']}, {own['rows']}, {own['columns']})"
            result.append(f"    {WORKSPACE}: T.Tensor({shape}, {self.sums_dtype}),")
        for attr in self.operator.dynamic_attrs:
            result.append(f"    {self.names.user[attr.name]}: T.{'float32' if attr.type == 'float' else 'int64'},")
        sub = "vid" if self.rest else "_"
        result += ["):", f"    with T.Kernel({own['blocks']}, is_npu=True) as (cid, {sub}):"]
        result += indented([*self._buffers(), 'with T.Scope("C"):'], 8)
        result += indented(CubePart(self).lines(), 12)
        if self.rest:
            result += [" " * 8 + 'with T.Scope("V"):', *indented(self._joined_vector(), 12)]
        return result

    def _joined_vector(self) -> list[str]:
        return self._joined(lambda part: part._vector() if isinstance(part, MatmulFactory) else [])

    def _vector(self) -> list[str]:
        """The part of the vector cores."""
        if not self.rest:
            return []
        part = VectorPart(self)
        once = [] if part.vectors else self._once()
        return [*self._reads(), *self._cleared(), *once, *part.lines(self.turns, self.where(again=True))]

    def once_lines(self) -> list[str]:
        """What is computed before the parts of a tile."""
        return self._once()

    def computation_lines(self) -> list[str]:
        """What is computed with a part of a tile."""
        return self._computation()

    @property
    def sums_dtype(self) -> str:
        """The type of the sums in the script."""
        sums = {sums_of(f) for f in self.factors}
        return f'"{sums.pop()}"' if len(sums) == 1 else self.own["sum_dtype"]

    @property
    def turns(self) -> str:
        """How many tiles a core has."""
        own = self.own
        m, n, rows, columns = self.size("m"), self.size("n"), own["rows"], own["columns"]
        tiles = [f"T.ceildiv({m}, {rows})", f"T.ceildiv({n}, {columns})"]
        tiles = [self.size("batch"), *tiles] if self.batched else tiles
        return f"T.ceildiv({' * '.join(tiles)} - cid, {own['blocks']})"

    def _shape(self, tensor: Tensor) -> str:
        for side in ("a", "b"):
            if self.side(self.product, side).tensor == tensor.name:
                return self._either(side, lambda p, s: self._sides(tensor_shape(p, s)))
        form = form_of(typed(self.operator, self.plans[0].variant), tensor)
        if form is None:
            return "(1,)"
        if form == "column":
            return f"({self.size('n')},)"
        lead = (*([self.product.batch] if self.product.batch else []), self.product.m)
        if form == "row":
            return self._sides(lead)
        return self._sides((*lead, self.product.n))

    def _sides(self, shape: Sequence[Extent]) -> str:
        return f"({', '.join(map(self._written, shape))}{',' if len(shape) == 1 else ''})"

    def _either(self, side: str, text: Callable[[Product, Operand], str]) -> str:
        """A text that may depend on whether a side is transposed."""
        yes, no = self.texts(side, text)
        return yes if yes == no else f"{yes} if {self.transposed(side)} else {no}"

    def texts(self, side: str, text: Callable[[Product, Operand], str]) -> tuple[str, str]:
        """A text for a side that is stored transposed, and for one that is not; the same where only one is met."""
        found = {self.side(p, side).transposed: text(p, self.side(p, side)) for p in self.products.values()}
        return found.get(True, found.get(False, "")), found.get(False, found.get(True, ""))

    def _step(self, side: str) -> str:
        """Rows and columns of a step of a side in L1: a tuple, or the variable that holds it."""
        name = self.own[f"{side}_step"]
        return name if self._both(side) else self._step_shape(side)

    def _step_shape(self, side: str) -> str:
        rows, columns, depth = (self.own[x] for x in ("rows", "columns", "depth"))
        plain = (rows, depth) if side == "a" else (depth, columns)
        return self._either(side, lambda _, s: f"({', '.join(plain[::-1] if s.transposed else plain)})")

    def _both(self, side: str) -> bool:
        """Whether attributes say if a side is stored transposed."""
        return self.transposed(side) not in ("True", "False")

    def _buffers(self) -> Iterator[str]:
        own = self.own
        rows, columns, depth = (own[x] for x in ("rows", "columns", "depth"))
        for side in ("a", "b"):
            step = f"*{self._step(side)}" if self._both(side) else self._step(side)[1:-1]
            yield f"{own[f'{side}_l1']} = T.alloc_L1((STAGES, {step}), {self.factor})"
        for side in ("a", "b"):
            why = "  # for steps that are clipped, see below" if side == "a" else ""
            yield f"{own[f'{side}_edge']} = T.alloc_L1({self._step(side)}, {self.factor}){why}"
        yield f"{own['a_l0']} = T.alloc_L0A((2, {rows}, {depth}), {self.factor})"
        yield f"{own['b_l0']} = T.alloc_L0B((2, {depth}, {columns}), {self.factor})"
        yield f"{own['c_l0']} = T.alloc_L0C(({own['sums']}, {rows}, {columns}), {self.sums_dtype})"
        if self.rest:
            yield from VectorPart(self).buffers()
            yield from self._element_buffers()
        for name in self._places:
            yield f'{own[name]} = T.alloc_var("int32")'

    @property
    def _places(self) -> list[str]:
        """Variables that say where a tile is."""
        return [*(["index"] if self.batched else []), "row", "column"]

    def where(self, again: bool = False) -> list[str]:
        """Which tile a core takes in its turn."""
        own = self.own
        m, n, rows, columns = self.size("m"), self.size("n"), own["rows"], own["columns"]
        tile = f"({own['i']} * {own['blocks']} + cid)"
        down, across = f"T.ceildiv({m}, {rows})", f"T.ceildiv({n}, {columns})"
        row, column = own["row"], own["column"]
        wrapped = f" % {across}" if self.batched else ""
        lines = ["# The tile that the cube core has in this turn."] if again else comment(_ORDER, 20)
        if self.batched:
            lines.append(f"{own['index']} = {tile} // ({down} * {across})")
        lines += [f"{row} = {tile} % {down} * {rows}", f"{column} = {tile} // {down}{wrapped} * {columns}"]
        for place, size, side in ((row, m, rows), (column, n, columns)):
            lines += [f"if {place} > {size} - {side}:", f"    {place} = {size} - {side}"]
            lines += [f"if {place} < 0:", f"    {place} = 0"]
        return lines


_ORDER = (
    "Cores work on tiles below each other, which share columns. The last tiles end where the product ends; where tiles "
    "overlap, cores store the same values."
)
