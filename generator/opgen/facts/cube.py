"""How matrix products are cut for the cube core of A2 and A3."""

from __future__ import annotations

STAGES = 4  # steps along K that L1 holds
SIDES = range(16, 257, 16)  # rows and columns that a tile can have
DEPTHS = (256, 128, 64)  # bytes of a step along K: with 16 elements of the widest type at least
OPEN_SIZES = (256, 512, 1024, 2048, 4096)  # what a size that is known at run time is planned for
OPEN_BATCH = 8  # the same for a number of products
