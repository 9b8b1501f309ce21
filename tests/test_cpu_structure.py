"""How kernels are built, on the CPU: loops, scalars, sizes, cores, and what is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from cpu_support import KERNEL, call, compile_all, compiled, launcher, run

__all__ = ["launcher"]

EVERYONE = """
@T.prim_func
def main(x: T.Tensor((6, 8), "float32"), y: T.Tensor((6, 8), "float32"), workspace: T.Tensor((6, 8), "float32")):
    with T.Kernel(3, is_npu=True) as (cid, vid):
        a = T.alloc_ub((8,), "float32")
        total = T.alloc_ub((8,), "float32")
        with T.Scope("V"):
            T.copy(x[cid * 2 + vid, 0:8], a)
            T.copy(a, workspace[cid * 2 + vid, 0:8])
            T.sync_all()
            T.tile.fill(total, 0.0)
            for i in T.serial(6):
                T.copy(workspace[i, 0:8], a)
                T.tile.add(total, total, a)
            T.copy(total, y[cid * 2 + vid, 0:8])
"""

ELEMENTS = """
@T.prim_func
def main(x: T.Tensor((64,), "{dtype}"), y: T.Tensor((64,), "{dtype}"), z: T.Tensor((64,), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((64,), "{dtype}")
        b = T.alloc_ub((64,), "{dtype}")
        f = T.alloc_ub((64,), "float32")
        with T.Scope("V"):
            if vid == 0:
                T.copy(x, a)
                for i in T.Parallel(64):
                    b[i] = a[63 - i]
                first = a[0]
                T.tile.fill(a, 0.0)  # comes after the scalar unit has read
                T.tile.fill(f, T.cast(first, "float32"))
                count = T.alloc_var("int32", init=0)
                for i in T.serial(10):
                    if i % 2 == 0:
                        count = count + 1
                T.tile.add(f, f, T.cast(count, "float32"))
                T.copy(b, y)
                T.copy(f, z)
"""

CHOICES = """
@T.prim_func
def main(x: T.Tensor((4, 8), "float32"), y: T.Tensor((4, 8), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((8,), "float32")
        b = T.alloc_ub((8,), "float32")
        with T.Scope("V"):
            if vid == 0:
                for i in T.serial(4):
                    T.copy(x[i, 0:8], a)
                    T.tile.fill(b, 1.0)
                    if a[0] > 0:
                        T.tile.add(b, b, a[1])
                    else:
                        T.tile.sub(b, b, a[1])
                    T.copy(b, y[i, 0:8])
"""

SCALARS = """
m, n = T.symbolic("m"), T.symbolic("n")

@T.prim_func
def main(
    zz: T.Tensor((m, n), "float32"),
    unused: T.Tensor((4,), "float32"),
    scale: T.float32,
    count: T.int32,
    a: T.Tensor((n,), "float32"),
    out: T.Tensor((m, n), "float32"),
):
    with T.Kernel(T.ceildiv(m, 2), is_npu=True) as (cid, vid):
        row = T.alloc_ub((1, 16), "float32")
        add = T.alloc_ub((1, 16), "float32")
        with T.Scope("V"):
            for j in T.serial(T.ceildiv(n, 16)):
                T.copy(zz[cid * 2 + vid, j * 16], row)
                T.copy(a[j * 16], add[0, :])
                T.tile.mul(row, row, scale * T.cast(count, "float32"))
                T.tile.add(row, row, add)
                T.copy(row, out[cid * 2 + vid, j * 16])
"""

SPLIT = """
@T.prim_func
def main(x: T.Tensor((4, 16, 32), "float32"), y: T.Tensor((4, 16, 32), "float32")):
    with T.Kernel(4, threads=2, is_npu=True) as (cid):
        a = T.alloc_shared((16, 32), "float32")
        with T.Scope("V"):
            T.copy(x[cid, 0, 0], a)
            T.tile.exp(a, a)
            T.copy(a, y[cid, 0, 0])
"""

ADDING = """
@T.prim_func
def main(x: T.Tensor((4, 16), "{dtype}"), y: T.Tensor((16,), "{dtype}")):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        a = T.alloc_ub((16,), "{dtype}")
        with T.Scope("V"):
            T.copy(x[cid * 2 + vid, 0:16], a)
            T.tile.atomic_add(y, a)
"""


def test_structure(launcher: Path, tmp_path: Path) -> None:
    kernels = {"everyone": EVERYONE, "choices": CHOICES, "scalars": SCALARS, "split": SPLIT}
    kernels |= {f"elements_{d}": ELEMENTS.format(dtype=d) for d in ("float16", "bfloat16")}
    kernels |= {f"adding_{d}": ADDING.format(dtype=d) for d in ("float32", "float16", "int32")}
    libraries = compiled(launcher, tmp_path, kernels)
    rng = np.random.default_rng(8)

    x = rng.integers(-9, 9, (6, 8)).astype(np.float32)
    y = call(libraries["everyone"], x, np.zeros_like(x), np.zeros_like(x))[1]
    np.testing.assert_array_equal(y, np.broadcast_to(x.sum(0), (6, 8)))

    x = rng.integers(1, 9, (4, 8)).astype(np.float32) * np.float32([[1], [-1], [1], [-1]])
    y = call(libraries["choices"], x, np.zeros_like(x))[1]
    np.testing.assert_array_equal(y, np.broadcast_to(1 + np.abs(x[:, 1:2]), (4, 8)))

    for m, n in ((1, 1), (5, 33), (2, 16)):
        zz, a = rng.integers(-9, 9, (m, n)).astype(np.float32), rng.integers(-9, 9, n).astype(np.float32)
        unused = np.zeros(4, np.float32)
        out = call(libraries["scalars"], zz, unused, 0.5, 3, a, np.zeros_like(zz), sizes=(m, n))[3]
        np.testing.assert_array_equal(out, zz * 1.5 + a)

    x = rng.uniform(-1, 1, (4, 16, 32)).astype(np.float32)
    np.testing.assert_allclose(call(libraries["split"], x, np.zeros_like(x))[1], np.exp(x), 1e-6)

    half = rng.integers(-9, 9, 64).astype(np.float16)
    half[0] = 2
    y, z = call(libraries["elements_float16"], half, np.zeros_like(half), np.zeros(64, np.float32))[1:]
    np.testing.assert_array_equal(y, half[::-1])
    np.testing.assert_array_equal(z, np.full(64, 2 + 5))
    bits = (half.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    y, z = call(libraries["elements_bfloat16"], bits, np.zeros_like(bits), np.zeros(64, np.float32))[1:]
    np.testing.assert_array_equal(y, bits[::-1])
    np.testing.assert_array_equal(z, np.full(64, 2 + 5))

    for dtype in ("float32", "float16", "int32"):
        x = rng.integers(-9, 9, (4, 16)).astype(dtype)
        y = call(libraries[f"adding_{dtype}"], x, np.ones(16, dtype))[1]
        np.testing.assert_array_equal(y, x.sum(0) + 1)


REFUSED = {
    "T.dynamic does not exist": ('n = T.dynamic("n")', "", "", "dynamic"),
    "T.gemm is for GPUs": ("", "", "T.gemm(a, a, a)", "gemm"),
    "no such operation": ("", "", "T.tile.tanh(b, a)", "T.tile.tanh"),
    "not an NPU kernel": ("", "with T.Kernel(1) as (cid, vid):", "", "is_npu=True"),
    "two grid dimensions": ("", "with T.Kernel(1, 2, is_npu=True) as (cid, vid):", "", "one block dimension"),
    "no such scope": ("", "", 'with T.Scope("X"):\n                T.tile.exp(b, a)', '"V" or "C"'),
    "no such pipe": ("", "", 'T.set_flag("v", "mte9", 2)', "mte9"),
    "no such rounding": ("", "", 'T.tile.cast(b, a, "CAST_UP", 64)', "CAST_UP"),
    "no such relation": ("", "", 'T.tile.compare(bits, a, b, "XX")', "XX"),
    "a bare int is compared": ("", "", 'T.tile.compare(bits, a, 1, "LT")', "bare int"),
    "a mask that is too small": ("", "", 'T.tile.compare(few, a, b, "LT")', "room for"),
    "operands of different types": ("", "", "T.tile.add(a, a, h)", "different types"),
    "operands of different sizes": ("", "", "T.tile.add(a, a, b[0:32])", "different sizes"),
    "a tensor in global memory": ("", "", "T.tile.exp(a, x)", "global memory"),
    "a copy that converts": ("", "", "T.copy(x, h)", "float16"),
    "a copy of other shape": ("", "", "T.copy(x, square)", "does not fit"),
    "no way": ("", "", "T.copy(x, y)", "global memory"),
    "a product on the vector unit": ("", "", "T.gemm_v0(square, square, square)", "cube core"),
}

FRAME = """
{before}
@T.prim_func
def main(x: T.Tensor((64,), "float32"), y: T.Tensor((64,), "float32")):
    {kernel}
        a = T.alloc_ub((64,), "float32")
        b = T.alloc_ub((64,), "float32")
        h = T.alloc_ub((64,), "float16")
        square = T.alloc_ub((8, 8), "float32")
        bits = T.alloc_ub((8,), "uint8")
        few = T.alloc_ub((4,), "uint8")
        with T.Scope("V"):
            T.copy(x, a)
            {statement}
            T.copy(a, y)
"""


def test_what_upstream_does_not_have_is_refused(launcher: Path, tmp_path: Path) -> None:
    jobs = []
    for number, (before, kernel, statement, _) in enumerate(REFUSED.values()):
        text = FRAME.format(
            before=before,
            kernel=kernel or "with T.Kernel(1, is_npu=True) as (cid, vid):",
            statement=statement or 'T.pipe_barrier("v")',
        )
        path = tmp_path / f"refused_{number}.py"
        path.write_text(KERNEL.format(body=text, library=str(tmp_path / "never.so")), encoding="utf-8")
        jobs.append([path])
    for (name, (*_, wanted)), said in zip(REFUSED.items(), compile_all(launcher, jobs), strict=True):
        assert said, f"{name}: accepted"
        assert wanted in said.strip().splitlines()[-1], f"{name}: {said}"
    assert not (tmp_path / "never.so").exists()


@pytest.mark.parametrize(("option", "value"), [("target", "cuda"), ("platform", "A1")])
def test_targets_and_platforms_are_those_of_upstream(launcher: Path, tmp_path: Path, option: str, value: str) -> None:
    text = f"import tilelang\ntilelang.compile(None, {option}={value!r})\n"
    done = run(launcher, "-c", text)
    assert done.returncode == 1
    assert f"{option} {value!r}: must be one of" in done.stderr


def test_a_factory_with_jit(launcher: Path, tmp_path: Path) -> None:
    script = tmp_path / "factory.py"
    body = SPLIT.replace("\n", "\n    ")
    script.write_text(
        "import tilelang\nimport tilelang.language as T\n\n"
        '@tilelang.jit(out_idx=[-1], target="ascendc")\n'
        f"def build():{body}\n    return main\n\n"
        "import os\nprint(os.path.exists(build().adapter.lib._name))\n",
        encoding="utf-8",
    )
    done = run(launcher, script)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_a_hang_is_told(launcher: Path, tmp_path: Path) -> None:
    text = """
@T.prim_func
def main(x: T.Tensor((64,), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((64,), "float32")
        with T.Scope("V"):
            T.copy(x, a)
            T.wait_cross_flag(2)
"""
    path = tmp_path / "hang.py"
    path.write_text(KERNEL.format(body=text, library=str(tmp_path / "hang.so")), encoding="utf-8")
    assert compile_all(launcher, [[path]]) == [""]
    code = f"import ctypes; ctypes.CDLL({str(tmp_path / 'hang.so')!r}).call(bytes(256), None)"
    done = run(launcher, "-c", code)
    assert done.returncode == -6
    assert "kernel hangs" in done.stderr
    assert "T.wait_cross_flag" in done.stderr


LARGE = """
@T.prim_func
def main(a: T.Tensor((256, 512), "float16"), b: T.Tensor((512, 128), "float16"), c: T.Tensor((256, 128), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a_l1 = T.alloc_L1((256, 512), "float16")
        b_l1 = T.alloc_L1((512, 128), "float16")
        c_l0 = T.alloc_L0C((256, 128), "float32")
        with T.Scope("C"):
            T.copy(a, a_l1)
            T.copy(b, b_l1)
            T.gemm_v0(a_l1, b_l1, c_l0, init=True)
            T.copy(c_l0, c)
"""

SMALL_STACK = """
import ctypes, threading
threading.stack_size(256 * 1024)
tensors = [ctypes.create_string_buffer(2 * 256 * 512), ctypes.create_string_buffer(2 * 512 * 128)]
out = (ctypes.c_float * (256 * 128))(*[1.0] * 4)
call = ctypes.CDLL({library!r}).call
thread = threading.Thread(target=lambda: call(*tensors, out, None))
thread.start()
thread.join()
print(sum(out))
"""


def test_buffers_do_not_lie_on_the_stack(launcher: Path, tmp_path: Path) -> None:
    """520 KiB of them, on a thread that has 256 KiB."""
    compiled(launcher, tmp_path, {"large": LARGE})
    done = run(launcher, "-c", SMALL_STACK.format(library=str(tmp_path / "large.so")))
    assert (done.returncode, done.stdout) == (0, "0.0\n"), done.stderr


def test_threads_share_a_library(launcher: Path, tmp_path: Path) -> None:
    """Kernels have no state: sixteen at once do not meet, cores that wait for each other included."""
    libraries = compiled(launcher, tmp_path, {"everyone": EVERYONE, "scalars": SCALARS})

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(20):
            x = rng.integers(-9, 9, (6, 8)).astype(np.float32)
            y = call(libraries["everyone"], x, np.zeros_like(x), np.zeros_like(x))[1]
            np.testing.assert_array_equal(y, np.broadcast_to(x.sum(0), (6, 8)))
            zz, a = rng.integers(-9, 9, (50, 40)).astype(np.float32), rng.integers(-9, 9, 40).astype(np.float32)
            out = call(libraries["scalars"], zz, np.zeros(4, np.float32), 2.0, 1, a, np.zeros_like(zz), sizes=(50, 40))[
                3
            ]
            np.testing.assert_array_equal(out, zz * 2 + a)

    with ThreadPoolExecutor(16) as pool:
        for future in [pool.submit(work, seed) for seed in range(16)]:
            future.result()
