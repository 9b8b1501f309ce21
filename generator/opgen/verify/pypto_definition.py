"""A compiled definition against op.yaml, and against what CANN's op_build says of definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.facts.socs import DEFAULT_PYPTO_SOC
from opgen.formula.signature import Attr, Tensor
from opgen.pypto.aclnn import ATTR_KINDS, interface
from opgen.sim.host import TYPE_NUMBERS, AttrDef, Definition, Param
from opgen.sim.pypto_headers import KernelHeaders
from opgen.spec.model import Operator
from opgen.verify.pypto_aclnn import interface_of

_ND = 2
_WORD = 8  # bytes


def definition_problems(definition: Definition, operator: Operator, headers: KernelHeaders) -> Iterator[str]:
    """What is wrong, a sentence each."""
    refused = list(_refused(definition))
    yield from refused
    if definition.type != operator.type:
        yield f"the definition is of {definition.type}, not of {operator.type}"
    yield from _tensors("input", definition.inputs, operator.inputs, operator)
    yield from _tensors("output", definition.outputs, operator.outputs, operator)
    yield from _attrs(definition.attrs, operator.attrs)
    yield from _chips(definition, headers)
    yield from _layout(definition, headers)
    if not refused and interface_of(definition) != interface(operator):
        yield "op_build derives another aclnn interface from the definition than op.yaml has"


def _refused(definition: Definition) -> Iterator[str]:
    """What op_build refuses, or takes in silence and means otherwise."""
    params = [*definition.inputs, *definition.outputs]
    columns = {len(param.types) for param in params}
    if not definition.inputs or not definition.inputs[0].types:
        yield f"op_build: The dtype size of input[0] of op {definition.type} is 0"
    if len(columns | {len(p.formats) for p in params}) > 1:
        yield "op_build: Element num of DataType and Format is not aligned"
    for param in params:
        if param.again:
            yield f"{param.name} is defined twice, and the last definition counts"
        if any(param.lists):
            yield f"{param.name} mixes lists that are crossed with columns"
        if param.unknown_formats and len(param.unknown_formats) != len(param.formats):
            yield f"{param.name} has {len(param.formats)} formats, but {len(param.unknown_formats)} for unknown shapes"
    for attr in definition.attrs:
        if attr.again:
            yield f"the attribute {attr.name} is defined twice, and the last definition counts"


def _tensors(role: str, params: Sequence[Param], tensors: Sequence[Tensor], operator: Operator) -> Iterator[str]:
    names, wanted = [p.name for p in params], [t.name for t in tensors]
    if names != wanted:
        yield f"the definition has the {role}s {', '.join(names)}, op.yaml has {', '.join(wanted)}"
        return
    for param, tensor in zip(params, tensors, strict=True):
        kind = "optional" if tensor.optional else "required"
        if param.kind != kind:
            yield f"the {role} {param.name} is {param.kind}, in op.yaml it is {kind}"
        types = tuple(TYPE_NUMBERS[dict(column).get(tensor.dtype, tensor.dtype)] for column in operator.combinations)
        if sorted(param.types) != sorted(types):
            yield f"the {role} {param.name} has the types {_named(param.types)}, in op.yaml {_named(types)}"
        if set(param.formats) != {_ND}:
            yield f"the {role} {param.name} has other formats than ND"
        if param.contiguous != (role == "input"):
            word = "is not" if role == "input" else "is"
            yield f"the {role} {param.name} {word} made contiguous"


def _named(numbers: Sequence[int]) -> str:
    names = {number: name for name, number in TYPE_NUMBERS.items()}
    return ", ".join(names.get(number, str(number)) for number in numbers)


def _attrs(found: Sequence[AttrDef], wanted: Sequence[Attr]) -> Iterator[str]:
    if [a.name for a in found] != [a.name for a in wanted]:
        names, ours = ", ".join(a.name for a in found), ", ".join(a.name for a in wanted)
        yield f"the definition has the attributes {names or 'none'}, op.yaml has {ours or 'none'}"
        return
    for attr, own in zip(found, wanted, strict=True):
        if attr.type != ATTR_KINDS[own.type]:
            yield f"the attribute {attr.name} is {attr.type}, in op.yaml it is {own.type}"
        if (attr.kind == "required") != own.required:
            yield f"the attribute {attr.name} is {attr.kind}"
        elif not own.required and not _is_default(attr, own):
            yield f"the attribute {attr.name} defaults to {attr.value}, in op.yaml to {own.default}"


def _is_default(attr: AttrDef, own: Attr) -> bool:
    default = own.default
    if attr.value is None:
        return False
    if isinstance(default, tuple):
        items = [float(item) for item in attr.value.split(",") if item]
        return len(items) == len(default) and all(_near(a, float(b)) for a, b in zip(items, default, strict=True))
    if own.type == "dtype":
        return attr.value == str(TYPE_NUMBERS[str(default)])
    if isinstance(default, bool):
        return attr.value == str(default).lower()
    return _near(float(attr.value), default) if isinstance(default, int | float) else attr.value == default


def _near(text: float, value: float) -> bool:
    """Equal as float32, of which nine digits are told."""
    return text == value or abs(text - value) <= 1e-7 * abs(value)


def _chips(definition: Definition, headers: KernelHeaders) -> Iterator[str]:
    if list(definition.socs) != [DEFAULT_PYPTO_SOC]:
        yield f"the definition is for {', '.join(definition.socs) or 'no chip'}; PyPTO Pro has {DEFAULT_PYPTO_SOC} only"
        return
    file = definition.socs[DEFAULT_PYPTO_SOC].get("opFile.value", "")
    if file != headers.kernel:
        yield f"opFile.value is {file or 'not set'}, and the kernel is {headers.kernel}"


def _layout(definition: Definition, headers: KernelHeaders) -> Iterator[str]:
    """The registered layout of TilingData against the class that the kernel has."""
    if not definition.layout:
        yield "no layout of TilingData is registered: the package would not know its size"
        return
    if definition.layout == headers.data_class:
        yield f"the registered layout is called {definition.layout}, as the class that it would hide"
    types = {"int": "int64_t", "float": "float", "bool": "bool"}
    ours = [(f.name, types[f.kind], f.count, f.offset) for f in headers.data]
    theirs = [(f.name, f.type, f.count, f.offset) for f in definition.fields]
    if ours != theirs:
        yield f"the registered layout of TilingData differs from {headers.data_class} of the kernel"
    elif definition.size != -(-headers.data_size // _WORD) * _WORD:
        yield f"the registered layout has {definition.size} bytes, {headers.data_class} {headers.data_size}"
