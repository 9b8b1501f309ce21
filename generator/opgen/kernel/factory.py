"""The function of a kernel script that builds the kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import MOVED_AS
from opgen.formula.signature import Attr, Variant
from opgen.kernel.aliases import Aliases, Texts
from opgen.kernel.body import Body
from opgen.kernel.branches import HALF, choice, literal, merge
from opgen.kernel.elements import Elements
from opgen.kernel.elementwise import counts_elements
from opgen.kernel.lines import call, comment, fitted, indented, listed
from opgen.kernel.names import KernelNames
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.kernel.tidied import tidied
from opgen.kernel.variant_texts import VariantTexts
from opgen.kernel.vector import MASK
from opgen.spec.model import Operator, Tensor


class Factory(VariantTexts):
    """Writes `def NAME(n, dtype, cores, ...)`. plans: the variants with exactly these inputs absent. whole: the factory
    of the variants with all inputs, None for itself; it joins the texts of all of them."""

    def __init__(
        self,
        operator: Operator,
        plan: KernelPlan,
        plans: tuple[VariantPlan, ...],
        names: KernelNames,
        tile: str,
        dynamic: bool,
        whole: Factory | None = None,
    ) -> None:
        super().__init__(plans, names, whole)
        self.operator = operator
        self.plan = plan
        self.tile = tile
        self.dynamic = dynamic
        self.absent = plans[0].variant.absent
        self.inputs = operator.inputs
        self.outputs = [t for t in operator.outputs if not t.inplace]
        self.slots = plans[0].slots
        self.name = operator.name
        if whole is None:
            taken = {*names.taken, *(b.name for p in (*plan.variants, *plan.long) for b in p.layout.buffers)}
            self.elements = Elements(plans[0].layout.program.elements, names, taken)
        else:
            self.elements = whole.elements
        self.scalars = self._scalars()
        open_attrs = frozenset(a.name for a in operator.static_attrs if not a.closed)
        sizes = frozenset(d.name for d in operator.dims if counts_elements(operator, d.name) and not dynamic)
        self.bodies = {p.variant: self._body(p, open_attrs | sizes) for p in plans}
        self.once_groups = merge({v: tuple(body.once()) for v, body in self.bodies.items()})
        self.loads = plans[0].layout.program.loads
        self.stores = plans[0].layout.program.stores
        self.event = next(iter(self.bodies.values())).event
        self.overlapping = not dynamic and not any(t.inplace for t in operator.outputs)

    @property
    def sizes(self) -> list[str]:
        """Parameters of the function that are sizes."""
        return [self.own["n"]]

    # ---- names ----

    def _scalars(self) -> dict[str, str]:
        """Formula name -> name of the number in the script."""
        scalars = {a.name: self.names.user[a.name] for a in self.operator.attrs}
        scalars |= {d.name: self.own["n"] for d in self.operator.dims if counts_elements(self.operator, d.name)}
        return scalars | self.elements.scalars

    def _body(self, plan: VariantPlan, compiled_in: frozenset[str]) -> Body:
        lines = tuple(_formula_lines(self.operator))
        wide = frozenset(a.name for a in self.operator.dynamic_attrs if a.type == "int")
        return Body(plan.layout, self.names, self.scalars, compiled_in, wide, plan.slots, lines)

    @cached_property
    def options(self) -> list[Attr]:
        """Static attributes that the kernel's text reads."""
        attrs = self.operator.static_attrs
        texts = [text for part in self.parts for _, text in part.once_groups]
        texts += [text for part in self.parts for text in part.computed.values()]
        text = "\n".join(line for lines in texts for line in lines)
        open_names = {a.name for a in attrs if not a.closed and _mentions(text, self.names.user[a.name])}
        conditions = " ".join(self._branching())
        told = {a.name for a in attrs if a.closed and _mentions(conditions, self.names.user[a.name])}
        return [a for a in attrs if a.name in open_names | told]

    def _branching(self) -> Iterator[str]:
        for lines in (text for part in self.parts for text in (part._computation(), part._once())):
            yield from (line for line in lines if line.lstrip().startswith(("if ", "elif ")))

    @property
    def parameters(self) -> list[str]:
        """Of the function, after n."""
        options = [self.names.user[a.name] for a in self.options]
        return [*self.names.dtypes.values(), self.own["cores"], *options, *self.names.flags.values()]

    def dtype(self, tensor: Tensor) -> str:
        """A tensor's element type in the script, as copies are written with."""
        if tensor.dtype not in self.names.dtypes:
            return f'"{MOVED_AS.get(tensor.dtype, tensor.dtype)}"'
        return self.moved.get(tensor.dtype, self.names.dtypes[tensor.dtype])

    @cached_property
    def moved(self) -> dict[str, str]:
        """Type symbols with types that copies know by another name -> the variable of that name."""
        result = {}
        used = {t.dtype for t in (*self.inputs, *self.outputs)}
        for symbol, variable in self.names.dtypes.items():
            if symbol in used and any(dict(p.variant.types)[symbol] in MOVED_AS for p in self.plans):
                name = f"moved_{variable}"
                result[symbol] = name + "_" if name in self.names.taken else name
        return result

    # ---- the text ----

    def lines(self) -> list[str]:
        own = self.own
        hints = {own["cores"]: "int", **dict.fromkeys(self.names.dtypes.values(), "str")}
        hints |= {self.names.user[a.name]: _PYTHON[a.type] for a in self.options}
        hints |= dict.fromkeys(self.names.flags.values(), "bool")
        params = [*(f"{size}: int" for size in self.sizes), *(f"{p}: {hints[p]}" for p in self.parameters)]
        result = call(f"def {self.name}(", params, "):")
        result += indented([f'"""{self._summary()}"""', *self._sizes()], 4)
        result += ["", *indented(self._main(), 4), "", f"    return {own['main']}"]
        return fitted(result)

    def _summary(self) -> str:
        if self.dynamic:
            return "The kernel for n elements, or for any number of them when n is -1."
        return "The kernel for n elements."

    def _sizes(self) -> Iterator[str]:
        """Tile, blocks and rounds."""
        own, n = self.own, self.own["n"]
        cores, blocks, rounds, workers = own["cores"], own["blocks"], own["rounds"], own["workers"]
        for symbol, variable in self.moved.items():
            yield f"{variable} = MOVED_AS.get({self.names.dtypes[symbol]}, {self.names.dtypes[symbol]})"
        if self._half:
            yield f"{own['half']} = {self._half}"
        if self.dynamic:
            yield f"tile = {self.tile}"
            yield f"if {n} == -1:"
            yield f'    {n}, {blocks} = T.symbolic("{n}"), {cores}'
            yield "else:"
            yield f"    {blocks} = min({cores}, -(-{n} // (2 * tile)))"
            yield f"{workers} = 2 * {blocks}  # a core has two vector units, vid 0 and 1"
            yield f"{rounds} = T.ceildiv({n}, {workers} * tile)"
            return
        if self.plan.fixed:
            yield f"tile = {self.tile}"
        else:
            yield "# Equal tiles, and as many for each vector unit: a core has two, vid 0 and 1."
            yield f"{rounds} = -(-{n} // (2 * {cores} * {self.tile}))"
            yield f"tile = -(-{n} // (2 * {cores} * {rounds} * STEP)) * STEP"
        yield f"{blocks} = min({cores}, -(-{n} // (2 * tile)))"
        yield f"{workers} = 2 * {blocks}" + ("  # a core has two vector units, vid 0 and 1" if self.plan.fixed else "")
        yield f"{rounds} = -(-{n} // ({workers} * tile))"
        if self.overlapping:
            yield f"{own['last']} = max({n} - tile, 0)"

    def _main(self) -> list[str]:
        n = self.own["n"]
        result = ["@T.prim_func", f"def {self.own['main']}("]
        for tensor in (*self.inputs, *self.outputs):
            size = "1" if tensor.name in self.elements.tensors else n
            result.append(f"    {self.names.user[tensor.name]}: T.Tensor(({size},), {self.dtype(tensor)}),")
        for attr in self.operator.dynamic_attrs:
            result.append(f"    {self.names.user[attr.name]}: T.{'float32' if attr.type == 'float' else 'int64'},")
        result += ["):", f"    with T.Kernel({self.own['blocks']}, is_npu=True) as (cid, vid):"]
        body = tidied(self._joined(lambda part: part._scope()))
        result += indented([*self._buffers(), *self._element_buffers(), 'with T.Scope("V"):'], 8)
        return [*result, *indented(body, 12)]

    def _scope(self) -> list[str]:
        """What the vector unit does."""
        return [*self._reads(), *self._cleared(), *self._once(), *self._loop()]

    def _buffers(self) -> Iterator[str]:
        shape = "(2, tile)" if self.slots == 2 else "(tile,)"
        for tensor in (*self.inputs, *self.operator.outputs):
            for output in (False, True):
                held = self.names.slots.get((tensor.name, output))
                wanted = output == (tensor.role == "output") and tensor.name not in self.elements.tensors
                if held is not None and wanted:
                    yield f"{held} = T.alloc_ub({shape}, {self.dtype(tensor)})"
        scratch = {b.name: b for held in self.all_layouts for b in held.buffers if not b.slotted}
        reason = self._reason()
        for name, held_buffer in scratch.items():
            if held_buffer.dtype == MASK:
                yield f'{name} = T.alloc_ub((tile // 8,), "uint8")  # one bit an element'
            else:
                yield f'{name} = T.alloc_ub((tile,), "{held_buffer.dtype}")' + reason
                reason = ""

    def _reads(self) -> list[str]:
        """From one-element inputs to scalars."""
        groups = merge({v: self.elements.casts(held.program.elements) for v, held in self.layouts.items()})
        result = [*self.elements.loads(self.plans[0].layout.program.elements), *self._branches(groups, 16)]
        return [*result, *(line for name in self.elements.tensors for line in self.whole._value(name))]

    def _value(self, name: str) -> list[str]:
        """A one-element input's value as a scalar; its default where it is not connected."""
        sources = {}
        for variant, held in self.layouts.items():
            element = next(e for e in held.program.elements if e.tensor == name)
            sources[variant] = (f"{self.elements.last(element)}[0]",)
        lines = choice(self.scalars[name], merge(sources), self.axes, 16)
        if name not in self.names.flags:
            return lines
        target, _, value = " ".join(line.strip() for line in lines).partition(" = ")
        value = f"({value.strip('() ')})" if " if " in value else value
        default = next(t.default for t in self.inputs if t.name == name)
        return [f"{target} = {value} if {self.names.flags[name]} else {literal(default)}"]

    def _element_buffers(self) -> list[str]:
        tensors = {t.name: t for t in self.inputs}
        types = {name: {p.variant.dtype(tensors[name].dtype) for p in self.plans} for name in self.elements.tensors}
        sizes = {name: min(DTYPES[dtype].size for dtype in found) for name, found in types.items()}
        return self.elements.buffers({name: self.dtype(tensors[name]) for name in types}, sizes)

    def _reason(self) -> str:
        """Why there is scratch, as a comment, where it has one reason and the text does not say it."""
        if self.tells_types:
            return ""
        types = {dict(p.variant.types).get(t.dtype, t.dtype) for p in self.plans for t in (*self.inputs, *self.outputs)}
        scratch = {b.dtype for held in self.all_layouts for b in held.buffers if not b.slotted}
        return "  # the half types are computed in float32" if scratch == {"float32"} and types & set(HALF) else ""

    def _cleared(self) -> list[str]:
        """Slots whose tail a clipped copy leaves as it was, cleared: nothing shall read what was never written."""
        groups = merge({v: tuple(body.cleared()) for v, body in self.bodies.items()})
        indent = 20 if self.overlapping else 16
        lines = self._branches(groups, indent) if any(lines for _, lines in groups) else []
        if not lines:
            return []
        why = "A copy that is clipped leaves the rest of a tile of these types as it was, and casts read all of it."
        if not self.overlapping:
            return [*comment(why, 16), *lines]
        return [f"if {self.own['n']} < tile:", *indented([*comment(why, 20), *lines], 4)]

    def _once(self) -> list[str]:
        groups = self.once_groups
        return self._branches(groups, 16) if any(lines for _, lines in groups) else []

    def _computation(self) -> list[str]:
        return self._shared(self.whole.alike, self.computed, 20)

    @cached_property
    def computed(self) -> Texts:
        """The computation of each variant."""
        return {v: tuple(body.computation()) for v, body in self.bodies.items()}

    @cached_property
    def alike(self) -> Aliases | None:
        """What the types of all parts compute alike."""
        return self._alike_of(lambda part: part.computed)

    @property
    def tells_types(self) -> bool:
        """Whether the text says what types are computed in."""
        return self.alike is not None

    def _kinds(self) -> list[tuple[Variant, ...]]:
        """Variants that are computed alike, of those with all inputs."""
        if self.alike is None:
            return [group for group, _ in merge(self.computed)]
        return [tuple(v for v in self.computed if v.types in kind) for kind in self.alike.kinds]

    def _loop(self) -> list[str]:
        own, event = self.own, self.event
        i, start = own["i"], own["start"]
        loads = [(self.names.user[x.tensor], self.names.slots[x.tensor, False]) for x in self.loads]
        stores = [(self.names.user[x.tensor], self.names.slots[x.tensor, True]) for x in self.stores]
        shown = [self.names.slots[x.tensor, False] for x in self.whole.loads]
        inputs = _subject(shown, "input")
        outputs = _subject([held for _, held in stores], "output")
        have, are = ("has" if len(shown) == 1 else "have"), ("is" if len(shown) == 1 else "are")
        stored, done = ("has" if len(stores) == 1 else "have"), ("is" if len(stores) == 1 else "are")
        turn = f"[{i} % 2, :]" if self.slots == 2 else ""
        body: list[str] = [*self._start(), ""]
        if loads:
            body.append(f'T.wait_flag("v", "mte2", {event})  # {inputs} {have} been read')
            body += [f"T.copy({name}[{start} : {start} + tile], {held}{turn})" for name, held in loads]
            body += [f'T.set_flag("mte2", "v", {event})', ""]
            body.append(f'T.wait_flag("mte2", "v", {event})  # {inputs} {are} loaded')
        body.append(f'T.wait_flag("mte3", "v", {event})  # {outputs} {stored} been stored')
        body += self._computation()
        body += [f'T.set_flag("v", "mte3", {event})', ""]
        body.append(f'T.wait_flag("v", "mte3", {event})  # {outputs} {done} computed')
        body += [f"T.copy({held}{turn}, {name}[{start} : {start} + tile])" for name, held in stores]
        body.append(f'T.set_flag("mte3", "v", {event})')
        start_free = "both buffers start out free" if self.slots == 2 else "the buffers start out free"
        return [
            *self._flags("set", start_free, bool(loads)),
            f"for {i} in T.serial({own['rounds']}):",
            *indented(body, 4),
            *self._flags("wait", "every flag that was set is waited for", bool(loads)),
        ]

    def _flags(self, verb: str, why: str, loads: bool) -> list[str]:
        b = self.own["b"]
        event = f"EVENT + {b}" if self.slots == 2 else "EVENT"
        flags = [f'T.{verb}_flag("{source}", "{target}", {event})' for source, target in self._pipes(loads)]
        if self.slots == 2:
            return [f"for {b} in T.serial(2):  # {why}", *indented(flags, 4)]
        return [f"{flags[0]}  # {why}", *flags[1:]]

    def _pipes(self, loads: bool) -> list[tuple[str, str]]:
        """The flags that say that a slot is free: from the pipe that uses it last, to the one that fills it."""
        return [*([("v", "mte2")] if loads else []), ("mte3", "v")]

    def _start(self) -> list[str]:
        own = self.own
        expression = f"({own['i']} * {own['workers']} + cid * 2 + vid) * tile"
        if not self.overlapping:
            clipped = "Copies are clipped at the end of the tensor, so the last round needs no special case."
            return [*comment(clipped, 20), f"{own['start']} = {expression}"]
        last, turn = own["last"], own["turn"]
        why = "The last tiles end where the tensor ends; where tiles overlap, workers store the same values."
        return [
            *comment(why, 20),
            f"{turn} = {expression}",
            f"{own['start']} = T.Select({turn} < {last}, {turn}, {last})",
        ]


_PYTHON = {"bool": "bool", "int": "int", "float": "float", "string": "str", "ints": "tuple", "floats": "tuple"}


def _subject(buffers: list[str], purpose: str) -> str:
    """Buffers as the subject of a sentence."""
    subject = listed(buffers or ["none"])
    return subject if len(subject) <= 40 else f"the {purpose} tiles"


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def _formula_lines(operator: Operator) -> Iterator[str]:
    """The formula's assignments, when there are several."""
    lines = operator.compute.splitlines()
    if len(lines) > 1:
        yield from (line if len(line) <= 90 else line[:87] + "..." for line in lines)
