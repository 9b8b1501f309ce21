"""Rings of tiles, and where tiles are put: what overlaps, what runs past the end of the memory."""

from __future__ import annotations

from typing import Any

from opgen.dialect.places import assigned_name, caller
from opgen.dialect.pypto.run_time import constant
from opgen.dialect.pypto.tiles import Slot, Tile, TileType
from opgen.dialect.pypto.words import MemorySpace
from opgen.dialect.pypto.worker import FrontEndError, Worker, here, integer, shown
from opgen.facts.pypto import ALIGNMENT, MUTEX_IDS, UB_BYTES


class TileGroup:
    """A ring of tiles. The cursor starts at the last one, so that the first next() gives slot 0."""

    def __init__(self, tiles: list[Tile]) -> None:
        self.tiles = tiles
        self.cursor = len(tiles) - 1

    def next(self) -> Tile:
        self.cursor = (self.cursor + 1) % len(self.tiles)
        return self.tiles[self.cursor]

    def current(self) -> Tile:
        return self.tiles[self.cursor]

    def previous(self) -> Tile:
        return self.tiles[self.cursor - 1]

    def __getitem__(self, index: int) -> Tile:
        if not 0 <= index < len(self.tiles):
            raise FrontEndError(f"slot {index} of a ring of {len(self.tiles)}", fix="count from 0")
        return self.tiles[index]


def make_tile(tile_type: Any, *, addr: Any, size: Any = None) -> Tile:
    """pl.make_tile: a tile without a mutex."""
    if not isinstance(tile_type, TileType):
        raise FrontEndError("pl.make_tile takes a pl.TileType")
    name = assigned_name(caller()) or "a tile"
    return _place(tile_type, _address(addr), (), name, len(here().slots))


def make_tile_group(
    *, type: Any, addrs: Any, mutex_ids: Any = None, depth: Any = None, fwd_ids: Any = None, bwd_ids: Any = None
) -> TileGroup:
    """pl.make_tile_group: a ring of tiles of one type."""
    if not isinstance(type, TileType):
        raise FrontEndError("the type of a ring is no pl.TileType")
    mutexes = _mutex_rows(mutex_ids)
    if not mutexes and not isinstance(depth, int):
        raise FrontEndError("pl.make_tile_group without mutex_ids needs a depth")
    count = depth if isinstance(depth, int) else len(mutexes)
    if mutexes and len(mutexes) != count:
        raise FrontEndError(f"{len(mutexes)} mutex_ids for a ring of {count} tiles")
    if isinstance(addrs, (list, tuple)):
        places = [_address(one) for one in addrs]
        if len(places) != count:
            raise FrontEndError(
                f"{len(places)} addrs for a ring of {count} tiles", "Each tile has its own address.",
                "give as many as mutex_ids, or the first alone",
            )  # fmt: skip
    else:
        first = _address(addrs)
        places = [first + number * type.bytes for number in range(count)]
    name = assigned_name(caller()) or "a ring"
    ring = len(here().slots)
    tiles = [
        _place(type, place, mutexes[n] if mutexes else (), f"{name}[{n}]" if count > 1 else name, ring)
        for n, place in enumerate(places)
    ]
    return TileGroup(tiles)


def _mutex_rows(given: Any) -> list[tuple[int, ...]]:
    if given is None:
        return []
    if not isinstance(given, (list, tuple)):
        raise FrontEndError(f"mutex_ids is {shown(given)}", fix="write a list, one id for each tile")
    rows = [tuple(one) if isinstance(one, (list, tuple)) else (one,) for one in given]
    for mutex in (one for row in rows for one in row):
        if not constant(mutex) or mutex not in MUTEX_IDS:
            raise FrontEndError(
                f"mutex id {shown(mutex)}", "A core has the mutexes 0 to 31.", "use ids from 0 to 31", "OPG833"
            )
    return rows


def _address(value: Any) -> int:
    if not constant(value) or value < 0:
        raise FrontEndError(f"the address of a tile is {shown(value)}", "Addresses are compile-time constants.")
    if value % ALIGNMENT:
        raise FrontEndError(
            f"the address {value:#x} is no multiple of {ALIGNMENT}",
            "The chip addresses the Unified Buffer in blocks of 32 bytes.",
            f"use {value // ALIGNMENT * ALIGNMENT:#x} or {-(-value // ALIGNMENT) * ALIGNMENT:#x}",
            "OPG832",
        )
    return int(value)


