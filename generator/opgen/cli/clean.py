"""opgen clean: removes what opgen wrote and nobody changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.cli.projects import find
from opgen.disk.write import clean
from opgen.text.findings import Refused


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("clean", COMMANDS["clean"])
    parser.add_paths()
    parser.add_argument("--dry-run", action="store_true", help="say what would be removed and remove nothing")
    parser.add_argument("--force", action="store_true", help="remove edited files too; backups go to .opgen/backup/")
    arguments = parser.read(words)
    code = 0
    for project in find(arguments.paths):
        try:
            outcome = clean(Path(project.folder), force=arguments.force, dry_run=arguments.dry_run)
        except Refused as refused:
            console.findings([project.placed(finding) for finding in refused.findings], {})
            code = 2
            continue
        if outcome.recovered:
            console.note("an interrupted run was undone first")
        for action in outcome.actions:
            console.status(action.word, project.shown(action.path), action.note)
        removed = sum(action.word == "remove" for action in outcome.actions)
        console.note(f"{project.name}: {removed} {'would be ' if arguments.dry_run else ''}removed")
        code = max(code, int(outcome.left))
    return code
