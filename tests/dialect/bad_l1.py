"""OPG710: a stage of 512 KiB beside the tiles in L1."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}


@T.prim_func
def main(a: T.Tensor((512, 512), "float16"), c: T.Tensor((32, 32), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        stage = T.alloc_L1((512, 512), "float16")
        tile = T.alloc_L1((32, 32), "float16")
        sums = T.alloc_L0C((32, 32), "float32")
        with T.Scope("C"):
            T.copy(a[0, 0], stage)
            T.copy(a[0, 0], tile)
            T.gemm_v0(tile, tile, sums, init=True)
            T.copy(sums, c[0, 0])


tilelang.compile(main, out_idx=[1], pass_configs=AUTO)
