"""The CPU build under the table of operations that the checker is held to: the same scripts, data and expectations."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from cpu_support import call, compile_all, from_memory, launcher, load, to_memory
from dialect_conformance import SIZES, Conformance, agree
from dialect_table import conformance

__all__ = ["launcher"]

_COMPILED = "tilelang.compile(main"
_KEPT = "\nimport shutil\n\nshutil.copyfile(kernel.adapter.lib._name, {!r})\n"


def table(everything: bool) -> list[Conformance]:
    """The usual cases: of each operation and type the size with a broken tile. everything: the others."""
    usual = {
        case.name for case in conformance() if not case.name.endswith(tuple(f"-{s}" for s in (SIZES[0], SIZES[2])))
    }
    return [case for case in conformance() if (case.name in usual) != everything]


def libraries(launcher: Path, folder: Path, cases: list[Conformance]) -> Iterator[tuple[Conformance, ctypes.CDLL]]:
    """The table's scripts, compiled as they are but for keeping the library."""
    jobs = []
    for number, case in enumerate(cases):
        assert case.script.count(_COMPILED) == 1
        text = case.script.replace(_COMPILED, f"kernel = {_COMPILED}") + _KEPT.format(str(folder / f"{number}.so"))
        path = folder / f"{number}.py"
        path.write_text(text, encoding="utf-8")
        jobs.append([path])
    failures = {case.name: said for case, said in zip(cases, compile_all(launcher, jobs), strict=True) if said}
    assert failures == {}
    for number, case in enumerate(cases):
        yield case, load(folder / f"{number}.so")


def check(launcher: Path, folder: Path, cases: list[Conformance]) -> None:
    assert len(cases) > 100
    for case, library in libraries(launcher, folder, cases):
        _, shape, dtype = case.output
        inputs = [to_memory(values, case.dtypes[name]) for name, values in case.inputs.items()]
        result = call(library, *inputs, to_memory(np.full(shape, 99), dtype), *case.scalars.values())[-1]
        agree(case, from_memory(result, dtype))


def test_operations_do_on_the_cpu_what_the_table_says(launcher: Path, tmp_path: Path) -> None:
    check(launcher, tmp_path, table(everything=False))


@pytest.mark.full
def test_operations_of_every_size_do_on_the_cpu_what_the_table_says(launcher: Path, tmp_path: Path) -> None:
    check(launcher, tmp_path, table(everything=True))
