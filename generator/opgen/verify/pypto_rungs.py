"""The rungs of a PyPTO folder that build: the C++, what the host code does, the examples."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from opgen.kernel.pypto.plan import PyptoPlan
from opgen.kernel.pypto.planner import plan_pypto
from opgen.sim.host import SUCCESS, TYPE_NUMBERS, UNDEFINED, AttrValue, HostCase, HostCrash, Kind, Tensor, TilingAnswer
from opgen.spec.model import Operator
from opgen.verify.points import environment, shape_of
from opgen.verify.process import follow
from opgen.verify.pypto_build import BuildFailed, Progress, PyptoBuild
from opgen.verify.pypto_definition import definition_problems
from opgen.verify.pypto_device import launcher
from opgen.verify.pypto_points import PyptoPoint, pypto_points
from opgen.verify.result import Result
from opgen.verify.runner import PASSED
from opgen.verify.surroundings import missing_programs, shielded

if TYPE_CHECKING:
    from opgen.verify.ladder import Site

SYSTEM_WORKSPACE = 16 * 1024 * 1024  # bytes, what GetLibApiWorkSpaceSize() gives on Ascend 950
_SHOWN = 12  # problems, and lines of a command
_WRONG = re.compile(r"^\[stand-in\]| wrong$| returned ")
_KINDS: dict[str, Kind] = {
    "bool": "bool",
    "int": "int",
    "dtype": "int",
    "float": "float",
    "string": "string",
    "ints": "ints",
    "floats": "floats",
}


class PyptoRungs:
    """They share what is built."""

    def __init__(self, site: Site, progress: Progress) -> None:
        (self.operator,) = site.spec.operators
        self.build = PyptoBuild(site, progress)
        plan, _ = plan_pypto(site.spec, self.operator)
        assert plan is not None  # without one there is no project
        self.plan: PyptoPlan = plan

    def cpp(self) -> Result:
        """Everything compiles, and the unit tests and the examples link."""
        missing = _missing("cpp")
        if missing:
            return missing
        wrong: list[str] = []
        for part in (
            lambda: self.build.library,
            lambda: self.build.unit_tests,
            lambda: self.build.examples,
            lambda: self.build.aclnn_example,
            lambda: self.build.graph_example,
        ):
            try:
                part()
            except BuildFailed as error:
                wrong += [line for line in error.lines if line not in wrong]
        if wrong:
            return _failed("cpp", BuildFailed(wrong))
        return Result("cpp", "passed", f"{self.build.compiled} files without a warning, no undefined symbol")

    def host(self) -> Result:
        """The definition, InferShape, InferDataType and Tiling, executed; then the unit tests."""
        missing = _missing("host")
        if missing:
            return missing
        try:
            points = list(pypto_points(self.operator, self.plan))
            problems = list(definition_problems(self.build.definition, self.operator, self.build.headers))
            problems += self._behaviour(points)
            problems += self._unit_tests()
        except BuildFailed as error:
            return Result("host", "skipped", f"the C++ does not compile: {error}")
        except HostCrash as error:
            return Result("host", "failed", str(error).splitlines()[0], str(error))
        if problems:
            return Result("host", "failed", problems[0], "\n".join(problems[:_SHOWN]))
        count = len(points)
        return Result("host", "passed", f"definition, {count} launches and the unit tests as op.yaml says")

    def _behaviour(self, points: Sequence[PyptoPoint]) -> Iterator[str]:
        """Every launch: the host must give what Python evaluates from the same plan."""
        library = self.build.library
        cases = [host_case(self.operator, point) for point in points]
        unknown = [_unknown(case) for case in cases]
        shapes, types, tilings = library.shapes(unknown), library.types(unknown), library.tilings(cases)
        for point, case, shape, dtype, tiling in zip(points, cases, shapes, types, tilings, strict=True):
            title = point.point.title
            if shape != (SUCCESS, tuple(tensor.shape for tensor in case.outputs)):
                yield f"{title}: InferShape gives {_said(shape)}, expected {[t.shape for t in case.outputs]}"
            if dtype != (SUCCESS, tuple(tensor.dtype for tensor in case.outputs)):
                yield f"{title}: InferDataType gives {_said(dtype)}, expected {[t.dtype for t in case.outputs]}"
            yield from (f"{title}: {problem}" for problem in tiling_problems(tiling, point))

    def _unit_tests(self) -> Iterator[str]:
        lines: list[str] = []
        program = str(self.build.unit_tests)
        if follow([program], self.build.folder, shielded(os.environ), lines.append):
            wrong = [line.partition("] ")[2] for line in lines if line.startswith("[  FAILED  ]")]
            told = [line for line in lines if not line.startswith("[")]
            yield f"unit tests fail: {', '.join(wrong) or 'they crash'}"
            yield from told[:_SHOWN]

    def chain(self) -> Result:
        """Both examples: the host code plans each launch, and the kernel's own text computes it."""
        missing = _missing("chain")
        if missing:
            return missing
        try:
            programs = {"aclnn": self.build.aclnn_example, "graph": self.build.graph_example}
        except BuildFailed as error:
            return Result("chain", "skipped", f"the C++ does not compile: {error}")
        device = launcher(self.build.folder, self.build.kernel)
        environment = {**shielded(os.environ), "STANDIN_DEVICE": str(device), "STANDIN_SOC": "Ascend950"}
        golden = self._golden(environment)
        if isinstance(golden, Result):
            return golden
        comparing = self.operator.formula is not None or self.operator.reference is not None
        counts = []
        for name, program in programs.items():
            lines: list[str] = []
            code = follow([str(program), *golden], self.build.folder, environment, lines.append)
            if code or (comparing and PASSED not in lines):
                said = [line for line in lines if _WRONG.search(line)]
                summary = f"the {name} example: {said[0] if said else f'ended with code {code}'}"
                return Result("chain", "failed", summary, "\n".join(lines[-4 * _SHOWN :]))
            counts.append(sum(line.endswith("  ok") for line in lines))
        if not comparing:
            return Result("chain", "passed", "no golden values: both examples ended well")
        calls = f"{counts[0]} calls of aclnn{self.operator.type}, {counts[1]} graphs"
        return Result("chain", "passed", f"{PASSED}, {calls}")

    def _golden(self, environment: Mapping[str, str]) -> list[str] | Result:
        """Arguments of the programs: where their values are, when the user's reference gives them."""
        if self.operator.formula is not None or self.operator.reference is None:
            return []
        script = self.build.site.copy / f"examples/{self.operator.name}_golden.py"
        lines: list[str] = []
        if follow([sys.executable, str(script), "golden"], self.build.folder, environment, lines.append):
            return Result("chain", "failed", lines[-1] if lines else "no golden values", "\n".join(lines[-_SHOWN:]))
        return ["golden"]


