"""Runs a planned kernel's text under the checker, at every test case and where tiles end, against float64."""

from __future__ import annotations

from pathlib import Path

from opgen.dialect.check import check_here
from opgen.kernel.interface import kernel_interface
from opgen.kernel.plan import KernelPlan
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.model import OpSpec
from opgen.text.findings import Finding
from opgen.verify.golden import make_expected, make_inputs, share_of_tolerance, tolerance_of
from opgen.verify.points import points


def planned(spec: OpSpec) -> KernelPlan:
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is not None, findings
    return plan


def refused(spec: OpSpec) -> list[Finding]:
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is None
    return list(findings)


def check_kernel(folder: Path, spec: OpSpec) -> str:
    """The kernel's text, whose results are within the tolerances and which breaks no rule of the chip."""
    operator = spec.operators[0]
    plan = planned(spec)
    assert all(v.used <= plan.budget for v in (*plan.variants, *plan.long))
    path = folder / "kernel.py"
    text = script(spec, operator, plan)
    path.write_text(text, encoding="utf-8")
    sizes = len(kernel_interface(operator).dims)
    for point in points(operator, plan):
        inputs = make_inputs(operator, point)
        words = [*point.words[:sizes], str(folder / "kernel.so"), *point.words[sizes:]]
        given = {**inputs, **{a.name: point.attrs[a.name] for a in operator.dynamic_attrs}}
        report = check_here(path, words, dict(point.symbolic), given, generated=True)
        assert report.ok, (point.title, [f.what for f in report.findings])
        (kernel,) = report.kernels
        for name, wanted in make_expected(operator, point, inputs).items():
            got = kernel.outputs[name].reshape(wanted.shape)
            share = share_of_tolerance(got, wanted, tolerance_of(operator, point, name))
            assert share.max() <= 1, (point.title, name)
    return text
