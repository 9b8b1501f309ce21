# Generated from op.yaml by opgen.
"""Device kernel of DequantizePro: y = x * scale."""

# s_dtype and t_dtype are constants that PyPTO Pro puts into each instance of the kernel.
# ruff: noqa: F821

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

# Rows and columns of a tile at most. op_host/dequantize_pro_tiling.cpp divides the work evenly, and tells how many a
# tile has.
TILE_ROWS = 8
TILE_COLUMNS = 1024


@dataclass
class DequantizeProTilingData:
    rows: int
    columns: int
    tile_rows: int
    tiles: int


class DequantizeProTilingKey:
    # There is one kernel.
    sch_mode = TilingKeyField(bits=1, values=[0])


@pl.jit(
    arch="a5",
    auto_mutex=True,
    tiling_key=DequantizeProTilingKey,
    datatype={
        "x": "s_dtype",
        "scale": "t_dtype",
        "y": "t_dtype",
    },
)
def dequantize_pro(
    x: pl.Ptr[pl.DT_UINT8],
    scale: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: DequantizeProTilingData,
):
    x_view = pl.make_tensor(x, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=s_dtype)
    scale_view = pl.make_tensor(scale, [1, tiling.columns], [tiling.columns, 1], dtype=t_dtype)
    y_view = pl.make_tensor(y, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=t_dtype)

    # Unified Buffer, 136 KiB of 248 KiB:
    #   0x00000   x           at most 2 x 32 KiB
    #   0x04000   x_half      at most     16 KiB
    #   0x10000   scale       at most  2 x 4 KiB
    #   0x11000   scale_line  at most      4 KiB
    #   0x12000   y           at most 2 x 32 KiB
    #   0x1A000   y_wide      at most     32 KiB
    s_tile = pl.TileType(
        shape=[TILE_ROWS, TILE_COLUMNS], dtype=s_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    t_tile_line = pl.TileType(
        shape=[1, TILE_COLUMNS], dtype=t_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    t_tile = pl.TileType(
        shape=[TILE_ROWS, TILE_COLUMNS], dtype=t_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    x_tiles = pl.make_tile_group(type=s_tile, addrs=0x00000, mutex_ids=[0, 1])
    scale_tiles = pl.make_tile_group(type=t_tile_line, addrs=0x10000, mutex_ids=[2, 3])
    y_tiles = pl.make_tile_group(type=t_tile, addrs=0x12000, mutex_ids=[4, 5])
    if s_dtype == pl.DT_INT8:
        if t_dtype == pl.DT_BF16:
            wide_line = pl.TileType(
                shape=[1, TILE_COLUMNS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
            )
            half = pl.TileType(
                shape=[TILE_ROWS, TILE_COLUMNS],
                dtype=pl.DT_FP16,
                target_memory=pl.MemorySpace.Vec,
                valid_shape=[-1, -1],
            )
            wide = pl.TileType(
                shape=[TILE_ROWS, TILE_COLUMNS],
                dtype=pl.DT_FP32,
                target_memory=pl.MemorySpace.Vec,
                valid_shape=[-1, -1],
            )
            scale_line_tiles = pl.make_tile_group(type=wide_line, addrs=0x11000, mutex_ids=[6])
            x_half_tiles = pl.make_tile_group(type=half, addrs=0x04000, mutex_ids=[8])
            y_wide_tiles = pl.make_tile_group(type=wide, addrs=0x1A000, mutex_ids=[7])
        else:
            half = pl.TileType(
                shape=[TILE_ROWS, TILE_COLUMNS],
                dtype=pl.DT_FP16,
                target_memory=pl.MemorySpace.Vec,
                valid_shape=[-1, -1],
            )
            x_half_tiles = pl.make_tile_group(type=half, addrs=0x04000, mutex_ids=[8])
    elif t_dtype != pl.DT_FP32:
        wide_line = pl.TileType(
            shape=[1, TILE_COLUMNS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
        )
        wide = pl.TileType(
            shape=[TILE_ROWS, TILE_COLUMNS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
        )
        scale_line_tiles = pl.make_tile_group(type=wide_line, addrs=0x11000, mutex_ids=[6])
        y_wide_tiles = pl.make_tile_group(type=wide, addrs=0x1A000, mutex_ids=[7])

    with pl.section_vector():
        # get_block_idx() counts vector cores and get_block_num() blocks; a block has one or two vector cores.
        workers = pl.get_block_num() * pl.get_subblock_num()
        for i in pl.range(pl.get_block_idx(), tiling.tiles, workers):
            row = i * tiling.tile_rows
            rows = pl.min(tiling.tile_rows, tiling.rows - row)
            for column in pl.range(0, tiling.columns, TILE_COLUMNS):
                columns = pl.min(TILE_COLUMNS, tiling.columns - column)
                x_tile = x_tiles.next()
                scale_tile = scale_tiles.next()
                y_tile = y_tiles.next()
                pl.set_validshape(x_tile, [rows, columns])
                pl.set_validshape(scale_tile, [1, columns])
                pl.set_validshape(y_tile, [rows, columns])
                pl.load(x_tile, x_view, [row, column])
                pl.load(scale_tile, scale_view, [0, column])
                if s_dtype == pl.DT_INT8:
                    if t_dtype == pl.DT_BF16:
                        scale_line = scale_line_tiles.current()
                        x_half = x_half_tiles.current()
                        y_wide = y_wide_tiles.current()
                        pl.set_validshape(scale_line, [1, columns])
                        pl.set_validshape(x_half, [rows, columns])
                        pl.set_validshape(y_wide, [rows, columns])
                        pl.cast(scale_line, scale_tile, mode=pl.RoundMode.CAST_NONE)
                        pl.cast(x_half, x_tile, mode=pl.RoundMode.CAST_NONE)
                        pl.cast(y_wide, x_half, mode=pl.RoundMode.CAST_NONE)
                        pl.expand_mul(y_wide, y_wide, scale_line, dim=1)
                        pl.cast(y_tile, y_wide, mode=pl.RoundMode.CAST_RINT)
                    elif t_dtype == pl.DT_FP32:
                        x_half = x_half_tiles.current()
                        pl.set_validshape(x_half, [rows, columns])
                        pl.cast(x_half, x_tile, mode=pl.RoundMode.CAST_NONE)
                        pl.cast(y_tile, x_half, mode=pl.RoundMode.CAST_NONE)
                        pl.expand_mul(y_tile, y_tile, scale_tile, dim=1)
                    else:
                        x_half = x_half_tiles.current()
                        pl.set_validshape(x_half, [rows, columns])
                        pl.cast(x_half, x_tile, mode=pl.RoundMode.CAST_NONE)
                        pl.expand_mul(y_tile, x_half, scale_tile, dim=1)
                elif t_dtype == pl.DT_FP32:
                    pl.cast(y_tile, x_tile, mode=pl.RoundMode.CAST_RINT)
                    pl.expand_mul(y_tile, y_tile, scale_tile, dim=1)
                else:
                    scale_line = scale_line_tiles.current()
                    y_wide = y_wide_tiles.current()
                    pl.set_validshape(scale_line, [1, columns])
                    pl.set_validshape(y_wide, [rows, columns])
                    pl.cast(scale_line, scale_tile, mode=pl.RoundMode.CAST_NONE)
                    pl.cast(y_wide, x_tile, mode=pl.RoundMode.CAST_RINT)
                    pl.expand_mul(y_wide, y_wide, scale_line, dim=1)
                    pl.cast(y_tile, y_wide, mode=pl.RoundMode.CAST_RINT)
                pl.store(y_view, y_tile, [row, column])
