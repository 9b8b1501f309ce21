"""TopKCustom in TileLang-Ascend: the k largest elements of each row and their indices.

    python3 topk_kernel.py R C OUT [--dtype float32] --k 8

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *values, uint8_t *indices, [int64_t r,] aclrtStream stream);

R is the number of rows, C their length. -1 leaves R open, and `call` then takes it.

A row is sorted in chunks that fit on chip. Of each chunk the first 32 (value, index) pairs are merged with the best
pairs of the chunks before it, so a row may have any length.
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
CHUNK = 4096  # elements sorted at once at most: with 32 bytes for each, scratch memory included, of 196352
KEPT = 32  # pairs of a chunk that go on, and so the limit of k: what the sorting unit orders in one step
INDEX_LIMIT = 2**24  # the unit carries indices as float32


def topk(r: int, c: int, k: int, dtype: str):
    """The kernel for r rows of c elements; -1 leaves r open."""
    r = T.symbolic("r") if r == -1 else r
    chunks = -(-c // CHUNK)
    chunk = -(-c // chunks // KEPT) * KEPT
    workers = 2 * CORES  # a core has two vector units
    half = dtype != "float32"

    @T.prim_func
    def main(
        x: T.Tensor((r, c), dtype),
        values: T.Tensor((r, k), dtype),
        indices: T.Tensor((r, k), "int32"),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, chunk), dtype)
            sorted_ub = T.alloc_ub((chunk,), "float32")  # what is sorted is overwritten
            pairs = T.alloc_ub((2 * KEPT,), "float32")  # value, index, value, index, ...
            best = T.alloc_ub((2 * KEPT,), "float32")
            merged = T.alloc_ub((4 * KEPT,), "float32")
            at_index = T.alloc_ub((2 * KEPT,), "float32")  # 0, 1, 0, 1, ...
            value_f32 = T.alloc_ub((KEPT,), "float32")
            index_f32 = T.alloc_ub((KEPT,), "float32")
            values_ub = T.alloc_ub((2, KEPT), dtype)
            indices_ub = T.alloc_ub((2, KEPT), "int32")
            with T.Scope("V"):
                for j in T.serial(KEPT):
                    at_index[2 * j] = T.float32(0)
                    at_index[2 * j + 1] = T.float32(1)
                T.set_flag("s", "v", EVENT)
                T.wait_flag("s", "v", EVENT)
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(T.ceildiv(r, workers)):
                    row = i * workers + cid * 2 + vid  # copies are clipped: one behind the last row moves nothing
                    for q in T.serial(chunks):
                        b = (i * chunks + q) % 2
                        T.wait_flag("v", "mte2", EVENT + b)  # x_ub has been read
                        T.copy(x[row, q * chunk], x_ub[b, :], pad_value=-T.infinity("float32"))
                        T.set_flag("mte2", "v", EVENT + b)

                        T.wait_flag("mte2", "v", EVENT + b)  # x_ub is loaded
                        T.pipe_barrier("v")
                        if half:
                            T.tile.cast(sorted_ub, x_ub[b, :], "CAST_NONE", chunk)
                        else:
                            T.copy(x_ub[b, :], sorted_ub)
                        T.set_flag("v", "mte2", EVENT + b)
                        T.pipe_barrier("v")
                        T.tile.topk(pairs, sorted_ub, KEPT, chunk)
                        T.pipe_barrier("v")
                        if q == 0:
                            T.copy(pairs, best)
                        else:
                            # Indices count from the beginning of the row.
                            T.tile.axpy(pairs, at_index, T.cast(q * chunk, "float32"))
                            T.pipe_barrier("v")
                            T.tile.merge_sort(merged, best, pairs)
                            T.pipe_barrier("v")
                            T.copy(merged[0 : 2 * KEPT], best)
                    T.pipe_barrier("v")
                    T.tile.gather_mask(value_f32, best, "P0101")
                    T.tile.gather_mask(index_f32, best, "P1010")
                    T.pipe_barrier("v")

                    T.wait_flag("mte3", "v", EVENT + i % 2)  # the results before last have been stored
                    if half:
                        T.tile.cast(values_ub[i % 2, :], value_f32, "CAST_RINT", KEPT)
                    else:
                        T.copy(value_f32, values_ub[i % 2, :])
                    T.tile.cast(indices_ub[i % 2, :], index_f32, "CAST_RINT", KEPT)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # the results are complete
                    T.copy(values_ub[i % 2, 0:k], values[row, 0])
                    T.copy(indices_ub[i % 2, 0:k], indices[row, 0])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of TopKCustom.")
    parser.add_argument("r", metavar="R", type=int, help="number of rows; -1: known at run time")
    parser.add_argument("c", metavar="C", type=int, help="elements of a row")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    types = ["float32", "float16", "bfloat16"]
    parser.add_argument("--dtype", choices=types, default="float32", help="element type (default: %(default)s)")
    parser.add_argument("--k", type=int, required=True, help="number of elements to find")
    args = parser.parse_args()
    if not 1 <= args.k <= KEPT:
        parser.error(f"--k: {args.k}: must be from 1 to {KEPT}")
    if not args.k <= args.c <= INDEX_LIMIT:
        parser.error(f"C: {args.c}: must be from k to {INDEX_LIMIT}")
    limit = (2**31 - 1) // args.c - 2 * CORES  # positions are int32, also behind the last row
    if args.r != -1 and not 1 <= args.r <= limit:
        parser.error(f"R: {args.r}: must be -1 or from 1 to {limit}")
    return args


def compile_kernel() -> int:
    args = parse_arguments()
    kernel = tilelang.compile(topk(args.r, args.c, args.k, args.dtype), target="ascendc", platform=PLATFORM)
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
