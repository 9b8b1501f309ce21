"""The typed formula: what kernel, golden values, inference and README read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.facts.dtypes import Kind
from opgen.formula.signature import Shape
from opgen.formula.sizes import Size

# What Node.value holds besides None.
NodeValue = bool | int | float | str | Size | tuple[bool, bool] | tuple[Size | None, Size | None] | tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """A typed expression of a formula, for one variant.

    shape: None for a weak scalar (literal, attribute, dim, absent optional input, and what is computed from these
    alone), else the axes. offset: characters into the formula, for findings. Operands may be of another kind than the
    result: an int where the result is a float, the bool of `where` or `sum`.

    op and value:
      const      value: bool, int or float (inf included)
      attr       value: name of a dynamic or open attribute; static closed ones are const already
      dim        value: name of a dim
      load       value: name of an input, as it was before the formula began
      local      value: name of an earlier line; unrounded
      add sub mul div floordiv mod pow neg   lt le gt ge eq ne   and or not
      exp log sqrt rsqrt reciprocal sin cos tanh erf sigmoid silu abs relu round floor ceil
      leaky_relu (x, slope)   maximum minimum   clip (x, lo, hi)   where (c, a, b)
      gelu       value: "none" or "tanh"
      cast       value: name of a type
      sum mean max min argmax argmin   over the last axis, which is kept with size 1
      arange     value: Size, the number of elements
      slice      value: (start, stop), each Size or None, of the last axis
      expand     value: positions of the new axes of size 1 in the result, counted from its end (-1 is the last axis)
      concat     over the last axis
      matmul     value: (transpose_a, transpose_b)
    """

    op: str
    kind: Kind
    shape: Shape | None
    args: tuple[Node, ...] = ()
    value: NodeValue | None = None
    offset: int = 0

    def walk(self) -> Iterator[Node]:
        """This node and all below it, operands first."""
        for arg in self.args:
            yield from arg.walk()
        yield self


@dataclass(frozen=True)
class Assignment:
    """One line. output: the name is an output, and the value is stored into it (rounded to `dtype` on the way).

    line: of the formula, counted from 0, where one line has become several; else it follows from the place."""

    name: str
    value: Node
    output: bool
    dtype: str = ""
    offset: int = 0
    line: int | None = None


@dataclass(frozen=True)
class TypedFormula:
    """A formula with kinds and shapes, for one variant. Static conditions are folded, absent inputs are constants."""

    assignments: tuple[Assignment, ...]

    def walk(self) -> Iterator[Node]:
        for assignment in self.assignments:
            yield from assignment.value.walk()
