"""Names of pypto_pro.language that stand for values: element types, memories, layouts, pipes, modes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from opgen.dialect.order import FIX, MTE1, MTE2, MTE3, M, S, V
from opgen.facts.dtypes import DTYPES
from opgen.facts.pypto import FOREIGN, NAMES


@dataclass(frozen=True)
class DataType:
    """pl.DT_FP16. name: what opgen calls it, "" for a type that it has no name for."""

    label: str
    name: str

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return DTYPES[self.name].size if self.name else 1

    def __repr__(self) -> str:
        return f"pl.{self.label}"


TYPES: dict[str, DataType] = {label: DataType(label, name) for name, label in NAMES.items()}
TYPES |= {label: DataType(label, "") for label in FOREIGN}


def data_type(name: str) -> DataType:
    """Of opgen's name."""
    return TYPES[NAMES[name]]


class MemorySpace(Enum):
    DDR = "global memory"
    Vec = "UB"
    Mat = "L1"
    Left = "L0A"
    Right = "L0B"
    Acc = "L0C"
    Scaling = "the scaling buffer"
    ScaleLeft = "the scales of L0A"
    ScaleRight = "the scales of L0B"


class TensorLayout(Enum):
    ND = "ND"
    DN = "DN"
    NZ = "NZ"
    ZN = "ZN"
    NN = "NN"
    ZZ = "ZZ"


class TilePad(Enum):
    null = 0
    zero = 1
    max = 2
    min = 3


class FillPadMode(Enum):
    NORMAL = "normal"
    EXPAND = "expand"
    INPLACE = "inplace"


class PipeType(Enum):
    S = S
    V = V
    M = M
    MTE1 = MTE1
    MTE2 = MTE2
    MTE3 = MTE3
    FIX = FIX


RoundMode = Enum(
    "RoundMode", ["CAST_NONE", "CAST_RINT", "CAST_ROUND", "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC", "CAST_ODD"]
)
AtomicType = Enum("AtomicType", ["AtomicNone", "AtomicAdd"])
SyncCoreType = Enum("SyncCoreType", ["MIX", "AIV_ONLY", "AIC_ONLY"])
SyncAllMode = Enum("SyncAllMode", ["HARD", "SOFT"])


class TilingKeyField:
    """A field of a TilingKey class. name: set by the class."""

    def __init__(self, *, bits: int, values: object) -> None:
        self.bits = bits
        self.values = tuple(values) if isinstance(values, (list, tuple, range)) else ()
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
