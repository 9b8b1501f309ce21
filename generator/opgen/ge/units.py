"""The files of a GE project that are the same in every project that has them: pairs of .h and .cpp under ge/."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.ge.host import Host
from opgen.kernel.plan import KernelPlan
from opgen.spec.model import Operator, OpSpec

# In the order of the README's tree.
ROLES: dict[str, Text] = {
    "tensor_check": Text("checks of the inputs, error messages", "输入检查与报错"),
    "node_inputs": Text("optional inputs and lists of tensors", "可选输入与张量列表"),
    "sizes": Text("sizes by name, shapes of the outputs", "按名称绑定维度大小，推导输出形状"),
    "attributes": Text("reads attributes, checks their values", "读取属性并检查取值"),
    "target": Text("target chip", "目标芯片"),
    "kernel": Text("loads one kernel", "加载一个 kernel"),
    "kernel_cache": Text("keeps kernels by key", "按 key 缓存 kernel"),
    "kernel_compiler": Text("compiles a kernel in a subprocess", "在子进程中编译 kernel"),
    "kernel_archive": Text("serialization and deserialization", "序列化与反序列化"),
    "launch": Text("calls a kernel whose number of tensors varies", "调用张量个数可变的 kernel"),
}

HEADER_ONLY = ("launch",)


def host_units(host: Host) -> tuple[str, ...]:
    """The units that the host code of one operator includes."""
    units = {"kernel", "kernel_cache", "tensor_check"}
    if not host.eager:
        units |= {"kernel_compiler", "target"}
    if host.offline:
        units.add("kernel_archive")
    if host.operator.attrs:
        units.add("attributes")
    if not host.uniform:
        units.add("sizes")
    if not host.plain or host.output_lists:
        units.add("node_inputs")
    if host.lists:
        units.add("launch")
    return tuple(unit for unit in ROLES if unit in units)


def project_units(spec: OpSpec) -> tuple[str, ...]:
    """The units of a project, in the order of the README's tree."""
    unknown = KernelPlan("user", (), 0, None)  # no unit depends on it
    used = {unit for operator in spec.operators for unit in host_units(Host(spec, operator, unknown))}
    return tuple(unit for unit in ROLES if unit in used)


def kernel_folder(spec: OpSpec, operator: Operator) -> str:
    """Where compiled kernels of an operator lie, below `kernel` of the operator package: "" or "NAME/"."""
    return "" if len(spec.operators) == 1 else f"{operator.name}/"
