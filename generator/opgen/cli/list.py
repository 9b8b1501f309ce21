"""opgen list: the files of a project, who owns them, and what they are."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.cli.projects import find
from opgen.text.findings import Refused


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("list", COMMANDS["list"])
    parser.add_paths()
    parser.add_argument(
        "--format", type=parser.one_of(("text", "json")), default="text", metavar="FORMAT", help="text or json"
    )
    parser.add_argument(
        "--lang", type=parser.one_of(("en", "zh")), default="en", metavar="LANG", help="language of the roles: en or zh"
    )
    arguments = parser.read(words)
    from opgen.project.plan import entries

    rows: list[dict[str, str]] = []
    for project in find(arguments.paths):
        try:
            spec, _ = project.spec()
            found = entries(spec, project.data, project.name)
        except Refused as refused:
            console.findings(refused.findings, project.sources)
            return 2
        rows += [
            {"path": project.shown(entry.path), "owner": entry.owner, "role": getattr(entry.role, arguments.lang)}
            for entry in found
        ]
    if arguments.format == "json":
        console.json({"format": 1, "files": rows})
        return 0
    from opgen.text.report import width

    path, owner = (max(width(row[key]) for row in rows) for key in ("path", "owner"))
    for row in rows:
        gap = " " * (path - width(row["path"]) + 2)
        console.data(f"{row['path']}{gap}{row['owner']:<{owner}}  {row['role']}\n")
    return 0
