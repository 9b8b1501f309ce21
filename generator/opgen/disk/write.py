"""Plan x folder -> files, in one transaction; and the removal of all that is ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from opgen.disk.agreement import Stale
from opgen.disk.compare import CONFLICTS, Comparison, FileState, Folder, Found, compare, interrupted, is_ours, unix
from opgen.disk.conflicts import INTERRUPTED, conflict
from opgen.disk.guard import guard
from opgen.disk.lock import OPEN, Lock, LockedFile, read_lock, sha256
from opgen.disk.merge import Merged, merge_texts
from opgen.disk.paths import BACKUP, BASE, LOCK, STAGING, TEXTS
from opgen.disk.plan import Plan, PlannedFile
from opgen.disk.transaction import Change, apply, recover
from opgen.text.findings import CannotWork, Refused

Word = Literal["create", "update", "identical", "conflict", "keep", "remove"]


@dataclass(frozen=True)
class Action:
    """What is done with a file. note: why, if the word does not say it. left: it needs somebody's attention."""

    word: Word
    path: str
    note: str = ""
    left: bool = False


@dataclass(frozen=True)
class Outcome:
    """actions: ascending by path. recovered: an interrupted run was undone first. edited_since: files that hold neither
    its old nor its new text and were left. stale: texts whose other language has changed."""

    actions: tuple[Action, ...]
    recovered: bool = False
    edited_since: tuple[str, ...] = ()
    stale: tuple[Stale, ...] = ()

    @property
    def left(self) -> bool:
        return any(action.left for action in self.actions)


class Conflict(Refused):
    """Files stand in the way that hold what opgen did not write. Nothing was written."""

    def __init__(self, states: Sequence[FileState], merging: bool) -> None:
        self.states = tuple(states)
        super().__init__([conflict(state, merging) for state in states])


_DELETED = "deleted; --restore writes it again"
_MERGED = "edited, and merged"


@dataclass
class _Changes:
    """Collects what a run does."""

    actions: list[Action] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    files: dict[str, LockedFile] = field(default_factory=dict)
    stale: tuple[Stale, ...] = ()


@dataclass(frozen=True)
class _Choices:
    """What a run may do with files that are not as opgen wrote them."""

    force: bool
    merge: bool
    restore: bool


def write(plan: Plan, folder: Path, *, force: bool = False, merge: bool = False, restore: bool = False) -> Outcome:
    """Brings the folder in line with the plan. Conflict, Refused, CannotWork: then the disk is as it was.

    force: replaces and removes edited files, with a backup. merge: puts what changed in the plan into edited files.
    restore: writes deleted files of the user again.
    """
    chosen = _Choices(force, merge, restore)
    if not interrupted(folder) and (folder / LOCK).exists():  # where nothing was generated, there is something to do
        pending = _pending(plan, folder, chosen)
        if not pending.changes:
            return Outcome(tuple(pending.actions), stale=pending.stale)
    _own_folder(folder)
    with guard(folder):
        recovered = interrupted(folder)
        edited_since = recover(folder)
        pending = _pending(plan, folder, chosen)
        if pending.changes:
            apply(folder, pending.changes)
    return Outcome(tuple(pending.actions), recovered, edited_since, pending.stale)


def untouched(folder: Path, lock: Lock) -> Outcome | None:
    """What `write` does with a project that is in sync by its lock: nothing. None where something of the state is gone
    that `write` brings back."""
    disk = Folder(folder)
    actions = []
    for path, entry in sorted(lock.files.items()):
        if entry.owner == "once":
            actions.append(Action("keep", path, "yours" if disk.is_there(path) else _DELETED))
            continue
        kept = disk.find(_base(path))
        if kept is None or sha256(kept.content) != entry.sha256:
            return None
        actions.append(Action("keep", path, _MERGED) if entry.merge else Action("identical", path))
    return None if lock.texts and disk.find(TEXTS) is None else Outcome(tuple(actions))


def preview(plan: Plan, folder: Path, *, force: bool = False, merge: bool = False, restore: bool = False) -> Outcome:
    """What `write` would do now. Raises what it would raise, and CannotWork after an interrupted run."""
    if interrupted(folder):
        raise CannotWork(*INTERRUPTED)
    pending = _pending(plan, folder, _Choices(force, merge, restore))
    return Outcome(tuple(pending.actions), stale=pending.stale)


