"""y = A x on the cube core: the vector is the first row of a tile whose other rows are zero."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
N, K, ROWS, DEPTH = 64, 96, 32, 32


@T.prim_func
def product(x: T.Tensor((K,), "float16"), a: T.Tensor((N, K), "float16"), y: T.Tensor((N,), "float32")):
    with T.Kernel(N // ROWS, is_npu=True) as (cid, vid):
        x_l1 = T.alloc_L1((16, DEPTH), "float16")
        a_l1 = T.alloc_L1((ROWS, DEPTH), "float16")
        sums = T.alloc_L0C((16, ROWS), "float32")
        with T.Scope("C"):
            for i in T.serial(K // DEPTH):
                T.copy(x[i * DEPTH], x_l1)
                T.copy(a[cid * ROWS, i * DEPTH], a_l1)
                T.gemm_v0(x_l1, a_l1, sums, transpose_B=True, init=(i == 0))
            T.copy(sums, y[cid * ROWS])


tilelang.compile(product, out_idx=[2], pass_configs={KEY.TL_ASCEND_AUTO_SYNC: True})
