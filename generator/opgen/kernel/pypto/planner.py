"""Plans a PyPTO operator, or says why there is no kernel."""

from __future__ import annotations

from opgen.kernel.pypto.plan import PyptoPlan
from opgen.spec.model import Operator, OpSpec
from opgen.text.findings import Finding


def plan_pypto(spec: OpSpec, operator: Operator) -> tuple[PyptoPlan | None, tuple[Finding, ...]]:
    """The plan, or None and the findings that say why there is none."""
    why, pointer = "Only the form of its plan is settled.", operator.pointer
    return None, (Finding("OPG309", f"no PyPTO kernel for {operator.type} yet", why, "Wait for it.", pointer=pointer),)
