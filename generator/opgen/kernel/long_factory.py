"""The function of a kernel script that builds a kernel for rows that do not fit on chip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from opgen.formula.signature import Variant
from opgen.kernel.aliases import Aliases, Texts
from opgen.kernel.body import Body
from opgen.kernel.factory import Factory, _formula_lines, _subject
from opgen.kernel.forms import Form, Rows
from opgen.kernel.lines import indented, listed
from opgen.kernel.names import KernelNames
from opgen.kernel.passes import Pass
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.rows_builder import FIRST
from opgen.kernel.rows_factory import RowsFactory
from opgen.spec.model import Operator


class LongBody(Body):
    """Prints the parts of passes over pieces of rows."""

    def part(self, start: int, end: int) -> tuple[str, ...]:
        """Lines of a part of the body, with the flag that gives the inputs' slots back if it reads any."""
        program, place = self.layout.program, self.layout.place
        slots = {place[x.register].name for x in program.loads if x.register.form != "row"}
        reading = [n for n in range(start, end) if any(place[r].name in slots for r in program.body[n].reads)]
        result: list[str] = []
        for run in self._runs(start, end):
            result += [*self._heading(run, result), *self._run(run)]
            if reading and reading[-1] in run:
                result.append(f'T.set_flag("v", "mte2", {self.event})')
        return tuple(result)

    def computation(self) -> list[str]:
        return list(self.part(0, len(self.layout.program.body)))


