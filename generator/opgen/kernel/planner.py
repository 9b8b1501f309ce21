"""Chooses schedule, buffers and tile of a kernel, or says why there is none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES, VECTOR_BYTES
from opgen.facts.socs import GENERATED_FOR, MAX_CORES, PLATFORMS
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Variant
from opgen.formula.sizes import FormulaError, Size, evaluate
from opgen.kernel.decompose import decompose
from opgen.kernel.elementwise import formula_findings, places, shape_findings
from opgen.kernel.forms import Rows, rows_of
from opgen.kernel.long_planner import always_long, long_layouts, may_be_long, piece, takes_pieces
from opgen.kernel.matmul_forms import multiplies
from opgen.kernel.matmul_planner import plan_matmul
from opgen.kernel.memory import Layout, allocate
from opgen.kernel.names import KernelNames, kernel_names
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.rows_builder import Unsupported
from opgen.kernel.rows_planner import TILE, RowBytes, row_bytes, row_findings
from opgen.kernel.rows_ways import best_layouts, longest_row
from opgen.kernel.sharing import shared
from opgen.kernel.shown import shown
from opgen.kernel.vector import MASK, Register
from opgen.spec.model import Operator, OpSpec
from opgen.text.findings import Finding

Types = tuple[tuple[str, str], ...]

# Bytes of a copy at most, of the tensor with the widest elements: large enough to hide what a copy costs beside its
# bytes, small enough to leave several tiles to every vector unit, which load, compute and store at the same time.
COPY_BYTES = 16384
INDEX_LIMIT = 2**31 - 1


def plan_kernel(spec: OpSpec, operator: Operator) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
    """The plan, or None and the findings that say why there is none (OPG209, OPG309, OPG401, OPG402, OPG403)."""
    budget = PLATFORMS[spec.platform].unified_buffer
    if operator.kernel is not None:
        return KernelPlan("user", (), budget, None), ()
    if operator.formula is None:
        why, pointer = "There is nothing to generate a kernel from.", operator.pointer
        return None, (Finding("OPG309", "neither a formula nor a kernel", why, "Add `compute`.", pointer=pointer),)
    if spec.platform not in GENERATED_FOR:
        return None, (_wrong_chip(spec),)
    if multiplies(operator):
        return plan_matmul(spec, operator)
    rows = rows_of(operator)
    if rows is not None:
        return _plan_rows(spec, operator, rows, budget)
    layouts, findings = _layouts(operator)
    if findings:
        return None, findings
    return _Tiler(spec, operator, layouts, budget).plan()


def _plan_rows(
    spec: OpSpec, operator: Operator, rows: Rows, budget: int
) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
    from opgen.spec.variants import typed, variants

    findings = dict.fromkeys(row_findings(operator, rows))
    formulas = {variant: typed(operator, variant) for variant in variants(operator)}
    for formula in formulas.values():
        findings |= dict.fromkeys(formula_findings(operator, formula, rows))
    if findings:
        return None, tuple(findings)
    return _RowTiler(spec, operator, formulas, budget, rows).plan()


def _wrong_chip(spec: OpSpec) -> Finding:
    return Finding(
        "OPG209",
        f"no generated kernels for {spec.soc}",
        "TileLang compiles for platform A5 through another target, `pto`; generated kernels are for A2 and A3.",
        "Choose a chip of platform A2 or A3, or write the kernel by hand (`kernel:`).",
        pointer="/soc",
    )


def _layouts(operator: Operator) -> tuple[dict[Variant, Layout], tuple[Finding, ...]]:
    """The vector program of every variant with its values on chip. Equal findings of several variants are one."""
    from opgen.spec.variants import typed, variants

    findings = dict.fromkeys(shape_findings(operator))
    formulas = {variant: typed(operator, variant) for variant in variants(operator)}
    for formula in formulas.values():
        findings |= dict.fromkeys(formula_findings(operator, formula))
    if findings:
        return {}, tuple(findings)
    names = kernel_names(operator)
    return shared({v: layout(operator, v, names, f) for v, f in formulas.items()}), ()


def layout(operator: Operator, variant: Variant, names: KernelNames, formula: object) -> Layout:
    """One variant's program and memory."""
    from opgen.formula.ir import TypedFormula

    assert isinstance(formula, TypedFormula)
    program = decompose(formula, places(operator, variant))
    return allocate(program, names.taken, names.slots)


def granule(layouts: dict[Variant, Layout]) -> int:
    """A tile is a multiple of so many elements: whole steps of the vector unit for every type that it computes with."""
    sizes = [DTYPES[b.dtype].size for held in layouts.values() for b in held.buffers if b.dtype != MASK]
    return VECTOR_BYTES // min(4, max(2, min(sizes, default=4)))


