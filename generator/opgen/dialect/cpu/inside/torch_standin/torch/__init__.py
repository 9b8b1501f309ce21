"""Stands in for PyTorch where tilelang is only used to compile.

tilelang imports torch and names its element types; nothing that opgen uses of tilelang computes with it. Anything else
of torch is missing, with the usual AttributeError.
"""

from __future__ import annotations

import importlib.machinery
import sys
import types
from typing import Any

__version__ = "0.0.0+opgen"

_FLOATS = (
    "float16 float32 float64 half float double bfloat16 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz "
    "float8_e8m0fnu float4_e2m1fn_x2"
)
_INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 short int long bool"


class dtype:  # noqa: N801 - the name that PyTorch gives it
    """An element type: nothing but its name."""

    def __init__(self, name: str, floating: bool) -> None:
        self.name = name
        self.is_floating_point = floating
        self.is_complex = False

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class device:  # noqa: N801
    """A device by its name."""

    def __init__(self, type: str = "cpu", index: int | None = None) -> None:
        self.type, _, number = type.partition(":")
        self.index = int(number) if number else index


class Tensor:
    """There are none."""


class layout:  # noqa: N801
    """There are none."""


strided = layout()


class Size(tuple[int, ...]):
    """A shape."""


def _submodule(name: str, **contents: Any) -> types.ModuleType:
    module = types.ModuleType(f"{__name__}.{name}")
    module.__spec__ = importlib.machinery.ModuleSpec(module.__name__, None)
    module.__dict__.update(contents)
    sys.modules[module.__name__] = module
    globals()[name] = module
    return module


for _name in _FLOATS.split():
    globals()[_name] = dtype(_name, True)
for _name in _INTEGERS.split():
    globals()[_name] = dtype(_name, False)

_submodule("version", cuda=None, hip=None)
_submodule("cuda", is_available=lambda: False, device_count=lambda: 0)
_mps = _submodule("mps", is_available=lambda: False)
_submodule("backends", mps=_mps)
