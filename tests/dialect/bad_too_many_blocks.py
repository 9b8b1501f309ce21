"""OPG724: T.sync_all() in more blocks than there are cores."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True}
N, TILE = 4096, 64


@T.prim_func
def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
    with T.Kernel(N // (2 * TILE), is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE,), "float32")
        with T.Scope("V"):
            T.copy(x[(cid * 2 + vid) * TILE], v)
        T.sync_all()
        with T.Scope("V"):
            T.copy(v, y[(cid * 2 + vid) * TILE])


tilelang.compile(main, out_idx=[1], pass_configs=AUTO)
