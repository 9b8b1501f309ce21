"""Clean removes what is ours and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from disk_support import TEXTS, contents, picture, plan
from opgen.disk.write import clean, write

ONCE = {"kernel.py": "skeleton\n"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(plan(once=ONCE), tmp_path)
    (tmp_path / "op.yaml").write_text("op: AddCustom\n")
    (tmp_path / "ge/mine.h").write_text("mine\n")
    return tmp_path


def test_only_files_of_the_user_are_left(project: Path) -> None:
    outcome = clean(project)
    assert {a.path: a.word for a in outcome.actions} == {**dict.fromkeys(TEXTS, "remove"), "kernel.py": "keep"}
    assert set(contents(project)) == {"op.yaml", "ge/mine.h", "kernel.py"}
    assert not (project / ".opgen").exists()


def test_edited_files_are_kept_and_still_known(project: Path) -> None:
    (project / "run.sh").write_text("edited\n")
    outcome = clean(project)
    assert outcome.left
    assert set(contents(project)) == {"op.yaml", "ge/mine.h", "kernel.py", "run.sh"}
    assert clean(project).left
    assert not clean(project, force=True).left
    assert (project / ".opgen/backup/run.sh.orig").read_text() == "edited\n"
    assert not (project / "run.sh").exists()


def test_a_dry_run_removes_nothing(project: Path) -> None:
    before = picture(project)
    assert {a.word for a in clean(project, dry_run=True).actions} == {"remove", "keep"}
    assert picture(project) == before


def test_a_folder_without_lock_has_nothing_of_ours(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(TEXTS["run.sh"])
    assert clean(tmp_path).actions == ()
    assert [p.name for p in tmp_path.iterdir()] == ["run.sh"]


def test_files_that_are_gone_already(project: Path) -> None:
    (project / "run.sh").unlink()
    assert "run.sh" not in {a.path for a in clean(project).actions}
    assert not (project / ".opgen").exists()
