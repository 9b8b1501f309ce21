"""The vector program: what a kernel does with one tile, as instructions on virtual registers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.facts.dtypes import DTYPES
from opgen.kernel.forms import Form, Moved
from opgen.kernel.scalar import Scalar

MASK = "mask"  # type of a register that holds one bit for each element


@dataclass(frozen=True)
class Register:
    """A tile of values, written once.

    dtype: an element type or MASK. hint: a name of op.yaml that the value goes back to. form: "" when there is a value
    for each element of a tile, "row" when there is one for each of its rows, "column" one for each column.
    """

    number: int
    dtype: str
    hint: str = ""
    form: Form = ""

    @property
    def bits(self) -> int:
        """Bits of an element."""
        return 1 if self.dtype == MASK else 8 * DTYPES[self.dtype].size


Operand = Register | Scalar


@dataclass(frozen=True)
class Instruction:
    """One vector instruction: `op` of facts.operations, or cast. mode: rounding of a cast, relation of a comparison.

    line: the formula's line that it was made for, counted from 0; -1 for what has none. note: what begins here, for
    readers. padding: it is there for what stands behind the end of a row, and rows without padding need none of it.
    """

    op: str
    target: Register
    operands: tuple[Operand, ...]
    mode: str = ""
    line: int = -1
    note: str = ""
    padding: bool = False

    @property
    def reads(self) -> tuple[Register, ...]:
        return tuple(o for o in self.operands if isinstance(o, Register))


@dataclass(frozen=True)
class Load:
    """An input's tile arrives in `register`. pad: what stands behind the end of a row. moved: before the first tile,
    when what it depends on changes, or for each tile."""

    tensor: str
    register: Register
    pad: float = 0.0
    moved: Moved = "tile"


@dataclass(frozen=True)
class Store:
    """`register` goes out as a tile of output `tensor`."""

    tensor: str
    register: Register


@dataclass(frozen=True)
class Element:
    """A one-element input, read once before the first tile.

    dtype: as it is moved. steps: types it is cast through on the way, the last of which the scalar unit reads. scalar:
    what the program calls it.
    """

    tensor: str
    dtype: str
    steps: tuple[tuple[str, str], ...]  # (type, rounding mode)
    scalar: Scalar


@dataclass(frozen=True)
class Program:
    """once: instructions that depend on no tile. body: of every tile, in order. Registers are written once.

    whole: registers that must have a buffer of their own, not one of two slots. vectors: inputs that arrive before
    `once`. kept: so many of the last instructions in `once` are done anew whenever what `vectors` are kept for changes.
    loops: where the body is repeated for each piece of long rows, as positions in it.
    """

    elements: tuple[Element, ...]
    once: tuple[Instruction, ...]
    loads: tuple[Load, ...]
    body: tuple[Instruction, ...]
    stores: tuple[Store, ...]
    whole: frozenset[Register] = frozenset()
    vectors: tuple[Load, ...] = ()
    kept: int = 0
    loops: tuple[tuple[int, int], ...] = ()

    def instructions(self) -> Iterator[Instruction]:
        yield from self.once
        yield from self.body


def counts_columns(program: Program) -> bool:
    """Whether it numbers the columns of rows."""
    return any(instruction.op == "createvecindex" for instruction in program.instructions())


@dataclass
class Registers:
    """Hands out registers."""

    count: int = 0

    def new(self, dtype: str, hint: str = "", form: Form = "") -> Register:
        self.count += 1
        return Register(self.count, dtype, hint, form)
