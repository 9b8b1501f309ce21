"""Kernels on the CPU for tests: scripts through the launcher, libraries through ctypes."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opgen.dialect.cpu import environment
from opgen.formula.evaluate import round_to

Array = np.ndarray[Any, Any]
BATCH = Path(__file__).with_name("cpu_batch.py")
GUARD = 64  # bytes on each side of a tensor
PATTERN = 0xA5


@pytest.fixture(scope="session")
def launcher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of kernel scripts; on a machine's first run the environment is made."""
    prepared = environment.ensure(lambda line: print(line, file=sys.stderr))
    return environment.interpreter(tmp_path_factory.mktemp("launcher"), prepared)


def run(launcher: Path, *words: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [str(launcher), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **more)


def compile_all(launcher: Path, jobs: Sequence[Sequence[str | Path]]) -> list[str]:
    """Runs scripts, all in one process. For each "", or what went wrong."""
    text = json.dumps([[str(word) for word in job] for job in jobs])
    done = run(launcher, BATCH, input=text)
    assert done.returncode == 0, done.stdout + done.stderr
    results: list[str] = json.loads(done.stdout)
    return results


def compiled(launcher: Path, folder: Path, kernels: dict[str, str]) -> dict[str, ctypes.CDLL]:
    """Libraries of kernel texts; each text defines a prim_func called `main`."""
    scripts = {}
    for name, text in kernels.items():
        scripts[name] = folder / f"{name}.py"
        scripts[name].write_text(KERNEL.format(body=text, library=str(folder / f"{name}.so")), encoding="utf-8")
    failures = [failure for failure in compile_all(launcher, [[path] for path in scripts.values()]) if failure]
    assert not failures, failures[0]
    return {name: load(folder / f"{name}.so") for name in kernels}


KERNEL = """\
import shutil
import tilelang
import tilelang.language as T

{body}

kernel = tilelang.compile(main, target="ascendc", platform="A3", pass_configs=globals().get("CONFIGS"))
shutil.copyfile(kernel.adapter.lib._name, {library!r})
"""


def load(library: Path) -> ctypes.CDLL:
    found = ctypes.CDLL(str(library))
    found.call.restype = None
    return found


def to_memory(values: Any, dtype: str) -> Array:
    """Elements as global memory holds them; bfloat16 as its bits."""
    rounded = np.ascontiguousarray(round_to(np.asarray(values), dtype))
    if dtype == "bfloat16":
        return (rounded.view(np.uint32) >> 16).astype(np.uint16)
    return rounded.astype(np.uint8) if dtype == "bool" else rounded


def from_memory(elements: Array, dtype: str) -> Array:
    """The values of elements in global memory."""
    if dtype == "bfloat16":
        return (elements.astype(np.uint32) << 16).view(np.float32)
    return elements


class Tensor:
    """A tensor in global memory with a guard on both sides."""

    def __init__(self, elements: Array) -> None:
        self.shape, self.dtype = elements.shape, elements.dtype
        self.size = elements.nbytes
        self.bytes = np.full(self.size + 2 * GUARD, PATTERN, np.uint8)
        self.bytes[GUARD : GUARD + self.size] = elements.reshape(-1).view(np.uint8)

    @property
    def pointer(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.bytes.ctypes.data + GUARD)

    def elements(self) -> Array:
        """The elements; the guard must be as it was."""
        guards = np.concatenate([self.bytes[:GUARD], self.bytes[GUARD + self.size :]])
        assert (guards == PATTERN).all(), "written outside the tensor"
        return self.bytes[GUARD : GUARD + self.size].view(self.dtype).reshape(self.shape)


def call(library: ctypes.CDLL, *arguments: Array | float | int, sizes: Sequence[int] = ()) -> list[Array]:
    """Runs `call` on copies of the arrays; what they hold afterwards, in order."""
    words: list[Any] = []
    tensors: list[Tensor] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            tensors.append(Tensor(argument))
            words.append(tensors[-1].pointer)
        else:
            words.append(ctypes.c_float(argument) if isinstance(argument, float) else ctypes.c_int32(argument))
    library.call(*words, *map(ctypes.c_int64, sizes), ctypes.c_void_p(None))
    return [tensor.elements() for tensor in tensors]
