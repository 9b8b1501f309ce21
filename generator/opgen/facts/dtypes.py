"""Element types and what each target language calls them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["bool", "int", "float"]


@dataclass(frozen=True)
class DType:
    """An element type.

    size: bytes. ge: enumerator in namespace ge. cxx: type that holds one element on the host (float16 and bfloat16 are
    held as their bits). low, high: range of an integer type, largest finite magnitude of a float type.
    """

    name: str
    kind: Kind
    size: int
    ge: str
    cxx: str
    low: float
    high: float


def _integer(name: str, bits: int, signed: bool) -> DType:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return DType(name, "int", bits // 8, f"DT_{name.upper()}", f"{name}_t", low, high)


_ALL = (
    DType("float32", "float", 4, "DT_FLOAT", "float", -3.4028234663852886e38, 3.4028234663852886e38),
    DType("float16", "float", 2, "DT_FLOAT16", "uint16_t", -65504.0, 65504.0),
    DType("bfloat16", "float", 2, "DT_BF16", "uint16_t", -3.3895313892515355e38, 3.3895313892515355e38),
    _integer("int8", 8, True),
    _integer("int16", 16, True),
    _integer("int32", 32, True),
    _integer("int64", 64, True),
    _integer("uint8", 8, False),
    _integer("uint16", 16, False),
    _integer("uint32", 32, False),
    _integer("uint64", 64, False),
    DType("bool", "bool", 1, "DT_BOOL", "bool", 0, 1),
)

DTYPES: dict[str, DType] = {dtype.name: dtype for dtype in _ALL}

# Types of less than a byte, which GE's sizes do not describe.
SUB_BYTE = ("int4", "uint4", "int2", "uint1", "float4_e2m1", "float4_e1m2", "float6_e2m3", "float6_e3m2")

# What people write for a type, and what it is called here.
ALIASES = {
    "fp32": "float32",
    "float": "float32",
    "f32": "float32",
    "single": "float32",
    "float64": "float32",
    "fp64": "float32",
    "double": "float32",
    "fp16": "float16",
    "half": "float16",
    "f16": "float16",
    "bf16": "bfloat16",
    "int": "int32",
    "i32": "int32",
    "long": "int64",
    "i64": "int64",
    "short": "int16",
    "char": "int8",
    "i8": "int8",
    "byte": "uint8",
    "u8": "uint8",
    "boolean": "bool",
    "bol": "bool",
}

DEFAULT_TOLERANCE = {"float32": 1e-5, "float16": 1e-3, "bfloat16": 1e-2}  # of every other type: 0
