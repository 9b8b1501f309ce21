"""Sizes of arrays in C++ that the program knows only when it runs, beside those that are numbers.

Index arithmetic is the same for both: an extent multiplies, adds and compares as a number does, and prints as what it
is in C++. One that is no number is taken to be larger than 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from opgen.formula.sizes import Size, cxx, simplify


@dataclass(frozen=True)
class Extent:
    """size: in normal form, over names of C++ variables of type size_t."""

    size: Size

    def __mul__(self, other: Axis) -> Axis:
        return _joined("mul", self, other)

    def __rmul__(self, other: Axis) -> Axis:
        return _joined("mul", other, self)

    def __add__(self, other: Axis) -> Axis:
        return _joined("add", self, other)

    def __radd__(self, other: Axis) -> Axis:
        return _joined("add", other, self)

    def __gt__(self, other: object) -> bool:
        return True

    def __str__(self) -> str:
        """It binds like a name."""
        text = cxx(self.size, lambda name: name)
        return text if self.size.op in ("name", "const") else f"({text})"


Axis = int | Extent


def extent(size: Size) -> Axis:
    """A number where it is one."""
    plain = simplify(size)
    return plain.number if plain.number is not None else Extent(plain)


def elements(axis: Axis) -> str:
    """As a number of elements."""
    return f"{axis}U" if isinstance(axis, int) else str(axis).removeprefix("(").removesuffix(")")


def real(axis: Axis) -> str:
    """As a double."""
    return f"{axis}.0" if isinstance(axis, int) else f"static_cast<double>({elements(axis)})"


def _joined(op: str, left: Axis, right: Axis) -> Axis:
    first, second = (side.size if isinstance(side, Extent) else Size.const(side) for side in (left, right))
    return extent(Size(op, (first, second)))
