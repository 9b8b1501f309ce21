"""What CANN's op_build makes of a compiled definition, as far as an example needs it: the aclnn header, and functions
of the stand-in's own behind it."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.pypto.aclnn import AttrPort, Interface, Kind, Port, derive
from opgen.sim.host import Definition, Param

_KINDS: dict[str, Kind] = {"required": "required", "optional": "optional", "dynamic": "dynamic"}


def interface_of(definition: Definition) -> Interface:
    """The interface that op_build derives from a definition. KeyError: a kind or type that it does not know."""
    return derive(
        definition.type,
        [_port(param) for param in definition.inputs],
        [_port(param) for param in definition.outputs],
        [AttrPort(attr.name, attr.type, attr.kind == "optional") for attr in definition.attrs],
    )


def aclnn_files(definition: Definition) -> dict[str, str]:
    """The header and the source, by name."""
    interface = interface_of(definition)
    stem = interface.header.removesuffix(".h")
    return {interface.header: _header(interface), f"{stem}.cpp": "\n".join([*_source(definition, interface), ""])}


def _port(param: Param) -> Port:
    return Port(param.name, _KINDS[param.kind])


def _header(interface: Interface) -> str:
    guard = f"{interface.header.removesuffix('.h').upper()}_H_"
    return "\n".join(
        [
            f"#ifndef {guard}",
            f"#define {guard}",
            '#include "aclnn/acl_meta.h"',
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            *interface.prototypes,
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "#endif",
            "",
        ]
    )


def _source(definition: Definition, interface: Interface) -> Iterator[str]:
    first, second = (prototype.removesuffix(";") for prototype in interface.prototypes)
    yield f'#include "{interface.header}"'
    yield '#include "standin/aclnn.h"'
    yield f"{first} {{"
    yield f'  standin::AclnnCall call("{definition.type}");'
    outputs = {param.name for param in definition.outputs}
    for param in definition.inputs:
        name = interface.parameter(param.name).name
        yield f'  call.Input("{param.name}", {name}, {str(param.kind == "optional").lower()});'
    for attr in definition.attrs:
        name = interface.parameter(attr.name, "attr").name
        yield f'  call.Attr("{attr.name}", {_value(attr.type, name)});'
    inputs = {param.name for param in definition.inputs}
    for param in definition.outputs:
        if param.name in inputs & outputs:
            yield f'  call.InPlace("{param.name}");'
        else:
            yield f'  call.Output("{param.name}", {interface.parameter(param.name, "output").name});'
    yield "  return call.Plan(workspaceSize, executor);"
    yield "}"
    yield f"{second} {{"
    yield "  return standin::LaunchAclnn(workspace, workspaceSize, executor, stream);"
    yield "}"


def _value(kind: str, name: str) -> str:
    """A value for the host code, which has attributes as the graph has them."""
    if kind.startswith("list"):
        return f"standin::ValuesOf({name})"
    return {"float": f"static_cast<float>({name})", "str": f"std::string({name})"}.get(kind, name)
