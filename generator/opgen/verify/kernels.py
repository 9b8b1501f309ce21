"""The rungs of the kernel: its text under the checker, its results against NumPy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import StringIO
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from opgen.dialect import check_here, check_script
from opgen.dialect.report import KernelReport, Report
from opgen.facts.dtypes import DTYPES
from opgen.formula.evaluate import Array
from opgen.formula.signature import Tensor
from opgen.kernel.interface import call_parameters, kernel_interface, symbolic_sizes
from opgen.kernel.plan import KernelPlan
from opgen.spec.model import Operator
from opgen.text import report
from opgen.verify.golden import make_expected, make_inputs, members, share_of_tolerance, tolerance_of
from opgen.verify.points import Point, points
from opgen.verify.reference import Expected, run_reference
from opgen.verify.result import Result

if TYPE_CHECKING:
    from opgen.verify.ladder import Site

Progress = Callable[[str], None]

_PAUSE = 2.0  # seconds between lines that say how far it is
_SHOWN = 8  # failing runs that are told one by one


@dataclass(frozen=True)
class Run:
    """One run of a kernel under the checker. inputs: what the tensors held. problem: what no finding says.

    outputs: output -> the kernel's parameter; empty where they are matched by place. expected: what the outputs should
    be, where the formula does not say it; or why the reference does not say it either.
    """

    operator: Operator
    point: Point
    inputs: Mapping[str, Array]
    report: Report | None
    problem: str = ""
    outputs: Mapping[str, str] = field(default_factory=dict)
    expected: Expected | None = None

    @property
    def title(self) -> str:
        return f"{self.operator.name}: {self.point.title}"

    @property
    def comparable(self) -> bool:
        """Whether something says what the outputs should be."""
        return self.operator.formula is not None or self.expected is not None

    @property
    def failed(self) -> bool:
        """Whether the kernel breaks a rule, or never ran."""
        findings = self.report.findings if self.report else ()
        return bool(self.problem) or self.kernel is None or any(f.severity == "error" for f in findings)

    @property
    def kernel(self) -> KernelReport | None:
        """The kernel that the script compiled, if it did."""
        return self.report.kernels[0] if self.report and self.report.kernels else None


class Runs(Protocol):
    """What the rungs look at."""

    @property
    def runs(self) -> tuple[Run, ...]: ...

    @property
    def operators(self) -> tuple[Operator, ...]: ...


class Kernels:
    """Every run of every kernel of a project, made once for both rungs."""

    def __init__(self, site: Site, plans: Mapping[str, KernelPlan], progress: Progress) -> None:
        self._site = site
        self._plans = plans
        self._progress = progress

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        planned = [
            (operator, point)
            for operator in self._site.spec.operators
            for point in points(operator, self._plans[operator.name])
        ]
        made = []
        said = time.monotonic()
        for number, (operator, point) in enumerate(planned):
            if time.monotonic() - said > _PAUSE:
                said = time.monotonic()
                self._progress(f"run {number + 1} of {len(planned)}: {operator.name}, {point.title}")
            made.append(self._run(operator, point))
        return self._with_reference(made)

    def _with_reference(self, runs: Sequence[Run]) -> tuple[Run, ...]:
        """With what the user's reference expects, where there is one and no formula."""
        known: dict[int, Expected] = {}
        for operator in self.operators:
            mine = [i for i, run in enumerate(runs) if run.operator is operator]
            if operator.formula is None and operator.reference is not None and mine:
                script = self._site.copy / operator.reference
                calls = [(runs[i].point, runs[i].inputs) for i in mine]
                known.update(zip(mine, run_reference(script, operator, calls, self._site.scratch), strict=True))
        return tuple(replace(run, expected=known[i]) if i in known else run for i, run in enumerate(runs))

    @property
    def operators(self) -> tuple[Operator, ...]:
        return self._site.spec.operators

    def _run(self, operator: Operator, point: Point) -> Run:
        interface = kernel_interface(operator)
        script = self._site.copy / interface.script
        inputs = make_inputs(operator, point)
        if not script.is_file():
            return Run(operator, point, inputs, None, f"{interface.script} is missing")
        out = self._site.scratch / "kernel.so"
        words = [*point.words[: len(interface.dims)], str(out), *point.words[len(interface.dims) :]]
        # opgen's own text may run in this process, which is much faster; what somebody wrote gets one of its own.
        ours = script.read_text(encoding="utf-8") == self._planned.get(interface.script)
        check = check_here if ours else check_script
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            found = check(
                script,
                words,
                [point.symbolic[dim.name] for dim in symbolic_sizes(operator, point.variant)],
                kernel_arguments(operator, point, inputs),
                generated=interface.generated,
            )
        problem = _disagreement(operator, point, found)
        return Run(operator, point, inputs, as_in_project(found, self._site), problem)

    @cached_property
    def _planned(self) -> dict[str, str]:
        return {file.path: file.content for file in self._site.plan if file.owner == "generated"}


