"""How the kernel divides its work: the stride from one tile of a worker to its next."""

from __future__ import annotations

import ast

from opgen.dialect.pypto.text.source import Source

_WHY = (
    "pl.get_block_idx() counts vector cores in a vector section, and pl.get_block_num() counts blocks, which have one "
    "or two of them. Where they have two, this stride gives every tile to two workers."
)
_FIX = "use pl.get_block_num() * pl.get_subblock_num()"


def check_stride(source: Source, kernel: ast.FunctionDef) -> None:
    values = _values(kernel)
    for node in ast.walk(kernel):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and source.word(node.iter.func) == "range":
            arguments = node.iter.args
            if len(arguments) == 3 and _wrong(source, arguments[2], values) and _asks(
                source, arguments[0], values, "get_block_idx"
            ):  # fmt: skip
                _tell(source, arguments[2])
        elif isinstance(node, ast.While):
            for inner in ast.walk(node):
                if isinstance(inner, ast.AugAssign) and _wrong(source, inner.value, values):
                    _tell(source, inner.value)


def _tell(source: Source, node: ast.expr) -> None:
    source.add("OPG826", node, f"{ast.unparse(node)} is the stride of the workers", _WHY, _FIX)


def _values(kernel: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """What is assigned to each name."""
    values: dict[str, list[ast.expr]] = {}
    for node in ast.walk(kernel):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=False))
                for name, value in pairs:
                    if isinstance(name, ast.Name):
                        values.setdefault(name.id, []).append(value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            values.setdefault(node.target.id, []).append(node.value)
    return values


def _wrong(source: Source, node: ast.expr, values: dict[str, list[ast.expr]]) -> bool:
    return _asks(source, node, values, "get_block_num") and not _asks(source, node, values, "get_subblock_num")


def _asks(
    source: Source, node: ast.expr, values: dict[str, list[ast.expr]], word: str, seen: frozenset[str] = frozenset()
) -> bool:
    """Whether an expression comes from pl.WORD(), through names too."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and source.word(inner.func) == word:
            return True
        if isinstance(inner, ast.Name) and inner.id in values and inner.id not in seen:
            more = seen | {inner.id}
            if any(_asks(source, value, values, word, more) for value in values[inner.id]):
                return True
    return False
