"""Vector operations of TileLang-Ascend on A2 and A3: element types, casts, aliasing, hidden scratch memory.

Sources: Ascend C operation tables for Atlas A2/A3, and the `T.tile.*` calls that TileLang-Ascend turns into them. Types
that a table does not list compile in TileLang and fail in the device compiler, or compute wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass

VECTOR_BYTES = 256  # one step of the vector unit; comparisons take whole steps
BLOCK_BYTES = 32  # on-chip addresses, and rows that copies write

_FLOATS = ("float16", "float32")
_ARITHMETIC = ("int16", "float16", "int32", "float32")
_SHIFTED = ("int16", "uint16", "int32", "uint32")
_LOGIC = ("int16", "uint16")
_FILLED = ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")


@dataclass(frozen=True)
class Operation:
    """A vector operation. dtypes: of its operands. overlap: whether the destination may be a source.

    scratch: bytes of hidden scratch memory for each byte of a source; least: bytes at least; share: destination bytes
    for one byte of scratch, 0 when the destination does not count. whole: it takes no count and works on whole buffers.
    """

    name: str
    dtypes: tuple[str, ...]
    overlap: bool = True
    scratch: int = 0
    least: int = 0
    share: int = 0
    whole: bool = False

    def scratch_bytes(self, source: int, destination: int) -> int:
        """Hidden scratch memory for operands of so many bytes."""
        wanted = self.scratch * source + (destination // self.share if self.share else 0)
        return max(wanted, self.least)


OPERATIONS: dict[str, Operation] = {
    o.name: o
    for o in (
        Operation("add", _ARITHMETIC),
        Operation("sub", _ARITHMETIC),
        Operation("mul", _ARITHMETIC),
        Operation("max", _ARITHMETIC),
        Operation("min", _ARITHMETIC),
        Operation("div", _FLOATS),
        Operation("exp", _FLOATS),
        Operation("ln", _FLOATS),
        Operation("sqrt", _FLOATS),
        Operation("rsqrt", _FLOATS),
        Operation("reciprocal", _FLOATS),
        Operation("abs", _FLOATS),
        Operation("relu", ("float16", "int32", "float32")),
        Operation("leaky_relu", _FLOATS),
        Operation("axpy", _FLOATS),
        Operation("mul_add_dst", _FLOATS),
        Operation("bitwise_and", _LOGIC),
        Operation("bitwise_or", _LOGIC),
        Operation("bitwise_not", _LOGIC),
        Operation("bitwise_xor", _LOGIC, overlap=False, scratch=1, whole=True),
        Operation("bitwise_lshift", _SHIFTED),
        Operation("bitwise_rshift", _SHIFTED),
        Operation("sigmoid", _FLOATS, overlap=False, scratch=1),
        Operation("silu", _FLOATS, overlap=False),
        Operation("sin", _FLOATS, overlap=False, scratch=2),
        Operation("cos", _FLOATS, overlap=False, scratch=2),
        Operation("pow", ("float16", "float32", "int32"), overlap=False, scratch=2, whole=True),
        Operation("clamp_max", _FLOATS, overlap=False, scratch=1),
        Operation("clamp_min", _FLOATS, overlap=False, scratch=1),
        Operation("clamp", _FLOATS, overlap=False, scratch=1),
        Operation("round", _FLOATS, scratch=1, least=256),
        Operation("compare", ("float16", "float32")),  # int32: equality only, see COMPARE_INT32
        Operation("select", _FLOATS),
        Operation("fill", _FILLED),
        Operation("copy", _FILLED),
        Operation("broadcast", ("int8", "uint8", "float16", "float32"), overlap=False, share=4),
        Operation("reduce_sum", ("float16", "float32"), overlap=False, scratch=1),
        Operation("reduce_max", _FLOATS, overlap=False, scratch=1),
        Operation("reduce_min", _FLOATS, overlap=False, scratch=1),
        Operation("createvecindex", _ARITHMETIC),
        Operation("arith_progression", _ARITHMETIC),
        Operation("gather", ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32"), overlap=False),
        Operation("gather_mask", ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")),
        Operation("transpose", _FILLED, overlap=False),
        # Sorting has scratch memory of the element type besides the common one; both are counted here.
        Operation("sort", _FLOATS, overlap=False, scratch=16),
        Operation("topk", _FLOATS, overlap=False, scratch=5),
        Operation("merge_sort", _FLOATS, overlap=False),
        Operation("atomic_add", ("int8", "int16", "float16", "bfloat16", "int32", "float32")),
        Operation("row_expand_sub_experiment", _FLOATS, overlap=False),
        Operation("row_expand_div_experiment", _FLOATS, overlap=False),
    )
}


def may_overlap(name: str) -> bool:
    """Whether the destination of an operation may be one of its sources. A cast's may not, also not to its own type."""
    return name != "cast" and (name not in OPERATIONS or OPERATIONS[name].overlap)


