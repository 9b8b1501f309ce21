"""Interruption and abuse: whatever the system, another process or a forger does, the old files or the new ones are
there, and nothing outside the project changes. P57, P58, P68."""

from __future__ import annotations

import builtins
import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cli_support import Run, run, write_spec
from conftest import Opgen
from disk_support import TEXTS, contents, picture, plan
from opgen.disk.compare import interrupted, unchanged
from opgen.disk.write import clean, write
from opgen.text.findings import CannotWork, Refused

__all__ = ["run"]

OLD = plan()
NEW = plan({"CMakeLists.txt": "new\n", "run.sh": "new\n", "deep/er/new.h": "new\n", "README.md": "# 新\n"})
LONGER = plan({**TEXTS, "CMakeLists.txt": TEXTS["CMakeLists.txt"] + "end()\n", "deep/new.h": "new\n"})

# Everything through which a run touches the disk.
PRIMITIVES: tuple[tuple[Any, str], ...] = (
    (Path, "replace"),
    (Path, "rename"),
    (Path, "unlink"),
    (Path, "mkdir"),
    (Path, "rmdir"),
    (Path, "chmod"),
    (builtins, "open"),
    (os, "fsync"),
    (os, "open"),
    (shutil, "copy2"),
    (shutil, "rmtree"),
)


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException) -> Iterator[Callable[[], int]]:
    """The call of a primitive with number `at` fails, once. Yields how many there were."""
    calls = 0

    def wrapped(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == at + 1:
                raise error
            return real(*arguments, **named)

        return call

    with monkeypatch.context() as patch:
        for owner, name in PRIMITIVES:
            patch.setattr(owner, name, wrapped(getattr(owner, name)))
        yield lambda: calls


FULL = OSError(errno.ENOSPC, "No space left on device")
DENIED = OSError(errno.EACCES, "Permission denied")
CTRL_C = KeyboardInterrupt()


@pytest.mark.parametrize(
    ("action", "error"),
    [
        ("update", FULL),
        ("update", DENIED),
        ("update", CTRL_C),
        ("first", FULL),
        ("merge", CTRL_C),
        ("merge", FULL),
        ("clean", DENIED),
        ("clean", CTRL_C),
    ],
    ids=lambda value: value if isinstance(value, str) else getattr(value, "strerror", None) or "Ctrl-C",
)
def test_a_failure_of_any_call_leaves_the_old_files_or_the_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str, error: BaseException
) -> None:
    edited = b"mine\n" + TEXTS["CMakeLists.txt"].encode() if action == "merge" else None

    def prepare(folder: Path) -> None:
        folder.mkdir()
        if action != "first":
            write(OLD, folder)
        if edited:
            (folder / "CMakeLists.txt").write_bytes(edited)
        (folder / "op.yaml").write_text("op: AddCustom\n")
        (folder / "notes.txt").write_text("mine\n")

    def act(folder: Path) -> None:
        if action == "clean":
            clean(folder)
        else:
            write(LONGER if action == "merge" else NEW, folder, merge=action == "merge")

    rehearsal = tmp_path / "rehearsal"
    prepare(rehearsal)
    before = contents(rehearsal)
    with failing(monkeypatch, -1, error) as count:
        act(rehearsal)
    after, calls = contents(rehearsal), count()
    assert calls > 10
    for at in range(calls):
        project = tmp_path / str(at)
        prepare(project)
        raised = False
        with failing(monkeypatch, at, error):
            try:
                act(project)
            except (CannotWork, OSError, KeyboardInterrupt, Refused):
                raised = True
        if interrupted(project):
            continue  # the old files could not be put back at once; the next run does that, see below
        left = contents(project)
        assert left in (before, after), (at, action)
        if not raised:
            assert left == after
    for at in range(calls):
        project = tmp_path / str(at)
        act(project)
        assert contents(project) == after, (at, action)
        assert action == "clean" or unchanged(project, "1", "2", "0.1.0")


SLOW = """
import sys, time
from pathlib import Path
from opgen.disk import transaction
from opgen.disk.write import write
from test_disk_abuse import NEW
real = transaction._make
def make(folder, index, step):
    if index == 3:
        print("halfway", flush=True)
        time.sleep(60)
    real(folder, index, step)
transaction._make = make
write(NEW, Path(sys.argv[1]))
"""


def halfway(project: Path) -> subprocess.Popen[str]:
    """A process that has begun to replace the files of a project."""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(project)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "halfway\n"
    return process


def test_a_real_ctrl_c_puts_the_old_files_back(tmp_path: Path) -> None:
    write(OLD, tmp_path)
    before = picture(tmp_path)
    process = halfway(tmp_path)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode != 0
    assert picture(tmp_path) == before


def test_while_one_run_writes_another_waits_for_nobody_and_says_so(tmp_path: Path, run: Run) -> None:
    folder = write_spec(tmp_path / "add")
    run("generate", "add")
    write_spec(folder, {"README.md": "# 新\n"})
    process = halfway(folder)
    try:
        ran = run("generate", "add")
        assert ran.code == 2
        assert "another opgen is at work" in ran.err
        assert run("clean", "add").code == 2
    finally:
        process.kill()
        process.communicate(timeout=60)
    ran = run("check", "add")
    assert (ran.code, "interrupted [OPG608]" in ran.out) == (1, True)
    assert run("generate", "add").code == 0
    assert run("check", "add").code == 0


