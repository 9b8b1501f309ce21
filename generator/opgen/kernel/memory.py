"""Registers of a vector program -> buffers on chip, and the barriers between instructions that share them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES, FILLED_WHEN_CLIPPED, OPERATIONS, may_overlap
from opgen.kernel.forms import Form
from opgen.kernel.prune import in_whole_buffers, whole_operands
from opgen.kernel.vector import MASK, Instruction, Load, Program, Register

SUFFIX = {
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "int32": "i32",
    "int16": "i16",
    "int64": "i64",
    MASK: "bits",
}


# What buffers are called by their form, where they have no name of their own; those of masks have one name.
STEMS: dict[Form, str] = {"": "work", "row": "row", "column": "column"}
MASK_STEM = "mask"


def stem_of(dtype: str, form: Form) -> str:
    """What a buffer is called that has no name of its own."""
    return MASK_STEM if dtype == MASK else STEMS[form]


Tile = int | tuple[int, int]  # elements, or rows and columns


# A one-element input has a block of its smallest type, which is so large if it may have the widest one too.
ELEMENT_BYTES = 8 * BLOCK_BYTES


@dataclass(frozen=True)
class Held:
    """A buffer of one tile, or of several. name: "x_f32", "y_ub". slotted: a tile for each slot, shared with copies.

    tensor: the input or output that a slotted buffer belongs to, "x, y" when an output takes the place of an input.
    form: what of a tile it holds a value for; a slotted one of a value a row has one slot only. pieces: it has a
    value for each column of a piece of long rows, and slots like those for each element.
    """

    name: str
    dtype: str
    slotted: bool = False
    tensor: str = ""
    output: bool = False
    form: Form = ""
    pieces: bool = False

    def elements(self, tile: Tile) -> int:
        """Values of one slot."""
        if isinstance(tile, int):
            return tile
        rows, columns = tile
        return rows if self.form == "row" else columns if self.form == "column" else rows * columns

    def count(self, slots: int) -> int:
        """Slots that it has, of so many."""
        return slots if self.slotted and (not self.form or self.pieces) else 1

    def bytes(self, tile: Tile, slots: int) -> int:
        """Bytes on chip, in whole blocks."""
        elements = self.elements(tile)
        one = -(-elements // 8) if self.dtype == MASK else elements * DTYPES[self.dtype].size
        return _blocks(one * self.count(slots))


def _arriving(load: Load, name: str, pieces: bool) -> Held:
    form = load.register.form
    return Held(name, load.register.dtype, True, load.tensor, False, form, pieces and form == "column")


def _blocks(size: int) -> int:
    return -(-size // BLOCK_BYTES) * BLOCK_BYTES


@dataclass(frozen=True)
class Layout:
    """Where everything is.

    place: register -> buffer. barriers: positions in the body in front of which the vector unit must finish what it
    does; once_barriers: the same for the instructions that are done once. release: the position after which no slot of
    an input's tiles is read.
    """

    program: Program
    buffers: tuple[Held, ...]
    place: Mapping[Register, Held]
    barriers: frozenset[int]
    once_barriers: frozenset[int]
    release: int

    @property
    def single_release(self) -> int:
        """The position after which no input with one buffer is read, -1 for none."""
        loaded = {self.place[x.register].name for x in self.program.loads if x.register.form}
        reads = (n for n, i in enumerate(self.program.body) if any(self.place[r].name in loaded for r in i.reads))
        return max(reads, default=-1)

    @property
    def single_write(self) -> int:
        """The position of the first instruction that writes the buffer of an output which has one, -1 for none."""
        stored = {self.place[x.register].name for x in self.program.stores if x.register.form}
        writes = (n for n, i in enumerate(self.program.body) if self.place[i.target].name in stored)
        return min(writes, default=-1)

    def bytes(self, tile: Tile, slots: int) -> int:
        """Bytes on chip in all, with the elements that are read once: a block of the widest type and of each step."""
        elements = sum(ELEMENT_BYTES + BLOCK_BYTES * len(e.steps) for e in self.program.elements)
        return sum(b.bytes(tile, slots) for b in self.buffers) + self.scratch(tile, slots) + elements

    def scratch(self, tile: Tile, slots: int) -> int:
        """Bytes of the compiler's hidden scratch memory. It goes by whole buffers: a source in slots counts twice."""
        most = 0
        for instruction in self.program.instructions():
            for register in instruction.reads if instruction.op in OPERATIONS else ():
                size = self.place[register].bytes(tile, slots)
                target = self.place[instruction.target].bytes(tile, slots)
                share = OPERATIONS[instruction.op].share
                most = max(most, OPERATIONS[instruction.op].scratch * size + (-(-target // share) if share else 0))
        return most


def replaceable(program: Program) -> tuple[tuple[str, str], ...]:
    """Outputs whose tile can take the place of an input's tile, which nothing reads any more, with that input."""
    order = [*program.once, *program.body]
    made = {instruction.target: position for position, instruction in enumerate(order)}
    last = _last_uses(program, order)
    free = [x for x in program.loads if not x.register.form and x.register.dtype in FILLED_WHEN_CLIPPED]
    pairs = []
    for store in program.stores:
        writer = made[store.register]
        for load in free:
            end = last.get(load.register, -1) - (1 if may_overlap(order[writer].op) else 0)
            alike = (load.register.dtype, load.register.form) == (store.register.dtype, store.register.form)
            if alike and end < writer:
                pairs.append((store.tensor, load.tensor))
                free.remove(load)
                break
    return tuple(pairs)


@dataclass
class _Pool:
    """Buffers that come and go while the instructions are walked through."""

    taken: set[str]
    buffers: list[Held] = field(default_factory=list)
    holds: dict[str, Register | None] = field(default_factory=dict)  # buffer name -> what is alive in it

    def add(self, held: Held) -> Held:
        self.taken.add(held.name)
        self.buffers.append(held)
        self.holds[held.name] = None
        return held

    def named(self, name: str) -> Held | None:
        return next((held for held in self.buffers if held.name == name), None)

    def reused(self, name: str, tensor: str) -> Held | None:
        """An input's buffer, which becomes that of output `tensor` too."""
        for position, held in enumerate(self.buffers):
            if held.name == name:
                self.buffers[position] = replace(held, tensor=f"{held.tensor}, {tensor}", output=True)
                return self.buffers[position]
        return None

    def wanted(self, held: Held | None, usable: list[Held]) -> Held | None:
        """The buffer of that name, if it can be used."""
        if held is None or held in usable:
            return held
        return self.add(held) if not held.tensor and held.name not in self.taken else None

    def scratch(self, register: Register) -> Held:
        stem, suffix = stem_of(register.dtype, register.form), SUFFIX[register.dtype]
        name, number = f"{stem}_{suffix}", 2
        while name in self.taken:
            name, number = f"{stem}{number}_{suffix}", number + 1
        return self.add(Held(name, register.dtype, form=register.form))


def allocate(
    taken: Iterable[str],
    slot_names: Mapping[tuple[str, bool], str],
    program: Program,
    wanted: Mapping[Register, Held],
) -> Layout:
    """taken: names that buffers must not have. slot_names: (tensor, is output) -> name of its buffer; others are
    called by their form. wanted: where registers shall be if that is possible, because another variant of the script
    has the same values there.

    A selection wants target and first source both in slots or both in whole buffers: copies help where it is not so.
    """
    taken = frozenset(taken)
    layout = _allocate(program, taken, slot_names, wanted)
    while (crossing := _crossing(layout)) is not None:
        program = in_whole_buffers(layout.program, crossing)
        layout = _allocate(program, taken, slot_names, wanted)
    return layout


def _crossing(layout: Layout) -> Instruction | None:
    """A selection between a slot and a whole buffer."""
    place = layout.place
    for instruction in layout.program.body:
        if instruction.op == "select" and place[instruction.target].slotted != place[instruction.reads[1]].slotted:
            return instruction
    return None


def _allocate(
    program: Program,
    taken: frozenset[str],
    slot_names: Mapping[tuple[str, bool], str],
    wanted: Mapping[Register, Held],
) -> Layout:
    """Linear scan."""
    pool = _Pool(set(taken) | set(slot_names.values()))
    order = [*program.once, *program.body]
    first_of_body = len(program.once)
    last = _last_uses(program, order)
    made = {instruction.target: position for position, instruction in reversed(list(enumerate(order)))}
    place: dict[Register, Held] = {}
    for load in program.loads:
        name = slot_names[load.tensor, False]
        held = pool.named(name) or pool.add(_arriving(load, name, bool(program.loops)))
        place[load.register] = held
        pool.holds[held.name] = load.register
    for vector in program.vectors:
        held = pool.add(
            Held(
                slot_names[vector.tensor, False],
                vector.register.dtype,
                False,
                vector.tensor,
                False,
                vector.register.form,
            )
        )
        place[vector.register] = held
        pool.holds[held.name] = vector.register
    final: dict[str, Register] = {}
    for store in program.stores:
        name, form = slot_names[store.tensor, True], store.register.form
        held = pool.reused(name, store.tensor) or pool.add(
            Held(name, store.register.dtype, True, store.tensor, True, form)
        )
        place |= {register: held for register, other in place.items() if other.name == name}
        place[store.register] = held
        final[name] = store.register
    whole = {r for i in order for r in whole_operands(i)} | program.whole
    # An output's slot takes other values only where it has been waited for.
    first_free = first_of_body + (program.loops[-1][0] if program.loops else 0)
    for position, instruction in enumerate(order):
        target = instruction.target
        if _in_its_place(instruction):
            place[target] = place[instruction.reads[1]]
        elif target not in place:
            free = _free(pool, instruction, position, last)
            usable = [
                held
                for held in free
                if (held.dtype, held.form) == (target.dtype, target.form)
                and (
                    held.name not in final
                    or _fits_before(final[held.name], target, order, made, last, whole, first_free)
                )
                and not (held.tensor and not held.output)
            ]
            place[target] = (
                pool.wanted(wanted.get(target), usable)
                or (usable and _best(usable, instruction, place))
                or pool.scratch(target)
            )
        pool.holds[place[target].name] = target
    return _layout(program, pool, place)


def _last_uses(program: Program, order: list[Instruction]) -> dict[Register, int]:
    """Position of the last reader. What is made once and read more often, and what is stored, lives to the end."""
    last: dict[Register, int] = {}
    first_of_body = len(program.once)
    first_kept = first_of_body - program.kept
    once = {i.target for i in program.once}
    first = {i.target for i in program.once[:first_kept]}
    for position, instruction in enumerate(order):
        last.setdefault(instruction.target, position)
        for register in instruction.reads:
            again = (register in once and position >= first_of_body) or (register in first and position >= first_kept)
            last[register] = len(order) if again else position
    for start, end in program.loops:
        before = {i.target for i in order[: first_of_body + start]}
        for instruction in order[first_of_body + start : first_of_body + end]:
            for register in before.intersection(instruction.reads):
                last[register] = max(last[register], first_of_body + end)
    for store in program.stores:
        last[store.register] = len(order)
    for vector in program.vectors:
        last[vector.register] = len(order)
    for instruction in reversed(order):
        if _in_its_place(instruction):
            source = instruction.reads[1]
            last[source] = max(last[source], last[instruction.target])
    return last


def _in_its_place(instruction: Instruction) -> bool:
    """Whether the target must have the buffer of the source: rows without padding skip the instruction."""
    return instruction.padding and instruction.op == "select"


def _free(pool: _Pool, instruction: Instruction, position: int, last: Mapping[Register, int]) -> list[Held]:
    """Buffers that hold nothing any more, among them those of operands that end here, where the operation allows it."""
    overlap = may_overlap(instruction.op)
    result = []
    for held in pool.buffers:
        register = pool.holds[held.name]
        if (
            register is None
            or last.get(register, -1) < position
            or (overlap and last[register] == position and register in instruction.reads)
        ):
            result.append(held)
    return result


def _fits_before(
    final: Register,
    target: Register,
    order: list[Instruction],
    made: Mapping[Register, int],
    last: Mapping[Register, int],
    whole: set[Register],
    first_of_body: int,
) -> bool:
    """Whether an output's slot can hold `target` until the output itself is computed into it.

    Smaller types than those that are computed with stay apart, so that kernels for several types read alike.
    """
    if target in whole or made[target] < first_of_body or DTYPES[target.dtype].size < 4:
        return False
    writer = order[made[final]]
    overlap = may_overlap(writer.op)
    end = last[target]
    return end < made[final] or (end == made[final] and overlap)


def _best(usable: list[Held], instruction: Instruction, place: Mapping[Register, Held]) -> Held:
    """An operand's own buffer first, then an output's, then any."""
    operands = [place[r].name for r in instruction.reads]
    return min(usable, key=lambda held: (held.name not in operands, not held.slotted))


def _layout(program: Program, pool: _Pool, place: Mapping[Register, Held]) -> Layout:
    loaded = {place[load.register].name for load in program.loads if not load.register.form}
    release = max((n for n, i in enumerate(program.body) if any(place[r].name in loaded for r in i.reads)), default=-1)
    once_barriers, _ = _barriers(program.once, place, set(), set())
    _, pending = _all_barriers(program, place, (set(), set()))
    barriers, _ = _all_barriers(program, place, pending)
    return Layout(program, tuple(pool.buffers), place, frozenset(barriers), frozenset(once_barriers), release)


def _all_barriers(
    program: Program, place: Mapping[Register, Held], pending: tuple[set[str], set[str]]
) -> tuple[set[int], tuple[set[str], set[str]]]:
    """Those of the body, whose loops begin after what is in front of them and after themselves; and the buffers that
    the next tile finds in use: not the slots, whose copies wait anyway."""
    slotted = {held.name for held in place.values() if held.slotted}
    turning = {held.name for held in place.values() if held.slotted and held.form != "row"}
    found: set[int] = set()
    done = 0
    for start, end in (*program.loops, (len(program.body), len(program.body))):
        stops, pending = _barriers(program.body[done:start], place, *pending)
        found |= {done + stop for stop in stops}
        _, again = _barriers(program.body[start:end], place, *pending)
        again = again[0] - turning, again[1] - turning
        stops, pending = _barriers(program.body[start:end], place, pending[0] | again[0], pending[1] | again[1])
        found |= {start + stop for stop in stops}
        done = end
    return found, (pending[0] - slotted, pending[1] - slotted)


def _barriers(
    instructions: Iterable[Instruction], place: Mapping[Register, Held], written: set[str], read: set[str]
) -> tuple[set[int], tuple[set[str], set[str]]]:
    """Where instructions must wait for earlier ones. written, read: buffers in use since the last barrier; afterwards
    those that are."""
    written, read = set(written), set(read)
    found = set()
    before: tuple[set[str], set[str]] | None = None  # as it is behind padding's instructions for rows that skip them
    for position, instruction in enumerate(instructions):
        if before is not None and not instruction.padding:
            written, read, before = written | before[0], read | before[1], None
        target, sources = place[instruction.target].name, {place[r].name for r in instruction.reads}
        if sources & written or target in written | read:
            found.add(position)
            written, read = set(), set()
        if instruction.padding and before is None:
            before = set(written), set(read)
        written.add(target)
        read |= sources
    return found, (written, read)
