"""Plans the matmul schedule: which inputs are multiplied, in what tiles, and what of the rest the cube core can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from opgen.facts.cube import SIDES, STAGES
from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES, CUBE_ROWS, MATMUL_DTYPES
from opgen.facts.socs import MAX_CORES, PLATFORMS
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Variant
from opgen.formula.sizes import FormulaError, Size, evaluate
from opgen.kernel.matmul_forms import Extent, Product, Unfit, is_open, product, variants_differ
from opgen.kernel.matmul_layout import column_step, rest_layouts, rest_program
from opgen.kernel.matmul_model import SUM_BYTES, Choices, Shape, Tile, choices, fits, plan_tile
from opgen.kernel.matmul_names import matmul_names
from opgen.kernel.matmul_rest import has_rest, sums_of
from opgen.kernel.memory import Layout
from opgen.kernel.plan import Buffer, KernelPlan, VariantPlan
from opgen.kernel.rows_planner import RowBytes, row_bytes
from opgen.kernel.shown import shown
from opgen.kernel.vector import Program
from opgen.spec.model import Case, Operator, OpSpec
from opgen.text.findings import Finding

Types = tuple[tuple[str, str], ...]

PART_ROWS = 8  # rows of a part can always be so many: half the rows of a tile are a multiple of it
PART_ELEMENTS = 128  # elements of a part are a multiple of it: whole steps of comparisons of every type
PART = 8192  # elements of a part of a tile at most, which a vector core loads, computes and stores by turns
_NOTHING = Layout(Program((), (), (), (), ()), (), {}, frozenset(), frozenset(), -1)  # no work for the vector cores
_INDEX_LIMIT = 2**31 - 1


def plan_matmul(spec: OpSpec, operator: Operator) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
    """The plan, or the findings that say why there is none (OPG209, OPG309, OPG401, OPG402, OPG403)."""
    return _Planner(spec, operator).plan()


class _Planner:
    def __init__(self, spec: OpSpec, operator: Operator) -> None:
        self.operator = operator
        self.platform = PLATFORMS[spec.platform]
        self.findings: dict[Finding, None] = {}
        self.layouts: dict[Variant, Layout] = {}  # where vector cores work on the product
        self.parts: dict[Types, RowBytes] = {}  # what they take on chip

    def plan(self) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
        from opgen.spec.variants import typed, variants

        found: dict[Variant, Product] = {}
        for variant in variants(self.operator):
            formula = typed(self.operator, variant)
            try:
                found[variant] = product(formula)
                self._check_types(variant, found[variant])
            except Unfit as unfit:
                self._unfit(unfit)
        if not self.findings and variants_differ(found):
            self._unfit(Unfit("attributes change what is multiplied", "The sizes of the product are the same for all."))
        if self.findings:
            return None, tuple(self.findings)
        if has_rest(self.operator):
            self._lay_out({variant: typed(self.operator, variant) for variant in found})
        if self.findings:
            return None, tuple(self.findings)
        cores = self._cores()
        self._check_buffers()
        plans = tuple(self._variant(v, p, cores) for v, p in found.items())
        if self.findings:
            return None, tuple(self.findings)
        limit = _INDEX_LIMIT - 2 * MAX_CORES * 256  # indices go past the end by less than a tile
        fixed = self.operator.tiling.block is not None
        return KernelPlan("matmul", plans, self.platform.l1, limit, CUBE_ROWS, fixed, cores), ()

    # ---- what there is no kernel for ----

    def _unfit(self, unfit: Unfit) -> None:
        fix = f"Write the kernel by hand and name it: `kernel: {self.operator.name}_kernel.py`."
        pointer = f"{self.operator.pointer}/compute"
        what = f"no schedule: {unfit.what}"
        self.findings[Finding("OPG309", what, unfit.why, fix, pointer=pointer, offset=unfit.offset)] = None

    def _check_types(self, variant: Variant, found: Product) -> None:
        tensors = {t.name: t for t in self.operator.inputs}
        a, b = (variant.dtype(tensors[side.tensor].dtype) for side in (found.a, found.b))
        known = ", ".join(f"{factor} x {factor} to {sums}" for factor, sums in MATMUL_DTYPES)
        why = f"The cube core has {known}."
        index = list(tensors).index(found.b.tensor)
        pointer = f"{self.operator.pointer}/inputs/{index}/dtype"
        sums = sums_of(a)
        if a != b:
            what, fix = f"a matrix product of {a} and {b}", f"Give `{found.b.tensor}` the type of `{found.a.tensor}`."
            self.findings[Finding("OPG209", what, why, fix, pointer=pointer)] = None
        elif sums is None:
            near = "int8" if DTYPES[a].kind == "int" else "float16"
            fix = f"Take {near}, or write the kernel by hand."
            self.findings[Finding("OPG209", f"a matrix product of {a}", why, fix, pointer=pointer)] = None

    def _lay_out(self, formulas: dict[Variant, TypedFormula]) -> None:
        """What the vector cores do with a part of a tile."""
        programs: dict[Variant, Program] = {}
        for variant, formula in formulas.items():
            try:
                programs[variant] = rest_program(self.operator, variant, formula)
            except Unfit as unfit:
                self._unfit(unfit)
        self.layouts = rest_layouts(programs, matmul_names(self.operator))
        for variant, held in self.layouts.items():
            mine = row_bytes(held, 2)
            other = self.parts.get(variant.types, mine)
            pairs = ((f.name, (getattr(mine, f.name), getattr(other, f.name))) for f in fields(RowBytes))
            self.parts[variant.types] = RowBytes(**{name: max(pair) for name, pair in pairs})
            widest = max(SIDES)
            if self.parts[variant.types].rows(widest, self.platform.unified_buffer) < PART_ROWS:
                why = f"{widest} columns take {mine.element} bytes each; there are {self.platform.unified_buffer}."
                fix = "Take the formula apart into several operators."
                pointer = f"{self.operator.pointer}/compute"
                self.findings[Finding("OPG401", "a row of a tile does not fit on chip", why, fix, pointer=pointer)] = (
                    None
                )

    # ---- tiling ----

    def _cores(self) -> int:
        wanted = self.operator.tiling.cores
        if wanted is None or wanted.op == "minimum":
            return self.platform.cores
        if wanted.number is not None and wanted.number >= 1:
            return wanted.number
        why = "The kernel script takes the number of cores on its command line and uses no more than it has tiles for."
        self._add("OPG403", "`cores` is no number", why, "Write a number from 1, or `auto`.", "cores")
        return self.platform.cores

    def _check_buffers(self) -> None:
        buffers = self.operator.tiling.buffers
        if buffers is not None and buffers.number != 2:
            why = f"The cube core's memories hold {STAGES} steps in L1 and two in L0A and L0B, used by turns."
            self._add("OPG402", "`buffers` of a matrix product", why, "Write 2, or leave it out.", "buffers")

    def _add(self, rule: str, what: str, why: str, fix: str, field: str) -> None:
        pointer = f"{self.operator.pointer}/tiling/{field}"
        self.findings[Finding(rule, what, why, fix, pointer=pointer)] = None

    def _variant(self, variant: Variant, found: Product, cores: int) -> VariantPlan:
        factor = self._factor(variant, found)
        size = DTYPES[factor].size
        among = self._choices(variant, found, size)
        shape = shape_of(self.operator, found, self.operator.cases[0])
        tile = plan_tile(shape, size, cores, self.platform, among)
        if tile is None:
            self._does_not_fit(among, size)
            tile = Tile(*[max(CUBE_ROWS, BLOCK_BYTES // size)] * 3)
        buffers = tuple(self._buffers(found, factor, tile))
        held, size_of = self.layouts.get(variant, _NOTHING), self.parts.get(variant.types)
        scratch = 0
        if size_of is not None:
            part = part_rows(tile, size_of, self.platform.unified_buffer), tile.columns
            buffers += tuple(shown(held, part, 2))
            scratch = held.scratch(part, 2)
        return VariantPlan(
            variant,
            tile.rows * tile.columns,
            2,
            buffers,
            scratch,
            sum(b.bytes for b in buffers if b.memory == "L1"),
            len(held.program.body),
            held,
            tile.rows,
            tile.columns,
            size_of,
            tile.depth,
        )

    def _factor(self, variant: Variant, found: Product) -> str:
        """The type of what is multiplied."""
        return variant.dtype(next(t.dtype for t in self.operator.inputs if t.name == found.a.tensor))

    def _choices(self, variant: Variant, found: Product, size: int) -> Choices:
        """What tiles are chosen from: what `block` says, the rest is planned."""
        among = choices(size, column_step(self.layouts.values()))
        block = self.operator.tiling.block
        if block is None:
            return among
        if isinstance(block, Size):
            why = "A matrix product has tiles of rows and columns, and steps along the axis that is summed up."
            self._add("OPG402", "`block` is one number", why, "Write sizes along dims: `{M: 128, N: 128}`.", "block")
            return among
        given = {name: self._value(value, variant) for name, value in block}
        fields = {}
        steps = {"rows": among.rows[0], "columns": among.columns[0], "depths": among.rows[0]}
        for role, field in (("m", "rows"), ("n", "columns"), ("k", "depths")):
            least = steps[field]
            extent = found.extent(role)
            name = extent.of[-1] if extent is not None and extent.of else ""
            value = given.pop(name, None)
            if value is not None and (value < 1 or value % least):
                why = f"Tiles are whole fractals of the cube core: multiples of {least} along `{name}` for this type."
                above = max(least, -(-value // least) * least)
                self._add("OPG402", f"a tile of {value} along `{name}`", why, f"Write {above}.", "block")
            elif value is not None:
                fields[field] = (value,)
        for name in given:
            why = "Tiles have sizes along the axes of the product: its rows, its columns and what is summed up."
            self._add("OPG402", f"`block` gives a size along `{name}`", why, "Leave it out.", "block")
        return Choices(**{"rows": among.rows, "columns": among.columns, "depths": among.depths, **fields})

    def _value(self, size: Size, variant: Variant) -> int:
        try:
            return evaluate(size, {name: DTYPES[dtype].size for name, dtype in variant.types})
        except FormulaError as error:
            problem = error.problems[0]
            self._add("OPG403", problem.what, problem.why, problem.fix, "block")
            return CUBE_ROWS

    def _does_not_fit(self, among: Choices, size: int) -> None:
        tile = Tile(min(among.rows), min(among.columns), min(among.depths))
        chip = self.platform
        why = (
            f"A step of {tile.rows} x {tile.depth} takes {tile.rows * tile.depth * size} of {chip.l0a // 2} bytes of "
            f"L0A, one of {tile.depth} x {tile.columns} {tile.columns * tile.depth * size} of {chip.l0b // 2} bytes of "
            f"L0B, the sums {tile.rows * tile.columns * SUM_BYTES} of {chip.l0c} bytes of L0C."
        )
        smaller = next(
            (d for d in range(tile.depth, 0, -1) if fits(Tile(tile.rows, tile.columns, d), size, chip)), None
        )
        fix = f"Write at most {smaller} for the axis that is summed up." if smaller else "Write smaller tiles."
        self._add("OPG401", f"a tile of {tile.rows} x {tile.columns} does not fit on chip", why, fix, "block")

    def _buffers(self, found: Product, factor: str, tile: Tile) -> Iterator[Buffer]:
        size = DTYPES[factor].size
        sums = sums_of(factor) or "float32"
        for operand, side in ((found.a, tile.rows), (found.b, tile.columns)):
            step = side * tile.depth
            name = operand.tensor
            for suffix, slots, memory in (("l1", STAGES, "L1"), ("edge", 1, "L1")):
                yield Buffer(f"{name}_{suffix}", factor, step, slots, name, slots * step * size, memory)
        for operand, side, memory in ((found.a, tile.rows, "L0A"), (found.b, tile.columns, "L0B")):
            step = side * tile.depth
            yield Buffer(f"{operand.tensor}_l0", factor, step, 2, operand.tensor, 2 * step * size, memory)
        count, one = tile.sums(self.platform), tile.rows * tile.columns
        yield Buffer("sums_l0", sums, one, count, "", count * one * SUM_BYTES, "L0C")


def part_rows(tile: Tile, size: RowBytes, budget: int) -> int:
    """Rows of the part of a tile that a vector core works on: they divide its half of the rows."""
    half = tile.rows // 2
    fit = (budget - size.fixed - size.column * tile.columns) // (size.element * tile.columns + size.row)
    rows = (r for r in range(1, half + 1) if half % r == 0 and r * tile.columns % PART_ELEMENTS == 0)
    return max(r for r in rows if r <= min(fit, PART // tile.columns))


def shape_of(operator: Operator, found: Product, case: Case) -> Shape:
    """The product in a test case, -1 for what the kernel learns when it runs."""
    sizes = dict(case.dims)

    def size(extent: Extent | None) -> int:
        if extent is None:
            return 1
        if is_open(operator, extent):
            return -1
        count = extent.number or 1
        for name in extent.of:
            value = sizes[name]
            for axis in value if isinstance(value, tuple) else (value,):
                count *= axis
        return count

    return Shape(*map(size, found.extents))
