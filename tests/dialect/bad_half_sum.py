"""OPG714: a float16 sum over 256 elements."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}


@T.prim_func
def main(x: T.Tensor((8, 256), "float16"), y: T.Tensor((16,), "float16")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        v = T.alloc_ub((8, 256), "float16")
        s = T.alloc_ub((2, 8), "float16")
        T.tile.fill(s, 0.0)
        T.copy(x[0, 0], v)
        T.reduce_sum(v, s[0, :], dim=-1)
        T.copy(s[0, :], y[vid * 8])


tilelang.compile(main, out_idx=[1], pass_configs=AUTO)
