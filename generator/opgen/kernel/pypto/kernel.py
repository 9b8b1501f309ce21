"""Plan -> text of op_kernel/NAME.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from opgen.facts.pypto import NAMES
from opgen.formula.signature import Tensor, Variant
from opgen.formula.sizes import simplify
from opgen.kernel.decompose import moved_as
from opgen.kernel.forms import single
from opgen.kernel.lines import WIDTH, comment, fitted, indented, listed
from opgen.kernel.pypto.chip import Chip
from opgen.kernel.pypto.choices import Axis, Lines, Point, choose
from opgen.kernel.pypto.fields import candidates, in_key
from opgen.kernel.pypto.model import KernelVariant, Setting
from opgen.kernel.pypto.names import Names, parameters
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.kernel.pypto.section import Section
from opgen.kernel.pypto.table import memory_table
from opgen.kernel.vector import Load, Store
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render
from opgen.text.escape import python_docstring


def pypto_kernel(spec: OpSpec, operator: Operator, plan: PyptoPlan) -> str:
    """The kernel of a planned operator whose formula gives it."""
    return _Kernel(operator, plan).text()


class _Kernel:
    def __init__(self, operator: Operator, plan: PyptoPlan) -> None:
        assert plan.model is not None
        self.operator = operator
        self.plan = plan
        self.model = plan.model
        self.rows = plan.model.rows
        self.held = dict(plan.held)
        self.names = Names(operator)
        self.names.settle()
        self.names.take(field.name for field in plan.key)
        self.points = dict(self._points())
        self.axes = list(self._axes())

    # ---- instances ----

    def _axes(self) -> Iterator[Axis]:
        """An early version of PyPTO Pro parses every kernel with float16 for all types when the build is configured."""
        first = self._constants_of(*next(iter(self.points.values())))
        half = f"pl.{NAMES['float16']}"
        for number, (name, value) in enumerate(first.items()):
            known = half in {point[number] for point in self.points}
            yield Axis(name, value if name in self.names.dtypes.values() and not known else "")

    def _constants_of(self, variant: KernelVariant, setting: Setting) -> dict[str, str]:
        """The constants that an instance of the kernel has, as written."""
        result = {name: str(value) for name, value in setting.keys}
        types = dict(variant.variant.types)
        for symbol, name in self.names.dtypes.items():
            result[name] = f"pl.{NAMES[types[symbol]]}"
        attrs = dict(variant.variant.attrs)
        for attr in self.operator.static_attrs:
            if attr.name in attrs and attr.name in self.held and len(candidates(attr)) > 1:
                result.setdefault(self.held[attr.name], str(in_key(attr, attrs[attr.name])))
        for tensor in self.operator.optional_inputs:
            absent = tensor.name in variant.variant.absent
            result.setdefault(self.held[f"has_{tensor.name}"], "0" if absent else "1")
        return result

    def _points(self) -> Iterator[tuple[Point, tuple[KernelVariant, Setting]]]:
        for setting in self.model.settings:
            for variant in self.model.variants:
                chosen = self._constants_of(variant, setting)
                if all(chosen[name] == str(value) for name, value in setting.keys):
                    yield tuple(chosen.values()), (variant, setting)

    def _chosen(self, lines: Callable[[KernelVariant, Setting], list[str]]) -> list[str]:
        texts: dict[Point, Lines] = {point: tuple(lines(*both)) for point, both in self.points.items()}
        return choose(texts, self.axes)

    # ---- the file ----

    def text(self) -> str:
        operator, plan = self.operator, self.plan
        chip = Chip(operator, self.model, self.names, self.dtype)
        views = self._views()
        tiles = chip.lines(self._chosen)
        section = Section(operator, plan, self.names, chip, self.size).lines(self._chosen)
        constants = self._named_constants([*views, *tiles, *section])
        table = memory_table(self.model, plan.used, plan.budget)
        return render(
            "kernel/pypto.py.j2",
            op=operator.type,
            name=operator.name,
            head=self._head(),
            about=self._about([*views, *tiles, *section]),
            constants=constants,
            data=[f"{f.name}: {f.type}" for f in plan.data],
            key=list(self._key()),
            datatype=[f'"{parameter}": "{name}",' for parameter, name in plan.datatype],
            parameters=list(parameters(operator)),
            views=fitted(indented(views, 4)),
            tiles=fitted(indented([*comment_block(table), *tiles], 4)),
            section=fitted(indented(section, 8)),
        )

    def _head(self) -> str:
        operator = self.operator
        lines = [line.rstrip() for line in operator.compute.splitlines() if line.strip()]
        start = f"Device kernel of {operator.type}"
        if len(lines) == 1 and len(start) + len(lines[0]) < WIDTH - 10:
            return python_docstring(f"{start}: {lines[0].strip()}.")
        formula = "\n".join(f"    {line}" for line in lines)
        of = "element" if self.rows is None else "row"
        return python_docstring(f"{start}, which computes\n\n{formula}\n\nfor every {of}.\n")

    def _about(self, lines: list[str]) -> list[str]:
        """What a reader and a linter must know of names that come from nowhere."""
        words = {word for line in lines for word in _words(line)}
        known = [name for name in [*self.names.dtypes.values(), *(f.name for f in self.plan.key)] if name in words]
        if not known:
            return []
        is_are = "is a constant" if len(known) == 1 else "are constants"
        text = f"{listed(known)} {is_are} that PyPTO Pro puts into each instance of the kernel."
        return [*comment(text), "# ruff: noqa: F821", ""]

    def _named_constants(self, lines: list[str]) -> list[str]:
        """Sizes of a tile, which the host counts tiles with; sizes of tensors that are fixed."""
        host = f"op_host/{self.operator.name}_tiling.cpp"
        fixed = [b for b in self.plan.blocks if b.value.number is not None]
        result = []
        if fixed:
            of = "Elements of a tile" if self.rows is None else "Rows and columns of a tile"
            if "length" in self.held:
                result += comment(f"{of} at most. {host} divides the work evenly, and tells how many a tile has.")
            else:
                many = "of this length" if self.rows is None else "of so many rows"
                result += comment(f"{of}. {host} counts tiles {many}.")
            result += [f"{b.constant} = {b.value.number}" for b in fixed]
        words = {word for line in lines for word in _words(line)}
        for name, text, value in self._fixed_sizes():
            if name in words:
                result += ["", f"# {text}", f"{name} = {value}"]
        return result or ["# The tile depends on the key."]

    def _fixed_sizes(self) -> Iterator[tuple[str, str, int | None]]:
        elements = self.plan.elements
        if self.rows is None:
            yield "TOTAL_LENGTH", "Elements of a tensor.", elements.number if elements is not None else None
            return
        for name, text, dim in (
            ("ROWS", "Rows of a tensor.", self.rows.lead),
            ("COLUMNS", "Elements of a row.", self.rows.last),
        ):
            yield name, text, dim.default if dim.fixed and isinstance(dim.default, int) else None

    def _key(self) -> Iterator[str]:
        for field in self.plan.key:
            text = field.doc.en
            if field.choices:
                shown = ", ".join(f"{v}: {c}" for v, c in zip(field.values, field.choices, strict=True))
                text = f"{text.rstrip('.')} ({shown})."
            yield from comment(text, 4)
            values = ", ".join(map(str, field.values))
            yield f"{field.name} = TilingKeyField(bits={field.bits}, values=[{values}])"

    # ---- views ----

    def dtype(self, name: str, variant: Variant) -> str:
        """The type that a tensor of this type, symbol or attribute is moved as, as written in the kernel."""
        actual = variant.dtype(name)
        moved = moved_as(actual)
        if moved == actual and name in self.names.dtypes:
            return self.names.dtypes[name]
        return f"pl.{NAMES[moved]}"

    def size(self, quantity: str) -> str:
        """elements, rows or columns, as written."""
        if quantity in self.held:
            return f"tiling.{self.held[quantity]}"
        return {"elements": "TOTAL_LENGTH", "rows": "ROWS", "columns": "COLUMNS"}[quantity]

    def _views(self) -> list[str]:
        several = "each flattened tensor is one row" if len(self.names.parameters) > 1 else "the tensor is one row"
        result = comment(f"A view that is loaded or stored needs two axes: {several}.", 4) if self.rows is None else []
        for tensor in (*self.operator.inputs, *self.operator.outputs):
            result += self._chosen(partial(self._view, tensor))
        return result

    def _view(self, tensor: Tensor, kernel: KernelVariant, setting: Setting) -> list[str]:
        program = kernel.layout.program
        output = tensor.role == "output"
        moved: list[Store | Load] = list(program.stores) if output else [*program.loads, *program.vectors]
        used = {self.names.tensor(x.tensor) for x in moved}
        if tensor.name not in used | ({e.tensor for e in program.elements} if not output else set()):
            return []
        parameter = f"{tensor.name}_ref" if output and tensor.inplace else tensor.name
        shape = self._shape(tensor)
        args = [parameter, f"[{', '.join(shape)}]", f"[{shape[1]}, 1]"]
        dtype = self.dtype(tensor.dtype, kernel.variant)
        return [f"{self.names.views[tensor.name, output]} = pl.make_tensor({', '.join(args)}, dtype={dtype})"]

    def _shape(self, tensor: Tensor) -> list[str]:
        form = self.rows.form(tensor) if self.rows is not None else ""
        if form is None or (single(tensor.shape) and self._has_larger()):
            return ["1", "1"]
        if self.rows is None:
            return ["1", self.size("elements")]
        if form == "row":
            return ["1", self.size("rows")]
        times = self.rows.times(simplify(tensor.shape[-1])) or 1
        columns = self.size("columns") if times == 1 else f"{times} * {self.size('columns')}"
        return ["1" if form else self.size("rows"), columns]

    def _has_larger(self) -> bool:
        return any(not single(t.shape) for t in (*self.operator.inputs, *self.operator.outputs))


def comment_block(lines: list[str]) -> list[str]:
    return [f"# {line}".rstrip() for line in lines]


def _words(line: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in line.partition("# ")[0]).split()
