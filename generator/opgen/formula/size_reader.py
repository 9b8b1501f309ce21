"""Integer expressions, read from op.yaml."""

from __future__ import annotations

import ast

from opgen.formula.lines import MAX_INT, MAX_SOURCE, Line, parse_statements, scan
from opgen.formula.problems import FormulaError, Problem
from opgen.formula.refusals import refuse
from opgen.formula.size_tree import Size

_BINARY: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}
FUNCTIONS = {"minimum": 2, "maximum": 2, "ceildiv": 2, "align": 2, "itemsize": 1}
_OTHER_NAMES = {"min": "minimum", "max": "maximum", "ceil_div": "ceildiv", "cdiv": "ceildiv", "sizeof": "itemsize"}


def parse_size(text: str | int) -> Size:
    """An integer expression of op.yaml, or `...`. FormulaError, with every problem and its offset into the text."""
    return _parse(text, floats=False)


def parse_value(text: str | int | float) -> Size:
    """A value of `tiling`: an integer expression in which float literals may stand."""
    if isinstance(text, float):
        return Size("const", (), text)
    return _parse(text, floats=True)


def _parse(text: str | int, floats: bool) -> Size:
    if isinstance(text, int):
        if abs(text) > MAX_INT:
            raise FormulaError((_too_large(0, 1),))
        return Size.const(int(text))
    if text.strip() == "...":
        return Size.rest()
    if len(text) > MAX_SOURCE:
        lines, problems = scan(text, "size")
    else:
        lines, problems = scan(text.replace("\r", " ").replace("\n", " "), "size")
    if problems:
        raise FormulaError(problems)
    if not lines:
        raise FormulaError(
            (Problem("OPG301", "a size is empty", "a size is a number or an expression", "write one", 0),)
        )
    reader = SizeReader(lines[0], floats)
    size = reader.read()
    if reader.problems:
        raise FormulaError(reader.problems)
    return size


def _too_large(offset: int, length: int) -> Problem:
    return Problem("OPG301", "a number is too large", "sizes fit into 64 bits", "write a smaller one", offset, length)


class SizeReader:
    """Reads one tree of Python's parser as an integer expression, and collects what is wrong with it."""

    def __init__(self, line: Line, floats: bool = False) -> None:
        self.line = line
        self.floats = floats
        self.problems: list[Problem] = []

    def read(self) -> Size:
        statements = parse_statements(self.line)
        if isinstance(statements, Problem):
            self.problems.append(statements)
        elif len(statements) == 1 and isinstance(statements[0], ast.Expr):
            return self.size(statements[0].value)
        else:
            statement = statements[-1]
            why = "a size is a number or an expression"
            return self.refuse(
                statement, f"`{self.line.source(statement)}` is no size", why, "write the expression only"
            )
        return Size.const(1)

    def refuse(self, node: ast.AST, what: str, why: str, fix: str, rule: str = "OPG301") -> Size:
        self.problems.append(self.line.problem(node, rule, what, why, fix))
        return Size.const(1)

    def size(self, node: ast.expr) -> Size:
        match node:
            case ast.Constant():
                return self.constant(node)
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
                inner = self.size(node.operand)
                return Size("const", (), -inner.value) if not isinstance(inner.value, str) else inner
            case ast.UnaryOp(op=ast.USub() | ast.Not()):
                return Size("neg" if isinstance(node.op, ast.USub) else "not", (self.size(node.operand),))
            case ast.BinOp() if type(node.op) in _BINARY:
                return Size(_BINARY[type(node.op)], (self.size(node.left), self.size(node.right)))
            case ast.Compare() if len(node.ops) == 1 and type(node.ops[0]) in _BINARY:
                return Size(_BINARY[type(node.ops[0])], (self.size(node.left), self.size(node.comparators[0])))
            case ast.IfExp():
                return Size("if", (self.size(node.test), self.size(node.body), self.size(node.orelse)))
            case ast.Call():
                return self.call(node)
            case _:
                return self.other(node)

    def constant(self, node: ast.Constant) -> Size:
        value = node.value
        if isinstance(value, int):  # True and False are 1 and 0
            if value > MAX_INT:
                self.problems.append(_too_large(*self.line.span(node)))
            return Size.const(int(value))
        if isinstance(value, float):
            if self.floats:
                return Size("const", (), value)
            return self.refuse(
                node, f"`{self.line.source(node)}` is not a whole number", "sizes are", "write an integer"
            )
        if isinstance(value, str):
            why = "sizes are computed from numbers"
            return self.refuse(node, "a string stands in a size", why, "use a bool or int attribute in the condition")
        if value is Ellipsis:
            return self.refuse(node, "`...` stands alone", "it is several sizes, not one", "make it an axis of its own")
        self.problems.append(refuse(self.line, node))
        return Size.const(1)

    def name(self, node: ast.Name, name: str) -> Size:
        if name == "inf":
            return self.refuse(node, "`inf` is no size", "sizes are whole numbers", "write an integer")
        return Size.name(name)

    def call(self, node: ast.Call) -> Size:
        if not isinstance(node.func, ast.Name):
            return self.other(node.func)
        name = node.func.id
        if name not in FUNCTIONS:
            return self.unknown(node.func, name)
        if node.keywords or len(node.args) != FUNCTIONS[name]:
            want = "`itemsize(T)`" if name == "itemsize" else f"`{name}(a, b)`"
            return self.refuse(node, f"`{name}` is called in another way", f"it is {want}", f"write {want}", "OPG303")
        if name == "itemsize":
            argument = node.args[0]
            if not isinstance(argument, ast.Name):
                return self.refuse(argument, "`itemsize` wants a type", "it gives bytes of one element", "name a type")
            return Size("itemsize", (), argument.id)
        return Size(name, tuple(self.size(argument) for argument in node.args))

    def unknown(self, node: ast.Name, name: str) -> Size:
        from opgen.text.suggest import closest

        near = _OTHER_NAMES.get(name) or closest(name, FUNCTIONS)
        why = "sizes know `minimum maximum ceildiv align itemsize`"
        fix = f"did you mean `{near}`?" if near else "use one of these"
        return self.refuse(node, f"unknown function `{name}` in a size", why, fix, "OPG303")

    def other(self, node: ast.expr) -> Size:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return self.refuse(node, "`/` does not give a whole number", "sizes are whole numbers", "write `//`")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            return self.refuse(node, "`**` is not part of sizes", "sizes know `+ - * // %`", "write a product")
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            fix = "write `b if a else 0`" if word == "and" else "write `1 if a else b`"
            return self.refuse(node, f"`{word}` is not part of sizes", "sizes know `a if c else b`", fix)
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            return self.refuse(node, "comparisons are not chained", "each gives 0 or 1", "write `(a < b) * (b < c)`")
        self.problems.append(refuse(self.line, node))
        return Size.const(1)
