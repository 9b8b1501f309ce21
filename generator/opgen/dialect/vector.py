"""T.tile.* on the vector unit: types, aliases, scratch memory, order, values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.dialect import numbers
from opgen.dialect.buffers import Array, Buffer
from opgen.dialect.indexing import Element, Indexed, Number, Region, integer, number
from opgen.dialect.machine import Abandon, Core
from opgen.dialect.operands import Operand, operand
from opgen.dialect.order import V
from opgen.dialect.timing import vector_cycles
from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import CASTS, COMPARE_INT32, OPERATIONS, SORT_SCRATCH_HALF, VECTOR_BYTES, may_overlap

Function = Callable[..., Any]


def count_call(core: Core, name: str, bytes_: int) -> None:
    """bytes_: of the widest operand."""
    calls = core.launch.counters.vector_calls
    calls[name] = calls.get(name, 0) + 1
    core.order.time.run(V, vector_cycles(name, bytes_))


class Call:
    """One vector operation: its operands are read and written through it, and checked on the way."""

    def __init__(self, core: Core, name: str, target: Operand, sources: list[Operand], typed: bool = True) -> None:
        self.core = core
        self.name = name
        self.what = f"T.tile.{name}"
        self.target = target
        self.sources = sources
        count_call(core, name, max(one.bytes for one in (target, *sources)))
        self.step = core.order.issue(V)
        if typed:
            self._check_types()
        self._check_aliases()
        for one in (target, *sources):
            one.buffer.aligned(core, one.start, self.what)

    def _check_types(self) -> None:
        operation = OPERATIONS[self.name]
        for one in (self.target, *self.sources):
            if one.dtype not in operation.dtypes:
                self.core.report(
                    "OPG740",
                    f"{self.what} has no {one.dtype}",
                    why=f"A2 and A3 have it for {', '.join(operation.dtypes)}; anything else fails in the device "
                    "compiler, or computes wrongly.",
                    fix="cast to float32 before, and back behind",
                )
                raise Abandon
        if any(one.dtype != self.target.dtype for one in self.sources):
            shown = ", ".join(one.dtype for one in (self.target, *self.sources))
            self.core.report("OPG740", f"{self.what} of different types: {shown}", fix="cast to one type first")
            raise Abandon

    def _check_aliases(self) -> None:
        for source in self.sources:
            if not self.target.overlaps(source):
                continue
            exact = source.start == self.target.start and source.bytes == self.target.bytes
            if not may_overlap(self.name):
                self.core.report(
                    "OPG742",
                    f"{self.what} writes to {self.target.buffer.name}, which is also its source",
                    why="It takes several steps and reads its source again after it has written.",
                    fix="give it a destination of its own",
                )
            elif not exact:
                self.core.report(
                    "OPG742",
                    f"{self.what}: source and destination overlap in part",
                    why="The vector unit writes elements before it has read their neighbours.",
                    fix="use the same slice or separate ones",
                )

    def scratch(self) -> None:
        """Hidden scratch memory."""
        source = max((one.bytes for one in self.sources), default=0)
        size = OPERATIONS[self.name].scratch_bytes(source, self.target.bytes)
        if self.name in SORT_SCRATCH_HALF and self.sources[0].dtype == "float16":
            size = SORT_SCRATCH_HALF[self.name] * source
        self.core.budget.needs_scratch(size, self.what, self.core.spot)

    def read(self, source: Operand, count: int | None = None) -> Array | None:
        size = source.size if count is None else count
        values = source.buffer.read(self.core, V, self.step, source.start, size, self.what)
        if values is None:
            self.target.buffer.forgive(self.core)
        return values

    def write(self, values: Any, count: int | None = None) -> None:
        size = self.target.size if count is None else count
        data = self.target.buffer.write(self.core, V, self.step, self.target.start, size, self.what)
        if data is not None:
            data[:] = values


def _begin(core: Core, name: str) -> bool:
    return core.does(False, f"T.tile.{name}")


def same_size(core: Core, what: str, first: Operand, *others: Operand) -> None:
    if any(other.size != first.size for other in others):
        shown = " and ".join(f"{one.buffer.name} {one.size}" for one in (first, *others))
        core.report(
            "OPG743", f"{what}: the operands differ in size: {shown}", why="All operands have one number of elements."
        )
        raise Abandon


def is_buffer(value: Any) -> bool:
    return isinstance(value, (Indexed, Region)) and not isinstance(value, Number)


def scalar_operand(core: Core, value: Any, dtype: str, what: str) -> Any:
    """A number. Reading an element for it waits for all pipes."""
    if isinstance(value, Element):
        owner, index = value.owner, value.index
        if any(index[1:]) and len(index) > 1 and owner.flat(index) != index[0]:
            core.report(
                "OPG743",
                f"{what}: the compiler reads {owner.name}[{index[0]}] of the flat buffer for this element",
                why="Of an element that is an operand it looks at the first index only.",
                fix="read the element into a variable first, or keep such values in a buffer with one axis",
            )
        core.order.barrier_all()
        value = value.number()
    else:
        value = number(value)
    return numbers.scalar(value, dtype)


# ---- element by element ----


def unary(core: Core, name: str, target: Any, source: Any, function: Function) -> None:
    if not _begin(core, name):
        return
    dst, src = operand(core, target, f"T.tile.{name}"), operand(core, source, f"T.tile.{name}")
    same_size(core, f"T.tile.{name}", dst, src)
    call = Call(core, name, dst, [src])
    call.scratch()
    values = call.read(src)
    if values is not None:
        call.write(_computed(function, dst.dtype, numbers.wide(values, src.dtype)))


def binary(core: Core, name: str, target: Any, left: Any, right: Any, function: Function) -> None:
    """right: a buffer, a number or an element."""
    if not _begin(core, name):
        return
    what = f"T.tile.{name}"
    dst, first = operand(core, target, what), operand(core, left, what)
    if is_buffer(right):
        second = operand(core, right, what)
        same_size(core, what, dst, first, second)
        call = Call(core, name, dst, [first, second])
        call.scratch()
        a, b = call.read(first), call.read(second)
        if a is not None and b is not None:
            call.write(_computed(function, dst.dtype, numbers.wide(a, dst.dtype), numbers.wide(b, dst.dtype)))
        return
    same_size(core, what, dst, first)
    value = scalar_operand(core, right, dst.dtype, what)
    call = Call(core, name, dst, [first])
    a = call.read(first)
    if a is not None:
        if name == "div":  # the compiler multiplies by the reciprocal
            with np.errstate(all="ignore"):
                value, function = numbers.scalar(np.float32(1) / value, dst.dtype), np.multiply
        call.write(_computed(function, dst.dtype, numbers.wide(a, dst.dtype), value))


def accumulate(core: Core, name: str, target: Any, sources: list[Any], factor: Any = None) -> None:
    """Operations that add to what the destination holds."""
    if not _begin(core, name):
        return
    what = f"T.tile.{name}"
    dst = operand(core, target, what)
    operands = [operand(core, source, what) for source in sources]
    same_size(core, what, dst, *operands)
    value = None if factor is None else scalar_operand(core, factor, dst.dtype, what)
    call = Call(core, name, dst, operands)
    old = call.read(dst)
    parts = [call.read(source) for source in operands]
    if old is None or any(part is None for part in parts):
        return
    first, *rest = (numbers.wide(part, dst.dtype) for part in parts if part is not None)
    other = rest[0] if rest else value
    call.write(_computed(lambda a, b, c: a * b + c, dst.dtype, first, other, numbers.wide(old, dst.dtype)))


def counted(core: Core, name: str, target: Any, source: Any, count: Any, function: Function, *scalars: Any) -> None:
    """Operations that are told how many elements they work on."""
    if not _begin(core, name):
        return
    what = f"T.tile.{name}"
    dst, src = operand(core, target, what), operand(core, source, what)
    size = integer(count)
    numbers_given = [scalar_operand(core, value, dst.dtype, what) for value in scalars]
    dst, src = dst._replace(size=size), src._replace(size=size)
    call = Call(core, name, dst, [src])
    call.scratch()
    if name == "clamp":
        core.report(
            "OPG742",
            "T.tile.clamp runs its second step in place",
            why="It emits ClampMin and then ClampMax from the destination to itself, which that operation forbids.",
            fix="T.tile.max with the lower limit, then T.tile.min with the upper one",
        )
    values = call.read(src)
    if values is not None:
        call.write(_computed(function, dst.dtype, numbers.wide(values, src.dtype), *numbers_given))


def fill(core: Core, target: Any, value: Any) -> None:
    if not _begin(core, "fill"):
        return
    dst = operand(core, target, "T.tile.fill")
    scalar = scalar_operand(core, value, dst.dtype, "T.tile.fill")
    Call(core, "fill", dst, []).write(numbers.rounded(scalar, dst.dtype))


def progression(core: Core, name: str, target: Any, first: Any, step: Any, count: Any) -> None:
    if not _begin(core, name):
        return
    dst = operand(core, target, f"T.tile.{name}")
    if count is not None:
        dst = dst._replace(size=integer(count))
    start = scalar_operand(core, first, dst.dtype, f"T.tile.{name}")
    by = scalar_operand(core, step, dst.dtype, f"T.tile.{name}")
    values = start + by * np.arange(dst.size)
    Call(core, name, dst, []).write(numbers.rounded(values, dst.dtype))


# ---- casts ----


def cast(core: Core, target: Any, source: Any, mode: str, count: Any) -> None:
    if not _begin(core, "cast"):
        return
    dst, src = operand(core, target, "T.tile.cast"), operand(core, source, "T.tile.cast")
    cast_elements(core, dst.buffer, dst.start, src.buffer, src.start, integer(count), mode, "T.tile.cast")


def cast_elements(
    core: Core, target: Buffer, high: int, source: Buffer, low: int, count: int, mode: str, what: str
) -> None:
    """count elements, from `low` on in the source to `high` on in the target."""
    modes = CASTS.get((source.dtype, target.dtype))
    if modes is None:
        core.report(
            "OPG741",
            f"{what} from {source.dtype} to {target.dtype} does not exist",
            why="A2 and A3 cast only between certain types.",
            fix="go through float32 or float16",
        )
        raise Abandon
    if mode not in modes:
        core.report(
            "OPG741",
            f"{what} from {source.dtype} to {target.dtype} has no {mode}",
            why=f"These types have {', '.join(modes)}.",
            fix='use "CAST_RINT", which rounds to the nearest' if "CAST_RINT" in modes else f'use "{modes[0]}"',
        )
        raise Abandon
    dst, src = Operand(target, high, count, (count,)), Operand(source, low, count, (count,))
    call = Call(core, "cast", dst, [src], typed=False)
    values = call.read(src)
    if values is not None:
        call.write(numbers.cast(values, source.dtype, target.dtype, mode))


# ---- bit masks ----

_RELATIONS: dict[str, Function] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "LT": np.less,
    "LE": np.less_equal,
}


def compare(core: Core, target: Any, left: Any, right: Any, mode: str) -> None:
    if not _begin(core, "compare"):
        return
    what = "T.tile.compare"
    if mode not in _RELATIONS:
        core.report("OPG743", f'{what} has no "{mode}"', fix=f"use one of {', '.join(_RELATIONS)}")
        raise Abandon
    mask, first = operand(core, target, what), operand(core, left, what)
    allowed = (*OPERATIONS["compare"].dtypes, *(("int32",) if mode in COMPARE_INT32 else ()))
    if first.dtype not in allowed:
        why = "A2 and A3 compare float16 and float32; int32 for equality only."
        core.report("OPG740", f"{what} has no {mode} of {first.dtype}", why=why, fix="cast to float32 first")
        raise Abandon
    if mask.dtype != "uint8":
        core.report("OPG740", f"{what} writes bits to a buffer of {mask.dtype}", fix="use uint8, one bit an element")
        raise Abandon
    if first.bytes % VECTOR_BYTES:
        core.report(
            "OPG713",
            f"{what} of {first.size} elements of {first.dtype}, {first.bytes} bytes",
            why=f"Comparisons take whole steps of {VECTOR_BYTES} bytes.",
            fix=f"make the tile a multiple of {VECTOR_BYTES // first.buffer.item} elements",
        )
        raise Abandon
    bits = mask._replace(size=first.size // 8)
    second = None
    if is_buffer(right):
        second = operand(core, right, what)
        if second.dtype != first.dtype:
            core.report("OPG740", f"{what} of {first.dtype} and {second.dtype}", fix="cast to one type first")
            raise Abandon
        second = second._replace(size=first.size)
    else:
        bare_int(core, right, what)
        value = scalar_operand(core, right, first.dtype, what)
    call = Call(core, "compare", bits, [first] if second is None else [first, second], typed=False)
    a = call.read(first)
    b = value if second is None else call.read(second)
    if a is not None and b is not None:
        other = b if second is None else numbers.wide(b, first.dtype)
        truth = _RELATIONS[mode](numbers.wide(a, first.dtype), other)
        call.write(np.packbits(truth, bitorder="little"))


def bare_int(core: Core, value: Any, what: str) -> None:
    if type(value) is int or type(value) is bool:
        core.report(
            "OPG743",
            f"{what} takes no bare Python int, and {value} is one",
            why="The compiler takes it for a buffer.",
            fix=f"write {float(value)}, or T.int32({value})",
        )
        raise Abandon


def select(core: Core, target: Any, mask: Any, left: Any, right: Any, mode: str) -> None:
    if not _begin(core, "select"):
        return
    what = "T.tile.select"
    dst, bits, first = (operand(core, value, what) for value in (target, mask, left))
    same_size(core, what, dst, first)
    tensor = is_buffer(right) or (isinstance(right, Element) and mode != "VSEL_TENSOR_SCALAR_MODE")
    wanted = ("VSEL_TENSOR_TENSOR_MODE", "VSEL_CMPMASK_SPR") if tensor else ("VSEL_TENSOR_SCALAR_MODE",)
    if mode not in wanted:
        core.report(
            "OPG743", f'{what} with {"a tensor" if tensor else "a number"} and "{mode}"', fix=f'use "{wanted[0]}"'
        )
        raise Abandon
    if is_buffer(right):
        second = operand(core, right, what)
        same_size(core, what, dst, second)
        call = Call(core, "select", dst, [first, second])
        b = call.read(second)
    else:
        bare_int(core, right, what)
        value = scalar_operand(core, right, dst.dtype, what)
        call = Call(core, "select", dst, [first])
        b = numbers.rounded(value, dst.dtype)
    period = dst.size
    if mode == "VSEL_CMPMASK_SPR":
        period = min(period, VECTOR_BYTES // dst.buffer.item)
    packed = call.read(bits, -(-period // 8))
    a = call.read(first)
    if packed is None or a is None or b is None:
        return
    truth = np.unpackbits(packed.view(np.uint8), count=period, bitorder="little").astype(np.bool_)
    if period != dst.size:
        truth = np.resize(truth, dst.size)
    call.write(np.where(truth, a, b))


def _computed(function: Function, dtype: str, *values: Any) -> Array:
    with np.errstate(all="ignore"):
        return numbers.rounded(function(*values), dtype)


def is_float(dtype: str) -> bool:
    return DTYPES[dtype].kind == "float"
