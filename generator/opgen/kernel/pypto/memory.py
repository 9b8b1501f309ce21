"""Registers of a tile program -> tiles in the Unified Buffer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opgen.facts.dtypes import DTYPES
from opgen.facts.pypto import ALIGNMENT
from opgen.kernel.forms import Form
from opgen.kernel.pypto.program import name_of
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
            return -(-rows // ROW_STEP) * ROW_STEP
        return columns if self.form == "column" else rows * columns

    def bytes(self, rows: int, columns: int) -> int:
        """Of one slot, in whole blocks."""
        size = 1 if self.dtype == MASK else DTYPES[self.dtype].size
        return -(-self.elements(rows, columns) * size // ALIGNMENT) * ALIGNMENT


ROW_STEP = 16  # values of a tile with one for each row are a multiple of it: whole blocks of every type


@dataclass(frozen=True)
class TileLayout:
    """Where the values of a program are.

    tiles: in order of appearance. spare: result of a reduction or selection -> the tile that it is given besides, which
    no operation uses on this chip. singles: one-element input -> its tile and those that it is cast to.
    """

    program: Program
    tiles: tuple[Tile, ...]
    place: Mapping[Register, Tile]
    spare: Mapping[Register, Tile]
    singles: Mapping[str, tuple[Tile, ...]]


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
        suffix = _suffix(register)
        stem = register.hint or "work"
        name, number = f"{stem}_{suffix}", 2
        while name in self.taken:
            name, number = f"{stem}_{suffix}{number}", number + 1
        return self.add(Tile(name, register.dtype, register.form, once=once))


def _suffix(register: Register) -> str:
    if register.form == "row":
        return "rows"
    if register.form == "column":
        return "line"
    return SUFFIX.get(register.dtype, "int")


def wants_spare(instruction: Instruction) -> bool:
    return instruction.op == "select" or instruction.op.startswith("reduce_")


def place(program: Program, names: Mapping[tuple[str, bool], str], taken: Iterable[str]) -> TileLayout:
    """names: (tensor, is output) -> name of its tile. taken: names that scratch tiles must not have."""
    return _Placing(program, names, taken).layout()


class _Placing:
    """Linear scan."""

    def __init__(self, program: Program, names: Mapping[tuple[str, bool], str], taken: Iterable[str]) -> None:
        self.program = program
        self.order = [*program.once, *program.body]
        self.last = _last_uses(program, self.order)
        self.made = {instruction.target: position for position, instruction in enumerate(self.order)}
        self.pool = _Pool(set(taken) | set(names.values()))
        self.where: dict[Register, Tile] = {}
        self.final: dict[str, Register] = {}  # tile of an output -> its value
        self.spare: dict[Register, Tile] = {}
        self.singles = {element.tensor: tuple(self._single(element, names)) for element in program.elements}
        for load in (*program.loads, *program.vectors):
            form = load.register.form
            name = names[load.tensor, False]
            tile = Tile(name, load.register.dtype, form, load.tensor, ring=not form, once=form == "column")
            self.where[load.register] = self.pool.add(tile)
            self.pool.holds[name] = load.register
        for store in program.stores:
            if store.register not in self.where:
                form = store.register.form
                tile = Tile(names[store.tensor, True], store.register.dtype, form, store.tensor, True, ring=not form)
                self.where[store.register] = self.pool.add(tile)
                self.final[tile.name] = store.register

    def _single(self, element: Element, names: Mapping[tuple[str, bool], str]) -> Iterator[Tile]:
        name = names[element.tensor, False]
        yield self.pool.add(Tile(name, element.dtype, "", element.tensor, once=True, single=True))
        for dtype, _ in element.steps:
            step = Tile(f"{element.tensor}_{SUFFIX.get(dtype, 'int')}", dtype, once=True, single=True)
            yield self.pool.add(step)

    def layout(self) -> TileLayout:
        for position, instruction in enumerate(self.order):
            target = instruction.target
            if target not in self.where:
                self.where[target] = self._scratch(position, instruction)
            self.pool.holds[self.where[target].name] = target
            if wants_spare(instruction):
                self.spare[target] = self._spare(position, instruction)
        return TileLayout(self.program, tuple(self.pool.tiles), self.where, self.spare, self.singles)

    def _scratch(self, position: int, instruction: Instruction) -> Tile:
        target = instruction.target
        once = position < len(self.program.once)
        usable = [] if once else list(self._usable(position, instruction, target.dtype, target.form))
        usable = [t for t in usable if t.name not in self.final or self._ends_before(self.final[t.name], target)]
        if not usable:
            return self.pool.scratch(target, once)
        operands = [self.where[r].name for r in instruction.reads]
        # An operand's own tile first, then an output's, then any.
        return min(usable, key=lambda tile: (tile.name not in operands, not tile.output))

    def _spare(self, position: int, instruction: Instruction) -> Tile:
        """A whole tile of the type that is selected or reduced, in which nothing is kept."""
        dtype = instruction.reads[-1].dtype if instruction.op != "select" else instruction.target.dtype
        used = {self.where[r].name for r in (instruction.target, *instruction.reads)}
        for tile in self._usable(position, instruction, dtype, ""):
            if tile.name not in used and (tile.name not in self.final or position < self.made[self.final[tile.name]]):
                return tile
        return self.pool.scratch(Register(0, dtype, "spare"), False)

    def _usable(self, position: int, instruction: Instruction, dtype: str, form: Form) -> Iterator[Tile]:
        """Tiles of this kind in which nothing is kept any more, but for operands that end here."""
        for tile in self.pool.tiles:
            if (tile.dtype, tile.form) != (dtype, form) or tile.once or (tile.tensor and not tile.output):
                continue
            register = self.pool.holds[tile.name]
            ends = register is not None and self.last[register] == position and register in instruction.reads
            if register is None or self.last[register] < position or (ends and overlaps(instruction)):
                yield tile

    def _ends_before(self, final: Register, target: Register) -> bool:
        """Whether an output's tile can hold `target` until the output itself is computed into it."""
        writer = self.made[final]
        if target.dtype not in ("float32", "int32"):
            return False  # so that kernels for several types read alike
        return self.last[target] < writer or (self.last[target] == writer and overlaps(self.order[writer]))


def _last_uses(program: Program, order: list[Instruction]) -> dict[Register, int]:
    """Position of the last reader. What is made once, and what is stored, lives to the end."""
    last: dict[Register, int] = {}
    for position, instruction in enumerate(order):
        last.setdefault(instruction.target, position)
        for register in instruction.reads:
            last[register] = position
    kept = [store.register for store in program.stores] + [vector.register for vector in program.vectors]
    for register in [*kept, *(i.target for i in program.once)]:
        last[register] = len(order)
    return last


def overlaps(instruction: Instruction) -> bool:
    """Whether the result may be in the tile of an operand, which only these are documented for."""
    return name_of(instruction) in _IN_PLACE
