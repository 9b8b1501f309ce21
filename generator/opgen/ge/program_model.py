"""What the test programs of one operator work with: the tensors and attributes of its first case, and their names in
C++."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from opgen.cxx.names import Names
from opgen.facts.dtypes import DTYPES, DType
from opgen.facts.naming import camel
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Attr, Tensor
from opgen.formula.sizes import Size, evaluate
from opgen.spec.model import Case, Operator
from opgen.spec.variants import case_variant, typed

Golden = Literal["formula", "reference", "none"]

# Types that hold one element on the host. A bool is a byte there: std::vector<bool> has no memory to copy from.
ELEMENTS = {"float32": "float", "float16": "Float16", "bfloat16": "BFloat16", "bool": "uint8_t"}

_HALVES = ("float16", "bfloat16")

# Names that the programs use themselves.
_LOCALS = (
    *(
        "acl",
        "argc",
        "argv",
        "array",
        "data",
        "desc",
        "device",
        "dims",
        "engine",
        "error",
        "folder",
        "graph",
        "i",
        "id",
    ),
    *("in", "index", "inputs", "k", "model", "name", "options", "out", "outputs", "path", "sample", "session", "shape"),
    *("size", "stream", "type", "values"),
)


@dataclass(frozen=True)
class CaseTensor:
    """An input or output in the first case.

    element: C++ type of an element. dims: its sizes. copies: None, or how many equal tensors there are. low, high:
    limits of an input's elements. local: its variable in a program; type, shape, count: its constants.
    """

    tensor: Tensor
    dtype: DType
    element: str
    dims: tuple[int, ...]
    copies: int | None
    low: int | float
    high: int | float
    local: str
    type: str
    shape: str
    count: str
    copies_name: str

    @property
    def name(self) -> str:
        return self.tensor.name

    @property
    def elements(self) -> int:
        return math.prod(self.dims)

    @property
    def instances(self) -> int:
        """How many tensors of the graph it is."""
        return 1 if self.copies is None else self.copies


@dataclass(frozen=True)
class CaseAttr:
    """An attribute in the first case. constant: its C++ name."""

    attr: Attr
    value: bool | int | float | str | tuple[int, ...] | tuple[float, ...]
    constant: str


@dataclass(frozen=True)
class CaseModel:
    """The first case of an operator.

    node: variable of the operator in a program. tolerances: output -> constant, in the order of the outputs; empty when
    nothing is compared. typed: the formula for this case, if there is one.
    """

    operator: Operator
    inputs: tuple[CaseTensor, ...]
    outputs: tuple[CaseTensor, ...]
    attrs: tuple[CaseAttr, ...]
    dims: tuple[tuple[str, int], ...]
    node: str
    tolerances: tuple[tuple[str, str], ...]
    golden: Golden
    typed: TypedFormula | None

    @property
    def case(self) -> Case:
        return self.operator.cases[0]

    @property
    def tensors(self) -> tuple[CaseTensor, ...]:
        return self.inputs + self.outputs

    @property
    def lists(self) -> bool:
        """Whether an input or output is a list of tensors."""
        return any(t.copies is not None for t in self.tensors)

    @property
    def half(self) -> bool:
        """Whether float16 or bfloat16 is used, be it only inside the formula."""
        casts = (node for node in self.typed.walk() if node.op == "cast") if self.typed else ()
        return any(t.dtype.name in _HALVES for t in self.tensors) or any(node.value in _HALVES for node in casts)

    @property
    def unchecked(self) -> str:
        """What the programs print when there are no golden values."""
        names = " and ".join(t.name for t in self.outputs)
        return f"No golden values: {names} {'is' if len(self.outputs) == 1 else 'are'} not compared"

    def tolerance(self, tensor: CaseTensor) -> float:
        return dict(self.operator.tolerance).get(tensor.dtype.name, 0.0)


def case_model(operator: Operator) -> CaseModel:
    """The first case of `operator`, which has a value for every dim, attribute and type symbol."""
    case = operator.cases[0]
    attrs = dict(case.attrs)
    types = {name: str(value) for name, value in attrs.items()} | dict(case.types)
    env = _environment(case)
    names = Names()
    constants = _Constants(operator, names)
    locals_ = Names(_LOCALS)
    node = locals_.new(operator.name, f"{operator.name}_op")
    tensors: list[CaseTensor] = []
    for tensor in operator.inputs + operator.outputs:
        is_input = tensor.role == "input"
        dtype = DTYPES[types.get(tensor.dtype, tensor.dtype)]
        dims = _dims(tensor, case, env)
        wishes = (tensor.name, f"{tensor.name}_{'in' if is_input else 'out'}")
        tensors.append(
            CaseTensor(
                tensor=tensor,
                dtype=dtype,
                element=ELEMENTS.get(dtype.name, dtype.cxx),
                dims=dims,
                copies=None if tensor.count is None else evaluate(tensor.count, env),
                low=_limit(tensor.low, env),
                high=_limit(tensor.high, env),
                local=locals_.new(*wishes),
                type=constants.type(tensor.name, dtype.name),
                shape=constants.shape(tensor.name, dims),
                count=constants.count(tensor.name, dims),
                copies_name="" if tensor.count is None else constants.copies(tensor.name),
            )
        )
    count = len(operator.inputs)
    golden: Golden = "formula" if operator.formula else "reference" if operator.reference else "none"
    return CaseModel(
        operator=operator,
        inputs=tuple(tensors[:count]),
        outputs=tuple(tensors[count:]),
        attrs=tuple(CaseAttr(a, _value(attrs[a.name]), constants.attr(a.name)) for a in operator.attrs),
        dims=tuple((name, value) for name, value in env.items() if name in {d.name for d in operator.dims}),
        node=node,
        tolerances=constants.tolerances(tensors[count:], dict(operator.tolerance)) if golden != "none" else (),
        golden=golden,
        typed=typed(operator, case_variant(operator, case)) if operator.formula else None,
    )


class _Constants:
    """Names of constants: `kShape` when all tensors have one shape, else `kXShape` after the first that has it."""

    def __init__(self, operator: Operator, names: Names) -> None:
        self._names = names
        self._known: dict[tuple[str, object], str] = {}
        case = operator.cases[0]
        types = {name: str(value) for name, value in case.attrs} | dict(case.types)
        tensors = operator.inputs + operator.outputs
        env = _environment(case)
        self._one_type = len({types.get(t.dtype, t.dtype) for t in tensors}) == 1
        self._one_shape = len({_dims(t, case, env) for t in tensors}) == 1

    def type(self, tensor: str, dtype: str) -> str:
        return self._constant(tensor, "Type", dtype, self._one_type)

    def shape(self, tensor: str, dims: tuple[int, ...]) -> str:
        return self._constant(tensor, "Shape", dims, self._one_shape)

    def count(self, tensor: str, dims: tuple[int, ...]) -> str:
        return self._constant(tensor, "Count", dims, self._one_shape)

    def copies(self, tensor: str) -> str:
        return self._names.new(f"k{camel(tensor)}Copies")

    def attr(self, name: str) -> str:
        return self._names.new(f"k{camel(name)}", f"k{camel(name)}Attr")

    def tolerances(self, outputs: list[CaseTensor], by_type: Mapping[str, float]) -> tuple[tuple[str, str], ...]:
        values = {t.name: by_type.get(t.dtype.name, 0.0) for t in outputs}
        one = len(set(values.values())) == 1
        return tuple((name, self._constant(name, "Tolerance", value, one)) for name, value in values.items())

    def _constant(self, tensor: str, what: str, value: object, one: bool) -> str:
        key = (what, value)
        if key not in self._known:
            self._known[key] = self._names.new(f"k{what}" if one else f"k{camel(tensor)}{what}")
        return self._known[key]


def _environment(case: Case) -> dict[str, int]:
    """Everything that a size can name: dims, and attributes that are numbers."""
    env = {name: value for name, value in case.dims if isinstance(value, int)}
    env.update({name: int(value) for name, value in case.attrs if isinstance(value, bool | int)})
    return env


def _dims(tensor: Tensor, case: Case, env: Mapping[str, int]) -> tuple[int, ...]:
    dims: list[int] = []
    for axis in tensor.shape:
        if axis.op == "rest":
            rest = dict(case.dims)["..."]
            dims += rest if isinstance(rest, tuple) else (rest,)
        else:
            dims.append(evaluate(axis, env))
    return tuple(dims)


def _limit(limit: int | float | Size | None, env: Mapping[str, int]) -> int | float:
    if limit is None:
        return 0
    return evaluate(limit, env) if isinstance(limit, Size) else limit


def _value(value: object) -> bool | int | float | str | tuple[int, ...] | tuple[float, ...]:
    assert isinstance(value, bool | int | float | str | tuple)
    return value
