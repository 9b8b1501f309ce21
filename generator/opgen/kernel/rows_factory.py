"""The function of a kernel script that builds a kernel on rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.formula.signature import Tensor
from opgen.formula.sizes import Size, python
from opgen.kernel.blocks import Blocks
from opgen.kernel.body import Body
from opgen.kernel.factory import Factory, _formula_lines, _subject
from opgen.kernel.forms import Form, Rows
from opgen.kernel.lines import comment, indented, listed
from opgen.kernel.names import KernelNames
from opgen.kernel.pieces import pieces
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.rows_planner import padding_text
from opgen.kernel.tidied import tidied
from opgen.kernel.vector import MASK, Load, Program
from opgen.spec.model import Operator

_TWO_UNITS = "# a core has two vector units, vid 0 and 1"
_TILE = re.compile(r"(?<![.\w])tile\b")  # the variable, not T.tile


class RowsFactory(Factory):
    """Writes `def NAME(n, c, dtype, cores, ...)`. types: what `tile_rows` is called with besides the columns."""

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
        self.rows = rows
        self.of_types = types
        self.pieces = {piece.name: piece for piece in pieces(operator)}
        self.recycled = bool(plan.recycled)
        super().__init__(operator, plan, plans, names, "", rows.lead.dynamic, whole)
        self.row_loads = [x for x in self.loads if x.register.form]
        self.row_stores = [x for x in self.stores if x.register.form == "row"]
        apart = isinstance(rows, Blocks) or rows.alone
        self.overlapping = not apart and not any(t.inplace for t in operator.outputs)

    @property
    def sizes(self) -> list[str]:
        return [*self.names.sizes.values()]

    def _scalars(self) -> dict[str, str]:
        scalars = {a.name: self.names.user[a.name] for a in self.operator.attrs}
        return {**scalars, **self.names.sizes, **self.elements.scalars}

    def _body(self, plan: VariantPlan, compiled_in: frozenset[str]) -> Body:
        lines = tuple(_formula_lines(self.operator))
        wide = frozenset(a.name for a in self.operator.dynamic_attrs if a.type == "int")
        sizes = {dim.name for _, dim in self.rows.sizes if not dim.dynamic}
        known = compiled_in | sizes
        return Body(plan.layout, self.names, self.scalars, known, wide, plan.slots, lines, 2, self.recycled)

    def _summary(self) -> str:
        n, c = self.sizes
        open_ = [size for size, dim in zip(self.sizes, (self.rows.lead, self.rows.last), strict=True) if dim.dynamic]
        any_ = f"; -1 leaves {listed(open_)} open" if open_ else ""
        return f"The kernel for {n} rows of {c} elements{any_}."

    def _sizes(self) -> Iterator[str]:
        own, n, c = self.own, self.own["n"], self.own["c"]
        cores, blocks, workers, last = own["cores"], own["blocks"], own["workers"], own["last"]
        rows, columns = own["rows"], own["columns"]
        for symbol, variable in self.moved.items():
            yield f"{variable} = MOVED_AS.get({self.names.dtypes[symbol]}, {self.names.dtypes[symbol]})"
        if self._half:
            yield f"{own['half']} = {self._half}"
        yield f"{columns} = padded({c})"
        most = f"tile_rows({columns}{self.of_types})"
        if self.rows.last.dynamic:
            yield f"if {c} == -1:"
            yield f'    {c} = T.symbolic("{c}")'
        if self.dynamic:
            yield f"if {n} == -1:"
            yield f'    {n}, {blocks}, {rows} = T.symbolic("{n}"), {cores}, {most}'
            if self.overlapping:
                yield f"    {last} = T.Select({n} < {rows}, 0, {n} - {rows})"
            yield "else:"
            yield from indented(list(self._equal(most)), 4)
        else:
            yield from self._equal(most)
        yield f"{workers} = 2 * {blocks}"
        yield f"{own['tiles']} = {f'T.ceildiv({n}, {rows})' if self.dynamic else f'-(-{n} // {rows})'}"
        if self._uses_tile:
            yield f"tile = {rows} * {columns}"

    @property
    def _uses_tile(self) -> bool:
        return any(_TILE.search(line.split("#")[0]) for line in self._main())

    def _equal(self, most: str) -> Iterator[str]:
        own, n = self.own, self.own["n"]
        if self.plan.fixed:
            yield f"{own['rows']} = {most}"
            yield f"{own['blocks']} = min({own['cores']}, -(-{n} // (2 * {own['rows']})))  {_TWO_UNITS}"
            if self.overlapping:
                yield f"{own['last']} = max({n} - {own['rows']}, 0)"
            return
        yield "# Equal tiles, and as many for each vector unit: a core has two, vid 0 and 1."
        yield f"{own['rounds']} = -(-{n} // (2 * {own['cores']} * {most}))"
        yield f"{own['rows']} = -(-{n} // (2 * {own['cores']} * {own['rounds']}))"
        yield f"{own['blocks']} = min({own['cores']}, -(-{n} // (2 * {own['rows']})))"
        if self.overlapping:
            yield f"{own['last']} = {n} - {own['rows']}"

    def _shape(self, tensor: Tensor) -> str:
        """Of a tensor in global memory, as the kernel sees it."""
        if tensor.name in self.elements.tensors:
            return "(1,)"
        n, form = self.own["n"], self.rows.form(tensor)
        if form == "row":
            return f"({n},)"
        length = self._size(tensor.shape[-1])
        return f"({length},)" if form == "column" else f"({n}, {length})"

    def _size(self, size: Size) -> str:
        """A size of op.yaml in the script's words."""
        return python(size, lambda name: self.names.sizes[name])

    def _tensor(self, name: str, output: bool) -> Tensor:
        """The tensor that a load or store moves, or a piece of."""
        name = self.pieces[name].tensor if name in self.pieces else name
        return next(t for t in (self.operator.outputs if output else self.inputs) if t.name == name)

    def _box(self, name: str, form: Form) -> str:
        """The part of a tensor that is a tile, in global memory."""
        start, rows = self.own["start"], self.own["rows"]
        piece = self.pieces.get(name)
        if piece is None:
            index = {"": f"{start}, 0", "row": start, "column": "0"}[form]
            return f"{self.names.user[name]}[{index}]"
        first, last = self._size(piece.start), self._size(piece.stop)
        columns = f"{first}:{last}" if f"{first}{last}".replace("_", "a").isalnum() else f"{first} : {last}"
        index = columns if form == "column" else f"{start} : {start} + {rows}, {columns}"
        return f"{self.names.user[piece.tensor]}[{index}]"

    def _main(self) -> list[str]:
        result = ["@T.prim_func", f"def {self.own['main']}("]
        for tensor in (*self.inputs, *self.outputs):
            result.append(f"    {self.names.user[tensor.name]}: T.Tensor({self._shape(tensor)}, {self.dtype(tensor)}),")
        for attr in self.operator.dynamic_attrs:
            result.append(f"    {self.names.user[attr.name]}: T.{'float32' if attr.type == 'float' else 'int64'},")
        core = "_" if self.rows.alone else "cid"
        result += ["):", f"    with T.Kernel({self.own['blocks']}, is_npu=True) as ({core}, vid):"]
        body = tidied(self._joined(lambda part: part._scope()))
        # A variable: the compiler takes minutes over copies whose place is an expression with the open number of rows.
        start = [f'{self.own["start"]} = T.alloc_var("int32")'] if self.overlapping else []
        result += indented([*self._buffers(), *self._element_buffers(), *start, 'with T.Scope("V"):'], 8)
        return [*result, *indented(body, 12)]

    def _scope(self) -> list[str]:
        return [*self._reads(), *self._cleared(), *self._vectors(), *self._loop()]

    def _buffers(self) -> Iterator[str]:
        own = self.own
        rows, columns = own["rows"], own["columns"]
        two = "2, " if self.slots == 2 else ""
        pieces = two if self.plans[0].passes else ""
        shapes = {"": f"({two}{rows}, {columns})", "row": f"({rows},)", "column": f"({pieces}{columns},)"}
        if pieces:
            shapes["column"] = f"({pieces}{columns})"
        recycled = {output for output, _ in self.plan.recycled}
        program = self.plans[0].layout.program
        for output, moved in ((False, self._in_order(program)), (True, self.stores)):
            for move in moved:
                if output and move.tensor in recycled:
                    continue
                held, tensor = self.names.slots[move.tensor, output], self._tensor(move.tensor, output)
                stays = isinstance(move, Load) and move.moved != "tile" and not move.register.form
                shape = f"({rows}, {columns})" if stays else shapes[move.register.form]
                yield f"{held} = T.alloc_ub({shape}, {self.dtype(tensor)})"
        scratch = {b.name: b for held in self.all_layouts for b in held.buffers if not b.slotted and not b.tensor}
        reason = self._reason()
        for name, buffer in scratch.items():
            if buffer.dtype == MASK:
                count = "tile" if not buffer.form else columns
                yield f'{name} = T.alloc_ub(({count} // 8,), "uint8")  # one bit an element'
                continue
            shapes = {"": f"({rows}, {columns})", "row": f"({rows},)", "column": f"({columns},)"}
            why = reason if not buffer.form else ""
            yield f'{name} = T.alloc_ub({shapes[buffer.form]}, "{buffer.dtype}"){why}'
            reason = "" if why else reason

    def _in_order(self, program: Program) -> list[Load]:
        """What is loaded, in the order of op.yaml."""
        order = [t.name for t in self.inputs]
        moved = {x.tensor: x for x in (*program.loads, *program.vectors)}
        return sorted(moved.values(), key=lambda x: order.index(self._tensor(x.tensor, False).name))

    def _cleared(self) -> list[str]:
        groups = {v: tuple(body.cleared()) for v, body in self.bodies.items()}
        if not any(groups.values()):
            return []
        from opgen.kernel.branches import merge

        why = "A copy that is clipped leaves the padding of these types as it was, and casts read all of it."
        return [*comment(why, 16), *self._branches(merge(groups), 16)]

    @property
    def _vectors_once(self) -> list[Load]:
        return [x for x in self.plans[0].layout.program.vectors if x.moved == "once"]

    def _vectors(self) -> list[str]:
        """Inputs of one row, which stay on chip. They arrive while the first tile does."""
        vectors = self._vectors_once
        if not vectors:
            return []
        held = [(self._box(x.tensor, "column"), self.names.slots[x.tensor, False]) for x in vectors]
        waits = []
        if any(body.cleared() for body in self.bodies.values()):
            waits = ['T.set_flag("v", "mte2", COLUMN_EVENT)', 'T.wait_flag("v", "mte2", COLUMN_EVENT)']
        return [
            *waits,
            *(f"T.copy({box}, {buffer})" for box, buffer in held),
            'T.set_flag("mte2", "v", COLUMN_EVENT)',
        ]

    def _prepared(self) -> list[str]:
        """What is done once, behind the first flags, so that it does not hold up the first load."""
        vectors = self._vectors_once
        if not vectors:
            return self._once()
        every = self.whole.plans[0].layout.program.vectors
        held = [self.names.user[self._tensor(x.tensor, False).name] for x in every if x.moved == "once"]
        names = listed(list(dict.fromkeys(held)))
        stay = "are loaded and stay" if " and " in names else "is loaded and stays"
        return [f'T.wait_flag("mte2", "v", COLUMN_EVENT)  # {names} {stay}', *self._once()]

    def _load(self, load: Load) -> str:
        form, held = load.register.form, self.names.slots[load.tensor, False]
        if form:
            return f"T.copy({self._box(load.tensor, form)}, {held})"
        return f"T.copy({self._box(load.tensor, form)}, {self._turn(held)}{self._pads(load)})"

    def _pads(self, load: Load) -> str:
        pad = padding_text(load.pad, self.dtype(self._tensor(load.tensor, False)))
        return f", pad_value={pad}" if pad and load.register.form != "row" else ""

    def _turn(self, held: str) -> str:
        return f"{held}[{self.own['i']} % 2, :, :]" if self.slots == 2 else held

    @property
    def _trips(self) -> str:
        """Tiles of a worker."""
        return f"T.ceildiv({self.own['tiles']} - cid * 2 - vid, {self.own['workers']})"

    def _loop(self) -> list[str]:
        own, event = self.own, self.event
        i = own["i"]
        slots = self.names.slots
        stores = []
        for x in self.stores:
            held = slots[x.tensor, True]
            source = held if x.register.form else self._turn(held)
            stores.append((x, f"T.copy({source}, {self._box(x.tensor, x.register.form)})"))
        inputs = _subject([slots[x.tensor, False] for x in self.whole.loads], "input")
        outputs = _subject(list(dict.fromkeys(slots[x.tensor, True] for x in self.stores)), "output")
        have, are = ("has", "is") if len(self.whole.loads) == 1 else ("have", "are")
        stored, done = ("has", "is") if len(self.stores) == 1 else ("have", "are")
        body: list[str] = [*self._start(), ""]
        if self.loads:
            free = f"{inputs} {have} been read"
            if self.recycled:
                free = f"{outputs} {stored} been stored"
            body.append(f'T.wait_flag("{self._user}", "mte2", {event})  # {free}')
            body += [self._load(x) for x in self.loads if not x.register.form]
            if self.row_loads:
                body.append('T.wait_flag("v", "mte2", ROW_EVENT)')
                body += [self._load(x) for x in self.row_loads]
            body += [f'T.set_flag("mte2", "v", {event})', ""]
            body.append(f'T.wait_flag("mte2", "v", {event})  # {inputs} {are} loaded')
        if not self.recycled:
            body.append(f'T.wait_flag("mte3", "v", {event})  # {outputs} {stored} been stored')
        body += self._computation()
        body += [f'T.set_flag("v", "mte3", {event})', ""]
        body.append(f'T.wait_flag("v", "mte3", {event})  # {outputs} {done} computed')
        if self.row_stores:
            body += [*(store for x, store in stores if x.register.form), 'T.set_flag("mte3", "v", ROW_EVENT)']
        body += [store for x, store in stores if not x.register.form]
        body.append(f'T.set_flag("mte3", "{"mte2" if self.recycled else "v"}", {event})')
        start_free = "both buffers start out free" if self.slots == 2 else "the buffers start out free"
        return [
            *self._flags("set", start_free, bool(self.loads)),
            *self._prepared(),
            f"for {i} in T.serial({self._trips}):",
            *indented(body, 4),
            *self._flags("wait", "every flag that was set is waited for", bool(self.loads)),
        ]

    @property
    def _user(self) -> str:
        """The pipe that uses an input's slot last."""
        return "mte3" if self.recycled else "v"

    def _flags(self, verb: str, why: str, loads: bool) -> list[str]:
        lines = super()._flags(verb, why, loads)
        if self.row_loads:
            lines.append(f'T.{verb}_flag("v", "mte2", ROW_EVENT)')
        if self.row_stores:
            lines.append(f'T.{verb}_flag("mte3", "v", ROW_EVENT)')
        return lines

    def _pipes(self, loads: bool) -> list[tuple[str, str]]:
        return [("mte3", "mte2")] if self.recycled else super()._pipes(loads)

    def _start(self) -> list[str]:
        own = self.own
        expression = f"({own['i']} * {own['workers']} + cid * 2 + vid) * {own['rows']}"
        if not self.overlapping:
            clipped = "Copies are clipped at the last row, so the last tile needs no special case."
            return [*comment(clipped, 20), f"{own['start']} = {expression}"]
        why = "The last tile ends with the last row; where it overlaps the one before, both store the same values."
        return [
            *comment(why, 20),
            f"{own['start']} = {expression}",
            f"if {own['start']} > {own['last']}:",
            f"    {own['start']} = {own['last']}",
        ]
