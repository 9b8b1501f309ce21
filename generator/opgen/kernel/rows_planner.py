"""Plans the rows schedule: a vector program for each variant, and what its tiles take on chip."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES, FILLED_WHEN_CLIPPED, OPERATIONS, VECTOR_BYTES
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Dim, Tensor, Variant
from opgen.formula.sizes import show
from opgen.kernel.decompose import Place, decompose_rows, jumps, moved_as
from opgen.kernel.forms import Rows, single
from opgen.kernel.lengths import shortest
from opgen.kernel.memory import ELEMENT_BYTES, Layout, allocate, replaceable
from opgen.kernel.names import KernelNames
from opgen.kernel.pieces import Piece, computed, pieces
from opgen.kernel.rows_builder import RowBuilder, Unsupported
from opgen.kernel.sharing import laid_out
from opgen.kernel.vector import MASK, Load, Program, Registers, Store
from opgen.spec.model import Operator
from opgen.text.findings import Finding

_PADS = (0.0, -math.inf, math.inf)
# Elements of a tile at most, where a row is not longer: enough to hide what copies and instructions cost to start, few
# enough to leave several tiles to every vector unit.
TILE = 12288


@dataclass(frozen=True)
class RowBytes:
    """Bytes on chip for each element, column and row of a tile, and those that are always there. wanted: rows of a tile
    as op.yaml has them, 0 where they are planned."""

    element: int
    column: int
    row: int
    fixed: int
    wanted: int = 0

    def rows(self, columns: int, budget: int) -> int:
        """Rows of a tile, 0 when not even one fits, or not all that are wanted."""
        fit = self.fitting(columns, budget)
        if self.wanted:
            return self.wanted if fit >= self.wanted else 0
        return min(fit, max(1, TILE // columns))

    def fitting(self, columns: int, budget: int) -> int:
        """Rows that fit on chip."""
        return max(0, (budget - self.fixed - self.column * columns) // (self.element * columns + self.row))

    def longest(self, budget: int, step: int) -> int:
        """Elements of the longest row that fits, a multiple of the step."""
        return (budget - self.fixed - self.row) // (self.element + self.column) // step * step


@dataclass(frozen=True)
class RowLayouts:
    """The program of every variant with its values on chip. step: padded rows are a multiple of it. recycled: outputs
    that take the place of inputs on chip, with those."""

    layouts: Mapping[Variant, Layout]
    step: int
    recycled: tuple[tuple[str, str], ...]


def row_places(operator: Operator, rows: Rows, variant: Variant) -> dict[str, Place]:
    """How each tensor that is there is held, or each of its pieces. An in-place output is held as its input."""
    inputs = [t for t in operator.inputs if t.name not in variant.absent]
    outputs = [t for t in operator.outputs if not t.inplace or _cut(operator, t)]

    def place(tensor: Tensor, piece: Piece | None = None) -> Place:
        form = rows.form(tensor)
        dtype = variant.dtype(tensor.dtype)
        return Place(dtype, form is None, tensor.role == "input", form or "", piece, rows.moved(tensor))

    places: dict[str, Place] = {}
    for tensor in (*inputs, *outputs):
        places |= {p.name: place(tensor, p) for p in _cut(operator, tensor)} or {tensor.name: place(tensor)}
    return places


def _cut(operator: Operator, tensor: Tensor) -> list[Piece]:
    """The pieces of a tensor, none when it is moved whole."""
    return [p for p in pieces(operator) if (p.tensor, p.output) == (tensor.name, tensor.role == "output")]


def row_findings(operator: Operator, rows: Rows) -> Iterator[Finding]:
    """OPG309 for tensors and sizes that the schedule does not take."""
    by_hand = f"Write the kernel by hand and name it: `kernel: {operator.name}_kernel.py`."
    for kind, tensors in (("inputs", operator.inputs), ("outputs", operator.outputs)):
        for number, tensor in enumerate(tensors):
            form = rows.form(tensor)
            if tensor.inplace or (form is None and single(tensor.shape) and kind == "inputs"):
                continue
            if form is None or (kind == "outputs" and form == "column"):
                what = f"no schedule: the shape of `{tensor.name}`"
                lead, last = rows.lead.name, rows.last.name
                why = (
                    "A kernel on rows takes [..., C] or [R, C] with one row [C] as an input and one value a row "
                    f"[..., 1]. The rows here are [{lead}, {last}]."
                )
                fix = f"Write the leading axes as one: `[..., {last}]`. {by_hand}" if len(tensor.shape) > 2 else by_hand
                if len({len(t.shape) for t in (*operator.inputs, *operator.outputs)}) > 1 and len(tensor.shape) > 2:
                    axes = "Name each leading axis by a dim of its own, of which all outputs have one"
                    fix = f"{axes}: `[B, S, {last}]` with inputs such as `[B, 1, {last}]`, `[S, {last}]`. {by_hand}"
                if kind == "outputs" and form == "column":
                    why = f"Tiles are rows of `{lead}`, and each would store this one row again."
                    fix = f"Compute `{tensor.name}` in an operator of its own: its tensors have one row. {by_hand}"
                yield Finding("OPG309", what, why, fix, pointer=f"{operator.pointer}/{kind}/{number}/shape")
    yield from _piece_findings(operator, rows)
    if rows.lengths and rows.last.dynamic:
        what = f"no schedule: rows of several lengths, which `{rows.last.name}` tells when the kernel runs"
        why = "Tiles on chip have constant sizes: those of multiples of one length are planned for the longest of them."
        fix = "Leave `dynamic` out: then there is one kernel for each length."
        yield Finding("OPG309", what, why, fix, pointer=f"{operator.pointer}/dims/{rows.last.name}")
        return
    yield from _short_findings(operator, rows)
    if (pieces(operator) or type(rows) is not Rows) and rows.last.dynamic and rows.last.max is None:
        what = f"no schedule: rows of any length `{rows.last.name}`"
        why = "Rows of more axes, or in slices or `concat`, stay on chip: a kernel for any length needs the longest."
        limit = f"{rows.last.name}: {{default: {rows.last.default}, dynamic: true, max: 4096}}"
        fix = f"Give it a limit, `{limit}`, or leave `dynamic` out: then there is one kernel for each length."
        yield Finding("OPG309", what, why, fix, pointer=f"{operator.pointer}/dims/{rows.last.name}")


def _short_findings(operator: Operator, rows: Rows) -> Iterator[Finding]:
    """OPG309 for rows of op.yaml that slices reach beyond."""
    name = rows.last.name
    sizes = [
        size for size in (*rows.last.values, *(dict(c.dims)[name] for c in operator.cases)) if isinstance(size, int)
    ]
    least = shortest(operator, rows.last) if rows.lengths else 1
    if min(sizes) < least:
        what = f"no schedule: rows of {min(sizes)} elements, of which slices take those up to {least}"
        fix = f"Write `min: {least}` for `{name}`, and sizes from there on."
        yield Finding(
            "OPG309", what, "Slices lie inside their tensors.", fix, pointer=f"{operator.pointer}/dims/{name}"
        )


def _piece_findings(operator: Operator, rows: Rows) -> Iterator[Finding]:
    """OPG309 for rows and pieces of rows that are not as long as the others."""
    by_hand = f"Write the kernel by hand and name it: `kernel: {operator.name}_kernel.py`."
    last = rows.last.name
    why = f"All values on chip have rows of `{last}` elements; longer rows of a tensor are taken apart by slices."
    for node in computed(operator):
        what, instead = "no schedule: a slice of a computed value", f"Slice the inputs instead: `f(x[..., :{last}])`"
        where = "It is computed of slices of the inputs; what `concat`, `arange` or `argmax` gives cannot be."
        yield Finding(
            "OPG309", what, where, f"{instead}. {by_hand}", pointer=f"{operator.pointer}/compute", offset=node.offset
        )
        return
    for piece in pieces(operator):
        if rows.times(piece.length) != 1:
            columns = "1 column" if piece.length.number == 1 else f"{show(piece.length)} columns"
            what = f"no schedule: {columns} of `{piece.tensor}` at once"
            fix = f"Take pieces of `{last}` columns: `{piece.tensor}[..., :{last}]`. {by_hand}"
            if piece.output:
                fix = f"Join members of `{last}` columns each. {by_hand}"
            yield Finding("OPG309", what, why, fix, pointer=operator.pointer + "/compute", offset=piece.offset)
    for kind, tensors in (("inputs", operator.inputs), ("outputs", operator.outputs)):
        for number, tensor in enumerate(tensors):
            times = rows.times(tensor.shape[-1]) if rows.form(tensor) in ("", "column") and tensor.shape else None
            if times is not None and times > 1 and not _cut(operator, tensor):
                what = f"no schedule: all of the rows of `{tensor.name}` at once, {times} times as long as others"
                fix = f"Take pieces of `{last}` columns: `{tensor.name}[..., :{last}]`."
                if kind == "outputs":
                    fix = f"Put pieces of `{last}` columns together: `{tensor.name} = concat([...], axis=-1)`."
                pointer = f"{operator.pointer}/{kind}/{number}/shape"
                yield Finding("OPG309", what, why, f"{fix} {by_hand}", pointer=pointer)


def row_layouts(
    operator: Operator,
    rows: Rows,
    formulas: Mapping[Variant, TypedFormula],
    names: KernelNames,
    spread_once: bool,
    recycled: bool,
) -> tuple[RowLayouts | None, tuple[Finding, ...]]:
    """The programs and where their values are. recycled: outputs shall take the place of inputs where they can."""
    try:
        programs = {v: _program(operator, rows, v, f, False, spread_once) for v, f in formulas.items()}
        step = max(map(row_step, programs.values()))
        if not rows.lengths and all(size % step == 0 for size in _lengths(rows.last)):
            programs = {v: _program(operator, rows, v, f, True, spread_once) for v, f in formulas.items()}
            step = max(map(row_step, programs.values()))
    except Unsupported as problem:
        why = "The rows schedule has no instructions for it."
        by_hand = f"rite the kernel by hand and name it: `kernel: {operator.name}_kernel.py`."
        fix = f"{problem.instead}. Or w{by_hand}" if problem.instead else f"W{by_hand}"
        pointer = operator.pointer + "/compute"
        return None, (Finding("OPG309", f"no schedule: {problem}", why, fix, pointer=pointer, offset=problem.offset),)
    pairs = _replaced(programs) if recycled else ()
    slots = recycled_slots(names, pairs).slots
    layouts = laid_out(programs, partial(allocate, names.taken, slots), names.taken)
    return RowLayouts(layouts, step, pairs), ()


def _replaced(programs: Mapping[Variant, Program]) -> tuple[tuple[str, str], ...]:
    """Outputs that can take the place of an input in every variant."""
    choices = [replaceable(program) for program in programs.values()]
    return tuple(pair for pair in choices[0] if all(pair in other for other in choices))


def recycled_slots(names: KernelNames, pairs: tuple[tuple[str, str], ...]) -> KernelNames:
    """The names, with the buffers of outputs that take the place of inputs called as those."""
    moved = {(output, True): names.slots[tensor, False] for output, tensor in pairs}
    return replace(names, slots={**names.slots, **moved})


def _lengths(last: Dim) -> tuple[int, ...]:
    """Numbers that every length of a row is one of, or a multiple of."""
    if last.fixed and isinstance(last.default, int):
        return (last.default,)
    if last.values and not last.dynamic:
        return last.values
    return (1,) if last.dynamic else (last.multiple_of,)


def _program(
    operator: Operator, rows: Rows, variant: Variant, formula: TypedFormula, aligned: bool, spread_once: bool
) -> Program:
    return fewest_masks(operator, rows, variant, formula, aligned, spread_once, False)[0]


def fewest_masks(
    operator: Operator,
    rows: Rows,
    variant: Variant,
    formula: TypedFormula,
    aligned: bool,
    spread_once: bool,
    pieces: bool,
) -> tuple[Program, Registers]:
    """The program with the padding that needs the fewest masks."""
    places = row_places(operator, rows, variant)
    tiles = {n: p for n, p in places.items() if p.input and not p.single and not p.form}
    padded = [n for n, p in tiles.items() if _may_be_infinite(operator, p.piece.tensor if p.piece else n)]
    choices: Iterator[tuple[float, ...]] = iter([(0.0,) * len(padded)])
    if not aligned and 1 <= len(padded) <= 2:
        choices = itertools.product(_PADS, repeat=len(padded))
    best: tuple[int, Program, Registers] | None = None
    for choice in choices:
        pads = dict(zip(padded, choice, strict=True))
        build = RowBuilder(rows.last.name, aligned, pads, jumps(formula), spread_once, pieces, bool(rows.lengths))
        program = decompose_rows(formula, places, build)
        if best is None or build.masked < best[0]:
            best = (build.masked, program, build.registers)
    assert best is not None
    return best[1:]


def _may_be_infinite(operator: Operator, tensor: str) -> bool:
    """Whether all types of an input have infinity: one script serves them all."""
    dtype = next(t.dtype for t in operator.inputs if t.name == tensor)
    return {dict(combination).get(dtype, dtype) for combination in operator.combinations} <= _INFINITE


_INFINITE = {"float32", "float16", "bfloat16"}  # types whose padding can be infinite


def row_step(program: Program) -> int:
    """Columns that padded rows are a multiple of: whole blocks of every type, whole steps of comparisons."""
    registers = [r for i in program.instructions() for r in (i.target, *i.reads)]
    moved: list[Load | Store] = [*program.loads, *program.vectors, *program.stores]
    registers += [x.register for x in moved]
    sizes = [DTYPES[r.dtype].size for r in registers if r.dtype != MASK and r.form != "row"]
    compared = [DTYPES[r.dtype].size for i in program.instructions() if i.op == "compare" for r in i.reads]
    return max([BLOCK_BYTES // size for size in sizes] + [VECTOR_BYTES // size for size in compared], default=8)


def row_bytes(held: Layout, slots: int) -> RowBytes:
    """What a layout takes. Rounded up, buffer by buffer. Scratch of other variants, which the script declares too,
    takes nothing: the compiler places only what is used."""
    bits = {"": 0, "row": 0, "column": 0}
    for buffer in held.buffers:
        one = 1 if buffer.dtype == MASK else 8 * DTYPES[buffer.dtype].size
        bits[buffer.form] += one * buffer.count(slots)
    scratch = {"": 0, "row": 0, "column": 0}
    for instruction in held.program.instructions():
        operation = OPERATIONS.get(instruction.op)
        if operation is None:
            continue
        target = held.place[instruction.target]
        for register in instruction.reads:
            source = held.place[register]
            if operation.scratch:
                size = 8 * DTYPES[source.dtype].size if source.dtype != MASK else 1
                scratch[source.form] = max(scratch[source.form], operation.scratch * size * source.count(slots))
        if operation.share:
            size = 8 * DTYPES[target.dtype].size // operation.share
            scratch[target.form] = max(scratch[target.form], size * target.count(slots))
    whole = {form: -(-(bits[form] + scratch[form]) // 8) for form in bits}
    elements = sum(ELEMENT_BYTES + BLOCK_BYTES * len(e.steps) for e in held.program.elements)
    fixed = elements + BLOCK_BYTES * (len(held.buffers) + 2)
    return RowBytes(max(1, whole[""]), whole["column"], whole["row"], fixed)


def padding_text(pad: float, dtype: str) -> str:
    """What a copy is told of the padding, "" for zeros."""
    if pad == 0:
        return ""
    return f'{"-" if pad < 0 else ""}T.infinity("float32")'  # there is none of bfloat16


def is_filled(dtype: str) -> bool:
    """Whether copies of this type fill up the padding."""
    return moved_as(dtype) in FILLED_WHEN_CLIPPED
