"""The formula as written: one tree a line, checked against the grammar."""

from __future__ import annotations

import ast
import math

from opgen.formula.calls import bind
from opgen.formula.lines import MAX_INT, Line, parse_statements, scan
from opgen.formula.problems import FormulaError, Problem
from opgen.formula.refusals import refuse, refuse_block, refuse_statement
from opgen.formula.size_reader import SizeReader
from opgen.formula.size_tree import Size
from opgen.formula.syntax_tree import Expr, Formula, Index, Statement

__all__ = ["Expr", "Formula", "FormulaError", "Index", "Problem", "Statement", "parse"]

_BINARY: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.MatMult: "matmul",
    ast.Pow: "pow",
    ast.BitAnd: "and",
    ast.BitOr: "or",
}
_COMPARE: dict[type[ast.AST], str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}
_NOTHING = Expr("number", (), 1)  # stands for what could not be read; the formula is refused then


def parse(source: str) -> Formula:
    """The formula. FormulaError, with every problem found, for any text that is none."""
    lines, problems = scan(source)
    found = list(problems)
    statements: list[Statement] = []
    blocks = [refuse_block(line) for line in lines]
    if any(blocks):  # what is indented below them, and what they choose, is not read
        raise FormulaError([*found, *(problem for problem in blocks if problem is not None)])
    for line in lines:
        if line.indent != lines[0].indent:
            what, why = "the line is indented otherwise than the first", "all lines begin in the same column"
            found.append(Problem("OPG301", what, why, "align it, or put the rest into parentheses", line.offset))
            continue
        reader = _Reader(line)
        statement = reader.statement()
        found += reader.problems
        if statement is not None:
            statements.append(statement)
    if not lines and not found:
        found.append(Problem("OPG301", "the formula is empty", "it says what each output is", "write `y = ...`", 0))
    if found:
        raise FormulaError(found)
    return Formula(source, tuple(statements))


