"""The outline of an operator folder for CANN's operator repositories, in the order of the README's tree."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.formula.signature import Text
from opgen.spec.model import Operator, OpSpec
from opgen.spec.outline import Entry, Outline


def outline(spec: OpSpec) -> Outline:
    """Every file but the documents and what tells git about them. The repository's build.sh is run, so no steps."""
    return Outline(tuple(_entries(spec, spec.operators[0])), ())


def kernel_file(operator: Operator) -> str:
    """The kernel: the build finds it by the operator's name."""
    return f"op_kernel/{operator.name}.py"


def _entries(spec: OpSpec, operator: Operator) -> Iterator[Entry]:
    name = operator.name
    if spec.repository.at_root:
        role = Text("adds the sources to the build of the repository", "将源文件加入算子仓构建")
        yield Entry("CMakeLists.txt", "generated", role)
    yield from _host_entries(spec, name)
    yield _kernel_entry(operator)
    prototype = Text("prototype for graph mode, REG_OP", "图模式算子原型 REG_OP")
    yield Entry(f"op_graph/{name}_proto.h", "generated", prototype)
    yield from _example_entries(operator)
    tests = "tests/ut/op_host"
    inference = Text("unit tests of shape inference", "形状推导单元测试")
    yield Entry(f"{tests}/test_{name}_infershape.cpp", "generated", inference)
    yield Entry(f"{tests}/test_{name}_tiling.cpp", "generated", Text("unit tests of tiling", "Tiling 单元测试"))
    if operator.reference is not None:
        role = Text("your NumPy reference, which gives the expected values", "您编写的 NumPy 参考实现，用于生成期望值")
        yield Entry(operator.reference, "once", role)


def _example_entries(operator: Operator) -> Iterator[Entry]:
    name = operator.name
    golden = Text("tests, inputs, expected values and comparison", "测试用例、输入、期望值与比较")
    if operator.formula is None and operator.reference is None:
        golden = Text("tests and inputs", "测试用例与输入")
    yield Entry(f"examples/{name}_golden.h", "generated", golden)
    if operator.formula is None and operator.reference is not None:
        role = Text(
            f"writes input data and expected values with {operator.reference}",
            f"用 {operator.reference} 生成输入数据和期望值",
        )
        yield Entry(f"examples/{name}_golden.py", "generated", role)
    yield Entry(f"examples/test_aclnn_{name}.cpp", "generated", Text("aclnn sample", "aclnn 调用样例"))
    yield Entry(f"examples/test_geir_{name}.cpp", "generated", Text("graph sample", "图模式调用样例"))


def _host_entries(spec: OpSpec, name: str) -> Iterator[Entry]:
    cmake = Text("enables the PyPTO Pro kernel and adds the sources", "启用 PyPTO Pro kernel 并加入源文件")
    if spec.repository.at_root:
        cmake = Text("enables the PyPTO Pro kernel", "启用 PyPTO Pro kernel")
    yield Entry("op_host/CMakeLists.txt", "generated", cmake)
    roles = {
        "def.cpp": Text("inputs, outputs, attributes, data types and chips", "输入输出、属性、数据类型与芯片"),
        "shapes.h": Text("sizes that shapes give, shapes of the outputs", "由 shape 得到的各维大小，输出 shape"),
        "infershape.cpp": Text("inference of shape and data type", "shape 与数据类型推导"),
        "tiling.cpp": Text(
            "TilingData, TilingKey, BlockDim and workspace", "TilingData、TilingKey、BlockDim 与 Workspace"
        ),
    }
    for end, role in roles.items():
        yield Entry(f"op_host/{name}_{end}", "generated", role)


def _kernel_entry(operator: Operator) -> Entry:
    if operator.kernel is None:
        return Entry(kernel_file(operator), "generated", Text("PyPTO Pro kernel", "PyPTO Pro kernel"))
    return Entry(kernel_file(operator), "once", Text("your PyPTO Pro kernel", "您编写的 PyPTO Pro kernel"))
