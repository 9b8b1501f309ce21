"""OPG724: T.sync_all() in the vector code only, and the cube cores never come."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True}
N, TILE = 4096, 1024


@T.prim_func
def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE,), "float32")
        with T.Scope("V"):
            T.copy(x[(cid * 2 + vid) * TILE], v)
            T.sync_all()
            T.copy(v, y[(cid * 2 + vid) * TILE])


tilelang.compile(main, out_idx=[1], pass_configs=AUTO)
