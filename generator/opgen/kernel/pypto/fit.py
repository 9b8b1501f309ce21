"""Fits the tiles of a generated PyPTO kernel into the Unified Buffer: sizes, slots, addresses, mutex ids."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opgen.facts.dtypes import DTYPES
from opgen.facts.pypto import ALIGNMENT, MUTEX_IDS, UB_BYTES
from opgen.formula.signature import Variant
from opgen.formula.sizes import FormulaError, Size, evaluate
from opgen.kernel.forms import Rows
from opgen.kernel.pypto import words
from opgen.kernel.pypto.fields import as_written
from opgen.kernel.pypto.memory import Tile, TileLayout
from opgen.kernel.pypto.model import KernelVariant, Setting
from opgen.kernel.pypto.plan import Block, Ring
from opgen.kernel.vector import MASK
from opgen.spec.model import Operator
from opgen.text.findings import Finding

TILE_BYTES = 32768  # of a copy at most, where a row is not longer: enough to hide what a copy costs
ROW_STEP = 64  # elements that a row on chip is a multiple of: 256 bytes of float32
LEAST = 256  # elements of a planned tile at least


@dataclass(frozen=True)
class Fitted:
    blocks: tuple[Block, ...]
    settings: tuple[Setting, ...]
    variants: tuple[KernelVariant, ...]
    mutexes: Mapping[str, int]
    rings: tuple[Ring, ...]
    used: int


class Fit:
    """findings: OPG401, OPG402, OPG403."""

    def __init__(self, operator: Operator, rows: Rows | None, layouts: Mapping[Variant, TileLayout]) -> None:
        self.operator = operator
        self.rows = rows
        self.layouts = layouts
        self.findings: dict[Finding, None] = {}
        self.all = [t for held in layouts.values() for t in held.tiles]
        self.tiles = {t.name: t for t in self.all}

    def fitted(self) -> Fitted:
        """The first of the possible sizes that fits; findings where none does."""
        settings = self._settings()
        if self.findings:
            return self._made(settings)
        given = self._is_given()
        while not given and self._used(settings) > UB_BYTES and self._can_shrink(settings):
            settings = self._smaller(settings)
        if self._used(settings) > UB_BYTES or self._mutexes(settings) is None:
            self._does_not_fit(settings, given)
        return self._made(settings)

    # ---- sizes ----

    def _is_given(self) -> bool:
        return self.operator.tiling.block is not None

    def _settings(self) -> tuple[Setting, ...]:
        """One for each choice of the fields of the key that sizes depend on, in order."""
        tiling = self.operator.tiling
        block, buffers = tiling.block, tiling.buffers
        if isinstance(block, tuple) and self.rows is None:
            why = "An elementwise kernel sees its tensors as one axis."
            self._add(
                "OPG402", "`block` gives sizes along dims", why, "Write the elements of a tile: `block: 8192`.", "block"
            )
            return (Setting((), 1, LEAST, 2),)
        if isinstance(block, Size) and self.rows is not None:
            lead = self.rows.lead.name
            why = "A kernel on rows has a number of rows and one of columns in a tile."
            fix = f"Write `block: {{{lead}: 4}}`." if not self.rows.lead.rest else "Leave it out."
            self._add("OPG402", "`block` is one number", why, fix, "block")
            return (Setting((), 1, ROW_STEP, 2),)
        wanted = [block] if isinstance(block, Size) else [size for _, size in block or ()]
        wanted += [buffers] if buffers is not None else []
        used = {name for size in wanted for part in size.walk() if part.op == "name" for name in [str(part.value)]}
        fields = [f for f in tiling.key if f.name in used]
        choices = [tuple((f.name, value) for value in f.values) for f in fields]
        return tuple(self._setting(keys) for keys in itertools.product(*choices))

    def _setting(self, keys: tuple[tuple[str, int], ...]) -> Setting:
        tiling = self.operator.tiling
        env = dict(keys)
        slots = 2 if tiling.buffers is None else self._value(tiling.buffers, env, "buffers")
        if slots not in (1, 2):
            why = "A tile is loaded into one buffer, or into two by turns."
            self._add("OPG402", f"`buffers` is {slots}", why, "Write 1 or 2.", "buffers")
            slots = 2
        if self.rows is not None:
            return Setting(keys, self._rows(env), self._columns(), slots)
        if isinstance(tiling.block, Size):
            return Setting(keys, 1, self._length(tiling.block, env), slots)
        widest = max((DTYPES[t.dtype].size for t in self.all if t.tensor and not t.single), default=4)
        return Setting(keys, 1, TILE_BYTES // widest, slots)

    def _length(self, block: Size, env: Mapping[str, int]) -> int:
        length = self._value(block, env, "block")
        step = ALIGNMENT // min([1 if t.dtype == MASK else DTYPES[t.dtype].size for t in self.all], default=4)
        if length < 1 or length % step:
            why = f"A row on chip is whole blocks of {ALIGNMENT} bytes, for every type that it holds."
            fix = f"Write a multiple of {step}, such as {max(step, -(-length // step) * step)}."
            self._add("OPG402", f"a tile of {length} elements", why, fix, "block")
            return max(step, -(-length // step) * step)
        return length

    def _rows(self, env: Mapping[str, int]) -> int:
        assert self.rows is not None
        block = self.operator.tiling.block
        for name, size in block if isinstance(block, tuple) else ():
            if name == self.rows.lead.name:
                rows = self._value(size, env, f"block/{name}")
                if rows < 1:
                    self._add(
                        "OPG402", f"a tile of {rows} rows", "A tile has a row.", "Write 1 or more.", f"block/{name}"
                    )
                return max(1, rows)
            if name == self.rows.last.name:
                self._columns_given(self._value(size, env, f"block/{name}"), name)
        widest = max((DTYPES[t.dtype].size for t in self.all if t.tensor and not (t.form or t.single)), default=4)
        rows = max(1, TILE_BYTES // widest // self._columns())
        return 1 << (rows.bit_length() - 1)

    def _columns_given(self, columns: int, name: str) -> None:
        if columns != self._columns():
            why = "A tile of a generated kernel holds whole rows."
            fix = f"Leave it out, or write {self._columns()}."
            self._add("OPG402", f"a tile of {columns} columns", why, fix, f"block/{name}")

    def _columns(self) -> int:
        """Columns of a tile: the longest row, in whole steps."""
        assert self.rows is not None
        last = self.rows.last
        tested = [dict(case.dims)[last.name] for case in self.operator.cases]
        longest = [last.max or 1] if last.dynamic or last.max else [d for d in [last.default] if isinstance(d, int)]
        longest += [*last.values, *(size for size in tested if isinstance(size, int) and not last.dynamic)]
        return -(-max(longest) // ROW_STEP) * ROW_STEP

    def _can_shrink(self, settings: tuple[Setting, ...]) -> bool:
        if self.rows is not None:
            return any(s.rows > 1 for s in settings) or (
                self.operator.tiling.buffers is None and settings[0].slots == 2
            )
        return any(s.columns > LEAST for s in settings)

    def _smaller(self, settings: tuple[Setting, ...]) -> tuple[Setting, ...]:
        if self.rows is None:
            return tuple(Setting(s.keys, 1, max(LEAST, s.columns // 2), s.slots) for s in settings)
        if any(s.rows > 1 for s in settings):
            return tuple(Setting(s.keys, max(1, s.rows // 2), s.columns, s.slots) for s in settings)
        return tuple(
            Setting(s.keys, s.rows, s.columns, 1) for s in settings
        )  # long rows leave no room for a second one

    def _value(self, size: Size, env: Mapping[str, int], field: str) -> int:
        try:
            return evaluate(size, env)
        except FormulaError as error:
            problem = error.problems[0]
            self._add("OPG403", problem.what, problem.why, problem.fix, field)
            return 1

    # ---- places ----

    def _bytes(self, tile: Tile, settings: tuple[Setting, ...]) -> int:
        """Of all slots, where they are most."""
        return max(tile.bytes(s.rows, s.columns) * (s.slots if tile.ring else 1) for s in settings)

    def _addresses(self, settings: tuple[Setting, ...]) -> tuple[dict[Variant, dict[str, int]], int]:
        """Addresses, and the end of what is used. Tiles of tensors have one address in all variants, with room for the
        widest type; scratch tiles lie in what narrower types leave free, else behind."""
        room: dict[str, int] = {}
        for held in self.layouts.values():
            for tile in held.tiles:
                if tile.tensor:
                    room[tile.name] = max(room.get(tile.name, 0), self._bytes(tile, settings))
        base: dict[str, int] = {}
        end = 0
        for name, size in room.items():
            base[name], end = end, end + size
        result, most = {}, end
        earlier: dict[str, int] = {}
        for variant, held in self.layouts.items():
            mine = {t.name: t for t in held.tiles if t.tensor}
            gaps = []
            for name, size in room.items():
                filled = self._bytes(mine[name], settings) if name in mine else 0
                gaps.append((base[name] + filled, base[name] + size))
            gaps.append((end, 1 << 40))
            addresses = {name: base[name] for name in mine}
            for tile in held.tiles:
                if not tile.tensor:
                    size = self._bytes(tile, settings)
                    addresses[tile.name] = earlier[tile.name] = _take(gaps, size, earlier.get(tile.name))
                    most = max(most, addresses[tile.name] + size)
            result[variant] = addresses
        return result, most

    def _used(self, settings: tuple[Setting, ...]) -> int:
        return self._addresses(settings)[1]

    def _mutexes(self, settings: tuple[Setting, ...]) -> dict[str, int] | None:
        """The first mutex id of each tile: one for each slot. None: there are too few."""
        slots = max(s.slots for s in settings)
        ids: dict[str, int] = {}
        count = 0
        for tile in sorted(self.tiles.values(), key=lambda t: (not t.tensor, t.output)):
            ids[tile.name] = count
            count += slots if tile.ring else 1
        return ids if count <= len(MUTEX_IDS) else None

    # ---- results ----

    def _does_not_fit(self, settings: tuple[Setting, ...], given: bool) -> None:
        if self._mutexes(settings) is None:
            why = f"Every buffer of a tile has a mutex of its own, and there are {len(MUTEX_IDS)}."
            fix = "Write `buffers: 1`, or take the formula apart into several operators."
            self._add("OPG401", "the kernel needs too many tiles", why, fix, "")
            return
        rings = ", ".join(f"{r.name} {r.bytes}" for r in self._rings(settings))
        why = f"Bytes on chip: {rings}; {self._used(settings)} in all, and there are {UB_BYTES}."
        largest = max(settings, key=lambda s: s.rows * s.columns)
        if self.rows is None:
            most = self._largest(settings)
            fix = f"Write at most {most}." if given and most else "Take the formula apart into several operators."
            self._add(
                "OPG401",
                f"a tile of {largest.columns} elements does not fit on chip",
                why,
                fix,
                "block" if given else "",
            )
            return
        name = self.rows.last.name
        element = self._used(settings) // (largest.rows * largest.columns) + 1
        most = UB_BYTES // element // largest.rows // ROW_STEP * ROW_STEP
        fix = f"Let `{name}` be at most {most}, or write the kernel by hand: `kernel: {self.operator.name}.py`."
        what = f"rows of {largest.columns} elements do not fit on chip"
        pointer = f"{self.operator.pointer}/dims/{name}"
        self.findings[Finding("OPG401", what, why, fix, pointer=pointer)] = None

    def _largest(self, settings: tuple[Setting, ...]) -> int:
        """The largest power of two that fits as the length of a tile, 0 when none does."""
        length = 1 << 20
        while length >= ALIGNMENT:
            if self._used(tuple(Setting(s.keys, 1, length, s.slots) for s in settings)) <= UB_BYTES:
                return length
            length //= 2
        return 0

    def _made(self, settings: tuple[Setting, ...]) -> Fitted:
        addresses, used = self._addresses(settings)
        variants = tuple(KernelVariant(v, held, addresses[v]) for v, held in self.layouts.items())
        mutexes = self._mutexes(settings) or {}
        return Fitted(tuple(self._blocks(settings)), settings, variants, mutexes, tuple(self._rings(settings)), used)

    def _blocks(self, settings: tuple[Setting, ...]) -> Iterator[Block]:
        block = self.operator.tiling.block
        first = settings[0]
        if self.rows is None:
            fixed = len({s.columns for s in settings}) == 1 or not isinstance(block, Size)
            value = Size.const(first.columns) if fixed else as_written(block)  # type: ignore[arg-type]
            yield Block("block", "TILE_LENGTH", value, words.TILE_LENGTH)
            return
        lead = next((s for n, s in block if n == self.rows.lead.name), None) if isinstance(block, tuple) else None
        fixed = lead is None or len({s.rows for s in settings}) == 1
        rows = Size.const(first.rows) if fixed or lead is None else as_written(lead)
        yield Block(f"block_{self.rows.lead.name}", "TILE_ROWS", rows, words.TILE_ROWS)
        yield Block(f"block_{self.rows.last.name}", "TILE_COLUMNS", Size.const(first.columns), words.TILE_COLUMNS)

    def _rings(self, settings: tuple[Setting, ...]) -> Iterator[Ring]:
        """Every tile at the widest type that it has."""
        addresses, _ = self._addresses(settings)
        largest = max(settings, key=lambda s: s.rows * s.columns)
        seen: dict[str, tuple[int, Tile, Variant]] = {}
        for variant, held in self.layouts.items():
            for tile in held.tiles:
                size = self._bytes(tile, settings)
                if tile.name not in seen or size > seen[tile.name][0]:
                    seen[tile.name] = (size, tile, variant)
        for name, (size, tile, variant) in seen.items():
            rows = 1 if tile.form or tile.single else largest.rows
            columns = tile.elements(largest.rows, largest.columns) // rows
            slots = max(s.slots for s in settings) if tile.ring else 1
            dtype = "uint8" if tile.dtype == MASK else tile.dtype
            yield Ring(name, tile.tensor or name, dtype, rows, columns, slots, size, addresses[variant][name])

    def _add(self, rule: str, what: str, why: str, fix: str, field: str) -> None:
        pointer = self.operator.pointer + (f"/tiling/{field}" if field else "/compute")
        self.findings[Finding(rule, what, why, fix, pointer=pointer)] = None


def _take(gaps: list[tuple[int, int]], size: int, wanted: int | None) -> int:
    """An address for so many bytes, taken out of the gaps: where it was before, else the first that serves."""
    chosen = None
    for number, (start, end) in enumerate(gaps):
        if wanted is not None and start <= wanted and wanted + size <= end:
            chosen = (number, wanted)
            break
    if chosen is None:
        chosen = next((n, start) for n, (start, end) in enumerate(gaps) if start + size <= end)
    number, address = chosen
    start, end = gaps[number]
    gaps[number : number + 1] = [gap for gap in ((start, address), (address + size, end)) if gap[0] < gap[1]]
    return address
