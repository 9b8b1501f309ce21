"""opgen diff: what generate would change, as a unified diff. 1 when there is something."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.cli.projects import Project, find
from opgen.disk.conflicts import INTERRUPTED
from opgen.text.findings import CannotWork, Refused


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("diff", COMMANDS["diff"])
    parser.add_paths()
    arguments = parser.read(words)
    code = 0
    for project in find(arguments.paths):
        code = max(code, _diff(project, console))
    return code


def _diff(project: Project, console: Console) -> int:
    from opgen.disk.compare import compare
    from opgen.disk.diff import unified

    try:
        if project.in_sync():
            return 0
        comparison = compare(project.plan(), project.folder)
    except Refused as refused:
        console.findings(project.all_placed(refused.findings), project.sources)
        return 2
    if comparison.interrupted:
        raise CannotWork(*INTERRUPTED)
    code = 0
    for state in comparison.states:
        for line in unified(state):
            code = 1
            console.data(line)
    return code
