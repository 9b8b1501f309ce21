"""A failure leaves the old files or the new ones; a kill leaves a journal that the next run undoes."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from disk_support import TEXTS, contents, picture, plan
from opgen.disk import transaction
from opgen.disk.compare import compare, interrupted
from opgen.disk.guard import guard
from opgen.disk.write import clean, write
from opgen.text.findings import CannotWork, Refused

OLD = plan()
NEW = plan({"CMakeLists.txt": "new\n", "run.sh": TEXTS["run.sh"], "deep/er/new.h": "new\n", "README.md": "# 新\n"})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(OLD, tmp_path)
    return tmp_path


def fail_at(monkeypatch: pytest.MonkeyPatch, step: int, error: BaseException, name: str = "_make") -> Callable[[], int]:
    """Makes call `step` of a function of the transaction fail. Returns how often it was called."""
    real, calls = getattr(transaction, name), 0

    def sometimes(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        if calls == step + 1:
            raise error
        return real(*arguments)

    monkeypatch.setattr(transaction, name, sometimes)
    return lambda: calls


def steps_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patch:
        count = fail_at(patch, -1, RuntimeError())
        write(NEW, tmp_path)
    return count()


def test_every_step_that_fails_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rehearsal").mkdir()
    write(OLD, tmp_path / "rehearsal")
    steps = steps_of_a_run(tmp_path / "rehearsal", monkeypatch)
    assert steps > len(NEW.files)
    project = tmp_path / "project"
    project.mkdir()
    write(OLD, project)
    before = picture(project)
    for error in (OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()):
        for step in range(steps):
            with monkeypatch.context() as patch:
                fail_at(patch, step, error)
                with pytest.raises((CannotWork, KeyboardInterrupt, MemoryError)):
                    write(NEW, project)
            assert picture(project) == before, (error, step)


def test_an_error_while_staging_leaves_the_old_files(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = picture(project)
    for step in range(5):
        with monkeypatch.context() as patch:
            fail_at(patch, step, OSError(28, "No space left on device"), "_write")
            with pytest.raises(CannotWork, match="No space left"):
                write(NEW, project)
        assert picture(project) == before


def test_a_first_run_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_at(monkeypatch, 3, OSError(13, "Permission denied", "x"))
    with pytest.raises(CannotWork, match="Permission denied") as failed:
        write(NEW, tmp_path)
    assert failed.value.fix == "the old files were put back"
    assert list(tmp_path.iterdir()) == []


def kill_at(monkeypatch: pytest.MonkeyPatch, project: Path, step: int) -> None:
    """Leaves the disk as a process does that is killed before step `step`."""

    class Killed(BaseException):
        pass

    with monkeypatch.context() as patch:
        fail_at(patch, step, Killed())
        patch.setattr(transaction, "_give_up", lambda *_: None)
        with pytest.raises(Killed):
            write(NEW, project)


def test_a_kill_at_every_step_is_undone_by_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rehearsal").mkdir()
    write(OLD, tmp_path / "rehearsal")
    for step in range(steps_of_a_run(tmp_path / "rehearsal", monkeypatch)):
        project = tmp_path / str(step)
        project.mkdir()
        write(OLD, project)
        before = picture(project)
        kill_at(monkeypatch, project, step)
        assert compare(OLD, project).interrupted
        outcome = write(OLD, project)
        assert outcome.recovered
        assert outcome.edited_since == ()
        assert {a.word for a in outcome.actions} == {"identical"}
        assert picture(project) == before


def test_a_kill_is_followed_by_the_new_files_too(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_at(monkeypatch, project, 4)
    assert write(NEW, project).recovered
    assert contents(project) == {file.path: file.content.encode() for file in NEW}
    assert not (project / ".opgen/staging").exists()


def test_an_edit_after_the_kill_is_not_lost(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_at(monkeypatch, project, 6)
    (project / "README.md").write_text("edited after the kill\n")
    with pytest.raises(Refused) as refused:
        write(NEW, project)
    assert [f.rule for f in refused.value.findings] == ["OPG606"]
    assert (project / "README.md").read_text() == "edited after the kill\n"
    assert not interrupted(project)


def test_an_edit_of_a_file_that_the_killed_run_made_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_at(monkeypatch, tmp_path, 8)
    made = [path for path in contents(tmp_path) if path.endswith(".md")]
    assert made
    for path in made:
        (tmp_path / path).write_text("edited after the kill\n")
    with pytest.raises(Refused) as refused:
        write(NEW, tmp_path)
    assert {f.rule for f in refused.value.findings} == {"OPG607"}
    assert set(contents(tmp_path)) == set(made)
    assert {(tmp_path / path).read_text() for path in made} == {"edited after the kill\n"}


def test_clean_undoes_a_killed_run_first(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill_at(monkeypatch, project, 5)
    assert clean(project).recovered
    assert list(project.iterdir()) == []


def test_a_real_kill(project: Path) -> None:
    program = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from opgen.disk import transaction\n"
        "from opgen.disk.write import write\n"
        "from test_disk_transaction import NEW\n"
        "real = transaction._make\n"
        "def make(folder, index, step):\n"
        "    if index == 4:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    real(folder, index, step)\n"
        "transaction._make = make\n"
        f"write(NEW, Path({str(project)!r}))\n"
    )
    before = contents(project)
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path}, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert interrupted(project)
    assert contents(project) != before
    write(OLD, project)
    assert contents(project) == before
    assert sorted(p.name for p in (project / ".opgen").iterdir()) == ["base", "lock.json"]


def test_when_the_old_files_cannot_be_put_back_the_journal_stays(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = picture(project)
    with monkeypatch.context() as patch:
        fail_at(patch, 3, OSError(5, "Input/output error"))
        fail_at(patch, 0, OSError(5, "Input/output error"), "_undo")
        with pytest.raises(CannotWork, match="could not be put back"):
            write(NEW, project)
    assert interrupted(project)
    write(OLD, project)
    assert picture(project) == before


@pytest.mark.parametrize("path", ["../victim", "/victim", "op.yaml", ".opgen/base/../../../victim", ".git/config", 7])
def test_a_forged_journal_reaches_nothing_outside(tmp_path: Path, path: object) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine\n")
    project = tmp_path / "project"
    project.mkdir()
    write(OLD, project)
    (project / ".opgen/staging").mkdir()
    forged = {"format": 1, "steps": [{"path": path, "old": None, "new": None}], "folders": []}
    (project / ".opgen/staging/journal.json").write_text(json.dumps(forged))
    with pytest.raises(Refused) as refused:
        write(NEW, project)
    assert [f.rule for f in refused.value.findings] == ["OPG608"]
    assert victim.read_text() == "mine\n"
    assert contents(project) == {file.path: file.content.encode() for file in OLD}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"steps": [{}], "folders": []}', "\x00", '{"steps": 1, "folders": 1}']
)
def test_a_broken_journal_is_told(project: Path, text: str) -> None:
    (project / ".opgen/staging").mkdir()
    (project / ".opgen/staging/journal.json").write_text(text)
    with pytest.raises(Refused) as refused:
        write(NEW, project)
    assert [f.rule for f in refused.value.findings] == ["OPG608"]


def test_leftovers_without_a_journal_are_swept_away(project: Path) -> None:
    (project / ".opgen/staging/new").mkdir(parents=True)
    (project / ".opgen/staging/new/0").write_text("half a file")
    assert not interrupted(project)
    write(NEW, project)
    assert not (project / ".opgen/staging").exists()


def _try(folder: str, answer: multiprocessing.Queue[str]) -> None:
    try:
        write(NEW, Path(folder))
    except CannotWork as error:
        answer.put(error.message)
    else:
        answer.put("written")


def test_two_runs_do_not_write_at_once(project: Path) -> None:
    answer: multiprocessing.Queue[str] = multiprocessing.get_context("spawn").Queue()
    before = contents(project)
    with guard(project):
        process = multiprocessing.get_context("spawn").Process(target=_try, args=(str(project), answer))
        process.start()
        assert "another opgen is at work" in answer.get(timeout=60)
        process.join()
    assert contents(project) == before
    write(NEW, project)
    assert not (project / ".opgen/guard").exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs permissions that hold")
def test_a_folder_that_cannot_be_written(project: Path) -> None:
    before = contents(project)
    project.chmod(0o555)
    (project / ".opgen").chmod(0o555)
    try:
        with pytest.raises(CannotWork):
            write(NEW, project)
    finally:
        project.chmod(0o755)
        (project / ".opgen").chmod(0o755)
    assert contents(project) == before
