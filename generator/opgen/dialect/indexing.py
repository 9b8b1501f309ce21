"""What can be indexed: buffers on chip and tensors in global memory; pieces of them; single elements."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.dialect.expression import plain
from opgen.dialect.machine import Abandon, here
from opgen.facts.dtypes import ALIASES, DTYPES

Index = Any
_HELD = {"bfloat16": "float32", "bool": "uint8"}


def held(dtype: str) -> np.dtype[Any]:
    """The type of arrays that hold elements of a type: bfloat16 as float32, bool as uint8."""
    return np.dtype(_HELD.get(dtype, dtype))


def dtype_name(value: object) -> str:
    """The name of an element type, however it is written: a string, T.float16, torch.float16."""
    name = str(getattr(value, "name", value)).removeprefix("torch.")
    name = ALIASES.get(name, name)
    if name not in DTYPES:
        raise TypeError(f"{name} is not an element type")
    return name


class Indexed:
    """Something with elements in row-major order."""

    def __init__(self, dtype: object, shape: tuple[Any, ...]) -> None:
        self.dtype = dtype_name(dtype)
        self.shape = tuple(int(plain(axis)) for axis in shape)
        self.size = math.prod(self.shape)
        self.item = DTYPES[self.dtype].size

    @property
    def name(self) -> str:
        raise NotImplementedError

    def load(self, index: tuple[int, ...]) -> Any:
        raise NotImplementedError

    def store(self, index: tuple[int, ...], value: Any) -> None:
        raise NotImplementedError

    def load_grid(self, index: tuple[Any, ...]) -> Any:
        raise NotImplementedError

    def store_grid(self, index: tuple[Any, ...], value: Any) -> None:
        raise NotImplementedError

    def flat(self, index: tuple[Any, ...]) -> Any:
        position = 0
        for one, axis in zip(index, self.shape, strict=True):
            position = position * axis + one
        return position

    def runs(self, starts: tuple[int, ...], extents: tuple[int, ...]) -> list[tuple[int, int]]:
        """(first element, elements) of each piece of a box that has no gaps."""
        axis = len(extents)
        run = 1
        while axis > 0:
            axis -= 1
            run *= extents[axis]
            if extents[axis] != self.shape[axis]:
                break
        base = self.flat(starts)
        strides = [math.prod(self.shape[i + 1 :]) for i in range(axis)]
        return [
            (base + sum(i * s for i, s in zip(index, strides, strict=True)), run)
            for index in np.ndindex(*extents[:axis])
        ]

    def __getitem__(self, keys: Any) -> Region | Element:
        given = keys if isinstance(keys, tuple) else (keys,)
        if len(given) != len(self.shape):
            here().report(
                "OPG743",
                f"{self.name} has {len(self.shape)} axes and is indexed with {len(given)}",
                fix="give an index or a slice for every axis",
            )
            raise Abandon
        if any(isinstance(key, np.ndarray) for key in given):
            return Grid(self, tuple(key if isinstance(key, np.ndarray) else integer(key) for key in given))
        starts, extents, ranged = [], [], False
        for key, axis in zip(given, self.shape, strict=True):
            if isinstance(key, slice):
                start = 0 if key.start is None else integer(key.start)
                stop = axis if key.stop is None else integer(key.stop)
                ranged = ranged or key.start is not None or key.stop is not None
                starts.append(start)
                extents.append(max(0, stop - start))
            else:
                starts.append(integer(key))
                extents.append(0)
        if not any(isinstance(key, slice) for key in given):
            return Element(self, tuple(starts))
        sizes = tuple(e if isinstance(k, slice) else 1 for e, k in zip(extents, given, strict=True))
        return Region(self, tuple(starts), sizes, ranged)

    def __setitem__(self, keys: Any, value: Any) -> None:
        target = self[keys]
        if isinstance(target, Grid):
            self.store_grid(target.index, number(value))
            return
        if isinstance(target, Region):
            here().report(
                "OPG743",
                f"a slice of {self.name} is assigned to",
                fix="use T.copy, T.tile.fill or an operation of T.tile",
            )
            raise Abandon
        self.store(target.index, number(value))


def integer(value: Index) -> int:
    return int(value.number()) if isinstance(value, Number) else int(operator.index(plain(value)))


def number(value: Any) -> Any:
    """A plain number: expressions and elements are read."""
    return value.number() if isinstance(value, Number) else plain(value)


class Region:
    """A slice. ranged: it has bounds, not only whole axes and single indices."""

    def __init__(self, owner: Indexed, starts: tuple[int, ...], extents: tuple[int, ...], ranged: bool) -> None:
        self.owner = owner
        self.starts = starts
        self.extents = extents
        self.ranged = ranged

    @property
    def dtype(self) -> str:
        return self.owner.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.extents

    @property
    def shown(self) -> str:
        """For messages."""
        axes = zip(self.starts, self.extents, self.owner.shape, strict=True)
        parts = [":" if (s, e) == (0, a) else str(s) if e == 1 else f"{s}:{s + e}" for s, e, a in axes]
        return f"{self.owner.name}[{', '.join(parts)}]"


class Number:
    """What the scalar unit reads when it computes. Arithmetic with it is arithmetic with what it holds at that time."""

    # NumPy leaves arithmetic with it to the object.
    __array_ufunc__ = None

    def number(self) -> Any:
        raise NotImplementedError

    def __index__(self) -> int:
        return int(self.number())

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.number())

    def __bool__(self) -> bool:
        return bool(self.number())

    def __hash__(self) -> int:
        return id(self)

    def _with(self, function: Callable[[Any, Any], Any], other: Any, swapped: bool = False) -> Any:
        mine, theirs = self.number(), number(other)
        with np.errstate(all="ignore"):
            return function(theirs, mine) if swapped else function(mine, theirs)

    def __add__(self, other: Any) -> Any:
        return self._with(operator.add, other)

    def __radd__(self, other: Any) -> Any:
        return self._with(operator.add, other, True)

    def __sub__(self, other: Any) -> Any:
        return self._with(operator.sub, other)

    def __rsub__(self, other: Any) -> Any:
        return self._with(operator.sub, other, True)

    def __mul__(self, other: Any) -> Any:
        return self._with(operator.mul, other)

    def __rmul__(self, other: Any) -> Any:
        return self._with(operator.mul, other, True)

    def __truediv__(self, other: Any) -> Any:
        return self._with(operator.truediv, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(operator.truediv, other, True)

    def __floordiv__(self, other: Any) -> Any:
        return self._with(operator.floordiv, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with(operator.floordiv, other, True)

    def __mod__(self, other: Any) -> Any:
        return self._with(operator.mod, other)

    def __rmod__(self, other: Any) -> Any:
        return self._with(operator.mod, other, True)

    def __neg__(self) -> Any:
        return -self.number()

    def __lt__(self, other: Any) -> Any:
        return self._with(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._with(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._with(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._with(operator.ge, other)

    def __eq__(self, other: object) -> Any:
        return self._with(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self._with(operator.ne, other)


class Element(Number):
    """One element. In T.copy it is where a slice begins; anywhere else it is the number that it holds."""

    def __init__(self, owner: Indexed, index: tuple[Any, ...]) -> None:
        self.owner = owner
        self.index = index

    @property
    def dtype(self) -> str:
        return self.owner.dtype

    def number(self) -> Any:
        return self.owner.load(self.index)


class Grid(Element):
    """The elements of a T.Parallel loop, all at once: some indices are arrays."""

    def number(self) -> Any:
        return self.owner.load_grid(self.index)


def pieces(flat: Any) -> list[tuple[int, int]]:
    """(first, count) of each gapless piece of a set of positions."""
    positions = np.unique(flat)
    ends = np.flatnonzero(np.diff(positions) != 1)
    firsts = positions[np.concatenate([[0], ends + 1])]
    lasts = positions[np.concatenate([ends, [len(positions) - 1]])]
    return [(int(first), int(last - first + 1)) for first, last in zip(firsts, lasts, strict=True)]
