"""Where a project runs: the environment of its run.sh, with CANN or with the stand-in."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from opgen.text.findings import CannotWork
from opgen.verify.toolkit import devices, find_toolkit

Choice = Literal["auto", "cann", "standin"]
Progress = Callable[[str], None]

# Variables that would lead a run in the stand-in to a toolkit, kernels, packages or modules of the user's, or make its
# make part of another one.
_SHIELDED = ("ASCEND_", "TILELANG_", "TVM_", "CUSTOM_OP_", "PYTHON", "VIRTUAL_ENV", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")
_KEPT = ("CUSTOM_OP_COMPILE_TIMEOUT",)

SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g"


@dataclass(frozen=True)
class Surroundings:
    """stand_in: no CANN. home: ASCEND_HOME_PATH. environment: of run.sh, complete but for TMPDIR. about: one line."""

    stand_in: bool
    home: Path
    environment: Mapping[str, str]
    about: str


def surroundings(choice: Choice, scratch: Path, progress: Progress, sanitize: bool = False) -> Surroundings:
    """Decides where to run, and prepares it. CannotWork: what was asked for is not there.

    scratch: an empty folder for files of this run. progress: called with what takes long, and how large it is.
    """
    toolkit, why_not = find_toolkit(os.environ)
    if choice == "cann" and toolkit is None:
        raise CannotWork(f"there is no CANN toolkit: {why_not}", "source its set_env.sh, or use --on standin")
    found = devices()
    if choice != "standin" and toolkit is not None and (found or choice == "cann"):
        device = ", ".join(str(path) for path in found) or "no NPU here"
        if sanitize:
            raise CannotWork("--sanitize is for the stand-in", "use --on standin with it")
        environment = {**os.environ, "ASCEND_HOME_PATH": str(toolkit.home)}
        return Surroundings(False, toolkit.home, environment, f"runs with {toolkit} ({device})")
    why = ""
    if choice == "auto":
        why = f" ({why_not})" if toolkit is None else f" ({toolkit}, but no NPU here)"
    home, environment = stand_in(scratch, progress, sanitize)
    return Surroundings(True, home, environment, f"runs in the CANN stand-in{why}: on the CPU, not on an NPU")


def missing_programs() -> tuple[str, ...]:
    """What the build of a project needs and PATH does not have."""
    return tuple(name for name in ("bash", "cmake", "make", "g++") if shutil.which(name) is None)


def require_programs() -> None:
    missing = missing_programs()
    if missing:
        raise CannotWork(
            f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} not on PATH",
            "install a C++ compiler, CMake and make, for example: apt install g++ cmake make",
        )


def listed(names: Sequence[str]) -> str:
    """ "a, b and c"."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def shielded(environment: Mapping[str, str]) -> dict[str, str]:
    """The user's environment without what belongs to another toolkit, package or interpreter."""
    return {n: v for n, v in environment.items() if n in _KEPT or not n.startswith(_SHIELDED)}


def stand_in(scratch: Path, progress: Progress, sanitize: bool = False) -> tuple[Path, dict[str, str]]:
    """The stand-in's folder and the environment of a run in it. Both are prepared first. CannotWork: they cannot be.

    scratch: an empty folder for files of this run.
    """
    if not sys.platform.startswith("linux"):
        raise CannotWork("the CANN stand-in is for Linux", "generate, check and the rungs up to numbers work here too")
    from opgen.dialect import cpu
    from opgen.sim import build

    require_programs()
    home = build.ensure(progress, sanitize=sanitize)
    launcher = cpu.interpreter(scratch / "python", cpu.ensure(progress), sanitize)
    environment = shielded(os.environ)
    environment |= {
        "ASCEND_HOME_PATH": str(home),
        "CUSTOM_OP_PYTHON": str(launcher),
        "PATH": _joined(home / "bin", environment.get("PATH", "")),
        "LD_LIBRARY_PATH": _joined(home / "lib64", environment.get("LD_LIBRARY_PATH", "")),
    }
    if sanitize:
        for name in ("CXXFLAGS", "LDFLAGS"):
            environment[name] = f"{environment.get(name, '')} {SANITIZERS}".strip()
    return home, environment


def _joined(first: Path, rest: str) -> str:
    return os.pathsep.join([str(first), rest] if rest else [str(first)])
