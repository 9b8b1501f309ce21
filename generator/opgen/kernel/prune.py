"""Ends the building of a program: what nothing reads goes, what depends on no tile is done once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from opgen.facts.operations import OPERATIONS
from opgen.kernel.builder import Builder
from opgen.kernel.vector import Element, Instruction, Load, Program, Register, Store


def whole_operands(instruction: Instruction) -> tuple[Register, ...]:
    """Operands that TileLang takes as whole buffers only, not as one of two slots."""
    if instruction.op == "pow":
        return (instruction.target, *instruction.reads)
    if instruction.op == "select":
        return tuple(o for o in instruction.operands[2:] if isinstance(o, Register))
    return ()


def split(build: Builder, elements: tuple[Element, ...], loads: tuple[Load, ...], stores: tuple[Store, ...]) -> Program:
    """The program of what `build` holds. Every store gets a register of its own, computed in the output's slots."""
    loaded = {load.register for load in loads}
    instructions = _whole_copies(build, loaded)
    apart = loaded | {r for i in instructions for r in whole_operands(i)}
    own = []
    for store in stores:
        register = store.register
        if register in apart:
            register = _again(build, instructions, register, store.tensor)
        apart.add(register)
        own.append(Store(store.tensor, register))
    stored = {store.register for store in own}
    needed = _needed(instructions, stored)
    kept = [i for i in instructions if i.target in needed]
    once = _once(kept, stored)
    return Program(
        elements,
        tuple(i for i in kept if i.target in once),
        loads,
        tuple(i for i in kept if i.target not in once),
        tuple(own),
    )


def _again(build: Builder, instructions: list[Instruction], source: Register, tensor: str) -> Register:
    """A second register of the same values: a copy, or where there is none for the type, made in the same way."""
    target = build.registers.new(source.dtype, tensor)
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
                copies[operand] = build.registers.new(operand.dtype, operand.hint)
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


def _once(instructions: list[Instruction], stored: set[Register]) -> set[Register]:
    """Targets that depend on no tile. A fill alone is done where it is needed: its place on chip would cost more."""
    fixed: set[Register] = set()
    computed: set[Register] = set()
    for instruction in instructions:
        if instruction.op == "fill":
            fixed.add(instruction.target)
        elif instruction.reads and all(r in fixed for r in instruction.reads) and instruction.target not in stored:
            fixed.add(instruction.target)
            computed.add(instruction.target)
    inner = {r for i in instructions if i.target in computed for r in i.reads}
    # A fill has one reader, so it goes where its reader goes.
    return computed | {i.target for i in instructions if i.op == "fill" and i.target in inner}
