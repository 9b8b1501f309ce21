# Generated from op.yaml by opgen.
"""Device kernel of SumDifference, which computes

    total = a + b
    change = a - b

for every element.
"""

# data_dtype is a constant that PyPTO Pro puts into each instance of the kernel.
# ruff: noqa: F821

from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

# Elements of a tile at most. op_host/sum_difference_tiling.cpp divides the work evenly, and tells how many a tile has.
TILE_LENGTH = 4096


@dataclass
class SumDifferenceTilingData:
    elements: int
    tile_length: int
    tiles: int


class SumDifferenceTilingKey:
    # There is one kernel.
    sch_mode = TilingKeyField(bits=1, values=[0])


@pl.jit(
    arch="a5",
    auto_mutex=True,
    tiling_key=SumDifferenceTilingKey,
    datatype={
        "a": "data_dtype",
        "b": "data_dtype",
        "total": "data_dtype",
        "change": "data_dtype",
    },
)
def sum_difference(
    a: pl.Ptr[pl.DT_UINT8],
    b: pl.Ptr[pl.DT_UINT8],
    total: pl.Ptr[pl.DT_UINT8],
    change: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: SumDifferenceTilingData,
):
    # A view that is loaded or stored needs two axes: each flattened tensor is one row.
    a_view = pl.make_tensor(a, [1, tiling.elements], [tiling.elements, 1], dtype=data_dtype)
    b_view = pl.make_tensor(b, [1, tiling.elements], [tiling.elements, 1], dtype=data_dtype)
    total_view = pl.make_tensor(total, [1, tiling.elements], [tiling.elements, 1], dtype=data_dtype)
    change_view = pl.make_tensor(change, [1, tiling.elements], [tiling.elements, 1], dtype=data_dtype)

    # Unified Buffer, 128 KiB of 248 KiB:
    #             float16, bfloat16    float32, int32
    #   0x00000   a       2 x 8 KiB    a       2 x 16 KiB
    #   0x08000   b       2 x 8 KiB    b       2 x 16 KiB
    #   0x10000   total   2 x 8 KiB    total   2 x 16 KiB
    #   0x18000   change  2 x 8 KiB    change  2 x 16 KiB
    tile = pl.TileType(shape=[1, TILE_LENGTH], dtype=data_dtype, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    a_tiles = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0, 1])
    b_tiles = pl.make_tile_group(type=tile, addrs=0x08000, mutex_ids=[2, 3])
    total_tiles = pl.make_tile_group(type=tile, addrs=0x10000, mutex_ids=[4, 5])
    change_tiles = pl.make_tile_group(type=tile, addrs=0x18000, mutex_ids=[6, 7])

    with pl.section_vector():
        # get_block_idx() counts vector cores and get_block_num() blocks; a block has one or two vector cores.
        workers = pl.get_block_num() * pl.get_subblock_num()
        for i in pl.range(pl.get_block_idx(), tiling.tiles, workers):
            offset = i * tiling.tile_length
            length = pl.min(tiling.tile_length, tiling.elements - offset)
            a_tile = a_tiles.next()
            b_tile = b_tiles.next()
            total_tile = total_tiles.next()
            change_tile = change_tiles.next()
            pl.set_validshape(a_tile, [1, length])
            pl.set_validshape(b_tile, [1, length])
            pl.set_validshape(total_tile, [1, length])
            pl.set_validshape(change_tile, [1, length])
            pl.load(a_tile, a_view, [0, offset])
            pl.load(b_tile, b_view, [0, offset])
            # total = a + b
            pl.add(total_tile, a_tile, b_tile)
            # change = a - b
            pl.sub(change_tile, a_tile, b_tile)
            pl.store(total_view, total_tile, [0, offset])
            pl.store(change_view, change_tile, [0, offset])
