"""Global memory: what pointers point to, pointers, and views of it. All workers share it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from opgen.dialect.order import MTE2, MTE3
from opgen.dialect.places import Spot, caller
from opgen.dialect.pypto.elements import as_bytes, decoded, encoded, stored
from opgen.dialect.pypto.words import DataType, data_type
from opgen.dialect.pypto.worker import GARBAGE, FrontEndError, Worker, here, integer, shown
from opgen.dialect.report import Array
from opgen.facts.dtypes import DTYPES

MANY = -2  # in `reader`: several workers
LARGEST = 2**28  # bytes of one tensor


class Box(NamedTuple):
    """Elements of global memory that one access takes. first: byte of the first one. steps: bytes along each axis."""

    first: int
    shape: tuple[int, ...]
    steps: tuple[int, ...]
    item: int

    @property
    def end(self) -> int:
        """One behind the last byte."""
        last = sum((n - 1) * step for n, step in zip(self.shape, self.steps, strict=True))
        return self.first + last + self.item

    def of(self, memory: Array, unit: int) -> Array:
        """The part of an array that has one element for each `unit` bytes; an axis more where that is several for one
        element of the box."""
        size = memory.itemsize
        strides = [step // unit * size for step in self.steps]
        shape = list(self.shape)
        if self.item > unit:
            shape.append(self.item // unit)
            strides.append(size)
        start = self.first // unit * size
        part: Array = np.ndarray(tuple(shape), memory.dtype, memory, start, tuple(strides))
        return part


class GlobalBuffer:
    """A tensor's memory. dtype: what its elements are, "" for a workspace. role: input, output, both or workspace.

    grows: its size is not known; views decide. unit: bytes whose history is kept together. writer, reader: the worker
    that stored, that loaded, -1 for none. stored_at, loaded_at: the number of that operation on its pipe.
    """

    def __init__(self, name: str, data: Array | None, dtype: str, role: str) -> None:
        self.name = name
        self.dtype = dtype
        self.role = role
        self.grows = data is None
        self.data: Array = np.zeros(0, np.uint8) if data is None else data
        self.unit = DTYPES[dtype].size if dtype else 1
        self._histories()

    @property
    def filled(self) -> bool:
        """Whether it holds something before the kernel starts."""
        return self.role in ("input", "both")

    def _histories(self) -> None:
        count = len(self.data) // self.unit
        self.ever: Array = np.zeros(count, np.bool_)
        self.settle()

    def settle(self) -> None:
        """All workers have met: what was done is done."""
        count = len(self.data) // self.unit
        self.writer: Array = np.full(count, -1, np.int32)
        self.reader: Array = np.full(count, -1, np.int32)
        self.stored_at: Array = np.zeros(count, np.int32)
        self.loaded_at: Array = np.zeros(count, np.int32)

    def reach(self, end: int) -> None:
        """Grows to so many bytes."""
        if end > LARGEST:
            raise FrontEndError(f"{self.name} would have {end} bytes, and the checker takes {LARGEST}")
        old = self.data
        more = -(-end // 64) * 64 - len(old)
        if more <= 0:
            return
        if self.filled:
            from opgen.dialect.launch import made_up

            dtype = self.dtype or "uint8"
            fresh = as_bytes(made_up(self.name, dtype, (len(old) + more) // self.unit), dtype)[len(old) :]
        else:
            fresh = np.full(more, GARBAGE, np.uint8)
        before = self.ever, self.writer, self.reader, self.stored_at, self.loaded_at
        self.data = np.concatenate([old, fresh])
        self._histories()
        for new, was in zip((self.ever, self.writer, self.reader, self.stored_at, self.loaded_at), before, strict=True):
            new[: len(was)] = was


class PointerType(NamedTuple):
    """pl.Ptr[pl.DT_FP32], the annotation of a parameter."""

    dtype: Any


class Pointer:
    """What a pl.Ptr parameter holds, and what make_ptr and addptr give. offset: bytes."""

    def __init__(self, buffer: GlobalBuffer, offset: int, dtype: DataType) -> None:
        self.buffer = buffer
        self.offset = offset
        self.dtype = dtype

    def __class_getitem__(cls, dtype: Any) -> PointerType:
        return PointerType(dtype)


def make_ptr(ptr: Any, dtype: Any = None) -> Pointer:
    source = _pointer(ptr, "pl.make_ptr")
    return Pointer(source.buffer, source.offset, dtype if isinstance(dtype, DataType) else source.dtype)


def addptr(ptr: Any, offset: Any) -> Pointer:
    """offset: elements of the pointer's type."""
    source = _pointer(ptr, "pl.addptr")
    return Pointer(
        source.buffer, source.offset + integer(offset, "the offset of pl.addptr") * source.dtype.size, source.dtype
    )


