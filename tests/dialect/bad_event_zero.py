"""OPG723: event 0 is pending while a load is clipped, which uses it too."""

import tilelang
import tilelang.language as T

TILE = 1024


@T.prim_func
def main(x: T.Tensor((1500,), "float32"), y: T.Tensor((1500,), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE,), "float32")
        w = T.alloc_ub((TILE,), "float32")
        with T.Scope("V"):
            T.set_flag("mte3", "v", 0)
            T.copy(x[vid * TILE], v)
            T.set_flag("mte2", "v", 0)
            T.wait_flag("mte2", "v", 0)
            T.wait_flag("mte3", "v", 0)
            T.tile.exp(w, v)
            T.set_flag("v", "mte3", 0)
            T.wait_flag("v", "mte3", 0)
            T.copy(w, y[vid * TILE])


tilelang.compile(main, out_idx=[1], pass_configs=None)
