# Generated from op.yaml by opgen.
"""GeluTanhCustom in TileLang-Ascend, over N elements of float32, float16 or bfloat16:

    inner = 0.7978845608028654 * (x + 0.044715 * x ** 3)
    y = 0.5 * x * (1 + tanh(inner))

    python3 gelu_tanh_custom_kernel.py N OUT [--dtype float32] [--platform A3] [--cores 24]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *y, aclrtStream stream);

N is compiled in.
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

# Elements of a tile at most. With two buffers for each tensor, used by turns, and scratch, it takes at most 131072 of
# the 196352 bytes on chip.
TILE = {"float32": 4096, "float16": 8192, "bfloat16": 8192}
STEP = 128  # a tile is a multiple of it: whole steps of the vector unit
EVENT = 2  # events 2 and 3, one for each buffer; the compiler's own copies use 0


def gelu_tanh_custom(n: int, dtype: str, cores: int):
    """The kernel for n elements."""
    half = dtype != "float32"
    # Equal tiles, and as many for each vector unit: a core has two, vid 0 and 1.
    rounds = -(-n // (2 * cores * TILE[dtype]))
    tile = -(-n // (2 * cores * rounds * STEP)) * STEP
    blocks = min(cores, -(-n // (2 * tile)))
    workers = 2 * blocks
    rounds = -(-n // (workers * tile))
    last = max(n - tile, 0)

    @T.prim_func
    def main(
        x: T.Tensor((n,), dtype),
        y: T.Tensor((n,), dtype),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, tile), dtype)
            y_ub = T.alloc_ub((2, tile), dtype)
            x_f32 = T.alloc_ub((tile,), "float32")
            inner_f32 = T.alloc_ub((tile,), "float32")
            with T.Scope("V"):
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(rounds):
                    # The last tiles end where the tensor ends; where tiles overlap, workers store the same values.
                    turn = (i * workers + cid * 2 + vid) * tile
                    start = T.Select(turn < last, turn, last)

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # x_ub has been read
                    T.copy(x[start : start + tile], x_ub[i % 2, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # x_ub is loaded
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # y_ub has been stored
                    # float32 is computed where it lies, the half types in buffers of float32
                    x_tile = T.meta_var(x_f32 if half else x_ub[i % 2, :])
                    inner_tile = T.meta_var(inner_f32 if half else y_ub[i % 2, :])
                    y_tile = T.meta_var(x_f32 if half else y_ub[i % 2, :])
                    if half:
                        T.pipe_barrier("v")
                        T.tile.cast(x_tile, x_ub[i % 2, :], "CAST_NONE", tile)
                    # inner = 0.7978845608028654 * (x + 0.044715 * x ** 3)
                    T.pipe_barrier("v")
                    T.tile.mul(inner_tile, x_tile, x_tile)
                    T.pipe_barrier("v")
                    T.tile.mul(inner_tile, x_tile, inner_tile)
                    T.pipe_barrier("v")
                    T.tile.mul(inner_tile, inner_tile, 0.044715)
                    T.pipe_barrier("v")
                    T.tile.add(inner_tile, x_tile, inner_tile)
                    # y = 0.5 * x * (1 + tanh(inner))
                    # 1 + tanh(v) = 2 / (1 + exp(-2 * v))
                    T.pipe_barrier("v")
                    T.tile.mul(inner_tile, inner_tile, -1.5957691216057308)
                    T.pipe_barrier("v")
                    T.tile.exp(inner_tile, inner_tile)
                    T.pipe_barrier("v")
                    T.tile.add(inner_tile, inner_tile, 1.0)
                    T.pipe_barrier("v")
                    T.tile.div(y_tile, x_tile, inner_tile)
                    T.set_flag("v", "mte2", EVENT + i % 2)
                    if half:
                        T.pipe_barrier("v")
                        T.tile.cast(y_ub[i % 2, :], y_tile, "CAST_RINT", tile)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # y_ub is computed
                    T.copy(y_ub[i % 2, :], y[start : start + tile])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of GeluTanhCustom.")
    parser.add_argument("n", metavar="N", type=int, help="number of elements")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", choices=list(TILE), default="float32", help="element type (default: %(default)s)")
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores}: must be at least 1")
    # Indices are int32, and the last round may count past N by all but one of its elements.
    limit = 2**31 - 1 - 2 * args.cores * TILE[args.dtype]
    if not 1 <= args.n <= limit:
        parser.error(f"N: {args.n}: must be from 1 to {limit}")
    return args


def write_atomically(library: str, out: Path) -> None:
    """Copies library to out. A reader of out sees the whole file or none."""
    out.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".gelu_tanh_custom_", dir=out.parent)
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
    function = gelu_tanh_custom(args.n, args.dtype, args.cores)
    kernel = tilelang.compile(function, target="ascendc", platform=args.platform)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("gelu_tanh_custom_kernel.py: TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    write_atomically(library, args.out)
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
