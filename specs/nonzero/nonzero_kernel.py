"""NonzeroCustom in TileLang-Ascend: indices of the non-zero elements, padded with -1, and their number.

    python3 nonzero_kernel.py N OUT [--dtype int32]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *index, uint8_t *number, uint8_t *workspace, [int64_t n,] aclrtStream stream);

N is the number of elements; -1 leaves it open, and `call` then takes it.

Each vector unit has a row of tiles of its own. First it counts what it will find, and fills its part of `index` with
-1. When all have done so, the counts of the units before it say where its indices belong. They come to the front of a
tile by sorting, and are added to the -1 in global memory, increased by one; what follows them in the tile is zero and
changes nothing, so stores may overlap.
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
CORES = 24  # all of them run at the same time, as T.sync_all demands
WORKERS = 2 * CORES  # a core has two vector units
EVENT = 2  # events 2 and 3, one for each of two buffers; the compiler's own copies use 0
TILE = 1024  # elements
SLOT = 8  # int32 of the workspace for each worker: a block of 32 bytes
NEVER = -3.0e38  # a key behind all others


def nonzero(n: int, dtype: str):
    """The kernel for n elements; -1 leaves n open."""
    n = T.symbolic("n") if n == -1 else n
    tiles = T.ceildiv(n, WORKERS * TILE)  # of each worker
    other = dtype != "float32"  # which is what can be compared with anything

    @T.macro
    def mark(x_ub, b, wide, mask, ones, marks, count_f32):
        """marks: 1 where an element is not zero, else 0. count_f32: their sum."""
        T.pipe_barrier("v")
        if other:
            T.tile.cast(wide, x_ub[b, :], "CAST_NONE", TILE)
            T.pipe_barrier("v")
            T.tile.compare(mask, wide, 0.0, "NE")
        else:
            T.tile.compare(mask, x_ub[b, :], 0.0, "NE")
        T.set_flag("v", "mte2", EVENT + b)
        T.pipe_barrier("v")
        T.tile.select(marks, mask, ones, 0.0, "VSEL_TENSOR_SCALAR_MODE")
        T.pipe_barrier("v")
        T.reduce_sum(marks, count_f32, dim=-1)
        T.pipe_barrier("v")

    @T.prim_func
    def main(
        x: T.Tensor((n,), dtype),
        index: T.Tensor((n,), "int32"),
        number: T.Tensor((1,), "int32"),
        workspace: T.Tensor((WORKERS * SLOT,), "int32"),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, TILE), dtype)
            wide = T.alloc_ub((TILE,), "float32")
            mask = T.alloc_ub((TILE // 8,), "uint8")
            ones = T.alloc_ub((TILE,), "float32")
            marks = T.alloc_ub((TILE,), "float32")
            upward = T.alloc_ub((TILE,), "float32")  # 0, 1, 2, ...
            downward = T.alloc_ub((TILE,), "float32")  # 0, -1, -2, ...: keys that keep the order of elements
            pairs = T.alloc_ub((2 * TILE,), "float32")  # key, place in the tile, key, place, ...
            found = T.alloc_ub((TILE,), "int32")
            valid = T.alloc_ub((TILE,), "int32")
            count_f32 = T.alloc_ub((1,), "float32")
            sum_f32 = T.alloc_ub((1,), "float32")
            count_i32 = T.alloc_ub((SLOT,), "int32")
            counts = T.alloc_ub((WORKERS * SLOT,), "int32")
            count = T.alloc_var("int32", init=0)
            base = T.alloc_var("int32", init=0)
            with T.Scope("V"):
                T.tile.fill(ones, 1.0)
                T.tile.fill(found, -1)
                T.tile.fill(sum_f32, 0.0)
                T.tile.fill(count_i32, 0)
                T.set_flag("v", "mte3", EVENT)
                T.wait_flag("v", "mte3", EVENT)
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                for i in T.serial(tiles):
                    # Copies are clipped at the end of a tensor; zeros follow it on chip.
                    start = ((cid * 2 + vid) * tiles + i) * TILE
                    T.wait_flag("v", "mte2", EVENT + i % 2)
                    T.copy(x[start], x_ub[i % 2, :])
                    T.copy(found, index[start])
                    T.set_flag("mte2", "v", EVENT + i % 2)
                    T.wait_flag("mte2", "v", EVENT + i % 2)
                    mark(x_ub, i % 2, wide, mask, ones, marks, count_f32)
                    T.tile.add(sum_f32, sum_f32, count_f32)
                for b in T.serial(2):
                    T.wait_flag("v", "mte2", EVENT + b)
                T.pipe_barrier("v")
                T.tile.cast(count_i32, sum_f32, "CAST_RINT", 1)
                T.set_flag("v", "mte3", EVENT)
                T.wait_flag("v", "mte3", EVENT)
                T.copy(count_i32, workspace[(cid * 2 + vid) * SLOT])
                T.barrier_all()

            T.sync_all()

            with T.Scope("V"):
                T.copy(workspace[0], counts)
                T.tile.createvecindex(upward, 0.0)
                T.pipe_barrier("v")
                T.tile.mul(downward, upward, -1.0)
                T.barrier_all()
                for w in T.serial(WORKERS):
                    if w < cid * 2 + vid:
                        base = base + counts[w * SLOT]
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                T.set_flag("mte3", "v", EVENT)
                for i in T.serial(tiles):
                    start = ((cid * 2 + vid) * tiles + i) * TILE
                    T.wait_flag("v", "mte2", EVENT + i % 2)
                    T.copy(x[start], x_ub[i % 2, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)
                    T.wait_flag("mte2", "v", EVENT + i % 2)
                    mark(x_ub, i % 2, wide, mask, ones, marks, count_f32)
                    T.tile.cast(count_i32, count_f32, "CAST_RINT", 1)
                    T.set_flag("v", "s", EVENT)

                    # The places of the marked elements come first.
                    T.tile.select(marks, mask, downward, NEVER, "VSEL_TENSOR_SCALAR_MODE")
                    T.pipe_barrier("v")
                    T.tile.sort(pairs, marks, TILE)
                    T.pipe_barrier("v")
                    T.tile.gather_mask(wide, pairs, "P1010")
                    T.pipe_barrier("v")
                    T.wait_flag("mte3", "v", EVENT)  # the indices before have been stored
                    T.tile.cast(found, wide, "CAST_RINT", TILE)
                    T.wait_flag("v", "s", EVENT)
                    count = count_i32[0]

                    # Zeros behind them.
                    T.tile.compare(mask, upward, T.cast(count, "float32"), "LT")
                    T.pipe_barrier("v")
                    T.tile.select(marks, mask, ones, 0.0, "VSEL_TENSOR_SCALAR_MODE")
                    T.tile.add(found, found, start + 1)
                    T.pipe_barrier("v")
                    T.tile.cast(valid, marks, "CAST_RINT", TILE)
                    T.pipe_barrier("v")
                    T.tile.mul(found, found, valid)
                    T.set_flag("v", "mte3", EVENT)
                    T.wait_flag("v", "mte3", EVENT)
                    T.tile.atomic_add(index[base], found)
                    T.set_flag("mte3", "v", EVENT)
                    base = base + count
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                T.wait_flag("mte3", "v", EVENT)
                if cid * 2 + vid == WORKERS - 1:  # the last one knows the sum of all
                    counts[0] = base
                    T.set_flag("s", "mte3", EVENT)
                    T.wait_flag("s", "mte3", EVENT)
                    T.copy(counts[0:1], number[0])

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of NonzeroCustom.")
    parser.add_argument("n", metavar="N", type=int, help="number of elements; -1: known at run time")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    types = ["int32", "float32", "float16", "bfloat16"]
    parser.add_argument("--dtype", choices=types, default="int32", help="element type (default: %(default)s)")
    args = parser.parse_args()
    limit = 2**31 - 1 - WORKERS * TILE  # positions are int32, also behind the end
    if args.n != -1 and not 1 <= args.n <= limit:
        parser.error(f"N: {args.n}: must be -1 or from 1 to {limit}")
    return args


def compile_kernel() -> int:
    args = parse_arguments()
    kernel = tilelang.compile(nonzero(args.n, args.dtype), target="ascendc", platform=PLATFORM)
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
