"""The on-chip buffers of a layout, for people."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.kernel.memory import Layout, Tile
from opgen.kernel.plan import Buffer
from opgen.kernel.vector import MASK


def shown(held: Layout, tile: Tile, slots: int) -> Iterator[Buffer]:
    """The buffers, for people."""
    values: dict[str, list[str]] = {}
    for register, buffer in held.place.items():
        values.setdefault(buffer.name, [])
        if register.hint and register.hint not in values[buffer.name]:
            values[buffer.name].append(register.hint)
    for buffer in held.buffers:
        holds = buffer.tensor or ", ".join(values[buffer.name])
        dtype = "uint8" if buffer.dtype == MASK else buffer.dtype
        elements = buffer.elements(tile)
        elements = -(-elements // 8) if buffer.dtype == MASK else elements
        yield Buffer(buffer.name, dtype, elements, buffer.count(slots), holds, buffer.bytes(tile, slots))
