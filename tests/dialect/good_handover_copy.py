"""The hand-over by a plain T.copy from L0C to UB: the compiler adds workspace and flags. One vector core a block."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
ALL = {
    KEY.TL_ASCEND_AUTO_SYNC: True,
    KEY.TL_ASCEND_MEMORY_PLANNING: True,
    KEY.TL_ASCEND_AUTO_CV_COMBINE: True,
    KEY.TL_ASCEND_AUTO_CV_SYNC: True,
}
M, N, K = 64, 64, 48


@T.prim_func
def handover(
    a: T.Tensor((M, K), "float16"),
    b: T.Tensor((K, N), "float16"),
    y: T.Tensor((M, N), "float32"),
):
    with T.Kernel(1, threads=2, is_npu=True) as _:
        a_l1 = T.alloc_shared((M, K), "float16")
        b_l1 = T.alloc_shared((K, N), "float16")
        sums = T.alloc_fragment((M, N), "float32")
        v = T.alloc_shared((M, N), "float32")
        T.copy(a, a_l1)
        T.copy(b, b_l1)
        T.gemm_v0(a_l1, b_l1, sums, init=True)
        T.copy(sums, v)
        T.tile.relu(v, v)
        T.tile.add(v, v, 1.0)
        T.copy(v, y[0, 0])


tilelang.compile(handover, out_idx=[2], pass_configs=ALL)
