"""`tests` of op.yaml: complete cases and tolerances."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from opgen.facts.dtypes import DEFAULT_TOLERANCE, DTYPES
from opgen.formula.signature import Attr, Dim, Signature, Tensor
from opgen.formula.sizes import FormulaError, Size, evaluate, show
from opgen.spec.attributes import AttrValue, attr_value
from opgen.spec.collect import Collector, at, did_you_mean, listed
from opgen.spec.dims import MAX_SIZE, outside
from opgen.spec.model import Case
from opgen.spec.types import Combination, Types, unknown_type

MAX_RANK = 8
_LIMIT = "Every case is run, on the device and in the checks."


class CaseBuilder:
    """Completes the cases of one operator. pointer: of the operator. The form of op.yaml is right already, but for the
    keys and values of the cases."""

    def __init__(self, signature: Signature, types: Types, pointer: str, out: Collector) -> None:
        self.signature = signature
        self.types = types
        self.pointer = pointer
        self.out = out
        self.dims = {dim.name: dim for dim in signature.dims}
        self.attrs = {attr.name: attr for attr in signature.attrs}

    def build(self, items: list[dict[str, Any]] | None) -> tuple[Case, ...]:
        """The cases; None stands for the one case of the defaults. Incomplete when findings were added."""
        written = items is not None
        cases = []
        first: dict[str, AttrValue] = {}
        for number, item in enumerate(items if items is not None else [{}]):
            where = at(self.pointer, "tests", "cases", number)
            errors = self.out.errors
            sizes, values, chosen = self._given(item, where)
            if not number:
                first = values
                self._check_required(values)
            if self.out.errors > errors:
                continue
            case = self._complete(sizes, {**self._defaults(), **_required(self.attrs, first), **values}, chosen, where)
            if case is not None:
                self._check_shapes(case, where if written else "")
                cases.append(case)
        return tuple(cases)

    def _defaults(self) -> dict[str, AttrValue]:
        return {name: attr.default for name, attr in self.attrs.items() if attr.default is not None}

    def _check_required(self, values: dict[str, AttrValue]) -> None:
        for number, attr in enumerate(self.signature.attrs):
            if attr.required and attr.name not in values:
                what = f"the attribute `{attr.name}` has neither a default nor a value in the first test case"
                why = "Samples run the first case, and need a value for every attribute."
                fix = f"Write `tests: {{cases: [{{{attr.name}: ...}}]}}`, or give it a `default`."
                self.out.add("OPG214", at(self.pointer, "attrs", number), what, why, fix)

    def _given(
        self, item: dict[str, Any], where: str
    ) -> tuple[dict[str, int | tuple[int, ...]], dict[str, AttrValue], dict[str, str]]:
        sizes: dict[str, int | tuple[int, ...]] = {}
        values: dict[str, AttrValue] = {}
        chosen: dict[str, str] = {}
        for key, value in item.items():
            pointer = at(where, key)
            if key in self.dims:
                size = self._size(self.dims[key], value, pointer)
                if size is not None:
                    sizes[key] = size
            elif key in self.attrs:
                plain = attr_value(self.attrs[key], value, pointer, self.out)
                if plain is not None:
                    values[key] = plain
            elif key in self.types.symbols:
                if isinstance(value, str) and value in self.types.symbols[key]:
                    chosen[key] = value
                else:
                    what, why = f"`{value}` is not among the types of `{key}`", "A case picks one type for a symbol."
                    near = did_you_mean(str(value), self.types.symbols[key])
                    fix = f"{near} Its types: {listed(self.types.symbols[key])}.".strip()
                    self.out.add("OPG201", pointer, what, why, fix)
            else:
                self._unknown(key, pointer)
        return sizes, values, chosen

    def _unknown(self, key: str, pointer: str) -> None:
        known = [*self.dims, *self.attrs, *self.types.symbols]
        why = "A case sets dims, attributes and type symbols; elements are drawn between `min` and `max` of an input."
        if any(key == tensor.name for tensor in self.signature.inputs + self.signature.outputs):
            fix = "Remove it; write `min` and `max` at the input to limit its elements."
            self.out.add("OPG302", pointer, f"`{key}` is a tensor", why, fix, key=True)
            return
        choice = f"A case can set {listed(known, 'or')}." if known else "There is nothing that a case could set here."
        near = did_you_mean(key, known)
        rule = "OPG203" if key[:1].isupper() or key == "..." else "OPG302"
        self.out.add(rule, pointer, f"unknown name `{key}` in a case", why, f"{near} {choice}".strip(), key=True)

    def _size(self, dim: Dim, value: Any, pointer: str) -> int | tuple[int, ...] | None:
        if dim.rest:
            if isinstance(value, list) and all(_is_int(size) and 1 <= size <= MAX_SIZE for size in value):
                return tuple(value)
            what, fix = f"`...` is a list of sizes, not {value}", "Write `...: [2, 3]`; `[]` is no leading dim at all."
            self.out.add("OPG206", pointer, what, _LIMIT, fix)
            return None
        if not _is_int(value) or value < 1:
            why = "A size is a whole number from 1; GE cannot allocate an empty tensor."
            self.out.add("OPG206", pointer, f"{value} is no size", why, "Write a number from 1.")
            return None
        problems = list(outside(dim, value))
        for what, fix in problems:
            self.out.add("OPG206", pointer, what, _LIMIT, fix)
        return None if problems else int(value)

    def _complete(
        self,
        sizes: dict[str, int | tuple[int, ...]],
        values: dict[str, AttrValue],
        chosen: dict[str, str],
        where: str,
    ) -> Case | None:
        if any(name not in values for name in self.attrs):
            return None  # OPG214 says so
        wanted = {**chosen, **{name: str(values[name]) for name in self.types.choices}}
        types = next((c for c in self.types.combinations if _matches(c, wanted)), None)
        if types is None:
            if self.types.combinations:
                shown = ", ".join(f"{name}: {value}" for name, value in wanted.items())
                why = "The rows of `dtypes` are the only combinations allowed."
                what = f"no combination of types has {shown}"
                self.out.add("OPG201", where, what, why, "Choose the types of one row.")
            return None
        dims = tuple((name, sizes.get(name, dim.default)) for name, dim in self.dims.items())
        return Case(dims, tuple((name, values[name]) for name in self.attrs), types)

    def _tensors(self) -> Iterator[tuple[str, int, Tensor]]:
        """Key in op.yaml, number and tensor; an in-place output has the shape of its input."""
        for number, tensor in enumerate(self.signature.inputs):
            yield "inputs", number, tensor
        for number, tensor in enumerate(self.signature.outputs):
            if not tensor.inplace:
                yield "outputs", number, tensor

    def _check_shapes(self, case: Case, where: str) -> None:
        """Every axis is at least 1, and no tensor is too large or has too many axes. where: of the case, "" if none is
        written; a finding then stands at the shape of the tensor."""
        env = case_sizes(case)
        rest = dict(case.dims).get("...", ())
        assert isinstance(rest, tuple)
        own = where
        for role, number, tensor in self._tensors():
            where = own or at(self.pointer, role, number, "shape")
            axes = tensor.shape
            leading = rest if axes and axes[0].op == "rest" else ()
            others = axes[1:] if axes and axes[0].op == "rest" else axes
            if len(leading) + len(others) > MAX_RANK:
                what = f"`{tensor.name}` has {len(leading) + len(others)} axes in this case"
                self.out.add(
                    "OPG206", where, what, f"GE and the kernels take at most {MAX_RANK}.", "Use fewer leading dims."
                )
                return
            total = math.prod(leading)
            for axis in others:
                size = _value(axis, env)
                if size is None or size < 1:
                    value = "undefined" if size is None else size
                    what = f"the axis `{show(axis)}` of `{tensor.name}` is {value} in this case"
                    why = "GE cannot allocate an empty tensor."
                    self.out.add("OPG206", where, what, why, "Choose sizes that make it 1 or more.")
                    return
                total *= size
            if total > MAX_SIZE:
                what = f"`{tensor.name}` has {total} elements in this case"
                self.out.add("OPG206", where, what, "Kernels count in int32.", "Choose smaller sizes.")
                return


def case_sizes(case: Case) -> dict[str, int]:
    """Values of the names that sizes are computed from."""
    env = {name: size for name, size in case.dims if isinstance(size, int)}
    env |= {name: int(value) for name, value in case.attrs if isinstance(value, int)}
    return env | {name: DTYPES[dtype].size for name, dtype in case.types}  # for itemsize


def _value(size: Size, env: dict[str, int]) -> int | None:
    try:
        return evaluate(size, env)
    except FormulaError:
        return None


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _required(attrs: dict[str, Attr], first: dict[str, AttrValue]) -> dict[str, AttrValue]:
    """Values that the first case gives to attributes without a default."""
    return {name: value for name, value in first.items() if attrs[name].required}


def _matches(combination: Combination, wanted: dict[str, str]) -> bool:
    types = dict(combination)
    return all(types[name] == value for name, value in wanted.items())


def build_tolerance(
    data: dict[str, Any], signature: Signature, types: Types, pointer: str, out: Collector
) -> tuple[tuple[str, float], ...]:
    """Tolerance of every type that an output can have. pointer: of `tolerance`."""
    possible = list(dict.fromkeys(name for tensor in signature.outputs for name in types.of(tensor.dtype)))
    for name, value in data.items():
        if name not in possible:
            what, why = f"no output has the type `{name}`", "A tolerance belongs to the type of an output."
            if name not in types.symbols:
                fix = f"Types of the outputs: {', '.join(possible)}."
            else:
                fix = unknown_type(name, types)[2]
            out.add("OPG201", at(pointer, name), what, why, fix, key=True)
        elif not math.isfinite(value):
            out.add(
                "OPG206", at(pointer, name), f"the tolerance {value}", "Nothing would be compared.", "Write a number."
            )
    return tuple((name, float(data.get(name, DEFAULT_TOLERANCE.get(name, 0.0)))) for name in possible)