def _own_folder(folder: Path) -> None:
    """The folder of the state may not be a link: backups and copies would land elsewhere."""
    for inner in (LOCK, f"{BASE}/x", f"{BACKUP}/x", f"{STAGING}/x"):
        Folder(folder).find(inner)


def _pending(plan: Plan, folder: Path, choices: _Choices) -> _Changes:
    comparison = compare(plan, folder)
    disk = Folder(folder)
    merged = _merges(comparison, disk) if choices.merge else {}
    left = [state for state in comparison.conflicts if state.path not in merged]
    if left and not choices.force:
        raise Conflict(left, choices.merge)
    pending = _Changes()
    for state in comparison.states:
        entry = comparison.lock.files.get(state.path) if comparison.lock else None
        if state.planned is None:
            _unplanned(pending, state, entry, disk, choices.force)
        elif state.planned.owner == "once":
            _once(pending, state, state.planned, entry, choices.restore)
        elif state.path in merged:
            _merged(pending, state, state.planned, merged[state.path], disk)
        else:
            _generated(pending, state, state.planned, disk)
    agreement = comparison.agreement
    pending.stale = agreement.stale
    lock = Lock(
        plan.version,
        plan.spec_hash,
        plan.template_hash,
        len(plan.findings) + len(agreement.stale),
        pending.files,
        dict(agreement.agreed),
        plan.about,
    )
    if plan.texts:
        _put(pending, disk, TEXTS, agreement.dump())
    else:
        _remove(pending, disk, TEXTS)
    _put(pending, disk, LOCK, lock.text().encode())
    return pending


def _merges(comparison: Comparison, disk: Folder) -> dict[str, Merged]:
    """The merge of every edited file whose last written text is still known."""
    merged = {}
    for state in comparison.conflicts:
        entry = comparison.lock.files.get(state.path) if comparison.lock else None
        if state.status != "edited" or entry is None or state.found is None or state.planned is None:
            continue
        kept = disk.find(_base(state.path))
        base = unix(kept.content) if kept else b""
        if sha256(base) == entry.sha256:
            merged[state.path] = merge_texts(base, unix(state.found.content), state.planned.content.encode())
    return merged


def _merged(pending: _Changes, state: FileState, planned: PlannedFile, result: Merged, disk: Folder) -> None:
    assert state.found is not None
    content = planned.content.encode()
    accepted = "" if result.content == content else OPEN if result.conflicts else sha256(result.content)
    pending.files[state.path] = LockedFile("generated", sha256(content), planned.executable, accepted)
    _put(pending, disk, _base(state.path), content)
    if state.found.content != result.content or disk.mode_is_wrong(state.found, planned.executable):
        pending.changes.append(Change(state.path, result.content, planned.executable))
    if result.conflicts:
        count = f"{result.conflicts} conflict{'s' if result.conflicts > 1 else ''}"
        pending.actions.append(Action("conflict", state.path, f"{count} between markers", left=True))
    elif state.found.content == result.content:
        pending.actions.append(Action("keep", state.path, "the edit stays"))
    else:
        pending.actions.append(Action("update", state.path, "merged with the edit"))


def _generated(pending: _Changes, state: FileState, planned: PlannedFile, disk: Folder) -> None:
    planned_hash = sha256(planned.content.encode())
    content, accepted = planned.content.encode(), ""
    if state.settled:
        assert state.found is not None
        content = unix(state.found.content)
        accepted = sha256(content)
    pending.files[state.path] = LockedFile("generated", planned_hash, planned.executable, accepted)
    _put(pending, disk, _base(state.path), planned.content.encode())
    if state.status == "identical":
        pending.actions.append(Action("identical", state.path))
        return
    if state.status in ("merged", "resolved") and not _differs(state, content, planned, disk):
        note = _MERGED if state.status == "merged" else "its conflict is resolved"
        pending.actions.append(Action("keep", state.path, note))
        return
    pending.changes.append(Change(state.path, content, planned.executable))
    if state.status in CONFLICTS:
        assert state.found is not None
        pending.actions.append(Action("update", state.path, _back_up(pending, state.path, state.found, disk)))
    elif state.found is None:
        pending.actions.append(Action("create", state.path))
    else:
        notes = {"line-endings": "line endings only", "mode": "executable bit only"}
        pending.actions.append(Action("update", state.path, notes.get(state.status, "")))


