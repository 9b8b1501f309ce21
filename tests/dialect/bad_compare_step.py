"""OPG713: a comparison of 96 elements of float32, which is no multiple of 256 bytes."""

import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}


@T.prim_func
def main(x: T.Tensor((192,), "float32"), y: T.Tensor((192,), "float32")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        v = T.alloc_ub((96,), "float32")
        bits = T.alloc_ub((32,), "uint8")
        T.copy(x[vid * 96], v)
        T.tile.compare(bits, v, 0.0, "GT")
        T.tile.select(v, bits, v, 0.0, "VSEL_TENSOR_SCALAR_MODE")
        T.copy(v, y[vid * 96])


tilelang.compile(main, out_idx=[1], pass_configs=AUTO)
