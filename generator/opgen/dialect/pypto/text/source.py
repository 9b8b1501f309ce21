"""A kernel file as text: its functions under @pl.jit, its classes, and what its names mean."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from opgen.text.findings import Finding, Place, Severity

LANGUAGE = "pypto_pro.language"
FIELD = "pypto_pro.runtime.tilingkey.TilingKeyField"


@dataclass(frozen=True)
class Interface:
    """What op.yaml says of a kernel.

    name: of the function and the file. tiling: of the class of TilingData. parameters: those in front of workspace and
    tiling. optional: those that may be absent. data: fields of TilingData, name -> int, float, bool or int[4]. key:
    fields of TilingKey, name -> (bits, values). columns: the type of each parameter, one mapping for each column of
    the definition.
    """

    name: str
    tiling: str
    parameters: tuple[str, ...]
    optional: frozenset[str]
    data: tuple[tuple[str, str], ...]
    key: tuple[tuple[str, int, tuple[int, ...]], ...]
    columns: tuple[tuple[tuple[str, str], ...], ...]


@dataclass
class Source:
    """tree: of the file. names: what imports bind, name -> dotted path. notes: what was found."""

    path: str
    text: str
    tree: ast.Module
    names: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines = self.text.split("\n")
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.names[alias.asname or alias.name.partition(".")[0]] = (
                        alias.name if alias.asname else alias.name.partition(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    self.names[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    # ---- names ----

    def dotted(self, node: ast.expr | None) -> str:
        """The path of a name: "pypto_pro.language.load" of pl.load; "" of other expressions."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        return ""

    def word(self, node: ast.expr | None) -> str:
        """The name in pypto_pro.language: "load" of pl.load, "system.bar_mte2"; "" of anything else."""
        path = self.dotted(node)
        return path[len(LANGUAGE) + 1 :] if path.startswith(f"{LANGUAGE}.") else ""

    @property
    def functions(self) -> dict[str, ast.FunctionDef]:
        return {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}

    @property
    def classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    @property
    def kernels(self) -> list[ast.FunctionDef]:
        """Functions under @pl.jit."""
        return [function for function in self.functions.values() if self.jit_of(function) is not None]

    def jit_of(self, function: ast.FunctionDef) -> ast.expr | None:
        for decorator in function.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            if self.word(target) in ("jit", "kernel") or self.dotted(target) == "pypto_pro.runtime.jit":
                return decorator
        return None

    def option(self, function: ast.FunctionDef, name: str) -> ast.expr | None:
        """An argument of @pl.jit."""
        decorator = self.jit_of(function)
        if isinstance(decorator, ast.Call):
            for keyword in decorator.keywords:
                if keyword.arg == name:
                    return keyword.value
        return None

    def module_names(self) -> Iterator[tuple[str, ast.stmt]]:
        """Names that the module binds itself, functions and imports apart."""
        for node in self.tree.body:
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
                targets = [node.target]
            for target in targets:
                for inner in ast.walk(target):
                    if isinstance(inner, ast.Name):
                        yield inner.id, node

    # ---- findings ----

    def add(
        self, rule: str, node: ast.AST, what: str, why: str = "", fix: str = "", severity: Severity = "error"
    ) -> None:
        self.findings.append(Finding(rule, what, why, fix, severity, place=self.place(node)))

    def place(self, node: ast.AST) -> Place:
        line = getattr(node, "lineno", 1)
        start = self._characters(line, getattr(node, "col_offset", 0))
        stop = start + 1
        if getattr(node, "end_lineno", None) == line:
            stop = self._characters(line, getattr(node, "end_col_offset", 0))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            stop = len(self.lines[line - 1].rstrip())
        return Place(self.path, line, start + 1, max(1, stop - start))

    def _characters(self, line: int, offset: int) -> int:
        return len(self.lines[line - 1].encode()[:offset].decode(errors="replace")) if self.lines else 0


def parameters_of(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args]


def literal(node: ast.expr | None) -> object:
    """The value of a literal; the module's constants are none. ValueError: it is no literal."""
    if node is None:
        raise ValueError
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError):
        raise ValueError from None
    return value


def is_pypto(text: str) -> bool:
    """Whether a script is a kernel of PyPTO Pro: by what it imports."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return "pypto_pro" in text
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        if any(name.split(".")[0] == "pypto_pro" for name in names):
            return True
    return False
