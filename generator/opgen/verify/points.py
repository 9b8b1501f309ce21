"""The runs of a kernel that the ladder makes: every variant at every test case, and at the sizes where tiles end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from opgen.formula.signature import Dim, Variant
from opgen.formula.sizes import Size, evaluate
from opgen.kernel.forms import Rows, rows_of
from opgen.kernel.interface import KernelInterface, kernel_interface, other_options, type_option
from opgen.kernel.lengths import shortest
from opgen.kernel.matmul_forms import multiplies
from opgen.kernel.plan import KernelPlan, VariantPlan
from opgen.spec.model import Case, Operator
from opgen.spec.variants import case_variant, variants
from opgen.verify.product_edges import product_edges

Sizes = Mapping[str, int | tuple[int, ...]]


@dataclass(frozen=True)
class Point:
    """One run of a kernel. dims: sizes of the dims. attrs: values of the run-time attributes. cores: None is as many
    as the script takes by itself. key: the kernel's. words: arguments of the script, but for OUT. symbolic: sizes that
    the kernel learns when it runs, by the names that a script may give them. told: run-time attributes, for titles."""

    variant: Variant
    dims: Sizes
    attrs: Mapping[str, Any]
    cores: int | None
    key: str
    words: tuple[str, ...]
    symbolic: Mapping[str, int]
    told: tuple[tuple[str, Any], ...] = ()

    @property
    def title(self) -> str:
        """What tells this run from the others."""
        sizes = ", ".join(f"{'shape' if n == '...' else n}={_size(v)}" for n, v in self.dims.items())
        cores = f", {self.cores} core{'s' if self.cores > 1 else ''}" if self.cores else ""
        return f"{self.key} with {sizes or 'no sizes'}{cores}{''.join(f', {n}={v}' for n, v in self.told)}"


def points(operator: Operator, plan: KernelPlan) -> Iterator[Point]:
    """The runs of an operator's kernel.

    A generated kernel is also run at 1, b-1, b, b+1, 2b+1 and 4b+1 elements or rows, b being those of its tile, as far
    as its dims allow them, a matrix product at sizes like these along all axes; on one core, so that tiles follow each
    other and buffers are used again.
    """
    interface = kernel_interface(operator)
    tiles = {v.variant: v for v in plan.variants}
    for variant in variants(operator):
        met = set()
        for case in cases_of(operator, variant):
            point = _point(operator, interface, variant, dict(case.dims), dict(case.attrs), None)
            run = (point.words, str(point.attrs), str(point.symbolic))
            if run not in met:
                met.add(run)
                yield point
        if variant in tiles:
            attrs = dict(operator.cases[0].attrs)
            for dims in _around_tiles(operator, tiles[variant], plan):
                yield _point(operator, interface, variant, dict(dims), attrs, 1)


def _around_tiles(operator: Operator, held: VariantPlan, plan: KernelPlan) -> Iterator[Sizes]:
    if multiplies(operator):
        return product_edges(operator, held)
    return edges(operator, held.tile, held.rows, _pieces(plan, held))


def _pieces(plan: KernelPlan, held: VariantPlan) -> tuple[int, ...]:
    """Lengths of rows that are taken in pieces: around whole pieces, or the shortest that does not fit on chip."""
    if held.passes:
        return (held.columns - 1, held.columns, held.columns + 1, 2 * held.columns + 1)
    if plan.long and held.row_bytes is not None:
        return (held.row_bytes.longest(plan.budget, plan.granule) + 1,)
    return ()


def edges(
    operator: Operator, tile: int, tile_rows: int, pieces: tuple[int, ...] = ()
) -> Iterator[dict[str, int | tuple[int, ...]]]:
    """Sizes around whole tiles, of `tile` elements or `tile_rows` rows. On rows, their number around those of a tile,
    and rows of a few lengths."""
    rows = rows_of(operator)
    if rows is None:
        for count in _around(tile):
            dims = _dims_of(operator, count)
            if dims is not None:
                yield dims
        return
    usual = dict(operator.cases[0].dims)
    lengths = [usual[rows.last.name]]
    least = shortest(operator, rows.last) if rows.lengths else 1
    others = [length for length in (1, 7, 128, 1001, *pieces) if length >= least]
    lengths += [length for length in others if _allows(rows.last, length) and length not in lengths]
    for number, length in enumerate(lengths):
        for count in _around(tile_rows) if not number else (1, 3):
            leading = _counted(rows, count)
            if leading is not None:
                yield {**usual, **leading, rows.last.name: length}


def _counted(rows: Rows, count: int) -> dict[str, int | tuple[int, ...]] | None:
    """Sizes of the leading axes that make so many rows: one is as large as needed, the others are small."""
    if rows.alone:
        return {} if count == 1 else None
    for axis in reversed(rows.dims_of(rows.lead)):
        others = {other.name: _smallest(other) for other in rows.dims_of(rows.lead) if other != axis}
        unit = math.prod(math.prod(v) if isinstance(v, tuple) else v for v in others.values())
        size = count // unit
        if count % unit == 0 and _allows(axis, size):
            return {**others, axis.name: (size,) if axis.rest else size}
    return None


def _around(b: int) -> list[int]:
    return sorted({1, b - 1, b, b + 1, 2 * b + 1, 4 * b + 1} - {0})


def element_count(operator: Operator, dims: Sizes) -> int:
    """Elements of a full tensor: the largest one."""
    env = environment(dims, {})
    return max(math.prod(shape_of(t.shape, dims, env)) for t in (*operator.inputs, *operator.outputs))


def shape_of(shape: tuple[Size, ...], dims: Sizes, env: Mapping[str, int]) -> tuple[int, ...]:
    """The axes of a tensor."""
    axes: list[int] = []
    for axis in shape:
        if axis == Size.rest():
            rest = dims["..."]
            axes += rest if isinstance(rest, tuple) else (rest,)
        else:
            axes.append(evaluate(axis, env))
    return tuple(axes)


def environment(dims: Sizes, attrs: Mapping[str, Any]) -> dict[str, int]:
    """Names that integer expressions may use."""
    whole = {name: int(value) for name, value in attrs.items() if isinstance(value, int)}
    return whole | {name: value for name, value in dims.items() if isinstance(value, int)}


def cases_of(operator: Operator, variant: Variant) -> list[Case]:
    """The cases that run a variant, or the first one's sizes where none does."""
    own = [case for case in operator.cases if _fits(operator, case_variant(operator, case), variant)]
    return own or [operator.cases[0]]