class _Reader:
    """Reads one line and collects what is wrong with it."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.problems: list[Problem] = []

    def statement(self) -> Statement | None:
        parsed = parse_statements(self.line)
        if isinstance(parsed, Problem):
            self.problems.append(parsed)
            return None
        node = parsed[0]
        if not isinstance(node, ast.Assign):
            self.problems.append(refuse_statement(self.line, node))
            return None
        target = node.targets[0]
        if len(node.targets) > 1:
            self.refuse(node.targets[1], "two names are assigned at once", "a line assigns one name", "use two lines")
        elif not isinstance(target, ast.Name):
            what = f"`{self.line.source(target)}` cannot be assigned to"
            self.refuse(target, what, "a line assigns a whole tensor to a name", "write NAME = expression")
        elif target.id == "inf":
            self.refuse(target, "`inf` cannot be assigned to", "it is infinity", "take another name")
        value = self.expr(node.value)
        if not isinstance(target, ast.Name):
            return None
        offset, length = self.line.span(target)
        return Statement(target.id, value, offset, length)

    def refuse(self, node: ast.AST, what: str, why: str, fix: str, rule: str = "OPG301") -> Expr:
        self.problems.append(self.line.problem(node, rule, what, why, fix))
        return _NOTHING

    def make(self, node: ast.AST, op: str, *args: Expr, value: bool | int | float | str | Size | None = None) -> Expr:
        offset, length = self.line.span(node)
        return Expr(op, args, value, offset, length)

    def expr(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(value=bool() | int() | float()):
                return self.number(node)
            case ast.Name(id=name):
                return (
                    self.make(node, "number", value=math.inf) if name == "inf" else self.make(node, "name", value=name)
                )
            case ast.BinOp() if type(node.op) in _BINARY:
                return self.make(node, _BINARY[type(node.op)], self.expr(node.left), self.expr(node.right))
            case ast.UnaryOp(op=ast.USub() | ast.Invert()):
                op = "neg" if isinstance(node.op, ast.USub) else "not"
                return self.make(node, op, self.expr(node.operand))
            case ast.Compare() if len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
                left, right = self.expr(node.left), self.expr(node.comparators[0])
                return self.make(node, _COMPARE[type(node.ops[0])], left, right)
            case ast.IfExp():
                condition = self.static(node.test)
                return self.make(node, "if", condition, self.expr(node.body), self.expr(node.orelse))
            case ast.Subscript():
                return self.subscript(node)
            case ast.Call():
                return self.call(node)
            case _:
                self.problems.append(refuse(self.line, node))
                return _NOTHING

    def number(self, node: ast.Constant) -> Expr:
        value = node.value
        if isinstance(value, bool):
            return self.make(node, "bool", value=value)
        if isinstance(value, int) and value > MAX_INT:
            return self.refuse(node, "a number is too large", "whole numbers fit into 64 bits", "write a float")
        if isinstance(value, float) and math.isinf(value):
            return self.refuse(node, "a number is too large", "floats end at 1.8e308", "write `inf` for infinity")
        assert isinstance(value, (int, float))
        return self.make(node, "number", value=value)

    def static(self, node: ast.expr) -> Expr:
        """A condition: it is decided before there are tensors."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return self.make(node, "not", self.operand(node.operand))
            case ast.Compare(ops=[ast.Eq() | ast.NotEq()]):
                left, right = self.operand(node.left), self.operand(node.comparators[0])
                return self.make(node, _COMPARE[type(node.ops[0])], left, right)
            case _:
                return self.operand(node)

    def operand(self, node: ast.expr) -> Expr:
        match node:
            case ast.Name() | ast.Constant(value=bool() | int() | float()):
                return self.expr(node)
            case ast.Constant(value=str(text)):
                return self.make(node, "string", value=text)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return self.make(node, "number", value=-value)
        if isinstance(node, ast.BoolOp):
            what, why = "a condition is one test", "static conditions are `s`, `not s`, `s == v`, `s != v`"
            return self.refuse(node, what, why, "nest them: `(a if t else b) if s else b`")
        why = "a condition is decided before the kernel is compiled: `s`, `not s`, `s == v` or `s != v` of an attribute"
        fix = "for values of tensors write `where(c, a, b)`"
        return self.refuse(node, f"`{self.line.source(node)}` is no static condition", why, fix)

    def subscript(self, node: ast.Subscript) -> Expr:
        base = self.expr(node.value)
        if isinstance(node.value, ast.Subscript) and not self.line.closed(node.value):
            self.refuse(node, "an index follows an index", "brackets stand behind a name or call once", "use one pair")
        entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not entries:
            self.refuse(node.slice, "the brackets are empty", "an index has at least one entry", "write `x[..., a:b]`")
        index = tuple(self.index(entry) for entry in entries)
        offset, length = self.line.span(node)
        return Expr("index", (base,), None, offset, length, index)

    def index(self, node: ast.expr) -> Index:
        offset, length = self.line.span(node)
        match node:
            case ast.Constant(value=value) if value is Ellipsis or value is None:
                return Index("new" if value is None else "rest", None, None, offset, length)
            case ast.Slice(step=None):
                start = self.size(node.lower) if node.lower else None
                return Index("slice", start, self.size(node.upper) if node.upper else None, offset, length)
            case ast.Slice():
                assert node.step is not None
                fix = "write the kernel by hand (`kernel:`)"
                self.refuse(node.step, "a slice has no step", "pieces are contiguous", fix)
            case _:
                what = f"`{self.line.source(node)}` is no slice"
                why = "an index keeps axes: `:`, `...`, `None`, and `a:b` of the last axis"
                self.refuse(node, what, why, "write `a:b` for a piece; gathering needs a kernel (`kernel:`)")
        return Index("rest", None, None, offset, length)

    def size(self, node: ast.expr) -> Size:
        reader = SizeReader(self.line)
        size = reader.size(node)
        self.problems += reader.problems
        return size

    def call(self, node: ast.Call) -> Expr:
        call = bind(self.line, node)
        if isinstance(call, Problem):
            self.problems.append(call)
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                if not isinstance(argument, (ast.Constant, ast.List, ast.Starred)):
                    self.expr(argument)
            return _NOTHING
        name = call.function.name
        if name == "arange":
            args: tuple[Expr, ...] = (self.make(call.args[0], "size", value=self.size(call.args[0])),)
        elif name == "concat":
            args = (self.members(call.args[0]),)
        elif name == "cast":
            args = (self.expr(call.args[0]), self.type_name(call.args[1]))
        else:
            args = tuple(self.expr(argument) for argument in call.args)
        options = tuple((option, self.static(value)) for option, value in call.options)
        offset, length = self.line.span(node)
        return Expr("call", args, name, offset, length, (), options)

    def members(self, node: ast.expr) -> Expr:
        if isinstance(node, ast.List) and node.elts:
            return self.make(node, "list", *(self.expr(member) for member in node.elts))
        return self.refuse(
            node, "`concat` takes a list", "it joins the members of one list", "write `[a, b]`", "OPG303"
        )

    def type_name(self, node: ast.expr) -> Expr:
        if isinstance(node, ast.Name):
            return self.make(node, "name", value=node.id)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            fix = f"write `{node.value}` without quotes"
        else:
            fix = "write a type such as `float32`, a type symbol or a dtype attribute"
        return self.refuse(
            node, f"`{self.line.source(node)}` is no type", "`cast` takes the name of a type", fix, "OPG303"
        )
