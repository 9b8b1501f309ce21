"""opgen eject: hands a project over, for good."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.cli.projects import one
from opgen.disk.eject import EJECTED, eject, left_behind
from opgen.text.findings import Refused

_EPILOG = """\
All files stay and are yours: opgen's first line goes from them, opgen's own state (.opgen) goes, and op.yaml
becomes op.yaml.ejected, which keeps what the project was made from. Backups of edits in .opgen/backup stay.
From then on no command of opgen finds the project. There is no way back but version control."""


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("eject", COMMANDS["eject"], _EPILOG)
    parser.add_argument("path", nargs="?", metavar="PATH", default=".", help="an op.yaml or its folder (default: here)")
    parser.add_argument("--yes", action="store_true", help="do not ask, on a terminal, whether it is meant")
    arguments = parser.read(words)
    project = one(arguments.path)
    if not arguments.yes and sys.stdin.isatty() and not _meant(project.name, console):
        console.note("nothing was changed")
        return 1
    try:
        changed = eject(project.folder)
    except Refused as refused:
        console.findings([project.placed(finding) for finding in refused.findings], {})
        return 2
    for path in changed:
        console.status("update", project.shown(path), "yours from now on")
    console.status("remove", project.shown(".opgen"), "but for backups of edits" if left_behind(project.folder) else "")
    console.note(f"{project.name} is {project.shown(EJECTED)} now; opgen manages this project no longer")
    return 0


def _meant(name: str, console: Console) -> bool:
    console.note(f"eject hands the project of {name} over: its files are yours, and opgen never writes them again.")
    sys.stderr.write("Type yes to go on: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() == "yes"
