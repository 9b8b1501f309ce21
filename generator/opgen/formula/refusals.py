"""What Python can say and this language cannot: one explanation for each kind of tree."""

from __future__ import annotations

import ast

from opgen.formula.lines import Line
from opgen.formula.problems import Problem

_OPERATORS: dict[type[ast.AST], tuple[str, str, str]] = {
    ast.BitXor: ("^", "there is no exclusive or", "for bool write `a != b`, for powers `a ** b`"),
    ast.LShift: ("<<", "there are no bit operations", "multiply by a power of two"),
    ast.RShift: (">>", "there are no bit operations", "divide by a power of two"),
    ast.UAdd: ("+", "a sign `+` says nothing", "remove it"),
}

_TREES: dict[type[ast.AST], tuple[str, str, str]] = {
    ast.Attribute: (
        "an attribute",
        "names stand alone: there are no modules and no methods",
        "write the function's name",
    ),
    ast.Lambda: ("`lambda`", "a formula is a list of assignments", "write the expression itself"),
    ast.Dict: ("a dictionary", "values are tensors and numbers", "use names"),
    ast.Set: ("a set", "values are tensors and numbers", "use names"),
    ast.Tuple: ("a tuple", "values are tensors and numbers", "write one value a line"),
    ast.List: ("a list", "only `concat([a, b], axis=-1)` takes one", "use names"),
    ast.ListComp: ("a comprehension", "a formula has no loops", "use whole tensors"),
    ast.SetComp: ("a comprehension", "a formula has no loops", "use whole tensors"),
    ast.DictComp: ("a comprehension", "a formula has no loops", "use whole tensors"),
    ast.GeneratorExp: ("a comprehension", "a formula has no loops", "use whole tensors"),
    ast.Await: ("`await`", "a formula has no tasks", "remove it"),
    ast.Yield: ("`yield`", "a formula has no functions of its own", "remove it"),
    ast.YieldFrom: ("`yield`", "a formula has no functions of its own", "remove it"),
    ast.JoinedStr: ("a formatted string", "strings are plain", "write a plain string"),
    ast.FormattedValue: ("a formatted string", "strings are plain", "write a plain string"),
    ast.Starred: ("`*`", "arguments are written one by one", "name each argument"),
    ast.NamedExpr: ("`:=`", "a line assigns one name", "give it a line of its own"),
    ast.Slice: ("a slice", "slices stand in brackets behind a tensor", "write `x[..., a:b]`"),
    ast.Subscript: ("an index", "there are no elements here", "write an expression of names and numbers"),
    ast.Compare: ("a comparison", "a number is wanted here", "write a number or a name"),
    ast.IfExp: ("a condition", "a number is wanted here", "write a number or a name"),
    ast.Call: ("a call", "only functions of the language are called", "write a name"),
}

# What follows a dot in PyTorch and NumPy, and how it is said here.
_ATTRIBUTES = {
    **dict.fromkeys(("T", "mT"), "a product transposes what it takes: `matmul(a, b, transpose_b=True)`"),
    **dict.fromkeys(("shape", "size", "ndim"), "a size has the name that `dims` gives it: write that"),
    "dtype": "a type has a name: write `float16`, or its symbol",
}

# Statements that choose or repeat, which go on below their line.
_BLOCKS = {
    "if": "for attributes write `a if s else b`, for values of tensors `where(c, a, b)`",
    "elif": "for attributes write `a if s else b`, for values of tensors `where(c, a, b)`",
    "else": "for attributes write `a if s else b`, for values of tensors `where(c, a, b)`",
    "for": "write expressions of whole tensors",
    "while": "write expressions of whole tensors",
}

_STATEMENTS: dict[type[ast.AST], str] = {
    ast.AugAssign: "`+=` and the like",
    ast.AnnAssign: "an annotation",
    ast.For: "`for`",
    ast.While: "`while`",
    ast.If: "`if` as a statement",
    ast.FunctionDef: "`def`",
    ast.ClassDef: "`class`",
    ast.Return: "`return`",
    ast.Import: "`import`",
    ast.ImportFrom: "`import`",
    ast.Delete: "`del`",
    ast.Assert: "`assert`",
    ast.Raise: "`raise`",
    ast.With: "`with`",
    ast.Try: "`try`",
    ast.Global: "`global`",
    ast.Nonlocal: "`nonlocal`",
    ast.Pass: "`pass`",
    ast.Break: "`break`",
    ast.Continue: "`continue`",
}


