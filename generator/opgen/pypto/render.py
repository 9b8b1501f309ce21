"""The texts of an operator folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.cxx.reg_op import proto_header
from opgen.kernel.pypto.kernel import pypto_kernel
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.kernel.reference import reference_skeleton
from opgen.pypto.build_files import host_cmake, root_cmake
from opgen.pypto.definition import definition
from opgen.pypto.examples import aclnn_example, geir_example
from opgen.pypto.golden import golden_header
from opgen.pypto.golden_script import golden_script
from opgen.pypto.inference import infershape
from opgen.pypto.outline import kernel_file
from opgen.pypto.shapes import Shapes
from opgen.pypto.skeleton import kernel_skeleton
from opgen.pypto.tiling import tiling
from opgen.pypto.unit_tests import infershape_tests, tiling_tests
from opgen.spec.model import OpSpec
from opgen.spec.outline import Outline


def render(spec: OpSpec, outline: Outline, plans: Mapping[str, PyptoPlan]) -> dict[str, str]:
    """The text of every file of the outline, by path. plans: by name of the operator."""
    texts = dict(_texts(spec, plans))
    return {entry.path: texts[entry.path] for entry in outline.entries}


def _texts(spec: OpSpec, plans: Mapping[str, PyptoPlan]) -> Iterator[tuple[str, str]]:
    (operator,) = spec.operators
    name, plan = operator.name, plans[operator.name]
    yield "CMakeLists.txt", root_cmake(spec, operator)
    yield "op_host/CMakeLists.txt", host_cmake(spec, operator)
    yield f"op_host/{name}_def.cpp", definition(spec, operator)
    yield f"op_host/{name}_shapes.h", Shapes(operator).text()
    yield f"op_host/{name}_infershape.cpp", infershape(operator)
    yield f"op_host/{name}_tiling.cpp", tiling(operator, plan)
    if operator.kernel is None:
        yield kernel_file(operator), pypto_kernel(spec, operator, plan)
    else:
        yield kernel_file(operator), kernel_skeleton(operator, plan)
    if operator.reference is not None:
        yield operator.reference, reference_skeleton(operator)
    yield f"op_graph/{name}_proto.h", proto_header(operator)
    yield f"examples/{name}_golden.h", golden_header(spec, operator, plan)
    if operator.reference is not None:
        yield f"examples/{name}_golden.py", golden_script(spec, operator, plan)
    yield f"examples/test_aclnn_{name}.cpp", aclnn_example(spec, operator, plan)
    yield f"examples/test_geir_{name}.cpp", geir_example(spec, operator, plan)
    yield f"tests/ut/op_host/test_{name}_infershape.cpp", infershape_tests(operator)
    yield f"tests/ut/op_host/test_{name}_tiling.cpp", tiling_tests(operator, plan)
