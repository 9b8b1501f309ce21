"""OPG725: the sums of the other cores are read before anybody says that they are there."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}
N, TILE = 4096, 1024


@T.prim_func
def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32"), sums: T.Tensor((32,), "float32")):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        v = T.alloc_ub((1, TILE), "float32")
        part = T.alloc_ub((1, 8), "float32")
        every = T.alloc_ub((1, 32), "float32")
        worker = cid * 2 + vid
        T.copy(x[worker * TILE], v[0, :])
        T.tile.fill(part, 0.0)
        T.copy(part[0, :], sums[worker * 8])
        T.copy(sums[0], every[0, :])
        T.copy(v[0, :], y[worker * TILE])


tilelang.compile(main, out_idx=[1], pass_configs=AUTO)
