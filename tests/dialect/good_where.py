"""y = x where x > limit, else -1; the limit is a number that the caller gives."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
N, TILE = 5000, 512


@T.prim_func
def where(x: T.Tensor((N,), "float16"), y: T.Tensor((N,), "float16"), limit: T.float32):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE,), "float16")
        bits = T.alloc_ub((TILE // 8,), "uint8")
        with T.Scope("V"):
            for i in T.serial(T.ceildiv(N, TILE * 4)):
                T.copy(x[(i * 4 + cid * 2 + vid) * TILE], v)
                T.tile.compare(bits, v, limit, "GT")
                T.tile.select(v, bits, v, -1.0, "VSEL_TENSOR_SCALAR_MODE")
                T.copy(v, y[(i * 4 + cid * 2 + vid) * TILE])


tilelang.compile(where, out_idx=[1], pass_configs={KEY.TL_ASCEND_AUTO_SYNC: True})
