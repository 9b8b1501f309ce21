"""Runs a project's own run.sh and tells how far it came."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from opgen.text.findings import CannotWork
from opgen.verify.process import Hung, follow

PASSED = "Precision check passed"
RUN = "run.sh"
BUILD = "build"

_STEP = re.compile(r"\[INFO\] (Step \d+/\d+: .*)")
_CACHED = re.compile(r"(?m)^(CANN|CMAKE_HOME_DIRECTORY|CMAKE_CXX_FLAGS):\w+=(.*)$")


@dataclass
class _Watch:
    """What the lines of a run say."""

    show: Callable[[str], None]
    step: str = ""
    passed: int = 0

    def line(self, text: str) -> None:
        found = _STEP.match(text)
        if found:
            self.step = found[1]
        self.passed += text.startswith(PASSED)
        self.show(text)


@dataclass(frozen=True)
class Ran:
    """code: of run.sh, negative for a signal. step: the last one that began, "" before the first. passed: precision
    checks. wanted: how many there are to pass. tail: the last lines of the output."""

    code: int
    step: str
    passed: int
    wanted: int
    tail: tuple[str, ...] = field(repr=False, default=())
    hung: str = ""

    @property
    def succeeded(self) -> bool:
        return self.code == 0 and not self.hung and self.passed >= self.wanted

    @property
    def failure(self) -> str:
        """What failed, in one line."""
        where = self.step or "run.sh, before its first step,"
        if self.hung:
            return f"{where} hangs: {self.hung}"
        if self.code:
            return f"{where} failed with {_code(self.code)}"
        if not self.passed:
            return f'{where} ended well, but the run never said "{PASSED}"'
        return f'the run said "{PASSED}" {self.passed} times of {self.wanted}'


def run_project(
    folder: Path,
    environment: Mapping[str, str],
    wanted: int,
    log: Path,
    show: Callable[[str], None],
    patience: float | None = None,
) -> Ran:
    """Runs run.sh in its folder. log: gets the output. show: gets each line of it.

    wanted: precision checks that a good run passes. patience: seconds of silence after which the run is ended.
    """
    if not (folder / RUN).is_file():
        raise CannotWork(f"{folder} has no {RUN}", "`opgen generate` writes it")
    watch = _Watch(show)
    tail: list[str] = []
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8", newline="\n", errors="surrogateescape") as file:

        def line(text: str) -> None:
            file.write(f"{text}\n")
            file.flush()
            tail[:] = [*tail[-39:], text]
            watch.line(text)

        try:
            code = follow(["bash", str((folder / RUN).resolve())], folder, environment, line, patience)
        except Hung as hung:
            return Ran(0, watch.step, watch.passed, wanted, tuple(tail), str(hung))
    return Ran(code, watch.step, watch.passed, wanted, tuple(tail))


def forget_other_configuration(folder: Path, environment: Mapping[str, str]) -> bool:
    """Removes what CMake remembers of another toolkit, place or other flags; a build would go on using it.

    Whether there was any.
    """
    cache = folder / BUILD / "CMakeCache.txt"
    try:
        known = dict(_CACHED.findall(cache.read_text(encoding="utf-8", errors="replace")))
    except OSError:
        return False
    flags = environment.get("CXXFLAGS", "")
    wanted = {"CANN": environment.get("ASCEND_HOME_PATH", ""), "CMAKE_HOME_DIRECTORY": str(folder.resolve())}
    other = any(known.get(name, value) != value for name, value in wanted.items())
    if not other and known.get("CMAKE_CXX_FLAGS", "").strip() == flags:
        return False
    cache.unlink()
    shutil.rmtree(cache.parent / "CMakeFiles", ignore_errors=True)
    return True


def _code(code: int) -> str:
    # The shell adds 128 to the signal that ended a command.
    number = -code if code < 0 else code - 128
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"
    return f"signal {name}" if code < 0 else f"exit code {code} ({name})"
