"""The launches of a PyPTO kernel that the ladder makes: every variant at every test case and at the sizes where tiles
end, on one core, on some, and on more than there is work for, of one and of two vector cores each."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opgen.dialect.pypto.requests import Argument, Number, Request, Role
from opgen.dialect.pypto.text.source import Interface
from opgen.facts.dtypes import DTYPES
from opgen.formula.evaluate import Array
from opgen.formula.signature import Variant
from opgen.kernel.pypto.fields import in_key
from opgen.kernel.pypto.launch import Launch, launch
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.spec.model import Operator
from opgen.spec.variants import variants
from opgen.verify.points import Point, cases_of, edges, environment, shape_of

# (device_cores, vector cores of each): one core, a few, more than small sizes have tiles.
LAUNCHES = ((1, 1), (4, 2), (40, 2), (4, 1), (1, 2), (40, 1))
_FEW = LAUNCHES[:2]


@dataclass(frozen=True)
class PyptoPoint:
    """One launch. host: what the host hands over."""

    point: Point
    host: Launch
    subblocks: int


def pypto_points(operator: Operator, plan: PyptoPlan) -> Iterator[PyptoPoint]:
    """The launches of an operator's kernel. A hand-written one has no known tile: its first case runs on all LAUNCHES,
    the others on two of them by turns."""
    own = plan.model is None
    for variant in variants(operator):
        turns = itertools.cycle(LAUNCHES)
        for number, case in enumerate(cases_of(operator, variant)):
            some = (next(turns), next(turns)) if own else _FEW
            for cores, subblocks in LAUNCHES if own and not number else some:
                yield _point(operator, plan, variant, dict(case.dims), dict(case.attrs), cores, subblocks)
        if plan.model is not None:
            rows = max(setting.rows for setting in plan.model.settings)
            columns = max(setting.columns for setting in plan.model.settings)
            attrs = dict(operator.cases[0].attrs)
            for dims in (*edges(operator, rows * columns, rows), *_nothing(operator, plan)):
                yield _point(operator, plan, variant, dims, attrs, *next(turns))


def _nothing(operator: Operator, plan: PyptoPlan) -> Iterator[dict[str, int | tuple[int, ...]]]:
    """Sizes without an element, where the shapes allow them: a kernel is launched and does nothing."""
    usual = dict(operator.cases[0].dims)
    first = next((dim for dim in operator.dims if dim.dynamic and (dim.rest or dim.min == 0)), None)
    if first is not None and (plan.schedule == "elementwise" or first.rest):
        yield {**usual, first.name: (0,) if first.rest else 0}


def _point(
    operator: Operator,
    plan: PyptoPlan,
    variant: Variant,
    dims: dict[str, int | tuple[int, ...]],
    attrs: dict[str, Any],
    cores: int,
    subblocks: int,
) -> PyptoPoint:
    values = {**attrs, **dict(variant.attrs)}
    known: dict[str, int | float] = {"device_cores": cores}
    known |= {name: math.prod(size) if isinstance(size, tuple) else size for name, size in dims.items()}
    for attr in operator.attrs:
        value = values.get(attr.name)
        if attr.closed and not attr.dynamic and attr.type != "dtype":
            known[attr.name] = in_key(attr, value)
        elif isinstance(value, (int, float)):
            known[attr.name] = value
    known |= {f"has_{t.name}": int(t.name not in variant.absent) for t in operator.optional_inputs}
    known |= {f"itemsize({symbol})": DTYPES[dtype].size for symbol, dtype in variant.types}
    host = launch(plan, known)
    point = Point(
        variant=variant,
        dims=dims,
        attrs=values,
        cores=None,
        key=_label(variant, host.blocks, subblocks),
        words=(),
        symbolic={},
        told=tuple((attr.name, values[attr.name]) for attr in operator.dynamic_attrs),
    )
    return PyptoPoint(point, host, subblocks)


def _label(variant: Variant, blocks: int, subblocks: int) -> str:
    """What tells a launch from the others, but for sizes."""
    types = ", ".join(dict.fromkeys(dtype for _, dtype in variant.types)) or "the kernel"
    attrs = "".join(f", {name}={value}" for name, value in variant.attrs)
    absent = "".join(f", without {name}" for name in variant.absent)
    return f"{types}{attrs}{absent} on {blocks} x {subblocks} cores"


# ---- for the checker ----


def request_of(operator: Operator, plan: PyptoPlan, launched: PyptoPoint, inputs: Mapping[str, Array]) -> Request:
    """The launch as the checker takes it."""
    point, host = launched.point, launched.host
    variant = point.variant
    tiling: dict[str, Number | tuple[Number, ...]] = {
        field.name: tuple(_as(field.type, item) for item in host.items[field.name])
        if field.items
        else _as(field.type, host.values[field.name])
        for field in plan.data
    }
    types = _types(operator, variant)
    return Request(
        tiling,
        {field.name: int(host.values[field.name]) for field in plan.key},
        {variable: types[parameter] for parameter, variable in plan.datatype},
        tuple(_arguments(operator, launched.point, inputs)),
        host.blocks,
        launched.subblocks,
        host.workspace,
        point.title,
    )


def _as(kind: str, value: int | float) -> Number:
    return float(value) if kind == "float" else bool(value) if kind == "bool" else int(value)


def _arguments(operator: Operator, point: Point, inputs: Mapping[str, Array]) -> Iterator[Argument]:
    replaced = {tensor.name for tensor in operator.outputs if tensor.inplace}
    for tensor in operator.inputs:
        dtype = point.variant.dtype(tensor.dtype)
        role: Role = "both" if tensor.name in replaced else "input"
        values = inputs.get(tensor.name)
        yield Argument(tensor.name, role, dtype, values, absent=values is None)
    env = environment(point.dims, point.attrs)
    for tensor in operator.outputs:
        dtype = point.variant.dtype(tensor.dtype)
        if tensor.inplace:
            yield Argument(f"{tensor.name}_ref", "both", dtype, same_as=tensor.name)
        else:
            yield Argument(tensor.name, "output", dtype, size=math.prod(shape_of(tensor.shape, point.dims, env)))


def _types(operator: Operator, variant: Variant) -> dict[str, str]:
    """The type of every kernel parameter."""
    types = {tensor.name: variant.dtype(tensor.dtype) for tensor in (*operator.inputs, *operator.outputs)}
    return types | {f"{t.name}_ref": variant.dtype(t.dtype) for t in operator.outputs if t.inplace}


def interface_of(operator: Operator, plan: PyptoPlan) -> Interface:
    """What the text of the kernel is held to."""
    seen = {types: Variant(types) for types in plan.columns}
    return Interface(
        operator.name,
        f"{operator.type}TilingData",
        plan.parameters,
        frozenset(tensor.name for tensor in operator.optional_inputs),
        tuple((field.name, f"{field.type}[{len(field.items)}]" if field.items else field.type) for field in plan.data),
        tuple((field.name, field.bits, field.values) for field in plan.key),
        tuple(tuple(_types(operator, variant).items()) for variant in seen.values()),
    )
