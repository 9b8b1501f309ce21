"""OPG725: the vector core reads the workspace without a flag from the cube core."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}


@T.prim_func
def main(a: T.Tensor((32, 32), "float16"), y: T.Tensor((32, 32), "float32"), workspace: T.Tensor((32, 32), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a_l1 = T.alloc_L1((32, 32), "float16")
        sums = T.alloc_L0C((32, 32), "float32")
        v = T.alloc_ub((16, 32), "float32")
        with T.Scope("C"):
            T.copy(a, a_l1)
            T.gemm_v0(a_l1, a_l1, sums, init=True)
            T.copy(sums, workspace[0, 0])
        with T.Scope("V"):
            T.copy(workspace[vid * 16, 0], v)
            T.copy(v, y[vid * 16, 0])


tilelang.compile(main, out_idx=[1], workspace_idx=[2], pass_configs=AUTO)
