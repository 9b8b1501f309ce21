"""A function under @pl.jit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opgen.dialect.places import Spot
from opgen.dialect.pypto.words import TYPES, DataType


class Jit:
    """function: as it is written. options: of pl.jit."""

    def __init__(self, function: Callable[..., None], options: dict[str, Any]) -> None:
        self.function = function
        self.options = options
        self.name = function.__name__
        code = function.__code__
        self.spot = Spot(code, -1, code.co_firstlineno)
        self.parameters = code.co_varnames[: code.co_argcount]

    @property
    def auto_mutex(self) -> bool:
        return bool(self.options.get("auto_mutex", True))

    def pointee(self, name: str) -> DataType:
        """What a parameter points to, by its annotation."""
        annotation = self.function.__annotations__.get(name)
        if isinstance(annotation, str):
            annotation = eval(annotation, self.function.__globals__)
        dtype = getattr(annotation, "dtype", None)
        return dtype if isinstance(dtype, DataType) else TYPES["DT_UINT8"]

    @property
    def datatype(self) -> dict[str, str]:
        """Parameter -> variable of its type."""
        given = self.options.get("datatype")
        return dict(given) if isinstance(given, dict) else {}
