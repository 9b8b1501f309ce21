"""opgen generate: brings projects in line with their op.yaml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console, reason
from opgen.cli.projects import Project, find
from opgen.disk.write import Conflict, Outcome, preview, write
from opgen.text.findings import CannotWork, Finding, Refused

_PAST = {
    "create": "created",
    "update": "updated",
    "identical": "identical",
    "keep": "kept",
    "remove": "removed",
    "conflict": "in conflict",
}


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("generate", COMMANDS["generate"])
    parser.add_paths()
    parser.add_format()
    parser.add_strict()
    parser.add_argument("--dry-run", action="store_true", help="say what would be done and write nothing")
    edits = parser.add_mutually_exclusive_group()
    edits.add_argument(
        "--merge", action="store_true", help="keep edits and put into them what changed (three-way merge)"
    )
    edits.add_argument("--force", action="store_true", help="replace edited files; backups go to .opgen/backup/")
    parser.add_argument("--restore", action="store_true", help="write files of yours again that you deleted")
    arguments = parser.read(words)
    projects = find(arguments.paths)
    report = _Report()
    code = 0
    for project in projects:
        try:
            code = max(code, _generate(project, arguments, console, report, len(projects) == 1))
        except CannotWork as error:
            console.error(f"{project.name}: {error.message}", error.fix)
            code = 2
        except OSError as error:
            console.error(f"{project.name}: {reason(error)}")
            code = 2
    if arguments.format == "json":
        report.print(console)
    elif arguments.format == "github":
        console.findings(report.findings, {}, "github")
    return code


@dataclass
class _Report:
    """What --format json prints."""

    findings: list[Finding] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)

    def print(self, console: Console) -> None:
        import json

        from opgen.text import report

        console.json({**json.loads(report.as_json(self.findings)), "files": self.files})


def _generate(project: Project, arguments: Any, console: Console, report: _Report, alone: bool) -> int:
    text = arguments.format == "text"
    try:
        plan = project.plan()
        step = preview if arguments.dry_run else write
        choices = {name: getattr(arguments, name) for name in ("force", "merge", "restore")}
        outcome = step(plan, project.folder, **choices)
    except Conflict as refused:
        findings = [project.placed(finding) for finding in refused.findings]
        report.findings += findings
        if text:
            _conflict(project, refused, findings, console)
        return 1
    except Refused as refused:
        findings = [f if f.place and f.place.file == project.name else project.placed(f) for f in refused.findings]
        report.findings += findings
        if text:
            console.findings(findings, project.sources)
        return 2
    warnings = (*plan.findings, *project.stale(outcome.stale))
    report.findings += warnings
    report.files += [{"path": project.shown(a.path), "word": a.word, "note": a.note} for a in outcome.actions]
    if text:
        if warnings:
            console.findings(warnings, project.sources)
        _print(project, outcome, console, arguments.dry_run, alone)
    counts = arguments.strict and any(finding.severity == "warning" for finding in warnings)
    return 1 if outcome.left or outcome.edited_since or counts else 0


def _conflict(project: Project, refused: Conflict, findings: Sequence[Finding], console: Console) -> None:
    from opgen.disk.diff import unified

    for state in refused.states:
        console.status("conflict", project.shown(state.path))
        console.data("".join(unified(state)))
    console.findings(findings, {})
    console.note("nothing was written")


def _print(project: Project, outcome: Outcome, console: Console, dry_run: bool, alone: bool) -> None:
    if outcome.recovered:
        console.note("an interrupted run was undone first")
    for path in outcome.edited_since:
        console.status("keep", project.shown(path), "edited after the interrupted run")
    for action in outcome.actions:
        # Of many projects only what happens is worth a line.
        if alone or action.word not in ("identical", "keep") or action.left:
            console.status(action.word, project.shown(action.path), action.note)
    counts = Counter(_PAST[action.word] for action in outcome.actions)
    told = ", ".join(f"{counts[word]} {word}" for word in _PAST.values() if counts[word]) or "no files"
    console.note(f"{project.name}: {'would be ' if dry_run else ''}{told}")
