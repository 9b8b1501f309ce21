"""Copies between global memory and the chip, on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cpu_support import Array, call, compiled, launcher, to_memory
from opgen.facts.dtypes import DTYPES

__all__ = ["launcher"]

COPY = """
@T.prim_func
def main(
    x: T.Tensor((10, 21), "{dtype}"),
    y: T.Tensor((10, 21), "{dtype}"),
    tiles: T.Tensor((6, 8, 16), "{dtype}"),
    row: T.Tensor((21,), "{dtype}"),
):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((8, 16), "{dtype}")
        both = T.alloc_ub((2, 16), "{dtype}")
        with T.Scope("V"):
            if vid == 0:
                for i in T.serial(2):
                    for j in T.serial(2):
                        T.copy(x[i * 8, j * 16], a{pad})
                        T.copy(a, y[i * 8, j * 16])
                        T.copy(a, tiles[i * 2 + j, 0, 0])
                T.copy(x[16, 0], a{pad})  # all of it lies outside
                T.copy(a, y[16, 0])
                T.copy(a, tiles[4, 0, 0])
                T.copy(x[2:4, 3:8], a[0:2, 0:5])  # a piece, whose surroundings stay
                T.copy(a, tiles[5, 0, 0])
                T.copy(x[9, 5:21], both[1, :])
                T.copy(both[1, :], row[5:21])
"""


@pytest.fixture(scope="module")
def copies(launcher: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pads = {"float32": ', pad_value=-T.infinity("float32")', "float16": ", pad_value=2.5", "int32": ", pad_value=-7"}
    kernels = {d: COPY.format(dtype=d, pad=pads.get(d, "")) for d in DTYPES if d != "bool"}
    return compiled(launcher, tmp_path_factory.mktemp("copies"), kernels)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "bool"])
def test_copies_are_clipped_and_filled_up(copies: dict[str, Any], dtype: str) -> None:
    x = to_memory(np.arange(1, 211).reshape(10, 21) % 100, dtype)
    blank = to_memory(np.zeros((10, 21)), dtype)
    tiles = to_memory(np.zeros((6, 8, 16)), dtype)
    _, y, tiles, row = call(copies[dtype], x, blank, tiles, to_memory(np.zeros(21), dtype))
    np.testing.assert_array_equal(y, x)
    pad = to_memory(np.float64({"float32": -np.inf, "float16": 2.5, "int32": -7}.get(dtype, 0)), dtype)
    filled = DTYPES[dtype].size in (2, 4)  # the others keep what was there
    held = np.full((8, 16), 255, np.uint8)
    for number, (i, j) in enumerate([(0, 0), (0, 16), (8, 0), (8, 16), (16, 0)]):
        valid = x[i : i + 8, j : j + 16]
        wanted = np.full((8, 16), pad) if filled else previous(held, dtype)
        wanted[: valid.shape[0], : valid.shape[1]] = valid
        np.testing.assert_array_equal(tiles[number], wanted, f"tile {number}")
        held = np.ascontiguousarray(wanted).view(np.uint8)
    wanted = tiles[4].copy()
    wanted[0:2, 0:5] = x[2:4, 3:8]
    np.testing.assert_array_equal(tiles[5], wanted)
    np.testing.assert_array_equal(row[5:], x[9, 5:])
    np.testing.assert_array_equal(row[:5], np.zeros(5))


def previous(held: Array, dtype: str) -> Array:
    """What a buffer holds: at first a pattern of ones."""
    element = np.dtype(to_memory(np.zeros(1), dtype).dtype)
    if held.shape == (8, 16) and element.itemsize > 1:
        return np.full((8, 16), np.frombuffer(b"\xff" * element.itemsize, element)[0])
    return np.ascontiguousarray(held).view(element).reshape(8, 16).copy()
