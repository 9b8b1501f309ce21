"""Reductions, products, and cores that wait for each other, on the CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from cpu_support import call, compiled, from_memory, launcher, to_memory
from opgen.formula.evaluate import round_to

__all__ = ["launcher"]

# ---- reductions and broadcasting ----

ROWS = """
@T.prim_func
def main(
    x: T.Tensor((8, 32), "{dtype}"),
    across: T.Tensor((5, 8), "{dtype}"),
    down: T.Tensor((2, 32), "{dtype}"),
    wide: T.Tensor((3, 8, 32), "{dtype}"),
):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((8, 32), "{dtype}")
        w = T.alloc_ub((8, 32), "{dtype}")
        column = T.alloc_ub((8, 1), "{dtype}")
        flat = T.alloc_ub((8,), "{dtype}")
        line = T.alloc_ub((1, 32), "{dtype}")
        one = T.alloc_ub((1, 1), "{dtype}")
        with T.Scope("V"):
            if vid == 0:
                T.copy(x, a)
                T.reduce_max(a, column, dim=-1)
                T.copy(column, across[0, 0:8])
                T.reduce_min(a, flat, dim=1)
                T.copy(flat, across[1, 0:8])
                T.reduce_{sum}(a, flat, dim=-1)
                T.copy(flat, across[2, 0:8])
                T.reduce_{sum}(a, flat, dim=-1, clear=False)
                T.copy(flat, across[3, 0:8])
                T.reduce_max(a, flat, dim=-1, real_shape=[8, 20])
                T.copy(flat, across[4, 0:8])
                T.reduce_{sum}(a, line, dim=0)
                T.copy(line, down[0, 0])
                T.reduce_max(a, line, dim=-2)
                T.copy(line, down[1, 0])
                T.tile.broadcast(w, line)
                T.copy(w, wide[0, 0, 0])
                T.tile.broadcast(w, flat, axis=1)
                T.copy(w, wide[1, 0, 0])
                T.tile.fill(one, 2.0)
                T.tile.broadcast(w, one)
                T.copy(w, wide[2, 0, 0])
"""


def test_reductions_and_broadcasting(launcher: Path, tmp_path: Path) -> None:
    sums = {"float32": "sum", "float16": "max"}
    libraries = compiled(launcher, tmp_path, {d: ROWS.format(dtype=d, sum=s) for d, s in sums.items()})
    for dtype, library in libraries.items():
        x = np.random.default_rng(5).uniform(-2, 2, (8, 32)).astype(dtype)
        total = np.sum if sums[dtype] == "sum" else np.max
        again = 2 if sums[dtype] == "sum" else 1
        blank = [np.zeros(shape, dtype) for shape in ((5, 8), (2, 32), (3, 8, 32))]
        _, across, down, wide = call(library, x, *blank)
        for actual, wanted in [
            (across[0], x.max(-1)),
            (across[1], x.min(-1)),
            (across[2], total(x, -1)),
            (across[3], again * total(x, -1)),
            (across[4], x[:, :20].max(-1)),
            (down[0], total(x, 0)),
            (down[1], x.max(0)),
            (wide[0], np.broadcast_to(x.max(0), (8, 32))),
            (wide[1], np.broadcast_to(x[:, :20].max(-1)[:, None], (8, 32))),
            (wide[2], np.full((8, 32), 2)),
        ]:
            np.testing.assert_allclose(actual, wanted, 2e-6, 2e-6, err_msg=dtype)


# ---- the cube core, and cores that wait for each other ----

GEMM = """
@T.prim_func
def main(
    a: T.Tensor({a}, "{dtype}"),
    b: T.Tensor({b}, "{dtype}"),
    c: T.Tensor((50, 40), "{out}"),
):
    with T.Kernel(4, is_npu=True) as (cid, _):
        row = cid // 2 * 32
        col = cid % 2 * 32
        a_l1 = T.alloc_L1({a_tile}, "{dtype}")
        b_l1 = T.alloc_L1({b_tile}, "{dtype}")
        c_l0 = T.alloc_L0C((32, 32), "{sums}")
        with T.Scope("C"):
            for i in T.serial(3):
                T.copy(a[{a_corner}], a_l1)
                T.copy(b[{b_corner}], b_l1)
                T.gemm_v0(a_l1, b_l1, c_l0, transpose_A={ta}, transpose_B={tb}, init=(i == 0))
            T.copy(c_l0, c[row, col]{relu})