def host_case(operator: Operator, launched: PyptoPoint) -> HostCase:
    """A launch as the host code is called for it."""
    point = launched.point
    env = environment(point.dims, point.attrs)

    def tensor(name: str, shape: tuple[int, ...]) -> Tensor:
        return Tensor(TYPE_NUMBERS[point.variant.dtype(name)], shape)

    inputs = tuple(
        None if t.name in point.variant.absent else tensor(t.dtype, shape_of(t.shape, point.dims, env))
        for t in operator.inputs
    )
    outputs = tuple(tensor(t.dtype, shape_of(t.shape, point.dims, env)) for t in operator.outputs)
    types = dict(point.variant.types)
    attrs: list[tuple[str, Kind, AttrValue]] = []
    for attr in operator.attrs:
        value = TYPE_NUMBERS[types[attr.name]] if attr.type == "dtype" else point.attrs[attr.name]
        attrs.append((attr.name, _KINDS[attr.type], value))
    return HostCase(operator.type, inputs, outputs, tuple(attrs), int(launched.host.values["device_cores"]))


def tiling_problems(answer: TilingAnswer, launched: PyptoPoint) -> Iterator[str]:
    """Where Tiling decides otherwise than the plan."""
    host = launched.host
    if answer.status != SUCCESS:
        yield f"Tiling fails with {answer.status}"
        return
    if answer.key != host.key:
        yield f"the key is {'not set' if answer.key is None else answer.key}, expected {host.key}"
    if answer.blocks != host.blocks:
        yield f"the block dim is {answer.blocks or 'not set'}, expected {host.blocks}"
    if answer.workspaces != (SYSTEM_WORKSPACE + host.workspace,):
        yield f"the workspaces have {list(answer.workspaces)} bytes, expected {SYSTEM_WORKSPACE + host.workspace}"
    if answer.unwritten:
        yield f"nothing is written to the bytes {list(answer.unwritten)} of TilingData"
    elif answer.data != host.data:
        yield f"TilingData is {answer.data.hex(' ', 8)}, expected {host.data.hex(' ', 8)}"


def _unknown(case: HostCase) -> HostCase:
    """The case before its outputs are known."""
    outputs = tuple(Tensor(UNDEFINED, ()) for _ in case.outputs)
    return HostCase(case.op, case.inputs, outputs, case.attrs, case.cores)


def _said(answer: tuple[int, tuple[object, ...]]) -> str:
    return str(list(answer[1])) if answer[0] == SUCCESS else f"status {answer[0]}"


def _missing(rung: str) -> Result | None:
    missing = missing_programs()
    return Result(rung, "skipped", f"not on PATH: {', '.join(missing)}", lacking=True) if missing else None


def _failed(rung: str, error: BuildFailed) -> Result:
    return Result(rung, "failed", str(error), "\n".join(error.lines[: 4 * _SHOWN]))
