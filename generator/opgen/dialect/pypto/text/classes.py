"""The classes of TilingData and TilingKey."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from opgen.dialect.pypto.text.source import FIELD, Interface, Source, literal, parameters_of
from opgen.facts.pypto import MAX_ARRAY, MAX_KEY_BITS
from opgen.facts.reserved import RESERVED_NAMES

_TYPES = ("int", "float", "bool")


def tiling_class(source: Source, kernel: ast.FunctionDef) -> ast.ClassDef | None:
    """The class of the last parameter that has one."""
    for parameter in reversed(parameters_of(kernel)):
        annotation = parameter.annotation
        name = annotation.id if isinstance(annotation, ast.Name) else ""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            name = annotation.value
        if name in source.classes:
            return source.classes[name]
    return None


def fields_of(tiling: ast.ClassDef) -> dict[str, str]:
    """Name -> annotation, as it is written."""
    return {
        node.target.id: _annotation(node)
        for node in tiling.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


def check_tiling(source: Source, kernel: ast.FunctionDef, interface: Interface | None) -> None:
    tiling = tiling_class(source, kernel)
    if tiling is None:
        _no_class(source, kernel)
        return
    if not any(_is_dataclass(source, decorator) for decorator in tiling.decorator_list):
        source.add(
            "OPG822", tiling, f"{tiling.name} is no dataclass", "The front end takes TilingData from a dataclass only.",
            "decorate it with @dataclass",
        )  # fmt: skip
    nodes = [n for n in tiling.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
    if not nodes:
        why = "The header of TilingData is made from its fields."
        source.add("OPG822", tiling, f"{tiling.name} has no fields", why, "give it at least one")
    seen: set[str] = set()
    for node in nodes:
        assert isinstance(node.target, ast.Name)
        name = node.target.id
        if name in seen:
            fix = "give it another name"
            source.add("OPG822", node, f"the field {name} is there twice", "Python keeps the last one.", fix)
        seen.add(name)
        _check_name(source, "OPG822", node, name, "C++ class of TilingData")
        _check_type(source, node, name)
    key = source.option(kernel, "tiling_key")
    if isinstance(key, ast.Name) and key.id == tiling.name:
        fix = "write two classes"
        source.add("OPG822", tiling, f"{tiling.name} is TilingData and TilingKey", "Each becomes a header.", fix)
    if any("[" in _annotation(node) for node in nodes):
        _check_arrays(source, tiling, nodes)
    if interface is not None:
        _compare_fields(source, tiling, interface)


def _no_class(source: Source, kernel: ast.FunctionDef) -> None:
    for parameter in parameters_of(kernel)[-1:]:
        if isinstance(parameter.annotation, ast.Name):
            source.add(
                "OPG822", parameter, f"this file has no class {parameter.annotation.id}",
                "The header of TilingData is made from the class in the kernel file.", "define it above the kernel",
            )  # fmt: skip


def _is_dataclass(source: Source, decorator: ast.expr) -> bool:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return source.dotted(target) == "dataclasses.dataclass"


def _annotation(node: ast.AnnAssign) -> str:
    value = node.annotation
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value.replace(" ", "")
    return ast.unparse(value)


def _check_name(source: Source, rule: str, node: ast.AST, name: str, where: str) -> None:
    meaning = RESERVED_NAMES.get(name, "")
    if meaning.startswith(("a keyword of C++", "a macro")):
        why = f"The tools accept it and write it into the {where}, which then does not compile."
        source.add(rule, node, f"the field {name} is {meaning}", why, "give it another name")


def _check_type(source: Source, node: ast.AnnAssign, name: str) -> None:
    text = _annotation(node)
    base, bracket, size = text.partition("[")
    if base in _TYPES and not bracket:
        return
    if base in _TYPES and size.rstrip("]").isdecimal() and 1 <= int(size.rstrip("]")) <= MAX_ARRAY:
        return
    source.add(
        "OPG822",
        node,
        f"the field {name} has the type {text}",
        f"A field is int, float or bool, or an array of them whose length is a literal from 1 to {MAX_ARRAY}. The "
        "tools only say that the class is unsupported.",
        "write int, float, bool or int[4]",
    )


def _check_arrays(source: Source, tiling: ast.ClassDef, nodes: list[ast.AnnAssign]) -> None:
    """int[4] is no type of Python: the annotation must not be evaluated, and dataclass must not look for its module."""
    first = next(node for node in nodes if "[" in _annotation(node))
    late = source.names.get("annotations") == "__future__.annotations"
    if not late and not isinstance(first.annotation, ast.Constant):
        source.add(
            "OPG822", first, f"the array {ast.unparse(first)} without `from __future__ import annotations`",
            "Python evaluates the annotation: type 'int' is not subscriptable.",
            "begin the file with `from __future__ import annotations`",
        )  # fmt: skip
        return
    guarded = any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and source.dotted(node.value.func) == "sys.modules.setdefault"
        and node.lineno < tiling.lineno
        for node in source.tree.body
    )
    if not guarded:
        source.add(
            "OPG822",
            first,
            f"the array {ast.unparse(first)} without an entry of the module in sys.modules",
            "dataclass looks for the module of a class whose annotations are text. Older tools load the kernel "
            "without entering it there: 'NoneType' object has no attribute '__dict__'.",
            "write sys.modules.setdefault(__name__, types.ModuleType(__name__)) above the class, or use scalar fields",
        )


def _compare_fields(source: Source, tiling: ast.ClassDef, interface: Interface) -> None:
    if tiling.name != interface.tiling:
        source.add(
            "OPG822",
            tiling,
            f"the class of TilingData is called {tiling.name}, and the host fills in {interface.tiling}",
            "The build makes a C++ class of the same name, which the host code uses.",
            f"call it {interface.tiling}",
        )
    mine, wanted = list(fields_of(tiling).items()), list(interface.data)
    if mine != wanted:
        first = next((i for i, pair in enumerate(zip(mine, wanted, strict=False)) if pair[0] != pair[1]), len(wanted))
        where: ast.AST = tiling.body[first] if first < len(mine) and first < len(tiling.body) else tiling
        shown = ", ".join(f"{name}: {kind}" for name, kind in wanted)
        source.add(
            "OPG827",
            where,
            f"the fields of {tiling.name} are not those that the host fills in",
            f"op.yaml has, in this order: {shown}. The host writes bytes, and the kernel reads them by place.",
            "write the same fields in the same order",
        )


# ---- the key ----


def key_class(source: Source, kernel: ast.FunctionDef) -> ast.ClassDef | None:
    given = source.option(kernel, "tiling_key")
    return source.classes.get(given.id) if isinstance(given, ast.Name) else None


def key_fields(source: Source, key: ast.ClassDef) -> dict[str, ast.Call]:
    return {
        node.targets[0].id: node.value
        for node in key.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and source.dotted(node.value.func) in (FIELD, "TilingKeyField")
    }


def check_key(source: Source, kernel: ast.FunctionDef, interface: Interface | None) -> None:
    given = source.option(kernel, "tiling_key")
    if given is None:
        return
    key = key_class(source, kernel)
    if key is None:
        why = "It is the class itself, defined in this file, not an object of it."
        fix = "pass the name of the class"
        source.add("OPG823", given, f"tiling_key is {ast.unparse(given)}", why, fix)
        return
    fields = key_fields(source, key)
    if not fields:
        why = "The header of the key lists its fields; a kernel has at least one, values=[0] will do."
        source.add("OPG823", key, f"{key.name} has no TilingKeyField", why, "add one")
    total = 0
    for name, call in fields.items():
        total += _check_field(source, name, call)
        _check_key_name(source, kernel, name, call)
    if total > MAX_KEY_BITS:
        why = f"The packed key has {MAX_KEY_BITS} bits."
        source.add("OPG823", key, f"{key.name} has {total} bits", why, "give each field as many as its values need")
    if interface is not None and fields:
        _compare_key(source, key, fields, interface)


def _check_field(source: Source, name: str, call: ast.Call) -> int:
    """Its bits, 0 where they cannot be told."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    why = "The index of the value is packed, so that the field needs bits for as many values as it has."
    if "bits" not in given or "values" not in given:
        source.add("OPG823", call, f"the key field {name} lacks bits or values", why, "give both by name")
        return 0
    known = _numbers(given)
    if known is None:
        return 0
    bits, values = known
    if isinstance(bits, bool) or not isinstance(bits, int) or bits < 1:
        source.add("OPG823", given["bits"], f"the key field {name} has {bits!r} bits", why, "give it 1 or more")
        bits = 0
    wrong = [v for v in values if isinstance(v, bool) or not isinstance(v, int)]
    if wrong or not values:
        said = f"has the value {wrong[0]!r}" if wrong else "has no values"
        source.add("OPG823", given["values"], f"the key field {name} {said}", why, "list integers from 0 on")
    elif len(set(values)) != len(values):
        source.add("OPG823", given["values"], f"the key field {name} has a value twice", why, "name each once")
    elif min(values) < 0:
        source.add(
            "OPG823", given["values"], f"the key field {name} has the value {min(values)}",
            "The tools accept it, and the host's table of values is of uint64_t: it does not compile.",
            "use values from 0 on, and let the host map its own numbers to them",
        )  # fmt: skip
    elif bits and len(values) > 2**bits:
        said = f"the key field {name} has {len(values)} values and {bits} bit{'s' if bits > 1 else ''}"
        source.add("OPG823", given["values"], said, why, f"give it {(len(values) - 1).bit_length()} bits")
    return bits


