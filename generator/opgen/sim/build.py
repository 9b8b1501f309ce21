"""Builds the CANN stand-in: a folder in the shape of a CANN toolkit."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Literal

from opgen.sim import home
from opgen.text.findings import CannotWork

# Libraries that programs and operator libraries of CANN are linked with. Here one library has everything.
LIBRARIES = (
    *("acl_rt", "ascendcl", "ge_compiler", "ge_runner", "gert", "graph", "graph_base", "lowering", "platform"),
    "register",
)
_WHOLE = "cann_standin"
_FLAGS = ("-std=c++17", "-D_GLIBCXX_USE_CXX11_ABI=0", "-O1", "-g", "-fPIC", "-Wall", "-Wextra")

_SET_ENV = """\
# Sets up the environment for the CANN stand-in: source this file.
ASCEND_HOME_PATH="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export ASCEND_HOME_PATH
export PATH="${ASCEND_HOME_PATH}/bin:${PATH}"
export LD_LIBRARY_PATH="${ASCEND_HOME_PATH}/lib64${LD_LIBRARY_PATH:+:${LD_LIBRARY_PATH}}"
"""


def build(folder: Path, version: Literal[91, 92] = 92, compiler: str = "g++") -> None:
    """Builds the stand-in into `folder`, which must not exist. CannotWork: the compiler is missing or fails."""
    source = home() / "src"
    shutil.copytree(home() / "include", folder / "include")
    shutil.copytree(home() / "opp", folder / "opp")
    version_header = folder / "include" / "standin" / "version.h"
    version_header.write_text(
        version_header.read_text(encoding="utf-8").replace(
            "CANN_STANDIN_VERSION 92", f"CANN_STANDIN_VERSION {version}"
        ),
        encoding="utf-8",
    )
    for name in ("lib64", "bin", "objects"):
        (folder / name).mkdir()
    library = folder / "lib64" / f"lib{_WHOLE}.so"
    includes = [f"-I{folder / 'include'}", f"-I{folder / 'include' / 'graph'}", f"-I{source}"]
    objects = [
        (path, folder / "objects" / f"{path.stem}.o")
        for path in (
            *sorted(source.glob("*.cc")),
            source / "registry_static" / "registry.cc",
            source / "atc" / "main.cc",
        )
        if version >= 92 or path.stem != "registry"
    ]
    _run_all([[compiler, *_FLAGS, *includes, "-c", str(path), "-o", str(to)] for path, to in objects])
    whole = [str(to) for path, to in objects if path.parent == source]
    _run([compiler, "-shared", "-Wl,-soname," + library.name, "-Wl,--no-undefined", *whole, "-ldl", "-o", str(library)])
    for name in LIBRARIES:
        (folder / "lib64" / f"lib{name}.so").write_text(f"INPUT(-l{_WHOLE})\n", encoding="utf-8")
    if version >= 92:
        archive = folder / "lib64" / "libcustom_op_registry_static.a"
        _run(["ar", "rcs", str(archive), str(folder / "objects" / "registry.o")])
    run_path = "-Wl,-rpath,$ORIGIN/../lib64"
    atc = [str(folder / "objects" / "main.o"), str(library), run_path, "-o", str(folder / "bin" / "atc")]
    _run([compiler, *atc])
    shutil.rmtree(folder / "objects")
    (folder / "set_env.sh").write_text(_SET_ENV, encoding="utf-8")


def _run(command: list[str]) -> None:
    _run_all([command])


def _run_all(commands: list[list[str]]) -> None:
    """Runs the commands, as many at a time as there are cores."""
    waiting, running = list(commands), list[subprocess.Popen[str]]()
    messages: list[str] = []
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            try:
                running.append(subprocess.Popen(waiting.pop(0), stderr=subprocess.PIPE, encoding="utf-8"))
            except FileNotFoundError as error:
                raise CannotWork(f"{error.filename} was not found", "install a C++17 compiler") from error
        process = running.pop(0)
        _, message = process.communicate()
        if process.returncode != 0:
            messages.append(message)
    if messages:
        raise CannotWork("the stand-in cannot be built:\n" + messages[0][-4000:])
