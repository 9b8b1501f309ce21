"""Executes a planned vector program with NumPy, in its buffers: what shares a buffer with something else loses its
value here as it would on the chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from opgen.facts.operations import CASTS, COMPARE_INT32, OPERATIONS, may_overlap
from opgen.formula.evaluate import round_to
from opgen.kernel.memory import Layout
from opgen.kernel.plan import VariantPlan
from opgen.kernel.prune import whole_operands
from opgen.kernel.scalar import Scalar, evaluate
from opgen.kernel.vector import MASK, Instruction, Register

Array = np.ndarray[Any, Any]

_RELATIONS = {
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "EQ": np.equal,
    "NE": np.not_equal,
}
_ROUNDINGS = {"CAST_RINT": np.rint, "CAST_FLOOR": np.floor, "CAST_CEIL": np.ceil, "CAST_TRUNC": np.trunc}


class Machine:
    """One worker. env: attributes, sizes and one-element inputs."""

    def __init__(self, layout: Layout, env: Mapping[str, Any]) -> None:
        self.layout = layout
        self.env = dict(env)
        self.held: dict[str, tuple[Register, Array]] = {}

    def run(self, tiles: Mapping[str, Array], size: int) -> dict[str, Array]:
        """One tile of `size` elements: input -> elements as they are copied; output -> the same."""
        program = self.layout.program
        with np.errstate(all="ignore"):
            for instruction in program.once:
                self.step(instruction, size)
            for load in program.loads:
                self.write(load.register, tiles[load.tensor])
            for instruction in program.body:
                self.step(instruction, size)
        return {store.tensor: self.read(store.register) for store in program.stores}

    def read(self, register: Register) -> Array:
        name = self.layout.place[register].name
        assert name in self.held, f"{name} is read before anything is in it"
        inside, values = self.held[name]
        assert inside == register, f"{name} holds register {inside.number}, and register {register.number} is read"
        return values

    def write(self, register: Register, values: Array) -> None:
        self.held[self.layout.place[register].name] = (register, values)

    def step(self, instruction: Instruction, size: int) -> None:
        check_types(instruction)
        operands = [self.read(o) if isinstance(o, Register) else evaluate(o, self.env) for o in instruction.operands]
        target = instruction.target
        if instruction.op == "fill":
            result = np.full(size, operands[0])
        elif instruction.op == "copy":
            result = operands[0]
        elif instruction.op == "cast":
            result = _cast(operands[0], instruction)
        elif instruction.op == "compare":
            result = _RELATIONS[instruction.mode](operands[0], operands[1])
        elif instruction.op == "select":
            result = np.where(*operands)
        else:
            result = _ARITHMETIC[instruction.op](*operands)
        self.write(target, _rounded(np.asarray(result), target.dtype))


def _cast(values: Array, instruction: Instruction) -> Array:
    source, target = instruction.reads[0].dtype, instruction.target.dtype
    if source.startswith(("float", "bfloat")) and (target.startswith("int") or target in ("uint8", source)):
        return _ROUNDINGS.get(instruction.mode, np.rint)(values.astype(np.float64))
    return values


def _rounded(values: Array, dtype: str) -> Array:
    if dtype == MASK:
        return values.astype(np.bool_)
    if dtype.startswith(("float", "bfloat")):
        return round_to(values, dtype)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def _power(x: Array, y: Array) -> Array:
    return np.power(x.astype(np.float64), y)


_ARITHMETIC = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "exp": np.exp,
    "ln": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "relu": lambda x: np.maximum(x, 0),
    "leaky_relu": lambda x, slope: np.where(x < 0, x * np.float32(slope), x),
    "sin": np.sin,
    "cos": np.cos,
    "pow": _power,
}


def check_types(instruction: Instruction) -> None:
    """What the chip has for this instruction."""
    op, target = instruction.op, instruction.target
    if op == "cast":
        pair = (instruction.reads[0].dtype, target.dtype)
        assert pair in CASTS, f"no cast {pair}"
        assert instruction.mode in CASTS[pair], f"no cast {pair} with {instruction.mode}"
        return
    operation = OPERATIONS[op]
    if op == "compare":
        assert target.dtype == MASK
        compared = {r.dtype for r in instruction.reads}
        assert len(compared) == 1
        if compared == {"int32"}:
            assert instruction.mode in COMPARE_INT32
        else:
            assert compared <= set(operation.dtypes)
        return
    assert target.dtype in operation.dtypes, f"no {op} of {target.dtype}"
    values = instruction.reads[1:] if op == "select" else instruction.reads
    if op == "select":
        assert instruction.reads[0].dtype == MASK
        assert isinstance(instruction.operands[1], Register)
    assert {r.dtype for r in values} <= {target.dtype}, f"{op} of mixed types"
    scalars = [o for o in instruction.operands if isinstance(o, Scalar)]
    assert all(s.kind == ("int" if target.dtype.startswith("int") else "float") for s in scalars), f"{op}: scalar kind"


def check_layout(plan: VariantPlan, budget: int) -> None:
    """Rules of the chip that hold for every plan: memory, aliases, whole buffers, barriers."""
    layout = plan.layout
    assert plan.used == sum(b.bytes for b in plan.buffers) + plan.scratch + _element_bytes(layout)
    assert plan.used <= budget
    names = [b.name for b in plan.buffers]
    assert len(names) == len(set(names))
    place = layout.place
    for instruction in layout.program.instructions():
        overlapping = [r for r in instruction.reads if place[r].name == place[instruction.target].name]
        if not may_overlap(instruction.op):
            assert not overlapping, f"{instruction.op} onto its own source"
        assert not any(place[r].slotted for r in whole_operands(instruction))
        if instruction.op == "select":
            assert place[instruction.target].slotted == place[instruction.reads[1]].slotted
        assert not any(place[r].output is False and place[r].slotted for r in [instruction.target])
    _check_barriers(layout)


def _element_bytes(layout: Layout) -> int:
    return sum(256 + 32 * len(e.steps) for e in layout.program.elements)


def _check_barriers(layout: Layout) -> None:
    """Two tiles one after the other: no instruction meets an unfinished one in a buffer outside the slots, nor within a
    tile inside them."""
    body = layout.program.body
    since: list[tuple[int, Instruction]] = []
    for tile in range(2):
        for position, instruction in enumerate(body):
            if position in layout.barriers:
                since = []
            for other_tile, other in since:
                written, read = layout.place[other.target], {layout.place[r] for r in other.reads}
                mine = {layout.place[r] for r in instruction.reads}
                target = layout.place[instruction.target]
                met = ({written} & (mine | {target})) | ({target} & read)
                met = {held for held in met if other_tile == tile or not held.slotted}
                assert not met, f"{instruction.op} and {other.op} meet in {[held.name for held in met]}"
            since.append((tile, instruction))
