"""The texts of a GE project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.cxx.reg_op import reg_op_header
from opgen.ge.build_files import cmake_lists, run_script
from opgen.ge.custom_op import custom_op
from opgen.ge.extra import extra_text
from opgen.ge.outline import host_file
from opgen.ge.programs import render_programs
from opgen.ge.skeletons import kernel_skeleton
from opgen.ge.units import HEADER_ONLY, project_units
from opgen.kernel.plan import KernelPlan
from opgen.kernel.reference import reference_skeleton
from opgen.kernel.tilelang import script
from opgen.spec.model import OpSpec
from opgen.spec.outline import Outline
from opgen.templating import verbatim


def render(spec: OpSpec, outline: Outline, plans: Mapping[str, KernelPlan]) -> dict[str, str]:
    """The text of every file of the outline, by path. plans: by name of the operator."""
    texts = dict(_texts(spec, outline, plans))
    return {entry.path: texts[entry.path] for entry in outline.entries}


def _texts(spec: OpSpec, outline: Outline, plans: Mapping[str, KernelPlan]) -> Iterator[tuple[str, str]]:
    yield "CMakeLists.txt", cmake_lists(spec)
    yield "run.sh", run_script(spec, outline)
    for operator in spec.operators:
        plan = plans[operator.name]
        yield f"ge/{operator.name}.h", reg_op_header(operator)
        yield host_file(spec, operator), custom_op(spec, operator, plan)
        if operator.kernel is None:
            yield f"{operator.name}_kernel/{operator.name}_kernel.py", script(spec, operator, plan)
        else:
            yield operator.kernel, kernel_skeleton(spec, operator)
        if operator.reference is not None:
            yield operator.reference, reference_skeleton(operator)
    for unit in project_units(spec):
        for suffix in (".h",) if unit in HEADER_ONLY else (".h", ".cpp"):
            yield f"ge/{unit}{suffix}", verbatim(f"ge/{unit}{suffix}")
    yield from render_programs(spec).items()
    for path in spec.extra:
        yield path, extra_text(spec, path)
