# Generated from op.yaml by opgen.
"""DequantMatmulCustom in TileLang-Ascend, of M x K and K x N elements of float16 or bfloat16:

    acc = matmul(a, b, transpose_b=True) + bias
    y = acc * scale * token_scale

    python3 dequant_matmul_custom_kernel.py M N K OUT [--dtype float16] [--platform A3] [--cores 24] [--without NAME]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *a, uint8_t *b, uint8_t *scale, uint8_t *token_scale, uint8_t *bias, uint8_t *y,
              uint8_t *workspace, [int64_t m,] aclrtStream stream);

M, N and K are compiled in; -1 leaves M open, and `call` then takes it as `m`. An input that is not connected is named
with --without; `call` takes a null pointer for it.
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
UB = 196352  # bytes
# Bytes of it for each element, column and row of what a vector core works on, and always.
TAKEN = (33, 20, 4, 480)
READY, FREE = 0, 2  # flags between cores, each for two places in the workspace
EVENT = 2  # the first event; gemm_v0 uses 0 and 1
ROW_EVENT = 4  # of the tensors with one value a row
COLUMN_EVENT = 5  # of the tensors with one value a column
LARGEST = 2**31 - 32769  # elements of a matrix, see below
DTYPES = ["float16", "bfloat16"]


def dequant_matmul_custom(m: int, n: int, k: int, out_type: str, cores: int, has_token_scale: bool, has_bias: bool):
    """The kernel for the product of m x k and k x n elements; -1 leaves m open."""
    rows, columns, depth = tile_of(m, n, k, 1, cores)
    sums = min(2, L0C // (4 * rows * columns))  # tiles in L0C: one of two is stored meanwhile
    element, column_bytes, row_bytes, always = TAKEN
    each = rows // 2  # rows of a vector core: there are two, vid 0 and 1
    fit = (UB - always - column_bytes * columns) // (element * columns + row_bytes)
    # Parts of equal size, and whole steps of the vector unit.
    fitting = range(1, min(fit, 8192 // columns) + 1)
    part = max(r for r in fitting if each % r == 0 and r * columns % 128 == 0)
    tile = part * columns
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
        a: T.Tensor((m, k), "int8"),
        b: T.Tensor((n, k), "int8"),
        scale: T.Tensor((n,), "float32"),
        token_scale: T.Tensor((m,), "float32"),
        bias: T.Tensor((n,), "int32"),
        y: T.Tensor((m, n), out_type),
        workspace: T.Tensor((2 * blocks, rows, columns), "int32"),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            a_l1 = T.alloc_L1((STAGES, rows, depth), "int8")
            b_l1 = T.alloc_L1((STAGES, columns, depth), "int8")
            a_edge = T.alloc_L1((rows, depth), "int8")  # for steps that are clipped, see below
            b_edge = T.alloc_L1((columns, depth), "int8")
            a_l0 = T.alloc_L0A((2, rows, depth), "int8")
            b_l0 = T.alloc_L0B((2, depth, columns), "int8")
            y_l0 = T.alloc_L0C((sums, rows, columns), "int32")
            sums_ub = T.alloc_ub((2, part, columns), "int32")
            token_scale_ub = T.alloc_ub((part,), "float32")
            scale_ub = T.alloc_ub((columns,), "float32")
            bias_ub = T.alloc_ub((columns,), "int32")
            y_ub = T.alloc_ub((2, part, columns), out_type)
            column_i32 = T.alloc_ub((columns,), "int32")
            column2_i32 = T.alloc_ub((columns,), "int32")
            column_f32 = T.alloc_ub((columns,), "float32")
            work_f32 = T.alloc_ub((part, columns), "float32")
            work2_f32 = T.alloc_ub((part, columns), "float32")
            work_i32 = T.alloc_ub((part, columns), "int32")
            work2_i32 = T.alloc_ub((part, columns), "int32")
            token_scale_f32 = T.alloc_ub((part, columns), "float32")
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
                        T.copy(b[column, step * depth], b_l1[stage, :, :])
                        T.set_flag("mte2", "mte1", EVENT + stage)

                        T.wait_flag("mte2", "mte1", EVENT + stage)
                        T.wait_flag("m", "mte1", EVENT + half)
                        T.copy(a_l1[stage, :, :], a_l0[half, :, :])
                        T.copy(b_l1[stage, :, :], b_l0[half, :, :], transpose=True)
                        T.set_flag("mte1", "mte2", EVENT + stage)
                        T.set_flag("mte1", "m", EVENT + half)

                        T.wait_flag("mte1", "m", EVENT + half)
                        T.pipe_barrier("m")  # the sums of the step before are complete
                        T.mma(a_l0[half, :, :], b_l0[half, :, :], y_l0[slot, :, :], init=step == 0)
                        T.set_flag("m", "mte1", EVENT + half)
                    # Where a matrix ends inside a step, the copy leaves the rest of its buffer as it was, unless it is
                    # the whole buffer: the compiler clears that first, and zeros add nothing.
                    for step in T.serial(whole, T.ceildiv(k, depth)):
                        T.copy(a[row, step * depth], a_edge)
                        T.copy(b[column, step * depth], b_edge)
                        T.gemm_v0(a_edge, b_edge, y_l0[slot, :, :], transpose_B=True, init=step == 0)
                    T.set_flag("m", "fix", EVENT + slot)

                    T.wait_flag("m", "fix", EVENT + slot)  # the sums are complete
                    place = i % 2
                    T.wait_cross_flag(FREE + place)  # the vector cores have read an earlier tile
                    T.copy(y_l0[slot, :, :], workspace[cid * 2 + place, 0, 0])
                    T.set_cross_flag("FIX", READY + place)
                    T.set_flag("fix", "m", EVENT + slot)
                for s in T.serial(STAGES):
                    T.wait_flag("mte1", "mte2", EVENT + s)
                for s in T.serial(2):
                    T.wait_flag("m", "mte1", EVENT + s)
                for s in T.serial(sums):
                    T.wait_flag("fix", "m", EVENT + s)
                for s in T.serial(2):
                    T.wait_cross_flag(FREE + s)
            with T.Scope("V"):
                for s in T.serial(2):  # both buffers, and both places in the workspace, are free
                    T.set_flag("v", "mte2", EVENT + s)
                    T.set_flag("mte3", "v", EVENT + s)
                    T.set_cross_flag("MTE2", FREE + s)
                if has_token_scale:
                    T.set_flag("v", "mte2", ROW_EVENT)
                T.set_flag("v", "mte2", COLUMN_EVENT)
                for i in T.serial(T.ceildiv(T.ceildiv(m, rows) * T.ceildiv(n, columns) - cid, blocks)):
                    # The tile that the cube core has in this turn.
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
                    place = i % 2
                    T.wait_cross_flag(READY + place)
                    T.wait_flag("v", "mte2", COLUMN_EVENT)
                    T.copy(scale[column], scale_ub)
                    if has_bias:
                        T.copy(bias[column], bias_ub)
                    T.set_flag("mte2", "v", COLUMN_EVENT)
                    T.wait_flag("mte2", "v", COLUMN_EVENT)  # scale and bias for these columns are loaded
                    if has_bias:
                        # int32 has no broadcast: its halves of 16 bits go as float32, which holds them exactly
                        T.tile.bitwise_rshift(column_i32, bias_ub, 16)
                        T.pipe_barrier("v")
                        T.tile.mul(column2_i32, column_i32, 65536)
                        T.pipe_barrier("v")
                        T.tile.sub(column2_i32, bias_ub, column2_i32)
                        T.tile.cast(column_f32, column_i32, "CAST_RINT", columns)
                        T.pipe_barrier("v")
                        T.tile.broadcast(work_f32, column_f32, axis=0)
                        T.pipe_barrier("v")
                        T.tile.cast(column_f32, column2_i32, "CAST_RINT", columns)
                        T.pipe_barrier("v")
                        T.tile.broadcast(work2_f32, column_f32, axis=0)
                        T.tile.cast(work_i32, work_f32, "CAST_RINT", tile)
                        T.pipe_barrier("v")
                        T.tile.cast(work2_i32, work2_f32, "CAST_RINT", tile)
                        T.tile.mul(work_i32, work_i32, 65536)
                        T.pipe_barrier("v")
                        T.tile.add(work_i32, work_i32, work2_i32)
                    T.tile.broadcast(work_f32, scale_ub, axis=0)
                    T.pipe_barrier("v")
                    for j in T.serial(each // part):
                        turn = (i * (each // part) + j) % 2
                        start = vid * each + j * part
                        T.wait_flag("v", "mte2", EVENT + turn)  # sums_ub and token_scale_ub have been read
                        T.copy(workspace[cid * 2 + place, start, 0], sums_ub[turn, :, :])
                        if has_token_scale:
                            T.wait_flag("v", "mte2", ROW_EVENT)
                            T.copy(token_scale[row + start], token_scale_ub)
                        T.set_flag("mte2", "v", EVENT + turn)

                        T.wait_flag("mte2", "v", EVENT + turn)  # sums_ub and token_scale_ub are loaded
                        T.wait_flag("mte3", "v", EVENT + turn)  # y_ub has been stored
                        if has_bias:
                            # acc = matmul(a, b, transpose_b=True) + bias
                            T.tile.add(work2_i32, sums_ub[turn, :, :], work_i32)
                        else:
                            T.pipe_barrier("v")
                            T.tile.cast(work2_f32, sums_ub[turn, :, :], "CAST_RINT", tile)
                        T.set_flag("v", "mte2", EVENT + turn)
                        # y = acc * scale * token_scale
                        if has_bias:
                            T.pipe_barrier("v")
                            T.tile.cast(work2_f32, work2_i32, "CAST_RINT", tile)
                        T.pipe_barrier("v")
                        T.tile.mul(work2_f32, work2_f32, work_f32)
                        if has_token_scale:
                            T.tile.broadcast(token_scale_f32, token_scale_ub, axis=1)
                            T.set_flag("v", "mte2", ROW_EVENT)
                            T.pipe_barrier("v")
                            T.tile.mul(work2_f32, work2_f32, token_scale_f32)
                        T.pipe_barrier("v")
                        T.tile.cast(y_ub[turn, :, :], work2_f32, "CAST_RINT", tile)
                        T.set_flag("v", "mte3", EVENT + turn)

                        T.wait_flag("v", "mte3", EVENT + turn)  # y_ub is computed
                        T.copy(y_ub[turn, :, :], y[row + start, column])
                        T.set_flag("mte3", "v", EVENT + turn)
                    T.set_cross_flag("MTE2", FREE + place)
                    T.set_flag("v", "mte2", COLUMN_EVENT)
                for s in T.serial(2):
                    T.wait_flag("v", "mte2", EVENT + s)
                    T.wait_flag("mte3", "v", EVENT + s)
                if has_token_scale:
                    T.wait_flag("v", "mte2", ROW_EVENT)
                T.wait_flag("v", "mte2", COLUMN_EVENT)

    return main


def cycles(m: int, n: int, k: int, size: int, cores: int, rows: int, columns: int, depth: int) -> float:
    """Of the busiest core, in a model: one step is multiplied while others are loaded and copied into L0."""
    tiles = -(-m // rows) * -(-n // columns)
    blocks = min(cores, tiles)
    load = 80 + (rows + columns) * depth * size / min(128, 2222 / blocks)
    feed = 40 + (rows / 256 + columns / 128) * depth * size
    multiply = 20 + rows * columns * depth / 8192
    store = 340 + 4 * rows * columns / 256
    steps = -(-k // depth) * max(load, feed, multiply)
    each = steps if 8 * rows * columns <= L0C else steps + store
    return 300 + load + feed + -(-tiles // blocks) * each + store


def tile_of(m: int, n: int, k: int, size: int, cores: int) -> tuple[int, int, int]:
    """Rows and columns of a tile of the product, and the depth of a step along k: with the fewest cycles."""
    shapes = [(m, n, k)]
    if -1 in shapes[0]:  # known at run time: a tile that is good for several sizes
        shapes = [tuple(met if s == -1 else s for s in (m, n, k)) for met in (256, 512, 1024, 2048, 4096)]
    best = (math.inf, 0, 0, 0)
    for rows in range(32, min(257, shapes[-1][0] + 32), 32):
        for columns in range(32, min(257, shapes[-1][1] + 32), 32):
            for depth in (256, 128, 64):
                if max(rows, columns) * depth * size <= L0 and 4 * rows * columns <= L0C:
                    costs = (cycles(*shape, size, cores, rows, columns, depth) for shape in shapes)
                    best = min(best, (math.prod(costs), rows, columns, depth))
    return best[1:]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of DequantMatmulCustom.")
    parser.add_argument("m", metavar="M", type=int, help="rows of the product; -1: known at run time")
    parser.add_argument("n", metavar="N", type=int, help="columns of the product")
    parser.add_argument("k", metavar="K", type=int, help="terms of a sum")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", choices=DTYPES, default="float16", help="element type (default: %(default)s)")
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
    parser.add_argument(
        "--without", action="append", default=[], choices=["token_scale", "bias"], help="an input that is not connected"
    )
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores}: must be at least 1")
    if args.cores > 24:
        parser.error(f"--cores: {args.cores}: the workspace has room for 24")
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
    handle, name = tempfile.mkstemp(prefix=".dequant_matmul_custom_", dir=out.parent)
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
    function = dequant_matmul_custom(
        args.m, args.n, args.k, args.dtype, args.cores, "token_scale" not in args.without, "bias" not in args.without
    )
    kernel = tilelang.compile(function, target="ascendc", platform=args.platform)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("dequant_matmul_custom_kernel.py: TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    write_atomically(library, args.out)
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
