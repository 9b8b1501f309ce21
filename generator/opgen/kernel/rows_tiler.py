"""Fits rows, or pieces of rows, into the memory on chip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

from opgen.facts.operations import BLOCK_BYTES
from opgen.facts.socs import MAX_CORES
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Variant
from opgen.kernel.forms import Rows
from opgen.kernel.long_planner import always_long, long_layouts, may_be_long, piece, takes_pieces
from opgen.kernel.memory import Layout
from opgen.kernel.names import KernelNames, kernel_names
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.rows_block import RowsBlock, counted_by, rows_block
from opgen.kernel.rows_builder import Unsupported
from opgen.kernel.rows_planner import TILE, RowBytes, row_bytes
from opgen.kernel.rows_ways import Types, best_layouts, longest_row
from opgen.kernel.shown import shown
from opgen.kernel.tiler import INDEX_LIMIT, Tiler
from opgen.spec.model import Operator, OpSpec
from opgen.text.findings import Finding


class RowTiler(Tiler):
    """Finds how many rows fit."""

    def __init__(
        self, spec: OpSpec, operator: Operator, formulas: dict[Variant, TypedFormula], budget: int, rows: Rows
    ) -> None:
        super().__init__(spec, operator, {}, budget)
        self.rows = rows
        self.formulas = formulas
        self.block = RowsBlock()
        self.slots = 2

    @property
    def _variants(self) -> Iterable[Variant]:
        return self.formulas

    def plan(self) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
        cores = self._cores()
        several = (2, 1) if self.operator.tiling.buffers is None else (self._common_slots(),)
        choices = (1,) if self.rows.alone else several
        names = kernel_names(self.operator)
        self.block, problems = rows_block(self.operator, self.rows, self.formulas, self._value)
        self.findings |= dict.fromkeys(problems)
        if self.findings:
            return None, tuple(self.findings)
        # Long rows may leave no room for a second buffer.
        found, slots, problems = best_layouts(
            self.operator, self.rows, self.formulas, names, cores, choices, self.budget, self.block.rows
        )
        if found is None:
            return None, problems
        self.layouts, self.granule = dict(found.layouts), found.step
        self.slots = slots
        most = self._most(slots)
        self._check_rows(most)
        if self.findings:
            return None, tuple(self.findings)
        long: tuple[VariantPlan, ...] = ()
        if not takes_pieces(self.operator, self.rows):
            self._check_whole()
        elif self._in_pieces or self._may_not_fit(most):
            long = self._long(names, several[0])
        if self.findings:
            return None, tuple(self.findings)
        if long and (self._in_pieces or always_long(self.rows) or not self._fits(most, self._usual)):
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
        fixed = bool(self.block.rows)
        return KernelPlan("rows", plans, self.budget, limit, self.granule, fixed, cores, recycled, long)

    # ---- what op.yaml says ----

    @property
    def _in_pieces(self) -> bool:
        """Whether op.yaml wants shorter pieces than the longest row that it speaks of."""
        columns = self.block.columns
        return columns is not None and (always_long(self.rows) or columns < longest_row(self.operator, self.rows))

    def _check_rows(self, most: Mapping[Types, RowBytes]) -> None:
        """OPG401 where usual rows fit on chip, but not as many as op.yaml wants."""
        columns = -(-self._usual // self.granule) * self.granule
        for variant, held in self.layouts.items():
            size = most[variant.types]
            fitting = size.fitting(columns, self.budget)
            if not self._in_pieces and 1 <= fitting < size.wanted:
                self._too_large(held, size, columns, "")

    def _check_whole(self) -> None:
        if self._in_pieces:
            name = self.rows.last.name
            what = f"pieces of {self.block.columns} columns"
            why = "Rows that slices or `concat` take apart, and those that a tensor has only some axes of, stay whole."
            self._add("OPG402", what, why, "Leave it out.", f"block/{name}")

    def _check_piece(self, sizes: Mapping[Variant, RowBytes], step: int, held: Mapping[Variant, Layout]) -> None:
        """OPG402 for columns that are no whole blocks, OPG401 for a piece that does not fit."""
        columns, last = self.block.columns, self.rows.last.name
        if columns is not None and columns % step:
            why = f"What lies in a row on chip is whole blocks of {BLOCK_BYTES} bytes for every type."
            fix = f"Write a multiple of {step}, such as {-(-columns // step) * step}."
            self._add("OPG402", f"a piece of {columns} columns", why, fix, f"block/{last}")
            return
        if self.operator.tiling.block is None or not (self._in_pieces or always_long(self.rows)):
            return
        for variant, size in sizes.items():
            least = columns or step
            if size.rows(least, self.budget) < 1:
                self._too_large(held[variant], size, least, f"block/{last}" if columns is not None else "")

    def _too_large(self, held: Layout, size: RowBytes, columns: int, field: str) -> None:
        """OPG401 for rows that do not fit. field: of `tiling`, "" for the one that counts rows."""
        slots = self.slots
        rows = max(1, size.wanted)
        table = [f"{b.name} {b.dtype} {b.bytes}" for b in shown(held, (rows, columns), slots)]
        if held.scratch((rows, columns), slots):
            table.append(f"scratch of the compiler {held.scratch((rows, columns), slots)}")
        used = size.fixed + size.column * columns + rows * (size.element * columns + size.row)
        why = f"Bytes on chip: {', '.join(table)}; {used} in all at most, and there are {self.budget}."
        fitting = size.fitting(columns, self.budget)
        lead = counted_by(self.rows)
        if size.wanted and fitting and not field:
            fix = f"Write at most {fitting}."
        elif size.wanted and fitting:
            fix = f"Write fewer columns, or at most {fitting} rows (`{lead}`)."
        else:
            fix = f"Write at most {replace(size, wanted=0).longest(self.budget, self.granule)}."
        what = f"a tile of {rows} rows of {columns} elements does not fit on chip"
        self._add("OPG401", what, why, fix, field or f"block/{lead}")

    # ---- rows that do not fit on chip ----

    @property
    def _usual(self) -> int:
        """Elements of a row in the first test case, or of the longest one where one kernel takes them all."""
        usual = dict(self.operator.cases[0].dims)[self.rows.last.name]
        assert isinstance(usual, int)
        return longest_row(self.operator, self.rows) if self.rows.last.dynamic else self.rows.columns(usual)

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
        sizes = {v: self._wanted(v, row_bytes(held, slots)) for v, held in layouts.items()}
        self.slots = slots
        self._check_piece(sizes, step, layouts)
        rows, columns = piece(self.rows, list(sizes.values()), step, self.budget, self.block.columns)
        moved = {tuple(p.tensors for p in passes) for _, passes in found.values()}
        if rows < 1 or len(moved) > len({v.absent for v in found}):
            return ()
        self.granule = max(step, self.granule)
        plans = {v: self._row_plan(v, held, sizes[v], slots, rows, columns) for v, held in layouts.items()}
        return tuple(replace(plan, passes=found[v][1]) for v, plan in plans.items())

    def _wanted(self, variant: Variant, size: RowBytes) -> RowBytes:
        """The size with the rows that op.yaml wants."""
        return replace(size, wanted=self.block.rows.get(variant.types, 0))

    def _most(self, slots: int) -> dict[Types, RowBytes]:
        """What tiles take on chip. The script has one entry for each choice of types."""
        most: dict[Types, RowBytes] = {}
        for variant, held in self.layouts.items():
            mine = self._wanted(variant, row_bytes(held, slots))
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
        if not long and size.wanted and size.rows(columns, self.budget) < 1 <= size.fitting(columns, self.budget):
            self._too_large(held, size, columns, "")
            return self._row_plan(variant, held, size, slots, 1, columns)
        if not long and size.rows(columns, self.budget) < 1:
            fits = size.longest(self.budget, self.granule)
            why = f"A row takes {size.element + size.column} bytes an element, and there are {self.budget}."
            what = f"a row of {columns} elements does not fit on chip"
            pointer = f"{self.operator.pointer}/dims/{last.name}"
            fix = f"Stay at {fits} elements at most, or write the kernel by hand."
            self.findings[Finding("OPG401", what, why, fix, pointer=pointer)] = None
            return self._row_plan(variant, held, size, slots, 1, columns)
        usual = columns if last.dynamic else self._usual
        columns = -(-usual // self.granule) * self.granule
        return self._row_plan(variant, held, size, slots, size.rows(columns, self.budget), columns)

    def _row_plan(
        self, variant: Variant, held: Layout, size: RowBytes, slots: int, rows: int, columns: int
    ) -> VariantPlan:
        tile = (rows, columns)
        return VariantPlan(
            variant,
            rows * columns,
            slots,
            tuple(shown(held, tile, slots)),
            held.scratch(tile, slots),
            held.bytes(tile, slots),
            len(held.program.body),
            held,
            rows,
            columns,
            size,
        )
