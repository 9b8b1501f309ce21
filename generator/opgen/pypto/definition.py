"""op_host/NAME_def.cpp: what op_build reads, and derives the aclnn interface from."""

from __future__ import annotations

import math

from opgen.cxx.layout import WIDTH, Expr, braces, call, columns, comment, flat, statement
from opgen.cxx.literals import attr_value
from opgen.cxx.names import ge_type
from opgen.formula.signature import Attr, Tensor
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render

_METHODS = {
    "bool": "Bool",
    "int": "Int",
    "float": "Float",
    "string": "String",
    "dtype": "Int",
    "ints": "ListInt",
    "floats": "ListFloat",
}


def definition(spec: OpSpec, operator: Operator) -> str:
    listed = f"inputs, outputs, {'attributes, ' if operator.attrs else ''}data types"
    return render(
        "pypto/op_host/def.cpp.j2",
        name=operator.name,
        type=operator.type,
        brief=comment(f"\\brief Definition of {operator.type}: {listed} and chips.", 0, " * "),
        limits=any(_infinite(attr) for attr in operator.attrs),
        parameters=[_parameter(operator, t) for t in (*operator.inputs, *operator.outputs)],
        attributes=[_attribute(attr) for attr in operator.attrs],
        soc=spec.soc,
    )


def column_types(operator: Operator, tensor: Tensor) -> tuple[str, ...]:
    """The type of a tensor in each column of the definition."""
    return tuple(dict(row).get(tensor.dtype, tensor.dtype) for row in operator.combinations)


def _parameter(operator: Operator, tensor: Tensor) -> str:
    types = column_types(operator, tensor)
    formats = braces(*["ge::FORMAT_ND"] * len(types))
    kind = "OPTIONAL" if tensor.optional else "REQUIRED"
    calls: list[Expr] = [
        f".ParamType({kind})",
        call(".DataType", braces(*map(ge_type, types))),
        call(".Format", formats),
        call(".UnknownShapeFormat", formats),
    ]
    if tensor.role == "input":
        calls.append(".AutoContiguous()")
    return _chain(f'this->{tensor.role.capitalize()}("{tensor.name}")', calls)


def _chain(head: str, calls: list[Expr]) -> str:
    """A chain of calls, one a line where one line cannot hold them."""
    line = f"        {head}{''.join(map(flat, calls))};"
    if columns(line) <= WIDTH:
        return line
    lines = [statement(" " * 12, one, "") for one in calls]
    return "\n".join([f"        {head}", *lines]) + ";"


def _attribute(attr: Attr) -> str:
    kind = "REQUIRED" if attr.required else "OPTIONAL"
    value: Expr = call(f".{_METHODS[attr.type]}", *([] if attr.default is None else [_default(attr)]))
    return _chain(f'this->Attr("{attr.name}")', [f".AttrType({kind})", value])


def _default(attr: Attr) -> Expr:
    assert attr.default is not None
    if isinstance(attr.default, tuple):
        items = [attr_value(attr, (item,), suffix="")[1:-1] for item in attr.default]
        return braces(*items)
    return attr_value(attr, attr.default, suffix="")


def _infinite(attr: Attr) -> bool:
    values = attr.default if isinstance(attr.default, tuple) else (attr.default,)
    return any(isinstance(value, float) and math.isinf(value) for value in values)
