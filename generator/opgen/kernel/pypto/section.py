"""The vector section of a PyPTO kernel: what is done once, the loop over tiles, and the passes over long rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from opgen.formula.sizes import Size, simplify
from opgen.kernel.lines import indented
from opgen.kernel.pypto.body import Body, layout_values
from opgen.kernel.pypto.chip import Chip, Choose
from opgen.kernel.pypto.memory import Tile, TileLayout
from opgen.kernel.pypto.model import KernelVariant, Setting
from opgen.kernel.pypto.names import Names
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.kernel.pypto.program import FLOAT
from opgen.kernel.stages import ACCUMULATE, Stage
from opgen.kernel.vector import Load, Store
from opgen.spec.model import Operator


class Section:
    """size: elements, rows or columns, as written."""

    def __init__(
        self, operator: Operator, plan: PyptoPlan, names: Names, chip: Chip, size: Callable[[str], str]
    ) -> None:
        assert plan.model is not None
        self.operator = operator
        self.plan = plan
        self.model = plan.model
        self.rows = plan.model.rows
        self.names = names
        self.own = names.own
        self.chip = chip
        self.size = size
        self.held = dict(plan.held)
        self.values: dict[str, str] = {}  # one-element input, or it as a float -> its scalar
        for kernel in self.model.variants:
            for element in kernel.layout.program.elements:
                for name, _ in layout_values(element, kernel.layout):
                    if name not in self.values:
                        self.values[name] = names.unique(f"{name.replace(FLOAT, '_float')}_value")
        self.scalars = self._scalars()

    def _scalars(self) -> dict[str, str]:
        result = {name: f"tiling.{field}" for name, field in self.held.items()} | self.values
        for dim in self.operator.dims:
            if dim.fixed:
                result[dim.name], result[dim.name + FLOAT] = str(dim.default), f"{dim.default}.0"
            elif self.rows is not None and dim in (self.rows.lead, self.rows.last):
                result[dim.name] = self.size("rows" if dim == self.rows.lead else "columns")
            elif self.rows is None and "elements" in self.held:
                result[dim.name] = self.size("elements")
        return result

    def lines(self, choose: Choose) -> list[str]:
        own = self.own
        workers = own["workers"]
        return [
            *choose(lambda kernel, setting: [*self._singles(kernel), *self._once(kernel)]),
            "# get_block_idx() counts vector cores and get_block_num() blocks; a block has one or two vector cores.",
            f"{workers} = pl.get_block_num() * pl.get_subblock_num()",
            f"for {own['i']} in pl.range(pl.get_block_idx(), tiling.{self.held['tiles']}, {workers}):",
            *indented(choose(lambda kernel, setting: self._start(setting)), 4),
            *indented(self._passes(choose) if self._alike else choose(self._tile), 4),
        ]

    @property
    def _alike(self) -> bool:
        """Whether there are passes over long rows, and as many in all variants."""
        loops = {sum(stage.loops for stage in kernel.layout.passes) for kernel in self.model.variants}
        return len(loops) == 1 and loops != {0} and all(self._loops_first(k.layout) for k in self.model.variants)

    def _loops_first(self, layout: TileLayout) -> bool:
        """Whether what has no loop is the last: what is done when everything has been reduced."""
        return all(stage.loops for stage in layout.passes[:-1])

    def _body(self, kernel: KernelVariant) -> Body:
        source = [line.strip() for line in self.operator.compute.splitlines() if line.strip()]
        lines = tuple(source) if len(source) > 1 else ()
        return Body(kernel.layout, self.chip.columns, self.scalars, lines, self.own["column"])

    # ---- before the first tile ----

    def _singles(self, kernel: KernelVariant) -> Iterator[str]:
        """One-element inputs, read into scalars."""
        for element in kernel.layout.program.elements:
            tiles = kernel.layout.singles[element.tensor]
            for tile in tiles:
                yield from self.chip.current(tile, kernel)
                yield f"pl.set_validshape({tile.name}, [1, 1])"
            yield f"pl.load({tiles[0].name}, {self.names.views[element.tensor, False]}, [0, 0])"
            modes = [mode for _, mode in element.steps] + ["CAST_RINT"]
            for mode, source, target in zip(modes, tiles, tiles[1:], strict=False):
                yield f"pl.cast({target.name}, {source.name}, mode=pl.RoundMode.{mode})"
            for name, tile in layout_values(element, kernel.layout):
                yield f"{self.scalars[name]} = {tile.name}[0, 0]"

    def _once(self, kernel: KernelVariant) -> Iterator[str]:
        """Inputs of one row, which stay on chip, and what is computed of them alone."""
        layout = kernel.layout
        if layout.passes:
            return
        held = [layout.place[v.register] for v in layout.program.vectors]
        made = [layout.place[i.target] for i in layout.program.once]
        if not held:
            return
        columns = self.size("columns")
        yield from self._taken(held, kernel, "1", columns)
        for vector in layout.program.vectors:
            yield self._load(layout, vector)
        yield from self._taken([tile for tile in dict.fromkeys(made) if tile not in held], kernel, "1", columns)
        yield from self._body(kernel).instructions(layout.program.once)

    # ---- a tile ----

    def _start(self, setting: Setting) -> list[str]:
        """Where a tile begins and how long it is."""
        own, i = self.own, self.own["i"]
        share = f"tiling.{self.held['length']}" if "length" in self.held else ""
        if self.rows is None:
            length = share or ("TILE_LENGTH" if self._named(0) else str(setting.columns))
            return [
                f"{own['offset']} = {i} * {length}",
                f"{own['length']} = pl.min({length}, {self.size('elements')} - {own['offset']})",
            ]
        count = share or ("TILE_ROWS" if self._named(0) else str(setting.rows))
        return [
            f"{own['row']} = {i} * {count}",
            f"{own['rows']} = pl.min({count}, {self.size('rows')} - {own['row']})",
        ]

    def _named(self, block: int) -> bool:
        """Whether a block size is a constant of the file."""
        return self.plan.blocks[block].value.number is not None

    def _taken(self, tiles: Iterable[Tile], kernel: KernelVariant, rows: str, columns: str) -> list[str]:
        """Tiles of this round, and how much of each counts."""
        tiles = list(tiles)
        lines = [line for tile in tiles for line in self.chip.current(tile, kernel)]
        return [*lines, *(line for tile in tiles for line in self.chip.validity(tile, kernel, rows, columns))]

    def _scratch(self, tiles: list[Tile], kernel: KernelVariant, rows: str, columns: str) -> list[str]:
        """Tiles of this round that hold no tensor: first those that all variants have, whose lines they share."""
        shared = [tile for tile in tiles if self.chip.is_shared(tile)]
        others = [tile for tile in tiles if tile not in shared]
        return [*self._taken(shared, kernel, rows, columns), *self._taken(others, kernel, rows, columns)]

    def _load(self, layout: TileLayout, load: Load) -> str:
        tile = layout.place[load.register]
        view = self.names.views[self.names.tensor(load.tensor), False]
        return f"pl.load({tile.name}, {view}, {self._offset(load, bool(layout.passes))})"

    def _store(self, layout: TileLayout, store: Store) -> str:
        tile = layout.place[store.register]
        view = self.names.views[self.names.tensor(store.tensor), True]
        return f"pl.store({view}, {tile.name}, {self._offset(store, bool(layout.passes))})"

    def _offset(self, moved: Load | Store, pieces: bool) -> str:
        """Where a tile begins in its view. pieces: it is a piece of long rows."""
        own, form = self.own, moved.register.form
        if self.rows is None:
            return f"[0, {own['offset']}]"
        piece = self.names.pieces.get(moved.tensor)
        start = self._columns(piece.start) if piece is not None else "0"
        parts = [part for part in (start, own["column"] if pieces else "0") if part != "0"]
        column = " + ".join(parts) or "0"
        return {"row": f"[0, {own['row']}]", "column": f"[0, {column}]"}.get(form, f"[{own['row']}, {column}]")

    def _columns(self, size: Size) -> str:
        """A number of columns, which is a multiple of the length of the rows that are computed with."""
        assert self.rows is not None
        times = self.rows.times(simplify(size)) or 0
        return "0" if not times else self.size("columns") if times == 1 else f"{times} * {self.size('columns')}"

    def _tile(self, kernel: KernelVariant, setting: Setting) -> list[str]:
        """One tile: in, through and out."""
        layout = kernel.layout
        if layout.passes:
            return self._passes(lambda lines: list(lines(kernel, setting)), kernel.layout.passes)
        rows, columns = ("1", self.own["length"]) if self.rows is None else (self.own["rows"], self.size("columns"))
        carried = [t for t in layout.tiles if t.tensor and not t.once]
        scratch = [t for t in layout.tiles if not t.tensor and not t.once]
        return [
            *self._taken(carried, kernel, rows, columns),
            *(self._load(layout, load) for load in layout.program.loads),
            *self._scratch(scratch, kernel, rows, columns),
            *self._body(kernel).instructions(layout.program.body),
            *(self._store(layout, store) for store in layout.program.stores),
        ]

    # ---- long rows ----

    def _passes(self, choose: Choose, passes: tuple[Stage, ...] = ()) -> list[str]:
        """All passes over the rows of a tile. passes: of the only variant that is meant."""
        lines = choose(self._values)
        longest = passes or max((kernel.layout.passes for kernel in self.model.variants), key=len)
        for number, stage in enumerate(longest):
            lines += choose(partial(self._between, number))
            if stage.loops:
                lines += choose(self._pieces)
                lines += indented(choose(partial(self._piece, number)), 4)
        return lines + choose(self._stored)

    def _values(self, kernel: KernelVariant, setting: Setting) -> list[str]:
        """Tiles of one value for each row, and those that are loaded."""
        layout = kernel.layout
        values = [t for t in layout.tiles if t.form == "row"]
        lines = self._taken([t for t in values if t.tensor], kernel, self.own["rows"], "")
        lines += self._scratch([t for t in values if not t.tensor], kernel, self.own["rows"], "")
        return lines + [self._load(layout, load) for load in layout.program.loads if load.register.form == "row"]

    def _between(self, number: int, kernel: KernelVariant, setting: Setting) -> list[str]:
        passes = kernel.layout.passes
        return list(self._body(kernel).instructions(passes[number].first)) if number < len(passes) else []

    def _pieces(self, kernel: KernelVariant, setting: Setting) -> list[str]:
        own = self.own
        length = "TILE_COLUMNS" if self._named(1) else str(setting.columns)
        return [
            f"for {own['column']} in pl.range(0, {self.size('columns')}, {length}):",
            f"    {own['columns']} = pl.min({length}, {self.size('columns')} - {own['column']})",
        ]

    def _stored(self, kernel: KernelVariant, setting: Setting) -> list[str]:
        stores = [store for store in kernel.layout.program.stores if store.register.form == "row"]
        return [self._store(kernel.layout, store) for store in stores]

    def _piece(self, number: int, kernel: KernelVariant, setting: Setting) -> list[str]:
        """A piece of the rows of a tile, in one of the passes."""
        layout = kernel.layout
        stage = layout.passes[number]
        used = {layout.place[load.register].name for load in stage.loads}
        for instruction in stage.body:
            used |= {layout.place[register].name for register in (instruction.target, *instruction.reads)}
            if instruction.target in layout.spare and instruction.op.startswith(("select", ACCUMULATE)):
                used.add(layout.spare[instruction.target].name)
        used |= {layout.place[store.register].name for store in stage.stores}
        mine = [t for t in layout.tiles if t.name in used and t.form != "row" and not t.single]
        rows, columns = self.own["rows"], self.own["columns"]
        return [
            *self._taken([t for t in mine if t.tensor], kernel, rows, columns),
            *(self._load(layout, load) for load in stage.loads),
            *self._scratch([t for t in mine if not t.tensor], kernel, rows, columns),
            *self._body(kernel).instructions(stage.body),
            *(self._store(layout, store) for store in stage.stores),
        ]
