"""What the READMEs say of a project and its operators, in no language."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from opgen.facts.scenarios import SCENARIOS, Scenario
from opgen.formula.signature import Attr, Dim, Tensor, Value, Variant
from opgen.formula.sizes import Size, evaluate, show
from opgen.kernel.interface import (
    KernelInterface,
    Parameter,
    call_parameters,
    kernel_interface,
    key_text,
    precompiled,
    workspace_of,
)
from opgen.kernel.plan import KernelPlan
from opgen.spec.model import Operator, OpSpec
from opgen.spec.outline import Outline
from opgen.text.escape import shell_word
from opgen.text.numbers import shortest

AttrValue = Value | tuple[int, ...] | tuple[float, ...]

_HALF = ("float16", "bfloat16")


@dataclass(frozen=True)
class Subject:
    """One operator: its kernel, and the case that the sample runs."""

    spec: OpSpec
    operator: Operator
    plan: KernelPlan

    @cached_property
    def interface(self) -> KernelInterface:
        return kernel_interface(self.operator)

    @cached_property
    def attrs(self) -> dict[str, AttrValue]:
        """The attributes of the sample's case."""
        return dict(self.operator.cases[0].attrs)

    @cached_property
    def variant(self) -> Variant:
        """The kernel that the sample runs: all inputs connected."""
        chosen = {**dict(self.operator.cases[0].types), **self.attrs}
        return Variant(
            types=tuple((name, str(chosen[name])) for name in self.interface.symbols),
            attrs=tuple((attr.name, self.attrs[attr.name]) for attr in self.operator.static_attrs),
        )

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Sizes on the command line of the kernel script for the sample's case; -1 for those passed at run time."""
        return {d.name: -1 if d.dynamic else self.actual_sizes[d.name] for d in self.interface.dims}

    @cached_property
    def actual_sizes(self) -> dict[str, int]:
        """As `sizes`, but with the numbers also of those passed at run time."""
        dims = dict(self.operator.cases[0].dims)
        found = {}
        for dim in self.interface.dims:
            if dim.of:
                found[dim.name] = math.prod(_product(dims[name]) for name in dim.of)
            else:
                found[dim.name] = max(math.prod(self.shape(tensor)) for tensor in self.tensors)
        return found

    @property
    def key(self) -> str:
        return self.interface.key(self.variant, self.sizes)

    @cached_property
    def call(self) -> tuple[Parameter, ...]:
        """The parameters of `call` in the sample's case. A list of tensors has one for each."""
        lists = {tensor.name: self.count(tensor) for tensor in self.tensors if tensor.count is not None}
        parameters: list[Parameter] = []
        for one in call_parameters(self.operator, self.variant):
            names = [f"{one.name}{k}" for k in range(lists[one.name])] if one.name in lists else [one.name]
            parameters += [Parameter(name, one.role, one.cxx) for name in names]
        return tuple(parameters)

    def count(self, tensor: Tensor) -> int:
        """How many tensors a list has in the sample's case."""
        assert tensor.count is not None
        return evaluate(tensor.count, self._integers)

    @cached_property
    def _integers(self) -> dict[str, int]:
        """Dims and attributes of the sample's case, as integer expressions see them."""
        found = {name: size for name, size in self.operator.cases[0].dims if isinstance(size, int)}
        return found | {name: int(value) for name, value in self.attrs.items() if isinstance(value, int)}

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Inputs and outputs, those in place once."""
        return self.operator.inputs + self.new_outputs

    @property
    def new_outputs(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.operator.outputs if not t.inplace)

    @property
    def workspace(self) -> Size | None:
        """Bytes of global memory for the kernel's own use."""
        return workspace_of(self.operator)

    @property
    def inplace(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.operator.outputs if t.inplace)

    @property
    def free(self) -> bool:
        """Whether the tensors have one shape, which may be any; numbers aside."""
        full = [tensor for tensor in self.tensors if not one_element(tensor)]
        return bool(full) and all(rest_only(tensor) for tensor in full)

    def shape(self, tensor: Tensor) -> tuple[int, ...]:
        """The tensor's shape in the sample's case."""
        dims = dict(self.operator.cases[0].dims)
        axes: list[int] = []
        for size in tensor.shape:
            rest = dims.get("...", ())
            axes += (
                (rest if isinstance(rest, tuple) else (rest,))
                if size.op == "rest"
                else (evaluate(size, self._integers),)
            )
        return tuple(axes)

    @cached_property
    def kernels(self) -> tuple[tuple[Variant, dict[str, int]], ...]:
        """The kernels that an eager project compiles beforehand."""
        return tuple(precompiled(self.spec, self.operator))

    @property
    def dynamic(self) -> bool:
        """Whether a size is passed when the kernel runs."""
        return any(d.dynamic for d in self.interface.dims)

    @property
    def static(self) -> bool:
        """Whether a size is compiled in."""
        return any(not d.dynamic for d in self.interface.dims)

    @property
    def open_static(self) -> bool:
        """Whether a compiled-in size has more than one value."""
        return any(not d.dynamic and len(d.values) != 1 for d in self.interface.dims)

    @property
    def chosen_symbols(self) -> tuple[str, ...]:
        """Type symbols and dtype attributes of more than one type."""
        return tuple(name for name in self.interface.symbols if len(self.types(name)) > 1)

    def types(self, name: str) -> tuple[str, ...]:
        """The types that a symbol, a dtype attribute or a plain type stands for, in order."""
        found = [dict(combination).get(name, name) for combination in self.operator.combinations]
        return tuple(dict.fromkeys(found))

    @property
    def free_choice(self) -> bool:
        """Whether every combination of types is allowed, so that no table of them is needed."""
        count = math.prod(len(self.types(name)) for name in self.interface.symbols)
        return count == len(set(self.operator.combinations))

    @property
    def half_types(self) -> tuple[str, ...]:
        """The half types that a tensor can have."""
        found = {dtype for tensor in self.tensors for dtype in self.types(tensor.dtype)}
        return tuple(name for name in _HALF if name in found)

    @property
    def output_types(self) -> tuple[str, ...]:
        """The types that an output can have, in order."""
        return tuple(dict.fromkeys(dtype for t in self.operator.outputs for dtype in self.types(t.dtype)))

    @property
    def compared(self) -> bool:
        """Whether anything says what the outputs should be."""
        return self.operator.formula is not None or self.operator.reference is not None

    def command(self, variant: Variant, sizes: Mapping[str, int], out: str, in_compile: bool) -> list[str]:
        """The arguments of the kernel script that compile a variant, without the script itself. in_compile: as GE's
        Compile callback orders them, not run.sh."""
        words = [*(str(sizes[d.name]) for d in self.interface.dims), out]
        if self.interface.symbols:
            words += ["--dtype", dtype_option(self.interface.symbols, variant)]
        platform = ["--platform", self.spec.platform] if self.interface.generated else []
        chosen = dict(variant.attrs)
        options: list[str] = []
        for attr in self.interface.options:
            if attr.name in chosen:
                options += option_words(attr, chosen[attr.name])
        for name in variant.absent:
            options += ["--without", name]
        return [*words, *platform, *options] if in_compile else [*words, *options, *platform]

    def kernel_file(self, variant: Variant, sizes: Mapping[str, int]) -> str:
        """Where an eager project keeps a kernel."""
        return f"output/kernel/{self.folder}{self.interface.key(variant, sizes)}.tlk"

    @property
    def folder(self) -> str:
        """What sets the files of an operator apart from those of another one in the same library."""
        return "" if len(self.spec.operators) == 1 else f"{self.operator.name}/"