def _place(type: TileType, address: int, mutexes: tuple[int, ...], name: str, ring: int) -> Tile:
    """Puts a tile to its place, and looks at what lies there."""
    worker = here()
    if type.memory is not MemorySpace.Vec:
        worker.unknown(f"tiles in {type.memory.value if isinstance(type.memory, MemorySpace) else type.memory}")
    if not type.dtype.name:
        raise FrontEndError(f"the checker holds no elements of {type.dtype}")
    if type.line_bytes % ALIGNMENT:
        line = "column" if type.columns_first else "row"
        worker.report(
            "OPG832",
            f"a {line} of {name.partition('[')[0]} has {type.line_bytes} bytes, which is no multiple of {ALIGNMENT}",
            why="Rows lie in blocks of 32 bytes: with other lengths every row behind the first is garbled.",
            fix="use layout=pl.DN for a tile of one column"
            if type.shape[1] == 1 and not type.columns_first
            else f"make the shape a multiple of {ALIGNMENT // type.dtype.size} elements and set the valid shape",
        )
    end = address + type.bytes
    worker.reach(end)
    if end > UB_BYTES:
        worker.report(
            "OPG831",
            f"{name} ends at byte {end} and the Unified Buffer at {UB_BYTES}",
            why="The front end does not check it: the addresses run past the end of the memory.",
            fix="use smaller tiles, fewer slots or lower addresses",
        )
    peak = worker.launch.counters.peak
    peak["UB"] = max(peak.get("UB", 0), end)
    slot = Slot(address, end, name, mutexes, ring)
    for other in worker.slots:
        if other.low < end and address < other.high:
            slot.neighbours.append(other)
            other.neighbours.append(slot)
            _overlap(worker, slot, other)
        if mutexes and other.ring != ring and set(mutexes) & set(other.mutexes):
            _shared_mutex(worker, slot, other)
    worker.slots.append(slot)
    return Tile(type, slot, name)


def _overlap(worker: Worker, slot: Slot, other: Slot) -> None:
    if (slot.low, slot.high) == (other.low, other.high) and slot.ring != other.ring:
        return  # the same place under another name, as for pl.fillpad in place
    worker.report(
        "OPG833",
        f"{slot.owner} ({slot.low:#x} to {slot.high:#x}) overlaps {other.owner} ({other.low:#x} to {other.high:#x})",
        why="Writing to the one changes the other, and their mutexes do not order the pipes between them.",
        fix=f"put {slot.owner.partition('[')[0]} behind {other.high - 1:#x}, or use smaller tiles",
    )


def _shared_mutex(worker: Worker, slot: Slot, other: Slot) -> None:
    shared = ", ".join(map(str, sorted(set(slot.mutexes) & set(other.mutexes))))
    if (slot.low, slot.high) == (other.low, other.high):
        return
    worker.report(
        "OPG833",
        f"{slot.owner.partition('[')[0]} shares mutex id {shared} with {other.owner.partition('[')[0]}",
        why="Pipes that use the one tile wait for those that use the other, though nothing depends on it.",
        fix="give every tile an id of its own, 0 to 31",
        severity="error" if worker.launch.generated else "warning",
    )


def as_tile(value: Any, what: str) -> Tile:
    if not isinstance(value, Tile):
        kind = "a ring: take a tile with .next() or .current()" if isinstance(value, TileGroup) else shown(value)
        raise FrontEndError(f"{what} takes a tile, not {kind}")
    return value


def set_validshape(tile: Any, shape: Any) -> None:
    """pl.set_validshape, of a tile or of all tiles of a ring."""
    worker = here()
    if not isinstance(tile, (Tile, TileGroup)):
        raise FrontEndError(f"pl.set_validshape takes a tile or a ring, not {shown(tile)}")
    if not isinstance(shape, (list, tuple)) or len(shape) != 2:
        raise FrontEndError(f"a valid shape is {shown(shape)}", fix="write [rows, columns]")
    for one in tile.tiles if isinstance(tile, TileGroup) else [tile]:
        rows, columns = (integer(size, "a size of a valid shape") for size in shape)
        fixed = one.type.valid
        if fixed is not None and any(f is not None and f != n for f, n in zip(fixed, (rows, columns), strict=True)):
            worker.report(
                "OPG841",
                f"the valid shape of {one.name} is fixed at {list(fixed)}",
                f", and [{rows}, {columns}] is set",
                fix="declare its type with valid_shape=[-1, -1]",
            )
        if not (1 <= rows <= one.shape[0] and 1 <= columns <= one.shape[1]):
            worker.report(
                "OPG841",
                f"the valid shape of {one.name} leaves its shape {list(one.shape)}",
                f": [{rows}, {columns}]",
                why="Both sizes are at least 1 and at most those of the tile; others run into the next tile.",
                fix="let pl.min cut the tail, and do not enter the loop when nothing is left",
            )
            rows, columns = min(max(rows, 1), one.shape[0]), min(max(columns, 1), one.shape[1])
        one.valid = (rows, columns)
