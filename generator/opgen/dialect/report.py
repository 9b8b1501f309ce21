"""What a check tells: findings, and for each kernel what it was called with, what it wrote and what it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from opgen.text.findings import Finding

Array = NDArray[Any]


@dataclass(frozen=True)
class Parameter:
    """A parameter of the prim_func, in call order. shape: () for scalars."""

    name: str
    kind: Literal["tensor", "scalar"]
    dtype: str
    shape: tuple[int, ...]


@dataclass
class Counters:
    """What a launch did. bytes_in, bytes_out: between global memory and the chip. copies_in, copies_out: those that
    moved anything. vector_calls: by operation. tiles: stores, empty ones included, to the tensor that has most. syncs:
    set_flag, wait_flag, pipe_barrier, barrier_all, cross flags, sync_all. peak: bytes by memory, hidden scratch memory
    included. cycles, copying, hidden: in the model of opgen.dialect.timing, of the whole launch, of all cores in which
    something was copied from or to global memory, and of these the ones with a computation beside it; 0 where the
    compiler puts in the synchronisation."""

    bytes_in: int = 0
    bytes_out: int = 0
    copies_in: int = 0
    copies_out: int = 0
    vector_calls: dict[str, int] = field(default_factory=dict)
    syncs: dict[str, int] = field(default_factory=dict)
    scalar_accesses: int = 0
    multiply_adds: int = 0
    tiles: int = 0
    peak: dict[str, int] = field(default_factory=dict)
    cycles: float = 0
    copying: float = 0
    hidden: float = 0

    @property
    def vector_calls_per_tile(self) -> float:
        return sum(self.vector_calls.values()) / max(1, self.tiles)


@dataclass(frozen=True)
class KernelReport:
    """One kernel, called once. dims: values of its symbolic sizes. blocks: its grid. findings: in this call.

    outputs: what the tensors that it wrote to hold afterwards; bfloat16 is held as float32. complete: whether the
    checker knew everything that the kernel uses.
    """

    name: str
    parameters: tuple[Parameter, ...]
    dims: dict[str, int]
    blocks: int
    findings: tuple[Finding, ...]
    outputs: dict[str, Array]
    counters: Counters
    complete: bool


@dataclass(frozen=True)
class Report:
    """All kernels of a script. findings: of all calls together, each place once, and of the script itself.

    sources: text of the files that findings name.
    """

    kernels: tuple[KernelReport, ...]
    findings: tuple[Finding, ...]
    sources: dict[str, str]

    @property
    def ok(self) -> bool:
        return bool(self.kernels) and not self.findings


def as_array(value: object) -> Array:
    return np.asarray(value)
