"""Where sizes and types come from: every dim, type symbol and output type follows from the required inputs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from opgen.formula.signature import Attr, Signature, Tensor
from opgen.formula.sizes import Size, binding, names, show, simplify, substitute, type_names
from opgen.spec.collect import Collector, at, listed
from opgen.spec.types import Types, undetermined

_SIZES = "The host takes every size from the required inputs: an axis `S` or `k * S` of one of them, or a `count`."
_TYPES = "GE asks for the types of the outputs as soon as it knows those of the required inputs."


def check_binding(signature: Signature, types: Types, compute: str, pointer: str, out: Collector) -> None:
    """OPG202, OPG204, OPG205, OPG211 of an operator whose tensors are right one by one."""
    _check_dims(signature, pointer, out)
    _check_types(signature, types, compute, pointer, out)


def _check_dims(signature: Signature, pointer: str, out: Collector) -> None:
    used = {name for tensor in _tensors(signature) for name in _names(tensor)}
    for dim in signature.dims:
        if dim.name not in used:
            why = "A dim is the size of an axis; the kernel script takes every dim as an argument."
            what, fix = f"the dim `{dim.name}` is never used", "Remove it, or use it in a shape."
            out.add("OPG205", at(pointer, "dims", dim.name), what, why, fix, key=True)
            continue
        for choice in _choices(signature):
            if dim.name in _bound(signature, choice, required=True):
                continue
            if not any(dim.name in _names(tensor, choice) for tensor in _tensors(signature)):
                continue
            _unbound(signature, dim.name, choice, pointer, out)
            break


def _unbound(signature: Signature, name: str, choice: dict[str, int], pointer: str, out: Collector) -> None:
    settled = ", ".join(
        f"{key} is {('false', 'true')[value] if value in (0, 1) else value}" for key, value in choice.items()
    )
    where = f" when {settled}" if settled else ""
    for number, tensor in enumerate(signature.inputs):
        if tensor.optional and name in _bound_by(tensor, choice):
            what = f"only the optional input `{tensor.name}` has the dim `{name}`{where}"
            fix = "Give a required input that axis, or make this input required."
            out.add("OPG211", at(pointer, "inputs", number, "shape"), what, _SIZES, fix)
            return
    fix = "Give a required input an axis of that size. Sizes that depend on data are padded to the largest one."
    if name == "...":
        fix = "Let the shape of a required input begin with `...`."
    axes = ((t, _settled(axis, choice)) for t in signature.inputs if not t.optional for axis in t.shape)
    joint = next((f"`{show(axis)}` of `{t.name}`" for t, axis in axes if name in names(axis)), "")
    if joint:
        fix = f"{joint} does not tell it: declare that axis as one dim, or give a required input an axis `{name}`."
    out.add(
        "OPG204", at(pointer, "dims", name), f"no required input has the dim `{name}`{where}", _SIZES, fix, key=True
    )


def _choices(signature: Signature) -> Iterator[dict[str, int]]:
    """Every choice of the attributes that conditions in shapes depend on; one empty choice when there are none."""
    deciding: dict[str, Attr] = {}
    attrs = {attr.name: attr for attr in signature.attrs}
    for tensor in _tensors(signature):
        for axis in tensor.shape:
            for part in axis.walk():
                if part.op == "if":
                    deciding |= {name: attrs[name] for name in names(part.args[0]) if name in attrs}
    values = [[int(v) for v in closed_values(attr) if isinstance(v, int)] for attr in deciding.values()]
    for chosen in itertools.islice(itertools.product(*values), 64):
        yield dict(zip(deciding, chosen, strict=True))


def closed_values(attr: Attr) -> tuple[Any, ...]:
    """The values of an attribute, if they are finite in number; the default first."""
    values: tuple[Any, ...] = attr.values or ((False, True) if attr.type == "bool" else ())
    if attr.default is None:
        return values
    return (attr.default, *(v for v in values if v != attr.default)) if values else ()


def _tensors(signature: Signature) -> tuple[Tensor, ...]:
    return signature.inputs + signature.outputs


def _names(tensor: Tensor, choice: dict[str, int] | None = None) -> set[str]:
    found: set[str] = set()
    for axis in (*tensor.shape, *((tensor.count,) if tensor.count is not None else ())):
        found |= {"..."} if axis.op == "rest" else set(names(_settled(axis, choice)))
    return found


def _settled(axis: Size, choice: dict[str, int] | None) -> Size:
    return simplify(substitute(axis, choice)) if choice else axis


def _bound(signature: Signature, choice: dict[str, int], required: bool) -> set[str]:
    found: set[str] = set()
    for tensor in signature.inputs:
        if not (required and tensor.optional):
            found |= _bound_by(tensor, choice)
    return found


def _bound_by(tensor: Tensor, choice: dict[str, int]) -> set[str]:
    found: set[str] = set()
    for axis in tensor.shape:
        if axis.op == "rest":
            found.add("...")
            continue
        bound = binding(_settled(axis, choice))
        if bound is not None:
            found.add(bound[0])
    if tensor.count is not None and tensor.count.op == "name":
        found.add(str(tensor.count.value))
    return found


def _check_types(signature: Signature, types: Types, compute: str, pointer: str, out: Collector) -> None:
    required = {t.dtype for t in signature.inputs if not t.optional}
    bound = {symbol for symbol in (*types.symbols, *types.choices) if symbol in required or symbol in types.choices}
    used = {tensor.dtype for tensor in _tensors(signature)} | _asked(signature)
    words = set(_words(compute))
    for symbol in types.symbols:
        if symbol not in used and symbol not in words:
            what, why = f"the type symbol `{symbol}` is never used", "It would multiply the kernels for nothing."
            out.add("OPG205", at(pointer, "dtypes", symbol), what, why, "Remove it, or give it to a tensor.", key=True)
    if not types.combinations:
        return  # too many to look at, which OPG208 says
    for number, tensor in enumerate(signature.inputs):
        if tensor.optional and tensor.dtype in types.symbols and undetermined(types, bound, tensor.dtype):
            what = f"the type `{tensor.dtype}` of the optional input `{tensor.name}` follows from nothing else"
            fix = f"Let a required input have the type {listed([tensor.dtype])}, or name one type."
            out.add("OPG211", at(pointer, "inputs", number, "dtype"), what, _TYPES, fix)
            bound.add(tensor.dtype)
    for number, tensor in enumerate(signature.outputs):
        if not tensor.inplace and tensor.dtype in types.symbols and undetermined(types, bound, tensor.dtype):
            what = f"the type `{tensor.dtype}` of the output `{tensor.name}` does not follow from the required inputs"
            fix = "Use a symbol of a required input, a table in `dtypes`, or an attribute of type dtype."
            out.add("OPG202", at(pointer, "outputs", number, "dtype"), what, _TYPES, fix)


def _asked(signature: Signature) -> set[str]:
    return {name for tensor in _tensors(signature) for axis in tensor.shape for name in type_names(axis)}


def _words(text: str) -> Iterator[str]:
    word = ""
    for char in text + " ":
        if char.isalnum() or char == "_":
            word += char
        else:
            yield word
            word = ""
