"""What the host code, run.sh and the README need to know of a kernel: command line, key, parameters of `call`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from opgen.facts.socs import GENERATED_FOR, PLATFORMS
from opgen.formula.signature import Attr, Dim, Tensor, Variant
from opgen.formula.sizes import Size, evaluate, names, simplify, substitute
from opgen.kernel.forms import Rows, rows_of
from opgen.kernel.matmul_forms import dims_of, multiplies, product, sizes_of, tensor_shape
from opgen.kernel.matmul_rest import has_rest
from opgen.spec.model import Operator, OpSpec


@dataclass(frozen=True)
class KernelDim:
    """A size on the command line of the kernel script.

    name: "N", as in keys and messages. of: the dim symbols whose product it is; empty for the element count of a
    generated elementwise kernel, which is the number of elements of any full tensor. dynamic: -1 on the command line,
    an int64_t of `call`, not in the key. In kernels of an eager project a size that is not dynamic has the finite
    `values`.
    """

    name: str
    of: tuple[str, ...]
    dynamic: bool
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """A parameter of `call`, in order. cxx: its type in C++."""

    name: str
    role: Literal["input", "output", "workspace", "attr", "size", "stream"]
    cxx: str


@dataclass(frozen=True)
class KernelInterface:
    """script: path in the project. dims, symbols, options, optional: the command line,

        python3 SCRIPT DIM... OUT [--dtype ...] [--platform A3] [--cores 24] [--OPTION V] [--without NAME]

    symbols: type symbols and dtype attributes. options: static attributes. optional: inputs that may be absent.
    """

    script: str
    dims: tuple[KernelDim, ...]
    symbols: tuple[str, ...]
    options: tuple[Attr, ...]
    optional: tuple[Tensor, ...]
    generated: bool

    @property
    def flat(self) -> bool:
        """Whether the kernel sees its tensors as one axis."""
        return any(not dim.of for dim in self.dims)

    def key(self, variant: Variant, sizes: Mapping[str, int]) -> str:
        """Key of a compiled kernel: "float16_N4096". Types of the symbols, compiled-in sizes, static attributes, and
        "no_NAME" for each absent input; "kernel" when there is nothing to tell apart."""
        parts = [dtype for _, dtype in variant.types]
        parts += [f"{dim.name}{sizes[dim.name]}" for dim in self.dims if not dim.dynamic]
        attrs = dict(variant.attrs)
        parts += [f"{option.name}_{key_text(attrs[option.name])}" for option in self.options if option.name in attrs]
        parts += [f"no_{name}" for name in variant.absent]
        return "_".join(parts) or "kernel"


def key_text(value: object) -> str:
    """A value of a static attribute as part of a key: [A-Za-z0-9_.+-] only."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "x".join(key_text(item) for item in value) or "empty"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def type_option(variant: Variant) -> str:
    """What `--dtype` of the kernel script says, "" where there is nothing to choose."""
    if len(variant.types) == 1:
        return variant.types[0][1]
    return ",".join(f"{symbol}={dtype}" for symbol, dtype in variant.types)


def other_options(interface: KernelInterface, variant: Variant) -> list[str]:
    """Options of the kernel script that tell a variant besides its types."""
    words = []
    kinds = {option.name: option.type for option in interface.options}
    for name, value in variant.attrs:
        if isinstance(value, tuple):
            words.append(f"--{name}={','.join(key_text(item) for item in value)}")
        elif kinds[name] in ("int", "float"):
            words.append(f"--{name}={key_text(value)}")
        else:
            words += [f"--{name}", key_text(value)]
    for name in variant.absent:
        words += ["--without", name]
    return words


def kernel_interface(operator: Operator) -> KernelInterface:
    """The interface of an operator's kernel. A generated one has one size, the element count, the rows' two, or those
    of a matrix product."""
    generated = operator.kernel is None
    rows = rows_of(operator)
    dims: tuple[KernelDim, ...]
    if multiplies(operator):
        dims = _product_sizes(operator)
    elif rows is not None:
        dims = _row_sizes(rows)
    elif generated:
        dims = (_element_count(operator),)
    else:
        dims = tuple(
            KernelDim("N" if d.rest else d.name, (d.name,), d.dynamic, _closed_values(d.default, d.values, d.fixed))
            for d in operator.dims
        )
    folder = f"{operator.name}_kernel"
    script = f"{folder}/{operator.name}_kernel.py" if generated else str(operator.kernel)
    return KernelInterface(
        script=script,
        dims=dims,
        symbols=tuple(name for name, _ in operator.combinations[0]),
        options=operator.static_attrs,
        optional=operator.optional_inputs,
        generated=generated,
    )


def _row_sizes(rows: Rows) -> tuple[KernelDim, ...]:
    """How many rows there are, unless it is one, and how long they are."""
    return tuple(
        KernelDim(name, tuple(d.name for d in rows.dims_of(size)), size.dynamic, _closed(rows.dims_of(size)))
        for name, size in rows.sizes
    )


def _closed(dims: tuple[Dim, ...]) -> tuple[int, ...]:
    """The only values of a product of dims, none when there are others."""
    choices = [_closed_values(d.default, d.values, d.fixed) for d in dims]
    return tuple(sorted({math.prod(chosen) for chosen in itertools.product(*choices)})) if all(choices) else ()


