"""OpSpec: what op.yaml says, checked and complete. Everything downstream reads this and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from opgen.formula.signature import NO_TEXT, Attr, Dim, Signature, Tensor, Text, Value, Variant
from opgen.formula.sizes import Size
from opgen.formula.syntax import Formula
from opgen.spec.defaults import Repository

__all__ = ["Attr", "Case", "Dim", "OpSpec", "Operator", "ScenarioName", "Tensor", "Text", "Tiling", "Variant"]

ScenarioName = Literal["eager", "online", "offline", "pypto"]


@dataclass(frozen=True)
class Field:
    """A field of TilingData (bits and values None) or TilingKey. value: expression of the host, as written."""

    name: str
    value: str | tuple[str, ...]
    bits: int | None = None
    values: tuple[int, ...] = ()
    doc: Text = NO_TEXT


@dataclass(frozen=True)
class Tiling:
    """`tiling:` as written; None and empty where the planner decides. block: elements, or sizes by dim symbol."""

    block: Size | tuple[tuple[str, Size], ...] | None = None
    buffers: Size | None = None
    cores: Size | None = None  # None is auto
    workspace: Size | None = None
    data: tuple[Field, ...] = ()
    key: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Case:
    """One complete test case: every dim, every attribute and every type symbol has its value. `...` is a tuple."""

    dims: tuple[tuple[str, int | tuple[int, ...]], ...]
    attrs: tuple[tuple[str, Value | tuple[int, ...] | tuple[float, ...]], ...]
    types: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Operator:
    """One operator.

    type: "AddCustom". name: "add_custom". combinations: the allowed choices of types, the first is what samples run;
    each has type symbols and then dtype attributes, in order of declaration; one empty tuple when there are none.
    formula: None when nothing says what is computed. kernel, reference: files beside op.yaml. tolerance: type -> t for
    every type that an output can have. cases[0] is what samples run. compute: the formula for
    readers, one line an assignment, without comments.
    """

    type: str
    name: str
    summary: Text
    signature: Signature
    combinations: tuple[tuple[tuple[str, str], ...], ...]
    formula: Formula | None
    compute: str
    kernel: str | None
    reference: str | None
    tiling: Tiling
    cases: tuple[Case, ...]
    tolerance: tuple[tuple[str, float], ...]
    type_symbols: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()
    ignore: tuple[str, ...] = ()
    pointer: str = ""  # of this operator in op.yaml: "" or "/ops/1"

    @property
    def dims(self) -> tuple[Dim, ...]:
        return self.signature.dims

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        return self.signature.inputs

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        return self.signature.outputs

    @property
    def attrs(self) -> tuple[Attr, ...]:
        return self.signature.attrs

    @property
    def static_attrs(self) -> tuple[Attr, ...]:
        """Attributes that are compiled into the kernel, without those that choose a type."""
        return tuple(a for a in self.attrs if not a.dynamic and a.type != "dtype")

    @property
    def dynamic_attrs(self) -> tuple[Attr, ...]:
        return tuple(a for a in self.attrs if a.dynamic)

    @property
    def optional_inputs(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.inputs if t.optional)


@dataclass(frozen=True)
class OpSpec:
    """A project: one operator or several in one library.

    summary, notes: of the library; with one operator, the operator's own. soc: canonical name. platform: TileLang's
    name of the chip's family. neighbour: relative path of the folder that the README compares with, "" without one.
    first: the language of README.md. repository: that the folder of a PyPTO operator is for.
    """

    project: str
    scenario: ScenarioName
    cann: str
    soc: str
    platform: str
    summary: Text
    operators: tuple[Operator, ...]
    neighbour: str = ""
    notes: tuple[Text, ...] = ()
    first: Literal["en", "zh"] = "zh"
    extra: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    repository: Repository = field(default_factory=Repository)
