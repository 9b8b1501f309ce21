"""Copies of projects: what a build needs of a folder, and op.yaml with another scenario."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_SKIPPED = frozenset({"build", "output", "node_modules", "__pycache__"})
SPEC = "op.yaml"


def copy_project(folder: Path, target: Path) -> Path:
    """Copies a project without its build results, hidden files, virtual environments, links and other projects in it.

    target: must not exist; gives it back.
    """
    top = os.fspath(folder)

    def ignore(at: str, names: list[str]) -> set[str]:
        left = set()
        for name in names:
            path = Path(at, name)
            if path.is_symlink() and not path.is_file():
                left.add(name)
            elif path.is_dir():
                inner = (path / SPEC).is_file() or (path / "pyvenv.cfg").is_file()
                if inner or name.startswith(".") or (at == top and name in _SKIPPED) or name == "__pycache__":
                    left.add(name)
            elif not path.is_file():  # a socket, a pipe
                left.add(name)
        return left

    shutil.copytree(top, target, ignore=ignore)
    for path in target.rglob("*"):  # the source may be read-only
        path.chmod(path.stat().st_mode | 0o200)
    target.chmod(target.stat().st_mode | 0o200)
    return target


def with_scenario(data: bytes, scenario: str) -> bytes:
    """op.yaml with another scenario, and nothing else changed."""
    from opgen.text.yaml_reader import read

    document = read(data, SPEC)
    place = document.place("/scenario")
    lines = document.text.split("\n")
    row, column = place.line - 1, place.column - 1
    old = str(document.data["scenario"])
    line = lines[row]
    at = line.index(old, column)
    lines[row] = line[:at] + scenario + line[at + len(old) :]
    return "\n".join(lines).encode()
