"""OPG722: a flag is still set when the kernel ends."""

import tilelang
import tilelang.language as T

N, TILE = 4096, 1024


@T.prim_func
def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE,), "float32")
        with T.Scope("V"):
            T.copy(x[(cid * 2 + vid) * TILE], v)
            T.barrier_all()
            T.copy(v, y[(cid * 2 + vid) * TILE])
            T.set_flag("mte3", "mte2", 4)


tilelang.compile(main, out_idx=[1], pass_configs=None)
