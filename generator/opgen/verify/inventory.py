"""What is installed here, and what that allows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opgen.verify.surroundings import shielded
from opgen.verify.toolkit import devices, find_toolkit

_STATIC = "generate, check, and in `opgen verify` the rungs up to numbers"
_SECONDS = 20.0  # what a program may take to say its version
_NUMBER = re.compile(r"\d+(?:\.\d+)+")

# Asks an interpreter about a module without importing it, which would take seconds and may need a device.
_ASK = """
import importlib.metadata, importlib.util, json, sys
def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
try:
    spec = importlib.util.find_spec("tilelang")
except (ImportError, ValueError):
    spec = None
origin = spec and (spec.origin or next(iter(spec.submodule_search_locations or ()), ""))
print(json.dumps({"python": sys.version.split()[0], "origin": origin or "", "tilelang": version("tilelang"),
                  "ascend": version("tilelang-ascend")}))
"""


@dataclass(frozen=True)
class Item:
    """One thing. found: path and version, "" where it is not there. allows: what it is for. without: what works
    without it. warning: what is wrong with it."""

    name: str
    found: str
    allows: str
    without: str
    warning: str = ""


def inventory() -> Iterator[Item]:
    """Everything, in the order in which a newcomer needs it."""
    python = f"{sys.version.split()[0]}, {sys.executable}"
    yield Item("Python", python, "opgen itself", "")
    for program in ("g++", "cmake", "make"):
        yield _program(program, "building projects and the stand-in", _STATIC)
    yield _toolkit()
    yield _devices()
    yield _tilelang()
    yield _stand_in()
    yield _cpu()


def _program(name: str, allows: str, without: str) -> Item:
    path = shutil.which(name)
    found = f"{_version([path, '--version'])}, {path}" if path else ""
    return Item(name, found, allows, without)


def _toolkit() -> Item:
    toolkit, why = find_toolkit(os.environ)
    found = f"{toolkit.version or 'unknown version'}, {toolkit.home}" if toolkit else ""
    allows = "building projects for an NPU"
    return Item("CANN", found, allows, "everything but that: the stand-in takes its place", "" if found else why)


def _devices() -> Item:
    found = ", ".join(str(path) for path in devices())
    return Item("NPU", found, "running projects on the device", "the stand-in runs them on the CPU")


def _tilelang() -> Item:
    """TileLang in the interpreter that compiles kernels, CUSTOM_OP_PYTHON."""
    named = os.environ.get("CUSTOM_OP_PYTHON") or "python3"
    path = shutil.which(named)
    name = f"TileLang of {named}"
    allows = "compiling kernels for an NPU"
    without = "the stand-in, which has a TileLang of its own"
    if path is None:
        return Item(name, "", allows, without, f"{named} is not on PATH")
    told = _asked(path)
    if told is None:
        return Item(name, "", allows, without, f"{path} does not start")
    has_ascend, has_plain = told["ascend"], told["tilelang"]
    if not told["origin"]:
        return Item(name, "", allows, without, f"Python {told['python']} has no module tilelang")
    parts = [f"tilelang-ascend {has_ascend}" if has_ascend else "", f"tilelang {has_plain}" if has_plain else ""]
    kinds = " and ".join(part for part in parts if part) or "a module tilelang without a version"
    warning = ""
    if has_ascend and has_plain:
        warning = (
            "both packages install a module `tilelang`, and one has overwritten files of the other: "
            "uninstall both, then install tilelang-ascend alone"
        )
    elif has_plain and not has_ascend and "TILELANG_ASCEND_HOME" not in os.environ:
        warning = "this is TileLang's main package, which does not compile for Ascend: it needs tilelang-ascend, alone"
    return Item(name, f"{kinds}, {Path(str(told['origin'])).parent}", allows, without, warning)


def _asked(python: str) -> dict[str, str] | None:
    home = os.environ.get("TILELANG_ASCEND_HOME")
    paths = [path for path in (home, os.environ.get("PYTHONPATH")) if path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    try:
        done = subprocess.run(
            [python, "-c", _ASK], env=environment, capture_output=True, encoding="utf-8", timeout=_SECONDS, check=True
        )
        told: dict[str, str] = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return told


def _stand_in() -> Item:
    from opgen.sim import build

    found = build.find()
    return Item(
        "CANN stand-in",
        str(found or ""),
        "`opgen run` without CANN, the rungs cpp and chain of `opgen verify`",
        _STATIC,
        "" if found else "not built yet: the first run builds it",
    )


def _cpu() -> Item:
    from opgen.dialect import cpu

    found = cpu.describe()
    return Item(
        "TileLang for the CPU",
        found,
        "`opgen run` without an NPU, the rung chain of `opgen verify`",
        _STATIC,
        cpu.conflict() if found else "not installed yet: the first run installs it",
    )


def _version(command: list[str]) -> str:
    """The first number that a program says of itself."""
    try:
        done = subprocess.run(
            command, env=shielded(os.environ), capture_output=True, encoding="utf-8", timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return "does not start"
    found = _NUMBER.search(done.stdout.partition("\n")[0])
    return found[0] if found else "unknown version"
