"""OPG720: an element is read while the load is under way."""

import tilelang
import tilelang.language as T

N, TILE = 4096, 1024


@T.prim_func
def main(s: T.Tensor((8,), "float32"), x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE,), "float32")
        factors = T.alloc_ub((8,), "float32")
        with T.Scope("V"):
            T.copy(s[0], factors)
            factor = factors[0] * 2.0
            T.copy(x[(cid * 2 + vid) * TILE], v)
            T.barrier_all()
            T.tile.mul(v, v, factor)
            T.barrier_all()
            T.copy(v, y[(cid * 2 + vid) * TILE])


tilelang.compile(main, out_idx=[2], pass_configs=None)
