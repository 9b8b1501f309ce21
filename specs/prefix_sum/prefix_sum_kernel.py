"""PrefixSum in TileLang-Ascend: running sum along each row.

    python3 prefix_sum_kernel.py R C OUT [--dtype float32]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *y, [int64_t r,] aclrtStream stream);

R is the number of rows, C their length. -1 leaves R open, and `call` then takes it.

A vector unit adds up many sums at once, but none along a vector. So a piece of a row is cut into 64 segments, which
gathers put side by side: adding row to row then sums up 64 segments at once. What stands before a segment is the total
of those in front of it, found in six steps that each reach twice as far; what stands before a piece is carried over.
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
SEGMENTS = 64  # a vector of float32
LENGTHS = (8, 16, 32, 64)  # of a segment: whole blocks of 32 bytes, and a power of two
FLOAT = 4  # bytes


def prefix_sum(r: int, c: int, dtype: str):
    """The kernel for r rows of c elements; -1 leaves r open."""
    r = T.symbolic("r") if r == -1 else r
    length = next((size for size in LENGTHS if SEGMENTS * size >= c), LENGTHS[-1])
    piece = SEGMENTS * length
    pieces = -(-c // piece)
    workers = 2 * CORES  # a core has two vector units
    half = dtype != "float32"

    @T.prim_func
    def main(x: T.Tensor((r, c), dtype), y: T.Tensor((r, c), dtype)):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, piece), dtype)
            y_ub = T.alloc_ub((2, piece), dtype)
            along = T.alloc_ub((SEGMENTS, length), "float32")  # a segment a row
            across = T.alloc_ub((length, SEGMENTS), "float32")  # a segment a column
            before_all = T.alloc_ub((length, SEGMENTS), "float32")
            totals = T.alloc_ub((2, SEGMENTS), "float32")  # zeros, and behind them sums of segments
            before = T.alloc_ub((SEGMENTS,), "float32")  # what stands in front of each segment
            carried = T.alloc_ub((SEGMENTS,), "float32")  # the sum of the pieces before, in every place
            # Where a gather finds its elements, in bytes from the first of them.
            next_ub = T.alloc_ub((SEGMENTS,), "uint32")
            down_ub = T.alloc_ub((SEGMENTS,), "uint32")  # a column of `along`
            right_ub = T.alloc_ub((length,), "uint32")  # a column of `across`
            same_ub = T.alloc_ub((SEGMENTS,), "uint32")
            with T.Scope("V"):
                for s in T.serial(SEGMENTS):
                    next_ub[s] = T.cast(s * FLOAT, "uint32")
                    down_ub[s] = T.cast(s * length * FLOAT, "uint32")
                for j in T.serial(length):
                    right_ub[j] = T.cast(j * SEGMENTS * FLOAT, "uint32")
                T.set_flag("s", "v", EVENT)
                T.wait_flag("s", "v", EVENT)
                T.tile.fill(same_ub, T.uint32(0))
                T.tile.fill(totals, 0.0)
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(T.ceildiv(r, workers)):
                    row = i * workers + cid * 2 + vid  # copies are clipped: one behind the last row moves nothing
                    T.pipe_barrier("v")
                    T.tile.fill(carried, 0.0)
                    for p in T.serial(pieces):
                        b = (i * pieces + p) % 2
                        T.wait_flag("v", "mte2", EVENT + b)  # x_ub has been read
                        T.copy(x[row, p * piece], x_ub[b, :])  # zeros behind the end of the row
                        T.set_flag("mte2", "v", EVENT + b)

                        T.wait_flag("mte2", "v", EVENT + b)  # x_ub is loaded
                        T.pipe_barrier("v")
                        if half:
                            T.tile.cast(along, x_ub[b, :], "CAST_NONE", piece)
                            T.pipe_barrier("v")
                            for j in T.serial(length):
                                T.tile.gather(across[j, :], along, down_ub, j * FLOAT)
                        else:
                            for j in T.serial(length):
                                T.tile.gather(across[j, :], x_ub[b, :], down_ub, j * FLOAT)
                        T.set_flag("v", "mte2", EVENT + b)

                        # Sums within the segments.
                        for j in T.serial(length - 1):
                            T.pipe_barrier("v")
                            T.tile.add(across[j + 1, :], across[j + 1, :], across[j, :])

                        # Sums of 1, 2, 4 ... 32 segments, and so of all up to and with each one.
                        T.pipe_barrier("v")
                        T.tile.mul(totals[1, :], across[length - 1, :], 1.0)
                        for k in T.serial(6):
                            T.pipe_barrier("v")
                            T.tile.gather(before, totals, next_ub, (SEGMENTS - (1 << k)) * FLOAT)
                            T.pipe_barrier("v")
                            T.tile.add(totals[1, :], totals[1, :], before)

                        # Without its own total, and with the pieces before.
                        T.pipe_barrier("v")
                        T.tile.gather(before, totals, next_ub, (SEGMENTS - 1) * FLOAT)
                        T.pipe_barrier("v")
                        T.tile.add(before, before, carried)
                        T.pipe_barrier("v")
                        T.tile.broadcast(before_all, before, axis=0)
                        T.pipe_barrier("v")
                        T.tile.add(across, across, before_all)
                        T.pipe_barrier("v")
                        T.tile.gather(carried, across, same_ub, (piece - 1) * FLOAT)
                        for s in T.serial(SEGMENTS):
                            T.tile.gather(along[s, :], across, right_ub, s * FLOAT)
                        T.pipe_barrier("v")
                        T.wait_flag("mte3", "v", EVENT + b)  # y_ub has been stored
                        if half:
                            T.tile.cast(y_ub[b, :], along, "CAST_RINT", piece)
                        else:
                            T.tile.mul(y_ub[b, :], along, 1.0)
                        T.set_flag("v", "mte3", EVENT + b)

                        T.wait_flag("v", "mte3", EVENT + b)  # y_ub is complete
                        T.copy(y_ub[b, :], y[row, p * piece])
                        T.set_flag("mte3", "v", EVENT + b)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of PrefixSum.")
    parser.add_argument("r", metavar="R", type=int, help="number of rows; -1: known at run time")
    parser.add_argument("c", metavar="C", type=int, help="elements of a row")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    types = ["float32", "float16", "bfloat16"]
    parser.add_argument("--dtype", choices=types, default="float32", help="element type (default: %(default)s)")
    args = parser.parse_args()
    if not 1 <= args.c < 2**30:
        parser.error(f"C: {args.c}: must be from 1 to {2**30 - 1}")
    limit = (2**31 - 1) // (args.c + SEGMENTS * LENGTHS[-1]) - 2 * CORES  # positions are int32, also behind the end
    if args.r != -1 and not 1 <= args.r <= limit:
        parser.error(f"R: {args.r}: must be -1 or from 1 to {limit}")
    return args


def compile_kernel() -> int:
    args = parse_arguments()
    kernel = tilelang.compile(prefix_sum(args.r, args.c, args.dtype), target="ascendc", platform=PLATFORM)
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
