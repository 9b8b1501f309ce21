"""Ends the building of a tile program: values of rows and columns are spread by the operation that reads them, halves
stay halves where that loses nothing, what nothing reads goes, what depends on no tile is done once."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace

from opgen.facts.pypto import OPERATIONS, SELECT_SCALAR
from opgen.kernel.decompose import Parts
from opgen.kernel.scalar import Scalar, const
from opgen.kernel.vector import MASK, Instruction, Operand, Program, Register, Registers, Store

# Operation of a vector program -> its name in pypto_pro.language. A comparison is named by its mode.
NAMES = {"max": "maximum", "min": "minimum", "ln": "log", "fill": "expands"}

FUNCTIONS = {"reduce_sum": "sum", "reduce_max": "maximum", "reduce_min": "minimum"}

FLOAT = " as float"  # behind a name that a float is wanted of, and that is a whole number

_HALVES = ("float16", "bfloat16")
_EXACT = ("max", "min", "neg", "abs", "relu", "select")  # their results are exact in the type of their operands
_ROUNDED = ("add", "sub", "mul", "expand_sub", "expand_mul")  # rounding a float32 result gives what the half type gives
_SPREAD = {"mul": "expand_mul", "sub": "expand_sub", "div": "expand_div", "max": "expand_max", "min": "expand_min"}


def name_of(instruction: Instruction) -> str:
    """The function of pypto_pro.language."""
    if instruction.op == "compare":
        return instruction.mode.lower()
    return NAMES.get(instruction.op, instruction.op)


def finish(parts: Parts, instructions: Iterable[Instruction], registers: Registers) -> Program:
    """The program of what a builder made."""
    made = _Spreader(registers).spread(list(instructions))
    made, stores = _Narrower(registers).narrowed(made, parts.stores)
    needed = _needed(made, {store.register for store in stores})
    kept = [i for i in made if i.target in needed]
    vectors = tuple(v for v in parts.vectors if v.register in needed)
    loads = tuple(load for load in parts.loads if load.register in needed)
    once = _once(kept, {s.register for s in stores}, {v.register for v in vectors})
    return Program(
        tuple(e for e in parts.elements if _is_read(e.scalar, kept)),
        tuple(i for i in kept if i.target in once),
        loads,
        tuple(i for i in kept if i.target not in once),
        stores,
        vectors=vectors,
    )


def factor(scalar: Scalar) -> float | None:
    """What a scalar is multiplied with, where it is divided by a number: the front end has no division of scalars."""
    number = scalar.args[1].constant if scalar.op == "div" else None
    return 1.0 / number if number and abs(number) > 1e-37 else None


def extreme(scalar: Scalar) -> str:
    """ "max" or "min" of two scalars, which a choice between them by their comparison is; "" for anything else."""
    if scalar.op != "where" or scalar.args[0].op not in ("gt", "lt") or scalar.args[0].args != scalar.args[1:]:
        return ""
    return "max" if scalar.args[0].op == "gt" else "min"


def scalar_names(program: Program) -> Iterator[str]:
    """Names that instructions read as scalars; with FLOAT where a whole number is wanted as a float."""
    for instruction in program.instructions():
        for operand in instruction.operands:
            if isinstance(operand, Scalar):
                yield from _names(operand)


def _names(scalar: Scalar) -> Iterator[str]:
    if scalar.op == "to_float" and scalar.args[0].op == "name":
        yield f"{scalar.args[0].value}{FLOAT}"
    elif scalar.op == "name":
        yield str(scalar.value)
    for arg in scalar.args if scalar.op != "to_float" else ():
        yield from _names(arg)


def _is_read(scalar: Scalar, instructions: list[Instruction]) -> bool:
    return any(
        part.op == "name" and part.value == scalar.value
        for i in instructions
        for o in i.operands
        if isinstance(o, Scalar)
        for part in o.walk()
    )


def _needed(instructions: list[Instruction], wanted: set[Register]) -> set[Register]:
    needed = set(wanted)
    for instruction in reversed(instructions):
        if instruction.target in needed:
            needed.update(instruction.reads)
    return needed


def _once(instructions: list[Instruction], stored: set[Register], vectors: set[Register]) -> set[Register]:
    """Targets that are made of vectors alone. Fills are done where they are needed: their place on chip would cost
    more."""
    fixed = set(vectors)
    for instruction in instructions:
        reads = instruction.reads
        made = reads and all(r in fixed for r in reads) and instruction.target.form == "column"
        if made and instruction.target not in stored:
            fixed.add(instruction.target)
    return fixed - vectors


class _Spreader:
    """Replaces broadcasts."""

    def __init__(self, registers: Registers) -> None:
        self.registers = registers
        self.done: list[Instruction] = []
        self.spread_from: dict[Register, Register] = {}
        self.negated: dict[Register, Register] = {}

    def spread(self, instructions: list[Instruction]) -> list[Instruction]:
        for instruction in instructions:
            if instruction.op == "broadcast":
                self.spread_from[instruction.target] = instruction.reads[0]
                self._broadcast(instruction)
            elif not self._by_operation(instruction):
                self.done.append(instruction)
        return self.done

    def _broadcast(self, instruction: Instruction) -> None:
        """1 times the value: dropped again where no other operation reads it."""
        target = instruction.target
        ones = self.registers.new(target.dtype, target.hint)
        one = const(1.0) if target.dtype.startswith("float") else const(1)
        self.done.append(replace(instruction, op="fill", target=ones, operands=(one,)))
        self.done.append(replace(instruction, op="expand_mul", operands=(ones, instruction.reads[0]), note=""))

    def _by_operation(self, instruction: Instruction) -> bool:
        """Whether the operation itself spreads one operand."""
        if len(instruction.operands) != 2 or not all(isinstance(o, Register) for o in instruction.operands):
            return False
        a, b = instruction.reads
        if a in self.spread_from and b not in self.spread_from and instruction.op in ("add", "mul", "max", "min"):
            a, b = b, a
        if b in self.spread_from and a not in self.spread_from:
            source = self.spread_from[b]
            if instruction.op == "add":
                self.done.append(
                    replace(instruction, op="expand_sub", operands=(a, self._negative(source, instruction)))
                )
                return True
            if instruction.op in _SPREAD:
                self.done.append(replace(instruction, op=_SPREAD[instruction.op], operands=(a, source)))
                return True
        if instruction.op == "sub" and a in self.spread_from and b not in self.spread_from:
            turned = self.registers.new(instruction.target.dtype, instruction.target.hint)
            self.done.append(replace(instruction, op="expand_sub", target=turned, operands=(b, self.spread_from[a])))
            self.done.append(replace(instruction, op="neg", operands=(turned,), note=""))
            return True
        return False

    def _negative(self, source: Register, instruction: Instruction) -> Register:
        if source not in self.negated:
            self.negated[source] = self.registers.new(source.dtype, source.hint, source.form)
            note = "there is no addition of a row or column: its negative is subtracted"
            self.done.append(Instruction("neg", self.negated[source], (source,), line=instruction.line, note=note))
        return self.negated[source]


class _Narrower:
    """Computes in a half type what float32 would only round to it."""

    def __init__(self, registers: Registers) -> None:
        self.registers = registers
        self.made: dict[Register, Instruction] = {}
        self.done: list[Instruction] = []
        self.instead: dict[Register, Register] = {}
        self.narrow: dict[tuple[Register, str], Register | None] = {}

    def narrowed(
        self, instructions: list[Instruction], stores: tuple[Store, ...]
    ) -> tuple[list[Instruction], tuple[Store, ...]]:
        for instruction in instructions:
            operands = tuple(self.instead.get(o, o) if isinstance(o, Register) else o for o in instruction.operands)
            instruction = replace(instruction, operands=operands)
            self.made[instruction.target] = instruction
            if instruction.op != "cast" or instruction.mode != "CAST_RINT" or not self._shortened(instruction):
                self.done.append(instruction)
        return self.done, tuple(Store(s.tensor, self.instead.get(s.register, s.register)) for s in stores)

    def _shortened(self, cast: Instruction) -> bool:
        """Whether a rounding could be left out."""
        target = cast.target
        if target.dtype not in _HALVES:
            return False
        source = cast.reads[0]
        exact = self._narrow(source, target.dtype)
        if exact is not None:
            self.instead[target] = exact
            return True
        made = self.made.get(source)
        if made is None or made.op not in _ROUNDED or not _has(made, target.dtype):
            return False
        operands = self._operands(made, target.dtype)
        if operands is None:
            return False
        self.done.append(replace(made, target=target, operands=operands))
        return True

    def _narrow(self, register: Register, dtype: str) -> Register | None:
        """A register of a half type with the very values of a float32 one."""
        key = (register, dtype)
        if key not in self.narrow:
            self.narrow[key] = self._found(register, dtype)
        return self.narrow[key]

    def _found(self, register: Register, dtype: str) -> Register | None:
        made = self.made.get(register)
        if made is None:
            return None
        if made.op == "cast" and made.mode == "CAST_NONE" and made.reads[0].dtype == dtype:
            return made.reads[0]
        if made.op not in _EXACT or not _has(made, dtype):
            return None
        operands = self._operands(made, dtype)
        if operands is None:
            return None
        target = self.registers.new(dtype, register.hint, register.form)
        self.done.append(replace(made, target=target, operands=operands))
        return target

    def _operands(self, made: Instruction, dtype: str) -> tuple[Operand, ...] | None:
        result: list[Operand] = []
        for operand in made.operands:
            if isinstance(operand, Scalar):
                if operand.constant is None or not _is_exact(float(operand.constant), dtype):
                    return None
                if made.op == "select" and dtype not in SELECT_SCALAR:
                    return None
                result.append(operand)
                continue
            narrow = operand if operand.dtype == MASK else self._narrow(operand, dtype)
            if narrow is None:
                return None
            result.append(narrow)
        return tuple(result)


def _has(instruction: Instruction, dtype: str) -> bool:
    return dtype in OPERATIONS[name_of(instruction)].dtypes


def _is_exact(number: float, dtype: str) -> bool:
    """Whether a half type has this number."""
    form = "<f" if dtype == "bfloat16" else "<e"
    try:
        packed = struct.pack(form, number)
    except OverflowError:
        return False
    (kept,) = struct.unpack(form, packed)
    return bool(kept == number) and (dtype != "bfloat16" or packed[:2] == bytes(2))
