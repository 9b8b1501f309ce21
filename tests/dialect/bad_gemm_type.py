"""OPG740: float16 sums of float16 products."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}


@T.prim_func
def main(a: T.Tensor((32, 32), "float16"), c: T.Tensor((32, 32), "float16")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a_l1 = T.alloc_L1((32, 32), "float16")
        sums = T.alloc_L0C((32, 32), "float16")
        with T.Scope("C"):
            T.copy(a, a_l1)
            T.gemm_v0(a_l1, a_l1, sums, init=True)


tilelang.compile(main, out_idx=[], pass_configs=AUTO)