def test_many_runs_at_once_end_in_sync(tmp_path: Path, opgen: Opgen) -> None:
    assert opgen("new", "add_custom").returncode == 0
    spec = tmp_path / "add_custom/op.yaml"
    spec.write_text(spec.read_text("utf-8").replace("Adds two", "Sums two").replace("相加", "求和"), "utf-8")
    command = [sys.executable, "-m", "opgen", "generate", "add_custom"]
    processes = [subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    said = [process.communicate(timeout=120)[1] for process in processes]
    for process, words in zip(processes, said, strict=True):
        assert process.returncode == 0 or (process.returncode == 2 and "another opgen is at work" in words), words
    assert any(process.returncode == 0 for process in processes)
    assert opgen("check", "add_custom").returncode == 0


@pytest.mark.parametrize("name", ["README.md", ".opgen/base/README.md.base", ".opgen/lock.json"])
def test_a_huge_file_in_place_of_ours_is_not_read(tmp_path: Path, run: Run, name: str) -> None:
    folder = write_spec(tmp_path / "add")
    run("generate", "add")
    with (folder / name).open("wb") as file:
        file.truncate(3_000_000_000)
    (folder / "op.yaml").write_text((folder / "op.yaml").read_text() + "\n")
    for command in ("check", "generate", "diff"):
        ran = run(command, "add")
        if command != "generate" and name.startswith(".opgen/base"):
            continue  # only a run that writes looks there
        assert ran.code == 2
        assert name in ran.out + ran.err
        assert "Traceback" not in ran.err
    assert (folder / name).stat().st_size == 3_000_000_000


def test_a_pipe_or_a_folder_in_place_of_ours_blocks_nothing(tmp_path: Path, run: Run) -> None:
    folder = write_spec(tmp_path / "add")
    run("generate", "add")
    (folder / "README.md").unlink()
    os.mkfifo(folder / "README.md")
    for command in ("check", "generate"):
        ran = run(command, "add")
        assert ran.code == 2
        assert "error OPG604" in ran.out + ran.err


def test_read_only_files_are_replaced_and_get_ordinary_modes(tmp_path: Path) -> None:
    write(OLD, tmp_path)
    for path in TEXTS:
        (tmp_path / path).chmod(0o444)
    write(NEW, tmp_path)
    assert set(contents(tmp_path)) == {file.path for file in NEW}
    assert {(tmp_path / file.path).stat().st_mode & 0o222 for file in NEW} == {0o200}


@pytest.mark.parametrize("path", ["../outside.txt", "/tmp/outside.txt", ".opgen/../../outside.txt", "a/../../outside"])
def test_a_lock_cannot_name_what_lies_outside(tmp_path: Path, run: Run, path: str) -> None:
    folder = write_spec(tmp_path / "add")
    run("generate", "add")
    (tmp_path / "outside.txt").write_text(TEXTS["README.md"])
    lock = folder / ".opgen/lock.json"
    lock.write_text(lock.read_text().replace('"README.md"', f'"{path}"'))
    before = {k: v for k, v in picture(tmp_path).items() if not k.startswith("add/.opgen/guard")}
    for words in (["generate", "add"], ["generate", "add", "--force"], ["clean", "add", "--force"], ["eject", "add"]):
        ran = run(*words)
        assert ran.code == 2, words
        assert "OPG602" in ran.err
    assert picture(tmp_path) == before


@pytest.mark.parametrize("inner", [".opgen", ".opgen/base", "ge", "README.md", ".opgen/backup"])
def test_no_command_follows_a_link_out_of_the_project(tmp_path: Path, run: Run, inner: str) -> None:
    folder = write_spec(tmp_path / "add")
    run("generate", "add")
    (folder / "run.sh").write_text("edited\n")
    outside = tmp_path / "outside"
    if (folder / inner).exists():
        shutil.move(folder / inner, outside)
    else:
        outside.mkdir()
    (folder / inner).symlink_to(outside)
    before = picture(outside) if outside.is_dir() else outside.read_bytes()
    for words in (["generate", "add", "--force"], ["generate", "add", "--merge"], ["clean", "add", "--force"]):
        assert run(*words).code == 2, words
    assert (picture(outside) if outside.is_dir() else outside.read_bytes()) == before


def test_conflict_markers_of_git_in_the_lock_are_named_and_either_side_will_do(tmp_path: Path, run: Run) -> None:
    folder = write_spec(tmp_path / "add")
    run("generate", "add")
    lock = folder / ".opgen/lock.json"
    lines = lock.read_text().splitlines(keepends=True)
    other = lines[3].replace(lines[3].split('"')[3], "0" * 64)
    lock.write_text(
        "".join([*lines[:3], "<<<<<<< HEAD\n", lines[3], "=======\n", other, ">>>>>>> topic\n", *lines[4:]])
    )
    ran = run("check", "add")
    assert (ran.code, "lock.json:1:1: error OPG601" in ran.out, "line 4 is a conflict marker" in ran.out) == (
        2,
        True,
        True,
    )
    lock.write_text("".join([*lines[:3], other, *lines[4:]]))
    assert run("generate", "add").code == 0
    assert lock.read_text() == "".join(lines)


def test_names_that_no_text_can_hold_do_no_harm(tmp_path: Path, run: Run) -> None:
    folder = os.fsencode(write_spec(tmp_path / "add"))
    for name in (b"\xff\xfe", b"a\nb", b"op.yaml "):
        Path(os.fsdecode(folder + b"/" + name)).write_text("mine\n")
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd\xff"))
    write_spec(odd)
    assert run("generate", ".").code == 0
    ran = run("check", ".", "--format", "json")
    assert ran.code == 0
    (odd / "run.sh").unlink()
    assert "odd\\xff/run.sh: missing" in run("check", ".").out
