"""Plan -> text of NAME_kernel.py, for kernels that work on rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from opgen.facts.operations import MOVED_AS
from opgen.formula.sizes import Size, python, simplify
from opgen.kernel.branches import literal
from opgen.kernel.builder import EXACT
from opgen.kernel.factory import Factory
from opgen.kernel.forms import rows_of
from opgen.kernel.lengths import longest
from opgen.kernel.lengths import shortest as shortest_row
from opgen.kernel.lines import call, comment, prose
from opgen.kernel.long_factory import LongFactory
from opgen.kernel.plan import VariantPlan
from opgen.kernel.rows_factory import RowsFactory
from opgen.kernel.rows_planner import TILE, RowBytes, recycled_slots
from opgen.kernel.tilelang import Script
from opgen.kernel.vector import counts_columns


class RowsScript(Script):
    """As the elementwise one, with two sizes, and tiles that follow from the length of a row."""

    table = "BYTES"

    @property
    def _only_long(self) -> bool:
        """Whether all rows are taken in pieces."""
        return self.plan.long == self.plan.variants

    def _long_factory(self, plans: tuple[VariantPlan, ...], whole: LongFactory | None) -> LongFactory:
        assert self.rows is not None
        return LongFactory(self.operator, self.plan, plans, self.names, self.rows, whole)

    def _factory(self, plans: tuple[VariantPlan, ...], whole: Factory | None) -> Factory:
        if self._only_long:
            assert whole is None or isinstance(whole, LongFactory)
            return self._long_factory(plans, whole)
        assert whole is None or isinstance(whole, RowsFactory)
        return self._short_factory(plans, whole)

    def _short_factory(self, plans: tuple[VariantPlan, ...], whole: RowsFactory | None) -> RowsFactory:
        assert self.rows is not None
        return RowsFactory(self.operator, self.plan, plans, self.names, self._types, self.rows, whole)

    @property
    def _types(self) -> str:
        """What `tile_rows` is called with besides the columns."""
        return "".join(f", {name}" for name in self.names.dtypes.values()) if self._tabled else ""

    def _tiles(self) -> Mapping[tuple[str, ...], object]:
        """Types of the symbols -> bytes on chip."""
        self.rows = rows_of(self.operator)
        self.long = None
        if self.plan.long and not self._only_long:
            self.long = self._with_all_parts(self._long_factory, self.plan.long)
        self.names = recycled_slots(self.names, self.plan.recycled)
        return {
            tuple(dtype for _, dtype in p.variant.types): None if self._only_long else p.row_bytes
            for p in self.plan.variants
        }

    @property
    def _sizes(self) -> tuple[str, str]:
        """R and C in the words of the command line."""
        first, second = self.interface.dims
        return first.name, second.name

    @property
    def _open(self) -> list[str]:
        return [d.name for d in self.interface.dims if d.dynamic]

    @property
    def _size_names(self) -> tuple[str, ...]:
        return ("n", "c")

    @property
    def _over(self) -> str:
        rows, columns = self._sizes
        return f"over {rows} rows of {columns} elements"

    def _about(self) -> list[str]:
        rows, columns = self._sizes
        text = f"{rows} and {columns} are compiled in"
        if self._open:
            first = self._open[0]
            each = f"{first} open, and `call` then takes it as `{first.lower()}`"
            if len(self._open) == 2:
                each = "a size open, and `call` then takes it"
            text += f"; -1 leaves {each}"
        text += "."
        return prose(text + self._optional)

    def _constants(self) -> list[str]:
        assert self.rows is not None
        lines = self._piece_constants() if self._only_long else self._tile_constants()
        two = any(p.slots == 2 for p in (*self.plan.variants, *self.plan.long))
        own = "events 2 and 3, one for each buffer" if two else "a free event"
        lines.append(f"EVENT = 2  # {own}; the compiler's own copies use 0")
        forms = {x.register.form for moved in (self.factory.loads, self.factory.stores) for x in moved}
        if any(f.row_loads or f.row_stores for f in self._builders() if isinstance(f, RowsFactory)):
            which = "with one value a row" if forms <= {"", "row"} else "with one row or one value a row"
            lines.append(f"ROW_EVENT = 4  # of the tensors {which}, which have one buffer")
        vectors = [x for held in self.factory.all_layouts for x in held.program.vectors]
        if any(x.moved == "once" for x in vectors):
            lines.append("COLUMN_EVENT = 5  # of the tensors with one value a column, which are loaded once")
        if not self._tabled and len(self.symbols) == 1:
            lines += call("DTYPES = [", [literal(types[0]) for types in self.tiles], "]")
        if len(self.symbols) > 1:
            lines += call("SYMBOLS = (", [literal(s) for s in self.symbols], ")")
            if not self._tabled:
                lines += call("DTYPES = [", [self._key(types) for types in self.tiles], "]")
        moved = {t for types in self.tiles for t in types if t in MOVED_AS}
        if moved and self.factory.moved:
            named = [f'"{t}": "{MOVED_AS[t]}"' for t in MOVED_AS if t in moved]
            lines += call("MOVED_AS = {", named, "}  # what copies call types of the same bits")
        return lines

    def _tile_constants(self) -> list[str]:
        assert self.rows is not None
        two = self.plan.variants[0].slots == 2
        slots = "two buffers for each tensor, used by turns" if two else "one buffer for each tensor"
        text = f"Bytes on chip that a tile takes for each element, each column, each row and in any case, with {slots}."
        lines = comment(text)
        entries = {types: self._entry(types) for types in self.tiles}
        if self._tabled:
            lines += call("BYTES = {", [f"{self._key(types)}: {entry}" for types, entry in entries.items()], "}")
        else:
            lines.append(f"BYTES = {next(iter(entries.values()))}")
        lines.append(f"ON_CHIP = {self.plan.budget}  # bytes")
        if self.plan.fixed:
            lines += self._rows_constant()
        else:
            lines.append(f"TILE = {TILE}  # elements of a tile at most, unless a row is longer")
        if self.long:
            lines += self._piece_constants()
        lines.append(f"STEP = {self.plan.granule}  # a row on chip is a multiple of it: whole blocks of every type")
        if self.rows.last.dynamic:
            longest = max(self.rows.last.values, default=self.rows.last.max)
            lines.append(f"LONGEST = {longest}  # elements of a row")
        return lines

    def _rows_constant(self) -> list[str]:
        """How many rows a tile has, where op.yaml says it."""
        wanted = {types: size.wanted for types, size in self.tiles.items() if isinstance(size, RowBytes)}
        if len(set(wanted.values())) > 1:
            return call("ROWS = {", [f"{self._key(types)}: {rows}" for types, rows in wanted.items()], "}")
        return [f"ROWS = {min(wanted.values())}  # of a tile"]

    @property
    def _rows_of_types(self) -> str:
        """ROWS, or its entry for the types that `tile_rows` is called with."""
        wanted = {size.wanted for size in self.tiles.values() if isinstance(size, RowBytes)}
        return "ROWS" if len(wanted) == 1 else f"ROWS[{', '.join(self.names.dtypes.values())}]"

    def _piece_constants(self) -> list[str]:
        ((rows, columns),) = {(p.rows, p.columns) for p in self.plan.long}
        most = max(p.used for p in self.plan.long)
        which = "a tile" if self._only_long else "a tile of rows that do not fit on chip, which are taken in pieces"
        text = f"Rows and columns of {which}. It takes at most {most} of the {self.plan.budget} bytes on chip."
        return [*comment(text), f"PIECE = ({rows}, {columns})"]

    def _entry(self, types: tuple[str, ...]) -> str:
        size = next(p.row_bytes for p in self.plan.variants if tuple(t for _, t in p.variant.types) == types)
        assert size is not None
        return f"({size.element}, {size.column}, {size.row}, {size.fixed})"

    def _longest(self, axes: Iterable[Size], c: str) -> str:
        """The longest of several lengths of rows. c: what the script calls that which tells them."""
        assert self.rows is not None
        last = self.rows.last
        least = shortest_row(self.operator, last)
        texts = [python(axis, lambda _: c) for axis in longest(map(simplify, axes), last, least)]
        name = texts[0].replace(".", "").isalnum()
        return f"max({', '.join(texts)})" if len(texts) > 1 else texts[0] if name else f"({texts[0]})"

    def _helpers(self) -> list[str]:
        assert self.rows is not None
        if self._only_long:
            return []
        c = "(LONGEST if c == -1 else c)" if self.rows.last.dynamic else "c"
        if self.rows.lengths:
            c = self._longest(self.rows.lengths, "c")
        types = list(self.names.dtypes.values()) if self._tabled else []
        entry = f"BYTES[{', '.join(types)}]" if types else "BYTES"
        params = "".join(f", {name}: str" for name in types)
        said, rows = "at most; 0 when a row does", "max(0, min(fit, max(1, TILE // columns)))"
        if self.plan.fixed:
            wanted = self._rows_of_types
            said, rows = "; 0 when they do", f"{wanted} if fit >= {wanted} else 0"
        return [
            "def padded(c: int) -> int:",
            '    """Columns of a tile for rows of c elements."""',
            f"    return -(-{c} // STEP) * STEP",
            "",
            "",
            f"def tile_rows(columns: int{params}) -> int:",
            f'    """Rows of a tile {said} not fit on chip."""'.replace("tile ;", "tile;"),
            f"    element, column, row, always = {entry}",
            "    fit = (ON_CHIP - always - column * columns) // (element * columns + row)",
            f"    return {rows}",
            "",
            "",
        ]

    def _size_arguments(self) -> list[str]:
        lines = []
        for dest, dim, text in zip(
            self._size_names, self.interface.dims, ("number of rows", "elements of a row"), strict=True
        ):
            shown = text + ("; -1: known at run time" if dim.dynamic else "")
            words = [f'"{dest}"', f'metavar="{dim.name}"', "type=int", f'help="{shown}"']
            lines += call("parser.add_argument(", words, indent=4)
        return lines

    def _size_checks(self) -> list[str]:
        assert self.rows is not None
        rows, columns = self._sizes
        args = [] if not self._tabled else ["args.dtype"] if len(self.symbols) == 1 else ["*args.dtype"]
        most = f"tile_rows({', '.join(['columns', *args])})"
        shortest = "args.c != -1 and " if self.rows.last.dynamic else ""
        lowest = "-1 or " if self.rows.last.dynamic else ""
        open_rows = "args.n != -1 and " if self.rows.lead.dynamic else ""
        allowed = "-1 or " if self.rows.lead.dynamic else ""
        shapes = [t.shape for t in (*self.operator.inputs, *self.operator.outputs)]
        widest = max((self.rows.times(shape[-1]) or 1 for shape in shapes if shape), default=1)
        length = "args.c" if not self.rows.last.dynamic else "columns"
        length = length if widest == 1 else f"({widest} * {length})"
        least = 1
        if self.rows.lengths:
            least = shortest_row(self.operator, self.rows.last)
            length = self._longest([shape[-1] for shape in shapes if shape], "args.c")
        bounded = self.rows.last.dynamic and not self._only_long
        limit = "not 1 <= args.c <= LONGEST" if bounded else f"args.c < {least}"
        sizes = "from 1 to {LONGEST}" if bounded else f"at least {least}"
        index = "# Indices are int32, and the last round may count past the last row by all but one of its rows."
        too_many = [
            f"if {open_rows}not 1 <= args.n <= limit:",
            f'    parser.error(f"{rows}: {{args.n}}: must be {allowed}from 1 to {{limit}}")',
        ]
        if self.plan.long:
            if not bounded and any(counts_columns(p.layout.program) for p in self.plan.long):
                limit = f"not 1 <= args.c <= {EXACT['float32']}"
                sizes = f"from 1 to {EXACT['float32']}, as far as float32 counts"
            known = "max(args.c, 1)" if self.rows.last.dynamic else "args.c"
            most = "PIECE[0]" if self._only_long else f"(tile_rows({', '.join(['padded(args.c)', *args])}) or PIECE[0])"
            return [
                f"if {shortest}{limit}:",
                f'    parser.error(f"{columns}: {{args.c}}: must be {lowest}{sizes}")',
                index,
                f"limit = (2**31 - 1) // {known} - 2 * args.cores * {most}",
                *too_many,
            ]
        return [
            f"if {shortest}{limit}:",
            f'    parser.error(f"{columns}: {{args.c}}: must be {lowest}{sizes}")',
            "columns = padded(args.c)",
            f"most = {most}",
            "if most < 1:",
            f'    parser.error(f"{columns}: {{args.c}}: a row does not fit on chip")',
            index,
            f"limit = (2**31 - 1) // {length} - 2 * args.cores * most",
            *too_many,
        ]

    def _builders(self) -> list[Factory]:
        return [self.factory, *([self.long] if self.long else [])]

    def _chosen(self, build: str) -> str:
        if not self.long:
            return build
        args = [] if not self._tabled else ["args.dtype"] if len(self.symbols) == 1 else ["*args.dtype"]
        return f"{build} if tile_rows({', '.join(['padded(args.c)', *args])}) else {self.long.name}"
