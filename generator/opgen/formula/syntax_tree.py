"""The tree of a formula as written, before names and types have a meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.formula.sizes import Size


@dataclass(frozen=True)
class Expr:
    """An expression. offset, length: characters of the source that it was read from.

    op and value:
      number     value: int or float (inf included)
      bool       value: True or False
      string     value: text; in conditions and options only
      name       value: the name
      size       value: Size; argument of arange
      add sub mul div floordiv mod matmul pow neg   lt le gt ge eq ne   and or not
      if         args: condition, then, otherwise. A condition is a name, string, number or bool, `not` one of them, or
                 `eq` or `ne` of two of them
      index      args: the tensor. index: what is in the brackets
      call       value: the function; args: its parameters in order; options: what else was given, by name
      list       args: the members; argument of concat
    """

    op: str
    args: tuple[Expr, ...] = ()
    value: bool | int | float | str | Size | None = None
    offset: int = 0
    length: int = 1
    index: tuple[Index, ...] = ()
    options: tuple[tuple[str, Expr], ...] = ()

    def walk(self) -> Iterator[Expr]:
        """This expression and all below it, in the order in which it is written."""
        yield self
        for arg in self.args:
            yield from arg.walk()
        for _, option in self.options:
            yield from option.walk()


@dataclass(frozen=True)
class Index:
    """One entry in brackets. op: "rest" (`...`), "new" (`None`), or "slice" with start and stop, or without."""

    op: str
    start: Size | None = None
    stop: Size | None = None
    offset: int = 0
    length: int = 1

    @property
    def whole(self) -> bool:
        """`:`"""
        return self.op == "slice" and self.start is None and self.stop is None


@dataclass(frozen=True)
class Statement:
    """One line: name = value. offset, length: of the name."""

    name: str
    value: Expr
    offset: int
    length: int


@dataclass(frozen=True)
class Formula:
    """A formula as written. Its source is what Markdown and findings show."""

    source: str
    lines: tuple[Statement, ...]

    def walk(self) -> Iterator[Expr]:
        for line in self.lines:
            yield from line.value.walk()
