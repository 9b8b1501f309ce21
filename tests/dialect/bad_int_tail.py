"""OPG730: a clipped load of int8 leaves the rest of the tile as it was, and the cast reads it."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}
TILE = 512


@T.prim_func
def main(x: T.Tensor((900,), "int8"), y: T.Tensor((900,), "float16")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE,), "int8")
        w = T.alloc_ub((TILE,), "float16")
        T.copy(x[vid * TILE], v)
        T.tile.cast(w, v, "CAST_NONE", TILE)
        T.copy(w, y[vid * TILE])


tilelang.compile(main, out_idx=[1], pass_configs=AUTO)
