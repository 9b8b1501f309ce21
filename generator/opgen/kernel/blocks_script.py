"""Plan -> text of NAME_kernel.py, for kernels on rows of tensors with different leading axes."""

from __future__ import annotations

from opgen.kernel.blocks import Blocks
from opgen.kernel.blocks_factory import BlocksFactory
from opgen.kernel.lengths import shortest
from opgen.kernel.lines import call, listed, prose
from opgen.kernel.plan import VariantPlan
from opgen.kernel.rows_factory import RowsFactory
from opgen.kernel.rows_script import RowsScript


class BlocksScript(RowsScript):
    """As on rows, with a size for each axis."""

    def _short_factory(self, plans: tuple[VariantPlan, ...], whole: RowsFactory | None) -> RowsFactory:
        assert whole is None or isinstance(whole, BlocksFactory)
        return BlocksFactory(self.operator, self.plan, plans, self.names, self._types, self.blocks, whole)

    @property
    def blocks(self) -> Blocks:
        assert isinstance(self.rows, Blocks)
        return self.rows

    @property
    def _size_names(self) -> tuple[str, ...]:
        taken = {"out", "cores", "platform", "dtype", "without", *(a.name for a in self.operator.attrs)}
        names = [name.lower() for name, _ in self.blocks.sizes]
        return tuple(f"{name}_size" if name in taken else name for name in names)

    @property
    def _over(self) -> str:
        axes = [*self.blocks.axes, self.blocks.last]
        named = {dim.name: name for name, dim in self.blocks.sizes}
        return f"over [{', '.join(named[dim.name] for dim in axes)}]"

    def _about(self) -> list[str]:
        names = [name for name, _ in self.blocks.sizes]
        text = f"{listed(names)} are compiled in"
        open_ = [name for name, dim in self.blocks.sizes if dim.dynamic]
        if open_:
            each = f"{open_[0]} open, and `call` then takes it as `{open_[0].lower()}`"
            text += f"; -1 leaves {'a size open, and `call` then takes it' if len(open_) > 1 else each}"
        text += "."
        return prose(text + self._optional)

    def _constants(self) -> list[str]:
        lines = super()._constants()
        if isinstance(self.factory, BlocksFactory) and self.factory.kept:
            after = max(n for n, line in enumerate(lines) if line.startswith(("EVENT", "ROW_EVENT", "COLUMN_EVENT")))
            lines.insert(after + 1, "KEPT_EVENT = 6  # of the tensors that stay on chip for several tiles")
        return lines

    def _size_arguments(self) -> list[str]:
        lines = []
        for dest, dim, (_, own) in zip(self._size_names, self.interface.dims, self.blocks.sizes, strict=True):
            shown = "elements of a row" if own == self.blocks.last else f"size of axis {dim.name}"
            shown += "; -1: known at run time" if dim.dynamic else ""
            words = [f'"{dest}"', f'metavar="{dim.name}"', "type=int", f'help="{shown}"']
            lines += call("parser.add_argument(", words, indent=4)
        return lines

    def _size_checks(self) -> list[str]:
        blocks = self.blocks
        args = {dim.name: f"args.{dest}" for dest, (_, dim) in zip(self._size_names, blocks.sizes, strict=True)}
        named = {dim.name: name for name, dim in blocks.sizes}
        last, c = blocks.last, args[blocks.last.name]
        types = [] if not self._tabled else ["args.dtype"] if len(self.symbols) == 1 else ["*args.dtype"]
        limit = f"not 1 <= {c} <= LONGEST" if last.dynamic else f"{c} < 1"
        allowed = "-1 or from 1 to {LONGEST}" if last.dynamic else "at least 1"
        tensors = (*self.operator.inputs, *self.operator.outputs)
        widest = max((blocks.times(t.shape[-1]) or 1 for t in tensors if t.shape), default=1)
        length = "columns" if last.dynamic else c
        length = length if widest == 1 else f"({widest} * {length})"
        if blocks.lengths:
            least = shortest(self.operator, last)
            limit, allowed = f"{c} < {least}", f"at least {least}"
            length = self._longest([t.shape[-1] for t in tensors if t.shape], c)
        lines = [
            f"if {f'{c} != -1 and ' if last.dynamic else ''}{limit}:",
            f'    parser.error(f"{last.name}: {{{c}}}: must be {allowed}")',
            f"columns = padded({c})",
            f"most = tile_rows({', '.join(['columns', *types])})",
            "if most < 1:",
            f'    parser.error(f"{last.name}: {{{c}}}: a row does not fit on chip")',
        ]
        for axis in blocks.axes:
            size = args[axis.name]
            wrong = f"{size} != -1 and {size} < 1" if axis.dynamic else f"{size} < 1"
            lowest = "-1 or at least 1" if axis.dynamic else "at least 1"
            lines += [f"if {wrong}:", f'    parser.error(f"{named[axis.name]}: {{{size}}}: must be {lowest}")']
        known = [f"max({args[a.name]}, 1)" if a.dynamic else args[a.name] for a in blocks.axes]
        return [
            *lines,
            "# Indices are int32, and the last tile may count past the last row by all but one of its rows.",
            f"limit = (2**31 - 1) // {length} - 2 * args.cores * most",
            f"if {' * '.join(known)} > limit:",
            f'    parser.error(f"{" * ".join(named[a.name] for a in blocks.axes)}: must be at most {{limit}}")',
        ]
