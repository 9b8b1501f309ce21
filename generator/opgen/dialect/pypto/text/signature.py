"""The kernel function: one in the file, its name, its parameters, the options of @pl.jit."""

from __future__ import annotations

import ast

from opgen.dialect.pypto.text.source import Interface, Source, parameters_of
from opgen.facts.pypto import NAMES

_ABI = "The build passes pointers only: inputs, outputs, workspace, then the address of TilingData."


def kernel_of(source: Source, stem: str, interface: Interface | None) -> ast.FunctionDef | None:
    """The kernel, if there is one to look at."""
    kernels = source.kernels
    if not kernels:
        source.add(
            "OPG820",
            source.functions.get(stem, source.tree),
            "no function is decorated with @pl.jit",
            "The build looks for the kernel by it.",
            "decorate the kernel with @pl.jit(arch=\"a5\", tiling_key=..., datatype=...)",
        )  # fmt: skip
        return None
    for other in kernels[1:]:
        source.add(
            "OPG820",
            other,
            f"{other.name} is the second function under @pl.jit in this file",
            "A kernel file has exactly one: with two, older tools declare the tiling parameters twice and the host "
            "file does not compile, newer ones refuse the file.",
            "move it to a file of its own",
        )
    kernel = kernels[0]
    wanted = interface.name if interface else stem
    if len(kernels) == 1 and kernel.name != wanted:
        source.add(
            "OPG820",
            kernel,
            f"the kernel is called {kernel.name}, and the file {stem}.py"
            if not interface
            else f"the kernel is called {kernel.name}, and op.yaml calls it {wanted}",
            "Function, file, enable_pypto_kernel() and opFile.value have one name; the kernel is looked up by it.",
            f"call it {wanted}",
        )
    return kernel


def check_options(source: Source, kernel: ast.FunctionDef) -> None:
    arch = source.option(kernel, "arch")
    if not (isinstance(arch, ast.Constant) and arch.value == "a5"):
        given = "no arch" if arch is None else f"arch={ast.unparse(arch)}"
        source.add(
            "OPG829",
            arch or source.jit_of(kernel) or kernel,
            f"@pl.jit with {given}",
            "Without an NPU the tools fall back to a3 then, whose vector unit PyPTO Pro does not serve.",
            'write arch="a5"',
        )
    if source.option(kernel, "tiling_key") is None:
        source.add(
            "OPG823",
            source.jit_of(kernel) or kernel,
            "@pl.jit has no tiling_key",
            "The header of the key is made from it; an offline kernel has at least one field, values=[0] will do.",
            "write a class with a TilingKeyField and pass it as tiling_key",
        )


def check_parameters(source: Source, kernel: ast.FunctionDef, interface: Interface | None) -> None:
    arguments = kernel.args
    for special in (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs):
        if special is not None:
            star = {id(arguments.vararg): "*", id(arguments.kwarg): "**"}.get(id(special), "the keyword parameter ")
            source.add("OPG821", special, f"the kernel takes {star}{special.arg}", _ABI, "list the tensors by name")
    for default in (*arguments.defaults, *(one for one in arguments.kw_defaults if one)):
        source.add("OPG821", default, f"a parameter has the default {ast.unparse(default)}", _ABI, "leave it out")
    parameters = parameters_of(kernel)
    tilings = [one for one in parameters if _is_tiling(source, one)]
    if not tilings:
        source.add(
            "OPG821",
            kernel,
            "the kernel has no parameter of a tiling class",
            "The last parameter is TilingData, a dataclass of this file.",
            "end the parameters with `workspace: pl.Ptr[pl.DT_UINT8], tiling: TheTilingData`",
        )
        return
    for extra in tilings[1:]:
        source.add("OPG821", extra, f"{extra.arg} is the second tiling parameter", "A kernel has exactly one.",
                   "put its fields into the first class")  # fmt: skip
    if len(tilings) == 1 and parameters[-1] is not tilings[0]:
        fix = "move it to the end"
        source.add("OPG821", tilings[0], f"{tilings[0].arg} is not the last parameter", _ABI, fix)
    pointers = [one for one in parameters if one not in tilings]
    for one in pointers:
        _check_pointer(source, one)
    _check_workspace(source, kernel, pointers, interface)
    if interface is not None:
        _compare(source, kernel, pointers, interface)


