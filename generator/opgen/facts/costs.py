"""How long instructions of an AI core take, in cycles: enough to compare two kernels of one operator.

Vector width and cube rate are public (Hot Chips 31, the Da Vinci core). Everything else is assumed: the figures tell
which of two kernels waits more, not how long either runs.
"""

from __future__ import annotations

from dataclasses import dataclass

VECTOR_BYTES_PER_CYCLE = 256  # of the widest operand: one repeat
VECTOR_START = 20
CUBE_MACS_PER_CYCLE = {"float16": 4096, "bfloat16": 4096, "int8": 8192, "float32": 1024}
CUBE_START = 20

GM_BYTES_PER_CYCLE = 2222  # of the whole chip, shared by the cores in use; data in L2
GM_VECTOR_CORE = 64  # bytes per cycle at most, each way
GM_CUBE_CORE = 128
GM_UNIT = 128  # bytes; every row of a copy fills whole units
COPY_START = 40
COPY_LATENCY = 300  # until a flag can tell that a copy has ended

L1_TO_L0 = {"L0A": 256, "L0B": 128}  # bytes per cycle
L1_TO_L0_START = 20
L0C_BYTES_PER_CYCLE = 256

ISSUE = 2  # the scalar unit hands out an instruction, a flag or a barrier
SCALAR_ACCESS = 20  # of one element
FLAG = 10
CROSS_CORE_FLAG = 200
BARRIER_ALL = 20  # beyond the wait itself
SYNC_ALL = 500
BLOCK_START = 300


@dataclass(frozen=True)
class VectorCost:
    """sweeps: over the widest operand. steps: instructions inside."""

    sweeps: int = 1
    steps: int = 1


USUAL = VectorCost()
VECTOR_COSTS = {
    **dict.fromkeys(("exp", "ln", "sqrt", "rsqrt", "reciprocal", "select", "gather_mask"), VectorCost(2)),
    "div": VectorCost(4),
    **dict.fromkeys(("sigmoid", "silu"), VectorCost(8, 4)),
    **dict.fromkeys(("sin", "cos"), VectorCost(20, 20)),
    "round": VectorCost(2, 2),
    "pow": VectorCost(30, 30),
    "bitwise_xor": VectorCost(4, 4),
    "gather": VectorCost(16),
    "broadcast": VectorCost(1, 2),
    **dict.fromkeys(("sort", "topk", "merge_sort", "transpose"), VectorCost(8)),
    **dict.fromkeys(("reduce_sum", "reduce_max", "reduce_min"), VectorCost(2, 4)),
}
