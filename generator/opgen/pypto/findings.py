"""What there is to say about a PyPTO operator whose kernel is planned (OPG807, OPG808)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.facts.scenarios import MAX_KERNELS
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.pypto.aclnn import interface
from opgen.spec.model import Attr, Operator, Tensor
from opgen.text.findings import Finding

_GROUPS = {"input": "inputs", "attr": "attrs", "output": "outputs"}
_LAST = ("workspaceSize", "executor")


def findings(operator: Operator, plan: PyptoPlan) -> Iterator[Finding]:
    yield from _collisions(operator)
    kernels = plan.combinations * len(plan.columns)
    if kernels > MAX_KERNELS:
        factors = [f"{len(f.values)} of {f.name}" for f in plan.key if len(f.values) > 1]
        if len(plan.columns) > 1:
            factors.append(f"{len(plan.columns)} columns of types")
        why = "Each is compiled when the operator package is built, and shipped with it."
        fix = "Use fewer candidates or types, or make attributes dynamic."
        pointer = operator.pointer + ("/tiling/key" if operator.tiling.key else "/op")
        what = f"{kernels} kernels are built: {' x '.join(factors)}"
        yield Finding("OPG807", what, why, fix, "warning", pointer)


def _collisions(operator: Operator) -> Iterator[Finding]:
    """Parameters of the aclnn function that have one name."""
    why = "op_build derives the names of the parameters of the aclnn function."
    fix = "Give one of them another name."
    seen = dict.fromkeys(_LAST, "")
    lists: dict[str, Sequence[Tensor | Attr]] = {
        "inputs": operator.inputs,
        "attrs": operator.attrs,
        "outputs": operator.outputs,
    }
    for parameter in interface(operator).parameters:
        group = _GROUPS[parameter.role]
        number = next(n for n, item in enumerate(lists[group]) if item.name == parameter.source)
        pointer = f"{operator.pointer}/{group}/{number}/name"
        other = seen.setdefault(parameter.name, parameter.source)
        if parameter.name in _LAST:
            what = f"`{parameter.source}` becomes the parameter `{parameter.name}`, which every aclnn function has"
            yield Finding("OPG808", what, why, "Give it another name.", pointer=pointer)
        elif other != parameter.source:
            what = f"`{parameter.source}` and `{other}` both become the parameter `{parameter.name}`"
            yield Finding("OPG808", what, why, fix, pointer=pointer)
