"""Plans a PyPTO operator, or says why there is no kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from opgen.facts.pypto import UB_BYTES
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Attr, Dim, Tensor, Variant
from opgen.formula.sizes import Size, names, simplify
from opgen.kernel.cut import row_formula
from opgen.kernel.elementwise import formula_findings, shape_findings
from opgen.kernel.forms import Rows, rows_of, single
from opgen.kernel.pypto import words
from opgen.kernel.pypto.fields import Fields, Quantity, as_written
from opgen.kernel.pypto.fit import Fit
from opgen.kernel.pypto.memory import TileLayout
from opgen.kernel.pypto.model import KernelModel
from opgen.kernel.pypto.names import Names, name_findings, parameters
from opgen.kernel.pypto.plan import REST, Block, FieldType, PyptoPlan
from opgen.kernel.pypto.program import FLOAT, scalar_names
from opgen.kernel.pypto.programs import Layouts, tile_layouts
from opgen.kernel.pypto.sizes import LEAST, Sizes
from opgen.kernel.rows_planner import row_findings
from opgen.spec.model import Operator, OpSpec
from opgen.text.findings import Finding

DEVICE_CORES = Size.name("device_cores")


def plan_pypto(spec: OpSpec, operator: Operator) -> tuple[PyptoPlan | None, tuple[Finding, ...]]:
    """The plan, or None and the findings that say why there is none (OPG103, 309, 401 to 403, 802, 804)."""
    if operator.kernel is not None:
        return _user_plan(operator)
    if operator.formula is None:
        why, pointer = "There is nothing to generate a kernel from.", operator.pointer
        return None, (Finding("OPG309", "neither a formula nor a kernel", why, "Add `compute`.", pointer=pointer),)
    rows = rows_of(operator)
    formulas = _formulas(operator)
    if rows is not None and rows.lengths:
        return None, (_uneven(operator, rows),)
    findings = dict.fromkeys(_findings(operator, rows, formulas))
    if findings:
        return None, tuple(findings)
    names_ = Names(operator)
    names_.settle()
    layouts, problems = tile_layouts(operator, rows, formulas, names_)
    if problems:
        return None, problems
    pieces = rows is not None and _in_pieces(operator, rows, layouts)
    planner = _Planner(operator, rows, layouts.pieces if pieces else layouts.whole, names_, pieces)
    plan, found = planner.plan()
    if plan is None and rows is not None and not pieces and all(f.rule == "OPG401" for f in found):
        return _Planner(operator, rows, layouts.pieces, names_, True).plan()
    return plan, found


def _in_pieces(operator: Operator, rows: Rows, layouts: Layouts) -> bool:
    """Whether a tile holds pieces of rows, although whole rows might fit: where op.yaml says so, where there is no
    longest row, and where pieces cost nothing."""
    tiles = [tile for held in layouts.pieces.values() for tile in held.tiles]
    sizes = Sizes(operator, rows, tiles, True)
    longest = sizes.longest
    if longest is None:
        return True
    block = operator.tiling.block
    given = dict(block).get(rows.last.name) if isinstance(block, tuple) else None
    if given is not None:
        return given.number is None or given.number < longest
    return layouts.free and longest > sizes.columns


def _formulas(operator: Operator) -> dict[Variant, TypedFormula]:
    from opgen.spec.variants import variants

    return {variant: row_formula(operator, variant) for variant in variants(operator)}


def _findings(operator: Operator, rows: Rows | None, formulas: Mapping[Variant, TypedFormula]) -> Iterator[Finding]:
    """What no schedule takes, in words of this scenario."""
    found = [
        *name_findings(operator),
        *_type_findings(operator),
        *(shape_findings(operator) if rows is None else row_findings(operator, rows)),
    ]
    for formula in formulas.values():
        found += formula_findings(operator, formula, rows)
    for finding in found:
        if rows is not None and finding.pointer == f"{operator.pointer}/dims/{rows.last.name}":
            continue  # rows of any length come in pieces here
        yield replace(finding, fix=finding.fix.replace(f"{operator.name}_kernel.py", f"{operator.name}.py"))


def _uneven(operator: Operator, rows: Rows) -> Finding:
    """OPG309 for rows of several lengths that are not multiples of one."""
    last = rows.last.name
    what = f"no schedule: rows that are not all multiples of `{last}`"
    why = f"A kernel of PyPTO takes rows apart, and puts them together, at multiples of `{last}` only."
    by_hand = f"Or write the kernel by hand and name it: `kernel: {operator.name}.py`."
    fix = f"Cut at multiples of `{last}`, as in `x[..., :{last}]` of rows of `2 * {last}`. {by_hand}"
    return Finding("OPG309", what, why, fix, pointer=operator.pointer + "/compute")


_UNCAST = ("uint16", "uint32", "uint64")


def _type_findings(operator: Operator) -> Iterator[Finding]:
    """OPG309 for types that tiles cannot be cast from: formulas are computed in float32 and int32."""
    for kind, tensors in (("inputs", operator.inputs), ("outputs", operator.outputs)):
        for number, tensor in enumerate(tensors):
            types = {dict(combination).get(tensor.dtype, tensor.dtype) for combination in operator.combinations}
            for dtype in sorted(types.intersection(_UNCAST)):
                why = f"Integers are computed in int32, and the chip has no casts between that and {dtype}."
                fix = f"Use int32 or uint8, or write the kernel by hand: `kernel: {operator.name}.py`."
                pointer = f"{operator.pointer}/{kind}/{number}/" + ("name" if tensor.inplace else "dtype")
                yield Finding("OPG309", f"no schedule: {dtype} in `{tensor.name}`", why, fix, pointer=pointer)


def flat_size(tensor: Tensor) -> Size:
    """Elements of a tensor. An axis `...` stands for the product of several."""
    axes = [Size.name(REST) if axis.op == "rest" else as_written(simplify(axis)) for axis in tensor.shape]
    product = Size.const(1)
    for axis in axes:
        product = Size("mul", (product, axis))
    return simplify(product)


def _full(operator: Operator) -> Tensor:
    """The tensor whose size the host divides into tiles: the first required input that is not of one element."""
    required = [t for t in operator.inputs if not t.optional]
    return next((t for t in required if not single(t.shape)), (*required, *operator.outputs)[0])


def _user_plan(operator: Operator) -> tuple[PyptoPlan | None, tuple[Finding, ...]]:
    """The plan around a hand-written kernel."""
    tiling = operator.tiling
    full = _full(operator)
    elements = flat_size(full)
    blocks = _given_blocks(operator)
    known = {"elements": elements}
    tiles = _user_tiles(operator, blocks)
    if tiles is not None:
        known["tiles"] = tiles
    fields = Fields(operator, known, {block.name: block.value for block in blocks})
    auto = Size("minimum", (DEVICE_CORES, Size.name("tiles"))) if tiles is not None else DEVICE_CORES
    cores = at_least_one(as_written(tiling.cores) if tiling.cores is not None else auto)
    workspace = as_written(tiling.workspace) if tiling.workspace is not None else Size.const(0)
    if not tiling.data:
        for dim in operator.dims:
            if dim.dynamic:
                name = "elements" if dim.rest else dim.name.lower()
                doc = dim.doc if dim.doc.en else words.size(dim.name)
                fields.provide(Quantity(dim.name, name, "int", Size.name(dim.name), doc))
        for attr in operator.dynamic_attrs:
            fields.provide(attribute(attr))
        if tiles is not None:
            fields.provide(Quantity("tiles", "tiles", "int", Size.name("tiles"), words.TILES))
    closed = [dim for dim in operator.dims if dim.values and not dim.dynamic and not dim.fixed]
    fields.choose([attr for attr in operator.static_attrs if attr.closed], closed)
    fields.finish([cores, workspace])
    findings = (
        dict(fields.findings)
        | dict.fromkeys(_empty(operator, fields))
        | dict.fromkeys(_unknown_tiles(operator, fields, tiles, cores, workspace))
    )
    if findings:
        return None, tuple(findings)
    extra = {"cores": cores} | ({"tiles": tiles} if tiles is not None else {})
    plan = PyptoPlan(
        "user",
        tuple(fields.data),
        tuple(fields.key),
        operator.combinations,
        full.name,
        elements,
        blocks,
        tiles,
        cores,
        workspace,
        fields.order(extra),
        tuple(fields.held.items()),
        datatype(operator, Names(operator)),
        tuple(parameters(operator)),
        budget=UB_BYTES,
    )
    return plan, ()


def _empty(operator: Operator, fields: Fields) -> Iterator[Finding]:
    if not fields.data:
        why = "A PyPTO kernel gets everything that it is told at run time from TilingData, which has a field at least."
        fix = "Write the sizes that your kernel needs under `tiling.data`."
        pointer = operator.pointer + ("/tiling" if operator.tiling.key else "")
        yield Finding("OPG804", "TilingData has no field", why, fix, pointer=pointer)


def _unknown_tiles(
    operator: Operator, fields: Fields, tiles: Size | None, cores: Size, workspace: Size
) -> Iterator[Finding]:
    sizes = [*(s for given in fields.given.values() for s in given), cores, workspace]
    if tiles is None and any("tiles" in names(size) for size in sizes):
        why = "opgen does not know how a hand-written kernel divides its work."
        fix = "Write `block`, or give the number of tiles as a field of your own."
        yield Finding("OPG403", "`tiles` without `block`", why, fix, pointer=f"{operator.pointer}/tiling")


def _given_blocks(operator: Operator) -> tuple[Block, ...]:
    block = operator.tiling.block
    if isinstance(block, Size):
        return (Block("block", "TILE_LENGTH", as_written(block), words.TILE_LENGTH),)
    return tuple(
        Block(f"block_{name}", f"TILE_{name.upper()}", as_written(size), words.size(name)) for name, size in block or ()
    )


def _user_tiles(operator: Operator, blocks: tuple[Block, ...]) -> Size | None:
    if not blocks:
        return None
    if blocks[0].name == "block":
        return Size("ceildiv", (Size.name("elements"), Size.name("block")))
    counts = [Size("ceildiv", (Size.name(b.name.removeprefix("block_")), Size.name(b.name))) for b in blocks]
    product = counts[0]
    for count in counts[1:]:
        product = Size("mul", (product, count))
    return product


def at_least_one(cores: Size) -> Size:
    """A launch has a block also where there is nothing to do."""
    return cores if cores.number is not None and cores.number >= 1 else Size("maximum", (Size.const(1), cores))


def attribute(attr: Attr) -> Quantity:
    kind: FieldType = "float" if attr.type == "float" else "int"
    doc = attr.doc if attr.doc.en else words.attribute(attr.name)
    return Quantity(attr.name, attr.name, kind, Size.name(attr.name), doc)


def datatype(operator: Operator, names_: Names) -> tuple[tuple[str, str], ...]:
    """Parameter -> variable of its type. Inputs that may be absent have no type then, and are left out."""
    found = []
    for tensor in (*operator.inputs, *operator.outputs):
        if tensor.dtype in names_.dtypes and not tensor.optional:
            name = f"{tensor.name}_ref" if tensor.inplace and tensor.role == "output" else tensor.name
            found.append((name, names_.dtypes[tensor.dtype]))
    return tuple(found)


class _Planner:
    """Plans a generated kernel."""

    def __init__(
        self,
        operator: Operator,
        rows: Rows | None,
        layouts: Mapping[Variant, TileLayout],
        names_: Names,
        pieces: bool,
    ) -> None:
        self.operator = operator
        self.rows = rows
        self.layouts = layouts
        self.names = names_
        self.fit = Fit(operator, rows, layouts, pieces)

    def plan(self) -> tuple[PyptoPlan | None, tuple[Finding, ...]]:
        operator = self.operator
        fitted = self.fit.fitted()
        if self.fit.findings:
            return None, tuple(self.fit.findings)
        full = _full(operator)
        elements = flat_size(full)
        count, block = (
            (Size.name("elements"), "block") if self.rows is None else (self._row_count(), fitted.blocks[0].name)
        )
        helpers, share = self._share(count, block)
        length = self._length_field if share is not None else block
        tiles = whole = Size("ceildiv", (count, Size.name(length)))
        if self.rows is not None and not self.rows.last.fixed:  # rows without elements are nothing to do
            some = Size("gt", (Size.name(self.rows.last.name), Size.const(0)))
            tiles = Size("if", (some, whole, Size.const(0)))
        given = operator.tiling.cores
        auto = Size("minimum", (DEVICE_CORES, Size.name("tiles")))
        cores = at_least_one(as_written(given) if given is not None else auto)
        fields = Fields(operator, {"elements": elements, "tiles": tiles}, {b.name: b.value for b in fitted.blocks})
        for quantity in self._quantities(elements, whole, share):
            fields.provide(quantity)
        closed = [attr for attr in operator.static_attrs if attr.closed]
        fields.choose(closed, ())
        others = [cores, *(b.value for b in fitted.blocks)]
        others += [as_written(operator.tiling.buffers)] if operator.tiling.buffers is not None else []
        fields.finish(others)
        if fields.findings:
            return None, tuple(fields.findings)
        self.names.take(field.name for field in fields.key)
        model = KernelModel(self.rows, fitted.variants, fitted.settings, fitted.mutexes)
        plan = PyptoPlan(
            "elementwise" if self.rows is None else "rows",
            tuple(fields.data),
            tuple(fields.key),
            operator.combinations,
            full.name,
            elements,
            fitted.blocks,
            tiles,
            cores,
            Size.const(0),
            fields.order({**helpers, "tiles": tiles, "cores": cores}),
            tuple(fields.held.items()),
            datatype(operator, self.names),
            self.names.parameters,
            fitted.rings,
            tuple(helpers.items()),
            fitted.used,
            UB_BYTES,
            model,
        )
        return plan, ()

    def _row_count(self) -> Size:
        assert self.rows is not None
        return Size.name(REST if self.rows.lead.rest else self.rows.lead.name)

    @property
    def _length_field(self) -> str:
        return "tile_length" if self.rows is None else "tile_rows"

    def _share(self, count: Size, block: str) -> tuple[dict[str, Size], Size | None]:
        """The length of a tile, or its rows, that gives every vector core as much to do as the others; and what it is
        computed from. Where op.yaml says how the work is divided, there is none.

        Rounds are what the largest tiles would take: the tiles are as much smaller as the last round leaves room for. A
        block has two vector cores at most.
        """
        tiling = self.operator.tiling
        if tiling.block is not None or tiling.data:
            return {}, None
        taken = {attr.name for attr in self.operator.attrs} | {field.name for field in tiling.key}
        rounds = "rounds" if "rounds" not in taken else "tile_rounds"
        workers, one = Size("mul", (Size.const(2), DEVICE_CORES)), Size.const(1)
        most = Size("ceildiv", (count, Size("mul", (workers, Size.name(block)))))
        share = Size("ceildiv", (count, Size("mul", (workers, Size.name(rounds)))))
        length = Size("maximum", (one, share))
        if self.rows is None:
            length = Size("align", (length, Size.const(LEAST)))
        return {rounds: Size("maximum", (one, most))}, length

    def _quantities(self, elements: Size, whole: Size, share: Size | None) -> Iterator[Quantity]:
        """What the kernel reads from TilingData, in the order of OPYAML §6: sizes, attributes, tiles."""
        if self.rows is None:
            if elements.number is None:
                yield Quantity("elements", "elements", "int", Size.name("elements"), words.ELEMENTS)
        else:
            if not self.rows.lead.fixed:
                yield Quantity("rows", "rows", "int", self._row_count(), words.ROWS)
            if not self.rows.last.fixed:
                yield Quantity("columns", "columns", "int", Size.name(self.rows.last.name), words.COLUMNS)
        used = list(dict.fromkeys(name for held in self.layouts.values() for name in scalar_names(held.program)))
        for name in used:
            dim = next((d for d in self.operator.dims if d.name == name.removesuffix(FLOAT)), None)
            if dim is not None and not dim.fixed and name.endswith(FLOAT):
                wanted = f"{self._spoken(dim)}_float"
                yield Quantity(name, wanted, "float", Size.name(dim.name), words.as_float(dim.name))
        for attr in self.operator.dynamic_attrs:
            if attr.name in used:
                yield attribute(attr)
            if attr.name + FLOAT in used:
                doc = words.as_float(attr.name)
                yield Quantity(attr.name + FLOAT, f"{attr.name}_float", "float", Size.name(attr.name), doc)
        if share is not None:
            name = self._length_field
            doc = words.TILE_LENGTH if self.rows is None else words.TILE_ROWS
            yield Quantity("length", name, "int", share, doc)
        yield Quantity("tiles", "tiles", "int", Size.name("tiles"), words.TILES, (whole,))

    def _spoken(self, dim: Dim) -> str:
        if self.rows is None:
            return "elements"
        return "columns" if dim == self.rows.last else "rows"
