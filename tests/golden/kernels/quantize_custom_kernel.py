# Generated from op.yaml by opgen.
"""QuantizeCustom in TileLang-Ascend: y = cast(clip(round(x / scale) + zero_point, -128, 127), int8) over N elements of
float16, bfloat16 or float32.

    python3 quantize_custom_kernel.py N OUT [--dtype float16] [--platform A3] [--cores 24] [--without NAME]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *scale, [uint8_t *zero_point,] uint8_t *y, [int64_t n,] aclrtStream stream);

N is compiled in; -1 leaves it open, and `call` then takes it as `n`. An input that is not connected is named with
--without, and `call` has no parameter for it.
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

# Elements of a tile. With two buffers for each tensor, used by turns, and scratch, it takes at most 132608 of the
# 196352 bytes on chip.
TILE = {"float16": 8192, "bfloat16": 8192, "float32": 4096}
EVENT = 2  # events 2 and 3, one for each buffer; the compiler's own copies use 0


def quantize_custom(n: int, dtype: str, cores: int):
    """The kernel for n elements, or for any number of them when n is -1."""
    half = dtype != "float32"
    tile = TILE[dtype]
    if n == -1:
        n, blocks = T.symbolic("n"), cores
    else:
        blocks = min(cores, -(-n // (2 * tile)))
    workers = 2 * blocks  # a core has two vector units, vid 0 and 1
    rounds = T.ceildiv(n, workers * tile)

    @T.prim_func
    def main(
        x: T.Tensor((n,), dtype),
        scale: T.Tensor((1,), "float32"),
        zero_point: T.Tensor((1,), "int32"),
        y: T.Tensor((n,), "int8"),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, tile), dtype)
            y_ub = T.alloc_ub((2, tile), "int8")
            x_f32 = T.alloc_ub((tile,), "float32")
            y_f32 = T.alloc_ub((tile,), "float32")
            y_bits = T.alloc_ub((tile // 8,), "uint8")  # one bit an element
            y_f16 = T.alloc_ub((tile,), "float16")
            y2_f32 = T.alloc_ub((tile,), "float32")
            scale_ub = T.alloc_ub((8,), "float32")
            zero_point_ub = T.alloc_ub((8,), "int32")
            with T.Scope("V"):
                T.copy(scale[0:1], scale_ub[0:1])
                T.copy(zero_point[0:1], zero_point_ub[0:1])
                T.set_flag("mte2", "s", EVENT)
                T.wait_flag("mte2", "s", EVENT)
                scale_value = scale_ub[0]
                zero_point_value = zero_point_ub[0]
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(rounds):
                    # Copies are clipped at the end of the tensor, so the last round needs no special case.
                    start = (i * workers + cid * 2 + vid) * tile

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # x_ub has been read
                    T.copy(x[start : start + tile], x_ub[i % 2, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # x_ub is loaded
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # y_ub has been stored
                    if half:
                        T.tile.cast(x_f32, x_ub[i % 2, :], "CAST_NONE", tile)
                        T.set_flag("v", "mte2", EVENT + i % 2)
                        T.tile.fill(y_f32, scale_value)
                        T.pipe_barrier("v")
                        T.tile.div(x_f32, x_f32, y_f32)
                        # what has no fraction any more, infinity and NaN stay as they are
                        T.pipe_barrier("v")
                        T.tile.abs(y_f32, x_f32)
                        T.pipe_barrier("v")
                        T.tile.compare(y_bits, y_f32, 8388608.0, "LT")
                        T.pipe_barrier("v")
                        T.tile.cast(y_f32, x_f32, "CAST_RINT", tile)
                        T.pipe_barrier("v")
                        T.tile.select(x_f32, y_bits, y_f32, x_f32, "VSEL_TENSOR_TENSOR_MODE")
                        T.pipe_barrier("v")
                        T.tile.add(x_f32, x_f32, T.cast(zero_point_value, "float32"))
                        T.pipe_barrier("v")
                        T.tile.max(x_f32, x_f32, -128.0)
                        T.pipe_barrier("v")
                        T.tile.min(x_f32, x_f32, 127.0)
                        T.pipe_barrier("v")
                        T.tile.cast(y_f32, x_f32, "CAST_TRUNC", tile)
                        T.pipe_barrier("v")
                        T.tile.cast(y_f16, y_f32, "CAST_RINT", tile)
                    else:
                        T.tile.fill(y_f32, scale_value)
                        T.pipe_barrier("v")
                        T.tile.div(y_f32, x_ub[i % 2, :], y_f32)
                        T.set_flag("v", "mte2", EVENT + i % 2)
                        # what has no fraction any more, infinity and NaN stay as they are
                        T.pipe_barrier("v")
                        T.tile.abs(y2_f32, y_f32)
                        T.pipe_barrier("v")
                        T.tile.compare(y_bits, y2_f32, 8388608.0, "LT")
                        T.pipe_barrier("v")
                        T.tile.cast(y2_f32, y_f32, "CAST_RINT", tile)
                        T.pipe_barrier("v")
                        T.tile.select(y_f32, y_bits, y2_f32, y_f32, "VSEL_TENSOR_TENSOR_MODE")
                        T.pipe_barrier("v")
                        T.tile.add(y_f32, y_f32, T.cast(zero_point_value, "float32"))
                        T.pipe_barrier("v")
                        T.tile.max(y_f32, y_f32, -128.0)
                        T.pipe_barrier("v")
                        T.tile.min(y_f32, y_f32, 127.0)
                        T.pipe_barrier("v")
                        T.tile.cast(y2_f32, y_f32, "CAST_TRUNC", tile)
                        T.pipe_barrier("v")
                        T.tile.cast(y_f16, y2_f32, "CAST_RINT", tile)
                    T.pipe_barrier("v")
                    T.tile.cast(y_ub[i % 2, :], y_f16, "CAST_RINT", tile)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # y_ub is computed
                    T.copy(y_ub[i % 2, :], y[start : start + tile])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def quantize_custom_without_zero_point(n: int, dtype: str, cores: int):
    """The kernel without zero_point for n elements, or for any number of them when n is -1."""
    half = dtype != "float32"
    tile = TILE[dtype]
    if n == -1:
        n, blocks = T.symbolic("n"), cores
    else:
        blocks = min(cores, -(-n // (2 * tile)))
    workers = 2 * blocks  # a core has two vector units, vid 0 and 1
    rounds = T.ceildiv(n, workers * tile)

    @T.prim_func
    def main(
        x: T.Tensor((n,), dtype),
        scale: T.Tensor((1,), "float32"),
        y: T.Tensor((n,), "int8"),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, tile), dtype)
            y_ub = T.alloc_ub((2, tile), "int8")
            x_f32 = T.alloc_ub((tile,), "float32")
            y_f32 = T.alloc_ub((tile,), "float32")
            y_bits = T.alloc_ub((tile // 8,), "uint8")  # one bit an element
            y_f16 = T.alloc_ub((tile,), "float16")
            y2_f32 = T.alloc_ub((tile,), "float32")
            scale_ub = T.alloc_ub((8,), "float32")
            with T.Scope("V"):
                T.copy(scale[0:1], scale_ub[0:1])
                T.set_flag("mte2", "s", EVENT)
                T.wait_flag("mte2", "s", EVENT)
                scale_value = scale_ub[0]
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(rounds):
                    # Copies are clipped at the end of the tensor, so the last round needs no special case.
                    start = (i * workers + cid * 2 + vid) * tile

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # x_ub has been read
                    T.copy(x[start : start + tile], x_ub[i % 2, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # x_ub is loaded
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # y_ub has been stored
                    if half:
                        T.tile.cast(x_f32, x_ub[i % 2, :], "CAST_NONE", tile)
                        T.set_flag("v", "mte2", EVENT + i % 2)
                        T.tile.fill(y_f32, scale_value)
                        T.pipe_barrier("v")
                        T.tile.div(x_f32, x_f32, y_f32)
                        # what has no fraction any more, infinity and NaN stay as they are
                        T.pipe_barrier("v")
                        T.tile.abs(y_f32, x_f32)
                        T.pipe_barrier("v")
                        T.tile.compare(y_bits, y_f32, 8388608.0, "LT")
                        T.pipe_barrier("v")
                        T.tile.cast(y_f32, x_f32, "CAST_RINT", tile)
                        T.pipe_barrier("v")
                        T.tile.select(x_f32, y_bits, y_f32, x_f32, "VSEL_TENSOR_TENSOR_MODE")
                        T.pipe_barrier("v")
                        T.tile.max(x_f32, x_f32, -128.0)
                        T.pipe_barrier("v")
                        T.tile.min(x_f32, x_f32, 127.0)
                        T.pipe_barrier("v")
                        T.tile.cast(y_f32, x_f32, "CAST_TRUNC", tile)
                        T.pipe_barrier("v")
                        T.tile.cast(y_f16, y_f32, "CAST_RINT", tile)
                    else:
                        T.tile.fill(y_f32, scale_value)
                        T.pipe_barrier("v")
                        T.tile.div(y_f32, x_ub[i % 2, :], y_f32)
                        T.set_flag("v", "mte2", EVENT + i % 2)
                        # what has no fraction any more, infinity and NaN stay as they are
                        T.pipe_barrier("v")
                        T.tile.abs(y2_f32, y_f32)
                        T.pipe_barrier("v")
                        T.tile.compare(y_bits, y2_f32, 8388608.0, "LT")
                        T.pipe_barrier("v")
                        T.tile.cast(y2_f32, y_f32, "CAST_RINT", tile)
                        T.pipe_barrier("v")
                        T.tile.select(y_f32, y_bits, y2_f32, y_f32, "VSEL_TENSOR_TENSOR_MODE")
                        T.pipe_barrier("v")
                        T.tile.max(y_f32, y_f32, -128.0)
                        T.pipe_barrier("v")
                        T.tile.min(y_f32, y_f32, 127.0)
                        T.pipe_barrier("v")
                        T.tile.cast(y2_f32, y_f32, "CAST_TRUNC", tile)
                        T.pipe_barrier("v")
                        T.tile.cast(y_f16, y2_f32, "CAST_RINT", tile)
                    T.pipe_barrier("v")
                    T.tile.cast(y_ub[i % 2, :], y_f16, "CAST_RINT", tile)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # y_ub is computed
                    T.copy(y_ub[i % 2, :], y[start : start + tile])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of QuantizeCustom.")
    parser.add_argument("n", metavar="N", type=int, help="number of elements; -1: known at run time")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", choices=list(TILE), default="float16", help="element type (default: %(default)s)")
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
    parser.add_argument(
        "--without", action="append", default=[], choices=["zero_point"], help="an input that is not connected"
    )
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores}: must be at least 1")
    # Indices are int32, and the last round may count past N by all but one of its elements.
    limit = 2**31 - 1 - 2 * args.cores * TILE[args.dtype]
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
    optional = ("zero_point",)
    kernels = {(): quantize_custom, ("zero_point",): quantize_custom_without_zero_point}
    build = kernels[tuple(name for name in optional if name in args.without)]
    function = build(args.n, args.dtype, args.cores)
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
