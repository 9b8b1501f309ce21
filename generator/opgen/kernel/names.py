"""Names inside a kernel script: the operator's own where possible, the script's own where they cannot meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from opgen.kernel.forms import rows_of
from opgen.kernel.interface import kernel_interface
from opgen.kernel.pieces import pieces
from opgen.spec.model import Operator

# What the script's text calls its own things, where op.yaml does not use the name.
_OWN = (
    "args",
    "around",
    "b",
    "blocks",
    "c",
    "columns",
    "compile_kernel",
    "cores",
    "dtype",
    "each",
    "first",
    "half",
    "i",
    "item",
    "items",
    "j",
    "last",
    "main",
    "max",
    "min",
    "n",
    "pieces",
    "rounds",
    "rows",
    "start",
    "step",
    "tiles",
    "trips",
    "turn",
    "without",
    "workers",
)

# What of it is a number where there is one row.
_ONE_ROW = {"n": "1", "rows": "1", "blocks": "1", "start": "0"}

# Names of the C++ that TileLang generates, in which a tensor or buffer of the same name would be declared twice; and
# built-ins of Python that the script calls.
_GENERATED = frozenset(
    {"pipe", "tmp_ub", "ascend_ub", "ascend_l1", "uint", "uchar", "ushort", "condval", "layout", "call", "min", "max"}
)


def _generated(name: str) -> bool:
    return name in _GENERATED or name.endswith("_handle")


@dataclass(frozen=True)
class KernelNames:
    """own: the script's own name -> as written. sizes: dim -> its variable, in kernels on rows. user: name of op.yaml
    -> as written. dtypes: symbol -> variable of its type. flags: optional input -> whether it is connected. slots:
    (tensor, is output) -> its buffer. taken: everything that other buffers must not be called."""

    own: Mapping[str, str]
    sizes: Mapping[str, str]
    user: Mapping[str, str]
    dtypes: Mapping[str, str]
    flags: Mapping[str, str]
    slots: Mapping[tuple[str, bool], str]
    taken: frozenset[str]


def kernel_names(
    operator: Operator, own_names: Iterable[str] = _OWN, sizes: Mapping[str, str] | None = None
) -> KernelNames:
    """own_names: of the script. sizes: what it calls its sizes -> what op.yaml does."""
    named = [t.name for t in (*operator.inputs, *operator.outputs)] + [a.name for a in operator.attrs]
    taken = {*named, *_GENERATED}

    def unique(name: str) -> str:
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    interface = kernel_interface(operator)
    rows = rows_of(operator)
    dims = {} if rows is None else {dim.name: unique(name.lower()) for name, dim in rows.sizes}
    own = {}
    if rows is not None:
        own = {"c": dims[rows.last.name], "b": unique("slot" if "b" in taken else "b")}
        own |= _ONE_ROW if rows.alone else {"n": dims[rows.lead.name]}
    own |= {name: unique((sizes or {}).get(name, name)) for name in own_names if name not in own}
    user = {name: unique(name) if _generated(name) else name for name in named}
    symbols = interface.symbols
    dtypes = {s: user[s] if s in user else unique(f"{s.lower()}_dtype") for s in symbols}
    if len(symbols) == 1 and symbols[0] not in user:
        dtypes = {symbols[0]: own["dtype"]}
    flags = {t.name: unique(f"has_{t.name}") for t in interface.optional}
    outputs = [t for t in operator.outputs if not t.inplace]
    cut = pieces(operator)
    slots = {(p.name, p.output): unique(f"{p.name}_ub") for p in cut}
    slots |= {(t.name, False): unique(f"{t.name}_ub") for t in operator.inputs}
    slots |= {(t.name, True): unique(f"{t.name}_ub") for t in outputs}
    slots |= {(t.name, True): unique(f"{t.name}_out_ub") for t in operator.outputs if t.inplace}
    return KernelNames(own, dims, user, dtypes, flags, slots, frozenset(taken))
