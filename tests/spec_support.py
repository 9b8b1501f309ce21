"""Shared by the tests of op.yaml: a small valid one, and ways to change it."""

from __future__ import annotations

from typing import Any

import yaml
from opgen.kernel.planner import plan_kernel
from opgen.kernel.pypto.planner import plan_pypto
from opgen.pypto.findings import findings as pypto_findings
from opgen.spec.loader import check
from opgen.spec.model import OpSpec
from opgen.text.findings import Finding

BASE: dict[str, Any] = {
    "edition": 1,
    "op": "AxpyCustom",
    "scenario": "online",
    "summary": {"en": "Adds a tensor scaled by a number.", "zh": "带系数的张量相加。"},
    "dtypes": {"T": ["float32", "float16"]},
    "dims": {"...": {"default": [8, 128], "dynamic": True}},
    "inputs": [{"name": "x", "dtype": "T", "shape": ["..."]}, {"name": "y", "dtype": "T", "shape": ["..."]}],
    "outputs": [{"name": "z", "dtype": "T", "shape": ["..."]}],
    "attrs": [{"name": "alpha", "type": "float", "default": 1.0}],
    "compute": "z = alpha * x + y",
}


def spec_text(changes: dict[str, Any]) -> bytes:
    """BASE with other top-level values; None removes a key. JSON is YAML, so places are of little use here."""
    data = {key: value for key, value in {**BASE, **changes}.items() if value is not None}
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode()


def checked(**changes: Any) -> tuple[OpSpec | None, tuple[Finding, ...]]:
    return check(spec_text(changes), "op.yaml")


def accepted(**changes: Any) -> OpSpec:
    """The spec, which has no errors."""
    spec, findings = checked(**changes)
    assert spec is not None, [f"{f.rule} {f.what}" for f in findings]
    return spec


def rules(**changes: Any) -> list[str]:
    """Ids of the findings, in order of place."""
    return [finding.rule for finding in checked(**changes)[1]]


def finding(rule: str, **changes: Any) -> Finding:
    """The one finding of a rule."""
    found = [f for f in checked(**changes)[1] if f.rule == rule]
    assert len(found) == 1, [f"{f.rule} {f.what}" for f in checked(**changes)[1]]
    return found[0]


def plan_findings(spec: OpSpec) -> list[Finding]:
    """What planning the kernels of a spec says."""
    if spec.scenario != "pypto":
        return [found for operator in spec.operators for found in plan_kernel(spec, operator)[1]]
    (operator,) = spec.operators
    plan, found = plan_pypto(spec, operator)
    return [*found, *(pypto_findings(operator, plan) if plan is not None else ())]
