# Generated from op.yaml by opgen.
"""MatmulCustom in TileLang-Ascend: c = matmul(a, b, transpose_b=transpose_b) of M x K and K x N elements.

    python3 matmul_custom_kernel.py M N K OUT [--dtype T=float16,U=float16] [--platform A3] [--cores 24]
            [--transpose_b false]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *a, uint8_t *b, uint8_t *c, [int64_t m,] aclrtStream stream);

M, N and K are compiled in; -1 leaves M open, and `call` then takes it as `m`.
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
BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "int8": 1}
SYMBOLS = ("T", "U")
DTYPES = [("float16", "float16"), ("bfloat16", "bfloat16"), ("float32", "float32"), ("int8", "int32")]


def matmul_custom(m: int, n: int, k: int, t_dtype: str, u_dtype: str, cores: int, transpose_b: bool):
    """The kernel for the product of m x k and k x n elements; -1 leaves m open."""
    sum_dtype = "int32" if t_dtype == "int8" else "float32"
    rows, columns, depth = tile_of(m, n, k, BYTES[t_dtype], cores)
    b_step = (columns, depth) if transpose_b else (depth, columns)
    sums = min(2, L0C // (4 * rows * columns))  # tiles in L0C: one of two is stored meanwhile
    blocks = cores if m == -1 else min(cores, -(-m // rows) * -(-n // columns))
    # Steps along k that are whole, in tiles that are whole: nothing is clipped in them.
    whole = k // depth
    if m == -1:
        m = T.symbolic("m")
        whole = T.Select(m >= rows, whole, 0)
    elif m < rows:
        whole = 0
    if n < columns:
        whole = 0

    @T.prim_func
    def main(
        a: T.Tensor((m, k), t_dtype),
        b: T.Tensor((n, k) if transpose_b else (k, n), t_dtype),
        c: T.Tensor((m, n), u_dtype),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((STAGES, rows, depth), t_dtype)
            b_l1 = T.alloc_L1((STAGES, *b_step), t_dtype)
            a_edge = T.alloc_L1((rows, depth), t_dtype)  # for steps that are clipped, see below
            b_edge = T.alloc_L1(b_step, t_dtype)
            a_l0 = T.alloc_L0A((2, rows, depth), t_dtype)
            b_l0 = T.alloc_L0B((2, depth, columns), t_dtype)
            c_l0 = T.alloc_L0C((sums, rows, columns), sum_dtype)
            row = T.alloc_var("int32")
            column = T.alloc_var("int32")
            with T.Scope("C"):
                for s in T.serial(STAGES):  # steps in L1 are free
                    T.set_flag("mte1", "mte2", EVENT + s)
                for s in T.serial(2):  # halves of L0A and L0B are free
                    T.set_flag("m", "mte1", EVENT + s)
                for s in T.serial(sums):  # tiles in L0C are free
                    T.set_flag("fix", "m", EVENT + s)
                for i in T.serial(T.ceildiv(T.ceildiv(m, rows) * T.ceildiv(n, columns) - cid, blocks)):
                    # Cores work on tiles below each other, which share columns. The last tiles end where the product
                    # ends; where tiles overlap, cores store the same values.
                    row = (i * blocks + cid) % T.ceildiv(m, rows) * rows
                    column = (i * blocks + cid) // T.ceildiv(m, rows) * columns
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
                        T.copy(a[row, step * depth], a_l1[stage, :, :])
                        if transpose_b:
                            T.copy(b[column, step * depth], b_l1[stage, :, :])
                        else:
                            T.copy(b[step * depth, column], b_l1[stage, :, :])
                        T.set_flag("mte2", "mte1", EVENT + stage)

                        T.wait_flag("mte2", "mte1", EVENT + stage)
                        T.wait_flag("m", "mte1", EVENT + half)
                        T.copy(a_l1[stage, :, :], a_l0[half, :, :])
                        T.copy(b_l1[stage, :, :], b_l0[half, :, :], transpose=transpose_b)
                        T.set_flag("mte1", "mte2", EVENT + stage)
                        T.set_flag("mte1", "m", EVENT + half)

                        T.wait_flag("mte1", "m", EVENT + half)
                        T.pipe_barrier("m")  # the sums of the step before are complete
                        T.mma(a_l0[half, :, :], b_l0[half, :, :], c_l0[slot, :, :], init=step == 0)
                        T.set_flag("m", "mte1", EVENT + half)
                    # Where a matrix ends inside a step, the copy leaves the rest of its buffer as it was, unless it is
                    # the whole buffer: the compiler clears that first, and zeros add nothing.
                    for step in T.serial(whole, T.ceildiv(k, depth)):
                        T.copy(a[row, step * depth], a_edge)
                        if transpose_b:
                            T.copy(b[column, step * depth], b_edge)
                        else:
                            T.copy(b[step * depth, column], b_edge)
                        T.gemm_v0(a_edge, b_edge, c_l0[slot, :, :], transpose_B=transpose_b, init=step == 0)
                    T.set_flag("m", "fix", EVENT + slot)

                    T.wait_flag("m", "fix", EVENT + slot)  # the sums are complete
                    T.copy(c_l0[slot, :, :], c[row, column])
                    T.set_flag("fix", "m", EVENT + slot)
                for s in T.serial(STAGES):
                    T.wait_flag("mte1", "mte2", EVENT + s)
                for s in T.serial(2):
                    T.wait_flag("m", "mte1", EVENT + s)
                for s in T.serial(sums):
                    T.wait_flag("fix", "m", EVENT + s)

    return main


def cycles(m: int, n: int, k: int, size: int, cores: int, rows: int, columns: int, depth: int) -> float:
    """Of the busiest core, in a model: one step is multiplied while others are loaded and copied into L0."""
    tiles = -(-m // rows) * -(-n // columns)
    blocks = min(cores, tiles)
    load = 80 + (rows + columns) * depth * size / min(128, 2222 / blocks)
    feed = 40 + (rows / 256 + columns / 128) * depth * size
    multiply = 20 + rows * columns * depth / {1: 8192, 2: 4096, 4: 1024}[size]
    store = 340 + 4 * rows * columns / 256
    steps = -(-k // depth) * max(load, feed, multiply)
    each = steps if 8 * rows * columns <= L0C else steps + store
    return 300 + load + feed + -(-tiles // blocks) * each + store


def tile_of(m: int, n: int, k: int, size: int, cores: int) -> tuple[int, int, int]:
    """Rows and columns of a tile of the product, and the depth of a step along k: with the fewest cycles."""
    shapes = [(m, n, k)]
    if -1 in shapes[0]:  # known at run time: a tile that is good for several sizes
        shapes = [tuple(met if s == -1 else s for s in (m, n, k)) for met in (256, 512, 1024, 2048, 4096)]
    least = max(16, 32 // size)  # a fractal of the cube core
    best = (math.inf, 0, 0, 0)
    for rows in range(least, min(257, shapes[-1][0] + least), least):
        for columns in range(least, min(257, shapes[-1][1] + least), least):
            for depth in (256 // size, 128 // size, 64 // size):
                if max(rows, columns) * depth * size <= L0 and 4 * rows * columns <= L0C:
                    costs = (cycles(*shape, size, cores, rows, columns, depth) for shape in shapes)
                    best = min(best, (math.prod(costs), rows, columns, depth))
    return best[1:]


def element_types(text: str) -> tuple[str, ...]:
    """T=float16,U=float16 -> ("float16", "float16")."""
    given = dict(part.partition("=")[::2] for part in text.split(","))
    types = tuple(given.pop(symbol, "") for symbol in SYMBOLS)
    if given or types not in DTYPES:
        rows = [",".join(map("=".join, zip(SYMBOLS, row, strict=True))) for row in DTYPES]
        raise argparse.ArgumentTypeError(f"{text}: must be one of {'; '.join(rows)}")
    return types


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of MatmulCustom.")
    parser.add_argument("m", metavar="M", type=int, help="rows of the product; -1: known at run time")
    parser.add_argument("n", metavar="N", type=int, help="columns of the product")
    parser.add_argument("k", metavar="K", type=int, help="terms of a sum")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument(
        "--dtype", type=element_types, default=("float16", "float16"), metavar="T=...,U=...", help="element types"
    )
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
    parser.add_argument(
        "--transpose_b", choices=["true", "false"], default="false", help="attribute (default: %(default)s)"
    )
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores}: must be at least 1")
    if args.m < 1 and args.m != -1:
        parser.error(f"M: {args.m}: must be -1 or at least 1")
    if args.n < 1:
        parser.error(f"N: {args.n}: must be at least 1")
    if args.k < 1:
        parser.error(f"K: {args.k}: must be at least 1")
    most = max(abs(args.m * args.k), abs(args.k * args.n), abs(args.m * args.n))
    if most > LARGEST:  # indices are int32, and go past the end by less than a tile
        parser.error(f"a matrix of {most} elements: at most {LARGEST} are possible")
    return args


def write_atomically(library: str, out: Path) -> None:
    """Copies library to out. A reader of out sees the whole file or none."""
    out.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".matmul_custom_", dir=out.parent)
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
    function = matmul_custom(args.m, args.n, args.k, *args.dtype, args.cores, args.transpose_b == "true")
    kernel = tilelang.compile(function, target="ascendc", platform=args.platform)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("matmul_custom_kernel.py: TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    write_atomically(library, args.out)
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