# float16 halves what a source element takes, not what sorting it does.
SORT_SCRATCH_HALF = {"sort": 8, "topk": 10}  # bytes for each byte of float16

# A sum over float16 rows is one instruction a row, whose mask is the row.
HALF_SUM_ELEMENTS = 128
HALF_SUM_ROWS = 255

# One copy between global memory and the chip.
COPY_ROWS = 4095
COPY_ROW_BYTES = 2097151

# Events: ids that there are, and those that the compiler's own code uses, by the pipes they go between.
EVENT_IDS = range(8)
CLIPPED_LOAD_EVENTS = (("mte2", "v", 0), ("mte3", "v", 0), ("v", "mte2", 0))
GEMM_EVENTS = tuple(
    (source, target, event)
    for source, target in (
        ("mte2", "mte1"), ("fix", "m"), ("m", "mte1"), ("mte1", "m"), ("mte1", "mte2"), ("m", "fix"),
    )
    for event in (0, 1)
)  # fmt: skip

# (A and B, C) of matrix products.
MATMUL_DTYPES = (("float16", "float32"), ("bfloat16", "float32"), ("float32", "float32"), ("int8", "int32"))
CUBE_ROWS = 16  # rows of a tile in L1 and L0 are multiples of it; a row is a multiple of BLOCK_BYTES
GEMM_K_STEP = 128  # gemm_v0 multiplies so many columns of A at a time

COMPARE_INT32 = ("EQ",)  # the comparisons that int32 has

_ANY = ("CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC")

# (from, to) -> rounding modes. Absent: float16 <-> bfloat16, 8-bit types to anything but float16, int32 -> float16, and
# every unsigned type of 16 bits or more.
CASTS: dict[tuple[str, str], tuple[str, ...]] = {
    ("float16", "float32"): ("CAST_NONE",),
    ("bfloat16", "float32"): ("CAST_NONE",),
    ("float32", "float16"): (*_ANY, "CAST_NONE", "CAST_ODD"),
    ("float32", "bfloat16"): _ANY,
    ("float32", "float32"): _ANY,  # to whole numbers
    ("float32", "int16"): _ANY,
    ("float32", "int32"): _ANY,
    ("float32", "int64"): _ANY,
    ("int16", "float16"): (*_ANY, "CAST_NONE"),
    ("int16", "float32"): ("CAST_NONE",),
    ("int32", "float32"): (*_ANY, "CAST_NONE"),
    ("int32", "int16"): ("CAST_NONE",),
    ("int32", "int64"): ("CAST_NONE",),
    ("int64", "int32"): ("CAST_NONE",),
    ("int64", "float32"): _ANY,
    ("float16", "int8"): (*_ANY, "CAST_NONE"),
    ("float16", "uint8"): (*_ANY, "CAST_NONE"),
    ("float16", "int16"): _ANY,
    ("float16", "int32"): _ANY,
    ("int8", "float16"): ("CAST_NONE",),
    ("uint8", "float16"): ("CAST_NONE",),
    ("bfloat16", "int32"): _ANY,
}

# Types that the chip has no arithmetic for are moved as another type of the same bits. The unsigned ones are exact as
# long as their values fit into int32, in which integers are computed.
MOVED_AS = {"bool": "uint8", "uint16": "int16", "uint32": "int32", "uint64": "int64"}

# Types whose tiles a clipped copy fills up before it loads them; what lies behind the others stays as it was.
FILLED_WHEN_CLIPPED = ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")
