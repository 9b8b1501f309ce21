# Generated from op.yaml by opgen.
"""QuantizeCustom in TileLang-Ascend: y = cast(clip(round(x / scale) + zero_point, -128, 127), int8) over N rows of C
elements of float16, bfloat16 or float32.

    python3 quantize_custom_kernel.py N C OUT [--dtype float16] [--platform A3] [--cores 24] [--without NAME]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *scale, uint8_t *zero_point, uint8_t *y, [int64_t n,] aclrtStream stream);

N and C are compiled in; -1 leaves N open, and `call` then takes it as `n`. An input that is not connected is named with
--without; `call` takes a null pointer for it.
"""

import argparse
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

# Bytes on chip that a tile takes for each element, each column, each row and in any case, with two buffers for each
# tensor, used by turns.
BYTES = {"float16": (26, 12, 0, 416), "bfloat16": (26, 12, 0, 416), "float32": (30, 12, 0, 416)}
ON_CHIP = 196352  # bytes
TILE = 12288  # elements of a tile at most, unless a row is longer
# Rows and columns of a tile of rows that do not fit on chip, which are taken in pieces. It takes at most 143872 of the
# 196352 bytes on chip.
PIECE = (2, 2048)
STEP = 64  # a row on chip is a multiple of it: whole blocks of every type
EVENT = 2  # events 2 and 3, one for each buffer; the compiler's own copies use 0
COLUMN_EVENT = 5  # of the tensors with one value a column, which are loaded once


