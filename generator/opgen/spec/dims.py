"""`dims` of op.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opgen.formula.signature import NO_TEXT, Dim, Text
from opgen.spec.collect import Collector, at

MAX_SIZE = 2**31 - 1
_LIMIT = "Sizes are checked by the host and count in int32 in the kernel."


def text(value: Any) -> Text:
    """A text of op.yaml, empty when there is none. Line ends of block scalars do not count."""
    return Text(value["en"].strip(), value["zh"].strip()) if value else NO_TEXT


def build_dims(data: dict[str, Any], pointer: str, out: Collector) -> tuple[Dim, ...]:
    """The dims in order of declaration. The form is right already."""
    return tuple(_dim(name, value, at(pointer, name), out) for name, value in data.items())


def _dim(name: str, value: Any, pointer: str, out: Collector) -> Dim:
    if name == "...":
        return Dim(name, tuple(value["default"]), dynamic=value.get("dynamic", False), doc=text(value.get("doc")))
    if isinstance(value, int):
        dim = Dim(name, value, fixed=True)
        _report(dim, value, pointer, out)
        return dim
    values = tuple(value.get("values", ()))
    dim = Dim(
        name,
        value["default"] if "default" in value else values[0],
        dynamic=value.get("dynamic", False),
        values=values,
        min=value.get("min", 1),
        max=value.get("max"),
        multiple_of=value.get("multiple_of", 1),
        doc=text(value.get("doc")),
    )
    if dim.max is not None and dim.min > dim.max:
        what = f"`min: {dim.min}` is above `max: {dim.max}`"
        out.add("OPG206", at(pointer, "min"), what, "No size is allowed then.", "Swap them.")
        return dim
    for number, size in enumerate(values):
        _report(dim, size, at(pointer, "values", number), out, listed=True)
    if "default" in value:
        _report(dim, value["default"], at(pointer, "default"), out)
    return dim


def _report(dim: Dim, size: int, pointer: str, out: Collector, listed: bool = False) -> None:
    for what, fix in outside(dim, size, listed):
        out.add("OPG206", pointer, what, _LIMIT, fix)


def outside(dim: Dim, size: int, listed: bool = False) -> Iterator[tuple[str, str]]:
    """What is wrong with a size of a dim, and what to do. listed: it is one of `values` itself."""
    if dim.fixed and size != dim.default:
        yield (
            f"{dim.name} is {dim.default}, not {size}",
            f"Make it `{dim.name}: {{default: {dim.default}}}` to allow others.",
        )
    if dim.values and not listed and size not in dim.values:
        yield (
            f"{size} is not among the values of {dim.name}: {', '.join(map(str, dim.values))}",
            "Add it, or choose one.",
        )
    if size < dim.min:
        yield f"{size} is below the smallest size of {dim.name}, {dim.min}", f"Write {dim.min} or more."
    if dim.max is not None and size > dim.max:
        yield f"{size} is above the largest size of {dim.name}, {dim.max}", f"Write {dim.max} or less."
    if size > MAX_SIZE:
        yield f"{size} is above 2147483647", "Write a smaller size."
    if size % dim.multiple_of:
        near = max(size // dim.multiple_of, 1) * dim.multiple_of
        yield (
            f"{size} is not a multiple of {dim.multiple_of}, as `multiple_of` asks of {dim.name}",
            f"Write {near}, for example.",
        )
