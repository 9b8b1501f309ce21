"""Names: unique, free in every language that they end up in, and free of collisions once others are derived from them.

These rules read the plain data, so that they speak in the same run as the schema's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from opgen.facts.cann_operators import CANN_OPERATORS
from opgen.facts.naming import Port, accessors, snake
from opgen.facts.reserved import (
    BUILT_FOLDERS,
    RESERVED_ATTRS,
    RESERVED_DIMS,
    RESERVED_NAMES,
    RESERVED_STEMS,
    RESERVED_SYMBOLS,
    RESERVED_TYPES,
    TAKEN_STEMS,
)
from opgen.spec.collect import Collector, at

_UNIQUE = "One name means one thing in REG_OP, in the kernel and in the formula."
_RESERVED = "It would not compile, or would mean something else, in a generated file."


@dataclass(frozen=True)
class _Name:
    name: str
    pointer: str
    what: str
    itself: bool = False  # a field whose value is what has that name


def check_names(data: Any, out: Collector) -> None:
    """OPG102 to OPG105 for a whole op.yaml, whose form need not be right."""
    if not isinstance(data, dict):
        return
    operators = list(operators_of(data))
    for pointer, operator in operators:
        _check_unique(pointer, operator, out)
        _check_reserved(pointer, operator, out)
        _check_type(pointer, operator, out)
        _check_accessors(pointer, operator, out)
    _check_stems(data, operators, out)
    _check_files(data, operators, out)


def operators_of(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Pointer and mapping of each operator."""
    if "ops" not in data:
        yield "", data
    elif isinstance(data["ops"], list):
        for number, item in enumerate(data["ops"]):
            if isinstance(item, dict):
                yield f"/ops/{number}", item


def operator_name(operator: dict[str, Any]) -> str:
    """`name`, else `op` in snake case; "" when neither is a name."""
    name, op = operator.get("name"), operator.get("op")
    if isinstance(name, str):
        return name
    return snake(op) if isinstance(op, str) else ""


