"""opgen check: findings of op.yaml, then what has drifted from it. Writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from opgen.cli.arguments import Parser
from opgen.cli.batch import count, each
from opgen.cli.commands import COMMANDS, EXIT_CODES
from opgen.cli.console import Console, reason
from opgen.cli.projects import Project, find
from opgen.cli.repository import collisions, edited_documents, overviews, pairs, shadows
from opgen.text.findings import CannotWork, Finding, Refused

if TYPE_CHECKING:
    from opgen.disk.plan import About


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("check", COMMANDS["check"], EXIT_CODES)
    parser.add_paths()
    parser.add_format()
    parser.add_strict()
    parser.add_jobs()
    arguments = parser.read(words)
    try:
        projects = find(arguments.paths)
    except Refused as refused:
        console.findings(refused.findings, {}, arguments.format, data=True)
        return 2
    clashes = collisions(projects)
    code = 0
    everything: list[Finding] = []
    told: list[About | None] = []
    work = partial(_examine, strict=arguments.strict)
    for project, found in zip(projects, each(work, projects, count(arguments.jobs)), strict=True):
        clash = clashes.get(project.folder, ())
        found.of_input += clash
        code = max(code, found.code, 2 if clash else 0)
        told.append(found.about)
        if found.error:
            console.error(*found.error)
        if arguments.format == "text":
            _print(project, found, console)
        else:
            everything += found.of_input + [finding for _, finding in found.drift]
        project.forget()
    for document in overviews(arguments.paths, projects, told):
        if document.finding is not None:
            code = max(code, 1)
            everything.append(document.finding)
            if arguments.format == "text":
                console.findings([document.finding], {}, data=True)
    unlike = tuple(pairs(arguments.paths))
    everything += unlike
    if unlike:
        code = max(code, int(arguments.strict))
        if arguments.format == "text":
            console.findings(unlike, {}, data=True)
    if arguments.format != "text":
        console.findings(everything, {}, arguments.format)
        return code
    for line in shadows(projects):
        console.note(line)
    if code == 0:
        console.note("in sync" if len(projects) == 1 else f"{len(projects)} projects in sync")
    return code


@dataclass
class _Found:
    """What there is to say about one project. about: None where op.yaml cannot be read."""

    code: int = 0
    of_input: list[Finding] = field(default_factory=list)
    drift: list[tuple[str, Finding]] = field(default_factory=list)
    error: tuple[str, str] | None = None
    about: About | None = None


def _examine(project: Project, strict: bool) -> _Found:
    found = _Found()
    try:
        _check(project, found, strict)
    except CannotWork as error:
        found.error = (f"{project.name}: {error.message}", error.fix)
        found.code = 2
    except OSError as error:
        found.error = (f"{project.name}: {reason(error)}", "")
        found.code = 2
    return found


def _check(project: Project, found: _Found, strict: bool) -> None:
    try:
        lock = project.in_sync()
        # Documents that somebody edited are compared with one another.
        if lock is not None and not any(lock.files[path].merge for path in lock.files if path.endswith(".md")):
            found.about = lock.about
            return
        plan = project.plan()
    except Refused as refused:
        found.of_input += refused.findings
        found.code = 2
        return
    from opgen.disk.compare import compare
    from opgen.disk.drift import drift

    found.of_input += plan.findings
    found.about = plan.about
    try:
        comparison = compare(plan, project.folder)
    except Refused as refused:
        found.of_input += [project.placed(finding) for finding in refused.findings]
        found.code = 2
        return
    found.of_input += project.stale(comparison.agreement.stale)
    found.of_input += [project.placed(finding) for finding in edited_documents(project, comparison)]
    found.drift = [(kind, project.placed(f)) for kind, f in drift(comparison, project.argument)]
    counts = strict and any(finding.severity == "warning" for finding in found.of_input)
    found.code = 1 if found.drift or counts else 0


def _print(project: Project, found: _Found, console: Console) -> None:
    if found.of_input:
        console.findings(found.of_input, project.sources, data=True)
    for kind, finding in found.drift:
        file = finding.place.file if finding.place else ""
        console.data(f"{file}: {kind} [{finding.rule}]\n")
    if not found.drift:
        return
    rules = {finding.rule for _, finding in found.drift}
    number = len(found.drift)
    console.note(f"{number} difference{'s' if number > 1 else ''}: `opgen diff {project.argument}` shows them")
    if "OPG615" in rules:
        console.note(
            "open conflicts: keep the right lines and remove the markers, then "
            f"`opgen generate {project.argument}`; or add `--force`, which keeps a backup"
        )
    if rules & {"OPG606", "OPG607", "OPG609"}:
        console.note(
            f"edited files: move the edit into op.yaml or a file of your own, or `opgen generate {project.argument} "
            "--merge`, which keeps it, or `--force`, which keeps a backup"
        )
    elif "OPG615" not in rules:
        console.note(f"`opgen generate {project.argument}` repairs them")