def dtype_option(symbols: tuple[str, ...], variant: Variant) -> str:
    """The value of --dtype: "float16", or "T=float16,U=int32" when there are several symbols."""
    types = dict(variant.types)
    if len(symbols) == 1:
        return types[symbols[0]]
    return ",".join(f"{name}={types[name]}" for name in symbols)


def option_words(attr: Attr, value: AttrValue) -> list[str]:
    """A static attribute on the command line of the kernel script, as words of a shell. A number is part of its
    option's word, because a negative one would look like an option."""
    if attr.type in ("bool", "string"):
        return [f"--{attr.name}", shell_word(key_text(value))]
    items = value if isinstance(value, tuple) else (value,)
    return [shell_word(f"--{attr.name}={','.join(key_text(item) for item in items)}")]


@dataclass(frozen=True)
class Material:
    """Everything that a README is made of."""

    spec: OpSpec
    outline: Outline
    subjects: tuple[Subject, ...]

    @property
    def scenario(self) -> Scenario:
        return SCENARIOS[self.spec.scenario]

    @property
    def library(self) -> bool:
        """Whether the project has several operators."""
        return len(self.subjects) > 1

    @property
    def first(self) -> Subject:
        return self.subjects[0]

    def program(self, what: str, subject: Subject) -> str:
        """The name of a test program's executable."""
        return f"{what}_{subject.operator.name}" if self.library else what

    def source(self, what: str, subject: Subject) -> str:
        """The file of a test program."""
        return f"{what}/{subject.operator.name}.cc" if self.library else f"{what}/main.cc"

    def golden(self, subject: Subject) -> str | None:
        """The script that writes input data and expected values for the programs, if they need any."""
        path = f"common/{subject.operator.name}_golden.py"
        return path if any(entry.path == path for entry in self.outline.entries) else None

    def handwritten(self) -> tuple[str, ...]:
        """Kernels and references that are the user's."""
        operators = self.spec.operators
        files = [f for operator in operators for f in (operator.kernel, operator.reference) if f]
        return tuple(dict.fromkeys(files))


