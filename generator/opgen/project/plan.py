"""OpSpec -> Plan: outline, kernel plans, texts. Never touches the disk."""

from __future__ import annotations

from collections.abc import Mapping

from opgen import __version__
from opgen.disk.plan import About, Plan, PlannedFile
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Text
from opgen.kernel.plan import KernelPlan
from opgen.project import git_files
from opgen.project.inputs import spec_hash, template_hash
from opgen.project.licence import with_licence
from opgen.project.settings import Settings
from opgen.project.translations import pairs
from opgen.spec.model import OpSpec
from opgen.spec.outline import Entry, Outline
from opgen.templating import shadowing
from opgen.text.findings import Finding, Refused

_ROLES = {
    "zh": Text("this project, in Chinese", "本工程说明（中文）"),
    "en": Text("this project, in English", "本工程说明（英文）"),
}


def plan_project(
    spec: OpSpec,
    data: bytes,
    name: str = "op.yaml",
    findings: tuple[Finding, ...] = (),
    settings: Settings | None = None,
) -> Plan:
    """Every file of the project, complete.

    data: the bytes of op.yaml. name: what findings call it. findings: warnings and notes that reading it gave; those of
    the planner are added. settings: of the repository. Refused, with places, when a kernel cannot be planned or a
    template of the repository cannot be used.
    """
    from opgen.docs.readme import readmes
    from opgen.ge.outline import outline
    from opgen.ge.render import render

    settings = settings or Settings()
    plans, found = plan_kernels(spec, data, name)
    drawn = outline(spec)
    with shadowing(settings.overrides, settings.shown_templates):
        texts = {**render(spec, drawn, plans), **readmes(spec, drawn, plans), **git_files.TEXTS}
    files = []
    for entry in _all_entries(spec, drawn):
        text = with_licence(entry.path, texts.pop(entry.path), settings.licence)
        problem = form_problem(text)
        if problem and settings.overrides:
            raise settings.refuse_text(entry.path, problem)
        assert not problem, f"{entry.path}{problem}"
        files.append(PlannedFile(entry.path, text, entry.owner, entry.executable))
    assert not texts, f"texts that the outline does not know: {sorted(texts)}"
    return Plan(
        tuple(files),
        spec_hash(data),
        template_hash(settings.digest()),
        __version__,
        findings + found,
        pairs(spec),
        about(spec),
    )


def about(spec: OpSpec) -> About:
    """What an overview of many projects says of this one."""
    types = (dtype for operator in spec.operators for choice in operator.combinations for _, dtype in choice)
    fixed = (
        tensor.dtype
        for operator in spec.operators
        for tensor in (*operator.inputs, *operator.outputs)
        if tensor.dtype in DTYPES
    )
    return About(
        tuple((operator.type, operator.name) for operator in spec.operators),
        spec.scenario,
        tuple(dict.fromkeys((*types, *fixed))),
        spec.summary.en,
        spec.summary.zh,
    )


def entries(spec: OpSpec, data: bytes, name: str) -> tuple[Entry, ...]:
    """The entries of every file of the project, ascending by path. Refused where no project can be generated."""
    from opgen.ge.outline import outline

    _refuse_unsupported(spec, data, name)
    return _all_entries(spec, outline(spec))


def _all_entries(spec: OpSpec, drawn: Outline) -> tuple[Entry, ...]:
    readmes = (
        Entry("README.md" if language == spec.first else f"README_{language}.md", "generated", role)
        for language, role in _ROLES.items()
    )
    return tuple(sorted((*drawn.entries, *readmes, *git_files.ENTRIES), key=lambda entry: entry.path))


def _refuse_unsupported(spec: OpSpec, data: bytes, name: str) -> None:
    if spec.scenario == "pypto":
        what = "no project can be generated for the scenario pypto yet"
        why = "op.yaml was read and checked; projects are generated for the GE scenarios eager, online and offline"
        finding = Finding("OPG800", what, why, "write `scenario: online`, or wait for it", pointer="/scenario")
        raise Refused(_located([finding], data, name))


def plan_kernels(spec: OpSpec, data: bytes, name: str) -> tuple[Mapping[str, KernelPlan], tuple[Finding, ...]]:
    """The plan of each operator's kernel by the operator's name, and what there is to say about them, with places.

    Refused when an operator has no plan.
    """
    from opgen.kernel.planner import plan_kernel

    _refuse_unsupported(spec, data, name)
    plans: dict[str, KernelPlan] = {}
    findings: list[Finding] = []
    for operator in spec.operators:
        plan, found = plan_kernel(spec, operator)
        findings += [f for f in found if f.severity == "error" or f.rule not in spec.ignore]
        if plan is not None:
            plans[operator.name] = plan
    if findings:
        findings = _located(findings, data, name)
    if len(plans) < len(spec.operators) or any(f.severity == "error" for f in findings):
        raise Refused(findings)
    return plans, tuple(findings)


def _located(findings: list[Finding], data: bytes, name: str) -> list[Finding]:
    from opgen.text.yaml_reader import read

    document = read(data, name)
    return [document.locate(finding) for finding in findings]


def form_problem(text: str) -> str:
    """What is wrong with the form of a generated text, to be read behind its path; "" for nothing. Its lines end with
    LF and have no blanks before that, and the last is not empty."""
    lines = text.split("\n")
    if lines[-1] or len(lines) < 2 or not lines[-2]:
        return " does not end with one newline"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip(" \t\r"):
            return f":{number} has blanks or a carriage return at its end"
    return ""
