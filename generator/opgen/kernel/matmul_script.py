"""Plan -> text of NAME_kernel.py, for matrix products."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.facts.cube import STAGES
from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import MOVED_AS
from opgen.facts.socs import PLATFORMS
from opgen.kernel.branches import literal
from opgen.kernel.factory import Factory
from opgen.kernel.lines import call, comment, listed, prose
from opgen.kernel.matmul_factory import MatmulFactory
from opgen.kernel.matmul_forms import ROLES, is_open, product, sizes_of
from opgen.kernel.matmul_layout import column_step
from opgen.kernel.matmul_names import matmul_names
from opgen.kernel.matmul_tiles import chooser
from opgen.kernel.names import KernelNames
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.rows_planner import RowBytes
from opgen.kernel.tilelang import Script
from opgen.spec.model import Operator, OpSpec
from opgen.spec.variants import typed


class MatmulScript(Script):
    """As the elementwise one, with the sizes of a product, and tiles that a model of the cube core chooses."""

    table = "TILE"  # or what a part of a tile takes on chip, where that depends on the types

    def __init__(self, spec: OpSpec, operator: Operator, plan: KernelPlan) -> None:
        self.chip = PLATFORMS[spec.platform]
        self.found = product(typed(operator, plan.variants[0].variant))
        super().__init__(spec, operator, plan)

    def _names(self) -> KernelNames:
        return matmul_names(self.operator)

    def _factory(self, plans: tuple[VariantPlan, ...], whole: Factory | None) -> MatmulFactory:
        assert whole is None or isinstance(whole, MatmulFactory)
        types = list(self.names.dtypes.values())
        tile = "" if not self._whole_block else self._tile_of(types)
        taken = "TAKEN" if not self._tabled else f"TAKEN[{', '.join(types)}]"
        return MatmulFactory(self.operator, self.plan, plans, self.names, tile, taken, whole)

    # ---- tiles ----

    @property
    def _fixed(self) -> dict[str, int]:
        """What op.yaml chose of a tile, by the script's names."""
        block = self.operator.tiling.block
        given = {name for name, _ in block} if isinstance(block, tuple) else set()
        first = self.plan.variants[0]
        chosen = {"m": ("rows", first.rows), "n": ("columns", first.columns), "k": ("depth", first.depth)}
        fixed = {}
        for role, (name, value) in chosen.items():
            extent = self.found.extent(role)
            if extent is not None and extent.of and extent.of[-1] in given:
                fixed[name] = value
        return fixed

    @property
    def _whole_block(self) -> bool:
        return len(self._fixed) == 3

    def _tiles(self) -> Mapping[tuple[str, ...], object]:
        """Types of the symbols -> tile, and what a part of it takes on chip."""
        self.table = "TILE" if self._whole_block else "TAKEN"
        return {
            tuple(dtype for _, dtype in p.variant.types): (
                (p.rows, p.columns, p.depth) if self._whole_block else (),
                _taken(p.row_bytes),
            )
            for p in self.plan.variants
        }

    def _helpers(self) -> list[str]:
        if self._whole_block:
            return []
        opened = any(is_open(self.operator, extent) for _, extent in sizes_of(self.operator))
        return chooser(
            self.found.batch is not None,
            self._item_sizes,
            opened,
            self._fixed,
            column_step(p.layout for p in self.plan.variants),
        )

    @property
    def _factor_types(self) -> tuple[str, ...]:
        tensor = next(t for t in self.operator.inputs if t.name == self.found.a.tensor)
        return tuple(dict.fromkeys(p.variant.dtype(tensor.dtype) for p in self.plan.variants))

    @property
    def _item_sizes(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(DTYPES[dtype].size for dtype in self._factor_types))

    # ---- the text ----

    @property
    def _over(self) -> str:
        named = dict(zip((extent for _, extent in sizes_of(self.operator)), self.interface.dims, strict=True))
        m, n, k = (named[e].name if e.of else str(e.number) for e in self.found.extents[1:] if e)
        return f"of {m} x {k} and {k} x {n} elements"

    @property
    def _imports(self) -> list[str]:
        return [] if self._whole_block else ["math"]

    @property
    def _open(self) -> list[str]:
        return [dim.name for dim in self.interface.dims if dim.dynamic]

    @property
    def _size_names(self) -> tuple[str, ...]:
        return tuple(dest for dest, _ in self._named_sizes)

    @property
    def _named_sizes(self) -> list[tuple[str, str]]:
        """Where argparse puts the sizes, and what they are."""
        words = {
            "batch": "number of products",
            "m": "rows of the product",
            "n": "columns of the product",
            "k": "terms of a sum",
        }
        roles = [[role for role in ROLES if self.found.extent(role) == extent] for _, extent in sizes_of(self.operator)]
        return [(found[0], listed([words[role] for role in found])) for found in roles]

    def _about(self) -> list[str]:
        names = [dim.name for dim in self.interface.dims]
        text = f"{listed(names)} {'is' if len(names) == 1 else 'are'} compiled in"
        if self._open:
            found = self.found
            lowered = [self.names.own[r] for r in self._size_names if is_open(self.operator, found.extent(r))]
            what = f"{listed(self._open)} open, and `call` then takes {'it' if len(lowered) == 1 else 'them'} as "
            text += f"; -1 leaves {what}{listed([f'`{name}`' for name in lowered])}"
        text += "."
        return prose(text + self._optional)

    def _constants(self) -> list[str]:
        lines = [f"STAGES = {STAGES}  # steps along k that L1 holds"]
        if self._whole_block:
            lines += comment("Rows and columns of a tile of the product, and the depth of a step along k.")
            lines += self._entries("TILE", 0)
        else:
            lines.append(f"L0 = {self.chip.l0a // 2}  # bytes of half of L0A, and of L0B: of one of two steps")
        lines.append(f"L0C = {self.chip.l0c}  # bytes")
        if self.plan.variants[0].row_bytes is not None:
            lines.append(f"UB = {self.chip.unified_buffer}  # bytes")
            lines += comment("Bytes of it for each element, column and row of what a vector core works on, and always.")
            lines += self._entries("TAKEN", 1)
            lines.append("READY, FREE = 0, 2  # flags between cores, each for two places in the workspace")
        lines.append("EVENT = 2  # the first event; gemm_v0 uses 0 and 1")
        if any(x.register.form == "row" for x in self.factory.loads):
            lines.append("ROW_EVENT = 4  # of the tensors with one value a row")
        if any(p.layout.program.vectors for p in self.plan.variants):
            lines.append("COLUMN_EVENT = 5  # of the tensors with one value a column")
        lines.append(f"LARGEST = 2**31 - {2**31 - (self.plan.max_elements or 0)}  # elements of a matrix, see below")
        if len(self._item_sizes) > 1 and not self._whole_block:
            lines += call("BYTES = {", [f'"{t}": {DTYPES[t].size}' for t in self._factor_types], "}")
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

    def _entries(self, name: str, position: int) -> list[str]:
        """A constant for each choice of types, one where they are equal."""
        found = {types: entry[position] for types, entry in self.tiles.items() if isinstance(entry, tuple)}
        if self._tabled:
            return call(f"{name} = {{", [f"{self._key(types)}: {entry}" for types, entry in found.items()], "}")
        return [f"{name} = {next(iter(found.values()))}"]

    def _size_arguments(self) -> list[str]:
        lines = []
        for (dest, text), dim in zip(self._named_sizes, self.interface.dims, strict=True):
            shown = text + ("; -1: known at run time" if dim.dynamic else "")
            words = [f'"{dest}"', f'metavar="{dim.name}"', "type=int", f'help="{shown}"']
            lines += call("parser.add_argument(", words, indent=4)
        return lines

    def _size_checks(self) -> list[str]:
        lines = []
        if self.plan.variants[0].row_bytes is not None:
            most = self.plan.cores
            why = f"the workspace has room for {most}"
            lines += [f"if args.cores > {most}:", f'    parser.error(f"--cores: {{args.cores}}: {why}")']
        for dest, dim in zip(self._size_names, self.interface.dims, strict=True):
            wrong = f"args.{dest} < 1 and args.{dest} != -1" if dim.dynamic else f"args.{dest} < 1"
            allowed = "-1 or at least 1" if dim.dynamic else "at least 1"
            lines += [f"if {wrong}:", f'    parser.error(f"{dim.name}: {{args.{dest}}}: must be {allowed}")']
        written = self._written_sizes()
        batch = f"{written['batch']} * " if "batch" in written else ""
        m, n, k = (written[role] for role in ("m", "n", "k"))
        return [
            *lines,
            *call("most = max(", [f"abs({batch}{x} * {y})" for x, y in ((m, k), (k, n), (m, n))], indent=4),
            "if most > LARGEST:  # indices are int32, and go past the end by less than a tile",
            '    parser.error(f"a matrix of {most} elements: at most {LARGEST} are possible")',
        ]

    def _written_sizes(self) -> dict[str, str]:
        by_extent = dict(zip((extent for _, extent in sizes_of(self.operator)), self._size_names, strict=True))
        found = {role: extent for role in ROLES if (extent := self.found.extent(role)) is not None}
        return {role: f"args.{by_extent[e]}" if e.of else str(e.number) for role, e in found.items()}


def _taken(size: RowBytes | None) -> tuple[int, ...]:
    return () if size is None else (size.element, size.column, size.row, size.fixed)
