# Generated from op.yaml by opgen.
"""AddCustom in TileLang-Ascend: z = x + y over N elements.

    python3 add_custom_kernel.py N OUT [--platform A3] [--cores 24]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *x, uint8_t *y, uint8_t *z, aclrtStream stream);

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

# Elements of a tile. With two buffers for each tensor, used by turns, it takes 24576 of the 196352 bytes on chip.
TILE = 1024
EVENT = 2  # events 2 and 3, one for each buffer; the compiler's own copies use 0


def add_custom(n: int, cores: int):
    """The kernel for n elements."""
    tile = TILE
    blocks = min(cores, -(-n // (2 * tile)))
    workers = 2 * blocks  # a core has two vector units, vid 0 and 1
    rounds = -(-n // (workers * tile))
    last = max(n - tile, 0)

    @T.prim_func
    def main(
        x: T.Tensor((n,), "float32"),
        y: T.Tensor((n,), "float32"),
        z: T.Tensor((n,), "float32"),
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((2, tile), "float32")
            y_ub = T.alloc_ub((2, tile), "float32")
            z_ub = T.alloc_ub((2, tile), "float32")
            with T.Scope("V"):
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(rounds):
                    # The last tiles end where the tensor ends; where tiles overlap, workers store the same values.
                    turn = (i * workers + cid * 2 + vid) * tile
                    start = T.Select(turn < last, turn, last)

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # x_ub and y_ub have been read
                    T.copy(x[start : start + tile], x_ub[i % 2, :])
                    T.copy(y[start : start + tile], y_ub[i % 2, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # x_ub and y_ub are loaded
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # z_ub has been stored
                    T.tile.add(z_ub[i % 2, :], x_ub[i % 2, :], y_ub[i % 2, :])
                    T.set_flag("v", "mte2", EVENT + i % 2)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # z_ub is computed
                    T.copy(z_ub[i % 2, :], z[start : start + tile])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of AddCustom.")
    parser.add_argument("n", metavar="N", type=int, help="number of elements")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores}: must be at least 1")
    # Indices are int32, and the last round may count past N by all but one of its elements.
    limit = 2**31 - 1 - 2 * args.cores * TILE
    if not 1 <= args.n <= limit:
        parser.error(f"N: {args.n}: must be from 1 to {limit}")
    return args


def write_atomically(library: str, out: Path) -> None:
    """Copies library to out. A reader of out sees the whole file or none."""
    out.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".add_custom_", dir=out.parent)
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
    function = add_custom(args.n, args.cores)
    kernel = tilelang.compile(function, target="ascendc", platform=args.platform)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("add_custom_kernel.py: TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    write_atomically(library, args.out)
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
