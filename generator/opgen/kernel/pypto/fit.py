"""Fits the tiles of a generated PyPTO kernel into the Unified Buffer: sizes, slots, addresses, mutex ids."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from opgen.facts.pypto import ALIGNMENT, MUTEX_IDS, UB_BYTES
from opgen.formula.signature import Variant
from opgen.formula.sizes import Size
from opgen.kernel.forms import Rows
from opgen.kernel.pypto import words
from opgen.kernel.pypto.fields import as_written
from opgen.kernel.pypto.memory import Tile, TileLayout
from opgen.kernel.pypto.model import KernelVariant, Setting
from opgen.kernel.pypto.plan import Block, Ring
from opgen.kernel.pypto.sizes import Sizes
from opgen.kernel.vector import MASK
from opgen.spec.model import Operator
from opgen.text.findings import Finding

Gap = tuple[int, int]  # free bytes: the first, and the one behind the last
_ENDLESS = 1 << 40


@dataclass(frozen=True)
class Fitted:
    blocks: tuple[Block, ...]
    settings: tuple[Setting, ...]
    variants: tuple[KernelVariant, ...]
    mutexes: Mapping[str, int]
    rings: tuple[Ring, ...]
    used: int


class Fit:
    """pieces: a tile holds pieces of rows. findings: OPG401, OPG402, OPG403."""

    def __init__(
        self, operator: Operator, rows: Rows | None, layouts: Mapping[Variant, TileLayout], pieces: bool = False
    ) -> None:
        self.operator = operator
        self.rows = rows
        self.layouts = layouts
        tiles = [t for held in layouts.values() for t in held.tiles]
        self.tiles = {t.name: t for t in tiles}
        self.sizes = Sizes(operator, rows, tiles, pieces)
        self.findings = self.sizes.findings

    def fitted(self) -> Fitted:
        """The first of the possible sizes that fits; findings where none does."""
        settings = self.sizes.first()
        if not self.findings:
            smaller: tuple[Setting, ...] | None = settings
            while smaller is not None and not self._fits(smaller):
                smaller = self.sizes.smaller(smaller)
            if smaller is None:
                self._does_not_fit(settings)
            settings = smaller or settings
        return self._made(settings)

    def _fits(self, settings: tuple[Setting, ...]) -> bool:
        return self._used(settings) <= UB_BYTES and self._mutexes(settings) is not None

    # ---- places ----

    def _bytes(self, tile: Tile, settings: tuple[Setting, ...]) -> int:
        """Of all slots, where they are most."""
        return max(tile.bytes(s.rows, s.columns) * (s.slots if tile.ring else 1) for s in settings)

    def _addresses(self, settings: tuple[Setting, ...]) -> tuple[dict[Variant, dict[str, int]], int]:
        """Addresses, and the end of what is used. Tiles of tensors have one address in all variants, with room for the
        widest type; scratch tiles lie in what narrower types leave free, else behind: first those that all variants
        have, at one address."""
        room: dict[str, int] = {}
        for held in self.layouts.values():
            for tile in held.tiles:
                if tile.tensor:
                    room[tile.name] = max(room.get(tile.name, 0), self._bytes(tile, settings))
        base = dict(zip(room, itertools.accumulate(room.values(), initial=0), strict=False))
        end = sum(room.values())
        addresses: dict[Variant, dict[str, int]] = {}
        gaps: dict[Variant, list[Gap]] = {}
        for variant, held in self.layouts.items():
            mine = {t.name: t for t in held.tiles if t.tensor}
            addresses[variant] = {name: base[name] for name in mine}
            filled = {name: self._bytes(mine[name], settings) if name in mine else 0 for name in room}
            gaps[variant] = [(base[name] + filled[name], base[name] + size) for name, size in room.items()]
            gaps[variant].append((end, _ENDLESS))

        def largest_first(tiles: Iterable[Tile]) -> list[Tile]:
            return sorted(tiles, key=lambda tile: -self._bytes(tile, settings))

        for tile in largest_first(self._shared()):
            common = functools.reduce(_both, gaps.values())
            address = _first(common, self._bytes(tile, settings))
            for variant in self.layouts:
                _take(gaps[variant], self._bytes(tile, settings), address)
                addresses[variant][tile.name] = address
        earlier: dict[str, int] = {}
        for variant, held in self.layouts.items():
            for tile in largest_first(held.tiles):
                if tile.name not in addresses[variant]:
                    size = self._bytes(tile, settings)
                    address = earlier.get(tile.name, -1)
                    if not any(start <= address and address + size <= stop for start, stop in gaps[variant]):
                        address = _first(gaps[variant], size)
                    _take(gaps[variant], size, address)
                    addresses[variant][tile.name] = earlier[tile.name] = address
        used = max((gaps[variant][-1][0] for variant in self.layouts), default=end)
        return addresses, max(end, used)

    def _shared(self) -> list[Tile]:
        """Scratch tiles of all variants."""
        first = next(iter(self.layouts.values()))
        return [t for t in first.tiles if not t.tensor and all(t in held.tiles for held in self.layouts.values())]

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

    def _does_not_fit(self, settings: tuple[Setting, ...]) -> None:
        """settings: the largest that were tried."""
        last = settings
        while (smaller := self.sizes.smaller(last)) is not None:
            last = smaller
        if self._mutexes(last) is None:
            why = f"Every buffer of a tile has a mutex of its own, and there are {len(MUTEX_IDS)}."
            fix = "Write `buffers: 1`, or take the formula apart into several operators."
            self._add("OPG401", "the kernel needs too many tiles", why, fix, "")
            return
        rings = ", ".join(f"{r.name} {r.bytes}" for r in self._rings(last))
        why = f"Bytes on chip: {rings}; {self._used(last)} in all, and there are {UB_BYTES}."
        largest = max(last, key=lambda s: s.rows * s.columns)
        given = self.operator.tiling.block is not None
        fix = "Take the formula apart into several operators."
        if given:
            most = self._largest(last) if self.rows is None else 0
            fix = f"Write at most {most}." if most else "Write less, or leave it out and it is planned."
        if self.rows is None:
            what = f"a tile of {largest.columns} elements does not fit on chip"
        else:
            what = f"a tile of {largest.rows} rows and {largest.columns} columns does not fit on chip"
        self._add("OPG401", what, why, fix, "block" if given else "")

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
        if self.rows is None:
            lengths = {s.columns for s in settings}
            varies = isinstance(block, Size) and len(lengths) > 1
            value = as_written(block) if isinstance(block, Size) and varies else Size.const(lengths.pop())
            yield Block("block", "TILE_LENGTH", value, words.TILE_LENGTH)
            return
        given = dict(block) if isinstance(block, tuple) else {}
        for dim, constant, counts, doc in (
            (self.rows.lead, "TILE_ROWS", {s.rows for s in settings}, words.TILE_ROWS),
            (self.rows.last, "TILE_COLUMNS", {s.columns for s in settings}, words.TILE_COLUMNS),
        ):
            value = Size.const(counts.pop()) if len(counts) == 1 else as_written(given[dim.name])
            yield Block(f"block_{dim.name}", constant, value, doc)

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


def _first(gaps: list[Gap], size: int) -> int:
    """The first address with so many bytes behind it."""
    return next(start for start, end in gaps if start + size <= end)


def _take(gaps: list[Gap], size: int, address: int) -> None:
    """Takes bytes out of the gap that they lie in."""
    number = next(n for n, (start, end) in enumerate(gaps) if start <= address and address + size <= end)
    start, end = gaps[number]
    gaps[number : number + 1] = [gap for gap in ((start, address), (address + size, end)) if gap[0] < gap[1]]


def _both(first: list[Gap], second: list[Gap]) -> list[Gap]:
    """What is free in both."""
    pairs = itertools.product(first, second)
    overlaps = [(max(a, c), min(b, d)) for (a, b), (c, d) in pairs]
    return sorted(gap for gap in overlaps if gap[0] < gap[1])
