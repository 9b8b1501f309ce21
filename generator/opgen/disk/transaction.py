"""Several files change together or not at all.

Everything is staged below .opgen/staging: new contents, copies of what they replace, and then a journal. Only then do
files move. An error or Ctrl-C puts the old files back. A killed process leaves the journal, and `recover` puts them
back later, except what somebody edited in between. The journal is read as untrusted input.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opgen.disk.compare import Folder, interrupted
from opgen.disk.lock import sha256
from opgen.disk.paths import BACKUP, BASE, JOURNAL, LOCK, STAGING, path_problem, place
from opgen.text.findings import CannotWork, Finding, Refused

_NEW, _OLD = f"{STAGING}/new", f"{STAGING}/old"


@dataclass(frozen=True)
class Change:
    """content: None removes the file."""

    path: str
    content: bytes | None
    executable: bool = False


@dataclass(frozen=True)
class _Step:
    """old, new: SHA-256 of the file before and after; None: no file."""

    path: str
    old: str | None
    new: str | None


@dataclass(frozen=True)
class _Journal:
    """folders: those that the run makes, outer ones first."""

    steps: tuple[_Step, ...]
    folders: tuple[str, ...]


def apply(folder: Path, changes: Sequence[Change]) -> None:
    """Makes all changes, removals first; then removes the folders that this left empty. The caller holds the guard.

    CannotWork when one of them fails: then nothing has changed.
    """
    ordered = sorted(changes, key=lambda change: change.content is not None)  # on a file system without case, A then a
    try:
        journal = _stage(folder, ordered)
    except OSError as error:
        _discard(folder)
        raise CannotWork(f"cannot write in {folder}: {_reason(error)}", "nothing was changed") from error
    except BaseException:
        _discard(folder)
        raise
    try:
        for made in journal.folders:
            (folder / made).mkdir(parents=True, exist_ok=True)
        for index, step in enumerate(journal.steps):
            _make(folder, index, step)
        (folder / JOURNAL).unlink()
    except BaseException as error:
        _give_up(folder, journal, error)
        raise
    _discard(folder)
    _prune(folder, (change.path for change in ordered if change.content is None))


def _stage(folder: Path, changes: Sequence[Change]) -> _Journal:
    """Everything that is needed to go on and to go back lies on the disk when this returns."""
    _discard(folder)
    (folder / _NEW).mkdir(parents=True)
    (folder / _OLD).mkdir()
    disk = Folder(folder)
    steps: list[_Step] = []
    missing: dict[str, bool] = {}  # folders of the changes, outer ones first, and whether they are to be made
    for index, change in enumerate(changes):
        found = disk.find(change.path)
        if found is not None:
            shutil.copy2(folder / change.path, _staged(folder, _OLD, index))
        if change.content is not None:
            # What can be generated again need not survive a power cut; what a person wrote must.
            durable = change.path.startswith(f"{BACKUP}/")
            _write(_staged(folder, _NEW, index), change.content, change.executable, durable)
            _look_at_folders(folder, change.path, missing)
        steps.append(
            _Step(
                change.path,
                None if found is None else sha256(found.content),
                None if change.content is None else sha256(change.content),
            )
        )
    journal = _Journal(tuple(steps), tuple(path for path, absent in missing.items() if absent))
    written = folder / f"{STAGING}/journal.new"
    _write(written, _dump(journal), durable=True)
    written.rename(folder / JOURNAL)
    return journal


def _staged(folder: Path, side: str, index: int) -> Path:
    return folder / side / str(index)


def _write(full: Path, content: bytes, executable: bool = False, durable: bool = False) -> None:
    with open(full, "wb") as file:  # noqa: PTH123
        file.write(content)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    if executable:
        mode = stat.S_IMODE(full.stat().st_mode)
        full.chmod(mode | (mode & 0o444) >> 2)


def _look_at_folders(folder: Path, path: str, missing: dict[str, bool]) -> None:
    parent = path.rpartition("/")[0]
    if parent and parent not in missing:
        _look_at_folders(folder, parent, missing)
        missing[parent] = not (folder / parent).is_dir()


def _make(folder: Path, index: int, step: _Step) -> None:
    full = folder / step.path
    if step.new is not None:
        _staged(folder, _NEW, index).replace(full)
    elif step.old is not None:
        full.unlink()


def _give_up(folder: Path, journal: _Journal, error: BaseException) -> None:
    try:
        _undo(folder, journal)
    except (OSError, Refused) as second:
        raise CannotWork(
            f"cannot write in {folder}: {_reason(error)}; then the old files could not be put back: {_reason(second)}",
            "remove the cause, then run `opgen generate`: it puts them back first",
        ) from error
    if isinstance(error, OSError):
        raise CannotWork(f"cannot write in {folder}: {_reason(error)}", "the old files were put back") from error


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        name = error.filename2 or error.filename
        return f"{error.strerror} ({name})" if name else error.strerror
    return str(error) or type(error).__name__


def _undo(folder: Path, journal: _Journal) -> list[str]:
    """Puts the old files back. Returns the paths that hold neither the old nor the new text: they stay as they are."""
    disk = Folder(folder)
    left = []
    for index, step in reversed(tuple(enumerate(journal.steps))):
        try:
            found = disk.find(step.path)
        except Refused:
            left.append(step.path)
            continue
        now = None if found is None else sha256(found.content)
        full, saved = folder / step.path, _staged(folder, _OLD, index)
        if now == step.new and step.old is None:
            if found is not None:
                full.unlink()
        elif now == step.new and _holds(saved, step.old):
            back = folder / f"{STAGING}/back"
            shutil.copy2(saved, back)
            back.replace(full)
        elif now != step.old:
            left.append(step.path)
    for made in reversed(journal.folders):
        with suppress(OSError):
            (folder / made).rmdir()
    (folder / JOURNAL).unlink(missing_ok=True)
    _discard(folder)
    return left


def _holds(full: Path, digest: str | None) -> bool:
    try:
        return sha256(full.read_bytes()) == digest
    except OSError:
        return False


def _discard(folder: Path) -> None:
    """Removes the staging folder, unless a journal in it is still needed."""
    staging = folder / STAGING
    if interrupted(folder) or staging.is_symlink():
        return
    with suppress(FileNotFoundError):
        shutil.rmtree(staging)


def _prune(folder: Path, removed: Iterable[str]) -> None:
    for path in removed:
        parent = path.rpartition("/")[0]
        while parent:
            try:
                (folder / parent).rmdir()
            except OSError:
                break
            parent = parent.rpartition("/")[0]


def recover(folder: Path) -> tuple[str, ...]:
    """Undoes what a killed run began. Returns the paths that somebody edited since: they stay as they are. The caller
    holds the guard. Refused (OPG608) when the journal cannot be trusted."""
    if not interrupted(folder):
        return ()
    journal = _load(folder / JOURNAL)
    try:
        return tuple(_undo(folder, journal))
    except OSError as error:
        raise CannotWork(f"cannot put back the files of an interrupted run: {_reason(error)}") from error


def _dump(journal: _Journal) -> bytes:
    steps = [{"path": s.path, "old": s.old, "new": s.new} for s in journal.steps]
    return json.dumps({"format": 1, "steps": steps, "folders": journal.folders}).encode()


def _load(full: Path) -> _Journal:
    try:
        if full.is_symlink():
            raise ValueError("it is a symbolic link")
        value = json.loads(full.read_bytes())
        steps = tuple(_Step(_safe(s["path"]), _digest(s["old"]), _digest(s["new"])) for s in value["steps"])
        return _Journal(steps, tuple(_safe(f) for f in value["folders"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise Refused(
            [
                Finding(
                    "OPG608",
                    f"{JOURNAL} cannot be used: {error}",
                    "an interrupted run left it; it says which files to put back",
                    f"remove {STAGING}, then look at the files with `opgen diff`",
                    place=place(JOURNAL),
                )
            ]
        ) from None


def _safe(path: Any) -> str:
    if not isinstance(path, str):
        raise TypeError(f"{path!r} is not a path")
    if path == LOCK or path in (BASE, BACKUP):
        return path
    inner = next((path[len(top) + 1 :] for top in (BASE, BACKUP) if path.startswith(f"{top}/")), path)
    if problem := path_problem(inner):
        raise ValueError(f'it names "{path}": {problem}')
    return path


def _digest(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{value!r} is not a hash")
    return value
