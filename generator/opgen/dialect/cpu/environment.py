"""The Python environment in which kernels are compiled for the CPU: found, or made once in the user's cache.

TileLang wants PyTorch, and the PyTorch that pip takes by itself brings CUDA, several gigabytes of it. Compiling uses no
more of PyTorch than the names of its element types, so the private environment has a stand-in for it and needs about
350 MB. An environment that has both packages is used as it is.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from opgen.text.escape import shell_word
from opgen.text.findings import CannotWork

TILELANG = "0.1.15"

# TileLang and what it imports, without PyTorch and its extension. The limits are TileLang's own.
REQUIREMENTS = (
    f"tilelang=={TILELANG}",
    "apache-tvm-ffi>=0.1.11,<0.1.13",
    "cloudpickle",
    "ml-dtypes",
    "numpy>=1.23.5",
    "psutil",
    "tqdm",
    "typing-extensions",
    "z3-solver>=4.13,<4.15.5",
)
MEGABYTES = 350  # on disk

_FORMAT = "1"  # of the environment's folder
_COMPLETE = ".complete"
_TIMEOUT = 1800  # seconds that one step of the installation may take
# What would let another tilelang, or another Python's packages, in.
_SHIELDED = ("PYTHONHOME", "PYTHONSTARTUP", "PYTHONSAFEPATH", "PYTHONPLATLIBDIR", "TILELANG_ASCEND_HOME")
INSIDE = Path(__file__).parent / "inside"


@dataclass(frozen=True)
class Environment:
    """python: its interpreter. private: made by opgen, with a stand-in for PyTorch."""

    python: Path
    private: bool


def cache() -> Path:
    """The user's cache folder of opgen."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "opgen"


def private_folder() -> Path:
    """Where the private environment of the running Python lies."""
    parts = (
        _FORMAT,
        *REQUIREMENTS,
        sys.implementation.cache_tag or "",
        platform.system(),
        platform.machine(),
        sys.base_prefix,
    )
    return cache() / f"cpu-{hashlib.sha256(chr(10).join(parts).encode()).hexdigest()[:16]}"


def find() -> Environment | None:
    """The environment, if it is there. Installs nothing, imports nothing."""
    if _version("tilelang") == TILELANG and _version("tilelang-ascend") is None and _has_torch():
        return Environment(Path(sys.executable), private=False)
    folder = private_folder()
    python = _python(folder)
    if (folder / _COMPLETE).is_file() and python.exists():
        return Environment(python, private=True)
    return None


def describe() -> str:
    """What is there, in a few words, for `opgen doctor`; "" when nothing is."""
    found = find()
    if found is None:
        return ""
    return f"tilelang {TILELANG} in {private_folder() if found.private else f'the running Python, {found.python}'}"


def conflict() -> str:
    """A warning when the running Python has both tilelang and tilelang-ascend, else ""."""
    if _version("tilelang") is None or _version("tilelang-ascend") is None:
        return ""
    return (
        "tilelang and tilelang-ascend are both installed here and both called tilelang: keep them in environments apart"
    )


def ensure(progress: Callable[[str], None]) -> Environment:
    """The environment, made if need be. progress gets a line now and then while it is made.

    Two processes that come at once make it once. CannotWork: it cannot be made; says why.
    """
    found = find()
    if found is not None:
        return found
    folder = private_folder()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWork(
            f"{folder.parent}: {error.strerror}", "Set XDG_CACHE_HOME to a folder that can be written."
        ) from error
    with _locked(folder.with_suffix(".lock"), progress):
        found = find()
        if found is None:
            _make(folder, progress)
            found = Environment(_python(folder), private=True)
    return found