def as_in_project(found: Report, site: Site) -> Report:
    """With the files of the copy called as those of the project."""
    copy, folder = str(site.copy), str(PurePath(site.name).parent)

    def name(file: str) -> str:
        return folder + file.removeprefix(copy) if file.startswith(copy) else file

    findings = tuple(
        replace(f, place=replace(f.place, file=name(f.place.file))) if f.place else f for f in found.findings
    )
    return replace(found, findings=findings, sources={name(file): text for file, text in found.sources.items()})


def kernel_parameters(operator: Operator, point: Point) -> Iterator[tuple[str, str]]:
    """Role and name of each parameter that the kernel has itself: all of `call`, but for sizes and the stream."""
    tensors = {(role, t.name): t for role, some in _sides(operator) for t in some}
    for parameter in call_parameters(operator, point.variant):
        if parameter.role in ("input", "output"):
            for name in members(tensors[parameter.role, parameter.name], point):
                yield parameter.role, name
        elif parameter.role in ("workspace", "attr"):
            yield parameter.role, parameter.name


def _sides(operator: Operator) -> tuple[tuple[str, tuple[Tensor, ...]], ...]:
    return ("input", operator.inputs), ("output", operator.outputs)


def kernel_arguments(operator: Operator, point: Point, inputs: Mapping[str, Array]) -> list[Any]:
    """What the parameters of the kernel hold, in order: elements, run-time attributes, None for what it fills and for
    inputs that are not connected."""
    held: list[Any] = []
    for role, name in kernel_parameters(operator, point):
        connected = role == "input" and name in inputs
        held.append(np.ascontiguousarray(inputs[name]) if connected else point.attrs.get(name))
    return held


def _disagreement(operator: Operator, point: Point, found: Report) -> str:
    """How the kernel's parameters differ from what the host code passes; "" where they do not."""
    wanted = ["scalar" if role == "attr" else "tensor" for role, _ in kernel_parameters(operator, point)]
    for kernel in found.kernels[:1]:
        kinds = [parameter.kind for parameter in kernel.parameters]
        if kinds != wanted:
            names = ", ".join(parameter.name for parameter in kernel.parameters)
            passed = ", ".join(name for _, name in kernel_parameters(operator, point))
            return f"the kernel takes ({names}), and the host code passes ({passed})"
    return ""


def kernel_rung(kernels: Runs) -> Result:
    """Every run under the rules of the chip."""
    runs = kernels.runs
    bad = [run for run in runs if run.failed]
    warned = [run for run in runs if not run.failed and run.report and run.report.findings]
    details = _some(bad or warned)
    if bad:
        return Result("kernel", "failed", f"{len(bad)} of {counted(len(runs), 'run')} with errors", details)
    incomplete = sum(not all(kernel.complete for kernel in run.report.kernels) for run in runs if run.report)
    unknown = f"; {incomplete} with what the checker does not know" if incomplete else ""
    found = f"{len(warned)} with warnings" if warned else "no findings"
    return Result("kernel", "passed", f"{counted(len(runs), 'run')}, {found}{unknown}", details)


