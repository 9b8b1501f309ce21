"""One run at a time in a project."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from opgen.disk.paths import GUARD, STATE
from opgen.text.findings import CannotWork

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def guard(folder: Path) -> Iterator[None]:
    """Holds the project; the system lets go of it when the process dies. CannotWork when another run holds it."""
    descriptor = _open(folder)
    try:
        yield
    finally:
        # Windows removes no open file. Between close and removal the next run may take the file: `_open` sees that.
        if sys.platform == "win32":
            os.close(descriptor)
        with suppress(OSError):
            (folder / GUARD).unlink()
        if sys.platform != "win32":
            os.close(descriptor)
        with suppress(OSError):
            (folder / STATE).rmdir()  # empty after `clean` and after a first run that failed


def _open(folder: Path) -> int:
    path = folder / GUARD
    for _ in range(3):
        descriptor = _create(path)
        try:
            _lock(descriptor)
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass  # the run before us removed it between our open and our lock
        except (BlockingIOError, PermissionError):
            os.close(descriptor)
            break
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    raise CannotWork(f"another opgen is at work in {folder}", "wait until it has finished")


def _create(path: Path) -> int:
    try:
        path.parent.mkdir(exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as error:
        raise CannotWork(f"cannot write in {path.parent.parent}: {error.strerror}", "nothing was changed") from error
