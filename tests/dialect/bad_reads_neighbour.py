"""OPG725: in place, each core reads what its neighbour changes."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}
N, TILE = 4096, 1024


@T.prim_func
def main(x: T.Tensor((N,), "float32")):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE + 8,), "float32")
        w = T.alloc_ub((TILE,), "float32")
        first = (cid * 2 + vid) * TILE
        T.copy(x[first : first + TILE + 8], v)
        T.copy(x[first : first + TILE], w)
        T.tile.add(w, w, 1.0)
        T.copy(w, x[first : first + TILE])


tilelang.compile(main, pass_configs=AUTO)
