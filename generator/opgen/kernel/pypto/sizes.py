"""Sizes of the tiles of a generated PyPTO kernel: those of op.yaml, else planned ones, largest first."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace

from opgen.facts.dtypes import DTYPES
from opgen.facts.pypto import ALIGNMENT
from opgen.formula.sizes import FormulaError, Size, evaluate
from opgen.kernel.forms import Rows
from opgen.kernel.pypto.memory import Tile
from opgen.kernel.pypto.model import Setting
from opgen.kernel.vector import MASK
from opgen.spec.model import Operator
from opgen.text.findings import Finding

TILE_BYTES = 32768  # of a copy at most, where a row is not longer: enough to hide what a copy costs
COLUMN_STEP = 64  # elements that a planned row on chip is a multiple of: 256 bytes of float32
LEAST = 256  # elements of a planned tile at least
PIECE_ROWS = 8  # of a tile that holds pieces of rows, at least


class Sizes:
    """tiles: all that the kernel has. pieces: a tile holds pieces of rows. findings: OPG402, OPG403."""

    def __init__(self, operator: Operator, rows: Rows | None, tiles: list[Tile], pieces: bool) -> None:
        self.operator = operator
        self.rows = rows
        self.tiles = tiles
        self.pieces = pieces
        self.findings: dict[Finding, None] = {}

    # ---- what op.yaml says ----

    def first(self) -> tuple[Setting, ...]:
        """One for each choice of the fields of the key that sizes depend on: the largest that is wanted."""
        tiling = self.operator.tiling
        self._check_form()
        if self.findings:
            return (Setting((), 1, LEAST, 2),)
        parts = [size for _, size in self._given()] + ([tiling.buffers] if tiling.buffers is not None else [])
        used = {str(part.value) for size in parts for part in size.walk() if part.op == "name"}
        choices = [tuple((f.name, value) for value in f.values) for f in tiling.key if f.name in used]
        return tuple(self._setting(keys) for keys in itertools.product(*choices))

    def _check_form(self) -> None:
        block = self.operator.tiling.block
        if isinstance(block, tuple) and self.rows is None:
            why = "An elementwise kernel sees its tensors as one axis."
            self._add("OPG402", "`block` gives sizes along dims", why, "Write the elements of a tile: `block: 8192`.")
        if isinstance(block, Size) and self.rows is not None:
            why = "A tile of a kernel on rows has a number of rows and one of columns."
            lead = "" if self.rows.lead.rest else f"{self.rows.lead.name}: 16, "
            self._add("OPG402", "`block` is one number", why, f"Write `block: {{{lead}{self.rows.last.name}: 1024}}`.")

    def _given(self) -> list[tuple[str, Size]]:
        """Names of dims with their sizes; the name of the length of a flattened tile is empty."""
        block = self.operator.tiling.block
        return [("", block)] if isinstance(block, Size) else list(block or ())

    def _setting(self, keys: tuple[tuple[str, int], ...]) -> Setting:
        buffers = self.operator.tiling.buffers
        env = dict(keys)
        slots = 2 if buffers is None else self._value(buffers, env, "buffers")
        if slots not in (1, 2):
            why = "A tile is loaded into one buffer, or into two by turns."
            self._add("OPG402", f"`buffers` is {slots}", why, "Write 1 or 2.", "buffers")
            slots = 2
        given = {name: self._value(size, env, f"block/{name}" if name else "block") for name, size in self._given()}
        if self.rows is None:
            length = self._whole_blocks(given[""], "") if given else TILE_BYTES // self.widest
            return Setting(keys, 1, length, slots)
        lead, last = self.rows.lead.name, self.rows.last.name
        columns = self._whole_blocks(given[last], last) if last in given else self.columns
        rows = self._whole_rows(given[lead]) if lead in given else self._rows(columns)
        return Setting(keys, rows, columns, slots)

    def _whole_blocks(self, length: int, name: str) -> int:
        """The length of a row on chip, which is whole blocks for every type."""
        sizes = [_size(t) for t in self.tiles if not t.single and t.form != "row"]
        return self._multiple(length, ALIGNMENT // min(sizes, default=4), "elements" if not name else "columns", name)

    def _whole_rows(self, rows: int) -> int:
        assert self.rows is not None
        return self._multiple(rows, self.row_step, "rows", self.rows.lead.name)

    def _multiple(self, number: int, step: int, of: str, name: str) -> int:
        fitting = max(step, -(-number // step) * step)
        if number < 1 or number % step:
            why = f"What lies in a row on chip is whole blocks of {ALIGNMENT} bytes, for every type that it has."
            fix = f"Write a multiple of {step}, such as {fitting}."
            self._add("OPG402", f"a tile of {number} {of}", why, fix, f"block/{name}" if name else "block")
        return fitting

    # ---- what is planned ----

    @property
    def widest(self) -> int:
        """Bytes of an element that is copied."""
        return max((_size(t) for t in self.tiles if t.tensor and not (t.form or t.single)), default=4)

    @property
    def row_step(self) -> int:
        """Rows that a tile has a multiple of: values for each row lie side by side, in whole blocks."""
        sizes = [_size(t) for t in self.tiles if t.form == "row"]
        return ALIGNMENT // min(sizes) if sizes else 1

    @property
    def longest(self) -> int | None:
        """Elements of the longest row; None: there is no limit."""
        assert self.rows is not None
        last = self.rows.last
        if last.dynamic or not (last.fixed or last.values):
            return last.max
        return max([*last.values, last.default] if isinstance(last.default, int) else last.values)

    @property
    def columns(self) -> int:
        """Columns of a tile, where they are planned."""
        longest = self.longest
        whole = -(-longest // COLUMN_STEP) * COLUMN_STEP if longest is not None else None
        if not self.pieces:
            assert whole is not None
            return whole
        piece = TILE_BYTES // self.widest // max(self.row_step, PIECE_ROWS)
        return min(piece, whole) if whole is not None else piece

    def _rows(self, columns: int) -> int:
        if self.pieces:
            return max(self.row_step, PIECE_ROWS)
        rows = max(1, TILE_BYTES // self.widest // columns)
        return max(self.row_step, 1 << (rows.bit_length() - 1))

    def smaller(self, settings: tuple[Setting, ...]) -> tuple[Setting, ...] | None:
        """The next to try; None: there is none."""
        tiling = self.operator.tiling
        if self.rows is None:
            return self._shorter(settings, LEAST) if tiling.block is None else None
        given = dict(self._given())
        if self.pieces and self.rows.last.name not in given:
            return self._shorter(settings, COLUMN_STEP)
        least = self.row_step
        if self.rows.lead.name not in given and any(s.rows > least for s in settings):
            return tuple(replace(s, rows=max(least, s.rows // 2)) for s in settings)
        if tiling.buffers is None and settings[0].slots == 2:
            return tuple(replace(s, slots=1) for s in settings)
        return None

    def _shorter(self, settings: tuple[Setting, ...], least: int) -> tuple[Setting, ...] | None:
        if all(s.columns <= least for s in settings):
            return None
        return tuple(replace(s, columns=max(least, s.columns // 2 // least * least)) for s in settings)

    def _value(self, size: Size, env: Mapping[str, int], field: str) -> int:
        try:
            return evaluate(size, env)
        except FormulaError as error:
            problem = error.problems[0]
            self._add("OPG403", problem.what, problem.why, problem.fix, field)
            return ALIGNMENT

    def _add(self, rule: str, what: str, why: str, fix: str, field: str = "block") -> None:
        pointer = f"{self.operator.pointer}/tiling/{field}"
        self.findings[Finding(rule, what, why, fix, pointer=pointer)] = None


def _size(tile: Tile) -> int:
    """Bytes of an element."""
    return 1 if tile.dtype == MASK else DTYPES[tile.dtype].size
