"""Which paths may be written, and whether the way to one leads out of the project."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from opgen.text.findings import Finding, Place

STATE = ".opgen"
LOCK = f"{STATE}/lock.json"
BASE = f"{STATE}/base"
TEXTS = f"{BASE}/op.yaml.texts"  # texts in two languages as they last agreed
BACKUP = f"{STATE}/backup"
STAGING = f"{STATE}/staging"
JOURNAL = f"{STAGING}/journal.json"
GUARD = f"{STATE}/guard"

# First parts that no plan and no lock may name: op.yaml is the user's, .git is git's, .opgen is the state itself.
_PROTECTED = frozenset({"op.yaml", ".git", STATE})
_WINDOWS_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789\u00b9\u00b2\u00b3"}
)
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')

Way = Literal["free", "link", "blocked"]


def place(path: str) -> Place:
    """The place of a finding that concerns a whole file."""
    return Place(path, 1, 1)


def part_problem(part: str) -> str | None:
    """Why `part` cannot be the name of a file or folder on every system, None when it can."""
    if not part:
        return "it is empty"
    if part in {".", ".."}:
        return f'"{part}" leads to another folder'
    if match := _FORBIDDEN.search(part):
        return f"it holds {match.group()!r}"
    if part[-1] in " .":
        return "it ends with a space or a dot"
    if part.split(".")[0].rstrip(" ").casefold() in _WINDOWS_DEVICES:
        return "Windows keeps this name for a device"
    try:
        length = len(part.encode())
    except UnicodeEncodeError:
        return "it is not Unicode text"
    return "it is longer than 255 bytes" if length > 255 else None


def path_problem(path: str) -> str | None:
    """Why `path` cannot be a file of a project, None when it can. Paths are relative and have slashes."""
    if path.startswith("/"):
        return "it is absolute"
    parts = path.split("/")
    for part in parts:
        if problem := part_problem(part):
            return problem
    if parts[0].casefold() in _PROTECTED or ".git" in {part.casefold() for part in parts}:
        return "it is not a file that opgen writes"
    return None


def collisions(paths: Iterable[str]) -> Iterator[Finding]:
    """Paths that some file system cannot hold side by side: alike when case is ignored, or one inside the other."""
    seen: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in paths:
        folded = path.casefold()
        other = seen.get(folded) or folders.get(folded)
        parents = ["/".join(folded.split("/")[:count]) for count in range(1, folded.count("/") + 1)]
        other = other or next((seen[parent] for parent in parents if parent in seen), None)
        if other:
            yield Finding(
                "OPG605",
                f'"{path}" and "{other}" cannot stand side by side',
                "file systems of Windows and macOS ignore case, and a file cannot also be a folder",
                "rename one of the operators or files",
                place=place(path),
            )
        seen[folded] = path
        for parent in parents:
            folders.setdefault(parent, path)


class Ways:
    """Looks at the folders between a project and its files, each of them once.

    A link is never followed below the project: a file reached through one would lie somewhere else. The project's own
    folder may be reached through links.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, Way] = {"": "free"}

    def to(self, path: str) -> Way:
        """Whether the folders above `path` are folders (or nothing yet): "link" and "blocked" say what is there."""
        parent = path.rpartition("/")[0]
        way = self._known.get(parent)
        if way is None:
            way = self.to(parent)
            if way == "free":
                way = _look(self._folder / parent)
            self._known[parent] = way
        return way


def _look(full: Path) -> Way:
    try:
        mode = full.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "free"
    if stat.S_ISLNK(mode):
        return "link"
    return "free" if stat.S_ISDIR(mode) else "blocked"


def linked(path: str) -> Finding:
    return Finding(
        "OPG603",
        f'"{path}" is a symbolic link or lies behind one',
        "opgen writes inside the project only and follows no link out of it",
        "replace the link by the file or folder itself",
        place=place(path),
    )


def in_the_way(path: str) -> Finding:
    return Finding(
        "OPG604",
        f'something else stands where "{path}" belongs',
        "a folder stands where a file belongs, or a file where a folder does, or one larger than any that opgen "
        "writes; opgen replaces files only",
        "move it away, then run `opgen generate`",
        place=place(path),
    )
