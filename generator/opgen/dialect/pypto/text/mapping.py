"""datatype= of @pl.jit: which tensors' types the kernel asks for, and what it calls them."""

from __future__ import annotations

import ast

from opgen.dialect.pypto.text.classes import key_class, key_fields
from opgen.dialect.pypto.text.source import Interface, Source, parameters_of
from opgen.facts.pypto import DATATYPES


def mapping(source: Source, kernel: ast.FunctionDef) -> dict[str, str]:
    """Parameter -> variable, as far as it is written out."""
    given = source.option(kernel, "datatype")
    if not isinstance(given, ast.Dict):
        return {}
    return {
        key.value: value.value
        for key, value in zip(given.keys, given.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Constant)
        and isinstance(key.value, str) and isinstance(value.value, str)
    }  # fmt: skip


def check_datatype(source: Source, kernel: ast.FunctionDef, interface: Interface | None) -> None:
    given = source.option(kernel, "datatype")
    if given is None:
        return
    if not isinstance(given, ast.Dict) or not given.keys:
        why = "It maps parameters to the variables that hold their types."
        source.add("OPG824", given, f"datatype is {ast.unparse(given)}", why, "write a dict with one entry, or none")
        return
    parameters = [parameter.arg for parameter in parameters_of(kernel)]
    key = key_class(source, kernel)
    taken = set(key_fields(source, key)) if key is not None else set()
    for name, variable in zip(given.keys, given.values, strict=True):
        if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
            source.add("OPG824", name or given, "a key of datatype is no string", fix="write the name of a parameter")
            continue
        _check_parameter(source, kernel, name, name.value, parameters)
        if not (isinstance(variable, ast.Constant) and isinstance(variable.value, str)):
            source.add("OPG824", variable, "a value of datatype is no string", fix="write the name of a variable")
            continue
        word = variable.value
        if not word.isidentifier():
            why = "The kernel reads the type under this name."
            source.add("OPG824", variable, f'"{word}" is no identifier', why, "write a name")
        elif word in parameters or word in taken:
            what = "a parameter of the kernel" if word in parameters else "a field of the key"
            why = "Both are names in the kernel, and one of them is lost."
            source.add("OPG824", variable, f"the variable {word} is {what} too", why, "give it another name")
        elif word in dict(source.module_names()):
            why = "The type takes its place in every instance of the kernel."
            source.add("OPG824", variable, f"the variable {word} is one of the module too", why, "rename one of them")
    if interface is not None:
        _against_columns(source, given, mapping(source, kernel), interface)


def _check_parameter(source: Source, kernel: ast.FunctionDef, node: ast.expr, name: str, parameters: list[str]) -> None:
    if name not in parameters:
        why = "Types are those of the kernel's parameters."
        source.add("OPG824", node, f"datatype names {name}, which is no parameter of {kernel.name}", why,
                   "write the name as the kernel has it")  # fmt: skip
    elif name != name.lower():
        source.add(
            "OPG824", node, f"datatype names {name}, which is not in lower case",
            "The build passes the type as a macro, whose name it puts into lower case: the mapping finds nothing, and "
            "the build fails.",
            f"call the parameter {name.lower()}",
        )  # fmt: skip
    elif name in parameters[-2:]:
        why = "The build passes types of inputs and outputs only."
        source.add("OPG824", node, f"datatype names {name}, which is no tensor", why, "leave it out")


def _against_columns(source: Source, node: ast.expr, mapped: dict[str, str], interface: Interface) -> None:
    for name in mapped:
        if name in interface.optional:
            source.add(
                "OPG824", node, f"datatype names the optional input {name}",
                "No macro is passed for an input that is not connected, and the build fails.",
                "map a required tensor of the same type",
            )  # fmt: skip
    for column in interface.columns:
        types = dict(column)
        found: dict[str, tuple[str, str]] = {}
        for name, variable in mapped.items():
            dtype = types.get(name)
            if dtype is None:
                continue
            if dtype not in DATATYPES:
                why = f"A datatype variable holds {', '.join(DATATYPES)}."
                source.add("OPG824", node, f"{name} is of {dtype}", why, "take it out of datatype")
                return
            first = found.setdefault(variable, (name, dtype))
            if first[1] != dtype:
                source.add(
                    "OPG824",
                    node,
                    f"{first[0]} and {name} share {variable}, and one column of the definition has {first[1]} and "
                    f"{dtype} for them",
                    "A variable has one type in each instance of the kernel.",
                    "give each type a variable of its own",
                )
                return
