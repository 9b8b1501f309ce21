"""What a kernel is to be run with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from opgen.dialect.report import Array

Role = Literal["input", "output", "both"]
Number = int | float | bool


@dataclass(frozen=True)
class Argument:
    """A tensor of a launch. dtype: opgen's name. values: its elements; of an output None, and `size` counts them.

    values and size None: unknown, the views of the kernel decide. absent: an optional input that is not connected.
    same_as: the parameter whose memory it is, for an in-place output.
    """

    name: str
    role: Role
    dtype: str
    values: Array | None = None
    size: int | None = None
    absent: bool = False
    same_as: str = ""


@dataclass(frozen=True)
class Request:
    """One launch. tiling: what TilingData holds, lists for arrays. key: fields of TilingKey. datatypes: variable ->
    opgen's type. blocks: the block dim, of `subblocks` vector cores each. workspace: bytes of the user's part; None is
    unknown. title: what tells it from others."""

    tiling: Mapping[str, Number | tuple[Number, ...]]
    key: Mapping[str, int]
    datatypes: Mapping[str, str]
    arguments: tuple[Argument, ...]
    blocks: int = 1
    subblocks: int = 1
    workspace: int | None = None
    title: str = ""


def as_data(request: Request, arrays: dict[str, Array], number: int) -> dict[str, Any]:
    """For another process: numbers as they are, elements into `arrays`."""
    arguments = []
    for argument in request.arguments:
        key = f"{number}.{argument.name}"
        if argument.values is not None:
            arrays[key] = np.asarray(argument.values)
        arguments.append(
            {"name": argument.name, "role": argument.role, "dtype": argument.dtype, "size": argument.size,
             "absent": argument.absent, "same_as": argument.same_as, "values": argument.values is not None}
        )  # fmt: skip
    tiling = {name: list(v) if isinstance(v, tuple) else v for name, v in request.tiling.items()}
    return {
        "tiling": tiling, "key": dict(request.key), "datatypes": dict(request.datatypes), "arguments": arguments,
        "blocks": request.blocks, "subblocks": request.subblocks, "workspace": request.workspace,
        "title": request.title,
    }  # fmt: skip


def from_data(data: dict[str, Any], arrays: Mapping[str, Array], number: int) -> Request:
    arguments = tuple(
        Argument(**{**one, "values": arrays[f"{number}.{one['name']}"] if one["values"] else None})
        for one in data.pop("arguments")
    )
    tiling = {name: tuple(v) if isinstance(v, list) else v for name, v in data.pop("tiling").items()}
    return Request(tiling=tiling, arguments=arguments, **data)