def _once(pending: _Changes, state: FileState, planned: PlannedFile, entry: LockedFile | None, restore: bool) -> None:
    content = planned.content.encode()
    if state.status == "create" or (state.status == "absent" and restore):
        pending.changes.append(Change(state.path, content, planned.executable))
        pending.actions.append(Action("create", state.path, "yours from now on"))
        entry = None
    elif state.status == "absent":
        pending.actions.append(Action("keep", state.path, _DELETED))
    else:
        pending.actions.append(Action("keep", state.path, "yours"))
    if entry is None or entry.owner != "once":
        entry = LockedFile("once", sha256(content), planned.executable)
    pending.files[state.path] = entry


def _unplanned(pending: _Changes, state: FileState, entry: LockedFile | None, disk: Folder, force: bool) -> None:
    assert entry is not None
    if state.status == "stale-edited" and not force:
        pending.files[state.path] = entry
        note = "edited, and no longer planned: delete it, or --force removes it and keeps a backup"
        pending.actions.append(Action("keep", state.path, note, left=True))
        return
    if state.found is not None:
        note = _back_up(pending, state.path, state.found, disk) if state.status == "stale-edited" else ""
        pending.changes.append(Change(state.path, None))
        pending.actions.append(Action("remove", state.path, note or "no longer planned"))
    _remove(pending, disk, _base(state.path))


def clean(folder: Path, *, force: bool = False, dry_run: bool = False) -> Outcome:
    """Removes every generated file that nobody changed, and what opgen keeps about it. Files of owner once stay."""
    _own_folder(folder)
    if dry_run and interrupted(folder):
        raise CannotWork(*INTERRUPTED)
    if dry_run or (not interrupted(folder) and read_lock(folder) is None):
        return Outcome(tuple(_cleaning(folder, force).actions))
    with guard(folder):
        recovered = interrupted(folder)
        edited_since = recover(folder)
        pending = _cleaning(folder, force)
        if pending.changes:
            apply(folder, pending.changes)
    return Outcome(tuple(pending.actions), recovered, edited_since)


def _cleaning(folder: Path, force: bool) -> _Changes:
    pending = _Changes()
    lock = read_lock(folder)
    if lock is None:
        return pending
    disk = Folder(folder)
    for path, entry in sorted(lock.files.items()):
        if entry.owner == "once":
            if disk.is_there(path):
                pending.actions.append(Action("keep", path, "yours"))
            continue
        found = disk.find(path)
        if found is not None and not is_ours(found.content, entry) and not force:
            pending.files[path] = entry
            note = "edited: delete it, or --force removes it and keeps a backup"
            pending.actions.append(Action("keep", path, note, left=True))
            continue
        if found is not None:
            note = "" if is_ours(found.content, entry) else _back_up(pending, path, found, disk)
            pending.changes.append(Change(path, None))
            pending.actions.append(Action("remove", path, note))
        _remove(pending, disk, _base(path))
    if pending.files:
        rest = Lock(lock.version, "", "", 0, pending.files)
        _put(pending, disk, LOCK, rest.text().encode())
    else:
        _remove(pending, disk, LOCK)
    _remove(pending, disk, TEXTS)
    return pending


def _differs(state: FileState, content: bytes, planned: PlannedFile, disk: Folder) -> bool:
    assert state.found is not None
    return state.found.content != content or disk.mode_is_wrong(state.found, planned.executable)


def _base(path: str) -> str:
    """Where the last written text of `path` is kept. The suffix keeps compilers and linters from taking it for code."""
    return f"{BASE}/{path}.base"


def _put(pending: _Changes, disk: Folder, path: str, content: bytes) -> None:
    found = disk.find(path)
    if found is None or found.content != content:
        pending.changes.append(Change(path, content))


def _remove(pending: _Changes, disk: Folder, path: str) -> None:
    if disk.find(path) is not None:
        pending.changes.append(Change(path, None))


def _back_up(pending: _Changes, path: str, found: Found, disk: Folder) -> str:
    """Keeps what lies at `path`, beside earlier backups. Returns the note that says where."""
    for name in _backup_names(path):
        other = disk.find(name)
        if other is None:
            pending.changes.append(Change(name, found.content, found.executable))
        if other is None or other.content == found.content:
            return f"the edited text is in {name}"
    raise AssertionError("names of backups do not end")


def _backup_names(path: str) -> Iterator[str]:
    yield f"{BACKUP}/{path}.orig"
    number = 2
    while True:
        yield f"{BACKUP}/{path}.orig.{number}"
        number += 1
