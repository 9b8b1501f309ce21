"""Integers that a kernel learns when it runs: they can be computed with, and are no constants of the translation."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any


class RunTime(int):
    """A field of TilingData, an index of a worker or a loop, an element. What is computed from one is one."""

    __slots__ = ()


def _of(compute: Callable[[Any, Any], Any], swapped: bool) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        result = compute(int(other), int(self)) if swapped else compute(int(self), int(other))
        return RunTime(result)

    return method


for _name, _compute in {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}.items():
    setattr(RunTime, f"__{_name}__", _of(_compute, False))
    setattr(RunTime, f"__r{_name}__", _of(_compute, True))
setattr(RunTime, "__neg__", lambda self: RunTime(-int(self)))  # noqa: B010
setattr(RunTime, "__invert__", lambda self: RunTime(~int(self)))  # noqa: B010


def constant(value: Any) -> bool:
    """Whether a value is an integer that is known when the kernel is translated."""
    return isinstance(value, int) and not isinstance(value, (bool, RunTime))
