"""A small plan and a picture of a folder, for the tests of disk."""

from __future__ import annotations

import stat
from pathlib import Path

from opgen.disk.plan import Owner, Plan, PlannedFile

TEXTS = {
    "CMakeLists.txt": "project(add_custom)\n",
    "README.md": "# 算子\n",
    "ge/custom_op.cpp": "int main() {}\n",
    "run.sh": "#!/usr/bin/env bash\n",
}


def plan(texts: dict[str, str] | None = None, once: dict[str, str] | None = None) -> Plan:
    """Files of `texts` are generated (run.sh is executable), those of `once` belong to the user."""
    generated: tuple[dict[str, str], Owner] = (TEXTS if texts is None else texts, "generated")
    mine: tuple[dict[str, str], Owner] = (once or {}, "once")
    files = [
        PlannedFile(path, text, owner, executable=path.endswith(".sh"))
        for group, owner in (generated, mine)
        for path, text in group.items()
    ]
    return Plan(tuple(sorted(files, key=lambda f: f.path)), "1", "2", "0.1.0")


def picture(folder: Path) -> dict[str, tuple[bytes | str, int, int]]:
    """Everything below a folder: content (or target of a link), mode, time of the last change."""
    seen: dict[str, tuple[bytes | str, int, int]] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        status = path.lstat()
        if path.is_symlink():
            seen[name] = (str(path.readlink()), 0, 0)
        elif path.is_dir():
            seen[f"{name}/"] = (b"", stat.S_IMODE(status.st_mode), 0)
        else:
            seen[name] = (path.read_bytes(), stat.S_IMODE(status.st_mode), status.st_mtime_ns)
    return seen


def contents(folder: Path) -> dict[str, bytes]:
    """Files below a folder but for opgen's own state, without their times."""
    files = [p for p in folder.rglob("*") if p.is_file()]
    named = {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}
    return {name: content for name, content in sorted(named.items()) if not name.startswith(".opgen/")}
