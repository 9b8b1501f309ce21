"""Registers of a tile program -> tiles in the Unified Buffer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opgen.facts.dtypes import DTYPES
from opgen.facts.pypto import ALIGNMENT
from opgen.kernel.forms import Form
from opgen.kernel.pypto.program import FLOAT, name_of, scalar_names
from opgen.kernel.stages import ACCUMULATE, Stage
from opgen.kernel.vector import MASK, Element, Instruction, Program, Register

_IN_PLACE = frozenset(
    {
        *("add", "sub", "mul", "div", "maximum", "minimum", "neg", "abs", "relu", "exp", "log", "sqrt", "rsqrt"),
        *("recip", "expand_mul", "expand_sub", "expand_div"),
    }
)

# A scratch tile is called by the value that it holds first, and by this.
SUFFIX = {"float32": "wide", "float16": "half", "bfloat16": "half", MASK: "mask"}


@dataclass(frozen=True)
class Tile:
    """Tiles of one use.

    name: "x_tile". dtype: of its elements; a mask is made of bytes. form: what of a tile it has a value for. tensor:
    the input or output that it carries, "" for scratch. ring: it takes turns, so that copies and computation overlap.
    once: it is filled before the first tile and keeps its values. single: it has one element.
    """

    name: str
    dtype: str
    form: Form = ""
    tensor: str = ""
    output: bool = False
    ring: bool = False
    once: bool = False
    single: bool = False

    def elements(self, rows: int, columns: int) -> int:
        if self.single:
            return ALIGNMENT
        if self.form == "row":
            return rows
        return columns if self.form == "column" else rows * columns

    def bytes(self, rows: int, columns: int) -> int:
        """Of one slot, in whole blocks."""
        size = 1 if self.dtype == MASK else DTYPES[self.dtype].size
        return -(-self.elements(rows, columns) * size // ALIGNMENT) * ALIGNMENT


@dataclass(frozen=True)
class TileLayout:
    """Where the values of a program are.

    tiles: in order of appearance. spare: result of a reduction or selection -> the tile that it is given besides, which
    no operation uses on this chip. singles: one-element input -> its tile and those that it is cast to. passes: over
    the pieces of long rows, else empty; part: what is accumulated -> the tile of what one piece gives.
    """

    program: Program
    tiles: tuple[Tile, ...]
    place: Mapping[Register, Tile]
    spare: Mapping[Register, Tile]
    singles: Mapping[str, tuple[Tile, ...]]
    passes: tuple[Stage, ...] = ()
    part: Mapping[Register, Tile] = field(default_factory=dict)

    def instructions(self) -> Iterator[Instruction]:
        if not self.passes:
            yield from self.program.instructions()
        for stage in self.passes:
            yield from (*stage.first, *stage.body)


@dataclass
class _Pool:
    taken: set[str]
    tiles: list[Tile] = field(default_factory=list)
    holds: dict[str, Register | None] = field(default_factory=dict)

    def add(self, tile: Tile) -> Tile:
        self.taken.add(tile.name)
        self.tiles.append(tile)
        self.holds[tile.name] = None
        return tile

    def scratch(self, register: Register, once: bool) -> Tile:
        stem = register.hint or "work"
        first = name = f"{stem}_{_suffix(register)}"
        if stem in OWN and register.dtype == "float32":
            first = name = stem
        number = 2
        while name in self.taken:
            name, number = f"{first}{number}", number + 1
        return self.add(Tile(name, register.dtype, register.form, once=once))


# Tiles that hold no value of the formula: what operations are given besides, what a piece of long rows gives.
SPARE, PART = OWN = ("spare", "part")


def _suffix(register: Register) -> str:
    if register.form == "row":
        return "rows"
    if register.form == "column":
        return "line"
    return SUFFIX.get(register.dtype, "int")


def wants_spare(instruction: Instruction) -> bool:
    return instruction.op == "select" or instruction.op.startswith(("reduce_", ACCUMULATE))


def place(
    program: Program,
    names: Mapping[tuple[str, bool], str],
    taken: Iterable[str],
    passes: tuple[Stage, ...] = (),
) -> TileLayout:
    """names: (tensor, is output) -> name of its tile. taken: names that scratch tiles must not have. passes: over the
    pieces of long rows, where a tile does not hold whole rows."""
    return _Placing(program, names, taken, passes).layout()


class _Placing:
    """Linear scan."""

    def __init__(
        self,
        program: Program,
        names: Mapping[tuple[str, bool], str],
        taken: Iterable[str],
        passes: tuple[Stage, ...],
    ) -> None:
        self.program = program
        self.names = names
        self.passes = passes
        self.pool = _Pool(set(taken) | set(names.values()))
        self.where: dict[Register, Tile] = {}
        self.spare: dict[Register, Tile] = {}
        self.part: dict[Register, Tile] = {}
        self.loads = [*program.loads, *program.vectors]
        self.stores = list(program.stores)
        self.order = [*program.once, *program.body]
        self.loops: list[tuple[int, int]] = []  # first and last position of what happens to each piece
        if passes:
            self._unroll()
        self.last = self._last_uses()
        self.writer: dict[str, int] = {}  # tile of an output -> where it gets its value
        self.singles = {element.tensor: tuple(self._single(element)) for element in program.elements}

    def _unroll(self) -> None:
        """The order of all passes. Values for each row are loaded and stored once, the others in each pass."""
        self.order = []
        self.loads = [load for load in self.program.loads if load.register.form == "row"]
        self.stores = [store for store in self.program.stores if store.register.form == "row"]
        for stage in self.passes:
            self.order += stage.first
            self.loads += stage.loads
            self.stores += stage.stores
            if stage.body:
                self.loops.append((len(self.order), len(self.order) + len(stage.body) - 1))
            self.order += stage.body

    def _last_uses(self) -> dict[Register, int]:
        """Position of the last reader. What is made once, and what is stored, lives to the end; so does to the end of a
        loop what comes from outside of it."""
        last: dict[Register, int] = {}
        made: dict[Register, int] = {}
        for position, instruction in enumerate(self.order):
            made.setdefault(instruction.target, position)
            last.setdefault(instruction.target, position)
            last[instruction.target] = max(last[instruction.target], position)
            for register in instruction.reads:
                last[register] = position
        for start, end in self.loops:
            for register, position in last.items():
                if start <= position <= end and register.form == "row":
                    last[register] = end
        kept = [store.register for store in self.stores]
        if not self.passes:
            inner = {register for instruction in self.program.body for register in instruction.reads}
            kept += [vector.register for vector in self.program.vectors]
            kept += [instruction.target for instruction in self.program.once if instruction.target in inner]
        return last | dict.fromkeys(kept, len(self.order))

    def _single(self, element: Element) -> Iterator[Tile]:
        name = self.names[element.tensor, False]
        yield self.pool.add(Tile(name, element.dtype, "", element.tensor, once=True, single=True))
        for dtype, _ in element.steps:
            step = Tile(f"{element.tensor}_{SUFFIX.get(dtype, 'int')}", dtype, once=True, single=True)
            yield self.pool.add(step)
        if f"{element.scalar.value}{FLOAT}" in scalar_names(self.program):
            yield self.pool.add(Tile(f"{element.tensor}_float", "float32", once=True, single=True))

    def layout(self) -> TileLayout:
        for load in self.loads:
            self._tensor(load.tensor, False, load.register)
        for store in self.stores:
            if store.register not in self.where:
                tile = self._tensor(store.tensor, True, store.register)
                made = (n for n, i in enumerate(self.order) if i.target == store.register)
                self.writer[tile.name] = next(made, 0)
        for position, instruction in enumerate(self.order):
            for start, end in self.loops:
                if position == start:
                    self._reserve(start, end)
            target = instruction.target
            if target not in self.where:
                self.where[target] = self._scratch(position, instruction)
            self.pool.holds[self.where[target].name] = target
            if wants_spare(instruction):
                self.spare[target] = self._spare(position, instruction)
        return TileLayout(
            self.program, tuple(self.pool.tiles), self.where, self.spare, self.singles, self.passes, self.part
        )

    def _tensor(self, tensor: str, output: bool, register: Register) -> Tile:
        """The tile of a tensor; all passes share one."""
        name, form = self.names[tensor, output], register.form
        known = next((tile for tile in self.pool.tiles if tile.name == name), None)
        once = form == "column" and not self.passes
        ring = not form or (form == "column" and not once)
        tile = known or self.pool.add(Tile(name, register.dtype, form, tensor, output, ring, once))
        self.where[register] = tile
        if not output:
            self.pool.holds[name] = register
        return tile

    def _reserve(self, start: int, end: int) -> None:
        """What a loop accumulates into is in use from its beginning; what a piece gives has a tile besides."""
        for instruction in self.order[start : end + 1]:
            if instruction.op.startswith(ACCUMULATE):
                target = instruction.target
                if target not in self.where:
                    self.where[target] = self._scratch(start, instruction)
                self.pool.holds[self.where[target].name] = target
        for instruction in self.order[start : end + 1]:
            if instruction.op.startswith(ACCUMULATE):
                self.part[instruction.target] = self._part(instruction.target)

    def _part(self, total: Register) -> Tile:
        """The tile of what one piece gives, which nothing else uses."""
        known = next((tile for tile in self.part.values() if tile.dtype == total.dtype), None)
        if known is None:
            known = self.pool.scratch(Register(0, total.dtype, PART, "row"), False)
            self.pool.holds[known.name] = total
        return known

    def _scratch(self, position: int, instruction: Instruction) -> Tile:
        target = instruction.target
        once = position < len(self.program.once) and not self.passes
        usable = list(self._usable(position, instruction, target.dtype, target.form, once))
        usable = [t for t in usable if t.name not in self.writer or self._ends_before(self.writer[t.name], target)]
        if not usable:
            return self.pool.scratch(target, once)
        operands = [self.where[r].name for r in instruction.reads if r in self.where]
        # An operand's own tile first, then an output's, then any.
        return min(usable, key=lambda tile: (tile.name not in operands, not tile.output))

    def _spare(self, position: int, instruction: Instruction) -> Tile:
        """A whole tile in which nothing is kept: for a reduction of the type that is reduced, for a selection any."""
        choice = instruction.op == "select"
        dtype = MASK if choice else instruction.reads[-1].dtype
        kinds = list(dict.fromkeys(tile.dtype for tile in self.pool.tiles)) if choice else [dtype]
        used = {self.where[r].name for r in (instruction.target, *instruction.reads)}
        for kind in kinds:
            for tile in self._usable(position, instruction, kind, ""):
                if tile.name not in used and position < self.writer.get(tile.name, len(self.order)):
                    return tile
        return self.pool.scratch(Register(0, dtype, SPARE), False)

    def _usable(
        self, position: int, instruction: Instruction, dtype: str, form: Form, once: bool = False
    ) -> Iterator[Tile]:
        """Tiles of this kind in which nothing is kept any more, but for operands that end here."""
        parts = {tile.name for tile in self.part.values()}
        for tile in self.pool.tiles:
            if (tile.dtype, tile.form, tile.once) != (dtype, form, once) or tile.single or tile.name in parts:
                continue
            if tile.tensor and not tile.output:
                continue
            register = self.pool.holds[tile.name]
            ends = register is not None and self.last[register] == position and register in instruction.reads
            if register is None or self.last[register] < position or (ends and overlaps(instruction)):
                yield tile

    def _ends_before(self, writer: int, target: Register) -> bool:
        """Whether an output's tile can hold `target` until the output itself is computed into it."""
        if target.dtype not in ("float32", "int32"):
            return False  # so that kernels for several types read alike
        return self.last[target] < writer or (self.last[target] == writer and overlaps(self.order[writer]))


def overlaps(instruction: Instruction) -> bool:
    """Whether the result may be in the tile of an operand, which only these are documented for."""
    return name_of(instruction) in _IN_PLACE
