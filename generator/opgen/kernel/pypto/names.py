"""Names inside a PyPTO kernel: parameters as the operator calls them, everything else where it cannot meet them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from opgen.kernel.pieces import Piece, pieces
from opgen.spec.model import Operator
from opgen.text.findings import Finding

# Names that the kernel's text relies on.
_MODULES = ("pl", "dataclass", "TilingKeyField")
_LOCALS = ("i", "offset", "length", "row", "rows", "column", "columns", "workers")


@dataclass
class Names:
    """views, tiles: (tensor, is output) -> name. dtypes: type symbol -> the variable that PyPTO Pro sets, for symbols
    that have several types. pieces: of tensors that are moved piece by piece, by the names that loads and stores have
    for them."""

    operator: Operator
    parameters: tuple[str, ...] = ()
    dtypes: dict[str, str] = field(default_factory=dict)
    views: dict[tuple[str, bool], str] = field(default_factory=dict)
    tiles: dict[tuple[str, bool], str] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    pieces: dict[str, Piece] = field(default_factory=dict)

    def __post_init__(self) -> None:
        operator = self.operator
        self.parameters = tuple(parameters(operator))
        self.taken |= {*self.parameters, *_MODULES, "workspace", "tiling", operator.name}
        self.taken |= {attr.name for attr in operator.attrs} | {f.name for f in operator.tiling.key}
        several = [s for s in operator.combinations[0] if len({dict(c)[s[0]] for c in operator.combinations}) > 1]
        for symbol, _ in several:
            self.dtypes[symbol] = self.unique("data_dtype" if len(several) == 1 else f"{symbol.lower()}_dtype")

    def take(self, names: Iterable[str]) -> None:
        """Names that are fixed: fields of the key."""
        self.taken |= set(names)

    def settle(self) -> None:
        """Gives everything else its name."""
        operator = self.operator
        for tensor in operator.inputs:
            self.views[tensor.name, False] = self.unique(f"{tensor.name}_view")
            self.tiles[tensor.name, False] = self.unique(f"{tensor.name}_tile")
        for tensor in operator.outputs:
            stem = f"{tensor.name}_out" if tensor.inplace else tensor.name
            self.views[tensor.name, True] = self.unique(f"{stem}_view")
            self.tiles[tensor.name, True] = self.unique(f"{stem}_tile")
        for piece in pieces(operator):
            self.pieces[piece.name] = piece
            self.tiles[piece.name, piece.output] = self.unique(f"{piece.name}_tile")
        self.own = {name: self.unique(name) for name in _LOCALS}

    def tensor(self, name: str) -> str:
        """The tensor that a load or store moves, or a piece of."""
        return self.pieces[name].tensor if name in self.pieces else name

    def unique(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def parameters(operator: Operator) -> Iterator[str]:
    """Kernel parameters in front of workspace and tiling: an in-place output has a slot of its own."""
    for tensor in operator.inputs:
        yield tensor.name
    for tensor in operator.outputs:
        yield f"{tensor.name}_ref" if tensor.inplace else tensor.name


def name_findings(operator: Operator) -> Iterator[Finding]:
    """OPG103 for tensors whose names the kernel's own text needs: a parameter is called as the operator calls it."""
    for kind, tensors in (("inputs", operator.inputs), ("outputs", operator.outputs)):
        for number, tensor in enumerate(tensors):
            if tensor.name in _MODULES and not tensor.inplace:
                what = f"`{tensor.name}` is a name that PyPTO kernels use"
                why = "A parameter of the kernel has the name of its tensor, and would hide it."
                pointer = f"{operator.pointer}/{kind}/{number}/name"
                yield Finding("OPG103", what, why, f"Call it `{tensor.name}_in`.", pointer=pointer)
