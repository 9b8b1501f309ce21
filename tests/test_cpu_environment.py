"""The environment that compiles kernels: found, made once, refused with a reason."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from opgen.dialect.cpu import environment
from opgen.text.findings import CannotWork


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "opgen"


def test_nothing_is_there_at_first(empty_cache: Path, tmp_path: Path) -> None:
    assert environment.find() is None
    assert environment.describe() == ""
    with pytest.raises(CannotWork, match=r"tilelang .* is not installed"):
        environment.interpreter(tmp_path)
    assert not empty_cache.exists(), "looking makes nothing"


def test_no_network(empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says why, and leaves nothing behind that looks like an environment."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    said: list[str] = []
    with pytest.raises(CannotWork, match=r"tilelang 0\.1\.15 cannot be installed: .*No matching distribution") as info:
        environment.ensure(said.append)
    assert "opgen[cpu]" in info.value.fix
    assert said[0].startswith("installing tilelang 0.1.15")
    assert environment.find() is None
    assert not environment.private_folder().exists()


def test_a_cache_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(CannotWork) as info:
        environment.ensure(print)
    assert "XDG_CACHE_HOME" in info.value.fix


def test_a_half_made_environment_is_made_again(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = environment.private_folder()
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    assert environment.find() is None
    made: list[str] = []
    monkeypatch.setattr(environment, "_install", lambda python: made.append(str(python)))
    monkeypatch.setattr(
        environment, "_run", lambda command, variables=None: (folder / "bin").mkdir(parents=True, exist_ok=True)
    )
    monkeypatch.setattr(environment, "_python", lambda folder: Path(sys.executable))
    assert environment.ensure(lambda line: None).private
    assert len(made) == 1
    assert environment.find() == environment.Environment(Path(sys.executable), private=True)


TWICE = """
import sys, time
from pathlib import Path
from opgen.dialect.cpu import environment

def install(python):
    time.sleep(0.5)
    with open(sys.argv[1], "a") as log:
        log.write("installed\\n")

environment._install = install
environment._run = lambda command, variables=None: environment.private_folder().mkdir(exist_ok=True)
environment._python = lambda folder: Path(sys.executable)
print(environment.ensure(lambda line: print(line, file=sys.stderr)).private)
"""


def test_two_processes_make_it_once(empty_cache: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", TWICE, str(tmp_path / "log")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate() for process in both]
    assert [out for out, _ in said] == ["True\n"] * 2, said
    assert (tmp_path / "log").read_text() == "installed\n"
    assert sum("waiting for another process" in errors for _, errors in said) == 1


def test_the_running_python_serves_when_it_has_both_packages(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = {"tilelang": environment.TILELANG}
    monkeypatch.setattr(environment, "_version", versions.get)
    monkeypatch.setattr(environment, "_has_torch", lambda: True)
    assert environment.find() == environment.Environment(Path(sys.executable), private=False)
    assert environment.conflict() == ""
    versions["tilelang-ascend"] = "0.1.4"
    assert environment.find() is None
    assert "environments apart" in environment.conflict()
    versions.pop("tilelang-ascend")
    versions["tilelang"] = "0.1.14"
    assert environment.find() is None


@pytest.mark.full
def test_a_fresh_machine(empty_cache: Path, tmp_path: Path) -> None:
    """Installs for real, without PyTorch, and compiles in it."""
    found = environment.ensure(lambda line: None)
    assert found.private
    size = sum(path.lstat().st_size for path in environment.private_folder().rglob("*"))
    assert size < 1.1e6 * environment.MEGABYTES
    python = environment.interpreter(tmp_path, found)
    code = "import torch, tilelang; print(torch.__version__, tilelang.__version__)"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"0.0.0+opgen {environment.TILELANG}\n"