def mappings(operator: dict[str, Any], key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The mappings of a list of mappings, with their numbers."""
    items = operator.get(key)
    if isinstance(items, list):
        for number, item in enumerate(items):
            if isinstance(item, dict):
                yield number, item


def _small(pointer: str, operator: dict[str, Any]) -> Iterator[_Name]:
    """Names that begin with a small letter, in the order in which they are declared."""
    for key, what in (("inputs", "input"), ("outputs", "output"), ("attrs", "attribute")):
        for number, item in mappings(operator, key):
            if isinstance(item.get("name"), str):
                yield _Name(item["name"], at(pointer, key, number, "name"), what)
    tiling = operator.get("tiling")
    for key, what in (("data", "field of TilingData"), ("key", "field of TilingKey")):
        for number, item in mappings(tiling if isinstance(tiling, dict) else {}, key):
            if isinstance(item.get("name"), str):
                itself = item.get("value") == item["name"]
                yield _Name(item["name"], at(pointer, "tiling", key, number, "name"), what, itself)


def symbols(operator: dict[str, Any]) -> list[str]:
    """Type symbols, in order of declaration."""
    dtypes = operator.get("dtypes")
    rows = [dtypes] if isinstance(dtypes, dict) else dtypes if isinstance(dtypes, list) else []
    return list(dict.fromkeys(str(name) for row in rows if isinstance(row, dict) for name in row))


def _check_unique(pointer: str, operator: dict[str, Any], out: Collector) -> None:
    seen: dict[str, _Name] = {}
    inputs = [item.get("name") for _, item in mappings(operator, "inputs")]
    in_place = {
        at(pointer, "outputs", number, "name")
        for number, item in mappings(operator, "outputs")
        if item.get("inplace") and item.get("name") in inputs
    }
    for name in _small(pointer, operator):
        first = seen.get(name.name)
        if first is None:
            seen[name.name] = name
        elif name.itself:
            continue  # `{name: alpha, value: alpha}` hands the attribute on
        elif name.pointer not in in_place or first.what != "input":
            fix = "Give one of them another name."
            if (first.what, name.what) == ("input", "output"):
                fix = "Give the output another name; or write `inplace: true` if it is the input, updated in place."
            what = f"`{name.name}` is the name of an {name.what} and of another {first.what}"
            if first.what != name.what:
                what = f"`{name.name}` is the name of an {first.what} and of an {name.what}"
            out.add("OPG102", name.pointer, what.replace("an field", "a field"), _UNIQUE, fix)
        else:
            in_place.discard(name.pointer)  # a second output that is the same input
            seen[name.name] = name
    dims = operator.get("dims")
    if isinstance(dims, dict) and "kernel" in operator and "..." in dims and "N" in dims:
        what = "`N` is also what a kernel script calls the product of `...`"
        why = "Keys of kernels and messages would say `N` for two sizes."
        out.add("OPG105", at(pointer, "dims", "N"), what, why, "Give the dim another name.", key=True)
    for symbol in symbols(operator):
        if isinstance(dims, dict) and symbol in dims:
            what = f"`{symbol}` is a dim and a type symbol"
            out.add("OPG102", at(pointer, "dims", symbol), what, _UNIQUE, "Give one of them another name.", key=True)


def _check_reserved(pointer: str, operator: dict[str, Any], out: Collector) -> None:
    for name in _small(pointer, operator):
        reserved_name(name.name, name.pointer, name.what, out)
    dims = operator.get("dims")
    for dim in dims if isinstance(dims, dict) else ():
        if str(dim) in RESERVED_DIMS:
            what = f"the dim `{dim}` is {RESERVED_DIMS[str(dim)]}"
            fix = "Choose another capital or word, such as `N` or `Rows`."
            out.add("OPG103", at(pointer, "dims", dim), what, _RESERVED, fix, key=True)
    for symbol in symbols(operator):
        if symbol in RESERVED_SYMBOLS:
            what = f"the type symbol `{symbol}` is {RESERVED_SYMBOLS[symbol]}"
            out.add(
                "OPG103", at(pointer, "dtypes"), what, _RESERVED, "Choose another one, such as `T` or `U`.", key=True
            )


def reserved_name(name: str, pointer: str, what: str, out: Collector, offset: int | None = None) -> bool:
    """Reports a name that is taken. True if it is."""
    meaning = RESERVED_NAMES.get(name)
    if meaning is None and what == "attribute":
        meaning = RESERVED_ATTRS.get(name)
    if meaning is None and name.endswith("_ref"):
        meaning = "what PyPTO calls the output of an input updated in place"
        name_fix = name[: -len("_ref")]
    else:
        name_fix = f"{name}_in" if what == "input" else f"{name}_out" if what == "output" else f"{name}_value"
    if meaning is None:
        return False
    fix = f"Call it `{name_fix}`, for example."
    out.add("OPG103", pointer, f"the {what} `{name}` is {meaning}", _RESERVED, fix, offset=offset, length=len(name))
    return True


def _check_type(pointer: str, operator: dict[str, Any], out: Collector) -> None:
    op = operator.get("op")
    if not isinstance(op, str):
        return
    where = at(pointer, "op")
    if op in CANN_OPERATORS:
        why = "GE keeps the first registration of a type and ignores yours with a warning in its log."
        out.add("OPG104", where, f"CANN ships an operator type `{op}`", why, f"Call it `{op}Custom`, for example.")
    elif op in RESERVED_TYPES:
        what = f"the operator type `{op}` is {RESERVED_TYPES[op]}"
        out.add("OPG103", where, what, _RESERVED, f"Call it `{op}Custom`, for example.")
    name = operator_name(operator)
    key = "name" if isinstance(operator.get("name"), str) else "op"
    derived = "" if key == "name" else f", derived from `{op}`,"
    if name in RESERVED_STEMS:
        what = f"the name `{name}`{derived} is {RESERVED_STEMS[name]}"
        why = "It becomes the stem of file names, C++ and Python names and targets of the build."
        out.add("OPG103", at(pointer, key), what, why, f"Write `name: {name}_custom`, for example.")


def _check_accessors(pointer: str, operator: dict[str, Any], out: Collector) -> None:
    made: dict[str, str] = {}
    ports: list[tuple[Port, str, str, bool]] = []
    plain: tuple[tuple[str, Port, Port], ...] = (
        ("inputs", "input", "dynamic_input"),
        ("outputs", "output", "dynamic_output"),
        ("attrs", "attr", "attr"),
    )
    for key, single, several in plain:
        for number, item in mappings(operator, key):
            if isinstance(item.get("name"), str):
                listed = "count" in item
                ports.append((several if listed else single, item["name"], at(pointer, key, number, "name"), listed))
    for port, name, where, _ in ports:
        for accessor in accessors(port, name):
            other = made.setdefault(accessor, name)
            if other != name:
                what = f"`{name}` and `{other}` both make `{accessor}`"
                why = "REG_OP derives member functions from the names of inputs, outputs and attributes."
                out.add("OPG105", where, what, why, "Give one of them another name.")
    for port, name, _, listed in ports:
        for other_port, other, where, other_listed in ports:
            same_side = port.split("_")[-1] == other_port.split("_")[-1]
            if listed and not other_listed and same_side and other.startswith(name) and other[len(name) :].isdecimal():
                what = f"`{other}` is also a member of the list `{name}`"
                why = f"GE names the tensors of a list `{name}0`, `{name}1` and so on."
                out.add("OPG105", where, what, why, "Give one of them another name.")


def _check_stems(data: dict[str, Any], operators: list[tuple[str, dict[str, Any]]], out: Collector) -> None:
    project = data.get("project")
    if isinstance(project, str) and project in RESERVED_STEMS:
        what = f"the project `{project}` is {RESERVED_STEMS[project]}"
        why = "It becomes the name of a folder and of the project in CMake."
        out.add("OPG103", "/project", what, why, f"Call it `{project}_custom`, for example.")
    types: dict[str, str] = {}
    stems: dict[str, str] = {}
    for pointer, operator in operators:
        op, name = operator.get("op"), operator_name(operator)
        key = "name" if isinstance(operator.get("name"), str) else "op"
        if name in TAKEN_STEMS:
            what = f"the name `{name}` is {TAKEN_STEMS[name]}"
            why = "Two files of the project would have one name."
            out.add("OPG105", at(pointer, key), what, why, f"Write `name: {name}_custom`, for example.")
        if isinstance(op, str):
            other = types.setdefault(op.casefold(), op)
            if (other == op and types.get("=" + op)) or other != op:
                what = (
                    f"the operator type `{op}` stands twice"
                    if other == op
                    else f"`{op}` and `{other}` differ in case only"
                )
                why = "GE has one operator of a type, and many file systems do not tell letters by case."
                out.add("OPG105", at(pointer, "op"), what, why, "Give one of them another name.")
                continue
            types["=" + op] = op
        if name:
            other = stems.setdefault(name.casefold(), str(op))
            if other != str(op):
                what = f"`{op}` and `{other}` both become the files `{name}`"
                why = "File names are the operator type in snake case: a capital begins a word, digits do not."
                out.add("OPG105", at(pointer, key), what, why, "Write another `name` for one of them.")


def _check_files(data: dict[str, Any], operators: list[tuple[str, dict[str, Any]]], out: Collector) -> None:
    files: list[tuple[str, str]] = []
    for pointer, operator in operators:
        for key in ("kernel", "reference"):
            if isinstance(operator.get(key), str):
                files.append((operator[key], at(pointer, key)))
    extra = data.get("extra")
    for number, path in enumerate(extra if isinstance(extra, list) else ()):
        if isinstance(path, str):
            files.append((path, at("/extra", number)))
    seen: dict[str, str] = {}
    for path, pointer in files:
        if path.split("/")[0] in BUILT_FOLDERS and "/" in path:
            what = f"`{path}` lies in a folder that the build writes"
            why = "`build` and `output` are made anew and are not committed."
            out.add("OPG105", pointer, what, why, "Put the file into a folder of its own.")
        if seen.setdefault(path.casefold(), pointer) != pointer:
            out.add(
                "OPG105", pointer, f"the file `{path}` is named twice", "Each file has one role.", "Name another file."
            )
