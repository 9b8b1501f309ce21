"""opgen doctor: what is there, what that allows, and what is wrong with it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import Opgen
from opgen.verify.inventory import inventory
from opgen.verify.toolkit import find_toolkit
from run_support import fake_toolkit


def python_with(folder: Path, *packages: tuple[str, str], module: bool = True) -> Path:
    """An interpreter that has packages of these names and versions, and a module tilelang."""
    site = folder / "site"
    for name, version in packages:
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    if module:
        (site / "tilelang").mkdir(parents=True, exist_ok=True)
        (site / "tilelang" / "__init__.py").write_text("raise SystemExit('doctor imports nothing')\n")
    path = folder / "python3"
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{site}" exec {sys.executable} "$@"\n')
    path.chmod(0o755)
    return path


def items(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, tuple[str, str]]:
    """Name -> what was found, warning."""
    for name in ("ASCEND_HOME_PATH", "TILELANG_ASCEND_HOME", "PYTHONPATH", "CUSTOM_OP_PYTHON"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return {item.name: (item.found, item.warning) for item in inventory()}


def test_it_lists_everything_with_what_it_is_for(opgen: Opgen) -> None:
    ran = opgen("doctor", ASCEND_HOME_PATH="")
    assert ran.returncode == 0, ran.stderr
    for name in ("Python", "g++", "cmake", "make", "CANN", "NPU", "CANN stand-in", "TileLang for the CPU"):
        assert any(line.startswith(f"{name}  ") for line in ran.stdout.splitlines()), ran.stdout
    assert f"Python                {sys.version.split()[0]}, {sys.executable}\n" in ran.stdout
    assert "ASCEND_HOME_PATH is not set" in ran.stdout
    assert ran.stderr.startswith("`opgen run` ")


def test_json_has_the_same(opgen: Opgen) -> None:
    found = json.loads(opgen("doctor", "--format", "json").stdout)
    assert found["format"] == 1
    assert [item["name"] for item in found["items"]][:4] == ["Python", "g++", "cmake", "make"]
    assert all(item["allows"] for item in found["items"])


@pytest.mark.parametrize(
    ("packages", "module", "found", "warning"),
    [
        ((("tilelang-ascend", "0.1.4"),), True, "tilelang-ascend 0.1.4, ", ""),
        ((("tilelang", "0.1.15"),), True, "tilelang 0.1.15, ", "does not compile for Ascend"),
        (
            (("tilelang-ascend", "0.1.4"), ("tilelang", "0.1.15")),
            True,
            "tilelang-ascend 0.1.4 and tilelang 0.1.15, ",
            "both packages install a module `tilelang`",
        ),
        ((), True, "a module tilelang without a version, ", ""),
        ((), False, "", "has no module tilelang"),
    ],
)
def test_tilelang_is_looked_for_where_kernels_are_compiled(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    packages: tuple[tuple[str, str], ...],
    module: bool,
    found: str,
    warning: str,
) -> None:
    python = python_with(tmp_path, *packages, module=module)
    there, said = items(monkeypatch, CUSTOM_OP_PYTHON=str(python))[f"TileLang of {python}"]
    assert there.startswith(found)
    assert bool(there) is bool(found)
    assert warning in said
    assert bool(said) is bool(warning)


def test_an_interpreter_that_is_not_there_or_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert items(monkeypatch, CUSTOM_OP_PYTHON="/no/python")["TileLang of /no/python"] == (
        "",
        "/no/python is not on PATH",
    )
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert "does not start" in items(monkeypatch, CUSTOM_OP_PYTHON=str(broken))[f"TileLang of {broken}"][1]


def test_a_toolkit_is_found_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fake_toolkit(tmp_path / "cann")
    assert items(monkeypatch, ASCEND_HOME_PATH=str(home))["CANN"] == (f"9.2.0, {home}", "")
    (home / "version.cfg").unlink()
    (home / "compiler").mkdir()
    (home / "compiler" / "version.info").write_text("Version=9.1.0.alpha003\ntimestamp=20260101\n")
    assert items(monkeypatch, ASCEND_HOME_PATH=str(home))["CANN"][0] == f"9.1.0.alpha003, {home}"
    (home / "include" / "standin").mkdir()
    toolkit, why = find_toolkit({"ASCEND_HOME_PATH": str(home)})
    assert (toolkit, why) == (None, "ASCEND_HOME_PATH names a stand-in")


def test_without_a_compiler_it_says_what_still_works(opgen: Opgen, tmp_path: Path) -> None:
    ran = opgen("doctor", PATH=str(tmp_path), CUSTOM_OP_PYTHON=sys.executable)
    assert ran.returncode == 0, ran.stderr
    assert "g++                   not found\n" in ran.stdout
    assert "without  generate, check, and in `opgen verify` the rungs up to numbers" in ran.stdout
    assert ran.stderr == "`opgen run` cannot work: g++, cmake and make not found\n"
    ran = opgen("doctor", "--install", PATH=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert ran.returncode == 2
    assert "bash, cmake, make and g++ are not on PATH" in ran.stderr
    assert not (tmp_path / "cache").exists()
    assert list(tmp_path.iterdir()) == []