def _pointer(value: Any, what: str) -> Pointer:
    if isinstance(value, View):
        return value.pointer
    if isinstance(value, Pointer):
        return value
    if value is None:
        raise FrontEndError(f"{what} of an optional input that is not there", fix="ask `is None` first")
    raise FrontEndError(f"{what} takes a pointer or a view, not {shown(value)}")


class View:
    """pl.make_tensor: a shape and strides, in elements, over a pointer."""

    def __init__(
        self, pointer: Pointer, shape: tuple[int, ...], stride: tuple[int, ...], dtype: DataType, spot: Spot
    ) -> None:
        self.pointer = pointer
        self.shape = shape
        self.stride = stride
        self.type = dtype
        self.spot = spot

    @property
    def name(self) -> str:
        return self.pointer.buffer.name

    def box(self, worker: Worker, offsets: tuple[int, ...], extents: tuple[int, ...], what: str) -> Box | None:
        """The elements from `offsets` on; None, and a finding, when they are not all inside."""
        inside = all(
            start >= 0 and start + extent <= size
            for start, extent, size in zip(offsets, extents, self.shape, strict=True)
        )
        box = Box(
            self.pointer.offset + sum(o * s for o, s in zip(offsets, self.stride, strict=True)) * self.type.size,
            extents,
            tuple(s * self.type.size for s in self.stride),
            self.type.size,
        )
        if not inside:
            pieces = ", ".join(f"{o}:{o + e}" for o, e in zip(offsets, extents, strict=True))
            worker.report(
                "OPG836",
                f"{what} leaves the view of {self.name}",
                f": [{pieces}] of shape {list(self.shape)}",
                why="Nothing is clipped: the kernel touches memory of other tensors.",
                fix="cut the valid shape of the last tile with pl.min, and set it before the load",
            )
            return None
        buffer = self.pointer.buffer
        if buffer.grows:
            buffer.reach(box.end)
        if box.first < 0 or box.end > len(buffer.data):
            worker.report(
                "OPG836",
                f"{what} leaves {self.name}",
                f": it has {len(buffer.data)} bytes, and byte {max(box.end - 1, -box.first)} is touched",
                why="The view is larger than what the pointer points to.",
                fix="give the view the shape of the tensor"
                if buffer.role != "workspace"
                else "let the host ask for more workspace: every worker needs a part of its own",
            )
            return None
        if box.first % box.item or any(step % box.item for step in box.steps):
            raise FrontEndError(f"elements of {self.name} do not lie at multiples of their size")
        return box

    # ---- accesses ----

    def read(self, worker: Worker, pipe: int, step: int, box: Box, what: str) -> Array:
        """The elements of a box, checked, as memory holds them."""
        buffer = self.pointer.buffer
        if buffer.grows:
            buffer.reach(box.end)
        writer = box.of(buffer.writer, buffer.unit)
        if not buffer.filled and not box.of(buffer.ever, buffer.unit).all():
            worker.report(
                "OPG837",
                f"{what} reads {self.name} where nothing was stored",
                why="The memory of outputs and of the workspace holds whatever was there before.",
                fix="store to it first",
            )
        others = writer[(writer >= 0) & (writer != worker.index)]
        if others.size:
            worker.report(
                "OPG839",
                f"{what} reads elements of {self.name} that another worker stores",
                f": worker {int(others.flat[0])}",
                why="Workers run at any time and in any order; nothing makes the one wait for the other.",
                fix="read only what this worker stores, or let all meet in pl.system.sync_all("
                "core_type=pl.SyncCoreType.AIV_ONLY) in between",
            )
        self._ordered(worker, pipe, MTE3, writer, box.of(buffer.stored_at, buffer.unit), what, "reads", "stores to")
        readers = box.of(buffer.reader, buffer.unit)
        readers[...] = np.where((readers == -1) | (readers == worker.index), worker.index, MANY)
        box.of(buffer.loaded_at, buffer.unit)[...] = step if pipe == MTE2 else 0
        bits: Array = np.array(box.of(buffer.data.view(stored(self.type.name)), box.item))
        return bits

    def write(
        self, worker: Worker, pipe: int, step: int, box: Box, bits: Array, what: str, atomic: bool = False
    ) -> None:
        """bits: as memory holds them. atomic: they are added to what is there."""
        buffer = self.pointer.buffer
        if buffer.role == "input":
            worker.report(
                "OPG836",
                f"{what} stores to {self.name}, which is an input",
                why="The tensor belongs to the caller, who goes on using it.",
                fix="store to an output",
            )
        target = box.of(buffer.data.view(stored(self.type.name)), box.item)
        writer = box.of(buffer.writer, buffer.unit)
        reader = box.of(buffer.reader, buffer.unit)
        same = np.array_equal(target, bits)
        foreign = (writer >= 0) & (writer != worker.index)
        if not atomic and foreign.any() and (foreign.all() or not same):
            worker.report(
                "OPG839",
                f"{what} stores to elements of {self.name} that another worker stores to",
                f": worker {int(writer[foreign].flat[0])}" + (", the same values" if same else ""),
                why="Workers run at any time and in any order: which value stays is chance."
                if not same
                else "Two workers do the same tile.",
                fix="let worker pl.get_block_idx() take every (pl.get_block_num() * pl.get_subblock_num())-th tile",
            )
        read_by_others = (reader == MANY) | ((reader >= 0) & (reader != worker.index))
        if not same and not atomic and read_by_others.any():
            worker.report(
                "OPG839",
                f"{what} stores to elements of {self.name} that another worker reads",
                why="Workers run at any time and in any order: the other one may find the old value or the new one.",
                fix="let every worker change only what no other reads, or let all meet in between",
            )
        mine = box.of(buffer.loaded_at, buffer.unit)
        self._ordered(worker, pipe, MTE2, reader, mine, what, "stores to", "loads from")
        if atomic:
            total = decoded(target, self.type.name) + decoded(bits, self.type.name)
            target[...] = encoded(total, self.type.name)
        else:
            target[...] = bits
        box.of(buffer.ever, buffer.unit)[...] = True
        writer[...] = worker.index
        box.of(buffer.stored_at, buffer.unit)[...] = step if pipe == MTE3 else 0

    def _ordered(
        self, worker: Worker, pipe: int, other: int, who: Array, when: Array, what: str, verb: str, others: str
    ) -> None:
        """The worker's own accesses on the other pipe have to be finished."""
        mine = who == worker.index
        last = int(when[mine].max()) if mine.any() else 0
        if last and not worker.order.done(pipe, other, last):
            worker.report(
                "OPG838",
                f"{what} {verb} {self.name} while this worker still {others} it",
                why="Loads run on MTE2 and stores on MTE3, side by side; mutexes order them only where both use one "
                "tile.",
                fix="put pl.system.sync_src and sync_dst with set_pipe=pl.PipeType.MTE3, "
                "wait_pipe=pl.PipeType.MTE2 between them, or move both through the same tile",
            )

    # ---- single elements ----

    def __getitem__(self, index: Any) -> Any:
        from opgen.dialect.pypto.scalars import view_element

        return view_element(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        from opgen.dialect.pypto.scalars import set_view_element

        set_view_element(self, index, value)


def make_tensor(ptr: Any, shape: Any, stride: Any = None, dtype: Any = None) -> View:
    source = _pointer(ptr, "pl.make_tensor")
    sizes = _whole(shape, "the shape of a view")
    if stride is None:
        steps = tuple(math.prod(sizes[axis + 1 :]) for axis in range(len(sizes)))
    else:
        steps = _whole(stride, "the stride of a view")
    if len(steps) != len(sizes):
        raise FrontEndError(f"a view with {len(sizes)} sizes and {len(steps)} strides", fix="one stride for each axis")
    chosen = dtype if isinstance(dtype, DataType) else source.dtype
    if isinstance(ptr, View) and dtype is None:
        chosen = ptr.type
    if not chosen.name:
        raise FrontEndError(f"the checker holds no elements of {chosen}")
    buffer = source.buffer
    worker = here()
    if buffer.dtype and chosen.name != buffer.dtype and not _as_bool(chosen.name, buffer.dtype):
        worker.report(
            "OPG835",
            f"the view of {buffer.name} has the type {chosen} and the tensor holds {data_type(buffer.dtype)}",
            why="A view takes the bytes as they are; elements of another type are other numbers.",
            fix=f"map {buffer.name} in `datatype` and give that variable as dtype, or write {data_type(buffer.dtype)}",
        )
    return View(source, sizes, steps, chosen, caller())


def _as_bool(first: str, second: str) -> bool:
    """A bool is a byte; kernels compute with it as one."""
    return {first, second} <= {"bool", "uint8", "int8"} and "bool" in (first, second)


def _whole(values: Any, what: str) -> tuple[int, ...]:
    if not isinstance(values, (list, tuple)) or not values:
        raise FrontEndError(f"{what} is {shown(values)}", fix="write a list, one number for each axis")
    return tuple(integer(value, f"a number in {what}") for value in values)
