"""Which line of the kernel's text runs."""

from __future__ import annotations

import linecache
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import numpy as np

from opgen.text.findings import Place

_HOME = str(Path(__file__).resolve().parent)
_LIBRARY = str(Path(np.__file__).resolve().parent)


class Spot(NamedTuple):
    """An instruction of the kernel's text."""

    code: CodeType
    instruction: int
    line: int


NOWHERE = Spot(compile("", "", "exec"), -1, 1)


def caller() -> Spot:
    """The innermost frame that is neither the checker's nor NumPy's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith((_HOME, _LIBRARY)):
        frame = frame.f_back
    assert frame is not None
    return Spot(frame.f_code, frame.f_lasti, frame.f_lineno)


def spot_of(frame: FrameType, instruction: int, line: int) -> Spot:
    return Spot(frame.f_code, instruction, line)


def place(spot: Spot) -> Place:
    """The characters of the call, as far as this Python keeps them; else the line."""
    file = spot.code.co_filename
    text = linecache.getline(file, spot.line).rstrip("\n")
    first = len(text) - len(text.lstrip())
    start, stop = first, len(text.rstrip())
    positions = getattr(spot.code, "co_positions", None)
    if positions is not None and spot.instruction >= 0:
        all_of_them = list(positions())
        index = spot.instruction // 2
        if index < len(all_of_them):
            line, last, column, end = all_of_them[index]
            if line == spot.line and column is not None:
                data = text.encode()
                start = len(data[:column].decode(errors="replace"))
                if last == line and end is not None:
                    stop = len(data[:end].decode(errors="replace"))
    return Place(file, spot.line, start + 1, max(1, stop - start))


def assigned_name(spot: Spot) -> str:
    """The name that the line assigns to, for messages: "x_ub" of `x_ub = T.alloc_ub(...)`; else ""."""
    text = linecache.getline(spot.code.co_filename, spot.line)
    head, equals, _ = text.partition("=")
    name = head.split(":")[0].strip()
    return name if equals and name.isidentifier() else ""


def is_ours(file: str) -> bool:
    """Whether a file is the checker's own, or NumPy's."""
    return file.startswith((_HOME, _LIBRARY))
