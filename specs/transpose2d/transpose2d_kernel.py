"""Transpose2dCustom in TileLang-Ascend: transposes a matrix.

    python3 transpose2d_kernel.py M N OUT [--dtype float16]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *y, [int64_t m,] [int64_t n,] aclrtStream stream);

x has M rows and N columns. -1 leaves one of them open, and `call` then takes it. Tiles are transposed on chip: one
gather a column, which picks the elements by their distance in bytes.
"""

import argparse
import shutil
import sys
from pathlib import Path

import tilelang
import tilelang.language as T
import tilelang.utils.target

# The compiler places buffers differently, and float32 scratch wrongly, on a machine without an NPU.
tilelang.utils.target.check_npu_availability = lambda: True

PLATFORM = "A3"  # chip family of Ascend910_9362
CORES = 24
EVENT = 2  # events 2 and 3, one for each of two buffers; the compiler's own copies use 0
BYTES = {"float16": 2, "bfloat16": 2, "float32": 4}
ROWS = 128  # of a tile of x: a row of a tile of y is 256 bytes or more
ROW_BYTES = 256  # of a tile of x


def transpose2d(m: int, n: int, dtype: str):
    """The kernel for m rows of n elements; -1 leaves m or n open."""
    m = T.symbolic("m") if m == -1 else m
    n = T.symbolic("n") if n == -1 else n
    columns = ROW_BYTES // BYTES[dtype]
    across = T.ceildiv(n, columns)  # tiles side by side
    workers = 2 * CORES  # a core has two vector units

    @T.prim_func
    def main(x: T.Tensor((m, n), dtype), y: T.Tensor((n, m), dtype)):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, ROWS, columns), dtype)
            y_ub = T.alloc_ub((2, columns, ROWS), dtype)
            column_ub = T.alloc_ub((ROWS,), "uint32")  # where the elements of a column are, in bytes from its first
            with T.Scope("V"):
                for r in T.serial(ROWS):
                    column_ub[r] = T.cast(r * ROW_BYTES, "uint32")
                T.set_flag("s", "v", EVENT)
                T.wait_flag("s", "v", EVENT)
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(T.ceildiv(T.ceildiv(m, ROWS) * across, workers)):
                    # Copies are clipped at the end of a tensor; a tile behind the last one moves nothing.
                    row = (i * workers + cid * 2 + vid) // across * ROWS
                    column = (i * workers + cid * 2 + vid) % across * columns

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # x_ub has been read
                    T.copy(x[row, column], x_ub[i % 2, :, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # x_ub is loaded
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # y_ub has been stored
                    for c in T.serial(columns):
                        if column + c < n:
                            T.tile.gather(y_ub[i % 2, c, :], x_ub[i % 2, :, :], column_ub, c * BYTES[dtype])
                    T.set_flag("v", "mte2", EVENT + i % 2)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # y_ub is complete
                    T.copy(y_ub[i % 2, :, :], y[column, row])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of Transpose2dCustom.")
    parser.add_argument("m", metavar="M", type=int, help="rows of x; -1: known at run time")
    parser.add_argument("n", metavar="N", type=int, help="columns of x; -1: known at run time")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", choices=list(BYTES), default="float16", help="element type (default: %(default)s)")
    args = parser.parse_args()
    for name, size in (("M", args.m), ("N", args.n)):
        if size != -1 and size < 1:
            parser.error(f"{name}: {size}: must be -1 or at least 1")
    if args.m * args.n >= 2**31:  # positions are int32
        parser.error(f"M, N: {args.m} x {args.n}: must be less than 2**31 elements")
    return args


def compile_kernel() -> int:
    args = parse_arguments()
    kernel = tilelang.compile(transpose2d(args.m, args.n, args.dtype), target="ascendc", platform=PLATFORM)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    args.out.parent.mkdir(parents=True, exist_ok=True)
    staged = args.out.with_name(args.out.name + ".part")
    shutil.copyfile(library, staged)
    staged.replace(args.out)  # a reader sees the whole file or none
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
