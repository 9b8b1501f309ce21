"""Tiles of a matrix dealt out to a fixed number of blocks; the vector cores take one half of a tile each."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
M, N, ROWS, COLUMNS, BLOCKS = 96, 160, 32, 64, 4


@T.prim_func
def negated(x: T.Tensor((M, N), "float32"), y: T.Tensor((M, N), "float32")):
    with T.Kernel(BLOCKS, is_npu=True) as (cid, vid):
        v = T.alloc_ub((ROWS // 2, COLUMNS), "float32")
        with T.Scope("V"):
            for i, j in T.Persistent([M // ROWS, T.ceildiv(N, COLUMNS)], BLOCKS, cid):
                T.copy(x[i * ROWS + vid * (ROWS // 2), j * COLUMNS], v)
                T.tile.mul(v, v, -1.0)
                T.copy(v, y[i * ROWS + vid * (ROWS // 2), j * COLUMNS])


tilelang.compile(negated, out_idx=[1], pass_configs={KEY.TL_ASCEND_AUTO_SYNC: True})
