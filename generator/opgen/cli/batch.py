"""The same work for many projects, in this process or in several."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from opgen.text.findings import CannotWork

if TYPE_CHECKING:
    from opgen.cli.projects import Project

Result = TypeVar("Result")

_CHUNK = 8  # projects that a process takes at a time


def each(work: Callable[[Project], Result], projects: Sequence[Project], jobs: int) -> Iterator[Result]:
    """The results, in the order of the projects. work: may not raise, and neither it nor its result may hold what no
    other process can take."""
    jobs = min(jobs, (len(projects) + _CHUNK - 1) // _CHUNK)
    if jobs < 2:
        with _uncollected(len(projects) == 1):
            yield from map(work, projects)
        return
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs)
    try:
        yield from pool.map(work, projects, chunksize=_CHUNK)
    finally:
        # After Ctrl-C every process has put its files back; what was not begun is not begun.
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uncollected(alone: bool) -> Iterator[None]:
    """One project leaves so little garbage that looking for it costs more than it saves: a tenth of the time."""
    stop = alone and gc.isenabled()
    if stop:
        gc.disable()
    try:
        yield
    finally:
        if stop:
            gc.enable()


def count(word: str) -> int:
    """The value of --jobs: a number of processes, `auto` for one a processor."""
    import os

    if word == "auto":
        return os.cpu_count() or 1
    if not word.isascii() or not word.isdigit() or not 1 <= int(word) <= 256:
        raise CannotWork(f'--jobs "{word}" is no number of processes', "write 1 to 256, or auto")
    return int(word)
