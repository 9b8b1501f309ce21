"""Several projects at a time, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from opgen.text.findings import CannotWork
from opgen.verify.process import end_session
from opgen.verify.result import Climbed, from_data


@dataclass(frozen=True)
class Task:
    """One project in one scenario. name: what op.yaml is called in print. scenario: None for the one of op.yaml."""

    folder: Path
    name: str
    scenario: str | None


def climb_in_parallel(
    tasks: Sequence[Task], only: Collection[str], keep: bool, jobs: int, progress: Callable[[str], None]
) -> Iterator[Climbed]:
    """Climbs on every project, `jobs` at a time; the results come in the order of the tasks."""
    workers = _Workers(only, keep, progress)
    pool = ThreadPoolExecutor(jobs)
    futures = [pool.submit(workers.climb, task) for task in tasks]
    try:
        for future in futures:
            yield future.result()
    except BaseException:
        for future in futures:
            future.cancel()
        workers.end()
        raise
    finally:
        pool.shutdown()


class _Workers:
    def __init__(self, only: Collection[str], keep: bool, progress: Callable[[str], None]) -> None:
        self._words = [*(word for rung in only for word in ("--only", rung)), *(["--keep"] if keep else [])]
        self._progress = progress
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def climb(self, task: Task) -> Climbed:
        words = [*self._words, *(["--scenario", task.scenario] if task.scenario else [])]
        command = [sys.executable, "-m", "opgen", "verify", os.fspath(task.folder), "--format", "json", *words]
        with self._lock:
            if self._ended:
                raise CannotWork("interrupted")
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
            self._running.add(process)
        notes: list[str] = []
        reader = threading.Thread(target=self._relay, args=(process, notes))
        reader.start()
        assert process.stdout is not None
        data = process.stdout.read()
        process.wait()
        reader.join()
        with self._lock:
            self._running.discard(process)
        try:
            (found,) = json.loads(data)["projects"]
        except (ValueError, KeyError):
            said = [note.removeprefix("opgen: ") for note in notes if note.startswith("opgen: ")]
            message = said[-1] if said else f"the process ended with exit code {process.returncode}"
            raise CannotWork(f"{task.name}: {message}") from None
        return from_data({**found, "project": task.name})

    def end(self) -> None:
        """Ends every process. They clean up after themselves when they are asked to end."""
        with self._lock:
            self._ended = True
            running = list(self._running)
        for process in running:
            end_session(process, grace=10.0)

    def _relay(self, process: subprocess.Popen[bytes], notes: list[str]) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            notes.append(line.decode("utf-8", "replace").rstrip("\n"))
            if not notes[-1].startswith(("opgen: ", "  fix: ", "interrupted")):
                self._progress(notes[-1])