def _numbers(given: Mapping[str | None, ast.expr]) -> tuple[Any, tuple[Any, ...]] | None:
    """Bits and values of a field, where both are literals."""
    try:
        values: Any = literal(given.get("values"))
        return literal(given.get("bits")), tuple(values)
    except (ValueError, TypeError):
        return None


def literal_values(call: ast.Call) -> tuple[int, ...]:
    """The values of a field; 0 alone where they are no literals."""
    known = _numbers({keyword.arg: keyword.value for keyword in call.keywords})
    return tuple(known[1]) if known is not None and known[1] else (0,)


def _check_key_name(source: Source, kernel: ast.FunctionDef, name: str, call: ast.Call) -> None:
    why = "The field is a constant of each kernel, under its own name: both cannot have it."
    fix = "give one of them another name"
    if name in [parameter.arg for parameter in parameters_of(kernel)]:
        source.add("OPG823", call, f"the key field {name} is a parameter of the kernel too", why, fix)
    if name in dict(source.module_names()):
        source.add("OPG823", call, f"the key field {name} is a variable of the module too", why, fix)
    _check_name(source, "OPG823", call, name, "C++ table of the key")


def _compare_key(source: Source, key: ast.ClassDef, fields: dict[str, ast.Call], interface: Interface) -> None:
    mine = []
    for name, call in fields.items():
        known = _numbers({keyword.arg: keyword.value for keyword in call.keywords})
        if known is None:
            return
        mine.append((name, *known))
    if mine == list(interface.key):
        return
    shown = "; ".join(f"{name}: {bits} bits, values {list(values)}" for name, bits, values in interface.key)
    source.add(
        "OPG827",
        key,
        f"the fields of {key.name} are not those that the host packs",
        f"op.yaml has, in this order: {shown}. GET_TPL_TILING_KEY takes them by place and checks neither number nor "
        "order.",
        "write the same fields in the same order",
    )
