"""opgen schema: the JSON Schema of op.yaml, for editors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console, shown
from opgen.resources import folder
from opgen.text.findings import CannotWork

NAME = "op.schema.json"
_INSTALLED = ("schemas", "")  # below a folder above op.yaml, nearest first


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser(
        "schema",
        COMMANDS["schema"],
        f"`opgen new` writes the editor's line into op.yaml when it finds {NAME}\n"
        "in a folder above, or in `schemas` in one.",
    )
    parser.add_argument("--install", metavar="DIR", help=f"write DIR/{NAME} instead of printing it")
    arguments = parser.read(words)
    text = (folder("schemas") / NAME).read_text("utf-8")
    if arguments.install is None:
        console.data(text)
        console.note(f"first line of op.yaml, for editors: {modeline(NAME)} (a path or URL of this schema)")
        return 0
    target = Path(arguments.install) / NAME
    if target.is_symlink():
        raise CannotWork(f"{shown(target)} is a symbolic link", "remove it, or choose another folder")
    old = target.read_bytes() if target.is_file() else None
    if old == text.encode():
        console.status("identical", shown(target))
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        staged = target.with_name(f".{NAME}.new")
        staged.write_bytes(text.encode())
        staged.replace(target)
        console.status("create" if old is None else "update", shown(target))
    console.note(f"first line of an op.yaml beside it: {modeline(NAME)}")
    if Path(arguments.install).resolve().name != "schemas":
        console.note("`opgen new` finds it from the folders below")
    return 0


def modeline(path: str) -> str:
    """The line by which editors find the schema."""
    return f"# yaml-language-server: $schema={path}"


def installed_for(project: Path) -> str | None:
    """The path of the schema relative to the folder of an op.yaml, with slashes; None when none lies above."""
    resolved = project.resolve()
    for above in resolved.parents:
        for inner in _INSTALLED:
            if (above / inner / NAME).is_file():
                return Path(os.path.relpath(above / inner / NAME, resolved)).as_posix()
    return None
