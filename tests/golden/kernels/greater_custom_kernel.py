# Generated from op.yaml by opgen.
"""GreaterCustom in TileLang-Ascend: z = x > y over N elements of float32, float16 or bfloat16.

    python3 greater_custom_kernel.py N OUT [--dtype float32] [--platform A3] [--cores 24]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *y, uint8_t *z, [int64_t n,] aclrtStream stream);

N is compiled in; -1 leaves it open, and `call` then takes it as `n`.
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

# Elements of a tile. With two buffers for each tensor, used by turns, and scratch, it takes at most 164864 of the
# 196352 bytes on chip.
TILE = {"float32": 4096, "float16": 8192, "bfloat16": 8192}
EVENT = 2  # events 2 and 3, one for each buffer; the compiler's own copies use 0


def greater_custom(n: int, dtype: str, cores: int):
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
        y: T.Tensor((n,), dtype),
        z: T.Tensor((n,), "uint8"),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, tile), dtype)
            y_ub = T.alloc_ub((2, tile), dtype)
            z_ub = T.alloc_ub((2, tile), "uint8")
            mask_bits = T.alloc_ub((tile // 8,), "uint8")  # one bit an element
            z_f16 = T.alloc_ub((tile,), "float16")
            x_f32 = T.alloc_ub((tile,), "float32")
            y_f32 = T.alloc_ub((tile,), "float32")
            with T.Scope("V"):
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(rounds):
                    # Copies are clipped at the end of the tensor, so the last round needs no special case.
                    start = (i * workers + cid * 2 + vid) * tile

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # x_ub and y_ub have been read
                    T.copy(x[start : start + tile], x_ub[i % 2, :])
                    T.copy(y[start : start + tile], y_ub[i % 2, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # x_ub and y_ub are loaded
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # z_ub has been stored
                    # float32 is computed where it lies, the half types in buffers of float32
                    x_tile = T.meta_var(x_f32 if half else x_ub[i % 2, :])
                    y_tile = T.meta_var(y_f32 if half else y_ub[i % 2, :])
                    if half:
                        T.tile.cast(x_tile, x_ub[i % 2, :], "CAST_NONE", tile)
                        T.tile.cast(y_tile, y_ub[i % 2, :], "CAST_NONE", tile)
                        T.pipe_barrier("v")
                    T.tile.compare(mask_bits, x_tile, y_tile, "GT")
                    T.set_flag("v", "mte2", EVENT + i % 2)
                    T.pipe_barrier("v")
                    T.tile.fill(z_f16, 1.0)
                    T.pipe_barrier("v")
                    T.tile.select(z_f16, mask_bits, z_f16, 0.0, "VSEL_TENSOR_SCALAR_MODE")
                    T.pipe_barrier("v")
                    T.tile.cast(z_ub[i % 2, :], z_f16, "CAST_RINT", tile)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # z_ub is computed
                    T.copy(z_ub[i % 2, :], z[start : start + tile])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of GreaterCustom.")
    parser.add_argument("n", metavar="N", type=int, help="number of elements; -1: known at run time")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--dtype", choices=list(TILE), default="float32", help="element type (default: %(default)s)")
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
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
    handle, name = tempfile.mkstemp(prefix=".greater_custom_", dir=out.parent)
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
    function = greater_custom(args.n, args.dtype, args.cores)
    kernel = tilelang.compile(function, target="ascendc", platform=args.platform)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("greater_custom_kernel.py: TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    write_atomically(library, args.out)
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
