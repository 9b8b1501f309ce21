"""For the tests of the stand-in: small operator libraries, and the program that runs graphs of them."""

from __future__ import annotations

import atexit
import os
import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from opgen.sim import home as sources
from opgen.sim.build import Flavour, Sanitize, ensure
from opgen.text.findings import CannotWork
from opgen.verify.surroundings import shielded

HERE = Path(__file__).resolve().parent / "standin"
MACHINE = "aarch64" if platform.machine() in ("aarch64", "arm64") else "x86_64"
_FLAGS = ("-std=c++17", "-D_GLIBCXX_USE_CXX11_ABI=0", "-fPIC", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread")
_LIBRARIES = ("-lascendcl", "-lgraph", "-lge_runner", "-ldl")
_INCLUDES = ("include", "include/graph", "include/ge", "opp/built-in/op_proto/inc")

Ran = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Place:
    """A stand-in, and a folder for what is built in it."""

    home: Path
    folder: Path
    sanitize: Sanitize

    def driver(self) -> Path:
        """The program of standin/driver.cc."""
        return self._build("driver", "driver.cc", ())

    def deserialize(self) -> Path:
        """The program of standin/deserialize.cc."""
        return self._build("deserialize", "deserialize.cc", (f"-I{sources() / 'src'}",))

    def library(self, source: str, *flags: str, archive: bool = True) -> Path:
        """A library of one file. archive: with the registry that GE asks from CANN 9.2 on."""
        name = "_".join([Path(source).stem, *flags, *([] if archive else ["bare"])]).replace("-D", "").replace("=", "")
        registry = self.home / "lib64" / "libcustom_op_registry_static.a"
        whole = (
            ["-Wl,--whole-archive", str(registry), "-Wl,--no-whole-archive"] if archive and registry.exists() else []
        )
        return self._build(
            f"lib{name}.so", source, ("-shared", "-fvisibility=hidden", "-fno-gnu-unique", *flags), *whole
        )

    def package(self, *libraries: Path) -> Path:
        """An operator package with the libraries, for ASCEND_CUSTOM_OPP_PATH."""
        package = Path(tempfile.mkdtemp(prefix="package-", dir=self.folder))
        inside = package / "op_graph" / "lib" / "linux" / MACHINE
        inside.mkdir(parents=True)
        for library in libraries:
            shutil.copy(library, inside)
        return package

    def run(self, *command: str | Path, packages: str | Path = "", does: str = "", **environment: str) -> Ran:
        """Runs a program. packages: ASCEND_CUSTOM_OPP_PATH. does: what standin/probe.cc is to do wrong."""
        variables = {
            "ASCEND_HOME_PATH": str(self.home),
            "ASCEND_CUSTOM_OPP_PATH": str(packages),
            "LD_LIBRARY_PATH": str(self.home / "lib64"),
            "PROBE": does,
        }
        return subprocess.run(
            [str(part) for part in command],
            cwd=self.folder,
            env={**shielded(os.environ), **variables, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    def drive(self, *words: str | Path, packages: str | Path = "", does: str = "", **environment: str) -> Ran:
        return self.run(self.driver(), *words, packages=packages, does=does, **environment)

    def air(self, *words: str) -> Path:
        """An AIR file of the graph that driver.cc makes of the words."""
        path = Path(tempfile.mkdtemp(prefix="model-", dir=self.folder)) / "model.air"
        result = self.drive("air", path, *words)
        assert result.returncode == 0, result.stderr
        return path

    def atc(self, air: Path, packages: str | Path, does: str = "", **environment: str) -> tuple[Path, Ran]:
        """The OM file, if atc wrote one, and how atc ended."""
        om = air.with_suffix(".om")
        words = (f"--model={air}", f"--output={om.with_suffix('')}", "--soc_version=Ascend910_9362")
        return om, self.run(
            self.home / "bin" / "atc", "--framework=1", *words, packages=packages, does=does, **environment
        )

    def om(self, packages: str | Path, *words: str) -> Path:
        """An OM file of the graph that driver.cc makes of the words."""
        om, result = self.atc(self.air(*words), packages)
        assert result.returncode == 0, result.stderr
        return om

    def _build(self, name: str, source: str, flags: tuple[str, ...], *linked: str) -> Path:
        path = self.folder / name
        if not path.exists():
            sanitizers = {
                False: (),
                True: ("-fsanitize=address,undefined", "-g"),
                "thread": ("-fsanitize=thread", "-g"),
            }
            includes = [f"-I{self.home / include}" for include in _INCLUDES]
            command = ["g++", *_FLAGS, *sanitizers[self.sanitize], *flags, *includes, f"-I{HERE}", str(HERE / source)]
            command += [*linked, f"-L{self.home / 'lib64'}", "-Wl,--no-as-needed", *_LIBRARIES, "-o", str(path)]
            result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
            assert result.returncode == 0, result.stderr
        return path


@cache
def place(flavour: Flavour = "9.2", sanitize: Sanitize = False) -> Place:
    """Skips the test where the stand-in cannot be built."""
    try:
        home = ensure(lambda line: None, flavour=flavour, sanitize=sanitize)
    except CannotWork as error:
        pytest.skip(f"no stand-in: {error}")
    folder = Path(tempfile.mkdtemp(prefix="opgen-test-standin-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Place(home, folder, sanitize)
