"""The bodies of the kernel and of its helpers: statements and names that the front end takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opgen.dialect.pypto.language import names as language_names
from opgen.dialect.pypto.language import system_names
from opgen.dialect.pypto.text.classes import key_class, key_fields
from opgen.dialect.pypto.text.mapping import mapping
from opgen.dialect.pypto.text.source import LANGUAGE, Source, parameters_of
from opgen.text.suggest import closest

_WHY = "The kernel is not executed by Python: its text is translated, and this is not part of the language."
_BUILTINS = ("min", "max")
_SIMPLE = (ast.Pass, ast.Break, ast.Continue)
_TILE_WORK = ("load", "store", "load_tile", "store_tile")

_STATEMENTS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Try: ("try", "check on the host"),
    ast.Assert: ("assert", "check on the host, or use pl.pto_assert"),
    ast.Import: ("import", "import at the top of the file"),
    ast.ImportFrom: ("import", "import at the top of the file"),
    ast.Raise: ("raise", "check on the host"),
    ast.Global: ("global", "pass values through TilingData"),
    ast.Nonlocal: ("nonlocal", "pass values through TilingData"),
    ast.Delete: ("del", "leave it out"),
    ast.FunctionDef: ("a nested function", "define it beside the kernel"),
    ast.ClassDef: ("a nested class", "define it beside the kernel"),
}
_EXPRESSIONS: dict[type[ast.AST], tuple[str, str]] = {
    ast.JoinedStr: ("an f-string", "use pl.printf with a format"),
    ast.Lambda: ("lambda", "define a function beside the kernel"),
    ast.ListComp: ("a comprehension", "write a loop over pl.range"),
    ast.SetComp: ("a comprehension", "write a loop over pl.range"),
    ast.DictComp: ("a comprehension", "write a loop over pl.range"),
    ast.GeneratorExp: ("a comprehension", "write a loop over pl.range"),
    ast.Dict: ("a dict", "use names"),
    ast.Set: ("a set", "use a list"),
    ast.NamedExpr: (":=", "assign on a line of its own"),
    ast.Starred: ("*", "write the items out"),
    ast.Await: ("await", "leave it out"),
    ast.Yield: ("yield", "leave it out"),
}
_OPERATORS = (ast.MatMult, ast.Pow)


def check_bodies(source: Source, kernel: ast.FunctionDef) -> None:
    helpers = _helpers(source, kernel)
    constants = set(mapping(source, kernel).values())
    key = key_class(source, kernel)
    constants |= set(key_fields(source, key)) if key is not None else set()
    _check_sections(source, kernel, helpers)
    for function in (kernel, *helpers):
        _Body(source, function, function is kernel, constants).check()


def _helpers(source: Source, kernel: ast.FunctionDef) -> list[ast.FunctionDef]:
    """Functions of the file that the kernel calls, also through each other."""
    found: dict[str, ast.FunctionDef] = {}
    waiting = [kernel]
    while waiting:
        for node in ast.walk(waiting.pop()):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                helper = source.functions.get(node.func.id)
                if helper is None or helper is kernel or _of_registers(source, helper):
                    continue
                if helper.name not in found:
                    found[helper.name] = helper
                    waiting.append(helper)
    return list(found.values())


def _of_registers(source: Source, function: ast.FunctionDef) -> bool:
    """Whether a function is in the language of registers, which has names and statements of its own."""
    targets = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    return any(source.word(target) in ("vector_function", "simt.function") for target in targets)


def _check_sections(source: Source, kernel: ast.FunctionDef, helpers: list[ast.FunctionDef]) -> None:
    """Work on tiles stands in a section."""
    sections = [
        node
        for function in (kernel, *helpers)
        for node in ast.walk(function)
        if isinstance(node, ast.With) and any(_section(source, item) for item in node.items)
    ]
    inside = {id(inner) for section in sections for inner in ast.walk(section)}
    for node in ast.walk(kernel):
        if isinstance(node, ast.Call) and source.word(node.func) in _TILE_WORK and id(node) not in inside:
            source.add(
                "OPG828",
                node,
                f"{ast.unparse(node.func)} stands outside of pl.section_vector()",
                "What stands in no section is compiled for cube and for vector cores, and both execute it.",
                "put the work of the kernel into `with pl.section_vector():`",
            )
            return


def _section(source: Source, item: ast.withitem) -> bool:
    call = item.context_expr
    return isinstance(call, ast.Call) and source.word(call.func) in ("section_vector", "section_cube")


class _Body:
    """One function."""

    def __init__(self, source: Source, function: ast.FunctionDef, is_kernel: bool, constants: set[str]) -> None:
        self.source = source
        self.function = function
        self.is_kernel = is_kernel
        bound = {parameter.arg for parameter in parameters_of(function)}
        for special in (function.args.vararg, function.args.kwarg, *function.args.kwonlyargs):
            bound |= {special.arg} if special is not None else set()
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound.add(node.id)
        module = {name for name, _ in source.module_names()}
        self.known = bound | constants | module | set(source.functions) | set(source.classes) | set(source.names)

    def check(self) -> None:
        body = self.function.body
        first = body[0] if body else None
        documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        self._block(body[1:] if documented else body, top=True)

    def _block(self, body: list[ast.stmt], top: bool = False) -> None:
        for number, node in enumerate(body):
            self._statement(node, top and number == len(body) - 1)

    def _statement(self, node: ast.stmt, last: bool) -> None:
        refused = _STATEMENTS.get(type(node))
        if refused is not None:
            self._refuse(node, *refused)
            return
        if isinstance(node, ast.For):
            self._loop(node)
        elif isinstance(node, ast.While):
            self._expression(node.test)
            self._block(node.body)
            if node.orelse:
                self._refuse(node, "else of a loop", "put it behind the loop")
        elif isinstance(node, ast.If):
            self._expression(node.test)
            self._block(node.body)
            self._block(node.orelse)
        elif isinstance(node, ast.With):
            self._with(node)
        elif isinstance(node, ast.Return):
            self._return(node, last)
        elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            self._assignment(node)
        elif isinstance(node, ast.Expr):
            if not isinstance(node.value, (ast.Call, ast.Constant)):
                self._refuse(node, "a statement that does nothing", "leave it out")
            self._expression(node.value)
        elif not isinstance(node, _SIMPLE):
            self._refuse(node, type(node).__name__.lower(), "leave it out")

    def _loop(self, node: ast.For) -> None:
        call = node.iter
        if not (isinstance(call, ast.Call) and self.source.word(call.func) == "range"):
            what = f"a loop over {ast.unparse(call)}"
            self._refuse(node.iter, what, "write `for i in pl.range(start, stop, step):`")
        elif call.keywords or not 1 <= len(call.args) <= 3:
            self._refuse(call, "pl.range with other than one to three numbers by place", "pl.range(start, stop, step)")
        else:
            for one in call.args:
                self._expression(one)
        if not isinstance(node.target, ast.Name):
            self._refuse(node.target, "a loop with several variables", "use one name")
        if node.orelse:
            self._refuse(node, "else of a loop", "put it behind the loop")
        self._block(node.body)

    def _with(self, node: ast.With) -> None:
        if len(node.items) != 1 or not _section(self.source, node.items[0]) or node.items[0].optional_vars:
            what = "with " + ", ".join(ast.unparse(item) for item in node.items)
            self._refuse(node, what, "only pl.section_vector() and pl.section_cube() stand behind `with`")
        self._block(node.body)

    def _return(self, node: ast.Return, last: bool) -> None:
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            return
        if self.is_kernel:
            self._refuse(node, "return with a value", "store results to the outputs")
        elif not last:
            self._refuse(node, "a return that is not the last statement", "let the helper end with its only return")
        self._expression(node.value)

    def _assignment(self, node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
            for part in parts:
                if isinstance(part, ast.Subscript):
                    self._expression(part.value)
                    self._expression(part.slice)
                elif isinstance(part, ast.Attribute):
                    self._expression(part.value)
                elif not isinstance(part, ast.Name):
                    self._refuse(part, f"an assignment to {ast.unparse(part)}", "assign to a name")
        if node.value is not None:
            self._expression(node.value)

    def _expression(self, node: ast.expr) -> None:
        for inner in _parts(self, node):
            refused = _EXPRESSIONS.get(type(inner))
            if refused is not None:
                self._refuse(inner, *refused)
            elif isinstance(inner, ast.Compare):
                self._comparison(inner)
            elif isinstance(inner, ast.BinOp) and isinstance(inner.op, _OPERATORS):
                word = "@" if isinstance(inner.op, ast.MatMult) else "**"
                self._refuse(inner, f"the operator {word}", "multiply, or compute it on the host")
            elif isinstance(inner, ast.Call):
                self._call(inner)
            elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                self._name(inner)

    def _comparison(self, node: ast.Compare) -> None:
        if len(node.ops) > 1:
            self._refuse(node, "a chained comparison", "join two comparisons with `and`")
        elif isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            right = node.comparators[0]
            if not (isinstance(right, ast.Constant) and right.value is None and isinstance(node.left, ast.Name)):
                self._refuse(node, "`is` of anything but a parameter and None", "compare with ==")

    def _call(self, node: ast.Call) -> None:
        if any(keyword.arg is None for keyword in node.keywords):
            self._refuse(node, "**", "write the arguments out")
        word = self.source.word(node.func)
        if isinstance(node.func, ast.Name):
            name = node.func.id
            if name in self.source.functions or name in _BUILTINS or word:
                return
            if name == "range":
                self._refuse(node, "range()", "write pl.range")
            elif name == "print":
                self._refuse(node, "print()", "use pl.printf")
            elif name in self.known:
                self._refuse(node, f"a call of {name}", "call a function of this file or of pl")

    def _name(self, node: ast.Name) -> None:
        if node.id in self.known or node.id in _BUILTINS or node.id in ("range", "print"):
            return
        near = closest(node.id, self.known)
        fix = f"write {near}" if near else "define it, or name it in datatype or in the class of the key"
        self.source.add("OPG825", node, f"the name {node.id} is not known in {self.function.name}", fix=fix)

    def _refuse(self, node: ast.AST, what: str, fix: str) -> None:
        kind = "the kernel" if self.is_kernel else f"{self.function.name}, which the kernel calls,"
        self.source.add("OPG825", node, f"{kind} contains {what}", _WHY, fix)


def _parts(body: _Body, node: ast.expr) -> Iterator[ast.expr]:
    """An expression and what is in it, as far as it is of the language; unknown names of pl are told."""
    yield node
    if type(node) in _EXPRESSIONS:
        return
    if isinstance(node, ast.Attribute):
        path = body.source.dotted(node)
        if path.startswith(f"{LANGUAGE}."):
            word = path[len(LANGUAGE) + 1 :].partition(".")[0]
            inner = path[len(LANGUAGE) + 1 :].split(".")
            if word == "system" and len(inner) > 1 and inner[1] not in system_names():
                near = closest(inner[1], system_names())
                why = "The vector unit orders its own operations; there are barriers of the other pipes."
                fix = f"write pl.system.{near}" if near else ""
                body.source.add("OPG825", node, f"pypto_pro.language.system has no {inner[1]}", why, fix)
            if word not in language_names():
                near = closest(word, language_names())
                why = "The front end knows no operation of this name."
                fix = f"write pl.{near}" if near else ""
                body.source.add("OPG825", node, f"pypto_pro.language has no {word}", why, fix)
            return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _parts(body, child)
        elif isinstance(child, ast.keyword):
            yield from _parts(body, child.value)
