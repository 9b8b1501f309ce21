"""AttentionCustom in TileLang-Ascend: scaled dot-product attention.

    python3 attention_kernel.py B H S D OUT [--dtype float16]

compiles the kernel and writes it to OUT as a library with one entry point:

    void call(uint8_t *query, uint8_t *key, uint8_t *value, uint8_t *out, uint8_t *workspace, float scale,
              [int64_t b,] aclrtStream stream);

B is the batch size, H the number of heads, S the length of the sequence, D the size of a head. -1 leaves B open, and
`call` then takes it.

An AI core works on 128 queries of a head at a time and goes over its keys and values in steps of 64. The cube core
multiplies, its two vector cores keep what softmax needs of the steps so far (the largest score, the sum of the
exponentials, the weighted sum of values), each for half of the queries. A step goes through global memory three times:

    scores    cube -> vector    workspace, two by turns: the cube core is a step ahead
    weights   vector -> cube    out: its own rows, which are free until the result comes there
    products  cube -> vector    workspace
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
EVENT = 2  # the compiler's own copies and products use 0 and 1
QUERIES = 128
ROWS = QUERIES // 2  # of a vector core
KEYS = 64  # of a step; a row of weights fits into a row of out
LOWEST = -3.0e38  # below all scores
# Flags between the cube core and its vector cores.
SCORES, WEIGHTS, PRODUCTS = 1, 2, 3


def attention(b: int, h: int, s: int, d: int, dtype: str):
    """The kernel for b batches, h heads, s queries and keys, and heads of d elements; -1 leaves b open."""
    b = T.symbolic("b") if b == -1 else b
    steps = s // KEYS
    blocks = -(-s // QUERIES)  # of a head; copies are clipped at the end of the last one
    tasks = b * h * blocks

    @T.macro
    def score(key, batch, head, step, q_l1, k_l1, s_l0, workspace, cid):
        """Products of the queries and the keys of a step, for the vector cores."""
        T.copy(key[batch, head, step * KEYS, 0], k_l1)
        T.gemm_v0(q_l1, k_l1, s_l0, transpose_B=True, init=True)
        T.copy(s_l0, workspace[cid, step % 2 * QUERIES, 0])
        T.set_cross_flag("FIX", SCORES)

    @T.prim_func
    def main(
        query: T.Tensor((b, h, s, d), dtype),
        key: T.Tensor((b, h, s, d), dtype),
        value: T.Tensor((b, h, s, d), dtype),
        out: T.Tensor((b, h, s, d), dtype),
        workspace: T.Tensor((CORES, 3 * QUERIES, d), "float32"),
        scale: T.float32,
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            q_l1 = T.alloc_L1((QUERIES, d), dtype)
            k_l1 = T.alloc_L1((KEYS, d), dtype)
            v_l1 = T.alloc_L1((KEYS, d), dtype)
            p_l1 = T.alloc_L1((QUERIES, KEYS), dtype)
            s_l0 = T.alloc_L0C((QUERIES, KEYS), "float32")
            o_l0 = T.alloc_L0C((QUERIES, d), "float32")
            s_ub = T.alloc_ub((ROWS, KEYS), "float32")
            s_wide = T.alloc_ub((ROWS, KEYS), "float32")
            p_ub = T.alloc_ub((ROWS, KEYS), dtype)
            o_ub = T.alloc_ub((ROWS, d), "float32")
            o_sum = T.alloc_ub((ROWS, d), "float32")
            out_ub = T.alloc_ub((ROWS, d), dtype)
            largest = T.alloc_ub((ROWS,), "float32")  # score of each query so far
            total = T.alloc_ub((ROWS,), "float32")  # of the exponentials so far
            now = T.alloc_ub((ROWS,), "float32")
            shrunk = T.alloc_ub((ROWS,), "float32")  # what the sums so far are worth, seen from a larger score

            with T.Scope("C"):
                for i in T.serial(T.ceildiv(tasks, CORES)):
                    task = i * CORES + cid
                    if task < tasks:
                        batch, head, first = task // blocks // h, task // blocks % h, task % blocks * QUERIES
                        T.copy(query[batch, head, first, 0], q_l1)
                        score(key, batch, head, 0, q_l1, k_l1, s_l0, workspace, cid)
                        for step in T.serial(steps):
                            if step + 1 < steps:
                                score(key, batch, head, step + 1, q_l1, k_l1, s_l0, workspace, cid)
                            T.copy(value[batch, head, step * KEYS, 0], v_l1)
                            T.wait_cross_flag(WEIGHTS)
                            T.copy(out[batch, head, first, 0], p_l1)
                            T.gemm_v0(p_l1, v_l1, o_l0, init=True)
                            T.copy(o_l0, workspace[cid, 2 * QUERIES, 0])
                            T.set_cross_flag("FIX", PRODUCTS)

            with T.Scope("V"):
                T.set_flag("v", "mte2", EVENT)  # s_ub starts out free
                T.set_flag("mte3", "v", EVENT)  # p_ub
                T.set_flag("mte3", "v", EVENT + 1)  # out_ub
                for i in T.serial(T.ceildiv(tasks, CORES)):
                    task = i * CORES + cid
                    if task < tasks:
                        batch, head = task // blocks // h, task // blocks % h
                        first = task % blocks * QUERIES + vid * ROWS
                        T.pipe_barrier("v")
                        T.tile.fill(largest, LOWEST)
                        T.tile.fill(total, 0.0)
                        T.tile.fill(o_sum, 0.0)
                        for step in T.serial(steps):
                            T.wait_flag("v", "mte2", EVENT)
                            T.wait_cross_flag(SCORES)
                            T.copy(workspace[cid, step % 2 * QUERIES + vid * ROWS, 0], s_ub)
                            T.set_flag("mte2", "v", EVENT)

                            # Exponentials, seen from the largest score so far.
                            T.wait_flag("mte2", "v", EVENT)
                            T.pipe_barrier("v")
                            T.tile.mul(s_ub, s_ub, scale)
                            T.pipe_barrier("v")
                            T.reduce_max(s_ub, now, dim=-1)
                            T.pipe_barrier("v")
                            T.tile.max(now, now, largest)
                            T.pipe_barrier("v")
                            T.tile.sub(shrunk, largest, now)
                            T.tile.broadcast(s_wide, now, axis=1)
                            T.pipe_barrier("v")
                            T.tile.max(largest, largest, now)
                            T.tile.exp(shrunk, shrunk)
                            T.tile.sub(s_ub, s_ub, s_wide)
                            T.pipe_barrier("v")
                            T.tile.exp(s_ub, s_ub)
                            T.pipe_barrier("v")
                            T.wait_flag("mte3", "v", EVENT)  # p_ub has been stored
                            T.tile.cast(p_ub, s_ub, "CAST_RINT", ROWS * KEYS)
                            T.set_flag("v", "mte3", EVENT)
                            T.wait_flag("v", "mte3", EVENT)
                            T.copy(p_ub, out[batch, head, first, 0])
                            T.set_flag("mte3", "v", EVENT)
                            T.set_cross_flag("MTE3", WEIGHTS)

                            # While the cube core multiplies: what there is shrinks to the same measure.
                            T.reduce_sum(s_ub, now, dim=-1)
                            T.set_flag("v", "mte2", EVENT)
                            T.tile.mul(total, total, shrunk)
                            T.tile.broadcast(o_ub, shrunk, axis=1)
                            T.pipe_barrier("v")
                            T.tile.add(total, total, now)
                            T.tile.mul(o_sum, o_sum, o_ub)
                            T.set_flag("v", "mte2", EVENT + 1)

                            T.wait_flag("v", "mte2", EVENT + 1)
                            T.wait_cross_flag(PRODUCTS)
                            T.copy(workspace[cid, 2 * QUERIES + vid * ROWS, 0], o_ub)
                            T.set_flag("mte2", "v", EVENT + 1)
                            T.wait_flag("mte2", "v", EVENT + 1)
                            T.pipe_barrier("v")
                            T.tile.add(o_sum, o_sum, o_ub)
                            T.pipe_barrier("v")

                        T.tile.broadcast(o_ub, total, axis=1)
                        T.pipe_barrier("v")
                        T.tile.div(o_sum, o_sum, o_ub)
                        T.pipe_barrier("v")
                        T.wait_flag("mte3", "v", EVENT + 1)  # out_ub has been stored
                        T.tile.cast(out_ub, o_sum, "CAST_RINT", ROWS * d)
                        T.set_flag("v", "mte3", EVENT + 1)
                        T.wait_flag("v", "mte3", EVENT + 1)
                        T.copy(out_ub, out[batch, head, first, 0])
                        T.set_flag("mte3", "v", EVENT + 1)
                T.wait_flag("v", "mte2", EVENT)  # every flag that was set is waited for
                T.wait_flag("mte3", "v", EVENT)
                T.wait_flag("mte3", "v", EVENT + 1)

    return main


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compiles the kernel of AttentionCustom.")
    parser.add_argument("b", metavar="B", type=int, help="batch size; -1: known at run time")
    parser.add_argument("h", metavar="H", type=int, help="number of heads")
    parser.add_argument("s", metavar="S", type=int, help="length of the sequence")
    parser.add_argument("d", metavar="D", type=int, choices=[64, 128], help="size of a head")
    parser.add_argument("out", metavar="OUT", type=Path, help="library to write")
    types = ["float16", "bfloat16"]
    parser.add_argument("--dtype", choices=types, default="float16", help="element type (default: %(default)s)")
    args = parser.parse_args()
    if args.h < 1:
        parser.error(f"H: {args.h}: must be at least 1")
    if args.s < 1 or args.s % KEYS:
        parser.error(f"S: {args.s}: must be a multiple of {KEYS}")
    limit = (2**31 - 1) // (args.h * args.s * args.d)  # positions are int32
    if args.b != -1 and not 1 <= args.b <= limit:
        parser.error(f"B: {args.b}: must be -1 or from 1 to {limit}")
    return args


def compile_kernel() -> int:
    args = parse_arguments()
    function = attention(args.b, args.h, args.s, args.d, args.dtype)
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
