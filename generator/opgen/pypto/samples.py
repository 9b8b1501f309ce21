"""Sizes, types and attributes that the unit tests of tiling go through, and what the host computes for them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Dim, Shape, Tensor
from opgen.formula.sizes import evaluate, simplify, substitute
from opgen.kernel.pypto.fields import in_key
from opgen.kernel.pypto.launch import Launch, launch
from opgen.kernel.pypto.plan import REST, PyptoPlan
from opgen.pypto.inferred import allowed
from opgen.spec.model import Operator

Value = object
Size = int | tuple[int, ...]


@dataclass(frozen=True)
class Sample:
    """One call. name: of its test. dims: `...` is a tuple. types: of the symbols. absent: inputs not connected."""

    name: str
    dims: tuple[tuple[str, Size], ...]
    attrs: tuple[tuple[str, Value], ...]
    types: tuple[tuple[str, str], ...]
    absent: tuple[str, ...] = ()

    def shape(self, tensor: Tensor) -> tuple[int, ...]:
        return axes(tensor.shape, dict(self.dims), self.numbers)

    def dtype(self, tensor: Tensor) -> str:
        return dict(self.types).get(tensor.dtype, tensor.dtype)

    @property
    def numbers(self) -> dict[str, int]:
        """Attributes that shapes may name."""
        return {name: int(value) for name, value in self.attrs if isinstance(value, int)}


def axes(shape: Shape, dims: Mapping[str, Size], attrs: Mapping[str, int]) -> tuple[int, ...]:
    """The sizes of the axes."""
    found: list[int] = []
    env = {name: size for name, size in dims.items() if isinstance(size, int)} | dict(attrs)
    for axis in shape:
        if axis.op == "rest":
            rest = dims[REST]
            assert isinstance(rest, tuple)
            found += rest
        else:
            found.append(evaluate(simplify(substitute(axis, attrs)), env))
    return tuple(found)


def launched(operator: Operator, plan: PyptoPlan, sample: Sample, cores: int) -> Launch | None:
    """What the host hands over; None where it refuses. cores: device_cores."""
    known: dict[str, int | float] = {"device_cores": cores}
    for name, size in sample.dims:
        known[name] = math.prod(size) if isinstance(size, tuple) else size
    for attr in operator.attrs:
        value = dict(sample.attrs)[attr.name]
        if attr.closed and not attr.dynamic and attr.type != "dtype":
            known[attr.name] = in_key(attr, value)
        elif isinstance(value, (int, float)):
            known[attr.name] = value
    known |= {f"has_{t.name}": int(t.name not in sample.absent) for t in operator.optional_inputs}
    known |= {f"itemsize({symbol})": DTYPES[dtype].size for symbol, dtype in sample.types}
    try:
        return launch(plan, known)
    except ValueError:
        return None


def samples(operator: Operator, plan: PyptoPlan, cores: int) -> tuple[Sample, ...]:
    """The test cases of op.yaml, every column of the definition, the first case without optional inputs, and sizes
    around those of tiles."""
    found: dict[tuple[object, ...], Sample] = {}
    made = (*case_samples(operator), *_columns(operator), *_without(operator), *_edges(operator, plan, cores))
    for sample in made:
        found.setdefault((sample.dims, sample.attrs, sample.types, sample.absent), sample)
    return tuple(found.values())


def case_samples(operator: Operator) -> Iterator[Sample]:
    """The test cases of op.yaml."""
    for number, case in enumerate(operator.cases, 1):
        yield Sample("sample" if number == 1 else f"case_{number}", case.dims, case.attrs, case.types)


def _columns(operator: Operator) -> Iterator[Sample]:
    first = operator.cases[0]
    attrs = {a.name for a in operator.attrs}
    for types in operator.combinations:
        chosen = {name: dtype for name, dtype in types if name in attrs}
        values = tuple((name, chosen.get(name, value)) for name, value in first.attrs)
        name = "_".join(dict.fromkeys(dtype for _, dtype in types))
        yield Sample(f"of_{name}" if name else "sample", first.dims, values, types)


def _without(operator: Operator) -> Iterator[Sample]:
    """The first case without each of the optional inputs, and without all of them."""
    case = operator.cases[0]
    optional = tuple(t.name for t in operator.optional_inputs)
    for name in optional:
        yield Sample(f"without_{name}", case.dims, case.attrs, case.types, (name,))
    if len(optional) > 1:
        yield Sample("without_optional_inputs", case.dims, case.attrs, case.types, optional)


def _edges(operator: Operator, plan: PyptoPlan, cores: int) -> Iterator[Sample]:
    """Sizes of one dim around one tile and around one tile a core, none among them."""
    dim = next((d for d in operator.dims if d.dynamic and not d.values), None)
    if dim is None:
        return
    first = operator.cases[0]
    word = "elements" if dim.rest else dim.name.lower()
    for size in _wanted(operator, plan, dim, cores):
        chosen: Size = (size,) if dim.rest else size
        dims = tuple((name, chosen if name == dim.name else old) for name, old in first.dims)
        yield Sample(f"no_{word}" if dim.rest and not size else f"{word}_{size}", dims, first.attrs, first.types)


def _wanted(operator: Operator, plan: PyptoPlan, dim: Dim, cores: int) -> Iterator[int]:
    tile = _tile(operator, plan, dim)
    wanted = [0, 1] if tile is None else [0, 1, tile - 1, tile, tile + 1, tile * cores, tile * cores + 1]
    if tile is not None and plan.helpers:  # tiles are shared out among two vector cores a block
        wanted += [2 * tile * cores, 2 * tile * cores + 1]
    if dim.multiple_of > 1:
        wanted = [-(-size // dim.multiple_of) * dim.multiple_of for size in wanted]
    yield from (size for size in dict.fromkeys(wanted) if size >= 0 and (dim.rest or allowed(dim, size)))


def _tile(operator: Operator, plan: PyptoPlan, dim: Dim) -> int | None:
    """The size of the dim that fills a tile, where that is the same for all kernels."""
    blocks = {b.name: b.value.number for b in plan.blocks}
    own = blocks.get(f"block_{dim.name}")
    if own or plan.schedule != "elementwise":
        return own
    one = {name: 1 if isinstance(size, int) else (1,) for name, size in operator.cases[0].dims}
    others = {**dict(operator.cases[0].dims), dim.name: one[dim.name]}
    full = next(t for t in (*operator.inputs, *operator.outputs) if t.name == plan.full)
    across = math.prod(axes(full.shape, others, {}))
    return max(1, (blocks.get("block") or 0) // across) if blocks.get("block") and across else None