"""


def gemm(dtype: str, ta: bool, tb: bool, relu: bool = False) -> str:
    return GEMM.format(
        dtype=dtype,
        out=dtype if dtype != "int8" else "int32",
        sums="int32" if dtype == "int8" else "float32",
        ta=ta,
        tb=tb,
        a=(70, 50) if ta else (50, 70),
        b=(40, 70) if tb else (70, 40),
        a_tile=(32, 32),
        b_tile=(32, 32),
        a_corner="i * 32, row" if ta else "row, i * 32",
        b_corner="col, i * 32" if tb else "i * 32, col",
        relu=", enable_relu=True" if relu else "",
    )


def test_products(launcher: Path, tmp_path: Path) -> None:
    cases = {
        "float32": ("float32", False, False, False),
        "float16": ("float16", True, False, True),
        "bfloat16": ("bfloat16", False, True, False),
        "int8": ("int8", True, True, False),
    }
    libraries = compiled(launcher, tmp_path, {name: gemm(*case) for name, case in cases.items()})
    rng = np.random.default_rng(6)
    for name, (dtype, ta, tb, relu) in cases.items():
        a, b = (rng.integers(-5, 6, shape) for shape in ((50, 70), (70, 40)))  # exact in every type
        wanted = np.maximum(a @ b, 0) if relu else a @ b
        memory = [to_memory(m, dtype) for m in (a.T if ta else a, b.T if tb else b)]
        out = "int32" if dtype == "int8" else dtype
        c = from_memory(call(libraries[name], *memory, to_memory(np.zeros((50, 40)), out))[2], out)
        np.testing.assert_array_equal(c, round_to(wanted, out), name)


def test_cube_and_vector_cores_hand_over(launcher: Path, tmp_path: Path) -> None:
    """A workspace that is used again in the next round: with flags, and with the compiler's own order."""
    by_hand = """
@T.prim_func
def main(
    a: T.Tensor((64, 32), "float16"),
    b: T.Tensor((32, 32), "float16"),
    c: T.Tensor((64, 32), "float32"),
    workspace: T.Tensor((2, 16, 32), "float32"),
):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        a_l1 = T.alloc_L1((16, 32), "float16")
        b_l1 = T.alloc_L1((32, 32), "float16")
        c_l0 = T.alloc_L0C((16, 32), "float32")
        v = T.alloc_ub((8, 32), "float32")
        with T.Scope("C"):
            for i in T.serial(2):
                T.wait_cross_flag(3)
                T.copy(a[cid * 32 + i * 16, 0], a_l1)
                T.copy(b, b_l1)
                T.gemm_v0(a_l1, b_l1, c_l0, init=True)
                T.copy(c_l0, workspace[cid, 0, 0])
                T.set_cross_flag("FIX", 2)
            T.wait_cross_flag(3)
        with T.Scope("V"):
            T.set_cross_flag("MTE3", 3)
            for i in T.serial(2):
                T.wait_cross_flag(2)
                T.copy(workspace[cid, vid * 8, 0], v)
                T.set_cross_flag("MTE3", 3)
                T.tile.add(v, v, 1.0)
                T.copy(v, c[cid * 32 + i * 16 + vid * 8, 0])
"""
    by_compiler = """
KEY = tilelang.PassConfigKey
CONFIGS = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True, KEY.TL_ASCEND_AUTO_CV_SYNC: True}

@T.prim_func
def main(
    a: T.Tensor((64, 32), "float16"),
    b: T.Tensor((32, 32), "float16"),
    c: T.Tensor((64, 32), "float32"),
    workspace: T.Tensor((2, 16, 32), "float32"),
):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        a_l1 = T.alloc_L1((16, 32), "float16")
        b_l1 = T.alloc_L1((32, 32), "float16")
        c_l0 = T.alloc_L0C((16, 32), "float32")
        v = T.alloc_ub((8, 32), "float32")
        for i in T.serial(2):
            T.copy(a[cid * 32 + i * 16, 0], a_l1)
            T.copy(b, b_l1)
            T.gemm_v0(a_l1, b_l1, c_l0, init=True)
            T.copy(c_l0, workspace[cid, 0, 0])
            T.copy(workspace[cid, vid * 8, 0], v)
            T.tile.add(v, v, 1.0)
            T.copy(v, c[cid * 32 + i * 16 + vid * 8, 0])
"""
    libraries = compiled(launcher, tmp_path, {"by_hand": by_hand, "by_compiler": by_compiler})
    rng = np.random.default_rng(7)
    a, b = (rng.integers(-5, 6, shape).astype(np.float16) for shape in ((64, 32), (32, 32)))
    for name, library in libraries.items():
        c = call(library, a, b, np.zeros((64, 32), np.float32), np.zeros((2, 16, 32), np.float32))[2]
        np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32) + 1, name)