class LongFactory(RowsFactory):
    """Writes `def NAME_long(n, c, dtype, cores, ...)`, or `def NAME(...)` where no other kernel is needed."""

    def __init__(
        self,
        operator: Operator,
        plan: KernelPlan,
        plans: tuple[VariantPlan, ...],
        names: KernelNames,
        rows: Rows,
        whole: LongFactory | None = None,
    ) -> None:
        turns = replace(names, own={**names.own, "i": names.own["j"]})  # slots take turns by pieces
        self.turns = turns
        super().__init__(operator, replace(plan, recycled=()), plans, names, "", rows, whole)
        self.overlapping = False  # one tile of many is clipped, which costs less than it takes to compile
        self.row_loads = [x for x in self.loads if x.register.form == "row"]
        self.only = plan.long == plan.variants
        if not self.only:
            self.name += "_long"
        self.event = self.event.replace(names.own["i"] + " %", names.own["j"] + " %")

    def _scalars(self) -> dict[str, str]:
        return super()._scalars() | {FIRST: self.own["first"]}

    def _body(self, plan: VariantPlan, compiled_in: frozenset[str]) -> Body:
        lines = tuple(_formula_lines(self.operator))
        wide = frozenset(a.name for a in self.operator.dynamic_attrs if a.type == "int")
        sizes = {d.name for d in (self.rows.lead, self.rows.last) if not d.dynamic}
        body = LongBody(plan.layout, self.turns, self.scalars, compiled_in | sizes, wide, plan.slots, lines, 2)
        own = self.own
        body.padded = f"{own['first']} + {own['columns']} > {own['c']}"
        return body

    def _summary(self) -> str:
        n, c = self.sizes
        if self.only:
            return super()._summary()
        return f"The kernel for {n} rows of {c} elements that do not fit on chip."

    def _sizes(self) -> Iterator[str]:
        own, n, c = self.own, self.own["n"], self.own["c"]
        cores, blocks, rows = own["cores"], own["blocks"], own["rows"]
        for symbol, variable in self.moved.items():
            yield f"{variable} = MOVED_AS.get({self.names.dtypes[symbol]}, {self.names.dtypes[symbol]})"
        if self._half:
            yield f"{own['half']} = {self._half}"
        yield f"{rows}, {own['columns']} = PIECE"
        if self.rows.last.dynamic:
            yield f"if {c} == -1:"
            yield f'    {c} = T.symbolic("{c}")'
        few = f"{rows} = min({rows}, -(-{n} // (2 * {cores})))"
        equal = [*([] if self.plan.fixed else [few]), f"{blocks} = min({cores}, -(-{n} // (2 * {rows})))"]
        equal[0] += "  # a core has two vector units, vid 0 and 1"
        if self.dynamic:
            yield f"if {n} == -1:"
            yield f'    {n}, {blocks} = T.symbolic("{n}"), {cores}'
            yield "else:"
            yield from indented(equal, 4)
        else:
            yield from equal
        yield f"{own['workers']} = 2 * {blocks}"
        yield f"{own['tiles']} = T.ceildiv({n}, {rows})" if self.dynamic else f"{own['tiles']} = -(-{n} // {rows})"
        yield f"{own['pieces']} = T.ceildiv({c}, {own['columns']})"
        if self._uses_tile:
            yield f"tile = {rows} * {own['columns']}"

    def _box(self, name: str, form: Form) -> str:
        own = self.own
        index = {"": f"{own['start']}, {own['first']}", "row": own["start"], "column": own["first"]}[form]
        return f"{self.names.user[name]}[{index}]"

    def _place(self, held: str, form: Form) -> str:
        """A buffer, or its slot of this piece."""
        if form == "row" or self.slots == 1:
            return held
        return f"{held}[{self.own['j']} % 2, {':' if form else ':, :'}]"

    # ---- the text ----

    def _passes(self) -> list[Pass]:
        return list(self.plans[0].passes)

    def _part(self, number: int, looped: bool) -> list[str]:
        """Lines of a pass in front of its loop, or in it; what stands behind the last is that of one more."""
        assert isinstance(self.whole, LongFactory)
        found = self.whole.alike_in.get(number) if looped else None
        return self._shared(found, self._texts_of(number, looped), 24 if looped else 20)

    def _texts_of(self, number: int, looped: bool) -> Texts:
        """Each variant's lines of that part."""
        texts = {}
        for plan in self.plans:
            body, program = self.bodies[plan.variant], plan.layout.program
            assert isinstance(body, LongBody)
            if number == len(plan.passes):
                start, end = plan.passes[-1].end if plan.passes else 0, len(program.body)
            else:
                at = plan.passes[number]
                start, end = (at.loop, at.end) if looped else (at.start, at.loop)
            texts[plan.variant] = body.part(start, end)
        return texts

    @cached_property
    def alike_in(self) -> dict[int, Aliases]:
        """What the types compute alike of each piece, by passes."""
        counts = {len(part._passes()) for part in self.parts if isinstance(part, LongFactory)}
        if len(counts) != 1:
            return {}
        found = {n: self._alike_of(_of_pass(n)) for n in range(*counts)}
        return {number: alike for number, alike in found.items() if alike is not None}

    @property
    def tells_types(self) -> bool:
        return bool(self.alike_in)

    def _kinds(self) -> list[tuple[Variant, ...]]:
        kinds = {alike.kinds for alike in self.alike_in.values()}
        if len(kinds) != 1:
            return []  # conditions stand in many places, each with its own
        return [tuple(v for v in self.bodies if v.types in kind) for kind in next(iter(kinds))]

    def _computation(self) -> list[str]:
        return [
            line
            for number in range(len(self._passes()))
            for looped in (0, 1)
            for line in self._part(number, bool(looped))
        ]

    def _loop(self) -> list[str]:
        own = self.own
        body: list[str] = [*self._start()]
        body += self._row_loads()
        if self.row_stores:
            held = listed([self.names.slots[x.tensor, True] for x in self.row_stores])
            stored = "has" if len(self.row_stores) == 1 else "have"
            body += ["", f'T.wait_flag("mte3", "v", ROW_EVENT)  # {held} {stored} been stored']
        for number, this in enumerate(self._passes()):
            body += ["", *self._part(number, False)]
            body += [f"for {own['j']} in T.serial({own['pieces']}):", *indented(self._piece(number, this), 4)]
        tail = self._part(len(self._passes()), False)
        body += [*([""] if tail else []), *tail, *self._row_ends()]
        start_free = "both buffers start out free" if self.slots == 2 else "the buffers start out free"
        loads = any(p.loads for p in self._passes())
        return [
            *self._flags("set", start_free, loads),
            f"for {own['i']} in T.serial(T.ceildiv({own['tiles']} - cid * 2 - vid, {own['workers']})):",
            *indented(body, 4),
            *self._flags("wait", "every flag that was set is waited for", loads),
        ]

    def _piece(self, number: int, this: Pass) -> list[str]:
        """What happens to a piece."""
        own, event, slots = self.own, self.event, self.names.slots
        loads = [(self._pads(x), self._place(slots[x.tensor, False], x.register.form), x) for x in this.loads]
        shown = self._whole_pass(number, this).loads
        inputs = _subject([slots[x.tensor, False] for x in shown], "input")
        outputs = _subject([slots[x.tensor, True] for x in this.stores], "output")
        have, are = ("has", "is") if len(shown) == 1 else ("have", "are")
        stored, done = ("has", "is") if len(this.stores) == 1 else ("have", "are")
        body = [f"{own['first']} = {own['j']} * {own['columns']}"]
        if loads:
            body += ["", f'T.wait_flag("v", "mte2", {event})  # {inputs} {have} been read']
            body += [f"T.copy({self._box(x.tensor, x.register.form)}, {held}{pad})" for pad, held, x in loads]
            body += [f'T.set_flag("mte2", "v", {event})', ""]
            body.append(f'T.wait_flag("mte2", "v", {event})  # {inputs} {are} loaded')
        if this.stores:
            body.append(f'T.wait_flag("mte3", "v", {event})  # {outputs} {stored} been stored')
        body += self._part(number, True)
        if this.stores:
            body += [f'T.set_flag("v", "mte3", {event})', ""]
            body.append(f'T.wait_flag("v", "mte3", {event})  # {outputs} {done} computed')
            for store in this.stores:
                held = self._place(slots[store.tensor, True], store.register.form)
                body.append(f"T.copy({held}, {self._box(store.tensor, store.register.form)})")
            body.append(f'T.set_flag("mte3", "v", {event})')
        return body

    def _whole_pass(self, number: int, this: Pass) -> Pass:
        """The same pass where every input is connected."""
        passes = self.whole.plans[0].passes
        return passes[number] if len(passes) == len(self._passes()) else this

    def _row_loads(self) -> list[str]:
        if not self.row_loads:
            return []
        slots = self.names.slots
        shown = [slots[x.tensor, False] for x in self.whole.loads if x.register.form == "row"]
        held, (have, are) = listed(shown), ("has", "is") if len(shown) == 1 else ("have", "are")
        return [
            "",
            f'T.wait_flag("v", "mte2", ROW_EVENT)  # {held} {have} been read',
            *(f"T.copy({self._box(x.tensor, 'row')}, {slots[x.tensor, False]})" for x in self.row_loads),
            'T.set_flag("mte2", "v", ROW_EVENT)',
            f'T.wait_flag("mte2", "v", ROW_EVENT)  # {held} {are} loaded',
        ]

    def _row_ends(self) -> list[str]:
        """Behind the last pass of a tile."""
        result = [""] if self.row_loads or self.row_stores else []
        if self.row_loads:
            result.append('T.set_flag("v", "mte2", ROW_EVENT)')
        if not self.row_stores:
            return result
        slots = self.names.slots
        held = listed([slots[x.tensor, True] for x in self.row_stores])
        return [
            *result,
            'T.set_flag("v", "mte3", ROW_EVENT)',
            f'T.wait_flag("v", "mte3", ROW_EVENT)  # {held} {"is" if len(self.row_stores) == 1 else "are"} computed',
            *(f"T.copy({slots[x.tensor, True]}, {self._box(x.tensor, 'row')})" for x in self.row_stores),
            'T.set_flag("mte3", "v", ROW_EVENT)',
        ]

    def _pipes(self, loads: bool) -> list[tuple[str, str]]:
        stores = any(p.stores for p in self._passes())
        return [*([("v", "mte2")] if loads else []), *([("mte3", "v")] if stores else [])]


def _of_pass(number: int) -> Callable[[Factory], Texts]:
    def texts(part: Factory) -> Texts:
        assert isinstance(part, LongFactory)
        return part._texts_of(number, True)

    return texts
