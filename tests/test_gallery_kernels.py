"""Hand-written kernels of the gallery under the checker: no finding, and the numbers of the formula or the reference.

All cases of op.yaml for the first variant and one case for each other one; all cases for all of them in the full run.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT
from dialect_support import shown
from opgen.dialect import check_here
from opgen.kernel.interface import kernel_interface, symbolic_sizes
from opgen.kernel.planner import plan_kernel
from opgen.spec.loader import load
from opgen.spec.model import Operator
from opgen.verify.golden import make_expected, make_inputs, members, share_of_tolerance, tolerance_of
from opgen.verify.kernels import kernel_arguments, kernel_parameters
from opgen.verify.points import Point, points


@cache
def gallery() -> dict[str, tuple[Operator, tuple[Point, ...]]]:
    found = {}
    for path in sorted((ROOT / "specs").glob("*/op.yaml")):
        spec = load(path.read_bytes(), str(path))
        (operator, *_) = spec.operators
        if operator.kernel is not None and spec.scenario != "pypto":
            plan, _ = plan_kernel(spec, operator)
            assert plan is not None
            found[path.parent.name] = (operator, tuple(points(operator, plan)))
    return found


def is_usual(name: str, number: int) -> bool:
    _, all_points = gallery()[name]
    point = all_points[number]
    if point.variant == all_points[0].variant:
        return True
    mine = [p for p in all_points if p.variant == point.variant]
    return point is mine[sum(map(ord, point.title)) % len(mine)] or len(mine) == 1


ALL = [(name, number) for name, (_, mine) in gallery().items() for number in range(len(mine))]
USUAL = [job for job in ALL if is_usual(*job)]


def title(job: Any) -> str:
    return f"{job[0]}-{job[1]}"


def reference(operator: Operator, folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"{operator.name}_reference", folder / str(operator.reference))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.reference


def expected(operator: Operator, point: Point, inputs: dict[str, Any], folder: Path) -> dict[str, Any]:
    if operator.formula is not None:
        return dict(make_expected(operator, point, inputs))
    given = [
        [inputs[name] for name in members(tensor, point)] if tensor.count is not None else inputs[tensor.name]
        for tensor in operator.inputs
    ]
    results = reference(operator, folder)(*given, **{a.name: point.attrs[a.name] for a in operator.attrs})
    results = results if isinstance(results, tuple) else (results,)
    found: dict[str, Any] = {}
    for tensor, result in zip(operator.outputs, results, strict=True):
        found |= dict(zip(members(tensor, point), result if tensor.count is not None else [result], strict=True))
    return found


def check(job: tuple[str, int], out: Path) -> None:
    name, number = job
    operator, all_points = gallery()[name]
    point = all_points[number]
    folder = ROOT / "specs" / name
    inputs = make_inputs(operator, point)
    dims = len(kernel_interface(operator).dims)
    report = check_here(
        folder / str(operator.kernel),
        [*point.words[:dims], str(out / "kernel.so"), *point.words[dims:]],
        [point.symbolic[dim.name] for dim in symbolic_sizes(operator, point.variant)],
        kernel_arguments(operator, point, inputs),
    )
    assert shown(report) == [], point.title
    (kernel,) = report.kernels
    assert kernel.complete
    roles = kernel_parameters(operator, point)
    written = {
        name: kernel.outputs[parameter.name]
        for (role, name), parameter in zip(roles, kernel.parameters, strict=True)
        if role == "output"
    }
    for output, wanted in expected(operator, point, inputs, folder).items():
        actual = written[output].reshape(np.shape(wanted))
        share = share_of_tolerance(actual, np.asarray(wanted), tolerance_of(operator, point, output))
        assert share.max() <= 1.0, (point.title, output, float(share.max()))


@pytest.mark.parametrize("job", USUAL, ids=title)
def test_kernels_written_by_hand(job: tuple[str, int], tmp_path: Path) -> None:
    check(job, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("job", [job for job in ALL if job not in USUAL], ids=title)
def test_kernels_written_by_hand_everywhere(job: tuple[str, int], tmp_path: Path) -> None:
    check(job, tmp_path)


@pytest.mark.parametrize("name", gallery())
def test_the_script_refuses_what_it_cannot_compile(name: str, tmp_path: Path) -> None:
    operator, all_points = gallery()[name]
    words = list(all_points[0].words)
    dims = len(kernel_interface(operator).dims)
    words[dims - 1] = "0"
    report = check_here(
        ROOT / "specs" / name / str(operator.kernel), [*words[:dims], str(tmp_path / "k"), *words[dims:]]
    )
    assert [finding.rule for finding in report.findings] == ["OPG701"] and not report.kernels
    assert "the script ends with code 2" in report.findings[0].what
