"""Plan x folder -> what is true of every file. Writes nothing."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from opgen.disk.agreement import Agreement, agree, load_texts
from opgen.disk.lock import OPEN, Lock, LockedFile, read_lock, sha256
from opgen.disk.merge import has_markers
from opgen.disk.paths import JOURNAL, LOCK, TEXTS, Ways, collisions, in_the_way, linked, path_problem, place
from opgen.disk.plan import Pair, Plan, PlannedFile
from opgen.text.findings import Finding, Refused

Status = Literal[
    "identical",
    "create",  # planned, never written
    "missing",  # planned, written before, gone
    "update",  # as opgen wrote it, but the plan says something else now
    "line-endings",  # as opgen wrote or plans it, but for CRLF
    "mode",  # the right text, the wrong executable bit
    "edited",  # changed by somebody since opgen wrote it, and not what is planned
    "markers",  # holds a conflict, of a merge of opgen or of git
    "resolved",  # held a conflict of a merge, and holds none now
    "merged",  # edited, and merged with what is planned
    "foreign",  # never written by opgen, and not what is planned
    "kept",  # owner once, there: never touched again
    "absent",  # owner once, written before, deleted
    "stale",  # no longer planned, as opgen wrote it
    "stale-edited",  # no longer planned, changed since
    "gone",  # no longer planned, and not there
]

CONFLICTS: frozenset[Status] = frozenset({"edited", "foreign", "markers"})
_MAX_BYTES = 32_000_000  # no generated file comes near


@dataclass(frozen=True)
class Found:
    """What lies at a path. content: all bytes."""

    content: bytes
    executable: bool


@dataclass(frozen=True)
class FileState:
    """planned: None for files that are no longer planned. found: None when nothing is there, and for files of owner
    once, which are not read. settled: the text that lies there, with LF line ends, is that of a merge and stays."""

    path: str
    status: Status
    planned: PlannedFile | None
    found: Found | None
    settled: bool = False


@dataclass(frozen=True)
class Comparison:
    """states: ascending by path. interrupted: a run was killed while it wrote, files may be half old, half new.
    agreement: of the texts in two languages."""

    states: tuple[FileState, ...]
    lock: Lock | None
    interrupted: bool
    agreement: Agreement

    @property
    def conflicts(self) -> tuple[FileState, ...]:
        return tuple(s for s in self.states if s.status in CONFLICTS)


class Folder:
    """Reads files of one project, through no link."""

    def __init__(self, folder: Path) -> None:
        self._root = os.fspath(folder)  # thousands of files are looked at; joining texts is a tenth of joining paths
        self._ways = Ways(folder)
        # Some file systems give every file the bit. There the bit of the lock, which has none of its own, shows it.
        self._bits = sys.platform != "win32"
        self._all_executable = self._bits and _has_bit(folder / LOCK)

    def find(self, path: str) -> Found | None:
        """What lies at `path`, None for nothing. Refused for a link (OPG603) and for what is no file (OPG604)."""
        way = self._ways.to(path)
        if way == "link":
            raise Refused([linked(path)])
        if way == "blocked":
            raise Refused([in_the_way(path)])
        full = f"{self._root}/{path}"
        try:
            status = os.lstat(full)
        except FileNotFoundError:
            return None
        mode = status.st_mode
        if stat.S_ISLNK(mode):
            raise Refused([linked(path)])
        if not stat.S_ISREG(mode) or status.st_size > _MAX_BYTES:
            raise Refused([in_the_way(path)])
        with open(full, "rb") as file:  # noqa: PTH123
            return Found(file.read(), bool(mode & stat.S_IXUSR))

    def is_there(self, path: str) -> bool:
        """Whether a file of the user is there. It may be a link: nobody writes it."""
        return os.path.isfile(f"{self._root}/{path}")  # noqa: PTH113

    def mode_is_wrong(self, found: Found, executable: bool) -> bool:
        if not self._bits or found.executable == executable:
            return False
        return executable or not self._all_executable


def _has_bit(full: Path) -> bool:
    try:
        return bool(full.lstat().st_mode & stat.S_IXUSR)
    except OSError:
        return False


def check_plan(plan: Plan) -> None:
    """Refused when a plan has a path that leads out of the project (OPG602) or two that collide (OPG605)."""
    findings = [
        Finding(
            "OPG602",
            f'"{file.path}" is planned: {problem}',
            "every file of a project lies inside its folder and can lie on every system",
            "choose another name in op.yaml",
            place=place(file.path),
        )
        for file in plan
        if (problem := path_problem(file.path))
    ]
    findings += collisions(file.path for file in plan)
    if findings:
        raise Refused(findings)


def compare(plan: Plan, folder: Path) -> Comparison:
    """What is true of every planned file and of every file that the lock knows. Refused: see Folder.find, read_lock."""
    check_plan(plan)
    lock = read_lock(folder)
    locked = dict(lock.files) if lock else {}
    disk = Folder(folder)
    states: list[FileState] = []
    findings: list[Finding] = []
    for path, planned in _paths(plan, locked):
        entry = locked.get(path)
        try:
            if planned is not None and planned.owner == "once":
                states.append(FileState(path, _once(path, entry, disk), planned, None))
                continue
            if entry is not None and entry.owner == "once" and planned is None:
                continue
            found = disk.find(path)
        except Refused as refused:
            findings += refused.findings
            continue
        if planned is not None:
            states.append(_planned(planned, found, entry, disk))
        elif entry is not None:
            states.append(FileState(path, _unplanned(found, entry), None, found))
    if findings:
        raise Refused(findings)
    return Comparison(tuple(states), lock, interrupted(folder), compare_texts(plan.texts, lock, disk))


def compare_texts(pairs: Sequence[Pair], lock: Lock | None, disk: Folder, accepted: Collection[str] = ()) -> Agreement:
    """Whether the texts in two languages still agree. accepted: see `agree`."""
    kept = disk.find(TEXTS)
    return agree(pairs, lock.texts if lock else {}, load_texts(kept.content if kept else None), accepted)


def _paths(plan: Plan, locked: dict[str, LockedFile]) -> Iterator[tuple[str, PlannedFile | None]]:
    planned: dict[str, PlannedFile | None] = {file.path: file for file in plan}
    return iter(sorted({**dict.fromkeys(locked), **planned}.items()))


def _once(path: str, entry: LockedFile | None, disk: Folder) -> Status:
    if disk.is_there(path):
        return "kept"
    disk.find(path)  # refuses a way on which it may not be written
    return "absent" if entry else "create"


def _planned(planned: PlannedFile, found: Found | None, entry: LockedFile | None, disk: Folder) -> FileState:
    if found is None:
        return FileState(planned.path, "missing" if entry else "create", planned, None)
    wrong = disk.mode_is_wrong(found, planned.executable)
    content = planned.content.encode()
    if found.content == content:
        return FileState(planned.path, "mode" if wrong else "identical", planned, found)
    settled = _settled(found, entry, sha256(content))
    if settled is not None:
        status: Status = "mode" if settled == "merged" and wrong else settled
        return FileState(planned.path, status, planned, found, settled=True)
    return FileState(planned.path, _changed(found, entry, content), planned, found)


def _settled(found: Found, entry: LockedFile | None, planned: str) -> Status | None:
    """What is true of the text of a merge, None where there was no merge or the plan or the text is another since."""
    if entry is None or not entry.merge or entry.sha256 != planned or has_markers(found.content):
        return None
    if entry.merge == OPEN:
        return "resolved"
    if entry.merge == sha256(found.content):
        return "merged"
    return "line-endings" if entry.merge == sha256(unix(found.content)) else None


def _changed(found: Found, entry: LockedFile | None, content: bytes) -> Status:
    lines = unix(found.content)
    if lines == content:
        return "line-endings"
    if entry is None or entry.owner == "once":
        return "foreign"
    if entry.sha256 == sha256(found.content):
        return "update"
    if entry.sha256 == sha256(lines):
        return "line-endings"
    return "markers" if has_markers(found.content) else "edited"


def unix(content: bytes) -> bytes:
    """The same lines, with LF ends."""
    return content.replace(b"\r\n", b"\n")


def _unplanned(found: Found | None, entry: LockedFile) -> Status:
    if found is None:
        return "gone"
    return "stale" if is_ours(found.content, entry) else "stale-edited"


def is_ours(content: bytes, entry: LockedFile) -> bool:
    """Whether nobody changed it since opgen wrote it; a checkout that turned LF into CRLF is no change."""
    return entry.sha256 in (sha256(content), sha256(content.replace(b"\r\n", b"\n")))


def interrupted(folder: Path) -> bool:
    return os.path.lexists(folder / JOURNAL)


def unchanged(folder: Path, spec_hash: str, template_hash: str, version: str) -> bool:
    """Whether the project is in sync: see `in_sync`."""
    return in_sync(folder, spec_hash, template_hash, version) is not None


def in_sync(folder: Path, spec_hash: str, template_hash: str, version: str) -> Lock | None:
    """The lock, if the project is in sync by it alone: the same input, and every file as it was written.

    None also where only a full comparison can say what is wrong.
    """
    try:
        lock = read_lock(folder)
        if lock is None or lock.findings or interrupted(folder):
            return None
        if (lock.spec_hash, lock.template_hash, lock.version) != (spec_hash, template_hash, version):
            return None
        disk = Folder(folder)
        for path, entry in lock.files.items():
            if entry.owner == "once":
                continue
            found = disk.find(path)
            if found is None or sha256(found.content) != entry.on_disk or disk.mode_is_wrong(found, entry.executable):
                return None
    except (Refused, OSError):
        return None
    return lock
