"""One command with everything that it starts: its output as it comes, and nothing of it left when it is over."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

_GRACE = 2.0  # seconds from being asked to end to being killed
_POLL = 0.1  # seconds between two looks at a command that writes nothing

Line = Callable[[str], None]


class Hung(Exception):
    """A command was ended because it wrote nothing for too long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"nothing was written for {seconds:.0f} s")


def follow(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], line: Line, patience: float | None = None
) -> int:
    """Runs a command to its end and gives its exit code, negative for the signal that ended it.

    line: called with every line of its output, stdout and stderr as they come, without the newline. patience: seconds
    without output after which Hung is raised. The command has a session of its own. What is left of it is ended, also
    when this function is left by an exception (Ctrl-C).
    """
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        _read(process, line, patience)
        return process.wait()
    finally:
        end_session(process)
        if process.stdout:
            process.stdout.close()


@contextmanager
def interruptible() -> Iterator[None]:
    """A request to end this process (SIGTERM, SIGHUP) interrupts it as Ctrl-C does, so that it can clean up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kinds = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = {kind: signal.signal(kind, _interrupt) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _read(process: subprocess.Popen[bytes], line: Line, patience: float | None) -> None:
    assert process.stdout is not None
    rest = b""
    heard = time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(_POLL):
                if process.poll() is not None:
                    end_session(process)  # something that it left behind keeps the pipe open
                elif patience is not None and time.monotonic() - heard > patience:
                    raise Hung(patience)
                continue
            heard = time.monotonic()
            chunk = os.read(process.stdout.fileno(), 65536)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            for item in lines:
                line(item.decode("utf-8", "replace"))
    if rest:
        line(rest.decode("utf-8", "replace"))


def end_session(process: subprocess.Popen[bytes], grace: float = _GRACE) -> None:
    """Asks everything in the session of a process to end, then kills what has not after `grace` seconds."""
    try:
        if _signal(process, signal.SIGTERM):
            limit = time.monotonic() + grace
            while _alive(process) and time.monotonic() < limit:
                time.sleep(0.02)
    finally:
        _signal(process, signal.SIGKILL)
        process.wait()


def _signal(process: subprocess.Popen[bytes], kind: signal.Signals) -> bool:
    """Sends a signal to everything that the command started. False when nothing is left."""
    members = _alive(process)
    for member in members:
        with suppress(ProcessLookupError):
            os.kill(member, kind)
    return bool(members)


def _alive(process: subprocess.Popen[bytes]) -> list[int]:
    """The living processes of the command's session. Compilers of kernels have groups of their own in it."""
    process.poll()
    if not Path("/proc/self/stat").exists():
        return [process.pid] if process.returncode is None else []
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == process.pid and fields[0] not in "ZX":
                found.append(int(entry.parent.name))
    return found
