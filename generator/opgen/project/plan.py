"""OpSpec -> Plan: outline, kernel plans, texts. Never touches the disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

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
from opgen.spec.model import Operator, OpSpec
from opgen.spec.outline import Entry, Outline
from opgen.templating import shadowing
from opgen.text.findings import Finding, Refused

if TYPE_CHECKING:
    from opgen.kernel.pypto.plan import PyptoPlan

_P = TypeVar("_P")

_ROLES = {
    "zh": Text("this project, in Chinese", "本工程说明（中文）"),
    "en": Text("this project, in English", "本工程说明（英文）"),
}

_ROLES_OF_PAGES = {
    "zh": Text("a page on the operator, in Chinese", "算子文档（中文）"),
    "en": Text("a page on the operator, in English", "算子文档（英文）"),
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
    settings = settings or Settings()
    drawn = _outline(spec)
    with shadowing(settings.overrides, settings.shown_templates):
        written = _pypto_texts if spec.scenario == "pypto" else _ge_texts
        own, found = written(spec, drawn, data, name)
    texts = {**own, **git_files.TEXTS}
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


def _outline(spec: OpSpec) -> Outline:
    if spec.scenario == "pypto":
        from opgen.pypto.outline import outline as pypto_outline

        return pypto_outline(spec)
    from opgen.ge.outline import outline

    return outline(spec)


def _ge_texts(spec: OpSpec, drawn: Outline, data: bytes, name: str) -> tuple[dict[str, str], tuple[Finding, ...]]:
    from opgen.docs.readme import readmes
    from opgen.ge.render import render

    plans, found = plan_kernels(spec, data, name)
    return {**render(spec, drawn, plans), **readmes(spec, drawn, plans)}, found


def _pypto_texts(spec: OpSpec, drawn: Outline, data: bytes, name: str) -> tuple[dict[str, str], tuple[Finding, ...]]:
    from opgen.docs.pypto.documents import documents
    from opgen.pypto.render import render

    plans, found = plan_pypto_kernels(spec, data, name)
    return {**render(spec, drawn, plans), **documents(spec, drawn, plans)}, found


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
    """The entries of every file of the project, ascending by path."""
    return _all_entries(spec, _outline(spec))


def _all_entries(spec: OpSpec, drawn: Outline) -> tuple[Entry, ...]:
    pages = [("README", _ROLES)]
    if spec.scenario == "pypto":
        from opgen.docs.pypto.folder import pages as pypto_pages

        pages += [(page, _ROLES_OF_PAGES) for page in pypto_pages(spec.operators[0])]
    documents = (
        Entry(f"{page}.md" if language == spec.first else f"{page}_{language}.md", "generated", role)
        for page, roles in pages
        for language, role in roles.items()
    )
    return tuple(sorted((*drawn.entries, *documents, *git_files.ENTRIES), key=lambda entry: entry.path))


def plan_kernels(spec: OpSpec, data: bytes, name: str) -> tuple[Mapping[str, KernelPlan], tuple[Finding, ...]]:
    """The plan of each GE operator's kernel by the operator's name, and what there is to say about them, with places.

    Refused when an operator has no plan.
    """
    from opgen.kernel.planner import plan_kernel

    return _planned(spec, data, name, plan_kernel)


def plan_pypto_kernels(spec: OpSpec, data: bytes, name: str) -> tuple[Mapping[str, PyptoPlan], tuple[Finding, ...]]:
    """The same for PyPTO."""
    from opgen.kernel.pypto.planner import plan_pypto
    from opgen.pypto.findings import findings

    def planned(spec: OpSpec, operator: Operator) -> tuple[PyptoPlan | None, tuple[Finding, ...]]:
        plan, found = plan_pypto(spec, operator)
        return plan, found if plan is None else (*found, *findings(operator, plan))

    return _planned(spec, data, name, planned)


def _planned(
    spec: OpSpec,
    data: bytes,
    name: str,
    plan_one: Callable[[OpSpec, Operator], tuple[_P | None, tuple[Finding, ...]]],
) -> tuple[Mapping[str, _P], tuple[Finding, ...]]:
    plans: dict[str, _P] = {}
    findings: list[Finding] = []
    for operator in spec.operators:
        plan, found = plan_one(spec, operator)
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
