# Generated from op.yaml by opgen.
"""ApplyAdamCustom in TileLang-Ascend, over N elements:

    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad
    m_hat = m / (1 - beta1_power)
    v_hat = v / (1 - beta2_power)
    var = var - lr * m_hat / (sqrt(v_hat) + eps)

    python3 apply_adam_custom_kernel.py N OUT [--platform A3] [--cores 24]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *var, uint8_t *m, uint8_t *v, uint8_t *grad, uint8_t *beta1_power, uint8_t *beta2_power,
              float lr, float beta1, float beta2, float eps, [int64_t n,] aclrtStream stream);

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

# Elements of a tile. With two buffers for each tensor, used by turns, and scratch, it takes 196352 of the 196352 bytes
# on chip.
TILE = 3264
EVENT = 2  # events 2 and 3, one for each buffer; the compiler's own copies use 0


def apply_adam_custom(n: int, cores: int):
    """The kernel for n elements, or for any number of them when n is -1."""
    tile = TILE
    if n == -1:
        n, blocks = T.symbolic("n"), cores
    else:
        blocks = min(cores, -(-n // (2 * tile)))
    workers = 2 * blocks  # a core has two vector units, vid 0 and 1
    rounds = T.ceildiv(n, workers * tile)

    @T.prim_func
    def main(
        var: T.Tensor((n,), "float32"),
        m: T.Tensor((n,), "float32"),
        v: T.Tensor((n,), "float32"),
        grad: T.Tensor((n,), "float32"),
        beta1_power: T.Tensor((1,), "float32"),
        beta2_power: T.Tensor((1,), "float32"),
        lr: T.float32,
        beta1: T.float32,
        beta2: T.float32,
        eps: T.float32,
    ):
        with T.Kernel(blocks, is_npu=True) as (cid, vid):
            var_ub = T.alloc_ub((2, tile), "float32")
            m_ub = T.alloc_ub((2, tile), "float32")
            v_ub = T.alloc_ub((2, tile), "float32")
            grad_ub = T.alloc_ub((2, tile), "float32")
            var_out_ub = T.alloc_ub((2, tile), "float32")
            m_out_ub = T.alloc_ub((2, tile), "float32")
            v_out_ub = T.alloc_ub((2, tile), "float32")
            v_hat_f32 = T.alloc_ub((tile,), "float32")
            beta1_power_ub = T.alloc_ub((8,), "float32")
            beta2_power_ub = T.alloc_ub((8,), "float32")
            with T.Scope("V"):
                T.copy(beta1_power[0:1], beta1_power_ub[0:1])
                T.copy(beta2_power[0:1], beta2_power_ub[0:1])
                T.set_flag("mte2", "s", EVENT)
                T.wait_flag("mte2", "s", EVENT)
                beta1_power_value = beta1_power_ub[0]
                beta2_power_value = beta2_power_ub[0]
                for b in T.serial(2):  # both buffers start out free
                    T.set_flag("v", "mte2", EVENT + b)
                    T.set_flag("mte3", "v", EVENT + b)
                for i in T.serial(rounds):
                    # Copies are clipped at the end of the tensor, so the last round needs no special case.
                    start = (i * workers + cid * 2 + vid) * tile

                    T.wait_flag("v", "mte2", EVENT + i % 2)  # var_ub, m_ub, v_ub and grad_ub have been read
                    T.copy(var[start : start + tile], var_ub[i % 2, :])
                    T.copy(m[start : start + tile], m_ub[i % 2, :])
                    T.copy(v[start : start + tile], v_ub[i % 2, :])
                    T.copy(grad[start : start + tile], grad_ub[i % 2, :])
                    T.set_flag("mte2", "v", EVENT + i % 2)

                    T.wait_flag("mte2", "v", EVENT + i % 2)  # var_ub, m_ub, v_ub and grad_ub are loaded
                    T.wait_flag("mte3", "v", EVENT + i % 2)  # m_out_ub, v_out_ub and var_out_ub have been stored
                    # m = beta1 * m + (1 - beta1) * grad
                    T.tile.mul(m_out_ub[i % 2, :], m_ub[i % 2, :], beta1)
                    T.tile.mul(v_out_ub[i % 2, :], grad_ub[i % 2, :], 1.0 - beta1)
                    T.pipe_barrier("v")
                    T.tile.add(m_out_ub[i % 2, :], m_out_ub[i % 2, :], v_out_ub[i % 2, :])
                    # v = beta2 * v + (1 - beta2) * grad * grad
                    T.pipe_barrier("v")
                    T.tile.mul(v_out_ub[i % 2, :], v_ub[i % 2, :], beta2)
                    T.tile.mul(var_out_ub[i % 2, :], grad_ub[i % 2, :], 1.0 - beta2)
                    T.pipe_barrier("v")
                    T.tile.mul(var_out_ub[i % 2, :], var_out_ub[i % 2, :], grad_ub[i % 2, :])
                    T.pipe_barrier("v")
                    T.tile.add(v_out_ub[i % 2, :], v_out_ub[i % 2, :], var_out_ub[i % 2, :])
                    # m_hat = m / (1 - beta1_power)
                    T.pipe_barrier("v")
                    T.tile.mul(var_out_ub[i % 2, :], m_out_ub[i % 2, :], 1.0 / (1.0 - beta1_power_value))
                    # v_hat = v / (1 - beta2_power)
                    T.tile.mul(v_hat_f32, v_out_ub[i % 2, :], 1.0 / (1.0 - beta2_power_value))
                    # var = var - lr * m_hat / (sqrt(v_hat) + eps)
                    T.pipe_barrier("v")
                    T.tile.mul(var_out_ub[i % 2, :], var_out_ub[i % 2, :], lr)
                    T.tile.sqrt(v_hat_f32, v_hat_f32)
                    T.pipe_barrier("v")
                    T.tile.add(v_hat_f32, v_hat_f32, eps)
                    T.pipe_barrier("v")
                    T.tile.div(var_out_ub[i % 2, :], var_out_ub[i % 2, :], v_hat_f32)
                    T.pipe_barrier("v")
                    T.tile.sub(var_out_ub[i % 2, :], var_ub[i % 2, :], var_out_ub[i % 2, :])
                    T.set_flag("v", "mte2", EVENT + i % 2)
                    T.set_flag("v", "mte3", EVENT + i % 2)

                    T.wait_flag("v", "mte3", EVENT + i % 2)  # m_out_ub, v_out_ub and var_out_ub are computed
                    T.copy(m_out_ub[i % 2, :], m[start : start + tile])
                    T.copy(v_out_ub[i % 2, :], v[start : start + tile])
                    T.copy(var_out_ub[i % 2, :], var[start : start + tile])
                    T.set_flag("mte3", "v", EVENT + i % 2)
                for b in T.serial(2):  # every flag that was set is waited for
                    T.wait_flag("v", "mte2", EVENT + b)
                    T.wait_flag("mte3", "v", EVENT + b)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of ApplyAdamCustom.")
    parser.add_argument("n", metavar="N", type=int, help="number of elements; -1: known at run time")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    parser.add_argument("--platform", choices=["A2", "A3"], default="A3", help="chip family (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=24, help="AI cores to use at most (default: %(default)s)")
    args = parser.parse_args()
    if args.cores < 1:
        parser.error(f"--cores: {args.cores}: must be at least 1")
    # Indices are int32, and the last round may count past N by all but one of its elements.
    limit = 2**31 - 1 - 2 * args.cores * TILE
    if args.n != -1 and not 1 <= args.n <= limit:
        parser.error(f"N: {args.n}: must be -1 or from 1 to {limit}")
    return args


def write_atomically(library: str, out: Path) -> None:
    """Copies library to out. A reader of out sees the whole file or none."""
    out.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".apply_adam_custom_", dir=out.parent)
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
    function = apply_adam_custom(args.n, args.cores)
    kernel = tilelang.compile(function, target="ascendc", platform=args.platform)
    library = getattr(getattr(kernel.adapter, "lib", None), "_name", None)
    if not library:
        print("apply_adam_custom_kernel.py: TileLang does not say where the compiled library is", file=sys.stderr)
        return 1
    write_atomically(library, args.out)
    print(f"Kernel written to {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(compile_kernel())
