"""What a formula can name: dims, tensors, attributes; and the choices that are made before it has a type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from opgen.formula.sizes import Size

Value = bool | int | float | str
Shape = tuple[Size, ...]  # `...` is Size.rest() and stands first


@dataclass(frozen=True)
class Text:
    """One text in both languages."""

    en: str
    zh: str


NO_TEXT = Text("", "")


@dataclass(frozen=True)
class Dim:
    """A dim symbol, or `...`.

    default: size in samples; of `...` a tuple of sizes. fixed: the default is the only size. values: the only sizes, if
    not empty. max is None without a limit.
    """

    name: str
    default: int | tuple[int, ...]
    fixed: bool = False
    dynamic: bool = False
    values: tuple[int, ...] = ()
    min: int = 1
    max: int | None = None
    multiple_of: int = 1
    doc: Text = NO_TEXT

    @property
    def rest(self) -> bool:
        return self.name == "..."

    @property
    def closed(self) -> bool:
        """Whether the possible values are finite in number."""
        return self.fixed or bool(self.values)


@dataclass(frozen=True)
class Tensor:
    """An input or output. dtype: a type, a type symbol or the name of a dtype attribute.

    default: of an optional input, else None. low, high: limits of the elements (`min` and `max` of op.yaml), always set
    for inputs. inplace: this output is the input of the same name (its dtype and shape are copied here). count: None,
    or the number of equal tensors.
    """

    name: str
    dtype: str
    shape: Shape
    role: Literal["input", "output"]
    default: bool | int | float | None = None
    low: int | float | Size | None = None
    high: int | float | Size | None = None
    inplace: bool = False
    count: Size | None = None
    doc: Text = NO_TEXT

    @property
    def optional(self) -> bool:
        return self.default is not None


AttrType = Literal["bool", "int", "float", "string", "dtype", "ints", "floats"]


@dataclass(frozen=True)
class Attr:
    """An attribute. default None: the caller must give it. dynamic: passed to the kernel when it runs."""

    name: str
    type: AttrType
    default: Value | tuple[int, ...] | tuple[float, ...] | None = None
    values: tuple[Value | tuple[int, ...] | tuple[float, ...], ...] = ()
    min: int | float | None = None
    max: int | float | None = None
    dynamic: bool = False
    doc: Text = NO_TEXT

    @property
    def required(self) -> bool:
        return self.default is None

    @property
    def closed(self) -> bool:
        return self.type == "bool" or bool(self.values)


@dataclass(frozen=True)
class Signature:
    """The names of one operator, in the order of op.yaml."""

    dims: tuple[Dim, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    attrs: tuple[Attr, ...]


@dataclass(frozen=True)
class Variant:
    """Everything that is decided before a kernel is written, except sizes.

    types: type symbols and dtype attributes -> type, symbols first, in order of declaration. attrs: static attributes
    of the other kinds -> value; a static attribute with open values is left out (it stays a name). absent: optional
    inputs that are not connected.
    """

    types: tuple[tuple[str, str], ...] = ()
    attrs: tuple[tuple[str, Value | tuple[int, ...] | tuple[float, ...]], ...] = ()
    absent: tuple[str, ...] = ()

    def dtype(self, name: str) -> str:
        """The type that a tensor's `dtype` stands for here."""
        return dict(self.types).get(name, name)
