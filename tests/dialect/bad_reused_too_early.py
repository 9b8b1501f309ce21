"""OPG720: the next load overwrites the tile that the store still reads."""

import tilelang
import tilelang.language as T

N, TILE = 4096, 1024


@T.prim_func
def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE // 2,), "float32")
        with T.Scope("V"):
            for i in T.serial(2):
                first = ((cid * 2 + vid) * 2 + i) * (TILE // 2)
                T.copy(x[first], v)
                T.set_flag("mte2", "v", 2)
                T.wait_flag("mte2", "v", 2)
                T.tile.exp(v, v)
                T.set_flag("v", "mte3", 2)
                T.wait_flag("v", "mte3", 2)
                T.copy(v, y[first])


tilelang.compile(main, out_idx=[1], pass_configs=None)
