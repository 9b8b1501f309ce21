"""A factory under @tilelang.jit, called with sizes that come from torch tensors, as samples do."""

import tilelang
import tilelang.language as T
import torch
import torch_npu  # noqa: F401

KEY = tilelang.PassConfigKey


@tilelang.jit(out_idx=[-1], pass_configs={KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_MEMORY_PLANNING: True})
def double(n, tile, dtype):
    @T.prim_func
    def main(x: T.Tensor((n,), dtype), y: T.Tensor((n,), dtype)):
        with T.Kernel(T.ceildiv(n, 2 * tile), is_npu=True) as (cid, vid):
            v = T.alloc_ub((tile,), dtype)
            with T.Scope("V"):
                T.copy(x[(cid * 2 + vid) * tile : (cid * 2 + vid + 1) * tile], v)
                T.tile.add(v, v, v)
                T.copy(v, y[(cid * 2 + vid) * tile : (cid * 2 + vid + 1) * tile])

    return main


x = torch.randn(1000, dtype=torch.float16).npu()
kernel = double(x.shape[0], 128, "float16")
y = kernel(x)
torch.testing.assert_close(y, x + x, rtol=1e-3, atol=1e-3)
print("passed")
