"""The header with REG_OP: the prototype of an operator, for its library and for programs that build graphs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from opgen.cxx.layout import Call, Expr, comment, statement
from opgen.cxx.literals import attr_value
from opgen.cxx.names import guard
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Tensor
from opgen.formula.sizes import show
from opgen.spec.model import Operator
from opgen.templating import render
from opgen.text.escape import cxx_comment

_KINDS = {
    "bool": "Bool",
    "int": "Int",
    "float": "Float",
    "string": "String",
    "dtype": "Type",
    "ints": "ListInt",
    "floats": "ListFloat",
}


def reg_op_header(operator: Operator) -> str:
    """The text of ge/NAME.h."""
    return render(
        "ge/op.h.j2", guard=guard(operator.name, "ge", f"{operator.name}.h"), type=operator.type, **_parts(operator)
    )


def proto_header(operator: Operator) -> str:
    """The text of op_graph/NAME_proto.h. An attribute that chooses a type is an integer there: so op_build has it."""
    return render(
        "pypto/op_graph/proto.h.j2",
        guard=guard("OPS_OP_PROTO_INC", operator.name, "h"),
        name=operator.name,
        type=operator.type,
        **_parts(operator, _KINDS | {"dtype": "Int"}),
    )


def _parts(operator: Operator, kinds: Mapping[str, str] = _KINDS) -> dict[str, Any]:
    tensors = [_tensor(operator, t) for t in (*operator.inputs, *operator.outputs)]
    return {
        "limits": any(_has_infinity(attr) for attr in operator.attrs),
        "comment": _documentation(operator),
        "items": tensors
        + [_attr(attr, kinds) for attr in operator.attrs]
        + [_item("DATATYPE", symbol, _types(types)) for symbol, types in _symbols(operator).items()],
    }


def choices(operator: Operator, name: str) -> tuple[str, ...]:
    """The types that a type symbol or dtype attribute can stand for, in the order of op.yaml."""
    for attr in operator.attrs:
        if attr.name == name:
            return tuple(map(str, attr.values))
    return tuple(dict.fromkeys(dict(row)[name] for row in operator.combinations))


def _symbols(operator: Operator) -> dict[str, tuple[str, ...]]:
    return {symbol: choices(operator, symbol) for symbol in operator.type_symbols}


def _item(kind: str, *args: Expr) -> str:
    return statement("    ", Call(f".{kind}(", args), "")


def _types(dtypes: tuple[str, ...]) -> Expr:
    return Call("TensorType({", tuple(DTYPES[dtype].ge for dtype in dtypes), "})")


def _tensor(operator: Operator, tensor: Tensor) -> str:
    kind = tensor.role.upper()
    if tensor.count is not None:
        kind = f"DYNAMIC_{kind}"
    elif tensor.optional:
        kind = f"OPTIONAL_{kind}"
    if tensor.dtype in operator.type_symbols:
        return _item(kind, tensor.name, f'"{tensor.dtype}"')
    if tensor.dtype in DTYPES:
        return _item(kind, tensor.name, _types((tensor.dtype,)))
    return _item(kind, tensor.name, _types(choices(operator, tensor.dtype)))


def _attr(attr: Attr, kinds: Mapping[str, str]) -> str:
    if attr.default is None:
        return _item("REQUIRED_ATTR", attr.name, kinds[attr.type])
    return _item("ATTR", attr.name, kinds[attr.type], attr_value(attr, attr.default, suffix="", namespace=""))


def _has_infinity(attr: Attr) -> bool:
    values = attr.default if isinstance(attr.default, tuple) else (attr.default,)
    return any(isinstance(value, float) and math.isinf(value) for value in values)


def _documentation(operator: Operator) -> str:
    lines = [f"@brief {brief(operator)}"]
    if operator.compute.count("\n"):
        lines += ["", "@par Formula", *operator.compute.splitlines()]
    lines += _section("Inputs", [f"{t.name}: {_describe(operator, t)}" for t in operator.inputs])
    lines += _section("Outputs", [f"{t.name}: {_describe(operator, t)}" for t in operator.outputs])
    lines += _section("Attributes", [f"{a.name}: {_describe_attr(a)}" for a in operator.attrs])
    return "\n".join(["/**", *(comment(cxx_comment(line), 0, " * ") for line in lines), " */"])


def brief(operator: Operator) -> str:
    """The summary as a sentence, with a formula of one line."""
    sentence = operator.summary.en.rstrip()
    if not operator.compute or "\n" in operator.compute:
        return sentence
    return f"{sentence.rstrip('.')}: {operator.compute.strip()}."


def _section(title: str, items: list[str]) -> list[str]:
    if not items:
        return []
    sign = "@li " if len(items) > 1 else ""
    return ["", f"@par {title}", *(f"{sign}{item}" for item in items)]


def _describe(operator: Operator, tensor: Tensor) -> str:
    """`addend, of the shape and type of x.`"""
    what = _lower(tensor.doc.en) or ("list of tensors" if tensor.count is not None else "tensor")
    parts = []
    if tensor.inplace:
        parts.append("written into the input")
    else:
        parts.append(_shape_and_type(operator, tensor))
    if tensor.count is not None:
        parts.append(f"{show(tensor.count)} of them")
    if tensor.optional:
        parts.append(f"{_plain(tensor.default)} if not connected")
    return f"{what}, {', '.join(part for part in parts if part)}."


def _shape_and_type(operator: Operator, tensor: Tensor) -> str:
    earlier = [t for t in (*operator.inputs, *operator.outputs) if t is not tensor]
    earlier = earlier[: [*operator.inputs, *operator.outputs].index(tensor)]
    like = next((t.name for t in earlier if t.shape == tensor.shape), None)
    typed = next((t.name for t in earlier if t.dtype == tensor.dtype), None)
    both = next((t.name for t in earlier if t.shape == tensor.shape and t.dtype == tensor.dtype), None)
    if both is not None:
        return f"of the shape and type of {both}"
    shape = f"of the shape of {like}" if like else _shape(tensor)
    if tensor.dtype in DTYPES:
        return f"{shape}, of type {tensor.dtype}"
    if tensor.dtype not in operator.type_symbols:
        return f"{shape}, of the type that attribute {tensor.dtype} names"
    return f"{shape}, of the type of {typed}" if typed else shape


def _shape(tensor: Tensor) -> str:
    if tensor.shape and tensor.shape[0].op == "rest" and len(tensor.shape) == 1:
        return "of any shape"
    return f"of shape [{', '.join(show(axis) for axis in tensor.shape)}]"


def _describe_attr(attr: Attr) -> str:
    what = _lower(attr.doc.en) or attr.type
    if attr.values:
        what += f", one of {', '.join(map(_plain, attr.values))}"
    return f"{what}; {'required' if attr.default is None else f'{_plain(attr.default)} if not given'}."


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_plain, value))}]"
    return str(value)


def _lower(sentence: str) -> str:
    """A text as the beginning of a phrase: without its last period, and with a small letter unless it is a name."""
    text = sentence.strip().removesuffix(".")
    return text[:1].lower() + text[1:] if re.match(r"[A-Z][a-z ]", text) else text
