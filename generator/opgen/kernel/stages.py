"""Programs on rows that are too long for one tile: a loop over pieces of the rows for each step that needs whole rows.

A reduction is known once all pieces have been seen. What reads it begins with the first piece again, and computes
again what it needs of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from opgen.kernel.scalar import const
from opgen.kernel.vector import Instruction, Load, Program, Register, Registers, Store

ACCUMULATE = "accumulate_"  # in front of what is reduced: sum, max or min


@dataclass(frozen=True)
class Stage:
    """One pass over the pieces of the rows.

    first: instructions on values for each row, in front of the loop. loads, body, stores: of a piece; without any there
    is no loop. An accumulation joins what one piece gives to what those before gave.
    """

    first: tuple[Instruction, ...]
    loads: tuple[Load, ...]
    body: tuple[Instruction, ...]
    stores: tuple[Store, ...]

    @property
    def loops(self) -> bool:
        return bool(self.body or self.stores)


def stages(program: Program, registers: Registers, tensor: Callable[[str], str]) -> tuple[Stage, ...]:
    """The passes of a program on rows; values for each row are loaded before the first and stored behind the last.

    tensor: what a load or store moves -> the tensor that it is, or is a piece of.
    """
    return _Slicer(program, registers, tensor).stages()


class _Slicer:
    def __init__(self, program: Program, registers: Registers, tensor: Callable[[str], str]) -> None:
        self.program = program
        self.tensor = tensor
        self.registers = registers
        self.order = [*program.once, *program.body]
        self.made = {i.target: i for i in self.order}
        self.level: dict[Register, int] = {}
        for instruction in self.order:
            below = max((self.level.get(r, 0) for r in instruction.reads), default=0)
            self.level[instruction.target] = below + instruction.op.startswith("reduce_")
        self.passes = sorted(
            {self.level[i.target] - 1 for i in self.order if i.op.startswith("reduce_")}
            | {self._pass_of(store) for store in program.stores if store.register.form != "row"}
        )

    def stages(self) -> tuple[Stage, ...]:
        result = []
        done: set[Register] = set()
        last = max([*self.passes, *(self.level[i.target] for i in self.order if i.target.form == "row")], default=0)
        for number in range(last + 1):
            result.append(self._stage(number, done))
        return tuple(stage for stage in result if stage.loops or stage.first)

    def _pass_of(self, store: Store) -> int:
        """A tensor that is computed in place is stored when it is read for the last time."""
        own = self.level.get(store.register, 0)
        mine = self.tensor(store.tensor)
        if not any(self.tensor(load.tensor) == mine for load in self.program.loads):
            return own
        reading = [own]
        reading += [
            self.level[i.target] - 1 for i in self.order if i.op.startswith("reduce_") and self._reads(i.reads[0], mine)
        ]
        others = [s for s in self.program.stores if s.register.form != "row" and s is not store]
        reading += [self.level.get(s.register, 0) for s in others if self._reads(s.register, mine)]
        return max(reading)

    def _reads(self, register: Register, tensor: str) -> bool:
        """Whether a piece of this value is computed from a piece of that input."""
        if any(load.register == register and self.tensor(load.tensor) == tensor for load in self.program.loads):
            return True
        made = self.made.get(register)
        return made is not None and any(self._reads(r, tensor) for r in made.reads if r.form != "row")

    def _stage(self, number: int, done: set[Register]) -> Stage:
        first = []
        for instruction in self.order:
            target = instruction.target
            ready = target.form == "row" and not instruction.op.startswith("reduce_") and self.level[target] <= number
            if ready and target not in done:
                done.add(target)
                first.append(instruction)
        reductions = [i for i in self.order if i.op.startswith("reduce_") and self.level[i.target] == number + 1]
        stores = [s for s in self.program.stores if s.register.form != "row" and self._pass_of(s) == number]
        needed = self._needed([i.reads[0] for i in reductions] + [s.register for s in stores])
        again: dict[Register, Register] = {}
        loads = []
        for load in (*self.program.loads, *self.program.vectors):
            if load.register in needed:
                fresh = again[load.register] = self._fresh(load.register)
                loads.append(replace(load, register=fresh))
        body = []
        for instruction in self.order:
            if instruction in reductions:
                done.add(instruction.target)
                kind = instruction.op.removeprefix("reduce_")
                source = again[instruction.reads[0]]
                body.append(replace(instruction, op=ACCUMULATE + kind, operands=(source,)))
            elif instruction.target in needed:
                fresh = again[instruction.target] = self._fresh(instruction.target)
                operands = tuple(again.get(o, o) if isinstance(o, Register) else o for o in instruction.operands)
                body.append(replace(instruction, target=fresh, operands=operands))
        for instruction in body:
            if instruction.op == ACCUMULATE + "sum":
                zero = const(0.0) if instruction.target.dtype.startswith("float") else const(0)
                first.append(Instruction("fill", instruction.target, (zero,)))
        return Stage(tuple(first), tuple(loads), tuple(body), tuple(Store(s.tensor, again[s.register]) for s in stores))

    def _needed(self, wanted: list[Register]) -> set[Register]:
        """Registers of a piece that these are computed from, themselves included."""
        needed = set(wanted)
        for instruction in reversed(self.order):
            if instruction.target in needed and instruction.target.form != "row":
                needed.update(r for r in instruction.reads if r.form != "row")
        return needed

    def _fresh(self, register: Register) -> Register:
        return self.registers.new(register.dtype, register.hint, register.form)