def _product_sizes(operator: Operator) -> tuple[KernelDim, ...]:
    """The sizes of a matrix product."""
    found = []
    for name, extent in sizes_of(operator):
        dims = dims_of(operator, extent)
        found.append(KernelDim(name, extent.of, any(d.dynamic for d in dims), _closed(dims)))
    return tuple(found)


def _closed_values(default: int | tuple[int, ...], values: tuple[int, ...], fixed: bool) -> tuple[int, ...]:
    if fixed:
        assert isinstance(default, int)
        return (default,)
    return values


def _element_count(operator: Operator) -> KernelDim:
    """N of a generated kernel: the product of the axes of a full tensor, which is any that has not just one element."""
    dims = operator.dims
    dynamic = any(d.dynamic for d in dims)
    choices = [_closed_values(d.default, d.values, d.fixed) for d in dims]
    values: tuple[int, ...] = ()
    if not dynamic and all(choices):
        symbols = [d.name for d in dims]
        shapes = [t.shape for t in (*operator.inputs, *operator.outputs)]
        counts = set()
        for chosen in itertools.product(*choices):
            env = dict(zip(symbols, chosen, strict=True))
            counts.add(max(math.prod(evaluate(axis, env) for axis in shape) for shape in shapes))
        values = tuple(sorted(counts))
    return KernelDim("N", (), dynamic, values)


def call_parameters(operator: Operator, variant: Variant) -> tuple[Parameter, ...]:
    """Parameters of `call`: inputs, null where they are not connected, outputs but those in place, a workspace, dynamic
    attributes, sizes, stream."""
    parameters = [Parameter(t.name, "input", "const void *") for t in operator.inputs]
    parameters += [Parameter(t.name, "output", "void *") for t in operator.outputs if not t.inplace]
    if workspace_of(operator) is not None:
        parameters.append(Parameter("workspace", "workspace", "void *"))
    parameters += [
        Parameter(a.name, "attr", "float" if a.type == "float" else "int64_t") for a in operator.dynamic_attrs
    ]
    parameters += [Parameter(d.name.lower(), "size", "int64_t") for d in symbolic_sizes(operator, variant)]
    parameters.append(Parameter("stream", "stream", "void *"))
    return tuple(parameters)


def workspace_of(operator: Operator) -> Size | None:
    """Bytes of global memory for a kernel's own use: what op.yaml says for a hand-written one; two tiles of sums for
    each core, where vector cores work on a matrix product."""
    if operator.tiling.workspace is not None or not has_rest(operator):
        return operator.tiling.workspace
    cores = operator.tiling.cores
    chips = [PLATFORMS[name] for name in GENERATED_FOR]
    count = cores.number if cores is not None and cores.number is not None else max(chip.cores for chip in chips)
    return Size.const(2 * count * max(chip.l0c for chip in chips))


def symbolic_sizes(operator: Operator, variant: Variant) -> tuple[KernelDim, ...]:
    """The sizes that `call` takes, in order: the compiler appends each symbolic one once, as it first appears in the
    shapes of the parameters."""
    dynamic = {name: dim for dim in kernel_interface(operator).dims if dim.dynamic for name in dim.of or ("...",)}
    if multiplies(operator):
        return _open_sizes(operator, variant)
    if operator.kernel is None and rows_of(operator) is None:
        return tuple(dynamic.values())
    tensors = [*operator.inputs, *(t for t in operator.outputs if not t.inplace)]
    values = {name: int(value) for name, value in variant.attrs if isinstance(value, int)}
    # The axes of a generated kernel's tensors are those of op.yaml, or products of these.
    found: dict[KernelDim, None] = {}
    for tensor in tensors:
        for axis in tensor.shape:
            symbols = ("...",) if axis.op == "rest" else names(simplify(substitute(axis, values)))
            found.update(dict.fromkeys(dynamic[name] for name in symbols if name in dynamic))
    return tuple(found)


def _open_sizes(operator: Operator, variant: Variant) -> tuple[KernelDim, ...]:
    """The sizes of a matrix product that `call` takes, as they appear in the matrices."""
    from opgen.spec.variants import typed, variants

    alike = (v for v in variants(operator) if not variant.attrs or v.attrs == variant.attrs)  # types change no order
    found = product(typed(operator, next(alike)))
    shapes = [*tensor_shape(found, found.a), *tensor_shape(found, found.b)]
    dims = {dim.of: dim for dim in kernel_interface(operator).dims if dim.dynamic}
    return tuple(dims[of] for of in dict.fromkeys(extent.of for extent in shapes) if of in dims)


def precompiled(spec: OpSpec, operator: Operator) -> Iterator[tuple[Variant, dict[str, int]]]:
    """The kernels that an eager project compiles beforehand: every variant with every closed size, -1 for dynamic."""
    from opgen.spec.variants import variants

    interface = kernel_interface(operator)
    choices = [(-1,) if d.dynamic else d.values for d in interface.dims]
    for variant in variants(operator):
        for sizes in itertools.product(*choices):
            yield variant, {d.name: size for d, size in zip(interface.dims, sizes, strict=True)}
