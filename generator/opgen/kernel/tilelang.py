"""Plan -> text of NAME_kernel.py."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import TypeVar

from opgen.facts.operations import MOVED_AS
from opgen.formula.signature import Attr
from opgen.kernel.branches import literal
from opgen.kernel.factory import Factory
from opgen.kernel.forms import rows_of
from opgen.kernel.interface import call_parameters, kernel_interface
from opgen.kernel.lines import WIDTH, call, comment, listed, prose
from opgen.kernel.names import KernelNames, kernel_names
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render
from opgen.text.escape import python_docstring

F = TypeVar("F", bound=Factory)

_PLATFORMS = ("A2", "A3")
_IMPORTS = ("argparse", "os", "shutil", "sys", "tempfile")
_NO_LIBRARY = "TileLang does not say where the compiled library is"


def script(spec: OpSpec, operator: Operator, plan: KernelPlan) -> str:
    """The kernel script of a planned operator."""
    if plan.schedule == "rows":
        from opgen.kernel.blocks import Blocks
        from opgen.kernel.blocks_script import BlocksScript
        from opgen.kernel.one_row_script import OneRowScript
        from opgen.kernel.rows_script import RowsScript

        rows = rows_of(operator)
        assert rows is not None
        kind = BlocksScript if isinstance(rows, Blocks) else OneRowScript if rows.alone else RowsScript
        return kind(spec, operator, plan).text()
    if plan.schedule == "matmul":
        from opgen.kernel.matmul_script import MatmulScript

        return MatmulScript(spec, operator, plan).text()
    return Script(spec, operator, plan).text()


class Script:
    """The text. table: its constant that has an entry for each choice of types."""

    table = "TILE"

    def __init__(self, spec: OpSpec, operator: Operator, plan: KernelPlan) -> None:
        self.spec = spec
        self.operator = operator
        self.plan = plan
        self.interface = kernel_interface(operator)
        self.dynamic = self.interface.dims[0].dynamic
        self.names = self._names()
        self.symbols = self.interface.symbols
        self.tiles = self._tiles()
        self.factory = self._with_all_parts(self._factory, self.plan.variants)

    def _names(self) -> KernelNames:
        return kernel_names(self.operator)

    def _factory(self, plans: tuple[VariantPlan, ...], whole: Factory | None) -> Factory:
        tile = self._tile_of(list(self.names.dtypes.values()))
        return Factory(self.operator, self.plan, plans, self.names, tile, self.dynamic, whole)

    @staticmethod
    def _with_all_parts(build: Callable[[tuple[VariantPlan, ...], F | None], F], plans: tuple[VariantPlan, ...]) -> F:
        """The factory of the variants with all inputs, which knows those of the others."""
        groups: dict[tuple[str, ...], list[VariantPlan]] = {}
        for plan in sorted(plans, key=lambda plan: len(plan.variant.absent)):
            groups.setdefault(plan.variant.absent, []).append(plan)
        whole: F | None = None
        for group in groups.values():
            part = build(tuple(group), whole)
            whole = whole or part
        assert whole is not None
        return whole

    def _tiles(self) -> Mapping[tuple[str, ...], object]:
        """Types of the symbols -> tile."""
        tiles: dict[tuple[str, ...], int] = {}
        for plan in self.plan.variants:
            types = tuple(dtype for _, dtype in plan.variant.types)
            tiles[types] = min(plan.tile, tiles.get(types, plan.tile))
        return tiles

    def _tile_of(self, variables: list[str]) -> str:
        """The tile, where the types of the symbols are in these variables."""
        if not self._tabled:
            return "TILE"
        return f"TILE[{', '.join(variables)}]"

    @property
    def _tabled(self) -> bool:
        """Whether the tile depends on the types."""
        return len(set(self.tiles.values())) > 1

    def text(self) -> str:
        operator = self.operator
        usage = f"python3 {operator.name}_kernel.py {' '.join(d.name for d in self.interface.dims)} OUT"
        return render(
            "kernel/script.py.j2",
            op=operator.type,
            name=operator.name,
            head=self._head(),
            usage=_wrapped([usage, *self._usage()]),
            entry_point=self._entry_point(),
            about=self._about(),
            imports=sorted([*_IMPORTS, *self._imports]),
            constants=self._constants(),
            factories=[factory.lines() for factory in self._builders()],
            type_parser=[*self._helpers(), *self._type_parser()],
            arguments=self._arguments(),
            size_checks=self._size_checks(),
            no_library=call("print(", [f'"{operator.name}_kernel.py: {_NO_LIBRARY}"', "file=sys.stderr"], indent=8),
            compilation=self._compilation(),
        )

    @property
    def _imports(self) -> list[str]:
        """Modules of Python that the script needs besides those that all scripts do."""
        return []

    def _builders(self) -> list[Factory]:
        """What writes the functions that build kernels."""
        return [self.factory]

    def _chosen(self, build: str) -> str:
        """The function that builds the kernel of these sizes. build: what it is called, if there is only one."""
        return build

    def _helpers(self) -> list[str]:
        """Lines of functions that the kernel uses."""
        return []

    def _size_checks(self) -> list[str]:
        """Lines of `parse_arguments` that refuse sizes."""
        tile = "TILE[args.dtype]" if self._tabled else "TILE"
        wrong = "args.n != -1 and not 1 <= args.n <= limit" if self.dynamic else "not 1 <= args.n <= limit"
        allowed = "-1 or from 1 to {limit}" if self.dynamic else "from 1 to {limit}"
        return [
            "# Indices are int32, and the last round may count past N by all but one of its elements.",
            f"limit = 2**31 - 1 - 2 * args.cores * {tile}",
            f"if {wrong}:",
            f'    parser.error(f"N: {{args.n}}: must be {allowed}")',
        ]

    # ---- docstring ----

    def _head(self) -> str:
        operator = self.operator
        lines = [line.rstrip() for line in operator.compute.splitlines() if line.strip()]
        types = list(dict.fromkeys(t for combination in operator.combinations for _, t in combination))
        over = self._over
        of = f" of {listed(types, 'or')}" if types and len(self.symbols) == 1 else ""
        if len(lines) == 1 and len(lines[0]) < 80:
            text = "\n".join(prose(f'"""{operator.type} in TileLang-Ascend: {lines[0].strip()} {over}{of}.'))[3:]
        else:
            formula = "\n".join(part for line in lines for part in _formula_line(line))
            text = "\n".join(prose(f'"""{operator.type} in TileLang-Ascend, {over}{of}:'))[3:]
            text += f"\n\n{formula}"
        return python_docstring(text)

    @property
    def _over(self) -> str:
        """What the formula works on, in the words of the command line."""
        return "over N elements"

    def _usage(self) -> list[str]:
        result = []
        if len(self.symbols) == 1:
            result.append(f"[--dtype {self._default_types()[0]}]")
        elif self.symbols:
            shown = ",".join(f"{s}={t}" for s, t in zip(self.symbols, self._default_types(), strict=True))
            result.append(f"[--dtype {shown}]")
        result += [f"[--platform {self._platform}]", f"[--cores {self.plan.cores}]"]
        for attr in self.interface.options:
            required = attr.default is None
            result.append(f"--{attr.name} V" if required else f"[--{attr.name} {_option_text(attr.default)}]")
        if self.interface.optional:
            result.append("[--without NAME]")
        return result

    @property
    def _size_names(self) -> tuple[str, ...]:
        """Where argparse puts the sizes."""
        return ("n",)

    @property
    def _platform(self) -> str:
        return self.spec.platform if self.spec.platform in _PLATFORMS else "A3"

    def _default_types(self) -> tuple[str, ...]:
        return tuple(dtype for _, dtype in self.operator.combinations[0])

    def _entry_point(self) -> list[str]:
        variant = self.plan.variants[0].variant
        shown = []
        for parameter in call_parameters(self.operator, variant):
            match parameter.role:
                case "input" | "output" | "workspace":
                    shown.append(f"uint8_t *{parameter.name}")
                case "size":
                    shown.append(f"[int64_t {parameter.name},]")
                case "stream":
                    shown.append("aclrtStream stream")
                case _:
                    shown.append(f"{parameter.cxx} {parameter.name}")
        text = "void call("
        lines, indent = [], " " * len(text)
        for number, part in enumerate(shown):
            end = ");" if number == len(shown) - 1 else " " if part.endswith("]") else ", "
            if len(text) + len(part) + len(end) > 114:
                lines.append(text.rstrip())
                text = indent
            text += part + end
        return [*lines, text]

    def _about(self) -> list[str]:
        if self.dynamic:
            text = "N is compiled in; -1 leaves it open, and `call` then takes it as `n`."
        else:
            text = "N is compiled in."
        return prose(text + self._optional)

    @property
    def _optional(self) -> str:
        """What the docstring says of inputs that may be absent."""
        if not self.interface.optional:
            return ""
        return " An input that is not connected is named with --without; `call` takes a null pointer for it."

    # ---- constants ----

    def _constants(self) -> list[str]:
        used = {tuple(t for _, t in p.variant.types): p.used for p in self.plan.variants}
        most = max(p.used for p in self.plan.variants)
        kind = "Elements of a tile" if self.dynamic or self.plan.fixed else "Elements of a tile at most"
        two = self.plan.variants[0].slots == 2
        slots = "two buffers for each tensor, used by turns" if two else "one buffer for each tensor"
        most_text = f"{'' if len(used) == 1 else 'at most '}{most} of the {self.plan.budget} bytes on chip"
        scratch = any(not b.slotted for p in self.plan.variants for b in p.layout.buffers)
        lines = comment(f"{kind}. With {slots}{', and scratch' if scratch else ''}, it takes {most_text}.")
        if not self._tabled:
            lines.append(f"TILE = {next(iter(self.tiles.values()))}")
        else:
            entries = [f"{self._key(types)}: {tile}" for types, tile in self.tiles.items()]
            lines += call("TILE = {", entries, "}")
        if not self.dynamic and not self.plan.fixed:
            lines.append(f"STEP = {self.plan.granule}  # a tile is a multiple of it: whole steps of the vector unit")
        own = "events 2 and 3, one for each buffer" if two else "a free event"
        lines.append(f"EVENT = 2  # {own}; the compiler's own copies use 0")
        if not self._tabled and len(self.symbols) == 1:
            lines += call("DTYPES = [", [literal(types[0]) for types in self.tiles], "]")
        if len(self.symbols) > 1:
            lines += call("SYMBOLS = (", [literal(s) for s in self.symbols], ")")
            if not self._tabled:
                lines += call("DTYPES = [", [self._key(types) for types in self.tiles], "]")
        moved = {t for types in self.tiles for t in types if t in MOVED_AS}
        if moved and self.factory.moved:
            entries = [f'"{t}": "{MOVED_AS[t]}"' for t in MOVED_AS if t in moved]
            lines += call("MOVED_AS = {", entries, "}  # what copies call types of the same bits")
        return lines

    @staticmethod
    def _key(types: tuple[str, ...]) -> str:
        return literal(types[0]) if len(types) == 1 else f"({', '.join(map(literal, types))})"

    # ---- command line ----

    def _type_parser(self) -> list[str]:
        if len(self.symbols) < 2:
            return []
        table = self.table if self._tabled else "DTYPES"
        example = ",".join(f"{s}={t}" for s, t in zip(self.symbols, self._default_types(), strict=True))
        shown = "(" + ", ".join(literal(t) for t in self._default_types()) + ")"
        return [
            "def element_types(text: str) -> tuple[str, ...]:",
            f'    """{example} -> {shown}."""',
            '    given = dict(part.partition("=")[::2] for part in text.split(","))',
            '    types = tuple(given.pop(symbol, "") for symbol in SYMBOLS)',
            f"    if given or types not in {table}:",
            f'        rows = [",".join(map("=".join, zip(SYMBOLS, row, strict=True))) for row in {table}]',
            "        raise argparse.ArgumentTypeError(f\"{text}: must be one of {'; '.join(rows)}\")",
            "    return types",
            "",
            "",
        ]

    def _arguments(self) -> list[str]:
        add = "parser.add_argument("
        lines = self._size_arguments()
        lines += call(add, ['"out"', 'metavar="OUT"', "type=Path", 'help="library to write"'], indent=4)
        default = 'help="{} (default: %(default)s)"'
        if len(self.symbols) == 1:
            choices = f"list({self.table})" if self._tabled else "DTYPES"
            args = ['"--dtype"', f"choices={choices}", f"default={literal(self._default_types()[0])}"]
            lines += call(add, [*args, default.format("element type")], indent=4)
        elif self.symbols:
            args = ['"--dtype"', "type=element_types", f"default={self._key(self._default_types())}"]
            shown = ",".join(f"{s}=..." for s in self.symbols)
            lines += call(add, [*args, f'metavar="{shown}"', 'help="element types"'], indent=4)
        platforms = f"choices=[{', '.join(map(literal, _PLATFORMS))}]"
        args = ['"--platform"', platforms, f"default={literal(self._platform)}", default.format("chip family")]
        lines += call(add, args, indent=4)
        args = ['"--cores"', "type=int", f"default={self.plan.cores}", default.format("AI cores to use at most")]
        lines += call(add, args, indent=4)
        for attr in self.interface.options:
            lines += call(add, _option(attr), indent=4)
        if self.interface.optional:
            names = ", ".join(literal(t.name) for t in self.interface.optional)
            args = ['"--without"', 'action="append"', "default=[]", f"choices=[{names}]"]
            lines += call(add, [*args, 'help="an input that is not connected"'], indent=4)
        return lines

    def _size_arguments(self) -> list[str]:
        size_help = "number of elements" + ("; -1: known at run time" if self.dynamic else "")
        return call("parser.add_argument(", ['"n"', 'metavar="N"', "type=int", f'help="{size_help}"'], indent=4)

    def _compilation(self) -> list[str]:
        lines = []
        build = self.factory.name
        types = ["args.dtype"] if len(self.symbols) == 1 else ["*args.dtype"] if self.symbols else []
        options = {a.name: a for f in self._builders() for a in f.options}
        chosen = self._chosen(build)
        if chosen != build:
            lines.append(f"build = {chosen}")
            build = "build"
        args = [
            *(f"args.{size}" for size in self._size_names),
            *types,
            "args.cores",
            *map(_option_value, options.values()),
            *(f"{literal(name)} not in args.without" for name in self.names.flags),
        ]
        lines += call(f"function = {build}(", args, indent=4)
        return [*lines, 'kernel = tilelang.compile(function, target="ascendc", platform=args.platform)']


