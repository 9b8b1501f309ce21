# Generated from op.yaml by opgen.
"""BatchMatmulCustom in TileLang-Ascend: y = matmul(x1, x2) of M x K and K x N elements of float16 or bfloat16.

    python3 batch_matmul_custom_kernel.py B M N K OUT [--dtype float16] [--platform A3] [--cores 24]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x1, uint8_t *x2, uint8_t *y, [int64_t b,] aclrtStream stream);

B, M, N and K are compiled in; -1 leaves B open, and `call` then takes it as `b`.
"""

import argparse
import math
import os
import shutil
import sys
import tempfile
from pathlib import Path

import tilelang
import tilelang.language as T
import tilelang.utils.target

# The compiler places buffers differently, and float32 scratch wrongly, on a machine without an NPU.
tilelang.utils.target.check_npu_availability = lambda: True

STAGES = 4  # steps along k that L1 holds
L0 = 32768  # bytes of half of L0A, and of L0B: of one of two steps
L0C = 131072  # bytes
EVENT = 2  # the first event; gemm_v0 uses 0 and 1
LARGEST = 2**31 - 32769  # elements of a matrix, see below
DTYPES = ["float16", "bfloat16"]


def batch_matmul_custom(b: int, m: int, n: int, k: int, dtype: str, cores: int):
    """The kernel for b products of m x k and k x n elements; -1 leaves b open."""
    rows, columns, depth = tile_of(b, m, n, k, 2, cores)
    sums = min(2, L0C // (4 * rows * columns))  # tiles in L0C: one of two is stored meanwhile
    blocks = cores if b == -1 else min(cores, -(-m // rows) * -(-n // columns) * b)
    if b == -1:
        b = T.symbolic("b")
    # Steps along k that are whole, in tiles that are whole: nothing is clipped in them.
    whole = k // depth
    if m < rows:
        whole = 0
    if n < columns:
        whole = 0

    @T.prim_func
    def main(
        x1: T.Tensor((b, m, k), dtype),
        x2: T.Tensor((b, k, n), dtype),
        y: T.Tensor((b, m, n), dtype),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, _):
            x1_l1 = T.alloc_L1((STAGES, rows, depth), dtype)
            x2_l1 = T.alloc_L1((STAGES, depth, columns), dtype)
            x1_edge = T.alloc_L1((rows, depth), dtype)  # for steps that are clipped, see below
            x2_edge = T.alloc_L1((depth, columns), dtype)
            x1_l0 = T.alloc_L0A((2, rows, depth), dtype)
            x2_l0 = T.alloc_L0B((2, depth, columns), dtype)
            y_l0 = T.alloc_L0C((sums, rows, columns), "float32")
            index = T.alloc_var("int32")
            row = T.alloc_var("int32")
            column = T.alloc_var("int32")
            with T.Scope("C"):
                for s in T.serial(STAGES):  # steps in L1 are free
                    T.set_flag("mte1", "mte2", EVENT + s)
                for s in T.serial(2):  # halves of L0A and L0B are free
                    T.set_flag("m", "mte1", EVENT + s)
                for s in T.serial(sums):  # tiles in L0C are free
                    T.set_flag("fix", "m", EVENT + s)
                for i in T.serial(T.ceildiv(b * T.ceildiv(m, rows) * T.ceildiv(n, columns) - cid, blocks)):
                    # Cores work on tiles below each other, which share columns. The last tiles end where the product
                    # ends; where tiles overlap, cores store the same values.
                    index = (i * blocks + cid) // (T.ceildiv(m, rows) * T.ceildiv(n, columns))
                    row = (i * blocks + cid) % T.ceildiv(m, rows) * rows
                    column = (i * blocks + cid) // T.ceildiv(m, rows) % T.ceildiv(n, columns) * columns
                    if row > m - rows:
                        row = m - rows
                    if row < 0:
                        row = 0
                    if column > n - columns:
                        column = n - columns
                    if column < 0:
                        column = 0
                    slot = i % sums

                    T.wait_flag("fix", "m", EVENT + slot)  # the sums of an earlier tile are stored
                    for step in T.serial(whole):
                        stage = (i * whole + step) % STAGES
                        half = (i * whole + step) % 2
                        T.wait_flag("mte1", "mte2", EVENT + stage)
                        T.copy(x1[index, row, step * depth], x1_l1[stage, :, :])
                        T.copy(x2[index, step * depth, column], x2_l1[stage, :, :])
                        T.set_flag("mte2", "mte1", EVENT + stage)

                        T.wait_flag("mte2", "mte1", EVENT + stage)
                        T.wait_flag("m", "mte1", EVENT + half)
                        T.copy(x1_l1[stage, :, :], x1_l0[half, :, :])
                        T.copy(x2_l1[stage, :, :], x2_l0[half, :, :])
                        T.set_flag("mte1", "mte2", EVENT + stage)
                        T.set_flag("mte1", "m", EVENT + half)

                        T.wait_flag("mte1", "m", EVENT + half)
                        T.pipe_barrier("m")  # the sums of the step before are complete
                        T.mma(x1_l0[half, :, :], x2_l0[half, :, :], y_l0[slot, :, :], init=step == 0)
                        T.set_flag("m", "mte1", EVENT + half)
                    # Where a matrix ends inside a step, the copy leaves the rest of its buffer as it was, unless it is
                    # the whole buffer: the compiler clears that first, and zeros add nothing.
                    for step in T.serial(whole, T.ceildiv(k, depth)):
                        T.copy(x1[index, row, step * depth], x1_edge)
                        T.copy(x2[index, step * depth, column], x2_edge)
                        T.gemm_v0(x1_edge, x2_edge, y_l0[slot, :, :], init=step == 0)
                    T.set_flag("m", "fix", EVENT + slot)

                    T.wait_flag("m", "fix", EVENT + slot)  # the sums are complete
                    T.copy(y_l0[slot, :, :], y[index, row, column])
                    T.set_flag("fix", "m", EVENT + slot)
                for s in T.serial(STAGES):
                    T.wait_flag("mte1", "mte2", EVENT + s)
                for s in T.serial(2):
                    T.wait_flag("m", "mte1", EVENT + s)
                for s in T.serial(sums):
                    T.wait_flag("fix", "m", EVENT + s)

    return main


def cycles(batch: int, m: int, n: int, k: int, size: int, cores: int, rows: int, columns: int, depth: int) -> float:
    """Of the busiest core, in a model: one step is multiplied while others are loaded and copied into L0."""
    tiles = batch * -(-m // rows) * -(-n // columns)
    blocks = min(cores, tiles)
    load = 80 + (rows + columns) * depth * size / min(128, 2222 / blocks)
    feed = 40 + (rows / 256 + columns / 128) * depth * size
    multiply = 20 + rows * columns * depth / 4096
    store = 340 + 4 * rows * columns / 256
    steps = -(-k // depth) * max(load, feed, multiply)
    each = steps if 8 * rows * columns <= L0C else steps + store
    return 300 + load + feed + -(-tiles // blocks) * each + store


def tile_of(batch: int, m: int, n: int, k: int, size: int, cores: int) -> tuple[int, int, int]:
    """Rows and columns of a tile of the product, and the depth of a step along k: with the fewest cycles."""
    shapes = [(m, n, k)]
    if -1 in shapes[0]:  # known at run time: a tile that is good for several sizes
        shapes = [tuple(met if s == -1 else s for s in (m, n, k)) for met in (256, 512, 1024, 2048, 4096)]
    batch = 8 if batch == -1 else batch
    best = (math.inf, 0, 0, 0)
    for rows in range(16, min(257, shapes[-1][0] + 16), 16):
        for columns in range(16, min(257, shapes[-1][1] + 16), 16):
            for depth in (128, 64, 32):
                if max(rows, columns) * depth * size <= L0 and 4 * rows * columns <= L0C:
                    costs = (cycles(batch, *shape, size, cores, rows, columns, depth) for shape in shapes)
                    best = min(best, (math.prod(costs), rows, columns, depth))
    return best[1:]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of BatchMatmulCustom.")
    parser.add_argument("batch", metavar="B", type=int, help="number of products; -1: known at run time")
    parser.add_argument("m", metavar="M", type=int, help="rows of the product")
    parser.add_argument("n", metavar="N", type=int, help="columns of the product")
    parser.add_argument("k", metavar="K", type=int, help="terms of a sum")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", choices=DTYPES, default="float16", help="element type (default: %(default)s)")
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores}: must be at least 1")
    if args.batch < 1 and args.batch != -1:
        parser.error(f"B: {args.batch}: must be -1 or at least 1")
    if args.m < 1:
        parser.error(f"M: {args.m}: must be at least 1")
    if args.n < 1:
        parser.error(f"N: {args.n}: must be at least 1")
    if args.k < 1:
        parser.error(f"K: {args.k}: must be at least 1")
    most = max(abs(args.batch * args.m * args.k), abs(args.batch * args.k * args.n), abs(args.batch * args.m * args.n))
    if most > LARGEST:  # indices are int32, and go past the end by less than a tile
        parser.error(f"a matrix of {most} elements: at most {LARGEST} are possible")
    return args


def write_atomically(library: str, out: Path) -> None:
    """Copies library to out. A reader of out sees the whole file or none."""
    out.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".batch_matmul_custom_", dir=out.parent)
    os.close(handle)
    staged = Path(name)
    try:
        shutil.copyfile(library, staged)
        staged.chmod(0o755)
        staged.replace(out)
    except BaseException:
        staged.unlink()
        raise


def compile_kernel() -> int:
    args = parse_arguments()
    function = batch_matmul_custom(args.batch, args.m, args.n, args.k, args.dtype, args.cores)
    kernel = tilelang.compile(function, target="ascendc", platform=args.platform)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("batch_matmul_custom_kernel.py: TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    write_atomically(library, args.out)
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
