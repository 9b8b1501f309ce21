"""How long the pipes of a vector core take, roughly, in cycles: to compare kernels of one operator with each other.

Public: the width of the vector unit and that a repeat is one cycle (Ascend C documentation). All other figures are
assumptions for A2 with the data in the L2 cache; they say nothing of times.
"""

from __future__ import annotations

VECTOR_START = 20  # of one vector instruction, beside 1 for each 256 bytes of its widest operand
COPY_START = 40  # of one copy between global memory and the chip, beside its bytes
COPY_DELAY = 300  # from the end of a copy until a flag can tell
COPY_RATE = 64  # bytes a cycle of one vector core, each way, at most
CHIP_RATE = 2222  # bytes a cycle of all cores together

# Passes over the operands, and instructions inside, of what is not 1 and 1.
PASSES = {"exp": 2, "ln": 2, "sqrt": 2, "div": 4, "select": 2, "sin": 20, "cos": 20, "pow": 30}
STEPS = {"sin": 20, "cos": 20, "pow": 30, "broadcast": 2}
