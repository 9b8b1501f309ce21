"""The function of a kernel script that builds a kernel on rows of tensors with different leading axes."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.formula.signature import Dim, Tensor
from opgen.formula.sizes import simplify
from opgen.kernel.blocks import Blocks
from opgen.kernel.branches import merge
from opgen.kernel.factory import _subject
from opgen.kernel.forms import Form
from opgen.kernel.lines import comment, indented, listed
from opgen.kernel.rows_factory import _TILE, RowsFactory


class BlocksFactory(RowsFactory):
    """As on rows, with a tile for each index of the axes around them; workers take as many tiles in a row."""

    rows: Blocks

    @property
    def kept(self) -> list[str]:
        """Buffers of the inputs that stay on chip for several tiles."""
        vectors = self.plans[0].layout.program.vectors
        return [self.names.slots[x.tensor, False] for x in vectors if x.moved == "kept"]

    def _summary(self) -> str:
        open_ = [self._var(dim) for _, dim in self.rows.sizes if dim.dynamic]
        any_ = f"; -1 leaves {listed(open_, 'or')} open" if open_ else ""
        count = " * ".join(map(self._var, self.rows.axes))
        return f"The kernel for {count} rows of {self.own['c']} elements{any_}."

    def _var(self, dim: Dim) -> str:
        return self.names.sizes[dim.name]

    def _index(self, dim: Dim) -> str:
        """The variable of a tile's index of an axis around its rows."""
        name = f"{self._var(dim)}_index"
        return name + "_" if name in self.names.taken else name

    @property
    def _dynamic(self) -> list[str]:
        return [self._var(axis) for axis in self.rows.axes if axis.dynamic]

    def _sizes(self) -> Iterator[str]:
        own, n, c = self.own, self.own["n"], self.own["c"]
        rows, columns, blocks = own["rows"], own["columns"], own["blocks"]
        for symbol, variable in self.moved.items():
            yield f"{variable} = MOVED_AS.get({self.names.dtypes[symbol]}, {self.names.dtypes[symbol]})"
        if self._half:
            yield f"{own['half']} = {self._half}"
        yield f"{columns} = padded({c})"
        yield f"{rows} = tile_rows({columns}{self.of_types})"
        if self.rows.last.dynamic:
            yield f"if {c} == -1:"
            yield f'    {c} = T.symbolic("{c}")'
        equal = list(self._equal(rows))
        if self._dynamic:
            first = self._dynamic[0]
            yield f"if {first} == -1:" if len(self._dynamic) == 1 else f"if -1 in ({', '.join(self._dynamic)}):"
            for size in self._dynamic:
                several = f" if {size} == -1 else {size}" if len(self._dynamic) > 1 else ""
                yield f'    {size} = T.symbolic("{size}"){several}'
            yield f"    {blocks} = {own['cores']}"
            yield from ["else:", *indented(equal, 4)]
        else:
            yield from equal
        tiles, items, each = own["tiles"], own["items"], own["each"]
        yield f"{tiles} = {f'T.ceildiv({n}, {rows})' if self._dynamic else f'-(-{n} // {rows})'}"
        yield f"{items} = {' * '.join([tiles, *map(self._var, self.rows.around)])}"
        share = f"T.ceildiv({items}, 2 * {blocks})" if self._dynamic else f"-(-{items} // (2 * {blocks}))"
        yield f"{each} = {share}  # tiles of a vector unit"
        if any(_TILE.search(line.split("#")[0]) for line in self._main()):
            yield f"tile = {rows} * {columns}"

    def _equal(self, most: str) -> Iterator[str]:
        own, n, rows = self.own, self.own["n"], self.own["rows"]
        if not self.plan.fixed:
            yield "# Equal tiles, and as many for each vector unit: a core has two, vid 0 and 1."
        around = self._var(self.rows.around[0])
        if len(self.rows.around) > 1:
            around = own["around"]
            yield f"{around} = {' * '.join(map(self._var, self.rows.around))}"
        if self.plan.fixed:
            blocks = f"min({own['cores']}, -(-(-(-{n} // {rows}) * {around}) // 2))"
            yield f"{own['blocks']} = {blocks}  # a core has two vector units, vid 0 and 1"
            return
        yield f"{own['rounds']} = -(-{n} * {around} // (2 * {own['cores']} * {most}))"
        yield f"{rows} = min({most}, -(-{n} // max(1, 2 * {own['cores']} * {own['rounds']} // {around})))"
        yield f"{own['blocks']} = min({own['cores']}, -(-(-(-{n} // {rows}) * {around}) // 2))"

    def _shape(self, tensor: Tensor) -> str:
        if tensor.name in self.elements.tensors:
            return "(1,)"
        axes = ["1" if dim is None else self._var(dim) for dim in self._leading(tensor)]
        if self.rows.form(tensor) != "row":
            axes.append(self._size(tensor.shape[-1]))
        return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"

    def _leading(self, tensor: Tensor) -> list[Dim | None]:
        """Leading axes in global memory. Values of one a row lie side by side, so axes of size 1 are left out there."""
        leading = self.rows.leading(tensor) or ()
        return [dim for dim in leading if dim is not None or self.rows.form(tensor) != "row"]

    def _box(self, name: str, form: Form) -> str:
        piece = self.pieces.get(name)
        tensor = next(t for t in (*self.inputs, *self.outputs) if t.name == (piece.tensor if piece else name))
        start, rows = self.own["start"], self.own["rows"]
        leading = self._leading(tensor)
        # A whole row begins at an element; pieces and rows that are apart are slices.
        sliced = piece is not None or (form == "" and leading[-1] != self.rows.lead)
        index = []
        for dim in leading:
            at = "0" if dim is None else self._index(dim)
            if dim == self.rows.lead:
                at = f"{start} : {start} + {rows}" if sliced else start
            index.append(at)
        if form != "row":
            first = self._size(piece.start) if piece else "0"
            last = self._size(piece.stop if piece else simplify(tensor.shape[-1]))
            between = ":" if f"{first}{last}".replace("_", "a").isalnum() else " : "
            index.append(f"{first}{between}{last}" if sliced else "0")
        return f"{self.names.user[tensor.name]}[{', '.join(index)}]"

    @property
    def _trips(self) -> str:
        return self.own["trips"]

    def _loop(self) -> list[str]:
        own = self.own
        first, each, items = own["first"], own["each"], own["items"]
        return [
            f"{first} = (cid * 2 + vid) * {each}",
            f"{own['trips']} = T.Select({first} + {each} < {items}, {each}, {items} - {first})",
            *super()._loop(),
        ]

    def _start(self) -> list[str]:
        own = self.own
        start, item = own["start"], own["item"]
        result = [f"{item} = {own['first']} + {own['i']}"]
        sizes = [(self._index(dim), self._var(dim)) for dim in self.rows.around]
        tile = (start, own["tiles"])
        order = [tile, *sizes] if self.rows.by_tile else [*sizes, tile]
        for position, (variable, size) in enumerate(order):
            inner = [other for _, other in order[position + 1 :]]
            left = item
            if inner:
                left += f" // {inner[0]}" if len(inner) == 1 else f" // ({' * '.join(inner)})"
            left = left if position == 0 else f"{left} % {size}"
            result.append(f"{variable} = {left} * {own['rows']}" if variable == start else f"{variable} = {left}")
        follow = "the same rows" if self.rows.by_tile else "the same indices"
        why = f"Tiles of {follow} follow each other. Copies are clipped, so the last rows need no special case."
        return [*comment(why, 20), *result, *self._keep()]

    def _keep(self) -> list[str]:
        """Loads what stays on chip for several tiles, when these begin."""
        if not self.kept:
            return []
        i, start = self.own["i"], self.own["start"]
        vectors = [x for x in self.plans[0].layout.program.vectors if x.moved == "kept"]
        inner = [self._index(dim) for dim in self.rows.around] if self.rows.by_tile else [start]
        changed = " + ".join(inner)
        assert isinstance(self.whole, BlocksFactory)
        shown = self.whole.kept
        kept = _subject(shown, "input")
        have, are, stay = ("has", "is", "stays") if len(shown) == 1 else ("have", "are", "stay")
        body = [
            'T.set_flag("v", "mte2", KEPT_EVENT)',
            f'T.wait_flag("v", "mte2", KEPT_EVENT)  # {kept} {have} been read',
            *(self._load_kept(x.tensor, x.register.form, x.pad) for x in vectors),
            'T.set_flag("mte2", "v", KEPT_EVENT)',
            f'T.wait_flag("mte2", "v", KEPT_EVENT)  # {kept} {are} loaded and {stay}',
            *self._branches(merge({v: tuple(b.kept()) for v, b in self.bodies.items()}), 24),
        ]
        return [f"if T.Or({i} == 0, {changed} == 0):", *indented(body, 4)]

    def _load_kept(self, name: str, form: Form, pad: float) -> str:
        from opgen.kernel.rows_planner import padding_text

        text = "" if form else padding_text(pad, self.dtype(self._tensor(name, False)))
        return (
            f"T.copy({self._box(name, form)}, {self.names.slots[name, False]}{f', pad_value={text}' if text else ''})"
        )
