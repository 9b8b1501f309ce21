"""Names of the host C++ of a PyPTO folder."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.cxx.names import distinct
from opgen.formula.signature import Dim, Tensor
from opgen.spec.model import Operator


def lower_camel(name: str) -> str:
    """`tile_num` -> `tileNum`, as op_build spells parameters too."""
    first, *others = [part for part in name.split("_") if part] or [name]
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def upper_snake(name: str) -> str:
    """`tile_num` -> `TILE_NUM`."""
    return name.upper()


def index_constant(tensor: Tensor) -> str:
    """The constant that holds the place of a tensor in the definition: `INPUT_X`."""
    return f"{tensor.role.upper()}_{tensor.name.upper()}"


def attr_constant(name: str) -> str:
    return f"ATTR_{name.upper()}"


def dim_members(operator: Operator) -> dict[str, str]:
    """Dim symbol -> its member of Sizes: `N` is n, `BatchSize` batchSize and `...` leading."""
    symbols = [d for d in operator.dims if not d.rest]
    words = distinct(map(_lower_first, symbols), (*_KEYWORDS, "leading"))
    members = {d.name: word for d, word in zip(symbols, words, strict=True)}
    return {d.name: members.get(d.name, "leading") for d in operator.dims}


def _lower_first(dim: Dim) -> str:
    name = dim.name
    if name.isupper() or "_" in name:
        return lower_camel(name.lower())
    return name[:1].lower() + name[1:]


_KEYWORDS = (
    "do",
    "if",
    "int",
    "or",
    "and",
    "not",
    "for",
    "new",
    "auto",
    "bool",
    "case",
    "char",
    "else",
    "enum",
    "goto",
)


def tensor_locals(operator: Operator, taken: Iterable[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Variables for the inputs and for the outputs, in their order."""
    inputs = distinct((lower_camel(t.name) for t in operator.inputs), taken)
    wanted = [lower_camel(t.name) + ("Out" if t.inplace else "") for t in operator.outputs]
    return inputs, distinct(wanted, (*taken, *inputs))
