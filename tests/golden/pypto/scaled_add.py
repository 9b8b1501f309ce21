# Generated from op.yaml by opgen.
"""Device kernel of ScaledAdd: z = x + alpha * y."""

# data_dtype and sch_mode are constants that PyPTO Pro puts into each instance of the kernel.
# ruff: noqa: F821

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

# Elements of a tile. op_host/scaled_add_tiling.cpp counts tiles of this length.
TILE_LENGTH = 8192


@dataclass
class ScaledAddTilingData:
    total_length: int
    tile_num: int
    alpha: float


class ScaledAddTilingKey:
    # 1 loads the next tile while the current one is computed.
    sch_mode = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(
    arch="a5",
    auto_mutex=True,
    tiling_key=ScaledAddTilingKey,
    datatype={
        "x": "data_dtype",
        "y": "data_dtype",
        "z": "data_dtype",
    },
)
def scaled_add(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    z: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: ScaledAddTilingData,
):
    # A view that is loaded or stored needs two axes: each flattened tensor is one row.
    x_view = pl.make_tensor(x, [1, tiling.total_length], [tiling.total_length, 1], dtype=data_dtype)
    y_view = pl.make_tensor(y, [1, tiling.total_length], [tiling.total_length, 1], dtype=data_dtype)
    z_view = pl.make_tensor(z, [1, tiling.total_length], [tiling.total_length, 1], dtype=data_dtype)

    # Unified Buffer, 192 KiB of 248 KiB:
    #             float16, bfloat16     float32
    #   0x00000   x       2 x 16 KiB    x  2 x 32 KiB
    #   0x08000   x_wide      32 KiB
    #   0x10000   y       2 x 16 KiB    y  2 x 32 KiB
    #   0x18000   y_wide      32 KiB
    #   0x20000   z       2 x 16 KiB    z  2 x 32 KiB
    tile = pl.TileType(shape=[1, TILE_LENGTH], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    if sch_mode == 1:
        x_tiles = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0, 1])
        y_tiles = pl.make_tile_group(type=tile, addrs=0x10000, mutex_ids=[2, 3])
        z_tiles = pl.make_tile_group(type=tile, addrs=0x20000, mutex_ids=[4, 5])
    else:
        x_tiles = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0])
        y_tiles = pl.make_tile_group(type=tile, addrs=0x10000, mutex_ids=[2])
        z_tiles = pl.make_tile_group(type=tile, addrs=0x20000, mutex_ids=[4])
    if data_dtype != pl.DT_FP32:
        wide = pl.TileType(
            shape=[1, TILE_LENGTH], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
        )
        x_wide_tiles = pl.make_tile_group(type=wide, addrs=0x08000, mutex_ids=[6])
        y_wide_tiles = pl.make_tile_group(type=wide, addrs=0x18000, mutex_ids=[7])

    with pl.section_vector():
        # get_block_idx() counts vector cores and get_block_num() blocks; a block has one or two vector cores.
        workers = pl.get_block_num() * pl.get_subblock_num()
        for i in pl.range(pl.get_block_idx(), tiling.tile_num, workers):
            offset = i * TILE_LENGTH
            length = pl.min(TILE_LENGTH, tiling.total_length - offset)
            x_tile = x_tiles.next()
            y_tile = y_tiles.next()
            z_tile = z_tiles.next()
            pl.set_validshape(x_tile, [1, length])
            pl.set_validshape(y_tile, [1, length])
            pl.set_validshape(z_tile, [1, length])
            pl.load(x_tile, x_view, [0, offset])
            pl.load(y_tile, y_view, [0, offset])
            if data_dtype == pl.DT_FP32:
                pl.mul(z_tile, y_tile, tiling.alpha)
                pl.add(z_tile, x_tile, z_tile)
            else:
                x_wide = x_wide_tiles.current()
                y_wide = y_wide_tiles.current()
                pl.set_validshape(x_wide, [1, length])
                pl.set_validshape(y_wide, [1, length])
                pl.cast(x_wide, x_tile, mode=pl.RoundMode.CAST_NONE)
                pl.cast(y_wide, y_tile, mode=pl.RoundMode.CAST_NONE)
                pl.mul(y_wide, y_wide, tiling.alpha)
                pl.add(x_wide, x_wide, y_wide)
                pl.cast(z_tile, x_wide, mode=pl.RoundMode.CAST_RINT)
            pl.store(z_view, z_tile, [0, offset])
