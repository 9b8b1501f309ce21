"""Integer expressions of op.yaml: shapes, slices, limits, tiling (OPYAML.md section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """An integer expression. Equal expressions compare equal after `simplify`.

    op: const (value: int), name (value: str), rest (`...`), neg, not, add sub mul floordiv mod, lt le gt ge eq ne (0 or 1),
    if (condition, then, otherwise), minimum maximum ceildiv align, itemsize (value: type or symbol).
    """

    op: str
    args: tuple[Size, ...] = ()
    value: int | str = 0

    @staticmethod
    def const(value: int) -> Size:
        return Size("const", (), value)

    @staticmethod
    def name(value: str) -> Size:
        return Size("name", (), value)

    @staticmethod
    def rest() -> Size:
        return Size("rest")