def quantize_custom(n: int, c: int, dtype: str, cores: int, has_zero_point: bool):
    """The kernel for n rows of c elements; -1 leaves n open."""
    half = dtype != "float32"
    columns = padded(c)
    if n == -1:
        n, blocks, rows = T.symbolic("n"), cores, tile_rows(columns, dtype)
        last = T.Select(n < rows, 0, n - rows)
    else:
        # Equal tiles, and as many for each vector unit: a core has two, vid 0 and 1.
        rounds = -(-n // (2 * cores * tile_rows(columns, dtype)))
        rows = -(-n // (2 * cores * rounds))
        blocks = min(cores, -(-n // (2 * rows)))
        last = n - rows
    workers = 2 * blocks
    tiles = T.ceildiv(n, rows)
    tile = rows * columns

    @T.prim_func
    def main(
        x: T.Tensor((n, c), dtype),
        scale: T.Tensor((c,), "float32"),
        zero_point: T.Tensor((c,), "int32"),
        y: T.Tensor((n, c), "int8"),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, rows, columns), dtype)
            scale_ub = T.alloc_ub((columns,), "float32")
            zero_point_ub = T.alloc_ub((columns,), "int32")
            y_ub = T.alloc_ub((2, rows, columns), "int8")
            scale_f32 = T.alloc_ub((rows, columns), "float32")
            zero_point_f32 = T.alloc_ub((columns,), "float32")
            work_f32 = T.alloc_ub((rows, columns), "float32")
            work2_f32 = T.alloc_ub((rows, columns), "float32")
            work3_f32 = T.alloc_ub((rows, columns), "float32")
            mask_bits = T.alloc_ub((tile // 8,), "uint8")  # one bit an element
            y_f16 = T.alloc_ub((rows, columns), "float16")
            start = T.alloc_var("int32")
            with T.Scope("V"):
                T.copy(scale[0], scale_ub)
                if has_zero_point:
                    T.copy(zero_point[0], zero_point_ub)
                T.set_flag("mte2", "v", COLUMN_EVENT)
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                T.wait_flag("mte2", "v", COLUMN_EVENT)  # scale and zero_point are loaded and stay
                T.tile.broadcast(scale_f32, scale_ub, axis=0)
                if has_zero_point:
                    T.tile.cast(zero_point_f32, zero_point_ub, "CAST_RINT", columns)
                    T.pipe_barrier("v")
                    T.tile.broadcast(work_f32, zero_point_f32, axis=0)
                T.pipe_barrier("v")
                for i in T.serial(T.ceildiv(tiles - cid * 2 - vid, workers)):
                    # The last tile ends with the last row; where it overlaps the one before, both store the same
                    # values.
                    start = (i * workers + cid * 2 + vid) * rows
                    if start > last:
                        start = last

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # x_ub has been read
                    T.copy(x[start, 0], x_ub[i % 2, :, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # x_ub is loaded
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # y_ub has been stored
                    # float32 is computed where it lies, the half types in buffers of float32
                    x_tile = T.meta_var(work2_f32 if half else x_ub[i % 2, :, :])
                    if half:
                        T.tile.cast(x_tile, x_ub[i % 2, :, :], "CAST_NONE", tile)
                        T.pipe_barrier("v")
                    T.tile.div(work2_f32, x_tile, scale_f32)
                    T.set_flag("v", "mte2", EVENT + i % 2)
                    # what has no fraction any more, infinity and NaN stay as they are
                    T.pipe_barrier("v")
                    T.tile.abs(work3_f32, work2_f32)
                    T.pipe_barrier("v")
                    T.tile.compare(mask_bits, work3_f32, 8388608.0, "LT")
                    T.pipe_barrier("v")
                    T.tile.cast(work3_f32, work2_f32, "CAST_RINT", tile)
                    T.pipe_barrier("v")
                    T.tile.select(work2_f32, mask_bits, work3_f32, work2_f32, "VSEL_TENSOR_TENSOR_MODE")
                    if has_zero_point:
                        T.pipe_barrier("v")
                        T.tile.add(work2_f32, work2_f32, work_f32)
                    T.pipe_barrier("v")
                    T.tile.max(work2_f32, work2_f32, -128.0)
                    T.pipe_barrier("v")
                    T.tile.min(work2_f32, work2_f32, 127.0)
                    T.pipe_barrier("v")
                    T.tile.cast(work3_f32, work2_f32, "CAST_TRUNC", tile)
                    T.pipe_barrier("v")
                    T.tile.cast(y_f16, work3_f32, "CAST_RINT", tile)
                    T.pipe_barrier("v")
                    T.tile.cast(y_ub[i % 2, :, :], y_f16, "CAST_RINT", tile)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # y_ub is computed
                    T.copy(y_ub[i % 2, :, :], y[start, 0])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def quantize_custom_long(n: int, c: int, dtype: str, cores: int, has_zero_point: bool):
    """The kernel for n rows of c elements that do not fit on chip."""
    half = dtype != "float32"
    rows, columns = PIECE
    if n == -1:
        n, blocks = T.symbolic("n"), cores
    else:
        rows = min(rows, -(-n // (2 * cores)))  # a core has two vector units, vid 0 and 1
        blocks = min(cores, -(-n // (2 * rows)))
    workers = 2 * blocks
    tiles = T.ceildiv(n, rows)
    pieces = T.ceildiv(c, columns)
    tile = rows * columns

    @T.prim_func
    def main(
        x: T.Tensor((n, c), dtype),
        scale: T.Tensor((c,), "float32"),
        zero_point: T.Tensor((c,), "int32"),
        y: T.Tensor((n, c), "int8"),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, rows, columns), dtype)
            scale_ub = T.alloc_ub((2, columns), "float32")
            zero_point_ub = T.alloc_ub((2, columns), "int32")
            y_ub = T.alloc_ub((2, rows, columns), "int8")
            scale_f32 = T.alloc_ub((rows, columns), "float32")
            zero_point_f32 = T.alloc_ub((columns,), "float32")
            work_f32 = T.alloc_ub((rows, columns), "float32")
            work2_f32 = T.alloc_ub((rows, columns), "float32")
            mask_bits = T.alloc_ub((tile // 8,), "uint8")  # one bit an element
            y_f16 = T.alloc_ub((rows, columns), "float16")
            with T.Scope("V"):
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(T.ceildiv(tiles - cid * 2 - vid, workers)):
                    # Copies are clipped at the last row, so the last tile needs no special case.
                    start = (i * workers + cid * 2 + vid) * rows

                    for j in T.serial(pieces):
                        first = j * columns

                        T.wait_flag("v", "mte2", EVENT + j % 2)  # x_ub, scale_ub and zero_point_ub have been read
                        T.copy(x[start, first], x_ub[j % 2, :, :])
                        T.copy(scale[first], scale_ub[j % 2, :])
                        if has_zero_point:
                            T.copy(zero_point[first], zero_point_ub[j % 2, :])
                        T.set_flag("mte2", "v", EVENT + j % 2)

                        T.wait_flag("mte2", "v", EVENT + j % 2)  # x_ub, scale_ub and zero_point_ub are loaded
                        T.wait_flag("mte3", "v", EVENT + j % 2)  # y_ub has been stored
                        # float32 is computed where it lies, the half types in buffers of float32
                        x_tile = T.meta_var(work2_f32 if half else x_ub[j % 2, :, :])
                        T.tile.broadcast(scale_f32, scale_ub[j % 2, :], axis=0)
                        if has_zero_point:
                            T.tile.cast(zero_point_f32, zero_point_ub[j % 2, :], "CAST_RINT", columns)
                            T.pipe_barrier("v")
                            T.tile.broadcast(work_f32, zero_point_f32, axis=0)
                        if half:
                            T.tile.cast(x_tile, x_ub[j % 2, :, :], "CAST_NONE", tile)
                        T.pipe_barrier("v")
                        T.tile.div(scale_f32, x_tile, scale_f32)
                        T.set_flag("v", "mte2", EVENT + j % 2)
                        # what has no fraction any more, infinity and NaN stay as they are
                        T.pipe_barrier("v")
                        T.tile.abs(work2_f32, scale_f32)
                        T.pipe_barrier("v")
                        T.tile.compare(mask_bits, work2_f32, 8388608.0, "LT")
                        T.pipe_barrier("v")
                        T.tile.cast(work2_f32, scale_f32, "CAST_RINT", tile)
                        T.pipe_barrier("v")
                        T.tile.select(scale_f32, mask_bits, work2_f32, scale_f32, "VSEL_TENSOR_TENSOR_MODE")
                        if has_zero_point:
                            T.pipe_barrier("v")
                            T.tile.add(scale_f32, scale_f32, work_f32)
                        T.pipe_barrier("v")
                        T.tile.max(scale_f32, scale_f32, -128.0)
                        T.pipe_barrier("v")
                        T.tile.min(scale_f32, scale_f32, 127.0)
                        T.pipe_barrier("v")
                        T.tile.cast(work_f32, scale_f32, "CAST_TRUNC", tile)
                        T.pipe_barrier("v")
                        T.tile.cast(y_f16, work_f32, "CAST_RINT", tile)
                        T.pipe_barrier("v")
                        T.tile.cast(y_ub[j % 2, :, :], y_f16, "CAST_RINT", tile)
                        T.set_flag("v", "mte3", EVENT + j % 2)

                        T.wait_flag("v", "mte3", EVENT + j % 2)  # y_ub is computed
                        T.copy(y_ub[j % 2, :, :], y[start, first])
                        T.set_flag("mte3", "v", EVENT + j % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def padded(c: int) -> int:
    """Columns of a tile for rows of c elements."""
    return -(-c // STEP) * STEP


def tile_rows(columns: int, dtype: str) -> int:
    """Rows of a tile at most; 0 when a row does not fit on chip."""
    element, column, row, always = BYTES[dtype]
    fit = (ON_CHIP - always - column * columns) // (element * columns + row)
    return max(0, min(fit, max(1, TILE // columns)))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of QuantizeCustom.")
    parser.add_argument("n", metavar="N", type=int, help="number of rows; -1: known at run time")
    parser.add_argument("c", metavar="C", type=int, help="elements of a row")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", choices=list(BYTES), default="float16", help="element type (default: %(default)s)")
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
    parser.add_argument(
        "--without", action="append", default=[], choices=["zero_point"], help="an input that is not connected"
    )
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores}: must be at least 1")
    if args.c < 1:
        parser.error(f"C: {args.c}: must be at least 1")
    # Indices are int32, and the last round may count past the last row by all but one of its rows.
    limit = (2**31 - 1) // args.c - 2 * args.cores * (tile_rows(padded(args.c), args.dtype) or PIECE[0])
    if args.n != -1 and not 1 <= args.n <= limit:
        parser.error(f"N: {args.n}: must be -1 or from 1 to {limit}")
    return args


def write_atomically(library: str, out: Path) -> None:
    """Copies library to out. A reader of out sees the whole file or none."""
    out.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".quantize_custom_", dir=out.parent)
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
    build = quantize_custom if tile_rows(padded(args.c), args.dtype) else quantize_custom_long
    function = build(args.n, args.c, args.dtype, args.cores, "zero_point" not in args.without)
    kernel = tilelang.compile(function, target="ascendc", platform=args.platform)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("quantize_custom_kernel.py: TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    write_atomically(library, args.out)
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
