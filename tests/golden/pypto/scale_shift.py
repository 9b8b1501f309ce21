# Generated from op.yaml by opgen.
"""Device kernel of ScaleShift: y = x * scale + shift."""

# data_dtype and has_shift are constants that PyPTO Pro puts into each instance of the kernel.
# ruff: noqa: F821

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

# Rows and columns of a tile at most. op_host/scale_shift_tiling.cpp divides the work evenly, and tells how many a tile
# has.
TILE_ROWS = 4
TILE_COLUMNS = 2048


@dataclass
class ScaleShiftTilingData:
    rows: int
    columns: int
    tile_rows: int
    tiles: int


class ScaleShiftTilingKey:
    # 1 when the input `shift` is connected.
    has_shift = TilingKeyField(bits=1, values=[0, 1])


@pl.jit(
    arch="a5",
    auto_mutex=True,
    tiling_key=ScaleShiftTilingKey,
    datatype={
        "x": "data_dtype",
        "scale": "data_dtype",
        "y": "data_dtype",
    },
)
def scale_shift(
    x: pl.Ptr[pl.DT_UINT8],
    scale: pl.Ptr[pl.DT_UINT8],
    shift: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: ScaleShiftTilingData,
):
    x_view = pl.make_tensor(x, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=data_dtype)
    scale_view = pl.make_tensor(scale, [1, tiling.columns], [tiling.columns, 1], dtype=data_dtype)
    if has_shift == 1:
        shift_view = pl.make_tensor(shift, [1, tiling.columns], [tiling.columns, 1], dtype=data_dtype)
    y_view = pl.make_tensor(y, [tiling.rows, tiling.columns], [tiling.columns, 1], dtype=data_dtype)

    # Unified Buffer, 152 KiB of 248 KiB:
    #             float16, bfloat16         float32
    #   0x00000   x           2 x 16 KiB    x           2 x 32 KiB
    #   0x08000   x_wide          32 KiB
    #   0x10000   scale            4 KiB    scale            8 KiB
    #   0x12000   shift            4 KiB    shift            8 KiB
    #   0x14000   y           2 x 16 KiB    y           2 x 32 KiB
    #   0x1C000   scale_line       8 KiB
    #   0x1E000   shift_line       8 KiB
    #   0x24000                             shift_line       8 KiB
    tile = pl.TileType(
        shape=[TILE_ROWS, TILE_COLUMNS], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    tile_line = pl.TileType(
        shape=[1, TILE_COLUMNS], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    x_tiles = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0, 1])
    scale_tiles = pl.make_tile_group(type=tile_line, addrs=0x10000, mutex_ids=[2])
    if has_shift == 1:
        shift_tiles = pl.make_tile_group(type=tile_line, addrs=0x12000, mutex_ids=[3])
    y_tiles = pl.make_tile_group(type=tile, addrs=0x14000, mutex_ids=[4, 5])
    if has_shift == 1:
        wide_line = pl.TileType(
            shape=[1, TILE_COLUMNS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
        )
        if data_dtype == pl.DT_FP32:
            shift_line_tiles = pl.make_tile_group(type=wide_line, addrs=0x24000, mutex_ids=[7])
        else:
            wide = pl.TileType(
                shape=[TILE_ROWS, TILE_COLUMNS],
                dtype=pl.DT_FP32,
                target_memory=pl.MemorySpace.Vec,
                valid_shape=[-1, -1],
            )
            scale_line_tiles = pl.make_tile_group(type=wide_line, addrs=0x1C000, mutex_ids=[6])
            shift_line_tiles = pl.make_tile_group(type=wide_line, addrs=0x1E000, mutex_ids=[7])
            x_wide_tiles = pl.make_tile_group(type=wide, addrs=0x08000, mutex_ids=[8])

    with pl.section_vector():
        scale_tile = scale_tiles.current()
        if has_shift == 0:
            pl.set_validshape(scale_tile, [1, tiling.columns])
            pl.load(scale_tile, scale_view, [0, 0])
        else:
            shift_tile = shift_tiles.current()
            pl.set_validshape(scale_tile, [1, tiling.columns])
            pl.set_validshape(shift_tile, [1, tiling.columns])
            pl.load(scale_tile, scale_view, [0, 0])
            pl.load(shift_tile, shift_view, [0, 0])
            if data_dtype == pl.DT_FP32:
                shift_line = shift_line_tiles.current()
                pl.set_validshape(shift_line, [1, tiling.columns])
                # there is no addition of a row or column: its negative is subtracted
                pl.neg(shift_line, shift_tile)
            else:
                scale_line = scale_line_tiles.current()
                shift_line = shift_line_tiles.current()
                pl.set_validshape(scale_line, [1, tiling.columns])
                pl.set_validshape(shift_line, [1, tiling.columns])
                pl.cast(scale_line, scale_tile, mode=pl.RoundMode.CAST_NONE)
                pl.cast(shift_line, shift_tile, mode=pl.RoundMode.CAST_NONE)
                # there is no addition of a row or column: its negative is subtracted
                pl.neg(shift_line, shift_line)
        # get_block_idx() counts vector cores and get_block_num() blocks; a block has one or two vector cores.
        workers = pl.get_block_num() * pl.get_subblock_num()
        for i in pl.range(pl.get_block_idx(), tiling.tiles, workers):
            row = i * tiling.tile_rows
            rows = pl.min(tiling.tile_rows, tiling.rows - row)
            x_tile = x_tiles.next()
            y_tile = y_tiles.next()
            pl.set_validshape(x_tile, [rows, tiling.columns])
            pl.set_validshape(y_tile, [rows, tiling.columns])
            pl.load(x_tile, x_view, [row, 0])
            if has_shift == 0:
                pl.expand_mul(y_tile, x_tile, scale_tile, dim=1)
            elif data_dtype == pl.DT_FP32:
                pl.expand_mul(y_tile, x_tile, scale_tile, dim=1)
                pl.expand_sub(y_tile, y_tile, shift_line, dim=1)
            else:
                x_wide = x_wide_tiles.current()
                pl.set_validshape(x_wide, [rows, tiling.columns])
                pl.cast(x_wide, x_tile, mode=pl.RoundMode.CAST_NONE)
                pl.expand_mul(x_wide, x_wide, scale_line, dim=1)
                pl.expand_sub(x_wide, x_wide, shift_line, dim=1)
                pl.cast(y_tile, x_wide, mode=pl.RoundMode.CAST_RINT)
            pl.store(y_view, y_tile, [row, 0])
