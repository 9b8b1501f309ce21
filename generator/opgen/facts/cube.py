"""What a matrix product takes on the cube core of A2 and A3: cycles of its parts.

Public are the multiply-adds of a cycle (Hot Chips 31, 2019); the other figures are assumed, plausible for data that the
L2 cache holds. They rank tiles of one product; they predict no times.
"""

from __future__ import annotations

# Multiply-adds of a cycle, by the bytes of an element: 16 x 16 x 16 for float16 and bfloat16.
MULTIPLY_ADDS = {1: 8192, 2: 4096, 4: 1024}
START = 20  # cycles of one instruction beside its work

# Copies from and to global memory: cycles beside their bytes, cycles until a flag can tell, and bytes a cycle of all
# cores together and of one core.
COPY = 40
LATENCY = 300
CHIP_BYTES = 2222
CORE_BYTES = 128

# Bytes of a cycle between the memories of the cube core.
L0A_BYTES = 256
L0B_BYTES = 128
L0C_BYTES = 256

STAGES = 4  # steps along K that L1 holds
SIDES = range(16, 257, 16)  # rows and columns that a tile can have
DEPTHS = (256, 128, 64)  # bytes of a step along K: with 16 elements of the widest type at least
OPEN_SIZES = (256, 512, 1024, 2048, 4096)  # what a size that is known at run time is planned for
OPEN_BATCH = 8  # the same for a number of products
