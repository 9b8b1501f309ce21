"""The stand-in is built once, whoever asks, and a build that fails leaves nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from ge_support import CLANG_FORMAT, STYLE, project, write
from ge_zoo import library_text
from opgen.sim import build, home
from opgen.text.findings import CannotWork
from standin_support import HERE, place

Lines = list[str]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "opgen"


def put_a_file(folder: Path, *_: object) -> None:
    time.sleep(0.2)
    (folder / "set_env.sh").write_text("built\n")


def test_two_that_come_at_once_build_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build", put_a_file)
    found: list[Path] = []
    said: list[Lines] = [[], []]
    threads = [threading.Thread(target=lambda lines=lines: found.append(build.ensure(lines.append))) for lines in said]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2 and found[0] == found[1] == build.find()
    builders, others = sorted(said, key=len, reverse=True)
    assert [line.split()[0] for line in builders] == ["building", "CANN"]
    assert others in ([], ["waiting for another process that builds the CANN stand-in"])
    assert sorted(path.name for path in cache.iterdir()) == [found[0].name, "standin.lock"]


def test_it_is_found_again_without_a_word(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build", put_a_file)
    assert build.find() is None
    first = build.ensure(lambda line: None)
    said: Lines = []
    assert build.ensure(said.append) == first and not said


def test_flavours_sanitizers_and_compilers_lie_apart(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build", put_a_file)
    folders = {
        build.ensure(lambda line: None, flavour="9.2"),
        build.ensure(lambda line: None, flavour="9.1"),
        build.ensure(lambda line: None, sanitize=True),
        build.ensure(lambda line: None, sanitize="thread"),
    }
    compiler = cache.parent / "g++"
    compiler.write_text("#!/bin/sh\necho g++ 99.0\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    folders.add(build.ensure(lambda line: None))
    assert len(folders) == 5


def test_a_build_that_fails_leaves_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(folder: Path, *_: object) -> None:
        (folder / "half").write_text("")
        raise CannotWork("the compiler fell over")

    monkeypatch.setattr(build, "build", fail)
    with pytest.raises(CannotWork, match="the compiler fell over"):
        build.ensure(lambda line: None)
    assert [path.name for path in cache.iterdir()] == ["standin.lock"]
    monkeypatch.setattr(build, "build", put_a_file)
    assert build.ensure(lambda line: None).is_dir()


def test_what_killed_builds_and_old_versions_left_is_removed(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build", put_a_file)
    folder = build.ensure(lambda line: None)
    (folder / "set_env.sh").unlink()
    folder.rename(folder.parent / f".{folder.name}-killed")
    old = folder.parent / "standin-0123456789abcdef"
    recent = folder.parent / "standin-fedcba9876543210"
    for other in (old, recent):
        other.mkdir()
    os.utime(old, (0, 0))
    build.ensure(lambda line: None)
    assert sorted(path.name for path in cache.iterdir()) == sorted([recent.name, folder.name, "standin.lock"])


@pytest.mark.parametrize("missing", ["g++", "cmake"])
def test_a_missing_program_is_named(cache: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    programs = cache.parent / "bin"
    programs.mkdir(parents=True)
    for name in {"g++", "cmake"} - {missing}:
        (programs / name).write_text("#!/bin/sh\necho g++ 12\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(CannotWork) as raised:
        build.ensure(lambda line: None)
    assert raised.value.message == f"{missing} is not on PATH"
    assert "apt install g++ cmake make" in raised.value.fix


def test_the_first_error_of_the_build_is_told(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = cache.parent / "bin"
    programs.mkdir(parents=True)
    (programs / "cmake").write_text("#!/bin/sh\necho quiet\necho 'x.cc:1: error: no room'\nexit 1\n")
    (programs / "cmake").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(CannotWork, match=r"cannot be built: x\.cc:1: error: no room"):
        build.ensure(lambda line: None)


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(CannotWork) as raised:
        build.ensure(lambda line: None)
    assert "XDG_CACHE_HOME" in raised.value.fix


def test_it_has_the_shape_of_a_toolkit() -> None:
    there = place().home
    assert (there / "include" / "graph" / "custom_op.h").is_file()
    assert (there / "opp" / "built-in" / "op_proto" / "inc" / "ops_proto_legacy.h").is_file()
    assert (there / "lib64" / "libcustom_op_registry_static.a").is_file()
    assert not (place("9.1").home / "lib64" / "libcustom_op_registry_static.a").exists()
    command = f"source '{there}/set_env.sh' && command -v atc && echo \"$ASCEND_HOME_PATH\" && atc --model=x.air"
    result = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", check=False)
    assert result.stdout.splitlines() == [f"{there}/bin/atc", str(there)]
    assert "ATC: --framework is missing" in result.stderr


def test_its_text_is_formatted() -> None:
    files = [p for top in (home(), HERE) for p in sorted(top.rglob("*")) if p.suffix in (".cc", ".h")]
    assert len(files) > 60
    command = [str(CLANG_FORMAT), f"--style={STYLE}", "--dry-run", "--Werror", *map(str, files)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr[:2000]


@pytest.mark.full
def test_settings_of_the_user_do_not_reach_the_build(cache: Path) -> None:
    """In a cache with a space in its path, with two processes at once."""
    code = "from opgen.sim.build import ensure; print(ensure(print))"
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(cache.parent / "my cache"),
        "CXXFLAGS": "-no-such-flag",
        "LDFLAGS": "-no-such-flag",
        "DESTDIR": str(cache.parent / "elsewhere"),
        "CMAKE_GENERATOR": "No Such Generator",
        "MAKEFLAGS": "--no-such-flag",
    }
    command = [sys.executable, "-c", code]
    processes = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8") for _ in range(2)]
    outputs = [process.communicate()[0].splitlines() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert outputs[0][-1] == outputs[1][-1] and Path(outputs[0][-1], "bin", "atc").is_file()
    assert sum("built in" in line for output in outputs for line in output) == 1
    assert not (cache.parent / "elsewhere").exists()


@pytest.mark.parametrize(("flavour", "archive", "code"), [("9.2", True, 0), ("9.1", False, 0), ("9.2", False, 1)])
def test_an_offline_project_stops_where_the_archive_of_a_toolkit_is_missing(
    flavour: build.Flavour, archive: bool, code: int, tmp_path: Path
) -> None:
    toolkit = shutil.copytree(place(flavour).home, tmp_path / "cann", symlinks=True)
    if not archive:
        (toolkit / "lib64" / "libcustom_op_registry_static.a").unlink(missing_ok=True)
    folder = write(project(library_text("offline"))[1], tmp_path / "project")
    command = ["cmake", "-S", str(folder), "-B", str(tmp_path / "build"), f"-DCANN={toolkit}"]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == code, result.stderr
    assert ("lacks libcustom_op_registry_static.a" in result.stderr) == bool(code)
