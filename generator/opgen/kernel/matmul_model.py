"""Which tiles a matrix product is computed in: those that take the fewest cycles in a model of the cube core.

The generated script decides by the same rule, since sizes may be known only when it runs; a test holds the two to each
other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from opgen.facts import costs, cube
from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import BLOCK_BYTES, CUBE_ROWS
from opgen.facts.socs import Platform

SUM_BYTES = 4  # of a sum, float32 or int32
MULTIPLY_ADDS = {DTYPES[name].size: rate for name, rate in costs.CUBE_MACS_PER_CYCLE.items()}  # bytes -> a cycle


@dataclass(frozen=True)
class Shape:
    """A product: batch matrices of m x n, sums of k terms. -1: known at run time."""

    batch: int
    m: int
    n: int
    k: int


@dataclass(frozen=True)
class Tile:
    """rows, columns: of the product. depth: terms of one step."""

    rows: int
    columns: int
    depth: int

    def sums(self, platform: Platform) -> int:
        """Tiles of sums that L0C holds: with two, one is stored while the next is computed."""
        return min(2, platform.l0c // (SUM_BYTES * self.rows * self.columns))


@dataclass(frozen=True)
class Choices:
    """What tiles are chosen from. depths: elements."""

    rows: Sequence[int]
    columns: Sequence[int]
    depths: Sequence[int]


def choices(size: int, step: int = 1) -> Choices:
    """All tiles for elements of `size` bytes: whole fractals of the cube core. step: columns are a multiple of it."""
    least = max(CUBE_ROWS, BLOCK_BYTES // size)
    sides = [side for side in cube.SIDES if side % least == 0]
    columns = [side for side in sides if side % step == 0]
    return Choices(sides, columns, [depth // size for depth in cube.DEPTHS])


def fits(tile: Tile, size: int, platform: Platform) -> bool:
    """Whether the memories of the cube core hold a tile: L0A and L0B two steps, L0C the sums."""
    side = max(tile.rows * tile.depth * size / platform.l0a, tile.columns * tile.depth * size / platform.l0b)
    return side <= 0.5 and tile.sums(platform) > 0


def plan_tile(shape: Shape, size: int, cores: int, platform: Platform, among: Choices) -> Tile | None:
    """The best tile for elements of `size` bytes, None when none fits."""
    rows = [r for r in among.rows if r - among.rows[0] < shape.m or shape.m == -1] or among.rows[:1]
    columns = [c for c in among.columns if c - among.columns[0] < shape.n or shape.n == -1] or among.columns[:1]
    tiles = itertools.starmap(Tile, itertools.product(rows, columns, among.depths))
    met = _planned_for(shape)
    ranked = [
        (math.prod(cycles(one, tile, size, cores, platform) for one in met), tile.rows, tile.columns, tile.depth)
        for tile in tiles
        if fits(tile, size, platform)
    ]
    return Tile(*min(ranked)[1:]) if ranked else None


def _planned_for(shape: Shape) -> list[Shape]:
    """The product with sizes in place of the open ones."""
    batch = cube.OPEN_BATCH if shape.batch == -1 else shape.batch
    sizes = cube.OPEN_SIZES if -1 in (shape.m, shape.n, shape.k) else cube.OPEN_SIZES[:1]
    return [Shape(batch, *(size if s == -1 else s for s in (shape.m, shape.n, shape.k))) for size in sizes]


def cycles(shape: Shape, tile: Tile, size: int, cores: int, platform: Platform) -> float:
    """Of the busiest core, in the model: loads, the way into L0 and products of one step run at the same time."""
    rows, columns, depth = tile.rows, tile.columns, tile.depth
    tiles = shape.batch * -(-shape.m // rows) * -(-shape.n // columns)
    active = min(cores, tiles)
    rate = min(costs.GM_CUBE_CORE, costs.GM_BYTES_PER_CYCLE / active)
    load = 2 * costs.COPY_START + (rows + columns) * depth * size / rate
    feed = 2 * costs.L1_TO_L0_START + (rows / costs.L1_TO_L0["L0A"] + columns / costs.L1_TO_L0["L0B"]) * depth * size
    multiply = costs.CUBE_START + rows * columns * depth / MULTIPLY_ADDS[size]
    store = costs.COPY_START + costs.COPY_LATENCY + SUM_BYTES * rows * columns / costs.L0C_BYTES_PER_CYCLE
    steps = -(-shape.k // depth) * max(load, feed, multiply)
    each = steps if tile.sums(platform) == 2 else steps + store
    return costs.COPY_LATENCY + load + feed + -(-tiles // active) * each + store
