"""Plan -> text of NAME_kernel.py, for kernels on tensors of one row."""

from __future__ import annotations

from opgen.kernel.lines import call, comment, prose
from opgen.kernel.long_factory import LongFactory
from opgen.kernel.one_row_factory import LongRowFactory, OneRowFactory
from opgen.kernel.plan import VariantPlan
from opgen.kernel.rows_factory import RowsFactory
from opgen.kernel.rows_script import RowsScript


class OneRowScript(RowsScript):
    """As on rows, with one size, the length of the row."""

    def _long_factory(self, plans: tuple[VariantPlan, ...], whole: LongFactory | None) -> LongFactory:
        assert self.rows is not None
        return LongRowFactory(self.operator, self.plan, plans, self.names, self.rows, whole)

    def _short_factory(self, plans: tuple[VariantPlan, ...], whole: RowsFactory | None) -> RowsFactory:
        assert self.rows is not None
        return OneRowFactory(self.operator, self.plan, plans, self.names, "", self.rows, whole)

    @property
    def _column(self) -> str:
        """C in the words of the command line."""
        (dim,) = self.interface.dims
        return dim.name

    @property
    def _size_names(self) -> tuple[str, ...]:
        return ("c",)

    @property
    def _over(self) -> str:
        return f"over a row of {self._column} elements"

    def _about(self) -> list[str]:
        name = self._column
        text = f"{name} is compiled in"
        if self._open:
            text += f"; -1 leaves it open, and `call` then takes it as `{name.lower()}`"
        text += ". One vector unit works on the row."
        return prose(text + self._optional)

    def _tile_constants(self) -> list[str]:
        return [line for line in super()._tile_constants() if not line.startswith("TILE")]

    def _piece_constants(self) -> list[str]:
        (columns,) = {p.columns for p in self.plan.long}
        most = max(p.used for p in self.plan.long)
        which = "the row" if self._only_long else "a row that does not fit on chip"
        text = f"Elements of a piece of {which}. It takes at most {most} of the {self.plan.budget} bytes on chip."
        return [*comment(text), f"PIECE = {columns}"]

    def _helpers(self) -> list[str]:
        assert self.rows is not None
        if self._only_long:
            return []
        c = "(LONGEST if c == -1 else c)" if self.rows.last.dynamic else "c"
        types = list(self.names.dtypes.values()) if self._tabled else []
        entry = f"BYTES[{', '.join(types)}]" if types else "BYTES"
        params = "".join(f", {name}: str" for name in types)
        return [
            "def padded(c: int) -> int:",
            '    """Elements on chip for a row of c elements."""',
            f"    return -(-{c} // STEP) * STEP",
            "",
            "",
            f"def fits(c: int{params}) -> bool:",
            '    """Whether a row of c elements fits on chip."""',
            f"    element, column, row, always = {entry}",
            "    return always + row + (element + column) * padded(c) <= ON_CHIP",
            "",
            "",
        ]

    @property
    def _fit(self) -> str:
        types = [] if not self._tabled else ["args.dtype"] if len(self.symbols) == 1 else ["*args.dtype"]
        return f"fits({', '.join(['args.c', *types])})"

    def _size_arguments(self) -> list[str]:
        (dim,) = self.interface.dims
        shown = "elements of the row" + ("; -1: known at run time" if dim.dynamic else "")
        return call("parser.add_argument(", ['"c"', f'metavar="{dim.name}"', "type=int", f'help="{shown}"'], indent=4)

    def _size_checks(self) -> list[str]:
        assert self.rows is not None
        name, dynamic = self._column, self.rows.last.dynamic
        bounded = dynamic and not self._only_long
        most = "LONGEST" if bounded else "limit"
        shortest, lowest = ("args.c != -1 and ", "-1 or ") if dynamic else ("", "")
        shapes = [t.shape for t in (*self.operator.inputs, *self.operator.outputs)]
        widest = max((self.rows.times(shape[-1]) or 1 for shape in shapes if shape), default=1)
        length = "2**31 - 1" if widest == 1 else f"(2**31 - 1) // {widest}"
        past = "PIECE" if self.plan.long else "STEP"
        lines = [
            f"if {shortest}not 1 <= args.c <= {most}:",
            f'    parser.error(f"{name}: {{args.c}}: must be {lowest}from 1 to {{{most}}}")',
        ]
        if not bounded:
            lines = [
                f"limit = {length} - {past}  # indices are int32, and the last piece may end behind the row",
                *lines,
            ]
        if not self.plan.long:
            lines += [
                f"if not {self._fit}:",
                f'    parser.error(f"{name}: {{args.c}}: the row does not fit on chip")',
            ]
        return lines

    def _chosen(self, build: str) -> str:
        return f"{build} if {self._fit} else {self.long.name}" if self.long else build
