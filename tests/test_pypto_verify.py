"""The rungs of the kernel for PyPTO: what is launched, what it is compared with, what fails."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from conftest import ROOT, Opgen
from opgen.kernel.pypto.kernel import pypto_kernel
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.kernel.pypto.planner import plan_pypto
from opgen.spec.loader import load
from opgen.spec.model import Operator, OpSpec
from opgen.verify.golden import make_inputs
from opgen.verify.pypto_points import interface_of, pypto_points, request_of
from opgen.verify.reference import run_reference
from pypto_kernel_support import replaced

CUMSUM = ROOT / "specs/row_cumsum"
SPEC = """\
edition: 1
op: Blend
scenario: pypto
summary: {en: Blends two tensors., zh: 混合两个张量。}
dtypes:
  T: [float16, float32]
dims:
  ...: {default: [64, 300], dynamic: true}
inputs:
  - {name: x, dtype: T, shape: [...]}
  - {name: y, dtype: T, shape: [...], default: 0.5}
outputs:
  - {name: x, inplace: true}
attrs:
  - {name: alpha, type: float, default: 0.25}
  - {name: mode, type: string, values: [near, far], default: near}
compute: "x = x + alpha * y if mode == 'near' else x - alpha * y"
tests:
  cases: [{}, {mode: far}]
