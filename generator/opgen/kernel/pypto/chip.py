"""Tile types and rings of a PyPTO kernel, and how a tile is taken from its ring."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opgen.facts.pypto import NAMES
from opgen.formula.signature import Variant
from opgen.kernel.lines import comment
from opgen.kernel.pypto.body import column_views, row_views
from opgen.kernel.pypto.memory import Tile
from opgen.kernel.pypto.model import KernelModel, KernelVariant, Setting
from opgen.kernel.pypto.names import Names
from opgen.kernel.vector import MASK
from opgen.spec.model import Operator

# What a type of tiles is called, by the type of its elements.
_STEMS = {"float32": "wide", "float16": "half", "bfloat16": "half", "int32": "whole", "uint8": "byte"}

Choose = Callable[[Callable[[KernelVariant, Setting], list[str]]], list[str]]


class Chip:
    """dtype: (type, symbol or attribute; variant) -> as written. columns: tile of one value for each row -> its view as
    a column."""

    def __init__(
        self, operator: Operator, model: KernelModel, names: Names, dtype: Callable[[str, Variant], str]
    ) -> None:
        self.operator = operator
        self.model = model
        self.names = names
        self.dtype = dtype
        self.rings: dict[str, str] = {}
        self.types: dict[tuple[str, str], str] = {}  # (shape, type of elements) -> name
        self.columns: dict[str, str] = {}
        for kernel in model.variants:
            for tile in kernel.layout.tiles:
                if tile.name not in self.rings:
                    ring = f"{tile.name}s" if tile.tensor else f"{tile.name}_tiles"
                    self.rings[tile.name] = names.unique(ring)
            for tile in column_views(kernel.layout):
                if tile.name not in self.columns:
                    self.columns[tile.name] = self._column(tile)

    def is_shared(self, tile: Tile) -> bool:
        """Whether all variants have a tile of this name and kind."""
        return all(tile in kernel.layout.tiles for kernel in self.model.variants)

    def _column(self, tile: Tile) -> str:
        """The name of a tile as a column; tiles of different variants may share it."""
        wanted = f"{tile.name.removesuffix('_tile').removesuffix('_rows')}_column"
        together = [
            other
            for kernel in self.model.variants
            if tile.name in kernel.addresses
            for other, name in self.columns.items()
            if name == wanted and other in kernel.addresses
        ]
        if wanted not in self.columns.values() or together:
            wanted = self.names.unique(wanted)
            self.rings[wanted] = self.names.unique(f"{wanted}_tiles")
        return wanted

    # ---- definitions ----

    def lines(self, choose: Choose) -> list[str]:
        """Types and rings: of the tensors, then of everything else."""
        why = "A reduction leaves its values below each other; copies and arithmetic take them side by side: two views"
        return [
            *(comment(f"{why} of the same bytes.", 4) if self.columns else []),
            *choose(lambda kernel, setting: list(self._rings(kernel, setting, True))),
            *choose(lambda kernel, setting: list(self._rings(kernel, setting, False))),
        ]

    def _rings(self, kernel: KernelVariant, setting: Setting, tensors: bool) -> Iterator[str]:
        defined: set[str] = set()
        for tile in kernel.layout.tiles:  # types that the rings of the tensors have defined
            if tile.tensor and not tensors:
                defined |= {self._type(tile, kernel, setting, column)[0] for column in self._views(tile, kernel)}
        mine = [tile for tile in kernel.layout.tiles if bool(tile.tensor) == tensors]
        mine.sort(key=lambda tile: not (tile.tensor or self.is_shared(tile)))
        rings = []
        for tile in mine:
            for column in self._views(tile, kernel):
                name, definition = self._type(tile, kernel, setting, column)
                if name not in defined:
                    defined.add(name)
                    yield from definition
                rings.append(self._ring(tile, kernel, setting, column, name))
        yield from rings

    def _views(self, tile: Tile, kernel: KernelVariant) -> list[bool]:
        """How a tile is seen: as it is, as a column (True), or both."""
        if tile.form != "row":
            return [False]
        as_row = any(t.name == tile.name for t in row_views(kernel.layout))
        as_column = any(t.name == tile.name for t in column_views(kernel.layout))
        return [column for column, wanted in ((False, as_row), (True, as_column)) if wanted]

    def _ring(self, tile: Tile, kernel: KernelVariant, setting: Setting, column: bool, type_name: str) -> str:
        first = self.model.mutexes[tile.name]
        slots = setting.slots if tile.ring else 1
        ids = ", ".join(str(first + n) for n in range(slots))
        name = self.rings[self.columns[tile.name] if column else tile.name]
        address = f"0x{kernel.addresses[tile.name]:05X}"
        return f"{name} = pl.make_tile_group(type={type_name}, addrs={address}, mutex_ids=[{ids}])"

    def _type(self, tile: Tile, kernel: KernelVariant, setting: Setting, column: bool) -> tuple[str, list[str]]:
        """The name of a tile's type, and its definition."""
        dtype = self._element(tile, kernel)
        shape = self._shape(tile, setting, column)
        key = (shape + (" column" if column else ""), dtype)
        if key not in self.types:
            self.types[key] = self.names.unique(self._type_name(tile, dtype, column))
        name = self.types[key]
        args = [f"shape={shape}", f"dtype={dtype}", "target_memory=pl.MemorySpace.Vec"]
        args += ["layout=pl.DN"] if column else []
        args += ["valid_shape=[-1, -1]"]
        return name, [f"{name} = pl.TileType({', '.join(args)})"]

    def _element(self, tile: Tile, kernel: KernelVariant) -> str:
        if tile.tensor:
            tensors = self.operator.outputs if tile.output else self.operator.inputs
            tensor = next(t for t in tensors if t.name == self.names.tensor(tile.tensor))
            return self.dtype(tensor.dtype, kernel.variant)
        return "pl.DT_UINT8" if tile.dtype == MASK else f"pl.{NAMES[tile.dtype]}"

    def _shape(self, tile: Tile, setting: Setting, column: bool) -> str:
        if tile.single:
            return f"[1, {tile.elements(1, 1)}]"
        if self.model.rows is not None:
            rows = "TILE_ROWS" if len({s.rows for s in self.model.settings}) == 1 else str(setting.rows)
            columns = "TILE_COLUMNS" if len({s.columns for s in self.model.settings}) == 1 else str(setting.columns)
            if tile.form == "row":
                return f"[{rows}, 1]" if column else f"[1, {rows}]"
            return f"[1, {columns}]" if tile.form == "column" else f"[{rows}, {columns}]"
        return "[1, TILE_LENGTH]" if len({s.columns for s in self.model.settings}) == 1 else f"[1, {setting.columns}]"

    def _type_name(self, tile: Tile, dtype: str, column: bool) -> str:
        if dtype in self.names.dtypes.values():
            stem = "tile" if len(self.names.dtypes) == 1 else f"{dtype.removesuffix('_dtype')}_tile"
        elif tile.dtype == MASK:
            stem = "bits"
        else:
            stem = _STEMS.get(tile.dtype, f"{tile.dtype}_tile")
            stem = "tile" if tile.tensor and not self.names.dtypes and not self.types else stem
        if tile.single:
            return f"{stem}_of_one"
        if tile.form == "row":
            return f"{stem}_column" if column else f"{stem}_row"
        return f"{stem}_line" if tile.form == "column" else stem

    # ---- use ----

    def current(self, tile: Tile, kernel: KernelVariant) -> Iterator[str]:
        """The tile of this round."""
        for column in self._views(tile, kernel):
            name = self.columns[tile.name] if column else tile.name
            yield f"{name} = {self.rings[name]}.{'next' if tile.ring else 'current'}()"

    def validity(self, tile: Tile, kernel: KernelVariant, rows: str, columns: str) -> Iterator[str]:
        """How much of a tile counts: so many rows and columns of those of a tensor."""
        for column in self._views(tile, kernel):
            shape = {"row": f"[1, {rows}]", "column": f"[1, {columns}]"}.get(tile.form, f"[{rows}, {columns}]")
            name = self.columns[tile.name] if column else tile.name
            yield f"pl.set_validshape({name}, {f'[{rows}, 1]' if column else shape})"
