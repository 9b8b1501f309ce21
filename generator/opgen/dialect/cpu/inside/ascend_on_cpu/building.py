"""C++ text to a shared library, which is kept by its content.

Standard library only.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

FLAGS = (
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-shared",
    "-pthread",
    "-fvisibility=hidden",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-w",
)
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g")
EXPORTS = "{ global: call; local: *; };\n"
KEPT = 400  # libraries in the cache


class BuildError(RuntimeError):
    """The C++ compiler is missing or refused the text."""


def sanitizing() -> bool:
    """Whether libraries are built with the address and undefined-behaviour sanitizers."""
    return os.environ.get("OPGEN_SANITIZE", "") not in ("", "0")


def compiler() -> list[str]:
    """The C++ compiler as words of a command: CXX, else g++, c++ or clang++."""
    wanted = shlex.split(os.environ.get("CXX", ""))
    for name, *options in [wanted] if wanted else [["g++"], ["c++"], ["clang++"]]:
        found = shutil.which(name)
        if found:
            return [found, *options]
    raise BuildError(f"no C++ compiler: {wanted[0] if wanted else 'g++'} was not found on PATH")


def folder() -> Path:
    """Where libraries are kept."""
    given = os.environ.get("OPGEN_CPU_LIBRARIES")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "opgen" / "cpu-libraries"


def _identity(program: list[str]) -> str:
    """What tells this compiler from another one."""
    shown = subprocess.run([*program, "--version"], capture_output=True, text=True, check=False)
    return "\n".join([os.path.realpath(program[0]), *program[1:], shown.stdout])


def build(text: str, headers: Mapping[str, str]) -> Path:
    """The library of this text: from the cache, or compiled."""
    program = compiler()
    flags = [*FLAGS, *(SANITIZE if sanitizing() else ())]
    digest = hashlib.sha256()
    for part in (_identity(program), "\n".join(flags), EXPORTS, *(f"{n}\n{h}" for n, h in headers.items()), text):
        digest.update(f"{len(part)}:{part}".encode())
    with _writable(folder()) as cache:
        library = cache / f"{digest.hexdigest()[:40]}.so"
        if library.exists():
            with contextlib.suppress(OSError):
                os.utime(library)
            return library
        _sweep(cache)
        with _staging(cache) as staging:
            for name, header in headers.items():
                (staging / name).write_text(header, encoding="utf-8")
            (staging / "kernel.cpp").write_text(text, encoding="utf-8")
            (staging / "exports").write_text(EXPORTS, encoding="utf-8")
            command = [*program, *flags, "kernel.cpp", "-o", "kernel.so", "-Wl,--version-script=exports"]
            done = subprocess.run(
                command,
                cwd=staging,
                env={**os.environ, "TMPDIR": str(staging)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise BuildError(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr[-4000:]}")
            (staging / "kernel.so").replace(library)
        return library


@contextlib.contextmanager
def _writable(wanted: Path) -> Iterator[Path]:
    """The cache, or where it cannot be written a temporary folder that stays until Python ends."""
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        if os.access(wanted, os.W_OK):
            yield wanted
            return
    except OSError:
        pass
    yield _temporary()


def _temporary() -> Path:
    import atexit

    made = Path(tempfile.mkdtemp(prefix="opgen-cpu-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@contextlib.contextmanager
def _staging(cache: Path) -> Iterator[Path]:
    """A folder of this process's own; if the process is killed, the next compilation removes it."""
    made = Path(tempfile.mkdtemp(prefix=f".staging-{_processes()}-{os.getpid()}-", dir=cache))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _sweep(cache: Path) -> None:
    """Removes what killed processes left, and the libraries that were not used for longest."""
    mine = _processes()
    for left in cache.glob(".staging-*"):
        _, numbered_by, number, *_ = left.name.split("-")
        if numbered_by == mine and not _alive(int(number)):
            shutil.rmtree(left, ignore_errors=True)
    with contextlib.suppress(OSError):
        libraries = sorted(cache.glob("*.so"), key=lambda path: path.stat().st_mtime)
        for old in libraries[: max(0, len(libraries) - KEPT)]:
            old.unlink(missing_ok=True)


def _processes() -> str:
    """Who numbers the processes: containers that share a cache do it each for itself."""
    with contextlib.suppress(OSError):
        return "".join(c for c in str(Path("/proc/self/ns/pid").readlink()) if c.isdigit())
    return "0"


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
