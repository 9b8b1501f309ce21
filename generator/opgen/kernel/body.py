"""A vector program as lines of TileLang: what happens to one tile."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from opgen.facts.operations import FILLED_WHEN_CLIPPED
from opgen.kernel.memory import Held, Layout
from opgen.kernel.names import KernelNames
from opgen.kernel.scalar import text
from opgen.kernel.vector import Instruction, Operand, Register


class Body:
    """Prints one variant's instructions. compiled_in: attributes that are numbers when the kernel is compiled. wide:
    attributes that come as int64.

    lines: the formula's lines, to head what is made for each; none when there is only one. rank: axes of a tile, 2 when
    it has rows. recycled: an input's slot is free when an output has been stored from it.
    """

    def __init__(
        self,
        layout: Layout,
        names: KernelNames,
        scalars: Mapping[str, str],
        compiled_in: frozenset[str],
        wide: frozenset[str],
        slots: int,
        lines: tuple[str, ...],
        rank: int = 1,
        recycled: bool = False,
    ) -> None:
        self.layout = layout
        self.names = names
        self.scalars = scalars
        self.compiled_in = compiled_in
        self.wide = wide
        self.turn = f"{names.own['i']} % 2"
        self.event = f"EVENT + {self.turn}" if slots == 2 else "EVENT"
        self.slots = slots
        self.lines = lines
        self.rank = rank
        self.recycled = recycled
        self.padded = ""  # when rows have padding, if not when they are shorter than a tile's

    def tile(self, held: Held) -> str:
        """A buffer's tile of this round."""
        return self.slot(held, self.turn) if held.count(self.slots) == 2 else held.name

    def slot(self, held: Held, number: str) -> str:
        return f"{held.name}[{number}{', :' * (1 if held.form else self.rank)}]"

    def _count(self, register: Register) -> str:
        """Elements of a register, for a cast."""
        return self.names.own[_COUNTS[register.form]] if register.form else "tile"

    def once(self) -> list[str]:
        """What is computed before the first tile, and the barrier behind it."""
        program = self.layout.program
        first = program.once[: len(program.once) - program.kept]
        lines = list(self._instructions(first, self.layout.once_barriers))
        return [*lines, 'T.pipe_barrier("v")'] if lines else []

    def kept(self) -> list[str]:
        """What is computed when inputs that stay for several tiles have changed, between barriers."""
        program = self.layout.program
        first = len(program.once) - program.kept
        barriers = {position - first for position in self.layout.once_barriers} - {0}
        lines = list(self._instructions(program.once[first:], barriers))
        return ['T.pipe_barrier("v")', *lines, 'T.pipe_barrier("v")'] if lines else []

    def cleared(self) -> list[str]:
        """Zeros for the slots that clipped copies do not fill up, through the buffer that their values are cast to."""
        program = self.layout.program
        arriving = (*program.loads, *program.vectors)
        loaded = {load.register for load in arriving if load.register.dtype not in FILLED_WHEN_CLIPPED}
        casts = {i.reads[0]: i.target for i in program.instructions() if i.op == "cast" and i.reads[0] in loaded}
        fills: dict[str, str] = {}
        lines = []
        for register, target in {self.layout.place[r].name: (r, t) for r, t in casts.items()}.values():
            held, through = self.layout.place[register], self.layout.place[target]
            zeros = self.slot(through, "0") if through.count(self.slots) == 2 else through.name
            fills[zeros] = "0" if through.dtype == "int32" else "0.0"
            mode = "CAST_NONE" if through.dtype == "int32" else "CAST_RINT"
            slots = [self.slot(held, str(slot)) for slot in range(2)] if held.count(self.slots) == 2 else [held.name]
            lines += [f'T.tile.cast({slot}, {zeros}, "{mode}", {self._count(register)})' for slot in slots]
        if not lines:
            return []
        filled = [f"T.tile.fill({zeros}, {number})" for zeros, number in fills.items()]
        return [*filled, 'T.pipe_barrier("v")', *lines, 'T.pipe_barrier("v")']

    def computation(self) -> list[str]:
        """From loaded tiles to computed ones, with the flags that give the input's slots back. Tensors with one buffer
        have flags of their own, which are set as early and waited for as late as can be."""
        program, release = self.layout.program, self.layout.release
        free = f'T.set_flag("v", "mte2", {self.event})'
        freed = program.loads and not self.recycled
        single_release, single_write = self.layout.single_release, self.layout.single_write
        free_row = 'T.set_flag("v", "mte2", ROW_EVENT)'
        result = [free] if release < 0 and freed else []
        if single_release < 0 and any(load.register.form for load in program.loads):
            result.append(free_row)  # nothing reads it for these types and options
        for run in self._runs(0, len(program.body)):
            result += self._heading(run, result)
            if single_write in run:
                result.append('T.wait_flag("mte3", "v", ROW_EVENT)')
            result += self._run(run)
            if release in run and freed:
                result.append(free)
            if single_release in run:
                result.append(free_row)
        return result

    def _runs(self, start: int, end: int) -> Iterator[range]:
        """Positions of instructions, those next to each other together that only rows with padding need."""
        body = self.layout.program.body
        while start < end:
            stop = start + 1
            while body[start].padding and stop < end and body[stop].padding and body[stop].line == body[start].line:
                stop += 1
            yield range(start, stop)
            start = stop

    def _heading(self, run: range, before: list[str]) -> list[str]:
        """The formula's line that the instructions are made for, where it begins."""
        line = self.layout.program.body[run[0]].line
        if not self.lines or line == -1 or run[0] in self._preparing:
            return []
        heading = f"# {self.lines[line]}"
        last = next((text for text in reversed(before) if text in self._headings), "")
        return [] if heading == last else [heading]

    @cached_property
    def _headings(self) -> frozenset[str]:
        return frozenset(f"# {line}" for line in self.lines)

    @cached_property
    def _preparing(self) -> frozenset[int]:
        """Positions of what a line of the formula does not speak of: casts of inputs, and first values of sums."""
        program = self.layout.program
        loaded = {x.register for x in (*program.loads, *program.vectors)}
        lines = [i.line for i in program.body if i.op != "fill"]
        return frozenset(
            position
            for position, i in enumerate(program.body)
            if (i.op == "cast" and i.reads[0] in loaded) or (i.op == "fill" and i.line in lines)
        )

    def _run(self, run: range) -> list[str]:
        body, stops = self.layout.program.body, self.layout.barriers
        return list(self._instructions([body[n] for n in run], {n - run[0] for n in run if n in stops}))

    def _instructions(self, instructions: Iterable[Instruction], barriers: Iterable[int]) -> Iterator[str]:
        """Lines; what only rows with padding need is one line of several, under its condition."""
        stops = set(barriers)
        for padding, group in itertools.groupby(enumerate(instructions), lambda item: item[1].padding):
            lines: list[str] = []
            for position, instruction in group:
                if instruction.note:
                    lines.append(f"# {instruction.note}")
                if position in stops:
                    lines.append('T.pipe_barrier("v")')
                lines.append(self.instruction(instruction))
            if not padding:
                yield from lines
                continue
            if 'T.pipe_barrier("v")' in lines[:2]:  # what comes after may count on it
                lines.remove('T.pipe_barrier("v")')
                yield 'T.pipe_barrier("v")'
            own = self.names.own
            condition = self.padded or f"{own['c']} < {own['columns']}"
            yield "\n".join([f"if {condition}:", *(f"    {line}" for line in lines)])

    def instruction(self, instruction: Instruction) -> str:
        target = self._operand(instruction.target)
        if instruction.op == "copy":
            return f"T.copy({self._operand(instruction.operands[0])}, {target})"
        operands = [self._operand(o, instruction) for o in instruction.operands]
        if instruction.op == "cast":
            return f'T.tile.cast({target}, {operands[0]}, "{instruction.mode}", {self._count(instruction.target)})'
        if instruction.op.startswith("reduce_"):
            return f"T.{instruction.op}({operands[0]}, {target}, dim=-1)"
        if instruction.op == "broadcast":
            return f"T.tile.broadcast({target}, {operands[0]}, axis={1 if instruction.reads[0].form == 'row' else 0})"
        if instruction.op == "compare":
            return f'T.tile.compare({target}, {operands[0]}, {operands[1]}, "{instruction.mode}")'
        if instruction.op == "select":
            other = "TENSOR_TENSOR" if isinstance(instruction.operands[2], Register) else "TENSOR_SCALAR"
            return f'T.tile.select({target}, {", ".join(operands)}, "VSEL_{other}_MODE")'
        if instruction.op == "add" and _negative(operands[1]):
            return f"T.tile.sub({target}, {operands[0]}, {operands[1][1:]})"
        return self._plain(instruction, operands)

    def _plain(self, instruction: Instruction, operands: list[str]) -> str:
        return f"T.tile.{instruction.op}({', '.join([self._operand(instruction.target), *operands])})"

    def _operand(self, operand: Operand, instruction: Instruction | None = None) -> str:
        if isinstance(operand, Register):
            return self.tile(self.layout.place[operand])
        written = text(operand, self.scalars, self.compiled_in)
        if instruction is None:
            return written
        if operand.kind == "int" and any(part.value in self.wide for part in operand.walk() if part.op == "name"):
            return f'T.cast({written}, "int32")'
        if instruction.op in ("compare", "select") and operand.kind == "int":
            return f"T.int32({written})"  # a bare Python int is not taken there
        return written


_COUNTS = {"row": "rows", "column": "columns"}  # own names of the script


def _negative(written: str) -> bool:
    """Whether it is a minus in front of one number or name."""
    return written.startswith("-") and all(c.isalnum() or c in "._" for c in written[1:])
