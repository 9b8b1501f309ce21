"""Formulas on rows that are several times as long as others, in terms of pieces that are not.

A slice of what is computed is computed of slices of the inputs; what `concat` puts together is used piece by piece, and
put together where it is stored; a reduction joins what the pieces give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from opgen.formula.ir import Assignment, Node, TypedFormula
from opgen.formula.signature import Shape, Variant
from opgen.formula.sizes import Size, simplify
from opgen.kernel.forms import POSITIONS, REDUCTIONS, Rows, rows_of
from opgen.spec.model import Operator

_JOINED = {"sum": "add", "mean": "add", "max": "maximum", "min": "minimum"}
_ONE = Size.const(1)


def row_formula(operator: Operator, variant: Variant) -> TypedFormula:
    """The formula of a kernel for a variant: values have one length of rows, where that can be had. As it is written
    for kernels that do not work on rows."""
    from opgen.spec.variants import typed

    formula = typed(operator, variant)
    rows = rows_of(operator)
    if rows is None:
        return formula
    if rows.lengths:
        return _of_inputs(formula)
    cutter = _Cutter(rows, frozenset(t.name for t in (*operator.inputs, *operator.outputs)))
    return cutter.formula(formula) if any(map(cutter.wide, formula.walk())) else formula


def _of_inputs(formula: TypedFormula) -> TypedFormula:
    """The formula with slices of what is computed as computed of slices of the inputs."""
    held: dict[str, Node] = {}
    result: list[Assignment] = []
    for line, assignment in enumerate(formula.assignments):
        value = held[assignment.name] = _resliced(assignment.value, held)
        result.append(replace(assignment, value=value, line=line))
    return TypedFormula(tuple(_needed(result, set())))


def _resliced(node: Node, held: Mapping[str, Node]) -> Node:
    args = tuple(_resliced(arg, held) for arg in node.args)
    if node.op != "slice" or args[0].op == "load":
        return replace(node, args=args)
    return _part(args[0], *_ends(node), held) or replace(node, args=args)


def _part(node: Node, start: Size, stop: Size, held: Mapping[str, Node]) -> Node | None:
    """Columns of a value, of as many columns of the inputs; None where that is something else."""
    if not node.shape or simplify(node.shape[-1]) == _ONE:
        return node
    shape = (*node.shape[:-1], simplify(Size("sub", (stop, start))))
    if node.op == "local":
        return _part(held[str(node.value)], start, stop, held)
    if node.op == "slice" and node.args[0].op == "load":
        before = _ends(node)[0]
        first, last = (simplify(Size("add", (before, end))) for end in (start, stop))
        return replace(node, shape=shape, value=(first, last))
    if node.op == "load":
        return Node("slice", node.kind, shape, (node,), (start, stop), node.offset)
    if node.op in (*POSITIONS, "concat", "slice"):
        return None
    args = [_part(arg, start, stop, held) for arg in node.args]
    parts = tuple(arg for arg in args if arg is not None)
    return replace(node, shape=shape, args=parts) if len(parts) == len(args) else None


def _ends(node: Node) -> tuple[Size, Size]:
    """Start and stop of a slice."""
    assert isinstance(node.value, tuple) and node.shape is not None
    first = node.value[0]
    start = simplify(first) if isinstance(first, Size) else Size.const(0)
    return start, simplify(Size("add", (start, node.shape[-1])))


@dataclass
class _Cutter:
    """rows: whose last axis is the length of a piece. taken: names that pieces must not have."""

    rows: Rows
    taken: frozenset[str]

    def __post_init__(self) -> None:
        self.parts: dict[str, tuple[Node, ...]] = {}  # line -> its pieces

    def wide(self, node: Node) -> bool:
        return self.pieces_of(node) > 1

    def pieces_of(self, node: Node) -> int:
        """How many pieces a value has; 1 for one that is the same for all columns, too; 0: it cannot be cut."""
        if not node.shape or simplify(node.shape[-1]) == _ONE:
            return 1
        return self.rows.times(simplify(node.shape[-1])) or 0

    def formula(self, formula: TypedFormula) -> TypedFormula:
        result: list[Assignment] = []
        for line, assignment in enumerate(formula.assignments):
            parts = self.value(assignment.value)
            if len(parts) == 1:
                result.append(replace(assignment, value=parts[0], line=line))
                continue
            held = []
            for number, part in enumerate(parts, 1):
                if part.op == "local" or (part.op == "slice" and part.args[0].op == "load"):
                    held.append(part)
                    continue
                name = self._name(f"{assignment.name}{number}")
                result.append(Assignment(name, part, False, "", assignment.offset, line))
                held.append(Node("local", part.kind, part.shape, (), name, part.offset))
            self.parts[assignment.name] = tuple(held)
            if assignment.output:
                whole = replace(assignment.value, op="concat", args=tuple(held), value=None)
                result.append(replace(assignment, value=whole, line=line))
        return TypedFormula(tuple(_needed(result, {a.name for a in formula.assignments})))

    def _name(self, wanted: str) -> str:
        while wanted in self.taken or wanted in self.parts:
            wanted += "_"
        return wanted

    def value(self, node: Node) -> tuple[Node, ...]:
        """The pieces of a value, in order: one where it is no longer than a piece, or cannot be cut."""
        count = self.pieces_of(node)
        if node.op == "local":
            return self.parts.get(str(node.value), (node,))
        if node.op == "load":
            return (node,) if count < 2 else tuple(self._slice(node, i, i + 1) for i in range(count))
        if node.op == "slice":
            return self._sliced(node)
        if node.op in REDUCTIONS:
            return (self._reduced(node),)
        if node.op in ("argmax", "argmin"):
            return (self._position(node),)
        args = [self.value(arg) for arg in node.args]
        if node.op == "concat" and count > 1 and sum(map(len, args)) == count:
            return tuple(self._as(part, node) for parts in args for part in parts)
        if count < 2:
            fitting = all(len(parts) == 1 for parts in args)
            return (replace(node, args=tuple(parts[0] for parts in args)) if fitting else node,)
        if node.op == "arange":
            return tuple(self._arange(node, i) for i in range(count))
        if node.op in POSITIONS or any(len(parts) not in (1, count) for parts in args):
            return (node,)
        shape = self._shape(node.shape)
        return tuple(
            replace(node, shape=shape, args=tuple(parts[i if len(parts) > 1 else 0] for parts in args))
            for i in range(count)
        )

    def _shape(self, shape: Shape | None) -> Shape:
        assert shape is not None
        return (*shape[:-1], Size.name(self.rows.last.name))

    def _columns(self, pieces: int) -> Size:
        return simplify(Size("mul", (Size.const(pieces), Size.name(self.rows.last.name))))

    def _slice(self, load: Node, first: int, last: int) -> Node:
        """A piece of an input."""
        value = (self._columns(first), self._columns(last))
        return Node("slice", load.kind, self._shape(load.shape), (load,), value, load.offset)

    def _sliced(self, node: Node) -> tuple[Node, ...]:
        """A slice at the ends of pieces; of an input it may begin anywhere."""
        (base,) = node.args
        count = self.pieces_of(node)
        if base.op == "load" and count < 2:
            return (node,)
        assert isinstance(node.value, tuple)
        start = node.value[0]
        first = self._number(start) if isinstance(start, Size) else 0
        parts = self.value(base)
        if count == 0 or first is None or len(parts) < first + count:
            return (replace(node, args=parts) if len(parts) == 1 else node,)
        return parts[first : first + count]

    def _number(self, start: Size) -> int | None:
        """Pieces in front of a column."""
        start = simplify(start)
        return 0 if start.number == 0 else self.rows.times(start)

    def _as(self, part: Node, whole: Node) -> Node:
        """A member of a concat in the kind of all."""
        if part.kind == whole.kind or whole.kind != "float":
            return part
        return Node("cast", "float", part.shape, (part,), "float32", part.offset)

    # ---- reductions ----

    def _reduced(self, node: Node) -> Node:
        """One reduction of what the pieces give element by element, which costs less than one of each."""
        parts = list(self.value(node.args[0]))
        if len(parts) == 1:
            return replace(node, args=(parts[0],))
        if parts[0].kind == "bool":
            return self._fold(_JOINED[node.op], [replace(node, args=(part,)) for part in parts])
        if node.op != "mean":
            return replace(node, args=(self._fold(_JOINED[node.op], parts),))
        floats = [p if p.kind == "float" else Node("cast", "float", p.shape, (p,), "float32", p.offset) for p in parts]
        total = replace(node, op="sum", args=(self._fold("add", floats),))
        return replace(node, op="div", args=(total, self._count(len(parts), node.offset)))

    def _fold(self, op: str, parts: list[Node]) -> Node:
        result = parts[0]
        for part in parts[1:]:
            result = replace(part, op=op, args=(result, part), value=None)
        return result

    def _position(self, node: Node) -> Node:
        """The first of the largest or smallest: of the first piece that has it."""
        parts = self.value(node.args[0])
        kind, op = parts[0].kind, "max" if node.op == "argmax" else "min"
        best = position = None
        for number, part in enumerate(parts):
            extreme = Node(op, kind, node.shape, (part,), None, node.offset)
            at = self._behind(replace(node, args=(part,)), number)
            if best is None or position is None:
                best, position = extreme, at
                continue
            better = Node("gt" if op == "max" else "lt", "bool", node.shape, (extreme, best), None, node.offset)
            position = replace(node, op="where", args=(better, at, position))
            best = self._fold(_JOINED[op], [best, extreme])
        assert position is not None
        return position

    def _arange(self, node: Node, number: int) -> Node:
        shape = self._shape(node.shape)
        return self._behind(replace(node, shape=shape, value=Size.name(self.rows.last.name)), number)

    def _behind(self, node: Node, pieces: int) -> Node:
        """A number of a column, behind so many pieces."""
        if not pieces:
            return node
        return replace(node, op="add", args=(node, self._count(pieces, node.offset)), value=None)

    def _count(self, pieces: int, offset: int) -> Node:
        """Columns of so many pieces."""
        last = Node("dim", "int", None, (), self.rows.last.name, offset)
        return Node("mul", "int", None, (Node("const", "int", None, (), pieces, offset), last), None, offset)


def _needed(assignments: list[Assignment], written: set[str]) -> list[Assignment]:
    """Without pieces that nothing reads. written: lines that op.yaml has itself."""
    read: set[str] = set()
    result = []
    for assignment in reversed(assignments):
        if assignment.output or assignment.name in written or assignment.name in read:
            read |= {str(node.value) for node in assignment.value.walk() if node.op == "local"}
            result.append(assignment)
    return result[::-1]
