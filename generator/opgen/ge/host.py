"""One operator as its host code sees it: what the parts of custom_op.cpp have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from opgen.cxx.names import distinct
from opgen.formula.signature import Tensor
from opgen.formula.sizes import Size, names, simplify
from opgen.kernel.interface import KernelDim, KernelInterface, kernel_interface, workspace_of
from opgen.kernel.plan import KernelPlan
from opgen.spec.model import Operator, OpSpec

Kind = Literal["required", "optional", "list"]

# Names that functions of custom_op.cpp use for themselves; tensors that are called so get an underscore. Execute has
# more of them than the functions that infer and check.
INFER_LOCALS = ("check", "ctx", "sizes", "attributes", "row")
EXECUTE_LOCALS = (
    *INFER_LOCALS,
    *("in", "variant", "kernel", "key", "reason", "load", "earlier", "error", "call", "count"),
    *("workspace", "size", "tensors", "one", "i"),
)


@dataclass(frozen=True)
class Input:
    """An input. index: in the order of REG_OP. local: its name as a variable."""

    tensor: Tensor
    index: int
    local: str

    @property
    def name(self) -> str:
        return self.tensor.name

    @property
    def kind(self) -> Kind:
        if self.tensor.count is not None:
            return "list"
        return "optional" if self.tensor.optional else "required"


@dataclass(frozen=True)
class Output:
    """An output. like: the required input whose shape it has, if there is one; of an output in place its input."""

    tensor: Tensor
    index: int
    local: str
    like: Input | None

    @property
    def name(self) -> str:
        return self.tensor.name

    @property
    def list(self) -> bool:
        return self.tensor.count is not None


@dataclass(frozen=True)
class Host:
    spec: OpSpec
    operator: Operator
    plan: KernelPlan

    @cached_property
    def interface(self) -> KernelInterface:
        return kernel_interface(self.operator)

    @property
    def eager(self) -> bool:
        return self.spec.scenario == "eager"

    @property
    def offline(self) -> bool:
        return self.spec.scenario == "offline"

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        locals_ = distinct((t.name for t in self.operator.inputs), INFER_LOCALS)
        return tuple(Input(t, i, locals_[i]) for i, t in enumerate(self.operator.inputs))

    @cached_property
    def outputs(self) -> tuple[Output, ...]:
        taken = [*EXECUTE_LOCALS, *(i.local for i in self.inputs)]
        wanted = (f"{t.name}_out" if t.inplace else t.name for t in self.operator.outputs)
        locals_ = distinct(wanted, taken)
        return tuple(Output(t, i, locals_[i], self._like(t)) for i, t in enumerate(self.operator.outputs))

    def _like(self, output: Tensor) -> Input | None:
        if output.count is not None:
            return None
        if output.inplace:
            return next(i for i in self.inputs if i.name == output.name)
        shape = tuple(map(simplify, output.shape))
        alike = [i for i in self.inputs if i.kind == "required" and tuple(map(simplify, i.tensor.shape)) == shape]
        return min(alike, key=lambda i: i.tensor.dtype != output.dtype, default=None)

    @cached_property
    def workspace(self) -> Size | None:
        """Bytes of global memory for the kernel's own use."""
        return workspace_of(self.operator)

    @property
    def plain(self) -> bool:
        """Whether every input is there exactly once, so that positions are the same in REG_OP and in a node."""
        return all(i.kind == "required" for i in self.inputs)

    @property
    def lists(self) -> bool:
        """Whether a kernel has as many parameters as a node has tensors."""
        return self.output_lists or any(i.kind == "list" for i in self.inputs)

    @property
    def output_lists(self) -> bool:
        return any(o.list for o in self.outputs)

    @property
    def uniform(self) -> bool:
        """Whether all tensors have one shape, of which nothing is asked but the number of elements."""
        if not self.interface.flat:
            return False
        tensors = (*self.operator.inputs, *self.operator.outputs)
        return all(len(t.shape) == 1 and t.shape[0].op == "rest" and t.count is None for t in tensors)

    @property
    def rest(self) -> bool:
        return any(d.rest for d in self.operator.dims)

    @cached_property
    def dim_members(self) -> dict[str, str]:
        """Dim symbol -> member of Sizes."""
        symbols = [d.name for d in self.operator.dims if not d.rest]
        return dict(zip(symbols, distinct((s.lower() for s in symbols), ("rest",)), strict=True))

    @property
    def dynamic(self) -> bool:
        return any(d.dynamic for d in self.interface.dims)

    @property
    def static_dims(self) -> tuple[KernelDim, ...]:
        return tuple(d for d in self.interface.dims if not d.dynamic)

    @property
    def dynamic_dims(self) -> tuple[KernelDim, ...]:
        return tuple(d for d in self.interface.dims if d.dynamic)

    @property
    def exact_early(self) -> bool:
        """Whether every size must be known wherever a variant is chosen, not only when the kernel runs."""
        return self.eager or not self.dynamic

    @cached_property
    def shape_attrs(self) -> bool:
        """Whether a shape or a count names an attribute."""
        return any(self._names_attr(size) for size in self._sizes())

    def _sizes(self) -> list[Size]:
        tensors = (*self.operator.inputs, *self.operator.outputs)
        return [axis for t in tensors for axis in t.shape] + [t.count for t in tensors if t.count is not None]

    def _names_attr(self, size: Size) -> bool:
        return any(name not in self.dim_members for name in names(size))

    def input_names_attr(self) -> bool:
        """Whether a shape or a count of an input names an attribute."""
        tensors = self.operator.inputs
        sizes = [axis for t in tensors for axis in t.shape] + [t.count for t in tensors if t.count is not None]
        return any(self._names_attr(size) for size in sizes)

    @property
    def dtype_attrs(self) -> tuple[str, ...]:
        return tuple(a.name for a in self.operator.attrs if a.type == "dtype")

    @property
    def full_input(self) -> Input | None:
        """The input whose elements are counted for a generated kernel: the first that is not a single element."""
        required = [i for i in self.inputs if i.kind == "required"]
        return next((i for i in required if not _single(i.tensor)), required[0] if required else None)


def _single(tensor: Tensor) -> bool:
    return all(axis.op == "const" and axis.value == 1 for axis in map(simplify, tensor.shape))
