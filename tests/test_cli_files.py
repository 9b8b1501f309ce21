"""generate, check, diff and clean: what they print, what they return, what they leave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Run, run, write_spec
from disk_support import TEXTS, contents, picture
from opgen.disk import transaction

__all__ = ["run"]


@pytest.fixture
def project(tmp_path: Path, run: Run) -> Path:
    folder = write_spec(tmp_path / "add")
    assert run("generate", "add").code == 0
    return folder


def test_a_life(run: Run, tmp_path: Path) -> None:
    folder = write_spec(tmp_path / "add")
    ran = run("check", "add")
    assert ran.code == 1
    assert "add/run.sh: missing [OPG611]\n" in ran.out
    ran = run("generate", "add")
    assert ran.code == 0
    assert ran.out == ""
    assert ran.err.splitlines() == [*(f"create    add/{p}" for p in sorted(TEXTS)), "add/op.yaml: 4 created"]
    assert run("check", "add") == run("check", "add/op.yaml")
    assert run("check", "add").code == run("diff", "add").code == 0
    write_spec(folder, {**TEXTS, "README.md": "# 新\n"})
    ran = run("check", "add")
    assert (ran.code, ran.out) == (1, "add/README.md: changed [OPG610]\n")
    assert "`opgen generate add` repairs them" in ran.err
    ran = run("diff", "add")
    assert ran.code == 1
    assert ran.out == "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# 算子\n+# 新\n"
    assert "update    add/README.md" in run("generate", "add").err
    assert run("check", "add").code == 0


def test_check_tells_how_an_open_conflict_is_resolved(run: Run, project: Path) -> None:
    (project / "run.sh").write_text("<<<<<<< a\nmine\n=======\ntheirs\n>>>>>>> b\n")
    ran = run("check", "add")
    assert (ran.code, ran.out) == (1, "add/run.sh: conflict markers [OPG615]\n")
    assert "remove the markers, then `opgen generate add`" in ran.err
    assert "--merge" not in ran.err and "repairs them" not in ran.err


def test_an_edit_is_refused_with_its_diff_and_three_ways_out(run: Run, project: Path) -> None:
    (project / "run.sh").write_text("echo mine\n")
    ran = run("check", "add")
    assert (ran.code, ran.out) == (1, "add/run.sh: edited [OPG606]\n")
    assert "--force" in ran.err
    before = picture(project)
    ran = run("generate", "add")
    assert ran.code == 1
    assert ran.out == "--- a/run.sh\n+++ b/run.sh\n@@ -1 +1 @@\n-echo mine\n+#!/usr/bin/env bash\n"
    assert "conflict  add/run.sh" in ran.err
    assert "error OPG606" in ran.err
    assert "nothing was written" in ran.err
    assert picture(project) == before
    ran = run("generate", "add", "--force")
    assert ran.code == 0
    assert ".opgen/backup/run.sh.orig" in ran.err
    assert run("check", "add").code == 0


@pytest.mark.parametrize("command", ["check", "generate", "diff"])
def test_a_wrong_op_yaml_is_2_with_its_place_and_touches_nothing(run: Run, project: Path, command: str) -> None:
    write_spec(project, {**TEXTS, "x": "!error"})
    before = picture(project)
    ran = run(command, "add")
    assert ran.code == 2
    assert "add/op.yaml:1:3: error OPG203: no dim" in ran.out + ran.err
    assert "^^" in ran.out + ran.err
    assert "Traceback" not in ran.err
    assert picture(project) == before


def test_warnings_count_under_strict(run: Run, project: Path) -> None:
    write_spec(project, {**TEXTS, "x": "!warning"})
    assert run("generate", "add").code == 0
    for _ in range(2):
        ran = run("check", "add")
        assert ran.code == 0
        assert "warning OPG203" in ran.out
        assert run("check", "add", "--strict").code == 1
    assert run("generate", "add", "--strict").code == 1
    write_spec(project, {**TEXTS, "x": "!note"})
    assert run("check", "add", "--strict").code == 0


def test_json(run: Run, project: Path) -> None:
    (project / "run.sh").unlink()
    (project / "README.md").write_text("mine\n")
    ran = run("check", "add", "--format", "json")
    told = json.loads(ran.out)
    assert ran.code == 1
    assert ran.err == ""
    assert told["format"] == 1
    assert told["errors"] == 2
    assert [(f["rule"], f["file"]) for f in told["findings"]] == [("OPG606", "add/README.md"), ("OPG611", "add/run.sh")]
    assert all(f["what"] and f["why"] and f["fix"] for f in told["findings"])
    told = json.loads(run("generate", "add", "--format", "json").out)
    assert [f["rule"] for f in told["findings"]] == ["OPG606"]
    assert told["files"] == []
    told = json.loads(run("generate", "add", "--format", "json", "--force").out)
    assert {f["path"]: f["word"] for f in told["files"]} == {
        "add/CMakeLists.txt": "identical",
        "add/README.md": "update",
        "add/ge/custom_op.cpp": "identical",
        "add/run.sh": "create",
    }
    assert json.loads(run("check", "add", "--format", "json").out)["findings"] == []


def test_github(run: Run, project: Path) -> None:
    (project / "run.sh").unlink()
    ran = run("check", "add", "--format", "github")
    assert ran.code == 1
    assert ran.out.startswith("::error file=add/run.sh,line=1")


def test_a_dry_run_says_what_would_be_done(run: Run, project: Path) -> None:
    write_spec(project, {"README.md": "# 新\n"})
    before = picture(project)
    ran = run("generate", "add", "--dry-run")
    assert ran.code == 0
    assert "update    add/README.md" in ran.err
    assert "remove    add/run.sh" in ran.err
    assert ran.err.endswith("add/op.yaml: would be 1 updated, 3 removed\n")
    assert picture(project) == before


def test_renamed_files_leave_nothing_behind(run: Run, project: Path) -> None:
    write_spec(project, {"README.md": "# 算子\n", "ge/sub.h": "x\n"})
    assert run("check", "add").out == (
        "add/CMakeLists.txt: extra [OPG612]\nadd/ge/custom_op.cpp: extra [OPG612]\n"
        "add/ge/sub.h: missing [OPG611]\nadd/run.sh: extra [OPG612]\n"
    )
    (project / "run.sh").write_text("mine\n")
    (project / "notes.txt").write_text("mine\n")
    ran = run("generate", "add")
    assert ran.code == 1
    assert "keep      add/run.sh  (edited" in ran.err
    assert set(contents(project)) == {"op.yaml", "README.md", "ge/sub.h", "run.sh", "notes.txt"}
    assert run("check", "add").out == "add/run.sh: extra, edited [OPG609]\n"
    assert run("generate", "add", "--force").code == 0
    assert set(contents(project)) == {"op.yaml", "README.md", "ge/sub.h", "notes.txt"}
    assert run("check", "add").code == 0


def test_a_checkout_with_crlf(run: Run, project: Path) -> None:
    for path in TEXTS:
        (project / path).write_bytes((project / path).read_bytes().replace(b"\n", b"\r\n"))
    ran = run("check", "add")
    assert ran.code == 1
    assert ran.out.splitlines() == [f"add/{path}: line endings only [OPG613]" for path in sorted(TEXTS)]
    ran = run("generate", "add")
    assert ran.code == 0
    assert "update    add/run.sh  (line endings only)" in ran.err
    assert run("check", "add").code == 0


def test_files_of_the_user(run: Run, tmp_path: Path) -> None:
    folder = write_spec(tmp_path / "add", {**TEXTS, "kernel.py": "skeleton\n"})
    assert "create    add/kernel.py  (yours from now on)" in run("generate", "add").err
    (folder / "kernel.py").unlink()
    assert run("check", "add").code == 0
    assert "keep      add/kernel.py  (deleted; --restore writes it again)" in run("generate", "add").err
    assert "create    add/kernel.py" in run("generate", "add", "--restore").err


def test_an_interrupted_run_is_told_and_undone(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_spec(project, {**TEXTS, "README.md": "# 新\n", "run.sh": "new\n"})
    before = contents(project)
    with monkeypatch.context() as patch:
        real = transaction._make

        def make(folder: Path, index: int, step: transaction._Step) -> None:
            if index == 2:
                raise KeyboardInterrupt
            real(folder, index, step)

        patch.setattr(transaction, "_make", make)
        assert run("generate", "add").code == 130
        assert contents(project) == before
        patch.setattr(transaction, "_give_up", lambda *_: None)
        assert run("generate", "add").code == 130
    ran = run("check", "add")
    assert ran.code == 1
    assert ran.out == "add/.opgen/staging/journal.json: interrupted [OPG608]\n"
    for words in (["diff", "add"], ["generate", "add", "--dry-run"], ["clean", "add", "--dry-run"]):
        ran = run(*words)
        assert ran.code == 2
        assert "an earlier run was interrupted" in ran.err
        assert "it puts the old files back first" in ran.err
    assert "an interrupted run was undone first" in run("generate", "add").err
    assert run("check", "add").code == 0


def test_a_broken_lock_is_2_and_says_what_to_do(run: Run, project: Path) -> None:
    lock = project / ".opgen/lock.json"
    lock.write_text("<<<<<<< ours\n" + lock.read_text())
    for command in ("check", "generate", "diff", "clean"):
        ran = run(command, "add")
        assert ran.code == 2
        assert "add/.opgen/lock.json:1:1: error OPG601" in ran.out + ran.err
        assert "conflict marker" in ran.out + ran.err


def test_clean(run: Run, project: Path) -> None:
    (project / "run.sh").write_text("mine\n")
    assert "would be removed" in run("clean", "add", "--dry-run").err
    ran = run("clean", "add")
    assert ran.code == 1
    assert "remove    add/README.md" in ran.err
    assert "keep      add/run.sh" in ran.err
    assert set(contents(project)) == {"op.yaml", "run.sh"}
    assert run("clean", "add", "--force").code == 0
    assert set(contents(project)) == {"op.yaml"}


def test_many_projects_in_one_run(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_spec(tmp_path / name)
    write_spec(tmp_path / "b", {"x": "!error"})
    ran = run("generate", ".")
    assert ran.code == 2
    assert (tmp_path / "a/run.sh").exists()
    assert (tmp_path / "c/run.sh").exists()
    ran = run("check", ".")
    assert ran.code == 2
    assert "b/op.yaml:1:3: error" in ran.out
    write_spec(tmp_path / "b")
    run("generate", ".")
    assert run("check", ".").err == "3 projects in sync\n"
    (tmp_path / "c/run.sh").unlink()
    assert run("check", "a", "b", "c").out == "c/run.sh: missing [OPG611]\n"


def test_check_of_an_unchanged_project_renders_nothing(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from opgen.cli.projects import Project

    def fail(_: Project) -> None:
        raise AssertionError("rendered")

    monkeypatch.setattr(Project, "plan", fail)
    assert run("check", "add").code == 0
    assert run("diff", "add").code == 0
