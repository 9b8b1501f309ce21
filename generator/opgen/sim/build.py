"""Builds the CANN stand-in, once for each user: a folder in the shape of a CANN toolkit, kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Union

from opgen.sim import home
from opgen.text.findings import CannotWork

Flavour = Literal["9.1", "9.2"]  # the CANN whose behaviour it has
Sanitize = Union[bool, Literal["thread"]]  # noqa: UP007 - evaluated by Python 3.10
Progress = Callable[[str], None]

_SOURCES = ("CMakeLists.txt", "set_env.sh", "include", "opp", "src", "ut")
_SANITIZERS: dict[Sanitize, str] = {False: "", True: "address,undefined", "thread": "thread"}
_KEPT = 30 * 24 * 3600  # seconds that a stand-in stays in the cache after it was last used
_FIX = "install a C++17 compiler, CMake and make, for example: apt install g++ cmake make"

# Settings for other builds, which CMake and make would take for this one.
_SHIELDED = ("CMAKE_", "CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "DESTDIR", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")


def find(*, sanitize: Sanitize = False, flavour: Flavour = "9.2") -> Path | None:
    """The stand-in for ASCEND_HOME_PATH, if it is built. Needs no compiler but to know which one it was built with."""
    compiler = _compiler()
    if compiler is None:
        return None
    folder = _folder(compiler, flavour, sanitize)
    return folder if folder.is_dir() else None


def ensure(progress: Progress, *, sanitize: Sanitize = False, flavour: Flavour = "9.2") -> Path:
    """The stand-in for ASCEND_HOME_PATH, built if need be. progress gets a line before and after that.

    sanitize: built with the address and undefined-behaviour sanitizers, or with "thread" for data races. Programs in it
    are to be built in the same way. Two processes that come at once build it once. CannotWork: it cannot be built.
    """
    compiler = _compiler()
    if compiler is None:
        raise CannotWork(f"{os.environ.get('CXX') or 'g++'} is not on PATH", _FIX)
    folder = _folder(compiler, flavour, sanitize)
    if not folder.is_dir():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with _locked(folder.parent / "standin.lock", progress):
                if not folder.is_dir():
                    _make(folder, compiler, flavour, sanitize, progress)
        except OSError as error:
            what = f"the CANN stand-in cannot be put into {folder.parent}: {error.strerror or error}"
            raise CannotWork(what, "set XDG_CACHE_HOME to a folder that can be written") from error
    _mark_used(folder)
    return folder


def build(folder: Path, compiler: str, flavour: Flavour = "9.2", sanitize: Sanitize = False) -> None:
    """Builds the stand-in into `folder`. CannotWork: a program is missing, or fails."""
    cmake = shutil.which("cmake")
    if cmake is None:
        raise CannotWork("cmake is not on PATH", _FIX)
    settings = {
        "CMAKE_CXX_COMPILER": compiler,
        "CMAKE_INSTALL_PREFIX": str(folder),
        "STANDIN_VERSION": flavour.replace(".", ""),
        "STANDIN_SANITIZERS": _SANITIZERS[sanitize],
    }
    with tempfile.TemporaryDirectory(prefix="opgen-standin-") as objects:
        _run([cmake, "-S", str(home()), "-B", objects, *(f"-D{name}={value}" for name, value in settings.items())])
        _run([cmake, "--build", objects, "--parallel", str(os.cpu_count() or 1)])
        _run([cmake, "--install", objects])


def _compiler() -> str | None:
    return shutil.which(os.environ.get("CXX") or "g++")


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "opgen"


def _folder(compiler: str, flavour: Flavour, sanitize: Sanitize) -> Path:
    """Where this stand-in lies: its name tells its sources, its compiler and how it is built."""
    said = subprocess.run([compiler, "--version"], capture_output=True, check=False).stdout
    digest = hashlib.sha256()
    for part in (str(Path(compiler).resolve()).encode(), said, flavour.encode(), _SANITIZERS[sanitize].encode()):
        digest.update(b"%d:%s" % (len(part), part))
    for path in sorted(p for name in _SOURCES for p in ((home() / name), *(home() / name).rglob("*")) if p.is_file()):
        data = path.read_bytes()
        digest.update(b"%s:%d:%s" % (str(path.relative_to(home())).encode(), len(data), data))
    return _cache() / f"standin-{digest.hexdigest()[:16]}"


@contextmanager
def _locked(path: Path, progress: Progress) -> Iterator[None]:
    """Holds the lock; waits for another process that builds."""
    import fcntl

    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another process that builds the CANN stand-in")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(folder: Path, compiler: str, flavour: Flavour, sanitize: Sanitize, progress: Progress) -> None:
    """Builds beside `folder`, then renames. The lock is held, so whatever lies there of other builds is left over."""
    for left in folder.parent.glob(f".{folder.name}-*"):
        shutil.rmtree(left, ignore_errors=True)
    _forget_unused(folder.parent)
    kind = f"CANN stand-in for {flavour}" + (" with sanitizers" if sanitize else "")
    progress(f"building the {kind}, once: about 20 s, into {folder}")
    started = time.monotonic()
    staged = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        build(staged, compiler, flavour, sanitize)
        staged.chmod(0o755)
        staged.rename(folder)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    progress(f"{kind} built in {time.monotonic() - started:.0f} s")


def _mark_used(folder: Path) -> None:
    try:
        os.utime(folder)
    except OSError:
        return  # a cache that others look after


def _forget_unused(cache: Path) -> None:
    for folder in cache.glob("standin-*/"):
        if time.time() - folder.stat().st_mtime > _KEPT:
            shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str]) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_SHIELDED)}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise CannotWork(f"{command[0]} cannot be started: {error.strerror}", _FIX) from error
    if done.returncode:
        lines = done.stdout.splitlines()
        said = [line for line in lines if "error" in line.lower()] or lines
        raise CannotWork(f"the CANN stand-in cannot be built: {said[0].strip() if said else command[1]}", _FIX)
