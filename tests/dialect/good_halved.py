"""With threads= the compiler splits the tile of a block over its two vector cores."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
M, N, ROWS = 64, 512, 32


@T.prim_func
def squared(x: T.Tensor((M, N), "float32"), y: T.Tensor((M, N), "float32")):
    with T.Kernel(M // ROWS, threads=2, is_npu=True) as cid:
        v = T.alloc_shared((ROWS, N), "float32")
        w = T.alloc_shared((ROWS, N), "float32")
        u = T.alloc_shared((ROWS, N), "float32")
        T.copy(x[cid * ROWS, 0], v)
        T.tile.mul(w, v, v)
        T.tile.max(u, w, v)
        T.copy(u, y[cid * ROWS, 0])


tilelang.compile(
    squared, out_idx=[1], pass_configs={KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}
)