def numbers_rung(kernels: Runs) -> Result:
    """The outputs of every run against the formula, in float64, or against what else says what they should be."""
    wanted = [run for run in kernels.runs if run.comparable]
    known = {run.operator.name for run in wanted}
    unknown = [operator.name for operator in kernels.operators if operator.name not in known]
    if not wanted:
        return Result("numbers", "skipped", f"{', '.join(unknown)}: no formula and no reference")
    compared = [run for run in wanted if run.kernel is not None and not run.problem]
    if not compared:
        return Result("numbers", "skipped", "the kernel did not run, so there are no results")
    worst = 0.0
    told: list[str] = []
    wrong = 0
    for run in compared:
        share, lines = _compared(run)
        worst = max(worst, share)
        wrong += bool(lines)
        told += lines if wrong <= _SHOWN else []
    if wrong:
        return Result(
            "numbers", "failed", f"{wrong} of {counted(len(compared), 'run')} with wrong results", "\n".join(told)
        )
    if len(compared) < len(wanted):
        return Result("numbers", "failed", f"{len(wanted) - len(compared)} of {len(wanted)} runs have no results")
    rest = f"; not compared: {', '.join(unknown)}" if unknown else ""
    return Result(
        "numbers", "passed", f"{counted(len(compared), 'run')}, errors up to {worst:.1%} of what is allowed{rest}"
    )


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _some(runs: list[Run]) -> str:
    more = [f"... and {counted(len(runs) - _SHOWN, 'more run')}"] if len(runs) > _SHOWN else []
    return "\n".join([*map(_told, runs[:_SHOWN]), *more])


def _told(run: Run) -> str:
    if run.problem:
        return f"{run.title}: {run.problem}"
    assert run.report is not None
    if not run.report.findings:
        return f"{run.title}: the script compiles no kernel"
    return f"{run.title}:\n{report.text(run.report.findings, run.report.sources)}".rstrip("\n")


def _compared(run: Run) -> tuple[float, list[str]]:
    """The largest error as a share of the tolerance, and what is wrong."""
    assert run.kernel is not None
    if isinstance(run.expected, str):
        return 0.0, [f"{run.title}: {run.expected}"]
    held = written(run, run.kernel)
    worst, lines = 0.0, []
    wanted = run.expected if run.expected is not None else make_expected(run.operator, run.point, run.inputs)
    for name, expected in wanted.items():
        if name not in held or held[name].size != expected.size:
            lines.append(f"{run.title}: {name} was not written")
            continue
        actual = held[name].reshape(expected.shape)
        share = share_of_tolerance(actual, expected, tolerance_of(run.operator, run.point, name))
        worst = max(worst, float(share.max(initial=0.0)))
        wrong = np.argwhere(share > 1.0)
        if len(wrong):
            at = tuple(int(i) for i in wrong[0])
            lines.append(
                f"{run.title}: {len(wrong)} of {expected.size} elements of {name} are wrong; "
                f"{name}[{', '.join(map(str, at))}] is {actual[at]}, expected {expected[at]}"
                f"{_reason(run, name, expected[share > 1.0], float(share.max()))}"
            )
    return worst, lines


def _reason(run: Run, output: str, expected: Array, worst: float) -> str:
    """What may be the matter with the test rather than with the kernel: values that the type of the output does not
    hold, or a tolerance that is a little too small."""
    (tensor,) = (t for t in run.operator.outputs if t.name == output.partition("[")[0])
    dtype = run.point.variant.dtype(tensor.dtype)
    limits = DTYPES[dtype]
    outside = expected[np.isfinite(expected) & ((expected < limits.low) | (expected > limits.high))]
    if len(outside):
        return f"; {dtype} does not hold {outside[0]}: choose `min` and `max` of the inputs so that this does not occur"
    return f"; errors are up to {worst:.3g} times what is allowed" if np.isfinite(worst) and worst < 100 else ""


def written(run: Run, kernel: KernelReport) -> dict[str, Array]:
    """The outputs by their names in op.yaml: parameters are matched by place, as `call` has them."""
    if run.outputs:
        return {name: kernel.outputs[there] for name, there in run.outputs.items() if there in kernel.outputs}
    names = [name for role, name in kernel_parameters(run.operator, run.point) if role != "attr"]
    tensors = [p.name for p in kernel.parameters if p.kind == "tensor"]
    matched = dict(zip(names, tensors, strict=False))
    return {name: kernel.outputs[there] for name, there in matched.items() if there in kernel.outputs}
