"""What is known about a kernel while its function is traced."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any

import tilelang.cpu.language as cpu
from tilelang.language.eager.builder import Builder
from tvm import tirx
from tvm.script.ir_builder import tirx as ir

CUBE, VECTOR = 1, 2  # as in prelude.h


@dataclass
class Memory:
    """A buffer. dtype: of its elements, also where tilelang holds them as something else. place: gm, ub, l1, l0a, l0b,
    l0c, or any where the compiler chooses."""

    dtype: str
    place: str


@dataclass
class Kernel:
    """A kernel: the variables that its text is given, and what it uses.

    subs: vector cores of a block. joint: whether one core does what is the cube core's and what is a vector core's.
    """

    core: Any
    cid: Any
    vid: Any
    subs: int
    roles: int = 0
    joint: bool = False
    flags: bool = False  # cross-core flags
    everyone: bool = False  # waits for all cores of the launch
    shared: set[str] = field(default_factory=set)  # workspaces that copies touch


MEMORIES: dict[Any, Memory] = {}  # by the variable that holds the address
READS: dict[Any, Any] = {}  # calls that read an element, and the loads that they stand for
KERNELS: dict[Any, Kernel] = {}  # by `core`
_open: list[Kernel] = []


def current() -> Kernel:
    """The kernel that is being traced."""
    if not _open:
        raise RuntimeError("this belongs inside `with T.Kernel(...)`")
    return _open[-1]


def call(name: str, *args: Any) -> Any:
    """A call of a function of prelude.h for the core that executes."""
    return tirx.call_extern("int32", f"ascend::{name}", current().core, *args)


class _Frames:
    """Frames of the IR builder that are entered and left together."""

    def __init__(self) -> None:
        self.stack = contextlib.ExitStack()

    def enter(self, frame: Any) -> Any:
        return self.stack.enter_context(Builder.current().with_frame(frame))

    def condition(self, what: Any) -> None:
        self.enter(ir.If(what != 0))
        self.enter(ir.Then())


class KernelContext(_Frames):
    """`with T.Kernel(blocks, is_npu=True) as (cid, vid)`."""

    def __init__(self, blocks: Any, threads: int | None) -> None:
        super().__init__()
        self.blocks = blocks
        self.threads = threads

    def __enter__(self) -> Any:
        kernel = Kernel(
            core=tirx.Var("opgen_core", "handle"),
            cid=tirx.Var("opgen_cid", "int32"),
            vid=tirx.Var("opgen_vid", "int32"),
            subs=2 if self.threads is None else 1,
            joint=self.threads is not None,
        )
        KERNELS[kernel.core] = kernel
        self.enter(cpu.Kernel(1))
        _open.append(kernel)
        self.stack.callback(_open.pop)
        self.condition(call("enter", self.blocks))
        return (kernel.cid, kernel.vid) if self.threads is None else kernel.cid

    def __exit__(self, *exception: Any) -> Any:
        return self.stack.__exit__(*exception)


class ScopeContext(_Frames):
    """`with T.Scope("V")`."""

    def __init__(self, role: int) -> None:
        super().__init__()
        self.role = role

    def __enter__(self) -> None:
        current().roles |= self.role
        self.condition(call("is_cube" if self.role == CUBE else "is_vector"))

    def __exit__(self, *exception: Any) -> Any:
        return self.stack.__exit__(*exception)


def kernel(*blocks: Any, threads: Any = None, is_npu: bool = False, pipeline: bool = False) -> KernelContext:
    """T.Kernel. threads: 1 or 2, when the compiler splits a block between the vector cores."""
    if not is_npu:
        raise TypeError("T.Kernel: a kernel for the NPU says is_npu=True")
    if len(blocks) != 1:
        raise ValueError(f"T.Kernel: an NPU kernel has one block dimension, not {len(blocks)}")
    if isinstance(threads, (list, tuple)):
        if len(threads) != 1:
            raise ValueError("T.Kernel: an NPU kernel has one thread dimension")
        threads = threads[0]
    if threads not in (None, 1, 2):
        raise ValueError(f"T.Kernel: threads={threads}: must be 1 or 2")
    return KernelContext(blocks[0], threads)


def scope(name: str) -> ScopeContext:
    """T.Scope: V for the vector cores, C for the cube core."""
    roles = {"V": VECTOR, "C": CUBE}
    if name not in roles:
        raise ValueError(f'T.Scope({name!r}): must be "V" or "C"')
    return ScopeContext(roles[name])
