"""opgen check: findings of op.yaml, then what has drifted from it. Writes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console, reason
from opgen.cli.projects import Project, find
from opgen.text.findings import CannotWork, Finding, Refused


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("check", COMMANDS["check"])
    parser.add_paths()
    parser.add_format()
    parser.add_strict()
    arguments = parser.read(words)
    projects = find(arguments.paths)
    code = 0
    everything: list[Finding] = []
    for project in projects:
        found = _Found()
        try:
            code = max(code, _check(project, found, arguments.strict))
        except CannotWork as error:
            console.error(f"{project.name}: {error.message}", error.fix)
            code = 2
        except OSError as error:
            console.error(f"{project.name}: {reason(error)}")
            code = 2
        if arguments.format == "text":
            _print(project, found, console)
        else:
            everything += found.of_input + [finding for _, finding in found.drift]
    if arguments.format != "text":
        console.findings(everything, {}, arguments.format)
    elif code == 0:
        console.note("in sync" if len(projects) == 1 else f"{len(projects)} projects in sync")
    return code


class _Found:
    def __init__(self) -> None:
        self.of_input: list[Finding] = []
        self.drift: list[tuple[str, Finding]] = []


def _check(project: Project, found: _Found, strict: bool) -> int:
    if project.unchanged():
        return 0
    from opgen.disk.compare import compare
    from opgen.disk.drift import drift

    try:
        plan = project.plan()
    except Refused as refused:
        found.of_input += refused.findings
        return 2
    found.of_input += plan.findings
    try:
        comparison = compare(plan, project.folder)
    except Refused as refused:
        found.of_input += [project.placed(finding) for finding in refused.findings]
        return 2
    found.of_input += project.stale(comparison.agreement.stale)
    found.drift = [(kind, project.placed(f)) for kind, f in drift(comparison, project.argument)]
    counts = strict and any(finding.severity == "warning" for finding in found.of_input)
    return 1 if found.drift or counts else 0


def _print(project: Project, found: _Found, console: Console) -> None:
    if found.of_input:
        console.findings(found.of_input, project.sources, data=True)
    for kind, finding in found.drift:
        file = finding.place.file if finding.place else ""
        console.data(f"{file}: {kind} [{finding.rule}]\n")
    if not found.drift:
        return
    rules = {finding.rule for _, finding in found.drift}
    count = len(found.drift)
    console.note(f"{count} difference{'s' if count > 1 else ''}: `opgen diff {project.argument}` shows them")
    if rules & {"OPG606", "OPG607", "OPG609", "OPG615"}:
        console.note(
            f"edited files: move the edit into op.yaml or a file of your own, or `opgen generate {project.argument} "
            "--merge`, which keeps it, or `--force`, which keeps a backup"
        )
    else:
        console.note(f"`opgen generate {project.argument}` repairs them")