"""


def planned(text: str) -> tuple[OpSpec, Operator, PyptoPlan]:
    spec = load(text.encode(), "op.yaml")
    operator = spec.operators[0]
    plan, findings = plan_pypto(spec, operator)
    assert plan is not None, findings
    return spec, operator, plan


def test_every_type_key_and_presence_is_launched_on_few_and_on_many_cores() -> None:
    _, operator, plan = planned(SPEC)
    points = list(pypto_points(operator, plan))
    assert {dict(p.point.variant.types)["T"] for p in points} == {"float16", "float32"}
    assert {dict(p.point.variant.attrs)["mode"] for p in points} == {"near", "far"}
    assert {p.point.variant.absent for p in points} == {(), ("y",)}
    assert {p.subblocks for p in points} == {1, 2}
    tiles = [p.host.values["tiles"] for p in points]
    workers = [p.host.blocks * p.subblocks for p in points]
    assert any(w > t for w, t in zip(workers, tiles, strict=True)) and any(
        t > w for w, t in zip(workers, tiles, strict=True)
    )
    assert len({p.point.title for p in points}) > len(points) * 0.9


def test_a_launch_without_an_element_does_nothing() -> None:
    _, operator, plan = planned(SPEC)
    empty = [p for p in pypto_points(operator, plan) if p.point.dims["..."] == (0,)]
    assert empty and all(p.host.blocks == 1 and p.host.values["tiles"] == 0 for p in empty)


def test_arguments_of_a_launch() -> None:
    _, operator, plan = planned(SPEC)
    point = next(p for p in pypto_points(operator, plan) if p.point.variant.absent)
    request = request_of(operator, plan, point, make_inputs(operator, point.point))
    x, y, x_ref = request.arguments
    assert (x.name, x.role, y.absent, x_ref.name, x_ref.same_as) == ("x", "both", True, "x_ref", "x")
    assert request.tiling["alpha"] == 0.25 and isinstance(request.tiling["alpha"], float)
    assert set(request.key) == {field.name for field in plan.key}
    interface = interface_of(operator, plan)
    assert interface.parameters == ("x", "y", "x_ref") and interface.optional == {"y"}
    assert dict(interface.data)["alpha"] == "float"
    assert [dict(column)["x_ref"] for column in interface.columns] == ["float16", "float32"]


def test_a_generated_kernel_passes_and_a_wrong_one_does_not(tmp_path: Path) -> None:
    from opgen.dialect.pypto.check import check_here

    spec, operator, plan = planned(SPEC)
    text = pypto_kernel(spec, operator, plan)
    points = list(pypto_points(operator, plan))
    requests = [request_of(operator, plan, p, make_inputs(operator, p.point)) for p in points]
    path = tmp_path / "blend.py"
    path.write_text(text, encoding="utf-8")
    report = check_here(path, requests, interface_of(operator, plan), generated=True)
    assert [f"{f.rule} {f.what}" for f in report.findings] == []
    assert len(report.kernels) == len(points)
    path.write_text(text.replace("    alpha: float\n", "    alpha: int\n"), encoding="utf-8")
    report = check_here(path, requests, interface_of(operator, plan), generated=True)
    assert [f.rule for f in report.findings] == ["OPG827"] and not report.kernels


def small_cumsum(parent: Path) -> Path:
    """A copy of specs/row_cumsum with one small case."""
    folder = parent / "row_cumsum"
    shutil.copytree(CUMSUM, folder)
    text = (folder / "op.yaml").read_text(encoding="utf-8")
    few = "".join("  cases: [{R: 9, C: 1025}]\n" if "  cases:" in line else line for line in text.splitlines(True))
    (folder / "op.yaml").write_text(few, encoding="utf-8")
    return folder


def rungs(opgen: Opgen, folder: Path) -> dict[str, dict[str, Any]]:
    ended = opgen("verify", str(folder), "--format", "json", "--only", "kernel", "--only", "numbers")
    (project,) = json.loads(ended.stdout)["projects"]
    return {result["rung"]: result for result in project["results"]}


def test_a_hand_written_kernel_against_its_reference(opgen: Opgen, tmp_path: Path) -> None:
    folder = small_cumsum(tmp_path)
    found = rungs(opgen, folder)
    assert {result["status"] for result in found.values()} == {"passed"}
    assert re.match(r"\d+ runs, errors up to ", found["numbers"]["summary"])
    kernel = folder / "op_kernel/row_cumsum.py"
    text = kernel.read_text(encoding="utf-8")
    kernel.write_text(replaced(text, {"pl.expand_sub(sums, sums, carry_column, dim=0)": "pass"}))
    found = rungs(opgen, folder)
    assert found["kernel"]["status"] == "passed" and found["numbers"]["status"] == "failed"
    assert "are wrong; y[0, 1024] is" in found["numbers"]["details"]
    kernel.write_text(replaced(text, {"pl.get_block_idx() * TILE_ROWS * PITCH": "0"}))
    found = rungs(opgen, folder)
    assert found["kernel"]["status"] == "failed"
    assert "row_cumsum/op_kernel/row_cumsum.py:" in found["kernel"]["details"]
    assert "OPG839" in found["kernel"]["details"]


def test_references_that_fail(tmp_path: Path) -> None:
    spec = load((CUMSUM / "op.yaml").read_bytes(), "op.yaml")
    operator = spec.operators[0]
    plan, _ = plan_pypto(spec, operator)
    assert plan is not None
    point = next(iter(pypto_points(operator, plan))).point
    calls = [(point, make_inputs(operator, point))]
    path = tmp_path / "reference.py"

    def scratch(name: str) -> Path:
        (tmp_path / name).mkdir()
        return tmp_path / name

    path.write_text("def reference(x):\n    return x.sum(), x\n")
    (told,) = run_reference(path, operator, calls, scratch("outputs"))
    assert told == f"{operator.reference} returns 2 outputs, and op.yaml has 1"
    path.write_text("def reference(x):\n    raise ValueError('no')\n")
    (told,) = run_reference(path, operator, calls, scratch("raises"))
    assert told == "the reference fails: ValueError: no"
    path.write_text("import beside\n\n\ndef reference(x):\n    return beside.twice(x)\n")
    (tmp_path / "beside.py").write_text("def twice(x):\n    return x + x\n")
    (outputs,) = run_reference(path, operator, calls, scratch("right"))
    assert not isinstance(outputs, str)
    np.testing.assert_array_equal(outputs["y"], 2 * calls[0][1]["x"])