def _is_tiling(source: Source, parameter: ast.arg) -> bool:
    """Whether a parameter is annotated with a class of the file, or with one that nobody knows."""
    annotation = parameter.annotation
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value in source.classes
    return isinstance(annotation, ast.Name) and annotation.id not in ("int", "float", "bool")


def _check_pointer(source: Source, parameter: ast.arg) -> None:
    annotation = parameter.annotation
    target = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    word = source.word(target)
    name = parameter.arg
    if word == "Ptr" and isinstance(annotation, ast.Subscript):
        return
    fix = f"write {name}: pl.Ptr[pl.DT_UINT8]"
    if annotation is None:
        source.add("OPG821", parameter, f"{name} has no annotation", "The front end asks for one.", fix)
    elif word == "Tensor":
        source.add(
            "OPG821",
            parameter,
            f"{name} is a pl.Tensor",
            "The build passes no shapes: a dynamic tensor appends an int32 for each axis behind tiling, and every "
            "pointer behind it is another one.",
            fix + " and make a view of it with pl.make_tensor",
        )
    elif word in NAMES.values() or word in ("Scalar", "DT_INDEX") or source.dotted(target) in ("int", "float", "bool"):
        why = "Nobody passes it: the build passes pointers only, and all that follows moves up by one."
        source.add("OPG821", parameter, f"{name} is a number", why, "make it a field of TilingData")
    else:
        source.add("OPG821", parameter, f"{name} is annotated with {ast.unparse(annotation)}", _ABI, fix)


def _check_workspace(
    source: Source, kernel: ast.FunctionDef, pointers: list[ast.arg], interface: Interface | None
) -> None:
    """The pointer in front of tiling is taken as the workspace, whatever it is called."""
    why = "The pointer in front of tiling is the workspace, whatever its name: a tensor there gets the wrong address."
    named = [one.arg for one in pointers if "workspace" in one.arg.lower()]
    if interface is not None and len(pointers) == len(interface.parameters) + 1 and not named:
        return  # it bears another name
    if not pointers or (named and pointers[-1].arg not in named):
        where = pointers[-1] if pointers else kernel
        source.add("OPG821", where, "workspace is not the parameter in front of tiling", why, "move it there")
    elif not named:
        source.add(
            "OPG821", pointers[-1], f"the kernel has no workspace, and {pointers[-1].arg} is taken for it", why,
            "put `workspace: pl.Ptr[pl.DT_UINT8]` in front of tiling",
        )  # fmt: skip


def _compare(source: Source, kernel: ast.FunctionDef, pointers: list[ast.arg], interface: Interface) -> None:
    """Against the definition of the operator."""
    named = [one.arg for one in pointers if "workspace" in one.arg.lower()]
    mine = [one.arg for one in pointers if one.arg not in named]
    if not named and len(pointers) == len(interface.parameters) + 1:
        mine = mine[:-1]
    wanted = list(interface.parameters)
    if mine == wanted:
        return
    first = next((i for i, pair in enumerate(zip(mine, wanted, strict=False)) if pair[0] != pair[1]),
                 min(len(mine), len(wanted)))  # fmt: skip
    where: ast.AST = pointers[first] if first < len(mine) else kernel
    source.add(
        "OPG821",
        where,
        f"the tensors are {', '.join(mine) or 'none'}, and op.yaml has {', '.join(wanted)}",
        "Pointers are passed by place, in the order of the definition: inputs, then outputs.",
        "give the kernel the same names in the same order; an in-place output is NAME_ref",
    )
