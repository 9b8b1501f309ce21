"""A tile program as lines of PyPTO Pro: what happens to one tile, and what happens before the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.kernel.pypto.memory import Tile, TileLayout
from opgen.kernel.pypto.program import FLOAT, FUNCTIONS, extreme, factor, name_of, scalar_names
from opgen.kernel.scalar import Scalar
from opgen.kernel.stages import ACCUMULATE
from opgen.kernel.vector import Element, Instruction, Operand, Register


class Body:
    """Prints one variant. columns: tile of one value for each row -> name of its view as a column. scalars: name in the
    formula, with FLOAT where it is wanted as a float -> as written. lines: the formula's lines, to head what is made
    for each; none when there is only one. piece: the first column of a piece of long rows."""

    def __init__(
        self,
        layout: TileLayout,
        columns: Mapping[str, str],
        scalars: Mapping[str, str],
        lines: tuple[str, ...],
        piece: str,
    ) -> None:
        self.layout = layout
        self.columns = columns
        self.scalars = scalars
        self.lines = lines
        self.piece = piece

    def instructions(self, instructions: tuple[Instruction, ...]) -> Iterator[str]:
        line = -1
        for instruction in instructions:
            if self.lines and instruction.line not in (line, -1):
                line = instruction.line
                yield f"# {self.lines[line]}"
            if instruction.note:
                yield f"# {instruction.note}"
            if instruction.op.startswith(ACCUMULATE):
                yield from self._accumulation(instruction)
            else:
                yield self._instruction(instruction)

    def _accumulation(self, instruction: Instruction) -> Iterator[str]:
        """What one piece of the rows gives joins what those before gave."""
        kind = instruction.op.removeprefix(ACCUMULATE)
        function = FUNCTIONS["reduce_" + kind]
        total, part = self.layout.place[instruction.target].name, self.layout.part[instruction.target].name
        source, spare = self._operand(instruction.reads[0]), self.layout.spare[instruction.target].name
        piece = f"pl.{function}({self.columns[part]}, {source}, {spare}, dim=0)"
        if kind == "sum":
            yield piece
            yield f"pl.add({total}, {total}, {part})"
            return
        yield f"if {self.piece} == 0:"
        yield f"    pl.{function}({self.columns[total]}, {source}, {spare}, dim=0)"
        yield "else:"
        yield f"    {piece}"
        yield f"    pl.{function}({total}, {total}, {part})"

    def _instruction(self, instruction: Instruction) -> str:
        place = self.layout.place
        target = place[instruction.target].name
        if instruction.op.startswith("reduce_"):
            function = FUNCTIONS[instruction.op]
            spare = self.layout.spare[instruction.target].name
            return f"pl.{function}({self.columns[target]}, {self._operand(instruction.reads[0])}, {spare}, dim=0)"
        operands = [self._operand(o) for o in instruction.operands]
        if instruction.op == "cast":
            return f"pl.cast({target}, {operands[0]}, mode=pl.RoundMode.{instruction.mode})"
        if instruction.op == "select":
            return f"pl.select({target}, {', '.join(operands)}, {self.layout.spare[instruction.target].name})"
        if instruction.op.startswith("expand_"):
            by_row = instruction.reads[1].form == "row"
            other = self.columns[operands[1]] if by_row else operands[1]
            return f"pl.{instruction.op}({target}, {operands[0]}, {other}, dim={0 if by_row else 1})"
        if instruction.op == "add" and _negative(operands[1]):
            return f"pl.sub({target}, {operands[0]}, {operands[1][1:]})"
        return f"pl.{name_of(instruction)}({', '.join([target, *operands])})"

    def _operand(self, operand: Operand) -> str:
        return self.layout.place[operand].name if isinstance(operand, Register) else self.scalar(operand)

    def scalar(self, scalar: Scalar) -> str:
        return _text(scalar, self.scalars)[0]


_INFIX = {"add": ("+", 1), "sub": ("-", 1), "mul": ("*", 2)}
_UNARY, _ATOM = 3, 4


def _text(scalar: Scalar, names: Mapping[str, str]) -> tuple[str, int]:
    """The text and how tightly it binds."""
    if scalar.op == "const":
        written = repr(scalar.value)
        return written, _UNARY if written.startswith("-") else _ATOM
    if scalar.op == "name":
        return names[str(scalar.value)], _ATOM
    if scalar.op == "to_float":
        return names[f"{scalar.args[0].value}{FLOAT}"], _ATOM
    args = [_text(arg, names) for arg in (scalar.args[1:] if extreme(scalar) else scalar.args)]
    if extreme(scalar):
        return f"pl.{extreme(scalar)}({args[0][0]}, {args[1][0]})", _ATOM
    if scalar.op == "neg":
        written, own = args[0]
        return f"-{written}" if own >= _ATOM else f"-({written})", _UNARY
    times = factor(scalar)
    if times is not None:
        args[1] = repr(times), _UNARY if times < 0 else _ATOM
    sign, level = _INFIX["mul" if times is not None else scalar.op]
    (left, own), (right, other) = args
    left = left if own >= level else f"({left})"
    right = right if other > level else f"({right})"
    return f"{left} {sign} {right}", level


def _negative(written: str) -> bool:
    """Whether it is a minus in front of one number or name."""
    return written.startswith("-") and all(c.isalnum() or c in "._" for c in written[1:])


def layout_values(element: Element, layout: TileLayout) -> Iterator[tuple[str, Tile]]:
    """The scalars that are read of a one-element input, with FLOAT where it is wanted as a float, and their tiles."""
    read = set(scalar_names(layout.program))
    tiles = layout.singles[element.tensor]
    if element.scalar.value in read:
        yield str(element.scalar.value), tiles[len(element.steps)]
    if f"{element.scalar.value}{FLOAT}" in read:
        yield f"{element.scalar.value}{FLOAT}", tiles[-1]


def column_views(layout: TileLayout) -> list[Tile]:
    """Tiles of one value for each row that are reduced into or spread out: these operations take a column."""
    found: dict[str, Tile] = {}
    for instruction in layout.instructions():
        tiles = []
        if instruction.op.startswith(("reduce_", ACCUMULATE)):
            direct = instruction.op != ACCUMULATE + "sum"
            tiles += [layout.place[instruction.target]] if direct else []
            tiles += [layout.part[instruction.target]] if instruction.op.startswith(ACCUMULATE) else []
        elif instruction.op.startswith("expand_") and instruction.reads[1].form == "row":
            tiles.append(layout.place[instruction.reads[1]])
        found |= {tile.name: tile for tile in tiles}
    return list(found.values())


def row_views(layout: TileLayout) -> list[Tile]:
    """Tiles of one value for each row that everything else reads or writes: loads, stores, arithmetic."""
    moved = [load.register for load in layout.program.loads] + [store.register for store in layout.program.stores]
    tiles = []
    for instruction in layout.instructions():
        if instruction.op.startswith(ACCUMULATE):
            tiles += [layout.place[instruction.target], layout.part[instruction.target]]
        elif not instruction.op.startswith("reduce_"):
            moved += [instruction.target, *instruction.reads[: 1 if instruction.op.startswith("expand_") else None]]
    tiles += [layout.place[register] for register in moved if register.form == "row"]
    return list({tile.name: tile for tile in tiles}.values())
