"""y = x * s, row by row, for any number of rows and columns; columns go by in pieces."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
ROWS, COLUMNS = 8, 64
m, n = T.symbolic("m"), T.symbolic("n")


@T.prim_func
def scaled(x: T.Tensor((m, n), "float32"), s: T.Tensor((m,), "float32"), y: T.Tensor((m, n), "float32")):
    with T.Kernel(T.ceildiv(m, 2 * ROWS), is_npu=True) as (cid, vid):
        v = T.alloc_ub((ROWS, COLUMNS), "float32")
        factors = T.alloc_ub((ROWS,), "float32")
        spread = T.alloc_ub((ROWS, COLUMNS), "float32")
        first = (cid * 2 + vid) * ROWS
        with T.Scope("V"):
            T.copy(s[first], factors)
            T.tile.broadcast(spread, factors, axis=1)
            for j in T.serial(T.ceildiv(n, COLUMNS)):
                T.copy(x[first, j * COLUMNS], v)
                T.tile.mul(v, v, spread)
                T.copy(v, y[first, j * COLUMNS])


tilelang.compile(scaled, out_idx=[2], pass_configs={KEY.TL_ASCEND_AUTO_SYNC: True})