def _option_value(attr: Attr) -> str:
    """A static attribute's value, from the parsed command line."""
    return f'args.{_dest(attr)} == "true"' if attr.type == "bool" else f"args.{_dest(attr)}"


def _dest(attr: Attr) -> str:
    """Where argparse puts an option: not where the size and the output file are."""
    return f"{attr.name}_attribute" if attr.name in ("n", "c", "m", "k", "batch", "out") else attr.name


def _option_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(map(_option_text, value))
    return str(value)


def _option(attr: Attr) -> list[str]:
    """The arguments of add_argument for a static attribute."""
    args = [f'"--{attr.name}"']
    if _dest(attr) != attr.name:
        args.append(f'dest="{_dest(attr)}"')
    if attr.type == "bool":
        args.append('choices=["true", "false"]')
    elif attr.type in ("int", "float"):
        args.append(f"type={attr.type}")
    if attr.values and attr.type != "bool":
        args.append(f"choices=[{', '.join(map(literal, attr.values))}]")
    if attr.default is None:
        return [*args, "required=True", 'help="attribute"']
    default = literal(_option_text(attr.default) if attr.type not in ("int", "float") else attr.default)
    return [*args, f"default={default}", 'help="attribute (default: %(default)s)"']


def _formula_line(line: str) -> list[str]:
    """A formula's line in a docstring."""
    return textwrap.wrap(
        line, WIDTH, initial_indent="    ", subsequent_indent="        ", break_long_words=False, break_on_hyphens=False
    )


def _wrapped(words: list[str]) -> list[str]:
    """Words of a command line, on as many lines as they need."""
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > WIDTH - 4:
            lines.append("       ")
        lines[-1] += f" {word}"
    return lines
