"""EmbeddingCustom in TileLang-Ascend: looks up rows of a table by index.

    python3 embedding_kernel.py N V D OUT [--dtype T=float32,I=int32]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *table, uint8_t *indices, uint8_t *y, [int64_t v,] [int64_t n,] aclrtStream stream);

N is the number of indices, V the rows of the table, D the elements of a row. -1 leaves N or V open, and `call` then
takes it. Nothing is computed: each row goes through the chip in one copy, and a tile of rows leaves it in one.
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
BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
STEP = 16  # rows on chip are a multiple of it: whole blocks of 32 bytes of every type
ROWS = 16  # looked up for one store
TILE_BYTES = 65536  # of one buffer at most; there are two


def embedding(n: int, v: int, d: int, dtype: str, index_dtype: str):
    """The kernel for n indices into v rows of d elements; -1 leaves n or v open."""
    n = T.symbolic("n") if n == -1 else n
    v = T.symbolic("v") if v == -1 else v
    # A row that is longer than its share of a buffer is moved in pieces.
    columns = min(-(-d // STEP) * STEP, TILE_BYTES // ROWS // BYTES[dtype])
    pieces = -(-d // columns)
    workers = 2 * CORES  # a core has two vector units

    @T.prim_func
    def main(
        table: T.Tensor((v, d), dtype),
        indices: T.Tensor((n,), index_dtype),
        y: T.Tensor((n, d), dtype),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            index_ub = T.alloc_ub((2, ROWS), index_dtype)
            rows_ub = T.alloc_ub((2, ROWS, columns), dtype)
            row = T.alloc_var("int32", init=0)
            with T.Scope("V"):
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("s", "mte2", EVENT + b)
                    T.set_flag("mte3", "mte2", EVENT + b)
                T.wait_flag("s", "mte2", EVENT)
                T.copy(indices[(cid * 2 + vid) * ROWS], index_ub[0, :])
                T.set_flag("mte2", "s", EVENT)
                for i in T.serial(T.ceildiv(n, workers * ROWS)):
                    start = (i * workers + cid * 2 + vid) * ROWS

                    # The next indices arrive while these rows do. Copies are clipped at the end of a tensor.
                    T.wait_flag("s", "mte2", EVENT + (i + 1) % 2)
                    T.copy(indices[start + workers * ROWS], index_ub[(i + 1) % 2, :])
                    T.set_flag("mte2", "s", EVENT + (i + 1) % 2)

                    T.wait_flag("mte2", "s", EVENT + i % 2)  # these indices are there
                    for p in T.serial(pieces):
                        b = (i * pieces + p) % 2
                        T.wait_flag("mte3", "mte2", EVENT + b)  # the rows before last have been stored
                        for j in T.serial(ROWS):
                            if start + j < n:
                                row = T.cast(index_ub[i % 2, j], "int32")
                                T.copy(table[row, p * columns], rows_ub[b, j, :])
                        T.set_flag("mte2", "mte3", EVENT + b)
                        T.wait_flag("mte2", "mte3", EVENT + b)
                        T.copy(rows_ub[b, :, :], y[start, p * columns])
                        T.set_flag("mte3", "mte2", EVENT + b)
                    T.set_flag("s", "mte2", EVENT + i % 2)  # these indices have been read
                # Every flag that was set is waited for, that of the indices loaded last among them.
                T.wait_flag("mte2", "s", EVENT + T.ceildiv(n, workers * ROWS) % 2)
                T.set_flag("s", "mte2", EVENT + T.ceildiv(n, workers * ROWS) % 2)
                for b in T.serial(2):
                    T.wait_flag("s", "mte2", EVENT + b)
                    T.wait_flag("mte3", "mte2", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of EmbeddingCustom.")
    parser.add_argument("n", metavar="N", type=int, help="number of indices; -1: known at run time")
    parser.add_argument("v", metavar="V", type=int, help="rows of the table; -1: known at run time")
    parser.add_argument("d", metavar="D", type=int, help="elements of a row")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", default="T=float32,I=int32", help="element types (default: %(default)s)")
    args = parser.parse_args()
    types = dict(pair.partition("=")[::2] for pair in args.dtype.split(","))
    if set(types) != {"T", "I"} or types["T"] not in BYTES or types["I"] not in ("int32", "int64"):
        parser.error(f"--dtype: {args.dtype}: must be T={'|'.join(BYTES)},I=int32|int64")
    args.dtype, args.index_dtype = types["T"], types["I"]
    if args.d < 1:
        parser.error(f"D: {args.d}: must be at least 1")
    for name, size in (("N", args.n), ("V", args.v)):
        if size != -1 and not 1 <= size <= (2**31 - 1) // args.d - 4 * CORES * ROWS:  # positions are int32
            parser.error(f"{name}: {size}: must be -1, or at least 1 with a tensor of less than 2**31 elements")
    return args


def compile_kernel() -> int:
    args = parse_arguments()
    function = embedding(args.n, args.v, args.d, args.dtype, args.index_dtype)
    kernel = tilelang.compile(function, target="ascendc", platform=PLATFORM)
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
