"""Fits tiles into the memory on chip: what all vector kernels have in common, and the tile of an elementwise one."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES, VECTOR_BYTES
from opgen.facts.socs import MAX_CORES, PLATFORMS
from opgen.formula.signature import Variant
from opgen.formula.sizes import FormulaError, Size, evaluate
from opgen.kernel.memory import Layout
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.rows_ways import Types
from opgen.kernel.shown import shown
from opgen.kernel.vector import MASK, Register
from opgen.spec.model import Operator, OpSpec
from opgen.text.findings import Finding

# Bytes of a copy at most, of the tensor with the widest elements: large enough to hide what a copy costs beside its
# bytes, small enough to leave several tiles to every vector unit, which load, compute and store at the same time.
COPY_BYTES = 16384
INDEX_LIMIT = 2**31 - 1


def granule(layouts: dict[Variant, Layout]) -> int:
    """A tile is a multiple of so many elements: whole steps of the vector unit for every type that it computes with."""
    sizes = [DTYPES[b.dtype].size for held in layouts.values() for b in held.buffers if b.dtype != MASK]
    return VECTOR_BYTES // min(4, max(2, min(sizes, default=4)))


class Tiler:
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
            widest = max(DTYPES[register.dtype].size for register in moved(held))
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


def moved(held: Layout) -> list[Register]:
    """What copies bring and take."""
    return [x.register for x in held.program.loads] + [x.register for x in held.program.stores]


def _is_auto(size: Size) -> bool:
    """`minimum(device_cores, tiles)`, which is what `auto` means."""
    return size.op == "minimum" and {arg.value for arg in size.args if arg.op == "name"} == {"device_cores", "tiles"}
