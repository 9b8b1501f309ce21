"""What the vector cores do with the tiles of a matrix product, as lines of TileLang."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from opgen.kernel.factory import _subject
from opgen.kernel.lines import indented, listed
from opgen.kernel.matmul_rest import WORKSPACE
from opgen.kernel.vector import MASK, Load, Store

if TYPE_CHECKING:
    from opgen.kernel.matmul_factory import MatmulFactory


class VectorPart:
    """The text for the vector cores of one kernel. They take a tile's rows half and half, in parts."""

    def __init__(self, factory: MatmulFactory) -> None:
        self.factory = factory
        self.names = factory.names
        self.own = factory.own
        self.row_loads = [x for x in factory.loads if x.register.form == "row"]
        self.vectors = factory.plans[0].layout.program.vectors

    # ---- on chip ----

    def buffers(self) -> Iterator[str]:
        own, factory = self.own, self.factory
        part, columns = own["part"], own["columns"]
        shapes = {"": f"(2, {part}, {columns})", "row": f"({part},)", "column": f"({columns},)"}
        yield f"{self.names.slots[WORKSPACE, False]} = T.alloc_ub({shapes['']}, {factory.sums_dtype})"
        tensors = {t.name: t for t in (*factory.inputs, *factory.outputs)}
        moved = [(x, False) for x in (*factory.loads, *self.vectors)] + [(x, True) for x in factory.stores]
        for move, output in moved:
            if move.tensor != WORKSPACE:
                held = self.names.slots[move.tensor, output]
                yield f"{held} = T.alloc_ub({shapes[move.register.form]}, {factory.dtype(tensors[move.tensor])})"
        whole = {"": f"({part}, {columns})", "row": f"({part},)", "column": f"({columns},)"}
        held_buffers = (b for held in factory.all_layouts for b in held.buffers)
        for name, buffer in {b.name: b for b in held_buffers if not b.tensor}.items():
            if buffer.dtype == MASK:
                count = "tile" if not buffer.form else columns
                yield f'{name} = T.alloc_ub(({count} // 8,), "uint8")  # one bit an element'
            else:
                yield f'{name} = T.alloc_ub({whole[buffer.form]}, "{buffer.dtype}")'

    # ---- the loop ----

    def lines(self, tiles: str, where: list[str]) -> list[str]:
        """tiles: how many a core has. where: lines that find the tile of a turn."""
        own = self.own
        i, place = own["i"], own["place"]
        body = [
            *where,
            f"{place} = {i} % 2",
            f"T.wait_cross_flag(READY + {place})",
            *self._columns(),
            f"for {own['j']} in T.serial({own['each']} // {own['part']}):",
            *indented(self._part(), 4),
            f'T.set_cross_flag("MTE2", FREE + {place})',
        ]
        if self.vectors:
            body.append('T.set_flag("v", "mte2", COLUMN_EVENT)')
        return [
            *self._flags("set"),
            f"for {i} in T.serial({tiles}):",
            *indented(body, 4),
            *self._flags("wait"),
        ]

    def _flags(self, verb: str) -> list[str]:
        s = self.own["s"]
        why = "  # both buffers, and both places in the workspace, are free" if verb == "set" else ""
        lines = [
            f"for {s} in T.serial(2):{why}",
            f'    T.{verb}_flag("v", "mte2", EVENT + {s})',
            f'    T.{verb}_flag("mte3", "v", EVENT + {s})',
        ]
        if verb == "set":
            lines.append(f'    T.set_cross_flag("MTE2", FREE + {s})')
        if self.row_loads:
            lines.append(f'T.{verb}_flag("v", "mte2", ROW_EVENT)')
        if self.vectors:
            lines.append(f'T.{verb}_flag("v", "mte2", COLUMN_EVENT)')
        return lines

    def _columns(self) -> list[str]:
        """Values of the tile's columns."""
        if not self.vectors:
            return []
        every = self.factory.whole.plans[0].layout.program.vectors
        names = [self.names.user[x.tensor] for x in every]
        what = "is loaded" if len(names) == 1 else "are loaded"
        return [
            'T.wait_flag("v", "mte2", COLUMN_EVENT)',
            *map(self._load, self.vectors),
            'T.set_flag("mte2", "v", COLUMN_EVENT)',
            f'T.wait_flag("mte2", "v", COLUMN_EVENT)  # {listed(names)} for these columns {what}',
            *self.factory.once_lines(),
        ]

    def _part(self) -> list[str]:
        own, factory = self.own, self.factory
        turn, start, part, each = (own[x] for x in ("turn", "start", "part", "each"))
        event = f"EVENT + {turn}"
        slots = self.names.slots
        shown = factory.whole.loads
        inputs = _subject([slots[x.tensor, False] for x in shown], "input")
        outputs = _subject([slots[x.tensor, True] for x in factory.stores], "output")
        have, are = ("has", "is") if len(shown) == 1 else ("have", "are")
        stored, done = ("has", "is") if len(factory.stores) == 1 else ("have", "are")
        row = ['T.wait_flag("v", "mte2", ROW_EVENT)'] if self.row_loads else []
        return [
            f"{turn} = ({own['i']} * ({each} // {part}) + {own['j']}) % 2",
            f"{start} = vid * {each} + {own['j']} * {part}",
            f'T.wait_flag("v", "mte2", {event})  # {inputs} {have} been read',
            *(self._load(x) for x in factory.loads if not x.register.form),
            *row,
            *map(self._load, self.row_loads),
            f'T.set_flag("mte2", "v", {event})',
            "",
            f'T.wait_flag("mte2", "v", {event})  # {inputs} {are} loaded',
            f'T.wait_flag("mte3", "v", {event})  # {outputs} {stored} been stored',
            *factory.computation_lines(),
            f'T.set_flag("v", "mte3", {event})',
            "",
            f'T.wait_flag("v", "mte3", {event})  # {outputs} {done} computed',
            *map(self._store, factory.stores),
            f'T.set_flag("mte3", "v", {event})',
        ]

    def _load(self, load: Load) -> str:
        own = self.own
        held = self.names.slots[load.tensor, False]
        if load.tensor == WORKSPACE:
            return f"T.copy({WORKSPACE}[cid * 2 + {own['place']}, {own['start']}, 0], {held}[{own['turn']}, :, :])"
        name = self.names.user[load.tensor]
        match load.register.form:
            case "column":
                return f"T.copy({name}[{own['column']}], {held})"
            case "row":
                return f"T.copy({name}[{self._index}{self._row}], {held})"
            case _:
                return f"T.copy({name}[{self._index}{self._row}, {own['column']}], {held}[{own['turn']}, :, :])"

    def _store(self, store: Store) -> str:
        own = self.own
        held, name = self.names.slots[store.tensor, True], self.names.user[store.tensor]
        return f"T.copy({held}[{own['turn']}, :, :], {name}[{self._index}{self._row}, {own['column']}])"

    @property
    def _index(self) -> str:
        return f"{self.own['index']}, " if self.factory.batched else ""

    @property
    def _row(self) -> str:
        return f"{self.own['row']} + {self.own['start']}"
