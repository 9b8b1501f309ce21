"""PyPTO Pro's vector subset on Ascend 950: element types, casts, memory, ids.

Sources: the API pages of `pypto_pro.language` (SIMD API, August 2026) and the conversions that the PTO instruction set
has for this chip. PyPTO's front end checks none of it: what a table does not list compiles, and fails in the device
compiler or computes wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass

# Product families, as CANN's documents list them: marker in their comments, name in English and Chinese, whether PyPTO
# Pro's SIMD pages say that it is supported.
PRODUCTS = (
    ("950", "Ascend 950PR/Ascend 950DT", "Ascend 950PR/Ascend 950DT", True),
    ("A3", "Atlas A3 training series/Atlas A3 inference series", "Atlas A3 训练系列产品/Atlas A3 推理系列产品", False),
    (
        "910b",
        "Atlas A2 training series/Atlas A2 inference series",
        "Atlas A2 训练系列产品/Atlas A2 推理系列产品",
        False,
    ),
    ("310b", "Atlas 200I/500 A2 inference products", "Atlas 200I/500 A2 推理产品", False),
    ("310p", "Atlas inference series", "Atlas 推理系列产品", False),
    ("910", "Atlas training series", "Atlas 训练系列产品", False),
)

UB_BYTES = 253952  # 248 KiB of Unified Buffer
ALIGNMENT = 32  # bytes: addresses and rows of tiles
MUTEX_IDS = range(32)
EVENT_IDS = range(16)  # of pl.system.sync_src and sync_dst, for each pair of pipes
MAX_ARRAY = 2048  # elements of an array in TilingData
MAX_KEY_BITS = 64

# Element types: what they are called here -> in pypto_pro.language.
NAMES = {
    "float32": "DT_FP32",
    "float16": "DT_FP16",
    "bfloat16": "DT_BF16",
    "int8": "DT_INT8",
    "int16": "DT_INT16",
    "int32": "DT_INT32",
    "int64": "DT_INT64",
    "uint8": "DT_UINT8",
    "uint16": "DT_UINT16",
    "uint32": "DT_UINT32",
    "uint64": "DT_UINT64",
    "bool": "DT_BOOL",
}

# Types of pypto_pro.language that opgen has no name for.
FOREIGN = (
    "DT_FP4", "DT_FP8E4M3FN", "DT_FP8E5M2", "DT_FP8E8M0", "DT_FP4E2M1", "DT_FP4E1M2", "DT_HF4", "DT_HF8", "DT_INT4",
    "DT_UINT4",
)  # fmt: skip

_BYTE = ("int8", "uint8")
_SHORT = ("int16", "uint16")
_INT = ("int32", "uint32")
_LONG = ("int64", "uint64")
_HALF = ("float16", "bfloat16")
_FLOAT = ("float16", "float32")
_NARROW = (*_BYTE, *_SHORT, *_INT)
_ALL = (*_NARROW, *_LONG, *_HALF, "float32")
_WIDE = (*_SHORT, *_INT, *_LONG, *_HALF, "float32")


@dataclass(frozen=True)
class Operation:
    """An operation on tiles. sources: tiles it reads, without scratch. dtypes: element types of its operands. scalar:
    whether the last operand may be a number. tmp: whether a scratch tile is its last argument."""

    name: str
    dtypes: tuple[str, ...]
    sources: int = 1
    scalar: bool = False
    tmp: bool = False


OPERATIONS: dict[str, Operation] = {
    o.name: o
    for o in (
        Operation("add", _ALL, 2, scalar=True),
        Operation("sub", _ALL, 2, scalar=True),
        Operation("mul", _WIDE, 2, scalar=True),
        Operation("div", (*_SHORT, *_INT, *_LONG, *_FLOAT), 2, scalar=True),
        Operation("maximum", _ALL, 2, scalar=True),
        Operation("minimum", _ALL, 2, scalar=True),
        Operation("and_", _NARROW, 2, scalar=True),
        Operation("shl", (*_NARROW, *_LONG), 2),
        Operation("shr", (*_NARROW, *_LONG), 2),
        Operation("xor", _NARROW, 2, tmp=True),
        Operation("neg", _WIDE),
        Operation("abs", ("int8", "int16", "int32", *_FLOAT)),
        Operation("relu", ("int32", *_FLOAT)),
        Operation("exp", _FLOAT),
        Operation("log", _FLOAT),
        Operation("sqrt", _FLOAT),
        Operation("rsqrt", _FLOAT),
        Operation("recip", _FLOAT),
        Operation("expands", _ALL, 0, scalar=True),
        Operation("eq", _ALL, 2, scalar=True),
        Operation("ne", _ALL, 2, scalar=True),
        Operation("lt", _ALL, 2, scalar=True),
        Operation("le", _ALL, 2, scalar=True),
        Operation("gt", _ALL, 2, scalar=True),
        Operation("ge", _ALL, 2, scalar=True),
        Operation("select", _ALL, 2, scalar=True, tmp=True),
        Operation("axpy", _FLOAT, 1, scalar=True),
        Operation("mul_add_dst", _WIDE, 2),
        Operation("fused_mul_add", (*_SHORT, *_INT, *_HALF, "float32"), 2),
        Operation("fused_mul_add_relu", ("int32", *_FLOAT), 2),
        Operation("addc", (*_SHORT, *_INT, *_HALF, "float32"), 3),
        Operation("add_relu", ("int32", *_FLOAT), 2),
        Operation("sub_relu", _FLOAT, 2),
        Operation("expand_mul", (*_NARROW, *_HALF, "float32"), 2),
        Operation("expand_sub", (*_NARROW, *_HALF, "float32"), 2),
        Operation("expand_div", (*_NARROW, *_HALF, "float32"), 2),
        Operation("expand_max", (*_NARROW, *_HALF, "float32"), 2),
        Operation("expand_min", (*_NARROW, *_HALF, "float32"), 2),
        Operation("fillpad", (*_NARROW, *_HALF, "float32")),
    )
}

# `select` with a number on one side.
SELECT_SCALAR = tuple(dtype for dtype in _ALL if dtype != "bfloat16")

# Reductions along dim 0 (each row to one element) and dim 1 (each column): element types of what is reduced.
REDUCTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sum": (("int16", "int32", *_LONG, *_FLOAT), _ALL),
    "maximum": ((*_NARROW, *_FLOAT), _ALL),
    "minimum": ((*_NARROW, *_FLOAT), _ALL),
    "argmax": (_FLOAT, (*_NARROW, *_HALF, "float32")),
    "argmin": (_FLOAT, (*_NARROW, *_HALF, "float32")),
}
INDEX_TYPES = ("int32", "uint32")  # of argmax and argmin

# pl.cast: source -> targets.
CASTS: dict[str, tuple[str, ...]] = {
    "float32": ("float32", "float16", "bfloat16", "int16", "int32", "int64"),
    "float16": ("float32", "int8", "uint8", "int16", "int32"),
    "bfloat16": ("float32", "float16", "int32"),
    "uint8": ("float16", "uint16"),
    "int8": ("float16", "int16", "int32"),
    "int16": ("float16", "float32", "uint8", "int32", "uint32"),
    "int32": ("float32", "uint8", "int16", "uint16", "int64"),
    "uint32": ("uint8", "int16", "uint16"),
    "int64": ("float32", "int32"),
}

ROUND_MODES = ("CAST_NONE", "CAST_RINT", "CAST_ROUND", "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC", "CAST_ODD")
ODD_CAST = ("float32", "float16")  # the only pair that CAST_ODD is made for

# Types that `datatype=` of pl.jit can stand for: the build passes them as ORIG_DTYPE_ macros.
DATATYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "bfloat16",
)  # fmt: skip
