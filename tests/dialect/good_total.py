"""The sum of each column, added up by all cores in global memory, which the caller has set to zero."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
ROWS, COLUMNS, TILE = 64, 128, 16


@T.prim_func
def total(x: T.Tensor((ROWS, COLUMNS), "float32"), y: T.Tensor((COLUMNS,), "float32")):
    with T.Kernel(ROWS // (2 * TILE), is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE, COLUMNS), "float32")
        sums = T.alloc_ub((COLUMNS,), "float32")
        with T.Scope("V"):
            T.copy(x[(cid * 2 + vid) * TILE, 0], v)
            T.reduce_sum(v, sums, dim=0)
            T.tile.atomic_add(y[0], sums)


tilelang.compile(total, pass_configs={KEY.TL_ASCEND_AUTO_SYNC: True})