def refuse(line: Line, node: ast.AST) -> Problem:
    """Why an expression of Python is none here. Positions are those of the operator where there is one."""
    if isinstance(node, ast.BoolOp):
        return _bool_operator(line, node)
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        return _chain(line, node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        why = "values are arrays, and `not` wants one truth value"
        return line.problem(node, "OPG301", "`not` stands in conditions only", why, "write `~` before a bool value")
    if isinstance(node, ast.Constant):
        return _constant(line, node)
    operator = getattr(node, "op", None)
    if isinstance(operator, ast.AST) and type(operator) in _OPERATORS:
        sign, why, fix = _OPERATORS[type(operator)]
        return line.problem(node, "OPG301", f"`{sign}` is not part of the language", why, fix)
    if isinstance(node, ast.Attribute):
        whole = line.source(node)
        what = f"`{whole}` is not part of the language"
        why = _TREES[ast.Attribute][1]
        fix = _ATTRIBUTES.get(node.attr, f"write `{node.attr}` if that is the function's name")
        return line.problem(node, "OPG301", what, why, fix)
    what, why, fix = _TREES.get(
        type(node), ("this", "the grammar of a formula has no such expression", "write it otherwise")
    )
    return line.problem(node, "OPG301", f"{what} is not part of the language here", why, fix)


def refuse_statement(line: Line, node: ast.stmt) -> Problem:
    """Why a statement of Python is no line of a formula."""
    why = "a line of a formula is NAME = expression"
    if isinstance(node, ast.Expr):
        what = f"`{line.source(node)}` is assigned to nothing"
        match node.value:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[value]):
                fix = f"`==` compares; write `{name} = {line.source(value)}`"
                return line.problem(node, "OPG301", what, why, fix)
        return line.problem(node, "OPG301", what, why, f"write an output's name first: `y = {line.source(node)}`")
    if isinstance(node, ast.AugAssign):
        target, more = line.source(node.target), line.source(node.value)
        sign = line.source(node)[len(target) :].split("=", 1)[0].strip()
        changed = f"{target} {sign} {f'({more})' if ' ' in more else more}"
        fix = f"a name is assigned once: give `{changed}` another one, as in `t = {changed}`"
    else:
        fix = "write NAME = expression"
    what = f"{_STATEMENTS.get(type(node), 'this statement')} is not part of the language"
    return line.problem(node, "OPG301", what, why, fix)


def refuse_block(line: Line) -> Problem | None:
    """Why a line that begins `if ...:` or `for ...:` is none of a formula; None for other lines."""
    word = line.text.split(maxsplit=1)[0].rstrip(":")
    if word not in _BLOCKS or not line.text.endswith(":"):
        return None
    what, why = f"`{word}` is no statement here", "a formula is a list of assignments, which are all computed"
    return Problem("OPG301", what, why, _BLOCKS[word], line.offset, len(word))


def _bool_operator(line: Line, node: ast.BoolOp) -> Problem:
    word, sign = ("and", "&") if isinstance(node.op, ast.And) else ("or", "|")
    first, second = line.span(node.values[0]), line.span(node.values[1])
    start, end = first[0] + first[1] - line.offset, second[0] - line.offset
    offset = line.offset + max(line.text.find(word, start, end), start)
    why = f"values are arrays, and `{word}` wants one truth value"
    fix = f"write `({line.source(node.values[0])}) {sign} ({line.source(node.values[1])})`"
    return Problem("OPG303", f"`{word}` is not part of the language", why, fix, offset, len(word))


def _chain(line: Line, node: ast.Compare) -> Problem:
    parts = [line.source(part) for part in (node.left, *node.comparators)]
    second = line.span(node.comparators[0])
    offset = second[0] + second[1]
    signs = [_SIGNS.get(type(op), "?") for op in node.ops]
    pairs = [f"({a} {sign} {b})" for a, sign, b in zip(parts, signs, parts[1:], strict=False)]
    text = line.text[offset - line.offset :]
    offset += len(text) - len(text.lstrip(" )"))
    why = "a chain compares one value twice, which arrays cannot say with one truth value"
    length = len(signs[1])
    return Problem("OPG301", "comparisons are not chained", why, f"write `{' & '.join(pairs)}`", offset, length)


def _constant(line: Line, node: ast.Constant) -> Problem:
    if isinstance(node.value, str):
        what, why = "a string stands where a value is expected", "strings are arguments or sides of a condition"
        fix = "write a name or a number"
    elif isinstance(node.value, complex):
        what, why, fix = (
            "complex numbers are not part of the language",
            "no element type is complex",
            "write a real number",
        )
    elif node.value is None:
        what, why, fix = "`None` stands in an index only", "there it adds an axis", "write `x[:, None, :]`"
    elif node.value is Ellipsis:
        what, why, fix = "`...` stands in an index only", "there it stands for all other axes", "write `x[..., a:b]`"
    else:
        what, why, fix = f"`{line.source(node)}` is not part of the language", "it is no number", "write a number"
    return line.problem(node, "OPG301", what, why, fix)


_SIGNS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
