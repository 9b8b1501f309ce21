"""Device kernel of RowCumsum: the running sum along each row.

A tile is scanned in steps: each adds to every element the one that stands `shift` columns before it, for the shifts 1,
2, 4, and so on. Elements cannot be moved by single columns inside of a tile, so that each step stores the tile to the
workspace and loads it from `shift` columns before, where zeros stand in front of every row.
"""

# data_dtype and long_row are constants that PyPTO Pro puts into each instance of the kernel.
# ruff: noqa: F821

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

# Rows and columns of a tile: tiling.block in op.yaml has the same numbers.
TILE_ROWS = 8
TILE_COLUMNS = 1024
PITCH = 2 * TILE_COLUMNS


@dataclass
class RowCumsumTilingData:
    rows: int
    columns: int
    row_tiles: int
    column_tiles: int


class RowCumsumTilingKey:
    # 1: a row has several tiles, and its sums are carried from one to the next.
    long_row = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(
    arch="a5",
    auto_mutex=True,
    tiling_key=RowCumsumTilingKey,
    datatype={"x": "data_dtype", "y": "data_dtype"},
)
def row_cumsum(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: RowCumsumTilingData,
):
    x_view = pl.make_tensor(x, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=data_dtype)
    y_view = pl.make_tensor(y, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=data_dtype)

    # Unified Buffer, 192 KiB and 64 bytes of 248 KiB:
    #   0x00000   x       2 x 32 KiB, half of it for float16
    #   0x10000   y       2 x 32 KiB, half of it for float16
    #   0x20000   sums        32 KiB
    #   0x28000   shifted     32 KiB
    #   0x30000   total       32 bytes
    #   0x30020   carry       32 bytes
    tile = pl.TileType(
        shape=[TILE_ROWS, TILE_COLUMNS], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    wide = pl.TileType(
        shape=[TILE_ROWS, TILE_COLUMNS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    x_tiles = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0, 1])
    y_tiles = pl.make_tile_group(type=tile, addrs=0x10000, mutex_ids=[2, 3])
    sums_tiles = pl.make_tile_group(type=wide, addrs=0x20000, mutex_ids=[4])
    shifted_tiles = pl.make_tile_group(type=wide, addrs=0x28000, mutex_ids=[5])
    if long_row == 1:
        # A reduction leaves its values below each other, arithmetic takes them side by side: two views of the same
        # bytes.
        column = pl.TileType(
            shape=[TILE_ROWS, 1],
            dtype=pl.DT_FP32,
            target_memory=pl.MemorySpace.Vec,
            layout=pl.DN,
            valid_shape=[-1, -1],
        )
        line = pl.TileType(
            shape=[1, TILE_ROWS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
        )
        total_columns = pl.make_tile_group(type=column, addrs=0x30000, mutex_ids=[6])
        total_lines = pl.make_tile_group(type=line, addrs=0x30000, mutex_ids=[6])
        carry_columns = pl.make_tile_group(type=column, addrs=0x30020, mutex_ids=[7])
        carry_lines = pl.make_tile_group(type=line, addrs=0x30020, mutex_ids=[7])

    with pl.section_vector():
        # get_block_idx() counts vector cores and get_block_num() blocks; a block has one or two vector cores.
        workers = pl.get_block_num() * pl.get_subblock_num()
        part = pl.addptr(pl.make_ptr(workspace, dtype=pl.DT_FP32), pl.get_block_idx() * TILE_ROWS * PITCH)
        part_view = pl.make_tensor(part, [TILE_ROWS, PITCH], [PITCH, 1])
        sums = sums_tiles.current()
        shifted = shifted_tiles.current()
        pl.set_validshape(shifted, [TILE_ROWS, TILE_COLUMNS])
        pl.expands(shifted, 0.0)
        pl.store(part_view, shifted, [0, 0])
        for i in pl.range(pl.get_block_idx(), tiling.row_tiles, workers):
            row = i * TILE_ROWS
            rows = pl.min(TILE_ROWS, tiling.rows - row)
            for j in pl.range(0, tiling.column_tiles, 1):
                first = j * TILE_COLUMNS
                length = pl.min(TILE_COLUMNS, tiling.columns - first)
                x_tile = x_tiles.next()
                y_tile = y_tiles.next()
                pl.set_validshape(x_tile, [rows, length])
                pl.set_validshape(y_tile, [rows, length])
                pl.set_validshape(sums, [rows, length])
                pl.set_validshape(shifted, [rows, length])
                pl.load(x_tile, x_view, [row, first])
                if data_dtype == pl.DT_FP32:
                    pl.add(sums, x_tile, 0.0)
                else:
                    pl.cast(sums, x_tile, mode=pl.RoundMode.CAST_NONE)
                if long_row == 1:
                    total_column = total_columns.current()
                    total_line = total_lines.current()
                    carry_column = carry_columns.current()
                    carry_line = carry_lines.current()
                    pl.set_validshape(total_column, [rows, 1])
                    pl.set_validshape(total_line, [1, rows])
                    pl.set_validshape(carry_column, [rows, 1])
                    pl.set_validshape(carry_line, [1, rows])
                    pl.sum(total_column, sums, shifted, dim=0)
                shift = 1
                while shift < length:
                    # The mutex of `shifted` lets the load wait for the store.
                    pl.add(shifted, sums, 0.0)
                    pl.store(part_view, shifted, [0, TILE_COLUMNS])
                    pl.load(shifted, part_view, [0, TILE_COLUMNS - shift])
                    pl.add(sums, sums, shifted)
                    shift *= 2
                if long_row == 1:
                    # There is no expand_add: the carry is the sum of the tiles so far, times -1.
                    if j == 0:
                        pl.neg(carry_line, total_line)
                    else:
                        pl.expand_sub(sums, sums, carry_column, dim=0)
                        pl.sub(carry_line, carry_line, total_line)
                if data_dtype == pl.DT_FP32:
                    pl.add(y_tile, sums, 0.0)
                else:
                    pl.cast(y_tile, sums, mode=pl.RoundMode.CAST_RINT)
                pl.store(y_view, y_tile, [row, first])
