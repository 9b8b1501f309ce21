"""The program of a kernel for rows that do not fit on chip: a loop over pieces of the rows for each step that needs
whole rows. A maximum and the sum of what is relative to it are found in one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from opgen.kernel.rows_builder import NEUTRAL
from opgen.kernel.scalar import const
from opgen.kernel.stages import ACCUMULATE, Stage, stages
from opgen.kernel.vector import Instruction, Load, Operand, Program, Register, Registers, Store

# Where a running maximum begins: below every number, and finite, so that a piece of nothing but minus infinity leaves
# a sum of zero behind and no NaN.
LOWEST = -3e38


@dataclass(frozen=True)
class Pass:
    """One pass over the pieces. start: position in the program's body of what stands in front of it. loop, end: of what
    is repeated for each piece. loads, stores: of a piece."""

    start: int
    loop: int
    end: int
    loads: tuple[Load, ...]
    stores: tuple[Store, ...]

    @property
    def tensors(self) -> tuple[str, ...]:
        return (*(load.tensor for load in self.loads), *(store.tensor for store in self.stores))


def in_passes(program: Program, registers: Registers) -> tuple[Program, tuple[Pass, ...]]:
    """The program with its loops. Inputs with one value a row are loaded before the first, and such outputs stored
    behind the last."""
    body: list[Instruction] = []
    passes = []
    found = _online(list(stages(program, registers, lambda name: name)), program, registers)
    start = 0
    for stage in found:
        body += [*stage.first, *_accumulators(stage)]
        loop = len(body)
        for instruction in stage.body:
            body += _joined(instruction, registers)
        if stage.loops:
            passes.append(Pass(start, loop, len(body), stage.loads, stage.stores))
            start = len(body)
    rows = [x for x in program.loads if x.register.form == "row"]
    row_stores = [x for x in program.stores if x.register.form == "row"]
    return Program(
        program.elements,
        (),
        (*rows, *(load for stage in found for load in stage.loads)),
        tuple(body),
        (*(store for stage in found for store in stage.stores), *row_stores),
        loops=tuple((p.loop, p.end) for p in passes),
    ), tuple(passes)


def _accumulators(stage: Stage) -> Iterator[Instruction]:
    """Where maxima and minima begin; sums have their zero."""
    filled = {i.target for i in stage.first}
    for instruction in stage.body:
        kind = instruction.op.removeprefix(ACCUMULATE)
        if kind != instruction.op and instruction.target not in filled:
            yield Instruction("fill", instruction.target, (const(NEUTRAL[kind]),), line=instruction.line)


def _joined(instruction: Instruction, registers: Registers) -> Iterator[Instruction]:
    """An accumulation as what the chip does: a reduction of the piece, and what joins it to those before."""
    kind = instruction.op.removeprefix(ACCUMULATE)
    if kind == instruction.op:
        yield instruction
        return
    target = instruction.target
    part = registers.new(target.dtype, target.hint, "row")
    yield replace(instruction, op=f"reduce_{kind}", target=part)
    yield Instruction("add" if kind == "sum" else kind, target, (target, part), line=instruction.line)


def _online(found: list[Stage], program: Program, registers: Registers) -> list[Stage]:
    """A pass for a maximum and the next, for sums of exp(x - maximum), as one pass that corrects the sums whenever the
    maximum grows."""
    stored = {store.register for store in program.stores}
    for position in range(len(found) - 1):
        merged = _merged(found[position], found[position + 1], stored, registers)
        if merged is not None:
            return [*found[:position], merged, *_online(found[position + 2 :], program, registers)]
    return found


def _merged(first: Stage, second: Stage, stored: set[Register], registers: Registers) -> Stage | None:
    maxima = [i for i in first.body if i.op.startswith(ACCUMULATE)]
    sums = [i for i in second.body if i.op.startswith(ACCUMULATE)]
    if [i.op for i in maxima] != [f"{ACCUMULATE}max"] or {i.op for i in sums} != {f"{ACCUMULATE}sum"}:
        return None
    (maximum,) = maxima
    if first.stores or second.stores or maximum.target in stored or any(i.op != "fill" for i in second.first):
        return None
    made = {i.target: i for i in (*first.body, *second.body)}
    spreads = [i for i in second.body if i.op == "broadcast" and i.reads == (maximum.target,)]
    readers = [i for i in second.body if maximum.target in i.reads]
    if len(spreads) != 1 or readers != spreads:
        return None
    (spread,) = spreads
    differences = [i for i in second.body if spread.target in i.reads]
    if len(differences) != 1 or differences[0].op != "sub" or differences[0].operands[1] != spread.target:
        return None
    value = differences[0].operands[0]
    tensors = {load.register: load.tensor for load in (*first.loads, *second.loads)}
    if not isinstance(value, Register) or _tree(value, made, tensors) != _tree(maximum.reads[0], made, tensors):
        return None
    if not all(_is_exp_of(i.reads[0], differences[0].target, made) for i in sums):
        return None
    body = list(second.body)
    body[body.index(spread) : body.index(spread) + 1] = _corrected(maximum, value, spread, sums, registers)
    # The larger of the new maximum and a part of it is the new maximum.
    new, part = (i.target for i in _tail(body, maximum))
    body.append(Instruction("max", maximum.target, (new, part), line=maximum.line))
    start = Instruction("fill", maximum.target, (const(LOWEST),), line=maximum.line)
    return Stage((*first.first, *second.first, start), second.loads, tuple(body), ())


def _corrected(
    maximum: Instruction, value: Register, spread: Instruction, sums: list[Instruction], registers: Registers
) -> list[Instruction]:
    """The new maximum, and the sums so far relative to it; the old maximum's register holds their factor."""
    old, line = maximum.target, spread.line
    part = registers.new(old.dtype, old.hint, "row")
    new = registers.new(old.dtype, old.hint, "row")
    note = "the maximum so far may grow: what was added up is then too large by exp(new - old)"
    return [
        Instruction("reduce_max", part, (value,), line=line, note=note),
        Instruction("max", new, (old, part), line=line),
        Instruction("sub", old, (old, new), line=line),
        Instruction("exp", old, (old,), line=line),
        *(Instruction("mul", i.target, (i.target, old), line=line) for i in sums),
        replace(spread, operands=(new,)),
    ]


def _tail(body: list[Instruction], maximum: Instruction) -> list[Instruction]:
    """The instructions that make the new maximum, and this piece's."""
    (new,) = (i for i in body if i.op == "max" and maximum.target in i.reads)
    (part,) = (i for i in body if i.target == new.operands[1])
    return [new, part]


def _is_exp_of(register: Register, difference: Register, made: dict[Register, Instruction]) -> bool:
    instruction = made.get(register)
    return instruction is not None and instruction.op == "exp" and instruction.reads == (difference,)


def _tree(operand: Operand, made: dict[Register, Instruction], tensors: dict[Register, str]) -> object:
    """What a value is computed from; equal where values are."""
    if not isinstance(operand, Register):
        return operand
    if operand in tensors:
        return tensors[operand]
    instruction = made.get(operand)
    if instruction is None:
        return operand
    return instruction.op, instruction.mode, tuple(_tree(o, made, tensors) for o in instruction.operands)
