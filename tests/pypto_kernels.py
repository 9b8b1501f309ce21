"""Shared by the tests of generated PyPTO kernels: specs of them, their plans and texts, and running them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from conftest import ROOT
from opgen.dialect.pypto.check import check_here
from opgen.kernel.pypto.kernel import pypto_kernel
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.kernel.pypto.planner import plan_pypto
from opgen.spec.loader import load
from opgen.spec.model import Operator
from opgen.text.findings import Finding
from opgen.verify.golden import make_expected, make_inputs, share_of_tolerance, tolerance_of
from opgen.verify.pypto_points import interface_of, pypto_points, request_of
from spec_support import accepted

ROWS = {"R": {"default": 5, "dynamic": True}, "C": {"default": 100, "dynamic": True, "max": 1000}}
PLAIN: dict[str, Any] = {"scenario": "pypto", "attrs": None}


def pypto(**changes: Any) -> Operator:
    """spec_support's operator in the scenario pypto, with changes."""
    return accepted(**{"scenario": "pypto", **changes}).operators[0]


def unary(compute: str, **changes: Any) -> Operator:
    """y = f(x), over any shape."""
    tensors = {
        "inputs": [{"name": "x", "dtype": "T", "shape": ["..."]}],
        "outputs": [{"name": "y", "dtype": "T", "shape": ["..."]}],
    }
    return pypto(**{**PLAIN, **tensors, "compute": compute, **changes})


def on_rows(compute: str, output: str = "[R, C]", **changes: Any) -> Operator:
    """y = f(x) with x of shape [R, C]."""
    tensors = {
        "dims": ROWS,
        "inputs": [{"name": "x", "dtype": "T", "shape": ["R", "C"]}],
        "outputs": [{"name": "y", "dtype": "T", "shape": output.strip("[]").split(", ")}],
    }
    return pypto(**{**PLAIN, **tensors, "compute": compute, **changes})


def gallery_operator(name: str) -> Operator:
    return load((ROOT / "specs" / name / "op.yaml").read_bytes(), "op.yaml").operators[0]


def planned(operator: Operator) -> PyptoPlan:
    plan, findings = plan_pypto(None, operator)  # type: ignore[arg-type]
    assert plan is not None, findings
    return plan


def refused(operator: Operator) -> tuple[Finding, ...]:
    plan, findings = plan_pypto(None, operator)  # type: ignore[arg-type]
    assert plan is None
    return findings


def text(operator: Operator) -> str:
    return pypto_kernel(None, operator, planned(operator))  # type: ignore[arg-type]


def wrongs(operator: Operator, folder: Path) -> list[str]:
    """What is wrong with the launches of an operator's kernel: findings of the checker, and results that do not agree
    with the formula in float64."""
    plan = planned(operator)
    path = folder / f"{operator.name}.py"
    path.write_text(text(operator), encoding="utf-8")
    points = list(pypto_points(operator, plan))
    inputs = [make_inputs(operator, launched.point) for launched in points]
    requests = [request_of(operator, plan, p, given) for p, given in zip(points, inputs, strict=True)]
    report = check_here(path, requests, interface_of(operator, plan), generated=True)
    found = [f"{f.rule} {f.what} {f.why}" for f in report.findings]
    for launched, given, kernel in zip(points, inputs, report.kernels, strict=True):
        for name, expected in make_expected(operator, launched.point, given).items():
            inplace = next(t for t in operator.outputs if t.name == name).inplace
            actual = np.asarray(kernel.outputs[f"{name}_ref" if inplace else name]).reshape(expected.shape)
            share = share_of_tolerance(actual, expected, tolerance_of(operator, launched.point, name))
            if math.prod(share.shape) and float(share.max()) > 1:
                found.append(f"{launched.point.key} {launched.point.dims}: {name} is wrong, {float(share.max())}")
    return found
