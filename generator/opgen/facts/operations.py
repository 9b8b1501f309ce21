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


@dataclass(frozen=True)
class Operation:
    """A vector operation. dtypes: of its operands. overlap: whether the destination may be a source.

    scratch: bytes of hidden scratch memory for each byte of a source.
    """

    name: str
    dtypes: tuple[str, ...]
    overlap: bool = True
    scratch: int = 0


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
        Operation("abs", _FLOATS),
        Operation("relu", ("float16", "int32", "float32")),
        Operation("leaky_relu", _FLOATS),
        Operation("sin", _FLOATS, overlap=False, scratch=2),
        Operation("cos", _FLOATS, overlap=False, scratch=2),
        Operation("pow", ("float16", "float32", "int32"), overlap=False, scratch=2),
        Operation("compare", ("float16", "float32")),  # int32: equality only, see COMPARE_INT32
        Operation("select", _FLOATS),
        Operation("fill", ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")),
        Operation("copy", ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")),
    )
}

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
