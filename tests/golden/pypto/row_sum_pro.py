# Generated from op.yaml by opgen.
"""Device kernel of RowSumPro: y = mean(x, axis=-1) if reduction == "mean" else sum(x, axis=-1)."""

# data_dtype and reduction are constants that PyPTO Pro puts into each instance of the kernel.
# ruff: noqa: F821

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

# Rows and columns of a tile at most. op_host/row_sum_pro_tiling.cpp divides the work evenly, and tells how many a tile
# has.
TILE_ROWS = 16
TILE_COLUMNS = 512


@dataclass
class RowSumProTilingData:
    rows: int
    columns: int
    columns_float: float
    tile_rows: int
    tiles: int


class RowSumProTilingKey:
    # What is computed of a row (0: sum, 1: mean).
    reduction = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(
    arch="a5",
    auto_mutex=True,
    tiling_key=RowSumProTilingKey,
    datatype={
        "x": "data_dtype",
        "y": "data_dtype",
    },
)
def row_sum_pro(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: RowSumProTilingData,
):
    x_view = pl.make_tensor(x, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=data_dtype)
    y_view = pl.make_tensor(y, [1, tiling.rows], [tiling.rows, 1], dtype=data_dtype)

    # Unified Buffer, 97 KiB of 248 KiB:
    #             float16               float32
    #   0x00000   x       2 x 16 KiB    x      2 x 32 KiB
    #   0x08000   x_wide      32 KiB
    #   0x10000   y             32 B    y            64 B
    #   0x10040   spare       32 KiB    spare      32 KiB
    #   0x18040   part          64 B    part         64 B
    #   0x18080   y_rows        64 B
    # A reduction leaves its values below each other; copies and arithmetic take them side by side: two views of the
    # same bytes.
    tile = pl.TileType(
        shape=[TILE_ROWS, TILE_COLUMNS], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    tile_row = pl.TileType(
        shape=[1, TILE_ROWS], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    x_tiles = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0, 1])
    y_tiles = pl.make_tile_group(type=tile_row, addrs=0x10000, mutex_ids=[2])
    wide_row = pl.TileType(
        shape=[1, TILE_ROWS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    wide_column = pl.TileType(
        shape=[TILE_ROWS, 1], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.DN, valid_shape=[-1, -1]
    )
    wide = pl.TileType(
        shape=[TILE_ROWS, TILE_COLUMNS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    part_tiles = pl.make_tile_group(type=wide_row, addrs=0x18040, mutex_ids=[4])
    part_column_tiles = pl.make_tile_group(type=wide_column, addrs=0x18040, mutex_ids=[4])
    spare_tiles = pl.make_tile_group(type=wide, addrs=0x10040, mutex_ids=[6])
    if data_dtype == pl.DT_FP16:
        y_rows_tiles = pl.make_tile_group(type=wide_row, addrs=0x18080, mutex_ids=[3])
        x_wide_tiles = pl.make_tile_group(type=wide, addrs=0x08000, mutex_ids=[5])

    with pl.section_vector():
        # get_block_idx() counts vector cores and get_block_num() blocks; a block has one or two vector cores.
        workers = pl.get_block_num() * pl.get_subblock_num()
        for i in pl.range(pl.get_block_idx(), tiling.tiles, workers):
            row = i * tiling.tile_rows
            rows = pl.min(tiling.tile_rows, tiling.rows - row)
            y_tile = y_tiles.current()
            pl.set_validshape(y_tile, [1, rows])
            part = part_tiles.current()
            part_column = part_column_tiles.current()
            pl.set_validshape(part, [1, rows])
            pl.set_validshape(part_column, [rows, 1])
            if data_dtype == pl.DT_FP16:
                y_rows = y_rows_tiles.current()
                pl.set_validshape(y_rows, [1, rows])
            if data_dtype == pl.DT_FP32:
                pl.expands(y_tile, 0.0)
            else:
                pl.expands(y_rows, 0.0)
            for column in pl.range(0, tiling.columns, TILE_COLUMNS):
                columns = pl.min(TILE_COLUMNS, tiling.columns - column)
                x_tile = x_tiles.next()
                pl.set_validshape(x_tile, [rows, columns])
                pl.load(x_tile, x_view, [row, column])
                spare = spare_tiles.current()
                pl.set_validshape(spare, [rows, columns])
                if data_dtype == pl.DT_FP32:
                    pl.sum(part_column, x_tile, spare, dim=0)
                    pl.add(y_tile, y_tile, part)
                else:
                    x_wide = x_wide_tiles.current()
                    pl.set_validshape(x_wide, [rows, columns])
                    pl.cast(x_wide, x_tile, mode=pl.RoundMode.CAST_NONE)
                    pl.sum(part_column, x_wide, spare, dim=0)
                    pl.add(y_rows, y_rows, part)
            if data_dtype == pl.DT_FP32:
                if reduction == 1:
                    pl.div(y_tile, y_tile, tiling.columns_float)
            else:
                if reduction == 1:
                    pl.div(y_rows, y_rows, tiling.columns_float)
                pl.cast(y_tile, y_rows, mode=pl.RoundMode.CAST_RINT)
            pl.store(y_view, y_tile, [0, row])
