"""OPG710: two tiles of 512 KiB in L1."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}


@T.prim_func
def main(a: T.Tensor((512, 512), "float16"), b: T.Tensor((512, 512), "float16"), c: T.Tensor((16, 16), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a_l1 = T.alloc_L1((512, 512), "float16")
        b_l1 = T.alloc_L1((512, 512), "float16")
        sums = T.alloc_L0C((16, 16), "float32")
        with T.Scope("C"):
            T.copy(a[0, 0], a_l1)
            T.copy(b[0, 0], b_l1)
            T.gemm_v0(a_l1[0:16, 0:64], b_l1[0:64, 0:16], sums, init=True)
            T.copy(sums, c[0, 0])


tilelang.compile(main, out_idx=[2], pass_configs=AUTO)
