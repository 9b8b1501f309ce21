"""Every launch of the kernels of a PyPTO project, made once for both rungs of the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cached_property
from io import StringIO
from typing import TYPE_CHECKING

from opgen.dialect.pypto.check import check_apart, check_here
from opgen.dialect.report import Report
from opgen.formula.evaluate import Array
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.spec.model import Operator
from opgen.verify.golden import make_inputs
from opgen.verify.kernels import Run, as_in_project
from opgen.verify.points import Point
from opgen.verify.pypto_points import PyptoPoint, interface_of, pypto_points, request_of
from opgen.verify.reference import Expected, run_reference

if TYPE_CHECKING:
    from opgen.verify.kernels import Progress
    from opgen.verify.ladder import Site


class PyptoKernels:
    """As verify.kernels.Kernels, for op_kernel/NAME.py."""

    def __init__(self, site: Site, plans: Mapping[str, PyptoPlan], progress: Progress) -> None:
        self._site = site
        self._plans = plans
        self._progress = progress

    @property
    def operators(self) -> tuple[Operator, ...]:
        return self._site.spec.operators

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        return tuple(run for operator in self.operators for run in self._runs(operator))

    def _runs(self, operator: Operator) -> list[Run]:
        plan = self._plans[operator.name]
        points = list(pypto_points(operator, plan))
        inputs = [make_inputs(operator, launched.point) for launched in points]
        path = f"op_kernel/{operator.name}.py"
        script = self._site.copy / path
        if not script.is_file():
            return [Run(operator, points[0].point, inputs[0], None, f"{path} is missing")]
        self._progress(f"{operator.name}: {len(points)} launches")
        requests = [request_of(operator, plan, p, given) for p, given in zip(points, inputs, strict=True)]
        planned = {file.path: file.content for file in self._site.plan if file.owner == "generated"}
        ours = script.read_text(encoding="utf-8") == planned.get(path)
        # opgen's own text may run in this process, which is much faster; what somebody wrote gets one of its own.
        check = check_here if ours else check_apart
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            found = check(script, requests, interface_of(operator, plan), generated=operator.kernel is None)
        return self._split(operator, points, inputs, found)

    def _split(
        self, operator: Operator, points: list[PyptoPoint], inputs: list[dict[str, Array]], found: Report
    ) -> list[Run]:
        """A report for each launch; what was found in the text goes to the first."""
        if not found.kernels:
            return [Run(operator, points[0].point, inputs[0], found)]
        launched = {(f.rule, f.place) for kernel in found.kernels for f in kernel.findings}
        of_text = tuple(f for f in found.findings if (f.rule, f.place) not in launched)
        outputs = {t.name: f"{t.name}_ref" if t.inplace else t.name for t in operator.outputs}
        expected = self._expected(operator, [p.point for p in points], inputs)
        runs = []
        for number, kernel in enumerate(found.kernels):
            findings = (*(of_text if not number else ()), *kernel.findings)
            report = as_in_project(replace(found, kernels=(kernel,), findings=findings), self._site)
            runs.append(Run(operator, points[number].point, inputs[number], report, "", outputs, expected[number]))
        return runs

    def _expected(
        self, operator: Operator, points: list[Point], inputs: list[dict[str, Array]]
    ) -> list[Expected | None]:
        if operator.formula is not None or operator.reference is None:
            return [None] * len(points)
        path = self._site.copy / operator.reference
        return list(run_reference(path, operator, list(zip(points, inputs, strict=True)), self._site.scratch))
