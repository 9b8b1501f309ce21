"""The names that op_build derives for the aclnn interface of an operator.

The example, the documents and the tables take them from here; a definition that was compiled gives the same ones. For
each operator there are two functions: `aclnnAddGetWorkspaceSize` checks and plans, `aclnnAdd` launches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from opgen.facts.naming import snake
from opgen.pypto.names import lower_camel
from opgen.spec.model import Attr, Operator, Tensor

Role = Literal["input", "attr", "output"]
Kind = Literal["required", "optional", "dynamic"]

# Type of an attribute in op.yaml -> in a definition, in op_build's words. A type is handed over as its number.
ATTR_KINDS = {
    "bool": "bool",
    "int": "int",
    "dtype": "int",
    "float": "float",
    "string": "str",
    "ints": "listInt",
    "floats": "listFloat",
}
_ATTR_TYPES = {
    "bool": "bool ",
    "int": "int64_t ",
    "float": "double ",
    "str": "char *",
    "listBool": "const aclBoolArray *",
    "listInt": "const aclIntArray *",
    "listFloat": "const aclFloatArray *",
}
# Optional attributes of these types have the suffix Optional; those of the others do not.
_SUFFIXED = ("str", "listBool", "listInt", "listFloat")


@dataclass(frozen=True)
class Port:
    """An input or output of a definition."""

    name: str
    kind: Kind = "required"


@dataclass(frozen=True)
class AttrPort:
    """An attribute of a definition. type: a key of _ATTR_TYPES."""

    name: str
    type: str
    optional: bool


@dataclass(frozen=True)
class Parameter:
    """A parameter of the first function. source: its name in the definition. type: with the space or star in front of
    the name."""

    source: str
    name: str
    type: str
    role: Role

    @property
    def declaration(self) -> str:
        """`const aclTensor *x`"""
        return f"{self.type}{self.name}"


@dataclass(frozen=True)
class Interface:
    """op: the operator type. header: what a caller includes. parameters: of the first function, without workspaceSize
    and executor. An in-place tensor has one parameter, of the role input."""

    op: str
    parameters: tuple[Parameter, ...]

    @property
    def header(self) -> str:
        return f"aclnn_{snake(self.op)}.h"

    @property
    def first(self) -> str:
        return f"aclnn{self.op}GetWorkspaceSize"

    @property
    def second(self) -> str:
        return f"aclnn{self.op}"

    @property
    def first_parameters(self) -> tuple[str, ...]:
        """Declarations of all parameters of the first function."""
        own = tuple(parameter.declaration for parameter in self.parameters)
        return (*own, "uint64_t *workspaceSize", "aclOpExecutor **executor")

    @property
    def second_parameters(self) -> tuple[str, ...]:
        return ("void *workspace", "uint64_t workspaceSize", "aclOpExecutor *executor", "aclrtStream stream")

    @property
    def prototypes(self) -> tuple[str, str]:
        """Both functions as a document shows them, a parameter a line."""
        return (
            _prototype(self.first, self.first_parameters),
            _prototype(self.second, self.second_parameters),
        )

    def parameter(self, source: str, role: Role = "input") -> Parameter:
        """The parameter of an input, attribute or output of op.yaml; of an in-place output that of the input. KeyError:
        there is none."""
        for parameter in self.parameters:
            if parameter.source == source and parameter.role == role:
                return parameter
        if role == "output":
            return self.parameter(source)
        raise KeyError(source)


def interface(operator: Operator) -> Interface:
    """The interface of an operator of op.yaml."""
    return derive(
        operator.type,
        [_port(tensor) for tensor in operator.inputs],
        [_port(tensor) for tensor in operator.outputs],
        [_attr(attr) for attr in operator.attrs],
    )


def derive(op: str, inputs: Sequence[Port], outputs: Sequence[Port], attrs: Sequence[AttrPort]) -> Interface:
    """The interface of a definition."""
    return Interface(op, tuple(_parameters(inputs, outputs, attrs)))


def _parameters(inputs: Sequence[Port], outputs: Sequence[Port], attrs: Sequence[AttrPort]) -> Iterator[Parameter]:
    both = {port.name for port in inputs} & {port.name for port in outputs}
    for port in inputs:
        name = lower_camel(port.name) + ("Ref" if port.name in both else "")
        yield _tensor(port, name, "input")
    for attr in attrs:
        suffix = "Optional" if attr.optional and attr.type in _SUFFIXED else ""
        yield Parameter(attr.name, lower_camel(attr.name) + suffix, _ATTR_TYPES[attr.type], "attr")
    for port in outputs:
        if port.name not in both:
            # An in-place output is counted as well: beside one, the only other output is `yOut`.
            yield _tensor(port, "out" if len(outputs) == 1 else f"{lower_camel(port.name)}Out", "output")


def _tensor(port: Port, name: str, role: Role) -> Parameter:
    if port.kind == "optional":
        name += "Optional"
    # op_build looks at the end of the name: an optional in-place tensor stays const.
    const = "" if name.endswith("Ref") else "const "
    return Parameter(port.name, name, f"{const}{'aclTensorList' if port.kind == 'dynamic' else 'aclTensor'} *", role)


def _prototype(function: str, parameters: Sequence[str]) -> str:
    lines = ",\n".join(f"    {parameter}" for parameter in parameters)
    return f"aclnnStatus {function}(\n{lines});"


def _port(tensor: Tensor) -> Port:
    return Port(tensor.name, "dynamic" if tensor.count is not None else "optional" if tensor.optional else "required")


def _attr(attr: Attr) -> AttrPort:
    return AttrPort(attr.name, ATTR_KINDS[attr.type], not attr.required)
