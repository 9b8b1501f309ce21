"""Ends the building of a program: what nothing reads goes, what depends on no tile is done once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from opgen.facts.operations import OPERATIONS
from opgen.kernel.builder import Builder
from opgen.kernel.vector import MASK, Element, Instruction, Load, Program, Register, Store


def whole_operands(instruction: Instruction) -> tuple[Register, ...]:
    """Operands that TileLang takes as whole buffers only, not as one of two slots."""
    if instruction.op == "pow":
        return (instruction.target, *instruction.reads)
    if instruction.op == "broadcast":
        return (instruction.target,)
    if instruction.op == "select":
        return tuple(o for o in instruction.operands[2:] if isinstance(o, Register))
    return ()


def split(
    build: Builder,
    elements: tuple[Element, ...],
    loads: tuple[Load, ...],
    stores: tuple[Store, ...],
    vectors: tuple[Load, ...] = (),
) -> Program:
    """The program of what `build` holds. Every store gets a register of its own, computed in the output's slots."""
    loaded = {load.register for load in (*loads, *vectors)}
    instructions = _whole_copies(build, loaded)
    apart = loaded | {r for i in instructions for r in whole_operands(i)}
    own = []
    for store in stores:
        register = build.current(store.register)
        if register in apart:
            register = _again(build, instructions, register, store.tensor)
        apart.add(register)
        own.append(Store(store.tensor, register))
    stored = {store.register for store in own}
    needed = _needed(instructions, stored)
    kept = [i for i in instructions if i.target in needed]
    once = _once(kept, stored, {vector.register for vector in vectors})
    if not build.spread_once:
        once = _without_tiles(kept, once)
    again = {vector.register for vector in vectors if vector.moved == "kept"}
    for instruction in kept:
        if instruction.target in once and again.intersection(instruction.reads):
            again.add(instruction.target)
    first = [i for i in kept if i.target in once and i.target not in again]
    then = [i for i in kept if i.target in once and i.target in again]
    body = tuple(i for i in kept if i.target not in once)
    return Program(elements, (*first, *then), loads, body, tuple(own), vectors=vectors, kept=len(then))


def _again(build: Builder, instructions: list[Instruction], source: Register, tensor: str) -> Register:
    """A second register of the same values: a copy, or where there is none for the type, made in the same way."""
    target = build.registers.new(source.dtype, tensor, source.form)
    if source.dtype in OPERATIONS["copy"].dtypes:
        instructions.append(Instruction("copy", target, (source,)))
    else:
        position = next(n for n, i in enumerate(instructions) if i.target == source)
        instructions.insert(position + 1, replace(instructions[position], target=target))
    return target


def _whole_copies(build: Builder, loaded: Iterable[Register]) -> list[Instruction]:
    """Copies loaded values that an instruction wants in a whole buffer."""
    copies: dict[Register, Register] = {}
    result = []
    for instruction in build.instructions:
        operands = list(instruction.operands)
        whole = whole_operands(instruction)
        for position, operand in enumerate(operands):
            if not isinstance(operand, Register) or operand not in loaded or operand not in whole:
                continue
            if instruction.op == "select" and position < 2:
                continue
            if operand not in copies:
                copies[operand] = build.registers.new(operand.dtype, operand.hint, operand.form)
                result.append(Instruction("copy", copies[operand], (operand,), line=instruction.line))
            operands[position] = copies[operand]
        result.append(replace(instruction, operands=tuple(operands)))
    return result


def _needed(instructions: list[Instruction], wanted: set[Register]) -> set[Register]:
    needed = set(wanted)
    for instruction in reversed(instructions):
        if instruction.target in needed:
            needed.update(instruction.reads)
    return needed


def _once(instructions: list[Instruction], stored: set[Register], vectors: set[Register]) -> set[Register]:
    """Targets that depend on no tile. A fill alone is done where it is needed: its place on chip would cost more."""
    fixed: set[Register] = set(vectors)
    computed: set[Register] = set()
    for instruction in instructions:
        if instruction.op in ("fill", "createvecindex"):
            fixed.add(instruction.target)
        elif instruction.reads and all(r in fixed for r in instruction.reads) and instruction.target not in stored:
            fixed.add(instruction.target)
            computed.add(instruction.target)
    inner = {r for i in instructions if i.target in computed for r in i.reads}
    # A fill has one reader, so it goes where its reader goes; one of a value a row has many, and takes little room.
    inner |= {i.target for i in instructions if i.op == "fill" and i.target.form == "row"} - stored
    return computed | {i.target for i in instructions if not i.reads and i.target in inner}


def _without_tiles(instructions: list[Instruction], once: set[Register]) -> set[Register]:
    """What is computed once without whole tiles of values that would have to stay on chip, and what reads these."""
    made = {i.target for i in instructions}
    while True:
        read_later = {r for i in instructions if i.target not in once for r in i.reads}
        tiles = {r for r in once & read_later if not r.form and r.dtype != MASK}
        if not tiles:
            return once
        once = once - tiles
        for instruction in instructions:
            if any(r in made and r not in once for r in instruction.reads):
                once = once - {instruction.target}


def in_whole_buffers(program: Program, select: Instruction) -> Program:
    """The program with a selection from and to whole buffers, and copies where slots are meant."""
    number = max(i.target.number for i in program.instructions())
    source = select.reads[1]
    fresh = [Register(number + n, r.dtype, r.hint, r.form) for n, r in enumerate((source, select.target), 1)]
    stored = select.target in {store.register for store in program.stores}
    slotted = source in {load.register for load in program.loads} | {store.register for store in program.stores}
    first = fresh[0] if slotted else source
    target = fresh[1] if stored else select.target
    mask, _, other = select.operands
    instead = [replace(select, target=target, operands=(mask, first, other))]
    if slotted:
        instead.insert(0, Instruction("copy", first, (source,), line=select.line))
    if stored:
        instead.append(Instruction("copy", select.target, (target,), line=select.line))
    at = next(n for n, i in enumerate(program.body) if i is select)
    body = (*program.body[:at], *instead, *program.body[at + 1 :])
    more = len(instead) - 1
    loops = tuple((start + more * (at < start), end + more * (at < end)) for start, end in program.loops)
    return replace(program, body=body, loops=loops, whole=program.whole | {first, target})
