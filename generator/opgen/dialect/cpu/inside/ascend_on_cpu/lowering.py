"""A traced kernel as C++ text with the one function `call`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilelang import tvm
from tilelang.backend.module import create_backend_context
from tilelang.engine.lower import _prepare_device_codegen_mod, lower_to_host_device_ir
from tvm import tirx
from tvm.tirx.stmt_functor import post_order_visit

from .tracing import CUBE, KERNELS, VECTOR, Kernel

_HERE = Path(__file__).parent
_CONFIG = {
    "tirx.disable_vectorize": True,  # the C target's vector types do not compile
    "tirx.disable_storage_rewrite": True,  # calls hide which buffers are in use
    "tl.disable_safe_memory_legalize": True,  # the device guards no access either
}
_EXTERN_C = '#ifdef __cplusplus\nextern "C"\n#endif\n'
_DECLARATION = re.compile(re.escape(_EXTERN_C) + r"[^\n{]*\);\n")
_DEFINITION = re.compile(re.escape(_EXTERN_C) + r"(int32_t \w+\([^\n]*\) \{)")
_ARRAY = re.compile(r"^( +)([\w ]+?) (\w+)\[(\d+)\];$", re.MULTILINE)
_ON_STACK = 16  # elements that stay on the stack

# Parameter types of `call` by the type of a scalar parameter.
_SCALARS = {
    "float32": "float",
    "float64": "double",
    "bool": "bool",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}


@dataclass(frozen=True)
class _Parameter:
    """A parameter of `call`: a tensor, a scalar, or the size of an axis."""

    name: str
    cxx: str
    tensor: bool


def _parameters(function: Any) -> list[_Parameter]:
    """Those of the function in its order, then each symbolic size once, in the order in which they appear."""
    found: list[_Parameter] = []
    sizes: list[Any] = []
    scalars = [p for p in function.params if p not in function.buffer_map]
    for parameter in function.params:
        buffer = function.buffer_map.get(parameter)
        if buffer is None:
            dtype = str(parameter.dtype)
            if dtype not in _SCALARS:
                raise TypeError(f"scalar parameter {parameter.name} of type {dtype}")
            found.append(_Parameter(parameter.name, _SCALARS[dtype], False))
            continue
        found.append(_Parameter(buffer.data.name, "void *", True))
        for extent in buffer.shape:
            post_order_visit(extent, lambda node: sizes.append(node) if isinstance(node, tirx.Var) else None)
    known: list[Any] = []
    for size in sizes:
        if not any(size.same_as(other) for other in [*known, *scalars]):
            known.append(size)
    return [*found, *(_Parameter(size.name, "int64_t", False) for size in known)]


def _kernel_of(function: Any) -> Kernel:
    """What tracing noted about it: `core` is a variable that its body uses and nothing defines."""
    defined = [*function.params, *(b.data for b in function.buffer_map.values())]
    for variable in tirx.analysis.undefined_vars(function.body, defined):
        if variable in KERNELS:
            return KERNELS[variable]
    raise ValueError("the function has no `with T.Kernel(...)`")


def _device_text(function: Any) -> tuple[str, str, list[tuple[str, bool]]]:
    """TileLang's C++ text, its function's name, and the names of the parameters with whether they are addresses."""
    context = create_backend_context("c", None, "auto")
    with tvm.transform.PassContext(opt_level=3, config=_CONFIG), context.target:
        _, device, *_ = lower_to_host_device_ir(function, context)
        ((name, lowered),) = device.functions.items()
        order = [(variable.name, str(variable.dtype) == "handle") for variable in lowered.params]
        text = context.codegen_device(_prepare_device_codegen_mod(device), compile_device=False).inspect_source()
    return text, name.name_hint, order


def _cleaned(text: str) -> str:
    """Without declarations of what the prelude defines; buffers off the stack."""
    lines = [line for line in text.splitlines() if not line.startswith(("// tilelang target", "#include"))]
    text = "\n".join(lines) + "\n"
    definition = _DEFINITION.search(text)
    if definition is None:
        raise RuntimeError("TileLang's C++ text has no kernel function")
    head = _DECLARATION.sub("", text[: definition.start()])
    body = f"static {definition.group(1)}{text[definition.end() :]}"

    def array(match: re.Match[str]) -> str:
        indent, dtype, name, count = match.groups()
        return match.group(0) if int(count) <= _ON_STACK else f"{indent}ascend::Local<{dtype}, {count}> {name};"

    return head.strip() + "\n" + _ARRAY.sub(array, body)


def source(function: Any, cross_core_order: bool) -> str:
    """The whole text. cross_core_order: the compiler orders accesses of different cores to a workspace."""
    kernel = _kernel_of(function)
    parameters = _parameters(function)
    whole = tirx.PrimFunc(
        [*function.params, kernel.core, kernel.cid, kernel.vid],
        function.body,
        function.ret_type,
        function.buffer_map,
        function.attrs,
    )
    text, name, order = _device_text(whole)
    given: dict[tuple[str, bool], str] = {
        (kernel.core.name, True): "&core",
        (kernel.cid.name, False): "core.block",
        (kernel.vid.name, False): "core.sub",
    }
    for number, parameter in enumerate(parameters):
        key = (parameter.name, parameter.tensor)
        if key in given:
            raise ValueError(f"two parameters, sizes or indexes of the kernel are called {parameter.name}")
        given[key] = f"ascend::Pointer{{p{number}}}" if parameter.tensor else f"p{number}"
    arguments = [given[key] for key in order]
    roles = kernel.roles or VECTOR  # scalar code alone
    both = roles == CUBE | VECTOR
    in_order = not kernel.joint and not kernel.flags and cross_core_order and both and bool(kernel.shared)
    talk = not kernel.joint and (kernel.flags or kernel.everyone or in_order)
    declared = ", ".join([*(f"{p.cxx} p{number}" for number, p in enumerate(parameters)), "void *stream"])
    flags = ", ".join([str(roles), str(kernel.subs), *(str(flag).lower() for flag in (kernel.joint, kernel.everyone))])
    return "\n".join(
        [
            "#define OPGEN_CORES_TALK" if talk else "",
            "#define OPGEN_IN_ORDER" if in_order else "",
            '#include "prelude.h"',
            '#include "cores.h"' if talk else "",
            '#include "run.h"',
            "",
            _cleaned(text),
            f'extern "C" OPGEN_EXPORT void call({declared}) {{',
            "  ascend::launch(stream, [=] {",
            f"    ascend::run({flags}, [&](ascend::Core &core) {{ {name}({', '.join(arguments)}); }});",
            "  });",
            "}",
            "",
        ]
    )


def headers() -> dict[str, str]:
    """The files that the text includes."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(_HERE.glob("*.h"))}