def material(spec: OpSpec, outline: Outline, plans: Mapping[str, KernelPlan]) -> Material:
    return Material(spec, outline, tuple(Subject(spec, o, plans[o.name]) for o in spec.operators))


def _product(sizes: int | tuple[int, ...]) -> int:
    return math.prod(sizes) if isinstance(sizes, tuple) else sizes


def scientific(value: float) -> str:
    """A tolerance: "1e-3" below a tenth, else "0.5"."""
    if value >= 0.1:
        return f"{value:g}"
    mantissa, _, exponent = f"{value:.12e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def value_text(value: AttrValue) -> str:
    """A value as op.yaml writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return shortest(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    return str(value)


def shape_text(shape: Iterable[Size | int]) -> str:
    """[R, 2 * C]"""
    return "[" + ", ".join(show(axis) if isinstance(axis, Size) else str(axis) for axis in shape) + "]"


def rest_only(tensor: Tensor) -> bool:
    """Whether the tensor has any shape."""
    return len(tensor.shape) == 1 and tensor.shape[0].op == "rest"


def one_element(tensor: Tensor) -> bool:
    """Whether the tensor is a number: shape [] or [1, 1]."""
    return all(axis.number == 1 for axis in tensor.shape)


def default_of(tensor: Tensor) -> bool | int | float:
    """What the formula sees when an optional input is not connected."""
    assert tensor.default is not None
    return tensor.default


def fewest_elements(subject: Subject) -> int:
    """The least number of elements that the dims allow."""
    return math.prod(_least(dim) for dim in named_dims(subject.operator))


def _least(dim: Dim) -> int:
    if dim.fixed:
        assert isinstance(dim.default, int)
        return dim.default
    return min(dim.values, default=-(-dim.min // dim.multiple_of) * dim.multiple_of)


def most_elements(subject: Subject, limit: int) -> int:
    """The greatest number of elements that the dims and the kernel allow."""
    product = 1
    for dim in subject.operator.dims:
        highest = dim.default if dim.fixed else max(dim.values, default=dim.max)
        if not isinstance(highest, int):
            return limit
        product *= highest
    return min(product, limit)


def named_dims(operator: Operator) -> tuple[Dim, ...]:
    return tuple(d for d in operator.dims if not d.rest)