def interpreter(folder: Path, environment: Environment | None = None, sanitize: bool = False) -> Path:
    """Writes the launcher into `folder` and gives its path, for CUSTOM_OP_PYTHON.

    `launcher -c CODE` and `launcher SCRIPT ARGS` are Python's; the user's PYTHONPATH does not reach it. environment:
    what `ensure` gave; by default what `find` finds. sanitize: kernels are built with the address and
    undefined-behaviour sanitizers, as OPGEN_SANITIZE=1 does too.
    """
    environment = environment or find()
    if environment is None:
        raise CannotWork(f"tilelang {TILELANG} is not installed", "Run `opgen doctor --install`.")
    variables = _variables(environment.private)
    if sanitize:
        variables["OPGEN_SANITIZE"] = "1"
    lines = [
        "#!/bin/sh",
        "# Python, with TileLang-Ascend's dialect compiled for this machine's CPU.",
        f"unset {' '.join(_SHIELDED)}",
        *(f"export {name}={shell_word(value)}" for name, value in variables.items()),
        f'exec {shell_word(str(environment.python))} "$@"',
    ]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "python3"
    handle, staged = tempfile.mkstemp(prefix=".python3-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        Path(staged).chmod(0o755)
        Path(staged).replace(path)
    except BaseException:
        Path(staged).unlink(missing_ok=True)
        raise
    return path.absolute()


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def _python(folder: Path) -> Path:
    return folder / "bin" / "python"


@contextmanager
def _locked(path: Path, progress: Callable[[str], None]) -> Iterator[None]:
    """Holds the lock; waits for another process that makes the environment."""
    import fcntl

    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            progress("waiting for another process that installs tilelang")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(folder: Path, progress: Callable[[str], None]) -> None:
    started = time.monotonic()
    progress(f"installing tilelang {TILELANG} for kernels on the CPU, once: {MEGABYTES} MB into {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
        _install(_python(folder))
        progress("checking that tilelang can be imported")
        _run([str(_python(folder)), "-c", "import tilelang"], _variables(private=True))
        (folder / _COMPLETE).write_text("\n".join(REQUIREMENTS) + "\n", encoding="utf-8")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    progress(f"tilelang {TILELANG} installed in {time.monotonic() - started:.0f} s")


def _variables(private: bool) -> dict[str, str]:
    """Environment variables with which Python finds the dialect; in a private environment also a stand-in for torch."""
    return {
        "PYTHONPATH": os.pathsep.join(map(str, (INSIDE, INSIDE / "torch_standin") if private else (INSIDE,))),
        "PYTHONNOUSERSITE": "1",
        "TILELANG_CACHE_DIR": str(cache() / "tilelang"),
        "TVM_FFI_DISABLE_TORCH_C_DLPACK": "1",
    }


def _install(python: Path) -> None:
    """With this Python's pip, else the new environment's own, else uv; the first failure that is no absence counts."""
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--retries", "2", *REQUIREMENTS]
    if importlib.util.find_spec("pip") is not None:
        _run([sys.executable, "-m", "pip", "--python", str(python), "install", *options])
        return
    uv = shutil.which("uv")
    if uv is not None:
        _run([uv, "pip", "install", "--quiet", "--no-deps", "--python", str(python), *REQUIREMENTS])
        return
    _run([str(python), "-m", "ensurepip", "--default-pip"])
    _run([str(python), "-m", "pip", "install", *options])


def _run(command: list[str], variables: dict[str, str] | None = None) -> None:
    """CannotWork with the end of what the command said, if it fails."""
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    try:
        done = subprocess.run(
            command,
            env={**outside, **(variables or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotWork(f"tilelang {TILELANG} cannot be installed: {error}", _FIX) from error
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if line.strip()]
        reason = said[-1].strip() if said else f"{command[0]} ended with {done.returncode}"
        raise CannotWork(f"tilelang {TILELANG} cannot be installed: {reason}", _FIX)


_FIX = (
    "Check the network and pip's settings, or install it beside a CPU-only PyTorch into the environment of opgen: "
    "pip install torch --index-url https://download.pytorch.org/whl/cpu, then pip install 'opgen[cpu]'."
)
