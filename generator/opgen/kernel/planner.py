"""Chooses schedule, buffers and tile of a kernel, or says why there is none."""

from __future__ import annotations

from functools import partial

from opgen.facts.socs import GENERATED_FOR, PLATFORMS
from opgen.formula.signature import Variant
from opgen.kernel.cut import row_formula
from opgen.kernel.decompose import decompose
from opgen.kernel.elementwise import formula_findings, places, shape_findings
from opgen.kernel.forms import Rows, rows_of
from opgen.kernel.matmul_forms import multiplies
from opgen.kernel.matmul_planner import plan_matmul
from opgen.kernel.memory import Layout, allocate
from opgen.kernel.names import kernel_names
from opgen.kernel.plan import KernelPlan
from opgen.kernel.rows_planner import row_findings
from opgen.kernel.rows_tiler import RowTiler
from opgen.kernel.sharing import laid_out
from opgen.kernel.tiler import Tiler
from opgen.spec.model import Operator, OpSpec
from opgen.text.findings import Finding


def plan_kernel(spec: OpSpec, operator: Operator) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
    """The plan, or None and the findings that say why there is none (OPG209, OPG309, OPG401, OPG402, OPG403)."""
    budget = PLATFORMS[spec.platform].unified_buffer
    if operator.kernel is not None:
        return KernelPlan("user", (), budget, None), ()
    if operator.formula is None:
        why, pointer = "There is nothing to generate a kernel from.", operator.pointer
        return None, (Finding("OPG309", "neither a formula nor a kernel", why, "Add `compute`.", pointer=pointer),)
    if spec.platform not in GENERATED_FOR:
        return None, (_wrong_chip(spec),)
    if multiplies(operator):
        return plan_matmul(spec, operator)
    rows = rows_of(operator)
    if rows is not None:
        return _plan_rows(spec, operator, rows, budget)
    layouts, findings = _layouts(operator)
    if findings:
        return None, findings
    return Tiler(spec, operator, layouts, budget).plan()


def _plan_rows(
    spec: OpSpec, operator: Operator, rows: Rows, budget: int
) -> tuple[KernelPlan | None, tuple[Finding, ...]]:
    from opgen.spec.variants import variants

    findings = dict.fromkeys(row_findings(operator, rows))
    formulas = {variant: row_formula(operator, variant) for variant in variants(operator)}
    for formula in formulas.values():
        findings |= dict.fromkeys(formula_findings(operator, formula, rows))
    if findings:
        return None, tuple(findings)
    return RowTiler(spec, operator, formulas, budget, rows).plan()


def _wrong_chip(spec: OpSpec) -> Finding:
    return Finding(
        "OPG209",
        f"no generated kernels for {spec.soc}",
        "TileLang compiles for platform A5 through another target, `pto`; generated kernels are for A2 and A3.",
        "Choose a chip of platform A2 or A3, or write the kernel by hand (`kernel:`).",
        pointer="/soc",
    )


def _layouts(operator: Operator) -> tuple[dict[Variant, Layout], tuple[Finding, ...]]:
    """The vector program of every variant with its values on chip. Equal findings of several variants are one."""
    from opgen.spec.variants import typed, variants

    findings = dict.fromkeys(shape_findings(operator))
    formulas = {variant: typed(operator, variant) for variant in variants(operator)}
    for formula in formulas.values():
        findings |= dict.fromkeys(formula_findings(operator, formula))
    if findings:
        return {}, tuple(findings)
    names = kernel_names(operator)
    programs = {v: decompose(f, places(operator, v)) for v, f in formulas.items()}
    return laid_out(programs, partial(allocate, names.taken, names.slots), names.taken), ()
