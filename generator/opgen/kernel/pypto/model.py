"""What the printer of a generated PyPTO kernel needs besides the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opgen.formula.signature import Variant
from opgen.kernel.forms import Rows
from opgen.kernel.pypto.memory import TileLayout


@dataclass(frozen=True)
class Setting:
    """What `tiling` of op.yaml makes of the fields of the key that it depends on. keys: (field, value) of those. rows,
    columns: of a tile. slots: of a ring."""

    keys: tuple[tuple[str, int], ...]
    rows: int
    columns: int
    slots: int


@dataclass(frozen=True)
class KernelVariant:
    """addresses: tile -> offset in the Unified Buffer."""

    variant: Variant
    layout: TileLayout
    addresses: Mapping[str, int]


@dataclass(frozen=True)
class KernelModel:
    """rows: None for an elementwise kernel. mutexes: tile -> its first mutex id. constants: (name, value) of the block
    sizes that no key changes."""

    rows: Rows | None
    variants: tuple[KernelVariant, ...]
    settings: tuple[Setting, ...]
    mutexes: Mapping[str, int]
