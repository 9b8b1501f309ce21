"""Names, kinds and shapes of a formula, for one variant."""

from __future__ import annotations

from opgen.facts.dtypes import DTYPES, Kind
from opgen.formula.expressions import Expressions, reduced
from opgen.formula.ir import Assignment, Node, TypedFormula
from opgen.formula.problems import Problem
from opgen.formula.shapes import equal, shape_text
from opgen.formula.signature import Signature, Tensor, Variant
from opgen.formula.statics import Statics
from opgen.formula.syntax_tree import Expr, Formula, Statement

__all__ = ["resolve"]


def resolve(
    formula: Formula, signature: Signature, variant: Variant
) -> tuple[TypedFormula | None, tuple[Problem, ...]]:
    """The typed formula, or every problem found, in the order of the text."""
    resolver = _Resolver(formula, signature, variant)
    for position in range(len(formula.lines)):
        resolver.line(position)
    resolver.missing()
    problems = tuple(sorted(resolver.statics.problems, key=lambda problem: problem.offset))
    if problems:
        return None, problems
    return TypedFormula(tuple(resolver.assignments)), ()


class _Resolver:
    def __init__(self, formula: Formula, signature: Signature, variant: Variant) -> None:
        self.formula = formula
        self.signature = signature
        self.variant = variant
        self.statics = Statics(signature, variant)
        self.outputs: dict[str, Tensor] = {tensor.name: tensor for tensor in signature.outputs}
        self.assignments: list[Assignment] = []
        self.assigned: dict[str, Node | None] = {}
        self.expressions = Expressions(formula.source, self.statics, self._inputs(), self.assigned)

    def _inputs(self) -> dict[str, Node]:
        """What each input's name means before the formula begins."""
        nodes: dict[str, Node] = {}
        for tensor in self.signature.inputs:
            dtype = DTYPES.get(self.variant.dtype(tensor.dtype))
            if dtype is None or tensor.count is not None:
                continue
            if tensor.name in self.variant.absent and tensor.default is not None:
                nodes[tensor.name] = Node("const", dtype.kind, None, (), _of_kind(tensor.default, dtype.kind))
            else:
                nodes[tensor.name] = Node("load", dtype.kind, self.statics.shape(tensor.shape), (), tensor.name)
        return nodes

    def line(self, position: int) -> None:
        line = self.formula.lines[position]
        name = Expr("name", (), line.name, line.offset, line.length)
        self.expressions.later = frozenset(later.name for later in self.formula.lines[position:])
        value = self.expressions.resolve(line.value)
        if not self._assignable(line, name):
            return
        self.assigned[line.name] = value
        output = self.outputs.get(line.name)
        if value is None:
            return
        dtype = ""
        if output is not None:
            dtype = self.variant.dtype(output.dtype)
            if output.count is not None:
                what, why = f"`{line.name}` is a list of tensors", "a formula assigns single tensors"
                self.statics.report("OPG307", name, what, why, "write the kernel by hand (`kernel:`)")
            elif dtype in DTYPES:
                self._store(line, value, output, dtype)
        self.assignments.append(Assignment(line.name, value, output is not None, dtype, line.offset))

    def _assignable(self, line: Statement, name: Expr) -> bool:
        report = self.statics.report
        if line.name in self.assigned:
            what = f"`{line.name}` is assigned twice"
            report("OPG306", name, what, "a name is assigned once", "give the new value a name of its own")
            return False
        if line.name in self.outputs:
            return True
        if any(line.name == tensor.name for tensor in self.signature.inputs):
            what, why = (
                f"`{line.name}` is an input",
                "an input is assigned only when an output of that name is in place",
            )
            report(
                "OPG306", name, what, why, f"rename it, or declare the output `{{name: {line.name}, inplace: true}}`"
            )
            return False
        if line.name in self.statics.attrs or line.name in self.statics.dims:
            what = f"`{line.name}` is {'an attribute' if line.name in self.statics.attrs else 'a dim'}"
            report("OPG306", name, what, "its value comes from outside", "take another name")
            return False
        return True

    def missing(self) -> None:
        """Outputs that no line assigns; reported at the last line."""
        written = [line.name for line in self.formula.lines]
        last = self.formula.lines[-1]
        for name in self.outputs:
            if name not in written:
                what, why = f"output `{name}` is never assigned", "the formula says what each output is"
                problem = Problem("OPG306", what, why, f"add a line `{name} = ...`", last.offset, last.length)
                self.statics.problems.append(problem)

    def _store(self, line: Statement, value: Node, output: Tensor, dtype: str) -> None:
        kind = DTYPES[dtype].kind
        expr = line.value
        if (value.kind == "float" and kind != "float") or (value.kind == "int" and kind == "bool"):
            what = f"`{line.name}` is {dtype}, its value is {value.kind}{self.statics.when}"
            why = "int goes into ints and floats, float into floats; what is lost must be written"
            fix = f"write `cast(..., {output.dtype})`, with `round` or `floor` before it where that is meant"
            if kind == "bool":
                fix = f"write a comparison, or `cast(..., {output.dtype})`"
            self.statics.report("OPG307", expr, what, why, fix)
            return
        declared = self.statics.shape(output.shape)
        shape = value.shape or ()
        if equal(shape, declared) and not (value.shape is None and declared):
            return
        if shape and equal(shape[:-1], declared) and reduced(value, self.assigned):
            return
        own = "is a scalar" if value.shape is None else f"has {shape_text(shape)}"
        what = f"`{line.name}` is declared {shape_text(declared)}, its value {own}{self.statics.when}"
        why = "nothing is broadcast when a value is stored"
        self.statics.report("OPG307", expr, what, why, "declare the shape of the value, or change the value")


def _of_kind(value: bool | int | float, kind: Kind) -> bool | int | float:
    """A default in the kind of its tensor; a YAML integer may stand for a float."""
    if kind == "bool":
        return bool(value)
    return float(value) if kind == "float" else int(value)
