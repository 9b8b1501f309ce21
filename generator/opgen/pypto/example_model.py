"""What the example programs of an operator go through: tests, types, and how C++ calls them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from opgen.cxx.literals import attr_value, integer
from opgen.cxx.names import Names
from opgen.facts.dtypes import DTYPES, DType
from opgen.facts.naming import camel
from opgen.formula.signature import Attr, Dim, Shape, Tensor, Variant
from opgen.formula.sizes import Size, cxx, simplify, substitute
from opgen.kernel.pypto.plan import REST, PyptoPlan
from opgen.pypto.names import dim_members, lower_camel
from opgen.pypto.samples import samples
from opgen.spec.model import Operator

Golden = Literal["formula", "reference", "none"]

# What holds one element on the host, where that is a class of the example's own.
_ELEMENTS = {"float32": "float", "float16": "Float16", "bfloat16": "BFloat16", "bool": "Bool"}
_ATTRS = {
    "bool": "bool",
    "int": "int64_t",
    "float": "float",
    "string": "std::string",
    "ints": "std::vector<int64_t>",
    "floats": "std::vector<float>",
}
_LARGEST = 1 << 20  # elements of a tensor in an example
_CORES = 32  # of the usual part: sizes around one tile for each of them are tested

NUMBER = "number"  # the member of TestCase that tells which files are its own

# Names of the example's own in the functions that compute expected values.
_OWN = ("test", "inputs", "expected", "i")


@dataclass(frozen=True)
class Member:
    """A member of TestCase. source: dim, attribute, or optional input whose presence it is."""

    source: str
    name: str
    type: str


@dataclass(frozen=True)
class ExampleTest:
    """One test. sizes: dims, `...` as a tuple. around: it is one of the sizes around those of tiles."""

    sizes: Mapping[str, int | tuple[int, ...]]
    attrs: Mapping[str, object]
    absent: tuple[str, ...]
    around: bool


@dataclass(frozen=True)
class ExampleModel:
    operator: Operator
    plan: PyptoPlan

    @property
    def golden(self) -> Golden:
        if self.operator.formula is not None:
            return "formula"
        return "none" if self.operator.reference is None else "reference"

    # Types

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Type symbols and dtype attributes."""
        return tuple(name for name, _ in self.operator.combinations[0])

    @cached_property
    def type_names(self) -> dict[str, str]:
        """Symbol -> parameter of templates."""
        names = Names(_ELEMENTS.values())
        return {symbol: names.new(symbol if symbol[0].isupper() else camel(symbol)) for symbol in self.symbols}

    @property
    def arguments(self) -> str:
        """`<T, U>`, or nothing where every type is fixed."""
        return f"<{', '.join(self.type_names.values())}>" if self.symbols else ""

    @property
    def template(self) -> str:
        """The line in front of a function or struct."""
        return (
            f"template <{', '.join(f'typename {name}' for name in self.type_names.values())}>" if self.symbols else ""
        )

    def column(self, types: tuple[tuple[str, str], ...]) -> str:
        """`<Float16>`: a column of the definition as arguments of templates."""
        return f"<{', '.join(element(dtype) for _, dtype in types)}>" if types else ""

    def column_title(self, types: tuple[tuple[str, str], ...]) -> str:
        if not types:
            return DTYPES[self.operator.outputs[0].dtype].name
        return types[0][1] if len(types) == 1 else ", ".join(f"{symbol}={dtype}" for symbol, dtype in types)

    def element(self, tensor: Tensor) -> str:
        """The type of an element: a parameter of the template, or what its type is in C++."""
        return self.type_names.get(tensor.dtype) or element(tensor.dtype)

    @cached_property
    def dtypes(self) -> tuple[DType, ...]:
        """The types of tensors in any column."""
        found = [t.dtype for t in self.tensors if t.dtype not in self.symbols]
        found += [dtype for types in self.operator.combinations for _, dtype in types]
        return tuple(DTYPES[name] for name in DTYPES if name in found)

    # Tensors

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Inputs, then outputs that are tensors of their own."""
        return self.operator.inputs + tuple(t for t in self.operator.outputs if not t.inplace)

    @cached_property
    def shape_functions(self) -> dict[Shape, str]:
        """Shape -> the function that gives it, called like the first tensor that has it. None where it is a member."""
        found: dict[Shape, str] = {}
        for tensor in self.tensors:
            found.setdefault(tensor.shape, f"{camel(tensor.name)}Shape")
        return found

    def shape(self, tensor: Tensor, test: str = "test") -> str:
        """An expression of its shape."""
        if tensor.shape == (Size.rest(),):
            return f"{test}.{self.members[REST]}"
        return f"{self.shape_functions[tensor.shape]}({test})"

    # Members of TestCase

    @cached_property
    def free_dims(self) -> tuple[Dim, ...]:
        return tuple(d for d in self.operator.dims if d.rest or not d.fixed)

    @cached_property
    def plain_attrs(self) -> tuple[Attr, ...]:
        return tuple(a for a in self.operator.attrs if a.type != "dtype")

    @cached_property
    def member_list(self) -> tuple[Member, ...]:
        """What tests differ in."""
        names = Names((*_OWN, NUMBER))
        words = dim_members(self.operator)
        found = []
        for dim in self.free_dims:
            alone = dim.rest and len(self.free_dims) == 1
            kind = "std::vector<int64_t>" if dim.rest else "int64_t"
            found.append(Member(dim.name, names.new("shape" if alone else words[dim.name]), kind))
        for attr in self.plain_attrs:
            local = lower_camel(attr.name)
            found.append(Member(attr.name, names.new(local, f"{local}Value"), _ATTRS[attr.type]))
        for tensor in self.operator.optional_inputs:
            found.append(Member(tensor.name, names.new(f"has{camel(tensor.name)}"), "bool"))
        return tuple(found)

    @cached_property
    def members(self) -> dict[str, str]:
        return {member.source: member.name for member in self.member_list}

    def size(self, size: Size, test: str = "test") -> str:
        """An expression of type int64_t."""
        fixed = {d.name: d.default for d in self.operator.dims if not d.rest and d.fixed and isinstance(d.default, int)}
        return cxx(simplify(substitute(size, fixed)), lambda name: f"{test}.{self.members[name]}")

    # Tests

    @cached_property
    def tests(self) -> tuple[ExampleTest, ...]:
        """The cases of op.yaml, with all optional inputs and with each one absent; then the sizes around tiles."""
        found: list[ExampleTest] = []
        for test in (*self._cases(), *self._around()):
            same = (test.sizes, test.attrs, test.absent)
            if same not in [(old.sizes, old.attrs, old.absent) for old in found]:
                found.append(test)
        return tuple(found)

    def _cases(self) -> Iterator[ExampleTest]:
        for case in self.operator.cases:
            for absent in ((), *((t.name,) for t in self.operator.optional_inputs)):
                yield ExampleTest(dict(case.dims), self._attr_values(case.attrs), absent, around=False)

    def _around(self) -> Iterator[ExampleTest]:
        for sample in samples(self.operator, self.plan, _CORES):
            counts = [math.prod(sample.shape(tensor)) for tensor in self.tensors]
            if all(0 < count <= _LARGEST for count in counts):
                yield ExampleTest(dict(sample.dims), self._attr_values(sample.attrs), (), around=True)

    def _attr_values(self, attrs: tuple[tuple[str, object], ...]) -> dict[str, object]:
        plain = {a.name for a in self.plain_attrs}
        return {name: value for name, value in attrs if name in plain}

    def initializer(self, test: ExampleTest) -> str:
        """`{{64, 1024}, 0.5F}`; behind the number of the test where its values are in files."""
        values = [str(self.tests.index(test))] if self.golden == "reference" else []
        for dim in self.free_dims:
            size = test.sizes[dim.name]
            values.append(f"{{{', '.join(map(str, size))}}}" if isinstance(size, tuple) else integer(size))
        for attr in self.plain_attrs:
            value = test.attrs[attr.name]
            assert isinstance(value, bool | int | float | str | tuple)
            values.append(attr_value(attr, value))
        values += ["false" if t.name in test.absent else "true" for t in self.operator.optional_inputs]
        return f"{{{', '.join(values)}}}"

    # Variants: what the formula is typed for, besides types

    def variant(self, test: ExampleTest, types: tuple[tuple[str, str], ...]) -> Variant:
        closed = tuple((a.name, test.attrs[a.name]) for a in self.operator.static_attrs if a.closed)
        return Variant(types, closed, test.absent)  # type: ignore[arg-type]

    def condition(self, test: ExampleTest) -> str:
        """An expression that tells the tests of its variant from others."""
        parts = []
        for attr in self.operator.static_attrs:
            if attr.closed:
                value = test.attrs[attr.name]
                assert isinstance(value, bool | int | float | str | tuple)
                name = f"test.{self.members[attr.name]}"
                if isinstance(value, bool):
                    parts.append(name if value else f"!{name}")
                elif isinstance(value, tuple):
                    parts.append(f"{name} == {_ATTRS[attr.type]}{attr_value(attr, value)}")
                else:
                    parts.append(f"{name} == {attr_value(attr, value)}")
        for tensor in self.operator.optional_inputs:
            parts.append(f"{'!' if tensor.name in test.absent else ''}test.{self.members[tensor.name]}")
        return " && ".join(parts)


def element(dtype: str) -> str:
    """The C++ type of an element."""
    return _ELEMENTS.get(dtype, DTYPES[dtype].cxx)
