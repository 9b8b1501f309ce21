"""Shared by the tests of PyPTO kernels: launches of the fixtures, and kernels from a few statements."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from conftest import ROOT
from opgen.dialect import Report
from opgen.dialect.pypto.check import check_here
from opgen.dialect.pypto.requests import Argument, Request
from opgen.dialect.report import KernelReport

KERNELS = ROOT / "tests/pypto"
TILE = 8192

HEAD = """\
from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class Tiling:
    rows: int
    columns: int


class Key:
    mode = TilingKeyField(bits=1, values=[0])


@pl.jit(arch="a5", auto_mutex=AUTO, tiling_key=Key, datatype={"x": "x_type", "y": "y_type"})
def kernel(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: Tiling,
):
    x_view = pl.make_tensor(x, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=x_type)
    y_view = pl.make_tensor(y, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=y_type)
"""


def scaled_add(
    count: int = 2 * TILE + 5,
    dtype: str = "float32",
    blocks: int = 2,
    subblocks: int = 2,
    mode: int = 1,
    **tiling: Any,
) -> Request:
    """A launch of tests/pypto/scaled_add.py."""
    x, y = scaled_add_inputs(count)
    values = {"total_length": count, "tile_num": -(-count // TILE), "alpha": 0.5} | tiling
    arguments = (
        Argument("x", "input", dtype, x),
        Argument("y", "input", dtype, y),
        Argument("z", "output", dtype, size=count),
    )
    return Request(values, {"sch_mode": mode}, {"data_dtype": dtype}, arguments, blocks, subblocks, 0)


def scaled_add_inputs(count: int) -> tuple[Any, Any]:
    random = np.random.default_rng(count)
    return random.standard_normal(count).astype(np.float32), random.standard_normal(count).astype(np.float32)


def kernel_text(body: str, auto: bool = True) -> str:
    """A file with one kernel of x and y with shape [rows, columns]. body: stands in its vector section."""
    lines = textwrap.dedent(body).strip("\n")
    section = "    with pl.section_vector():\n" + textwrap.indent(lines, " " * 8)
    return HEAD.replace("AUTO", str(auto)) + section + "\n"


def check_text_of(
    folder: Path, text: str, requests: Sequence[Request], name: str = "kernel", generated: bool = False
) -> Report:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return check_here(path, requests, generated=generated)


def request(
    rows: int = 1,
    columns: int = 64,
    x_type: str = "float32",
    y_type: str = "",
    x: Any = None,
    y_size: int | None = None,
    blocks: int = 1,
    subblocks: int = 1,
    workspace: int = 0,
) -> Request:
    """A launch of a kernel of kernel_text."""
    y_type = y_type or x_type
    values = np.asarray(x) if x is not None else np.arange(1, rows * columns + 1) % 7 + 1
    size = rows * columns if y_size is None else y_size
    return Request(
        {"rows": rows, "columns": columns},
        {"mode": 0},
        {"x_type": x_type, "y_type": y_type},
        (Argument("x", "input", x_type, values), Argument("y", "output", y_type, size=size)),
        blocks,
        subblocks,
        workspace,
    )


def shown(report: Report) -> list[str]:
    """Findings in short."""
    return [f"{f.rule}:{f.place.line if f.place else 0} {f.what}" for f in report.findings]


def ran(folder: Path, body: str, wanted: Request | None = None, auto: bool = True) -> KernelReport:
    """One launch without findings."""
    report = check_text_of(folder, kernel_text(body, auto), [wanted or request()])
    assert shown(report) == []
    return report.kernels[0]


def output(folder: Path, body: str, wanted: Request, auto: bool = True) -> Any:
    return ran(folder, body, wanted, auto).outputs["y"]


def ring(name: str, shape: Sequence[int], dtype: str, address: int, mutex: int, **more: str) -> str:
    """A line that makes a ring of one tile, and one that takes it."""
    options = "".join(f", {key}={value}" for key, value in more.items())
    return (
        f"{name}_ring = pl.make_tile_group(type=pl.TileType(shape={list(shape)}, dtype={dtype}{options}), "
        f"addrs={address:#x}, mutex_ids=[{mutex}])\n{name} = {name}_ring.current()\n"
    )


def rules(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings}


def replaced(text: str, changes: Mapping[str, str]) -> str:
    """A text with parts of it exchanged, each of which must be there."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text
