"""Hands a project over: its files lose their first line, opgen forgets them, op.yaml gets another name."""

from __future__ import annotations

import re
from pathlib import Path

from opgen.disk.compare import Folder, interrupted
from opgen.disk.guard import guard
from opgen.disk.lock import Lock, read_lock
from opgen.disk.merge import has_markers
from opgen.disk.paths import BASE, LOCK, STATE, TEXTS, place
from opgen.disk.transaction import Change, apply, recover
from opgen.text.findings import CannotWork, Finding, Refused

SPEC = "op.yaml"
EJECTED = "op.yaml.ejected"

# The line that every generated file begins with, in a comment of any language, and an empty line behind it.
_HEADER = re.compile(rb"\A(#![^\n]*\n)?(?://|#|<!--) Generated from op\.yaml by opgen\.(?: -->)?\r?\n(?:\r?\n)?")


def eject(folder: Path) -> tuple[str, ...]:
    """Returns the files that lost their first line. CannotWork, Refused: then the disk is as it was.

    What generates the project again is the old name of op.yaml: a later `generate` finds files that it did not write.
    """
    if (folder / EJECTED).exists() or (folder / EJECTED).is_symlink():
        raise CannotWork(f"there is an {EJECTED} already", "remove it or give it another name")
    with guard(folder):
        if interrupted(folder):
            recover(folder)
        lock = read_lock(folder)
        changed: list[Change] = []
        if lock is not None:
            changed = _headers(lock, folder)
            apply(folder, [*changed, *_state(lock, folder)])
        try:
            (folder / SPEC).rename(folder / EJECTED)
        except OSError as error:
            raise CannotWork(f"cannot rename {SPEC}: {error.strerror}", "rename it yourself") from error
    return tuple(change.path for change in changed)


def _headers(lock: Lock, folder: Path) -> list[Change]:
    disk = Folder(folder)
    changed = []
    for path, entry in sorted(lock.files.items()):
        found = None if entry.owner == "once" else disk.find(path)
        if found is None:
            continue
        if has_markers(found.content):
            what, why = f'"{path}" holds a conflict that is not resolved', "a project is handed over in one piece"
            fix = "keep the right lines and remove the markers, then eject"
            raise Refused([Finding("OPG615", what, why, fix, place=place(path))])
        content = _HEADER.sub(lambda match: match[1] or b"", found.content)
        if content != found.content:
            changed.append(Change(path, content, found.executable))
    return changed


def _state(lock: Lock, folder: Path) -> list[Change]:
    """The removal of what opgen knows. Backups stay: somebody's edits are in them."""
    disk = Folder(folder)
    known = [LOCK, TEXTS, *(f"{BASE}/{path}.base" for path in lock.files)]
    return [Change(path, None) for path in known if disk.find(path) is not None]


def left_behind(folder: Path) -> bool:
    """Whether backups are left in the folder of opgen's state."""
    return (folder / STATE).is_dir()
