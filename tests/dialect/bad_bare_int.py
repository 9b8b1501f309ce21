"""OPG743: a comparison with a bare Python int, which the compiler takes for a buffer."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}
N, TILE = 4096, 1024


@T.prim_func
def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
    with T.Kernel(2, is_npu=True) as (cid, vid):
        v = T.alloc_ub((TILE,), "float32")
        bits = T.alloc_ub((TILE // 8,), "uint8")
        T.copy(x[(cid * 2 + vid) * TILE], v)
        T.tile.compare(bits, v, 0, "GT")
        T.tile.select(v, bits, v, 0.0, "VSEL_TENSOR_SCALAR_MODE")
        T.copy(v, y[(cid * 2 + vid) * TILE])


tilelang.compile(main, out_idx=[1], pass_configs=AUTO)
