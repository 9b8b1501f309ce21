"""Pieces of the last axis: inputs that a formula slices, outputs that `concat` puts together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.formula.ir import Assignment, Node
from opgen.formula.sizes import Size, simplify
from opgen.spec.model import Operator


@dataclass(frozen=True)
class Piece:
    """Columns of a tensor that are loaded or stored by themselves. start, stop: in dims. name: of its buffer. offset:
    characters into the formula, of where it is named first."""

    tensor: str
    output: bool
    start: Size
    stop: Size
    name: str
    offset: int

    @property
    def length(self) -> Size:
        return simplify(Size("sub", (self.stop, self.start)))


def pieces(operator: Operator) -> tuple[Piece, ...]:
    """The pieces of all variants, in order of appearance. Of a tensor that is also read whole, one is all of it."""
    from opgen.kernel.cut import row_formula
    from opgen.spec.variants import variants

    if operator.formula is None:
        return ()
    found: dict[tuple[str, bool, Size, Size], tuple[str, int]] = {}
    for variant in variants(operator):
        for assignment in row_formula(operator, variant).assignments:
            alone = not assignment.output and assignment.value.op == "slice"
            for node, tensor, start, stop in _read(assignment.value):
                found.setdefault((tensor, False, start, stop), (assignment.name if alone else "", node.offset))
            for node, start, stop in stored(assignment):
                found.setdefault((assignment.name, True, start, stop), ("", node.offset))
    zero = Size.const(0)
    cut = {key[:2] for key in found if key[2:] != (zero, _length(operator, key[0]))}
    taken = {t.name for t in (*operator.inputs, *operator.outputs)}
    result = []
    for (tensor, output, start, stop), (name, offset) in found.items():
        number = 1
        while (not name or name in taken) and (tensor, output) in cut:
            name, number = f"{tensor}{number}", number + 1
        if (tensor, output) in cut:
            taken.add(name)
            result.append(Piece(tensor, output, start, stop, name, offset))
    return tuple(result)


def _length(operator: Operator, tensor: str) -> Size:
    shapes = {t.name: t.shape for t in (*operator.outputs, *operator.inputs)}
    return simplify(shapes[tensor][-1]) if shapes[tensor] else Size.const(1)


def _read(node: Node) -> Iterator[tuple[Node, str, Size, Size]]:
    """What a value reads of inputs: where, tensor, start and stop."""
    piece = read(node)
    if piece is not None:
        yield node, *piece
        return
    for arg in node.args:
        yield from _read(arg)


def read(node: Node) -> tuple[str, Size, Size] | None:
    """The piece of an input that a node is: tensor, start and stop. None for anything else."""
    if node.op == "load" and node.shape:
        return str(node.value), Size.const(0), simplify(node.shape[-1])
    if node.op != "slice" or node.args[0].op != "load":
        return None
    assert isinstance(node.value, tuple) and node.shape is not None
    first = node.value[0]
    start = simplify(first) if isinstance(first, Size) else Size.const(0)
    return str(node.args[0].value), start, simplify(Size("add", (start, node.shape[-1])))


def computed(operator: Operator) -> Iterator[Node]:
    """Slices of what is not simply an input."""
    from opgen.kernel.cut import row_formula
    from opgen.spec.variants import variants

    for variant in variants(operator):
        for node in row_formula(operator, variant).walk():
            if node.op == "slice" and node.args[0].op != "load" and node.shape is not None:
                yield node


def stored(assignment: Assignment) -> Iterator[tuple[Node, Size, Size]]:
    """Value, start and stop of each member of a `concat` that is all of an output."""
    start = Size.const(0)
    if not assignment.output or assignment.value.op != "concat":
        return
    for member in assignment.value.args:
        assert member.shape is not None
        stop = simplify(Size("add", (start, member.shape[-1])))
        yield member, start, stop
        start = stop
