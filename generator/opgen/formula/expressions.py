"""The typed tree of one expression: names, operators, conditions, indexes."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.facts.dtypes import DTYPES, Kind
from opgen.formula import shapes
from opgen.formula.functions import FUNCTIONS
from opgen.formula.ir import Node, NodeValue
from opgen.formula.shapes import Misfit
from opgen.formula.signature import Shape
from opgen.formula.statics import Statics, did_you_mean
from opgen.formula.syntax_tree import Expr

_EXACT = 2**53  # whole numbers up to here are the same in every arithmetic of the project
_MAX_POWER = 64
SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "neg": "-",
    "and": "&",
    "or": "|",
    "not": "~",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
}


class Expressions:
    """Resolves expressions for one variant. What is wrong goes to the statics' problems; the result is None then.

    inputs: what an input's name means. assigned: earlier lines, None where one could not be resolved. later: names that
    are assigned on this line or below.
    """

    def __init__(
        self, source: str, statics: Statics, inputs: Mapping[str, Node], assigned: Mapping[str, Node | None]
    ) -> None:
        self.source = source
        self.statics = statics
        self.inputs = inputs
        self.assigned = assigned
        self.later: frozenset[str] = frozenset()

    def resolve(self, expr: Expr) -> Node | None:
        match expr.op:
            case "number" | "bool":
                return self.constant(expr, expr.value)
            case "name":
                return self._name(expr, str(expr.value))
            case "if":
                chosen = self.statics.condition(expr.args[0])
                return None if chosen is None else self.resolve(expr.args[1 if chosen else 2])
            case "index":
                return self._index(expr)
            case "call":
                from opgen.formula.applications import call

                return call(self, expr)
            case _:
                return self._operator(expr)

    def constant(self, expr: Expr, value: object) -> Node:
        assert isinstance(value, (bool, int, float))
        kind: Kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"
        return Node("const", kind, None, (), value, expr.offset)

    def text(self, expr: Expr) -> str:
        """What an expression was read from, cut where it is long."""
        text = " ".join(self.source[expr.offset : expr.offset + expr.length].split())
        return text if len(text) <= 40 else text[:37] + "..."

    def refuse_kind(self, expr: Expr, what: str, why: str, fix: str) -> None:
        self.statics.report("OPG304", expr, f"{what}{self.statics.when}", why, fix)

    def refuse_shape(self, expr: Expr, misfit: Misfit) -> None:
        what = f"{misfit.what}{self.statics.when}"
        if misfit.entry is not None:
            expr = Expr("index", (), None, misfit.entry.offset, misfit.entry.length)
        self.statics.report("OPG305", expr, what, misfit.why, misfit.fix)

    def all(self, exprs: tuple[Expr, ...]) -> tuple[Node, ...] | None:
        """The operands, or None when one of them is wrong; every one is looked at."""
        nodes = tuple(self.resolve(expr) for expr in exprs)
        found = tuple(node for node in nodes if node is not None)
        return found if len(found) == len(nodes) else None

    def elementwise(
        self, op: str, kind: Kind, expr: Expr, nodes: tuple[Node, ...], value: NodeValue | None = None
    ) -> Node | None:
        """An operation element by element, in the shape that its operands broadcast to."""
        shape: Shape | None = None
        for node in nodes:
            joined = shapes.broadcast(shape, node.shape)
            if isinstance(joined, Misfit):
                self.refuse_shape(expr, joined)
                return None
            shape = joined
        return Node(op, kind, shape, nodes, value, expr.offset)

    def _name(self, expr: Expr, name: str) -> Node | None:
        if name in self.assigned:
            value = self.assigned[name]
            return value and Node("local", value.kind, value.shape, (), name, expr.offset)
        if name in self.inputs:
            node = self.inputs[name]
            return Node(node.op, node.kind, node.shape, (), node.value, expr.offset)
        if name in self.statics.dims:
            return Node("dim", "int", None, (), name, expr.offset)
        attr = self.statics.attrs.get(name)
        if attr is None:
            self._unknown(expr, name)
            return None
        if attr.type not in ("bool", "int", "float"):
            what, why = f"`{name}` is no value", f"an attribute of type {attr.type} names a choice"
            self.refuse_kind(expr, what, why, "use it in a condition, an option or `cast`")
            return None
        kind: Kind = "bool" if attr.type == "bool" else "int" if attr.type == "int" else "float"
        if name not in self.statics.values:
            return Node("attr", kind, None, (), name, expr.offset)
        found = self.statics.values[name]
        assert isinstance(found, (bool, int, float))
        return Node("const", kind, None, (), float(found) if kind == "float" else found, expr.offset)

    def _unknown(self, expr: Expr, name: str) -> None:
        statics = self.statics
        if any(name == tensor.name for tensor in statics.signature.inputs):
            what, why = f"`{name}` is a list of tensors", "a formula reads single tensors"
            self.refuse_kind(expr, what, why, "write the kernel by hand (`kernel:`)")
            return
        why = "a formula names inputs, attributes, dims and earlier lines"
        known = [*self.inputs, *statics.attrs, *sorted(statics.dims), *self.assigned]
        if name in self.later or name in {tensor.name for tensor in statics.signature.outputs}:
            what, fix = f"`{name}` is read before it is assigned", "assign it on an earlier line"
        elif name in FUNCTIONS:
            what, fix = f"`{name}` is a function", f"call it: `{FUNCTIONS[name].usage}`"
        elif name in DTYPES or name in statics.types:
            what, fix = f"`{name}` is a type", f"types stand in `cast(x, {name})` only"
        elif name in ("true", "false"):
            what, fix = f"unknown name `{name}`", f"write `{name.capitalize()}`"
        elif name == "pi":
            what, fix = "unknown name `pi`", "write 3.141592653589793"
        else:
            what, fix = f"unknown name `{name}`", did_you_mean(name, known)
        statics.report("OPG302", expr, what, why, fix)

    def _index(self, expr: Expr) -> Node | None:
        base = self.resolve(expr.args[0])
        entries = []
        names = {*self.assigned, *self.later}
        for entry in expr.index:
            bounds = []
            for bound in (entry.start, entry.stop):
                folded = None if bound is None else self.statics.size(bound, entry.offset, entry.length, names)
                if bound is not None and folded is None:
                    return None
                bounds.append(folded)
            entries.append(type(entry)(entry.op, bounds[0], bounds[1], entry.offset, entry.length))
        if base is None:
            return None
        indexed = shapes.index(base.shape, tuple(entries))
        if isinstance(indexed, Misfit):
            self.refuse_shape(expr, indexed)
            return None
        node = base
        if indexed.piece is not None:
            node = Node("slice", base.kind, indexed.sliced, (base,), indexed.piece, expr.offset)
        if indexed.new:
            node = Node("expand", base.kind, indexed.shape, (node,), indexed.new, expr.offset)
        return node

    def _operator(self, expr: Expr) -> Node | None:
        nodes = self.all(expr.args)
        if nodes is None:
            return None
        op = expr.op
        if op == "matmul":
            from opgen.formula.applications import product

            return product(self, expr, nodes, (False, False))
        if op in ("and", "or", "not"):
            return self._logic(expr, nodes)
        if op in ("eq", "ne") and all(node.kind == "bool" for node in nodes):
            return self.elementwise(op, "bool", expr, nodes)
        for node, operand in zip(nodes, expr.args, strict=True):
            if node.kind == "bool":
                fix = f"write `cast({self.text(operand)}, float32)` or `where({self.text(operand)}, 1, 0)`"
                if op in ("eq", "ne"):
                    fix = f"write `{self.text(operand)}` or `~{self.text(operand)}` alone"
                what = f"`{self.text(operand)}` is bool, an operand of `{SIGNS[op]}`"
                self.refuse_kind(operand, what, "bool never turns into a number by itself", fix)
                return None
        if op in ("lt", "le", "gt", "ge", "eq", "ne"):
            return self.elementwise(op, "bool", expr, nodes)
        if op in ("floordiv", "mod"):
            return self._whole_division(expr, nodes)
        if op == "div":
            return self._division(expr, nodes)
        if op == "pow":
            return self._power(expr, nodes)
        return _folded(self.elementwise(op, wider(nodes), expr, nodes))

    def _logic(self, expr: Expr, nodes: tuple[Node, ...]) -> Node | None:
        for node, operand in zip(nodes, expr.args, strict=True):
            if node.kind != "bool":
                text = self.text(operand)
                what = f"`{text}` is {node.kind}, an operand of `{SIGNS[expr.op]}`"
                why = f"`{SIGNS[expr.op]}` takes bools, and binds tighter than comparisons"
                self.refuse_kind(operand, what, why, f"write `({text} != 0)`, or put comparisons into parentheses")
                return None
        return self.elementwise(expr.op, "bool", expr, nodes)

    def _division(self, expr: Expr, nodes: tuple[Node, ...]) -> Node | None:
        for node, operand in zip(nodes, expr.args, strict=True):
            if node.kind == "int" and node.shape is not None:
                what = f"`{self.text(operand)}` is an int tensor, an operand of `/`"
                why = "ints are not divided on the chip, and a quotient is a float"
                self.refuse_kind(operand, what, why, f"write `cast({self.text(operand)}, float32)`")
                return None
        return self.elementwise("div", "float", expr, nodes)

    def _whole_division(self, expr: Expr, nodes: tuple[Node, ...]) -> Node | None:
        for node, operand in zip(nodes, expr.args, strict=True):
            if node.kind != "int" or node.shape is not None:
                what = f"`{self.text(operand)}` is {describe(node)}, an operand of `{SIGNS[expr.op]}`"
                why = "kernels have no integer division; int scalars are divided before"
                self.refuse_kind(operand, what, why, "for floats write `floor(a / b)` or `a - b * floor(a / b)`")
                return None
        if nodes[1].op == "const" and nodes[1].value == 0:
            self.refuse_kind(expr.args[1], "a division by zero", "it has no value", "change the divisor")
            return None
        return _folded(self.elementwise(expr.op, "int", expr, nodes))

    def _power(self, expr: Expr, nodes: tuple[Node, ...]) -> Node | None:
        base, exponent = nodes
        literal = exponent.op == "const" and exponent.kind == "int" and isinstance(exponent.value, int)
        if base.kind == "int" and exponent.kind == "int":
            if not literal or int(str(exponent.value)) < 0:
                what = f"`{self.text(expr.args[0])}` is int, and `{self.text(expr.args[1])}` no whole number from 0"
                fix = f"write `cast({self.text(expr.args[0])}, float32)`" if base.shape is not None else "write a float"
                self.refuse_kind(expr.args[0], what, "an int stays one only to a literal power from 0", fix)
                return None
            if int(str(exponent.value)) > _MAX_POWER:
                what = f"`{self.text(expr.args[1])}` is a power above {_MAX_POWER}"
                self.refuse_kind(expr.args[1], what, "no int holds such a power", "write a float")
                return None
            return _folded(self.elementwise("pow", "int", expr, nodes))
        return self.elementwise("pow", "float", expr, nodes)


def wider(nodes: tuple[Node, ...]) -> Kind:
    """int meets float: float. The operands are ints and floats, or bools only."""
    kinds = {node.kind for node in nodes}
    return "float" if "float" in kinds else "int" if "int" in kinds else "bool"


def describe(node: Node) -> str:
    """As messages say it."""
    article = "an" if node.kind == "int" else "a"
    return f"{article} {node.kind} {'scalar' if node.shape is None else 'tensor'}"


def _folded(node: Node | None) -> Node | None:
    """Literal whole numbers and signs of literals are computed here. Attributes stay: a formula keeps its form."""
    if node is None or any(arg.op != "const" for arg in node.args):
        return node
    values = [arg.value for arg in node.args]
    if node.op == "neg" and isinstance(values[0], (int, float)):
        return Node("const", node.kind, None, (), -values[0], node.offset)
    if node.kind != "int":
        return node
    first, second = (value if isinstance(value, int) else 0 for value in values)
    match node.op:
        case "add":
            result = first + second
        case "sub":
            result = first - second
        case "mul":
            result = first * second
        case "floordiv":
            result = first // second
        case "mod":
            result = first % second
        case _:
            result = first**second
    return Node("const", "int", None, (), result, node.offset) if abs(result) <= _EXACT else node


def reduced(node: Node, assigned: Mapping[str, Node | None]) -> bool:
    """Whether the last axis, of size 1, was left by a reduction."""
    if node.op in ("sum", "mean", "max", "min", "argmax", "argmin"):
        return True
    if node.op == "local":
        value = assigned.get(str(node.value))
        return value is not None and reduced(value, assigned)
    if node.op in ("expand", "concat", "matmul", "slice", "arange"):
        return False
    return any(arg.shape is not None and reduced(arg, assigned) for arg in node.args)
