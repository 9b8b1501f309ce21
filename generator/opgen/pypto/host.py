"""What the host files of a folder share: variables, constants, how a context is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.layout import Call, assignment, call
from opgen.cxx.names import distinct
from opgen.formula.signature import Attr, Tensor
from opgen.pypto.checks import null_check
from opgen.pypto.names import attr_constant, index_constant, lower_camel, tensor_locals
from opgen.spec.model import Operator

# Variables of the functions that are written around those of the operator.
_TAKEN = (
    *("context", "sizes", "attrs", "platform", "platformInfo", "tiling", "tilingKey", "workspaces", "deviceCores"),
    *("value", "row", "i", "para", "status"),
)

_GETTERS = {
    "bool": ("bool", "GetBool"),
    "int": ("int64_t", "GetInt"),
    "float": ("float", "GetFloat"),
    "string": ("char", "GetStr"),
    "dtype": ("int64_t", "GetInt"),
    "ints": ("gert::TypedContinuousVector<int64_t>", "GetListInt"),
    "floats": ("gert::TypedContinuousVector<float>", "GetListFloat"),
}


@dataclass(frozen=True)
class Host:
    operator: Operator

    @cached_property
    def _tensor_locals(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tensor_locals(self.operator, _TAKEN)

    @property
    def inputs(self) -> tuple[tuple[Tensor, str], ...]:
        """Each input and the variable for its shape or description."""
        return tuple(zip(self.operator.inputs, self._tensor_locals[0], strict=True))

    @property
    def outputs(self) -> tuple[tuple[Tensor, str], ...]:
        return tuple(zip(self.operator.outputs, self._tensor_locals[1], strict=True))

    @property
    def tensors(self) -> tuple[tuple[Tensor, str], ...]:
        return self.inputs + self.outputs

    @cached_property
    def attr_locals(self) -> dict[str, str]:
        """Attribute -> the variable that points to its value."""
        taken = (*_TAKEN, *(local for _, local in self.tensors))
        wanted = (lower_camel(a.name) for a in self.operator.attrs)
        return dict(zip((a.name for a in self.operator.attrs), distinct(wanted, taken), strict=True))

    def taken(self) -> set[str]:
        """Names that other variables must not have."""
        return {*_TAKEN, *(local for _, local in self.tensors), *self.attr_locals.values()}

    @property
    def some_optional(self) -> bool:
        """Whether the position of an input in a call can differ from that in the definition."""
        return any(t.optional for t in self.operator.inputs)

    def getter(self, tensor: Tensor, what: str) -> Call:
        """`context->GetInputShape(INPUT_X)`. what: "Shape", "Desc" or "DataType"."""
        kind = ""
        if tensor.role == "input" and self.some_optional:
            kind = "Optional" if tensor.optional else "Required"
        return call(f"context->Get{kind}{tensor.role.capitalize()}{what}", index_constant(tensor))

    def index_constants(self, tensors: Iterable[Tensor]) -> Iterator[str]:
        places = {id(t): n for group in (self.operator.inputs, self.operator.outputs) for n, t in enumerate(group)}
        for tensor in tensors:
            yield f"constexpr size_t {index_constant(tensor)} = {places[id(tensor)]};"

    def attr_constants(self, attrs: Iterable[Attr]) -> Iterator[str]:
        wanted = list(attrs)
        for number, attr in enumerate(self.operator.attrs):
            if attr in wanted:
                yield f"constexpr size_t {attr_constant(attr.name)} = {number};"

    def read_attrs(self, attrs: Iterable[Attr]) -> Iterator[str]:
        """Statements after which the variables point to the attributes."""
        wanted = [attr for attr in self.operator.attrs if attr in list(attrs)]
        if not wanted:
            return
        yield "    const gert::RuntimeAttrs* attrs = context->GetAttrs();"
        yield null_check(4, "attrs")
        for attr in wanted:
            kind, method = _GETTERS[attr.type]
            local = self.attr_locals[attr.name]
            yield assignment(f"    const {kind}* {local}", call(f"attrs->{method}", attr_constant(attr.name)))
            yield null_check(4, local)
