"""The functions of a kernel script that build kernels on tensors of one row, which one vector unit works on."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.kernel.body import Body
from opgen.kernel.factory import Factory, _formula_lines, _subject
from opgen.kernel.forms import Rows
from opgen.kernel.lines import indented, listed
from opgen.kernel.long_factory import LongFactory
from opgen.kernel.names import KernelNames
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.rows_factory import RowsFactory
from opgen.spec.model import Operator


class OneRowBody(Body):
    """Prints a body that is computed once: no buffer is used again, so no flag gives one back."""

    def computation(self) -> list[str]:
        result: list[str] = []
        for run in self._runs(0, len(self.layout.program.body)):
            result += [*self._heading(run, result), *self._run(run)]
        return result


class OneRowFactory(RowsFactory):
    """Writes `def NAME(c, dtype, cores, ...)` for a row that fits on chip."""

    def __init__(
        self,
        operator: Operator,
        plan: KernelPlan,
        plans: tuple[VariantPlan, ...],
        names: KernelNames,
        types: str,
        rows: Rows,
        whole: RowsFactory | None = None,
    ) -> None:
        super().__init__(operator, plan, plans, names, types, rows, whole)
        self.row_stores = []  # stored once, with the others

    def _body(self, plan: VariantPlan, compiled_in: frozenset[str]) -> Body:
        lines = tuple(_formula_lines(self.operator))
        wide = frozenset(a.name for a in self.operator.dynamic_attrs if a.type == "int")
        known = compiled_in | {dim.name for _, dim in self.rows.sizes if not dim.dynamic}
        return OneRowBody(plan.layout, self.names, self.scalars, known, wide, plan.slots, lines, 2)

    def _summary(self) -> str:
        return f"{_kernel_of(self)} that fits on chip."

    def _sizes(self) -> Iterator[str]:
        own, c = self.own, self.own["c"]
        yield from _types(self)
        yield f"{own['columns']} = padded({c})"
        if self.rows.last.dynamic:
            yield f"if {c} == -1:"
            yield f'    {c} = T.symbolic("{c}")'
        if self._uses_tile:
            yield f"tile = {own['columns']}"

    def _loop(self) -> list[str]:
        slots = self.names.slots
        inputs = _subject([slots[x.tensor, False] for x in self.whole.loads], "input")
        outputs = _subject([slots[x.tensor, True] for x in self.stores], "output")
        are = "is" if len(self.whole.loads) == 1 else "are"
        done = "is" if len(self.stores) == 1 else "are"
        body = []
        if self.loads and any(b.cleared() for b in self.bodies.values()):
            body += ['T.set_flag("v", "mte2", EVENT)', 'T.wait_flag("v", "mte2", EVENT)']
        body += [self._load(x) for x in self.loads]
        once = self._once()
        if self.loads:
            arrived = f'T.wait_flag("mte2", "v", EVENT)  # {inputs} {are} loaded'
            body += ['T.set_flag("mte2", "v", EVENT)', *once, arrived]
        else:
            body += once
        body += self._computation()
        body += ['T.set_flag("v", "mte3", EVENT)', f'T.wait_flag("v", "mte3", EVENT)  # {outputs} {done} computed']
        body += [f"T.copy({slots[x.tensor, True]}, {self._box(x.tensor, x.register.form)})" for x in self.stores]
        return ["if vid == 0:", *indented(body, 4)]


class LongRowFactory(LongFactory):
    """Writes `def NAME_long(c, dtype, cores, ...)` for a row in pieces, or `def NAME(...)` where that is all."""

    def __init__(
        self,
        operator: Operator,
        plan: KernelPlan,
        plans: tuple[VariantPlan, ...],
        names: KernelNames,
        rows: Rows,
        whole: LongFactory | None = None,
    ) -> None:
        super().__init__(operator, plan, plans, names, rows, whole)
        self.results, self.row_stores = self.row_stores, []  # stored once, at the end

    def _summary(self) -> str:
        return f"{_kernel_of(self)}{'' if self.only else ' that does not fit on chip'}."

    def _sizes(self) -> Iterator[str]:
        own, c = self.own, self.own["c"]
        yield from _types(self)
        yield f"{own['columns']} = PIECE"
        if self.rows.last.dynamic:
            yield f"if {c} == -1:"
            yield f'    {c} = T.symbolic("{c}")'
        ceiling = f"T.ceildiv({c}, {own['columns']})" if self.rows.last.dynamic else f"-(-{c} // {own['columns']})"
        yield f"{own['pieces']} = {ceiling}"
        if self._uses_tile:
            yield f"tile = {own['columns']}"

    def _loop(self) -> list[str]:
        own = self.own
        body: list[str] = []
        for number, this in enumerate(self._passes()):
            body += [*([""] if number else []), *self._part(number, False)]
            body += [f"for {own['j']} in T.serial({own['pieces']}):", *indented(self._piece(number, this), 4)]
        tail = self._part(len(self._passes()), False)
        body += [*([""] if tail or self.results else []), *tail, *self._row_ends()]
        start_free = "both buffers start out free" if self.slots == 2 else "the buffers start out free"
        loads = any(p.loads for p in self._passes())
        flags = self._pipes(loads)
        body = [
            *(self._flags("set", start_free, loads) if flags else []),
            *body,
            *(self._flags("wait", "every flag that was set is waited for", loads) if flags else []),
        ]
        return ["if vid == 0:", *indented(body, 4)]

    def _row_ends(self) -> list[str]:
        if not self.results:
            return []
        slots = self.names.slots
        held = listed([slots[x.tensor, True] for x in self.results])
        return [
            'T.set_flag("v", "mte3", EVENT)',
            f'T.wait_flag("v", "mte3", EVENT)  # {held} {"is" if len(self.results) == 1 else "are"} computed',
            *(f"T.copy({slots[x.tensor, True]}, {self._box(x.tensor, 'row')})" for x in self.results),
        ]


def _kernel_of(factory: Factory) -> str:
    (c,) = factory.sizes
    return f"The kernel for a row of {c} elements"


def _types(factory: Factory) -> Iterator[str]:
    """Variables that follow from the element types."""
    for symbol, variable in factory.moved.items():
        dtype = factory.names.dtypes[symbol]
        yield f"{variable} = MOVED_AS.get({dtype}, {dtype})"
    if factory._half:
        yield f"{factory.own['half']} = {factory._half}"
