"""HadamardCustom in TileLang-Ascend: multiplies each row by the Hadamard matrix of its length and by a factor.

    python3 hadamard_kernel.py R C OUT [--dtype float16]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *y, float scale, [int64_t r,] aclrtStream stream);

R is the number of rows, C their length, a power of two. -1 leaves R open, and `call` then takes it.

A tile of rows passes log2(C) stages at once. Each one parts the elements at even positions from those at odd ones,
and puts their sums in front of their differences:

    a0 b0 a1 b1 ...  ->  a0+b0 a1+b1 ... a0-b0 a1-b1 ...

So all operations work on half a tile, whatever the distance of a butterfly. After the last stage the sums stand as
[C, rows]; a gather a row turns them back.
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
TILE = 8192  # elements: x and y twice in half types, the rest once, make 18 bytes for each, of 196352


def hadamard(r: int, c: int, dtype: str):
    """The kernel for r rows of c elements; -1 leaves r open."""
    r = T.symbolic("r") if r == -1 else r
    rows = TILE // c
    stages = c.bit_length() - 1
    workers = 2 * CORES  # a core has two vector units

    @T.prim_func
    def main(x: T.Tensor((r, c), dtype), y: T.Tensor((r, c), dtype), scale: T.float32):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, rows, c), dtype)
            y_ub = T.alloc_ub((2, rows, c), dtype)
            work = T.alloc_ub((2, TILE // 2), "float32")  # the half types are computed in float32
            even = T.alloc_ub((TILE // 2,), "float32")
            odd = T.alloc_ub((TILE // 2,), "float32")
            turned = T.alloc_ub((c, rows), dtype)
            row_ub = T.alloc_ub((c,), "uint32")  # where the elements of a row are in it, in bytes from the first
            with T.Scope("V"):
                for j in T.serial(c):
                    row_ub[j] = T.cast(j * rows * 2, "uint32")
                T.set_flag("s", "v", EVENT)
                T.wait_flag("s", "v", EVENT)
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(T.ceildiv(r, workers * rows)):
                    start = (i * workers + cid * 2 + vid) * rows  # copies are clipped at the last row

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # x_ub has been read
                    T.copy(x[start, 0], x_ub[i % 2, :, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # x_ub is loaded
                    T.pipe_barrier("v")
                    T.tile.cast(work, x_ub[i % 2, :, :], "CAST_NONE", TILE)
                    T.set_flag("v", "mte2", EVENT + i % 2)
                    for _ in T.serial(stages):
                        T.pipe_barrier("v")
                        T.tile.gather_mask(even, work, "P0101")
                        T.tile.gather_mask(odd, work, "P1010")
                        T.pipe_barrier("v")
                        T.tile.add(work[0, :], even, odd)
                        T.tile.sub(work[1, :], even, odd)
                    T.pipe_barrier("v")
                    T.tile.mul(work, work, scale)
                    T.pipe_barrier("v")
                    T.tile.cast(turned, work, "CAST_RINT", TILE)
                    T.pipe_barrier("v")
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # y_ub has been stored
                    for k in T.serial(rows):
                        T.tile.gather(y_ub[i % 2, k, :], turned, row_ub, k * 2)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # y_ub is complete
                    T.copy(y_ub[i % 2, :, :], y[start, 0])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of HadamardCustom.")
    parser.add_argument("r", metavar="R", type=int, help="number of rows; -1: known at run time")
    parser.add_argument("c", metavar="C", type=int, help="elements of a row, a power of two from 16 to 512")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    types = ["float16", "bfloat16"]
    parser.add_argument("--dtype", choices=types, default="float16", help="element type (default: %(default)s)")
    args = parser.parse_args()
    if args.c not in (16, 32, 64, 128, 256, 512):
        parser.error(f"C: {args.c}: must be a power of two from 16 to 512")
    limit = (2**31 - 1 - 2 * CORES * TILE) // args.c  # positions are int32, also behind the last row
    if args.r != -1 and not 1 <= args.r <= limit:
        parser.error(f"R: {args.r}: must be -1 or from 1 to {limit}")
    return args


def compile_kernel() -> int:
    args = parse_arguments()
    kernel = tilelang.compile(hadamard(args.r, args.c, args.dtype), target="ascendc", platform=PLATFORM)
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