class _Tiler:
    """Fits a tile into the memory on chip."""

    def __init__(self, spec: OpSpec, operator: Operator, layouts: dict[Variant, Layout], budget: int) -> None:
        self.spec = spec
        self.operator = operator
        self.layouts = layouts
        self.budget = budget
        self.granule = granule(layouts)
        self.findings: dict[Finding, None] = {}

    def plan(self) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
        cores = self._cores()
        slots = self._common_slots()
        tiles = {variant: self._tile(variant, held, slots) for variant, held in self.layouts.items()}
        if self.findings:
            return None, tuple(self.findings)
        smallest: dict[Types, int] = {}  # the script has one tile for each choice of types
        for variant, tile in tiles.items():
            smallest[variant.types] = min(tile, smallest.get(variant.types, tile))
        plans = tuple(self._variant(v, held, smallest[v.types], slots) for v, held in self.layouts.items())
        fixed = self.operator.tiling.block is not None
        rounds = 2 * MAX_CORES * max(p.tile for p in plans)
        plan = KernelPlan("elementwise", plans, self.budget, INDEX_LIMIT - rounds, self.granule, fixed, cores)
        return plan, ()

    def _variant(self, variant: Variant, held: Layout, tile: int, slots: int) -> VariantPlan:
        return VariantPlan(
            variant,
            tile,
            slots,
            tuple(shown(held, tile, slots)),
            held.scratch(tile, slots),
            held.bytes(tile, slots),
            len(held.program.body),
            sum(DTYPES[register.dtype].size for register in _moved(held)),
            held,
        )

    @property
    def _variants(self) -> Iterable[Variant]:
        return self.layouts

    def _common_slots(self) -> int:
        """Buffers of a tensor: 1 or 2, the same for all types."""
        buffers = self.operator.tiling.buffers
        if buffers is None:
            return 2
        values = sorted({self._value(buffers, variant, "buffers") for variant in self._variants})
        if values in ([1], [2]):
            return values[0]
        shown = " or ".join(map(str, values))
        why = "A tile is loaded into one buffer or into two by turns, in one script for all types."
        self._add("OPG402", f"`buffers` is {shown}", why, "Write 1 or 2.", "buffers")
        return 2

    def _cores(self) -> int:
        most = PLATFORMS[self.spec.platform].cores
        wanted = self.operator.tiling.cores
        if wanted is None:
            return most
        if wanted.number is not None and wanted.number >= 1:
            return wanted.number
        if _is_auto(wanted):
            return most
        why = "The kernel script takes the number of cores on its command line and uses no more than it has tiles for."
        self._add("OPG403", "`cores` is no number", why, "Write a number from 1, or `auto`.", "cores")
        return most

    def _value(self, size: Size, variant: Variant, field: str) -> int:
        types = {name: DTYPES[dtype].size for name, dtype in variant.types}
        try:
            return evaluate(size, types)
        except FormulaError as error:
            problem = error.problems[0]
            self._add("OPG403", problem.what, problem.why, problem.fix, field)
            return self.granule

    def _tile(self, variant: Variant, held: Layout, slots: int) -> int:
        block = self.operator.tiling.block
        largest = self._largest(held, slots)
        if isinstance(block, tuple):
            why = "An elementwise kernel sees its tensors as one axis."
            fix = f"Write the elements of a tile: `block: {largest}`."
            self._add("OPG402", "`block` gives sizes along dims", why, fix, "block")
            return self.granule
        if block is None:
            if largest < self.granule:
                self._does_not_fit(self.granule, held, slots, largest, "")
            widest = max(DTYPES[register.dtype].size for register in _moved(held))
            return max(self.granule, min(largest, COPY_BYTES // widest // self.granule * self.granule))
        tile = self._value(block, variant, "block")
        smallest = self._smallest(held)
        if tile < 1 or tile % smallest:
            self._not_whole(tile, held, smallest)
        elif held.bytes(tile, slots) > self.budget:
            self._does_not_fit(tile, held, slots, largest, "block")
        return tile

    def _largest(self, held: Layout, slots: int) -> int:
        """The largest tile that fits, 0 when none does."""
        low, high = 0, self.budget // self.granule
        while low < high:
            middle = (low + high + 1) // 2
            if held.bytes(middle * self.granule, slots) <= self.budget:
                low = middle
            else:
                high = middle - 1
        return low * self.granule

    def _smallest(self, held: Layout) -> int:
        """The smallest legal tile: rows of whole 32-byte blocks, comparisons in whole steps of 256 bytes."""
        whole = [BLOCK_BYTES // min(BLOCK_BYTES, DTYPES[b.dtype].size) for b in held.buffers if b.dtype != MASK]
        compared = [r.dtype for i in held.program.instructions() if i.op == "compare" for r in i.reads]
        return max([*whole, *(VECTOR_BYTES // DTYPES[dtype].size for dtype in compared)], default=1)

    def _not_whole(self, tile: int, held: Layout, smallest: int) -> None:
        types = sorted({b.dtype for b in held.buffers if b.dtype != MASK}, key=lambda d: (DTYPES[d].size, d))
        rows = ", ".join(f"{BLOCK_BYTES // DTYPES[d].size} for {d}" for d in types)
        why = f"Buffers on chip are whole blocks of {BLOCK_BYTES} bytes: multiples of {rows}."
        if any(i.op == "compare" for i in held.program.instructions()):
            steps = f"{VECTOR_BYTES // 4} elements of float32 or int32, {VECTOR_BYTES // 2} of float16"
            why += f" Comparisons take whole steps of {VECTOR_BYTES} bytes: {steps}."
        above = max(smallest, -(-tile // smallest) * smallest)
        self._add(
            "OPG402", f"a tile of {tile} elements", why, f"Write a multiple of {smallest}, such as {above}.", "block"
        )

    def _does_not_fit(self, tile: int, held: Layout, slots: int, largest: int, field: str) -> None:
        rows = [f"{b.name} {b.dtype} {b.bytes}" for b in shown(held, tile, slots)]
        if held.scratch(tile, slots):
            rows.append(f"scratch of the compiler {held.scratch(tile, slots)}")
        why = f"Bytes on chip: {', '.join(rows)}; {held.bytes(tile, slots)} in all, and there are {self.budget}."
        fix = f"Write at most {largest}." if largest else "Take the formula apart into several operators."
        if slots == 2 and field:
            fix = fix[:-1] + f", or `buffers: 1` and at most {self._largest(held, 1)}."
        self._add("OPG401", f"a tile of {tile} elements does not fit on chip", why, fix, field)

    def _add(self, rule: str, what: str, why: str, fix: str, field: str) -> None:
        pointer = self.operator.pointer + (f"/tiling/{field}" if field else "/compute")
        self.findings[Finding(rule, what, why, fix, pointer=pointer)] = None


class _RowTiler(_Tiler):
    """Finds how many rows fit."""

    def __init__(
        self, spec: OpSpec, operator: Operator, formulas: dict[Variant, TypedFormula], budget: int, rows: Rows
    ) -> None:
        super().__init__(spec, operator, {}, budget)
        self.rows = rows
        self.formulas = formulas

    @property
    def _variants(self) -> Iterable[Variant]:
        return self.formulas

    def plan(self) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
        cores = self._cores()
        several = (2, 1) if self.operator.tiling.buffers is None else (self._common_slots(),)
        choices = (1,) if self.rows.alone else several
        names = kernel_names(self.operator)
        if self.operator.tiling.block is not None:
            why = "How many rows a tile has follows from the length of a row, and is planned."
            self._add("OPG402", "`block` of a kernel that works on rows", why, "Leave it out.", "block")
        if self.findings:
            return None, tuple(self.findings)
        # Long rows may leave no room for a second buffer.
        found, slots, problems = best_layouts(
            self.operator, self.rows, self.formulas, names, cores, choices, self.budget
        )
        if found is None:
            return None, problems
        self.layouts, self.granule = dict(found.layouts), found.step
        most = self._most(slots)
        long: tuple[VariantPlan, ...] = ()
        if takes_pieces(self.operator, self.rows) and self._may_not_fit(most):
            long = self._long(names, several[0])
        if self.findings:
            return None, tuple(self.findings)
        if long and (always_long(self.rows) or not self._fits(most, self._usual)):
            return self._planned(long, long, INDEX_LIMIT - 2 * MAX_CORES * TILE, cores, ()), ()
        plans = tuple(self._row_variant(v, held, most[v.types], slots, bool(long)) for v, held in self.layouts.items())
        if self.findings:
            return None, tuple(self.findings)
        tile = max(max(TILE, self.budget // b.element) for b in most.values())
        return self._planned(plans, long, INDEX_LIMIT - 2 * MAX_CORES * tile, cores, found.recycled), ()

    def _planned(
        self,
        plans: tuple[VariantPlan, ...],
        long: tuple[VariantPlan, ...],
        limit: int,
        cores: int,
        recycled: tuple[tuple[str, str], ...],
    ) -> KernelPlan:
        return KernelPlan("rows", plans, self.budget, limit, self.granule, False, cores, recycled, long)

    # ---- rows that do not fit on chip ----

    @property
    def _usual(self) -> int:
        """Elements of a row in the first test case, or of the longest one where one kernel takes them all."""
        usual = dict(self.operator.cases[0].dims)[self.rows.last.name]
        assert isinstance(usual, int)
        return longest_row(self.operator, self.rows) if self.rows.last.dynamic else usual

    def _fits(self, most: dict[Types, RowBytes], length: int) -> bool:
        columns = -(-length // self.granule) * self.granule
        return all(size.rows(columns, self.budget) >= 1 for size in most.values())

    def _may_not_fit(self, most: dict[Types, RowBytes]) -> bool:
        longest = longest_row(self.operator, self.rows)
        return always_long(self.rows) or may_be_long(self.rows) or not self._fits(most, longest)

    def _long(self, names: KernelNames, slots: int) -> tuple[VariantPlan, ...]:
        """The variants for rows in pieces; none when the schedule cannot do it or not even a piece fits."""
        try:
            found, step = long_layouts(self.operator, self.rows, self.formulas, names)
        except Unsupported as problem:
            if always_long(self.rows):
                by_hand = f"rite the kernel by hand and name it: `kernel: {self.operator.name}_kernel.py`."
                fix = f"{problem.instead}. Or w{by_hand}" if problem.instead else f"W{by_hand}"
                why = "A row that does not fit on chip is taken in pieces, and the schedule cannot join them."
                pointer = self.operator.pointer + "/compute"
                self.findings[Finding("OPG309", f"no schedule: {problem}", why, fix, pointer=pointer)] = None
            return ()
        layouts = {v: held for v, (held, _) in found.items()}
        sizes = {v: row_bytes(held, layouts.values(), slots) for v, held in layouts.items()}
        rows, columns = piece(self.rows, list(sizes.values()), step, self.budget)
        moved = {tuple(p.tensors for p in passes) for _, passes in found.values()}
        if rows < 1 or len(moved) > len({v.absent for v in found}):
            return ()
        self.granule = max(step, self.granule)
        plans = {v: self._row_plan(v, held, sizes[v], slots, rows, columns) for v, held in layouts.items()}
        return tuple(replace(plan, passes=found[v][1]) for v, plan in plans.items())

    def _most(self, slots: int) -> dict[Types, RowBytes]:
        """What tiles take on chip. The script has one entry for each choice of types."""
        most: dict[Types, RowBytes] = {}
        for variant, held in self.layouts.items():
            others = [other for v, other in self.layouts.items() if v.absent == variant.absent]
            mine = row_bytes(held, others, slots)
            other = most.get(variant.types, mine)
            names = [f.name for f in fields(RowBytes)]
            most[variant.types] = RowBytes(**{n: max(getattr(mine, n), getattr(other, n)) for n in names})
        return most

    @property
    def _longest(self) -> int:
        """Columns of a tile for the longest row that op.yaml speaks of."""
        return -(-longest_row(self.operator, self.rows) // self.granule) * self.granule

    def _row_variant(self, variant: Variant, held: Layout, size: RowBytes, slots: int, long: bool) -> VariantPlan:
        last = self.rows.last
        columns = self._longest
        if not long and size.rows(columns, self.budget) < 1:
            fits = size.longest(self.budget, self.granule)
            why = f"A row takes {size.element + size.column} bytes an element, and there are {self.budget}."
            what = f"a row of {columns} elements does not fit on chip"
            pointer = f"{self.operator.pointer}/dims/{last.name}"
            fix = f"Stay at {fits} elements at most, or write the kernel by hand."
            self.findings[Finding("OPG401", what, why, fix, pointer=pointer)] = None
            return self._row_plan(variant, held, size, slots, 1, columns)
        shown = columns if last.dynamic else dict(self.operator.cases[0].dims)[last.name]
        assert isinstance(shown, int)
        columns = -(-shown // self.granule) * self.granule
        return self._row_plan(variant, held, size, slots, size.rows(columns, self.budget), columns)

    def _row_plan(
        self, variant: Variant, held: Layout, size: RowBytes, slots: int, rows: int, columns: int
    ) -> VariantPlan:
        tile = (rows, columns)
        moved = [register for register in _moved(held) if not register.form]
        return VariantPlan(
            variant,
            rows * columns,
            slots,
            tuple(shown(held, tile, slots)),
            held.scratch(tile, slots),
            held.bytes(tile, slots),
            len(held.program.body),
            sum(DTYPES[register.dtype].size for register in moved),
            held,
            rows,
            columns,
            size,
        )


def _moved(held: Layout) -> list[Register]:
    """What copies bring and take."""
    return [x.register for x in held.program.loads] + [x.register for x in held.program.stores]


def _is_auto(size: Size) -> bool:
    """`minimum(device_cores, tiles)`, which is what `auto` means."""
    return size.op == "minimum" and {arg.value for arg in size.args if arg.op == "name"} == {"device_cores", "tiles"}
