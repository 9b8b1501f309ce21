"""Records that two texts agree although only one of them changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from opgen.disk.agreement import Stale
from opgen.disk.compare import Folder, compare_texts, interrupted
from opgen.disk.conflicts import INTERRUPTED
from opgen.disk.guard import guard
from opgen.disk.lock import read_lock
from opgen.disk.paths import LOCK, TEXTS
from opgen.disk.plan import Pair
from opgen.disk.transaction import Change, apply
from opgen.text.findings import CannotWork


def stale_texts(pairs: Sequence[Pair], folder: Path) -> tuple[Stale, ...]:
    """Texts that have fallen behind, in the order of the input."""
    return compare_texts(pairs, read_lock(folder), Folder(folder)).stale


def accept(pairs: Sequence[Pair], folder: Path, fields: Collection[str], spec_hash: str) -> None:
    """Takes what the fields say now for agreed. Nothing but the lock and the texts that it refers to changes.

    spec_hash: of the input that has the texts. CannotWork where nothing was generated yet.
    """
    with guard(folder):
        if interrupted(folder):
            raise CannotWork(*INTERRUPTED)
        lock = read_lock(folder)
        if lock is None:
            raise CannotWork("nothing was generated here yet, so no text has fallen behind", "run `opgen generate`")
        disk = Folder(folder)
        before = compare_texts(pairs, lock, disk)
        after = compare_texts(pairs, lock, disk, fields)
        findings = lock.findings - len(before.stale) + len(after.stale)
        if lock.spec_hash != spec_hash:
            findings = max(1, findings)  # unknown until the next generate; not zero, so that no check takes a short cut
        lock = replace(lock, texts=dict(after.agreed), findings=findings)
        apply(folder, [Change(LOCK, lock.text().encode()), Change(TEXTS, after.dump())])
