"""opgen generate: brings projects in line with their op.yaml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opgen.cli.arguments import Parser
from opgen.cli.batch import count, each
from opgen.cli.commands import COMMANDS, EXIT_CODES
from opgen.cli.console import Console, reason
from opgen.cli.projects import Project, find
from opgen.cli.repository import collisions, overviews
from opgen.disk.write import Conflict, Outcome, preview, untouched, write
from opgen.text.findings import CannotWork, Finding, Refused

if TYPE_CHECKING:
    from opgen.disk.plan import About

_PAST = {
    "create": "created",
    "update": "updated",
    "identical": "identical",
    "keep": "kept",
    "remove": "removed",
    "conflict": "in conflict",
}


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("generate", COMMANDS["generate"], EXIT_CODES)
    parser.add_paths()
    parser.add_format()
    parser.add_strict()
    parser.add_jobs()
    parser.add_argument("--dry-run", action="store_true", help="say what would be done and write nothing")
    edits = parser.add_mutually_exclusive_group()
    edits.add_argument("--merge", action="store_true", help="keep edits and put in what changed (three-way merge)")
    edits.add_argument("--force", action="store_true", help="replace edited files; backups go to .opgen/backup/")
    parser.add_argument("--restore", action="store_true", help="write files of yours again that you deleted")
    arguments = parser.read(words)
    try:
        projects = find(arguments.paths)
    except Refused as refused:
        console.findings(refused.findings, {}, arguments.format)
        return 2
    choices = {name: getattr(arguments, name) for name in ("force", "merge", "restore")}
    work = partial(
        _bring, choices=choices, dry_run=arguments.dry_run, strict=arguments.strict, clashes=collisions(projects)
    )
    report = _Report()
    code = same = 0
    told: list[About | None] = []
    for project, done in zip(projects, each(work, projects, count(arguments.jobs)), strict=True):
        code = max(code, done.code)
        same += done.same
        told.append(done.about)
        if arguments.format != "text":
            report.add(project, done)
        if done.error:
            console.error(*done.error)
        if arguments.format == "text":
            _print(project, done, console, arguments.dry_run, len(projects) == 1)
        project.forget()
    if same and len(projects) > 1 and arguments.format == "text":
        console.note(f"{same} of {len(projects)} projects were in sync")
    code = max(code, _overviews(arguments, projects, told, report, console))
    if arguments.format == "json":
        report.print(console)
    elif arguments.format == "github":
        console.findings(report.findings, {}, "github")
    return code


@dataclass
class _Done:
    """What was done with one project. findings: of a refusal, or warnings. refused: nothing was written. diffs: of the
    files in conflict, by path. same: it was in sync, so that nothing was rendered."""

    code: int = 0
    findings: tuple[Finding, ...] = ()
    refused: bool = False
    diffs: tuple[tuple[str, str], ...] = ()
    outcome: Outcome = field(default_factory=lambda: Outcome(()))
    error: tuple[str, str] | None = None
    about: About | None = None
    same: bool = False


@dataclass
class _Report:
    """What --format json prints."""

    findings: list[Finding] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)

    def add(self, project: Project, done: _Done) -> None:
        self.findings += done.findings
        self.files += [{"path": project.shown(a.path), "word": a.word, "note": a.note} for a in done.outcome.actions]

    def print(self, console: Console) -> None:
        import json

        from opgen.text import report

        console.json({**json.loads(report.as_json(self.findings)), "files": self.files})


def _bring(
    project: Project,
    choices: Mapping[str, bool],
    dry_run: bool,
    strict: bool,
    clashes: Mapping[Path, tuple[Finding, ...]],
) -> _Done:
    try:
        if project.folder in clashes:
            return _Done(2, clashes[project.folder], refused=True)
        return _generate(project, choices, dry_run, strict)
    except Conflict as refused:
        from opgen.disk.diff import unified

        diffs = tuple((state.path, "".join(unified(state))) for state in refused.states)
        return _Done(1, tuple(project.placed(f) for f in refused.findings), refused=True, diffs=diffs)
    except Refused as refused:
        return _Done(2, project.all_placed(refused.findings), refused=True)
    except CannotWork as error:
        return _Done(2, error=(f"{project.name}: {error.message}", error.fix))
    except OSError as error:
        return _Done(2, error=(f"{project.name}: {reason(error)}", ""))


def _generate(project: Project, choices: Mapping[str, bool], dry_run: bool, strict: bool) -> _Done:
    lock = None if choices["restore"] else project.in_sync()
    same = untouched(project.folder, lock) if lock else None
    if lock and same:
        return _Done(outcome=same, about=lock.about, same=True)
    plan = project.plan()
    step = preview if dry_run else write
    outcome = step(plan, project.folder, **choices)
    warnings = (*plan.findings, *project.stale(outcome.stale))
    counts = strict and any(finding.severity == "warning" for finding in warnings)
    code = 1 if outcome.left or outcome.edited_since or counts else 0
    return _Done(code, warnings, outcome=outcome, about=plan.about)


def _overviews(
    arguments: Any, projects: Sequence[Project], told: Sequence[About | None], report: _Report, console: Console
) -> int:
    """Writes the overviews of repositories. 1 when a document has no place for its own."""
    code = 0
    for document in overviews(arguments.paths, projects, told):
        if document.finding is None:
            continue
        if document.now == document.wanted:
            code = 1
            report.findings.append(document.finding)
            if arguments.format == "text":
                console.findings([document.finding], {})
            continue
        if not arguments.dry_run:
            from opgen.disk.document import write_document

            write_document(document.path, document.wanted)
        report.files.append({"path": document.name, "word": "update", "note": "overview"})
        if arguments.format == "text":
            console.status("update", document.name, "overview")
    return code


def _print(project: Project, done: _Done, console: Console, dry_run: bool, alone: bool) -> None:
    for path, diff in done.diffs:
        console.status("conflict", project.shown(path))
        console.data(diff)
    if done.findings:
        console.findings(done.findings, {} if done.diffs else project.sources)
    if done.diffs:
        console.note("nothing was written")
    if done.refused or done.error or (done.same and not alone):
        return
    outcome = done.outcome
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
