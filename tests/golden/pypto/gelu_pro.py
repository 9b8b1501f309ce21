# Generated from op.yaml by opgen.
"""Device kernel of GeluPro: y = gelu(x, approximate="tanh")."""

# data_dtype is a constant that PyPTO Pro puts into each instance of the kernel.
# ruff: noqa: F821

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

# Elements of a tile at most. op_host/gelu_pro_tiling.cpp divides the work evenly, and tells how many a tile has.
TILE_LENGTH = 8192


@dataclass
class GeluProTilingData:
    elements: int
    tile_length: int
    tiles: int


class GeluProTilingKey:
    # There is one kernel.
    sch_mode = TilingKeyField(bits=1, values=[0])


@pl.jit(
    arch="a5",
    auto_mutex=True,
    tiling_key=GeluProTilingKey,
    datatype={
        "x": "data_dtype",
        "y": "data_dtype",
    },
)
def gelu_pro(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: GeluProTilingData,
):
    # A view that is loaded or stored needs two axes: each flattened tensor is one row.
    x_view = pl.make_tensor(x, [1, tiling.elements], [tiling.elements, 1], dtype=data_dtype)
    y_view = pl.make_tensor(y, [1, tiling.elements], [tiling.elements, 1], dtype=data_dtype)

    # Unified Buffer, 128 KiB of 248 KiB:
    #             float16, bfloat16     float32
    #   0x00000   x       2 x 16 KiB    x  2 x 32 KiB
    #   0x08000   x_wide      32 KiB
    #   0x10000   y       2 x 16 KiB    y  2 x 32 KiB
    #   0x18000   y_wide      32 KiB
    tile = pl.TileType(shape=[1, TILE_LENGTH], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    x_tiles = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0, 1])
    y_tiles = pl.make_tile_group(type=tile, addrs=0x10000, mutex_ids=[2, 3])
    if data_dtype != pl.DT_FP32:
        wide = pl.TileType(
            shape=[1, TILE_LENGTH], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
        )
        x_wide_tiles = pl.make_tile_group(type=wide, addrs=0x08000, mutex_ids=[4])
        y_wide_tiles = pl.make_tile_group(type=wide, addrs=0x18000, mutex_ids=[5])

    with pl.section_vector():
        # get_block_idx() counts vector cores and get_block_num() blocks; a block has one or two vector cores.
        workers = pl.get_block_num() * pl.get_subblock_num()
        for i in pl.range(pl.get_block_idx(), tiling.tiles, workers):
            offset = i * tiling.tile_length
            length = pl.min(tiling.tile_length, tiling.elements - offset)
            x_tile = x_tiles.next()
            y_tile = y_tiles.next()
            pl.set_validshape(x_tile, [1, length])
            pl.set_validshape(y_tile, [1, length])
            pl.load(x_tile, x_view, [0, offset])
            if data_dtype == pl.DT_FP32:
                # gelu(v) = v / (1 + exp(-2 * sqrt(2 / pi) * (v + 0.044715 * v * v * v)))
                pl.mul(y_tile, x_tile, x_tile)
                pl.mul(y_tile, y_tile, -0.07135481627260025)
                pl.sub(y_tile, y_tile, 1.5957691216057308)
                pl.mul(y_tile, y_tile, x_tile)
                pl.exp(y_tile, y_tile)
                pl.add(y_tile, y_tile, 1.0)
                pl.div(y_tile, x_tile, y_tile)
            else:
                x_wide = x_wide_tiles.current()
                y_wide = y_wide_tiles.current()
                pl.set_validshape(x_wide, [1, length])
                pl.set_validshape(y_wide, [1, length])
                pl.cast(x_wide, x_tile, mode=pl.RoundMode.CAST_NONE)
                # gelu(v) = v / (1 + exp(-2 * sqrt(2 / pi) * (v + 0.044715 * v * v * v)))
                pl.mul(y_wide, x_wide, x_wide)
                pl.mul(y_wide, y_wide, -0.07135481627260025)
                pl.sub(y_wide, y_wide, 1.5957691216057308)
                pl.mul(y_wide, y_wide, x_wide)
                pl.exp(y_wide, y_wide)
                pl.add(y_wide, y_wide, 1.0)
                pl.div(x_wide, x_wide, y_wide)
                pl.cast(y_tile, x_wide, mode=pl.RoundMode.CAST_RINT)
            pl.store(y_view, y_tile, [0, offset])
