"""Softmax over rows of 200 float16, two rows a tile in two slots; flags and barriers written out."""

import tilelang
import tilelang.language as T

ROWS, COLUMNS, PADDED = 37, 200, 208  # rows in UB are multiples of 32 bytes
TILE = 2
BLOCKS = 3
EVENT = 2


@T.prim_func
def softmax(x: T.Tensor((ROWS, COLUMNS), "float16"), y: T.Tensor((ROWS, COLUMNS), "float16")):
    with T.Kernel(BLOCKS, is_npu=True) as (cid, vid):
        incoming = T.alloc_ub((2, TILE, PADDED), "float16")
        outgoing = T.alloc_ub((2, TILE, PADDED), "float16")
        wide = T.alloc_ub((TILE, PADDED), "float32")
        spread = T.alloc_ub((TILE, PADDED), "float32")
        row = T.alloc_ub((TILE, 1), "float32")
        with T.Scope("V"):
            for slot in T.serial(2):
                T.set_flag("v", "mte2", EVENT + slot)
                T.set_flag("mte3", "v", EVENT + slot)
            for i in T.serial(T.ceildiv(ROWS, 2 * BLOCKS * TILE)):
                slot = i % 2
                first = (i * 2 * BLOCKS + cid * 2 + vid) * TILE
                T.wait_flag("v", "mte2", EVENT + slot)
                T.copy(x[first, 0], incoming[slot, :, :], pad_value=-T.infinity("float16"))
                T.set_flag("mte2", "v", EVENT + slot)
                T.wait_flag("mte2", "v", EVENT + slot)
                T.wait_flag("mte3", "v", EVENT + slot)
                T.tile.cast(wide, incoming[slot, :, :], "CAST_NONE", TILE * PADDED)
                T.set_flag("v", "mte2", EVENT + slot)
                T.pipe_barrier("v")
                T.reduce_max(wide, row, dim=-1)
                T.pipe_barrier("v")
                T.tile.broadcast(spread, row)
                T.pipe_barrier("v")
                T.tile.sub(wide, wide, spread)
                T.pipe_barrier("v")
                T.tile.exp(wide, wide)
                T.pipe_barrier("v")
                T.reduce_sum(wide, row, dim=-1)
                T.pipe_barrier("v")
                T.tile.broadcast(spread, row)
                T.pipe_barrier("v")
                T.tile.div(wide, wide, spread)
                T.pipe_barrier("v")
                T.tile.cast(outgoing[slot, :, :], wide, "CAST_RINT", TILE * PADDED)
                T.set_flag("v", "mte3", EVENT + slot)
                T.wait_flag("v", "mte3", EVENT + slot)
                T.copy(outgoing[slot, :, :], y[first, 0])
                T.set_flag("mte3", "v", EVENT + slot)
            for slot in T.serial(2):
                T.wait_flag("v", "mte2", EVENT + slot)
                T.wait_flag("mte3", "v", EVENT + slot)


tilelang.compile(softmax, out_idx=[1])
