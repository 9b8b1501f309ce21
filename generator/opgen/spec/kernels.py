"""How many kernels an operator needs, and whether they are known when they are compiled (OPG207, OPG208)."""

from __future__ import annotations

import math

from opgen.facts.scenarios import MAX_KERNELS
from opgen.formula.signature import Signature
from opgen.spec.binding import closed_values
from opgen.spec.collect import Collector, at
from opgen.spec.types import Types

_BEFOREHAND = {
    "eager": "An eager project compiles its kernels before it is built, for every value that can come.",
    "pypto": "A PyPTO operator is compiled once, for every value that can come.",
}


def check_kernels(signature: Signature, types: Types, scenario: str, pointer: str, out: Collector) -> None:
    if scenario in _BEFOREHAND:
        _check_open(signature, _BEFOREHAND[scenario], pointer, out)
    _check_number(signature, types, pointer, out)


def _check_open(signature: Signature, why: str, pointer: str, out: Collector) -> None:
    for dim in signature.dims:
        if not dim.dynamic and not dim.closed:
            what = f"the dim `{dim.name}` is compiled in, and can be anything"
            if dim.rest:
                fix = "Write `dynamic: true`: the kernel then takes the number of elements when it runs."
            else:
                fix = f"Write `dynamic: true`, or `values: [...]`, or fix it: `{dim.name}: {dim.default}`."
            out.add("OPG207", at(pointer, "dims", dim.name), what, why, fix, key=True)
    for number, attr in enumerate(signature.attrs):
        if not attr.dynamic and not attr.closed:
            what = f"the attribute `{attr.name}` is compiled in, and can be anything"
            fix = "Write `values: [...]`."
            if attr.type in ("int", "float"):
                fix = "Write `dynamic: true`: the kernel then takes it when it runs; or write `values: [...]`."
            out.add("OPG207", at(pointer, "attrs", number), what, why, fix)


def _check_number(signature: Signature, types: Types, pointer: str, out: Collector) -> None:
    factors: list[tuple[int, str, str]] = []
    if types.symbols or types.choices:
        name = "dtypes" if types.symbols else "attrs"
        factors.append((types.count, "combinations of types", at(pointer, name)))
    for number, attr in enumerate(signature.attrs):
        if not attr.dynamic and attr.type != "dtype" and attr.closed:
            values = closed_values(attr) or attr.values or (False, True)
            factors.append((len(values), f"values of {attr.name}", at(pointer, "attrs", number)))
    optional = [number for number, tensor in enumerate(signature.inputs) if tensor.optional]
    if optional:
        count = 2 ** len(optional)
        factors.append((count, "ways to leave out optional inputs", at(pointer, "inputs", optional[0], "default")))
    for dim in signature.dims:
        if not dim.dynamic and len(dim.values) > 1:
            factors.append((len(dim.values), f"sizes of {dim.name}", at(pointer, "dims", dim.name, "values")))
    factors = [factor for factor in factors if factor[0] > 1]
    total = math.prod(count for count, _, _ in factors)
    if total <= MAX_KERNELS:
        return
    largest = max(factors)
    product = " x ".join(f"{count} {what}" for count, what, _ in factors)
    what = f"{total} kernels: {product}" if len(factors) > 1 else f"{total} kernels, one for each of the {largest[1]}"
    why = f"A library holds at most {MAX_KERNELS} kernels of an operator; each is compiled and kept in memory."
    fix = "Allow fewer types or values, or make sizes and numbers `dynamic: true`."
    out.add("OPG208", largest[2], what, why, fix)
