"""`inputs` and `outputs` of op.yaml."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Dim, Shape, Tensor
from opgen.formula.sizes import FormulaError, Size, evaluate, names, type_names
from opgen.formula.sizes import simplify as simplified
from opgen.spec.collect import Collector, at, did_you_mean
from opgen.spec.dims import text
from opgen.spec.types import Types, kinds, unknown_type

Role = Literal["input", "output"]
Limit = int | float | Size

_DEFAULT_LIMITS: dict[str, tuple[float, float]] = {"float": (-2.0, 2.0), "int": (-100, 100), "bool": (0, 1)}
_UNSIGNED_LIMITS = (0, 100)
_COUNTED = "The number of tensors of a list is a number, a dim or an int attribute."


class TensorBuilder:
    """Builds the tensors of one operator. The form of op.yaml is right already."""

    def __init__(self, dims: tuple[Dim, ...], attrs: tuple[Attr, ...], types: Types, out: Collector) -> None:
        self.dims = {dim.name: dim for dim in dims}
        self.attrs = {attr.name: attr for attr in attrs}
        self.types = types
        self.out = out

    def inputs(self, items: list[dict[str, Any]], pointer: str) -> tuple[Tensor, ...]:
        return tuple(self._input(item, at(pointer, number)) for number, item in enumerate(items))

    def outputs(self, items: list[dict[str, Any]], pointer: str, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        by_name = {tensor.name: tensor for tensor in inputs}
        return tuple(self._output(item, at(pointer, number), by_name) for number, item in enumerate(items))

    def _input(self, item: dict[str, Any], pointer: str) -> Tensor:
        tensor = self._tensor(item, pointer, "input")
        low, high = self._limits(item, tensor, pointer)
        tensor = replace(tensor, low=low, high=high)
        return replace(tensor, default=self._default(item["default"], tensor, pointer)) if "default" in item else tensor

    def _output(self, item: dict[str, Any], pointer: str, inputs: dict[str, Tensor]) -> Tensor:
        if not item.get("inplace"):
            return self._tensor(item, pointer, "output")
        name, doc = item["name"], text(item.get("doc"))
        source = inputs.get(name)
        why = "`inplace: true` says that this output is the input of the same name, which GE passes as one buffer."
        if source is None:
            fix = did_you_mean(name, inputs, "Declare the input, or give the output a dtype and a shape.")
            self.out.add("OPG210", at(pointer, "name"), f"there is no input `{name}`", why, fix)
            return Tensor(name, "float32", (Size.rest(),), "output", doc=doc)
        if source.optional or source.count is not None:
            kind = "optional" if source.optional else "a list"
            fix = "Make the input a single required tensor, or give the output another name."
            self.out.add("OPG210", at(pointer, "name"), f"the input `{name}` is {kind}", why, fix)
        return Tensor(name, source.dtype, source.shape, "output", inplace=True, doc=doc)

    def _tensor(self, item: dict[str, Any], pointer: str, role: Role) -> Tensor:
        dtype = item["dtype"]
        if not self.types.known(dtype):
            self.out.add("OPG201", at(pointer, "dtype"), *unknown_type(dtype, self.types))
            dtype = next(iter(self.types.symbols), "float32")
        shape = self._shape(item["shape"], at(pointer, "shape"))
        count = self._count(item["count"], at(pointer, "count")) if "count" in item else None
        return Tensor(item["name"], dtype, shape, role, count=count, doc=text(item.get("doc")))

    def _shape(self, items: list[Any], pointer: str) -> Shape:
        axes = []
        for number, item in enumerate(items):
            where = at(pointer, number)
            size = self.out.size(item, where)
            if size is None:
                continue
            if size.op == "rest":
                if number:
                    why = "It stands for any number of leading dims; the axes behind it are counted from the end."
                    self.out.add("OPG203", where, "`...` is not the first axis", why, "Write it first.")
                    continue
                if "..." not in self.dims:
                    why = "Every symbol of a shape is listed in `dims`, with the size that samples use."
                    self.out.add(
                        "OPG203", where, "`...` is not listed in `dims`", why, "Add `...: {default: [8, 128]}`."
                    )
            elif not self._axis(size, item, where):
                continue
            axes.append(simplified(size))
        return tuple(axes)

    def _axis(self, size: Size, source: object, pointer: str) -> bool:
        """Checks the names of an axis. False when the axis means nothing."""
        good = True
        for name in names(size):
            if name in self.dims:
                continue
            attr = self.attrs.get(name)
            if attr is not None and (attr.type == "int" or (attr.type == "bool" and not attr.dynamic)):
                continue
            good = False
            if attr is not None:
                what = f"`{name}` is a {attr.type} attribute"
                why = "Sizes are computed from dims and int attributes, and chosen by bool attributes."
                fix = "Use an attribute of type int."
            else:
                what = f"unknown dim `{name}`"
                why = "Every symbol of a shape is listed in `dims`, with the size that samples use."
                known = [n for n in (*self.dims, *self.attrs) if n != "..."]
                fix = did_you_mean(name, known, f"Add `{name}: {{default: 1024}}` to `dims`.")
            self.out.within("OPG203", pointer, source, name, what, why, fix)
        for name in type_names(size):
            if not self.types.known(name):
                good = False
                self.out.within("OPG201", pointer, source, name, *unknown_type(name, self.types))
        for part in size.walk():
            if part.op == "if":
                for name in names(part.args[0]):
                    attr = self.attrs.get(name)
                    if name in self.dims or (attr is not None and (attr.dynamic or not attr.closed)):
                        good = False
                        what = f"the condition of an axis depends on `{name}`"
                        why = "Conditions in shapes are settled when a kernel is compiled, once for each value."
                        fix = "Use a bool attribute, or an int attribute with `values`."
                        self.out.within("OPG203", pointer, source, name, what, why, fix)
        if good and not names(size) and not type_names(size) and size.number is None:
            good = self._number(size, pointer)
        return good

    def _number(self, size: Size, pointer: str) -> bool:
        folded = simplified(size)
        if folded.number is not None and folded.number >= 1:
            return True
        what = "this size is not a positive number"
        self.out.add("OPG206", pointer, what, "GE cannot allocate an empty tensor.", "Write a size of 1 or more.")
        return False

    def _count(self, value: int | str, pointer: str) -> Size | None:
        size = self.out.size(value, pointer)
        if size is None:
            return None
        for name in names(size):
            attr = self.attrs.get(name)
            if name not in self.dims and (attr is None or attr.type != "int"):
                fix = did_you_mean(name, [*self.dims, *(a.name for a in self.attrs.values() if a.type == "int")])
                what = f"`{name}` is not the name of a dim or an int attribute"
                self.out.add("OPG203", pointer, what, _COUNTED, fix or f"Add `{name}` to `dims`.")
                return Size.const(1)
        return size

    # Limits of the elements

    def _limits(self, item: dict[str, Any], tensor: Tensor, pointer: str) -> tuple[Limit, Limit]:
        types = self.types.of(tensor.dtype)
        low, high = _default_limits(types)
        given = {key: self._limit(item[key], types, at(pointer, key)) for key in ("min", "max") if key in item}
        first, last = given.get("min"), given.get("max")
        if first is not None and last is not None:
            if not isinstance(first, Size) and not isinstance(last, Size) and first > last:
                what = f"`min: {first}` is above `max: {last}`"
                self.out.add("OPG206", at(pointer, "min"), what, "No element is allowed then.", "Swap them.")
            return first, last
        width = high - low
        if first is not None:
            if isinstance(first, Size):
                return first, self._other("max", first, high, pointer)
            return first, high if first < high else min(first + width, _highest(types))
        if last is not None:
            if isinstance(last, Size):
                return self._other("min", last, low, pointer), last
            return low if low < last else max(last - width, _lowest(types)), last
        return low, high

    def _other(self, key: str, given: Size, default: float, pointer: str) -> Limit:
        """The limit that is not given, beside an expression, at the sizes of samples."""
        env = {name: dim.default for name, dim in self.dims.items() if isinstance(dim.default, int)}
        env |= {a.name: a.default for a in self.attrs.values() if isinstance(a.default, int)}
        try:
            value = evaluate(given, env)
        except FormulaError:  # an attribute without a default; samples will tell
            return default
        if (value > default) == (key == "max"):
            what = f"`{key}` is left out, and its default {default} contradicts the other limit, {value} in samples"
            self.out.add("OPG206", pointer, what, "No element is allowed then.", f"Write `{key}` as well.")
        return default

    def _limit(self, value: Any, types: tuple[str, ...], pointer: str) -> Limit | None:
        if isinstance(value, str):
            size = self.out.size(value, pointer)
            if size is None:
                return None
            for name in names(size):
                attr = self.attrs.get(name)
                if name not in self.dims and (attr is None or attr.type != "int"):
                    what, why = f"unknown name `{name}`", "Limits are computed from dims and int attributes."
                    fix = did_you_mean(name, [*self.dims, *self.attrs], "Write a number, or declare it.")
                    self.out.within("OPG203", pointer, value, name, what, why, fix)
                    return None
            return simplified(size)
        if value != value or (isinstance(value, float) and math.isinf(value)):
            what = "a limit of the elements that is not finite"
            self.out.add(
                "OPG206", pointer, what, "Test data is drawn between the limits.", "Write a number, or leave it out."
            )
            return None
        for name in types:
            dtype = DTYPES[name]
            if dtype.kind != "float" and value != int(value):
                what = f"{value} is not a whole number, and the input can be {name}"
                self.out.add("OPG206", pointer, what, "Limits have to be values of the type.", "Write a whole number.")
                return None
            if not dtype.low <= value <= dtype.high:
                what = f"{value} does not fit into {name}, which ends at {_end(dtype.low if value < 0 else dtype.high)}"
                self.out.add(
                    "OPG206", pointer, what, "Limits have to be values of the type.", "Write a value of the type."
                )
                return None
        return float(value) if any(DTYPES[name].kind == "float" for name in types) else int(value)

    def _default(self, value: Any, tensor: Tensor, pointer: str) -> bool | int | float | None:
        """The scalar that stands for an absent input."""
        where = at(pointer, "default")
        types = self.types.of(tensor.dtype)
        why = "The formula sees this scalar in place of the tensor, so it has to be of the tensor's kind."
        for name in types:
            dtype = DTYPES[name]
            good = isinstance(value, bool) == (dtype.kind == "bool")
            if good and dtype.kind == "int":
                good = not isinstance(value, float)
            if not good:
                want = {"bool": "true or false", "int": "a whole number", "float": "a number"}[dtype.kind]
                shown = ("true" if value else "false") if isinstance(value, bool) else value
                self.out.add("OPG211", where, f"{shown} is no value of {name}", why, f"Write {want}.")
                return value if isinstance(value, (bool, int, float)) else 0
            fits = isinstance(value, float) and math.isinf(value)
            if value != value or not (fits or dtype.low <= value <= dtype.high):
                self.out.add("OPG211", where, f"{value} does not fit into {name}", why, "Write a value of the type.")
                return 0
        if isinstance(value, bool):
            return value
        return float(value) if "float" in kinds(types) and "int" not in kinds(types) else value


def _end(value: float) -> str:
    return str(int(value)) if abs(value) < 2**64 else f"{value:g}"


def _default_limits(types: tuple[str, ...]) -> tuple[float, float]:
    """Limits that every one of the types has: -2 to 2, -100 to 100, 0 to 100, whichever is narrowest."""
    ranges = []
    for name in types:
        dtype = DTYPES[name]
        ranges.append(_UNSIGNED_LIMITS if dtype.kind == "int" and dtype.low == 0 else _DEFAULT_LIMITS[dtype.kind])
    low, high = max(r[0] for r in ranges), min(r[1] for r in ranges)
    if "float" in kinds(types):
        return float(low), float(high)
    return int(low), int(high)


def _lowest(types: tuple[str, ...]) -> float:
    return max(DTYPES[name].low for name in types)


def _highest(types: tuple[str, ...]) -> float:
    return min(DTYPES[name].high for name in types)