def _fits(operator: Operator, of_case: Variant, variant: Variant) -> bool:
    """Of a hand-written kernel only the cases tell where its tiles end: those that choose no type run for all."""
    every_type = operator.kernel is not None and of_case.types == operator.combinations[0]
    return of_case.attrs == variant.attrs and (every_type or of_case.types == variant.types)


def _point(
    operator: Operator,
    interface: KernelInterface,
    variant: Variant,
    dims: dict[str, int | tuple[int, ...]],
    attrs: dict[str, Any],
    cores: int | None,
) -> Point:
    sizes = {dim.name: _kernel_size(operator, dim.of, dims) for dim in interface.dims}
    words = [str(-1 if dim.dynamic else sizes[dim.name]) for dim in interface.dims]
    # Static attributes with open values are part of the command line, though not of the variant.
    options = {a.name: attrs[a.name] for a in interface.options} | dict(variant.attrs)
    complete = Variant(variant.types, tuple(options.items()), variant.absent)
    words += ["--dtype", type_option(complete)] if complete.types else []
    words += other_options(interface, complete)
    if cores is not None:
        words += ["--cores", str(cores)]
    return Point(
        variant=variant,
        dims=dims,
        attrs={**attrs, **dict(variant.attrs)},
        cores=cores,
        key=interface.key(complete, sizes),
        words=tuple(words),
        symbolic={
            name: sizes[dim.name]
            for dim in interface.dims
            if dim.dynamic
            for name in (dim.name, dim.name.lower(), dim.name.lower() + "_")
        },
        told=tuple((a.name, attrs[a.name]) for a in operator.dynamic_attrs),
    )


def _kernel_size(operator: Operator, of: tuple[str, ...], dims: Sizes) -> int:
    if not of:
        return element_count(operator, dims)
    values = [dims[name] for name in of]
    return math.prod(math.prod(v) if isinstance(v, tuple) else v for v in values)


def _dims_of(operator: Operator, count: int) -> dict[str, int | tuple[int, ...]] | None:
    """Sizes that make `count` elements: the last dim that can is as large as needed, the others are small."""
    small: dict[str, int | tuple[int, ...]] = {dim.name: _smallest(dim) for dim in operator.dims}
    for dim in reversed(operator.dims):
        unit = element_count(operator, {**small, dim.name: (1,) if dim.rest else 1})
        if count % unit:
            continue
        size = count // unit
        if not _allows(dim, size):
            continue
        chosen = {**small, dim.name: (size,) if dim.rest else size}
        if element_count(operator, chosen) == count:
            return chosen
    return None


def _smallest(dim: Dim) -> int | tuple[int, ...]:
    if dim.rest:
        return (1,)
    if dim.fixed:
        return dim.default
    if dim.values:
        return min(dim.values)
    return -(-dim.min // dim.multiple_of) * dim.multiple_of


def _allows(dim: Dim, size: int) -> bool:
    if dim.fixed:
        return size == dim.default or dim.default == (size,)
    if dim.values:
        return size in dim.values
    return dim.min <= size <= (dim.max or size) and size % dim.multiple_of == 0


def _size(value: int | tuple[int, ...]) -> str:
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
