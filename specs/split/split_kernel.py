"""SplitCustom in TileLang-Ascend: cuts a matrix into equal parts along the last axis.

    python3 split_kernel.py R C OUT [--dtype float32] --parts 2

compiles the kernel and writes it to OUT as a library with one entry point, here for two parts:

    void call(uint8_t *x, uint8_t *y0, uint8_t *y1, [int64_t r,] aclrtStream stream);

R is the number of rows, C the columns of one part. -1 leaves R open, and `call` then takes it. A list of tensors is as
many parameters as it has tensors, so there is one `main` for each number of parts.
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
WORKERS = 2 * CORES  # a core has two vector units
EVENT = 2  # events 2 and 3, one for each of two buffers; the compiler's own copies use 0
BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
BLOCK = 32  # bytes: rows on chip begin at multiples of it
TILE_BYTES = 32768  # of one buffer at most; there are two
MOST_ROWS = 4095  # that one copy moves


def split(r: int, c: int, parts: int, dtype: str):
    """The kernel for r rows of `parts` times c columns; -1 leaves r open."""
    # A part that is wider than a buffer is moved in pieces; the last one ends where the part ends. Copies put each row
    # on chip at the next multiple of 32 bytes.
    pieces = -(-c * BYTES[dtype] // TILE_BYTES)
    width = -(-c // pieces)
    pitch = -(-width * BYTES[dtype] // BLOCK) * BLOCK // BYTES[dtype]
    rows = min(MOST_ROWS, TILE_BYTES // (pitch * BYTES[dtype]))
    if r == -1:
        r = T.symbolic("r")
    else:
        rows = min(rows, -(-r // WORKERS))
    rounds = T.ceildiv(r, WORKERS * rows)

    @T.macro
    def move(x, y, tile_ub, i, start, part):
        """Rows of one part, from x to y. Copies are clipped at the last row."""
        for piece in T.serial(pieces):
            b = ((i * parts + part) * pieces + piece) % 2
            column = T.if_then_else(piece < pieces - 1, piece * width, c - width)
            T.wait_flag("mte3", "mte2", EVENT + b)  # what the buffer held has been stored
            T.copy(x[start, part * c + column], tile_ub[b, :, 0:width])
            T.set_flag("mte2", "mte3", EVENT + b)
            T.wait_flag("mte2", "mte3", EVENT + b)
            T.copy(tile_ub[b, :, 0:width], y[start, column])
            T.set_flag("mte3", "mte2", EVENT + b)

    @T.macro
    def begin():
        for b in T.serial(2):  # both buffers start out free
            T.set_flag("mte3", "mte2", EVENT + b)

    @T.macro
    def end():
        for b in T.serial(2):  # every flag that was set is waited for
            T.wait_flag("mte3", "mte2", EVENT + b)

    whole, one = (r, parts * c), (r, c)

    if parts == 2:

        @T.prim_func
        def main(x: T.Tensor(whole, dtype), y0: T.Tensor(one, dtype), y1: T.Tensor(one, dtype)):
            with T.Kernel(CORES, is_npu=True) as (cid, vid):
                tile_ub = T.alloc_ub((2, rows, pitch), dtype)
                with T.Scope("V"):
                    begin()
                    for i in T.serial(rounds):
                        start = (i * WORKERS + cid * 2 + vid) * rows
                        move(x, y0, tile_ub, i, start, 0)
                        move(x, y1, tile_ub, i, start, 1)
                    end()

    elif parts == 3:

        @T.prim_func
        def main(
            x: T.Tensor(whole, dtype), y0: T.Tensor(one, dtype), y1: T.Tensor(one, dtype), y2: T.Tensor(one, dtype)
        ):
            with T.Kernel(CORES, is_npu=True) as (cid, vid):
                tile_ub = T.alloc_ub((2, rows, pitch), dtype)
                with T.Scope("V"):
                    begin()
                    for i in T.serial(rounds):
                        start = (i * WORKERS + cid * 2 + vid) * rows
                        move(x, y0, tile_ub, i, start, 0)
                        move(x, y1, tile_ub, i, start, 1)
                        move(x, y2, tile_ub, i, start, 2)
                    end()

    else:

        @T.prim_func
        def main(
            x: T.Tensor(whole, dtype),
            y0: T.Tensor(one, dtype),
            y1: T.Tensor(one, dtype),
            y2: T.Tensor(one, dtype),
            y3: T.Tensor(one, dtype),
        ):
            with T.Kernel(CORES, is_npu=True) as (cid, vid):
                tile_ub = T.alloc_ub((2, rows, pitch), dtype)
                with T.Scope("V"):
                    begin()
                    for i in T.serial(rounds):
                        start = (i * WORKERS + cid * 2 + vid) * rows
                        move(x, y0, tile_ub, i, start, 0)
                        move(x, y1, tile_ub, i, start, 1)
                        move(x, y2, tile_ub, i, start, 2)
                        move(x, y3, tile_ub, i, start, 3)
                    end()

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of SplitCustom.")
    parser.add_argument("r", metavar="R", type=int, help="number of rows; -1: known at run time")
    parser.add_argument("c", metavar="C", type=int, help="columns of one part")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", choices=list(BYTES), default="float32", help="element type (default: %(default)s)")
    parser.add_argument("--parts", type=int, choices=[2, 3, 4], required=True, help="number of parts")
    args = parser.parse_args()
    if args.c < 1:
        parser.error(f"C: {args.c}: must be at least 1")
    limit = (2**31 - 1) // (args.parts * args.c) - WORKERS * MOST_ROWS  # positions are int32, also behind the last row
    if args.r != -1 and not 1 <= args.r <= limit:
        parser.error(f"R: {args.r}: must be -1 or from 1 to {limit}")
    return args


def compile_kernel() -> int:
    args = parse_arguments()
    kernel = tilelang.compile(split(args.r, args.c, args.parts, args.dtype), target="ascendc", platform=PLATFORM)
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
