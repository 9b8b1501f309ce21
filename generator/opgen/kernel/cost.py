"""How long a kernel on rows takes, in modelled cycles: only good for comparing ways to compute the same thing."""

from __future__ import annotations

import math

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import VECTOR_BYTES
from opgen.facts.pipes import CHIP_RATE, COPY_DELAY, COPY_RATE, COPY_START, PASSES, STEPS, VECTOR_START
from opgen.kernel.forms import Form
from opgen.kernel.vector import MASK, Instruction, Program, Register


def cycles(program: Program, rows: int, columns: int, rounds: int, workers: int, recycled: bool) -> float:
    """Of one vector unit with so many tiles of rows x columns. recycled: a slot is loaded again when what was computed
    in it has been stored."""
    sizes: dict[Form, int] = {"": rows * columns, "row": rows, "column": columns}

    def copied(registers: list[Register]) -> float:
        rate = min(COPY_RATE, CHIP_RATE / workers)
        return sum(COPY_START + sizes[r.form] * DTYPES[r.dtype].size / rate for r in registers)

    once = sum(_instruction(i, sizes) for i in program.once) + copied([x.register for x in program.vectors])
    load = copied([x.register for x in program.loads])
    store = copied([x.register for x in program.stores])
    vector = sum(_instruction(i, sizes) for i in program.body)
    whole = load + COPY_DELAY + vector + store + COPY_DELAY
    step = max(vector, load, store, whole / 2 if recycled else 0)
    return once + whole + (rounds - 1) * step


def _instruction(instruction: Instruction, sizes: dict[Form, int]) -> float:
    if instruction.padding:
        return 0
    operands = [instruction.target, *instruction.reads]
    widest = max(sizes[r.form] * DTYPES[r.dtype].size for r in operands if r.dtype != MASK)
    passes, steps = PASSES.get(instruction.op, 1), STEPS.get(instruction.op, 1)
    if instruction.op.startswith("reduce_"):  # halves are joined until a row is one step, which is reduced row by row
        source = instruction.reads[0]
        row = sizes["column"] * DTYPES[source.dtype].size
        steps += math.ceil(math.log2(max(1, row / VECTOR_BYTES)))
        return VECTOR_START * steps + passes * widest / VECTOR_BYTES + 2 * sizes["row"]
    return VECTOR_START * steps + passes * widest / VECTOR_BYTES
