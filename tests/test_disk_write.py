"""Plan x folder -> files: what is written, what is kept, what is refused."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from disk_support import TEXTS, contents, picture, plan
from opgen.disk.compare import compare, unchanged
from opgen.disk.diff import unified
from opgen.disk.plan import Plan
from opgen.disk.write import Conflict, Outcome, clean, preview, write
from opgen.text.findings import Finding, Refused

EDITED = "int main() { return 1; }\n"


def words(outcome: Outcome) -> dict[str, str]:
    return {action.path: action.word for action in outcome.actions}


def statuses(planned: Plan, folder: Path) -> dict[str, str]:
    return {state.path: state.status for state in compare(planned, folder).states}


def rules(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [finding.rule for finding in refused.value.findings]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(plan(), tmp_path)
    return tmp_path


def test_a_first_run_creates_everything(tmp_path: Path) -> None:
    assert set(statuses(plan(), tmp_path).values()) == {"create"}
    assert set(words(write(plan(), tmp_path)).values()) == {"create"}
    assert contents(tmp_path) == {path: text.encode() for path, text in TEXTS.items()}
    assert sorted(p.name for p in (tmp_path / ".opgen").iterdir()) == ["base", "lock.json"]


def test_bases_hold_the_last_written_texts(project: Path) -> None:
    bases = {
        p.relative_to(project / ".opgen/base").as_posix(): p.read_text() for p in project.glob(".opgen/base/**/*.base")
    }
    assert bases == {f"{path}.base": text for path, text in TEXTS.items()}
    write(plan({**TEXTS, "run.sh": "echo\n"}), project)
    assert (project / ".opgen/base/run.sh.base").read_text() == "echo\n"


def test_a_second_run_touches_nothing(project: Path) -> None:
    before = picture(project)
    assert set(words(write(plan(), project)).values()) == {"identical"}
    assert picture(project) == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no executable bit")
def test_only_executables_have_the_bit(project: Path) -> None:
    executable = {p for p in contents(project) if (project / p).stat().st_mode & 0o111}
    assert executable == {"run.sh"}
    assert all((project / p).stat().st_mode & stat.S_IWUSR for p in contents(project))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no executable bit")
@pytest.mark.parametrize(("path", "mode"), [("run.sh", 0o644), ("README.md", 0o755)])
def test_a_wrong_bit_is_repaired(project: Path, path: str, mode: int) -> None:
    (project / path).chmod(mode)
    assert statuses(plan(), project)[path] == "mode"
    assert "executable" in "".join(unified(compare(plan(), project).states[sorted(TEXTS).index(path)]))
    assert not unchanged(project, "1", "2", "0.1.0")
    assert words(write(plan(), project))[path] == "update"
    assert set(statuses(plan(), project).values()) == {"identical"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no executable bit")
def test_a_file_system_that_makes_everything_executable_is_in_sync(project: Path) -> None:
    for path in project.rglob("*"):
        path.chmod(0o777)
    assert set(statuses(plan(), project).values()) == {"identical"}


def test_a_changed_plan_updates_only_what_differs(project: Path) -> None:
    new = plan({**TEXTS, "README.md": "# 新\n"})
    before = picture(project)
    assert statuses(new, project) == {p: "update" if p == "README.md" else "identical" for p in TEXTS}
    write(new, project)
    after = picture(project)
    assert {p for p in before if before[p] != after[p]} == {
        "README.md",
        ".opgen/base/README.md.base",
        ".opgen/lock.json",
    }


def test_a_deleted_file_comes_back(project: Path) -> None:
    (project / "README.md").unlink()
    assert statuses(plan(), project)["README.md"] == "missing"
    assert words(write(plan(), project))["README.md"] == "create"
    assert (project / "README.md").read_text() == TEXTS["README.md"]


def test_an_edit_is_a_conflict_and_nothing_is_written(project: Path) -> None:
    (project / "ge/custom_op.cpp").write_text(EDITED)
    (project / "README.md").unlink()
    before = picture(project)
    with pytest.raises(Conflict) as refused:
        write(plan({**TEXTS, "CMakeLists.txt": "new\n"}), project)
    assert rules(refused) == ["OPG606"]
    assert picture(project) == before
    (state,) = refused.value.states
    assert "".join(unified(state)) == (
        f"--- a/ge/custom_op.cpp\n+++ b/ge/custom_op.cpp\n@@ -1 +1 @@\n-{EDITED}+{TEXTS['ge/custom_op.cpp']}"
    )


def test_an_edit_that_is_what_the_plan_says_now_is_no_conflict(project: Path) -> None:
    (project / "README.md").write_text("# 新\n")
    assert statuses(plan({**TEXTS, "README.md": "# 新\n"}), project)["README.md"] == "identical"


def test_force_replaces_an_edit_and_keeps_it(project: Path) -> None:
    (project / "ge/custom_op.cpp").write_text(EDITED)
    outcome = write(plan(), project, force=True)
    assert (project / "ge/custom_op.cpp").read_text() == TEXTS["ge/custom_op.cpp"]
    assert (project / ".opgen/backup/ge/custom_op.cpp.orig").read_text() == EDITED
    (note,) = [action.note for action in outcome.actions if action.word == "update"]
    assert ".opgen/backup/ge/custom_op.cpp.orig" in note
    assert set(statuses(plan(), project).values()) == {"identical"}


def test_backups_never_replace_one_another(project: Path) -> None:
    for text in ("first\n", "second\n", "first\n"):
        (project / "run.sh").write_text(text)
        write(plan(), project, force=True)
    backups = {p.name: p.read_text() for p in (project / ".opgen/backup").iterdir()}
    assert backups == {"run.sh.orig": "first\n", "run.sh.orig.2": "second\n"}


def test_a_file_that_was_there_before_is_a_conflict(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine\n")
    before = picture(tmp_path)
    with pytest.raises(Conflict) as refused:
        write(plan(), tmp_path)
    assert rules(refused) == ["OPG607"]
    assert picture(tmp_path) == before
    write(plan(), tmp_path, force=True)
    assert (tmp_path / ".opgen/backup/README.md.orig").read_text() == "mine\n"


def test_identical_files_without_a_lock_are_taken_over(project: Path) -> None:
    (project / ".opgen/lock.json").unlink()
    assert set(words(write(plan(), project)).values()) == {"identical"}
    assert unchanged(project, "1", "2", "0.1.0")


def test_files_of_the_user_are_written_once(tmp_path: Path) -> None:
    mine = plan(once={"kernel.py": "skeleton\n"})
    assert words(write(mine, tmp_path))["kernel.py"] == "create"
    (tmp_path / "kernel.py").write_text("my kernel\n")
    for force in (False, True):
        assert words(write(plan(once={"kernel.py": "other\n"}), tmp_path, force=force))["kernel.py"] == "keep"
    assert (tmp_path / "kernel.py").read_text() == "my kernel\n"
    (tmp_path / "kernel.py").unlink()
    assert statuses(mine, tmp_path)["kernel.py"] == "absent"
    assert words(write(mine, tmp_path))["kernel.py"] == "keep"
    assert not (tmp_path / "kernel.py").exists()
    assert words(write(mine, tmp_path, restore=True))["kernel.py"] == "create"
    assert (tmp_path / "kernel.py").read_text() == "skeleton\n"


def test_a_file_that_the_user_wrote_first_is_the_user_s(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text("my kernel\n")
    write(plan(once={"kernel.py": "skeleton\n"}), tmp_path)
    assert (tmp_path / "kernel.py").read_text() == "my kernel\n"
    (tmp_path / "kernel.py").unlink()
    assert statuses(plan(once={"kernel.py": "skeleton\n"}), tmp_path)["kernel.py"] == "absent"


def test_a_file_of_the_user_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text("shared\n")
    project = tmp_path / "project"
    project.mkdir()
    (project / "kernel.py").symlink_to("../shared.py")
    mine = plan(once={"kernel.py": "skeleton\n"})
    assert words(write(mine, project))["kernel.py"] == "keep"
    assert (tmp_path / "shared.py").read_text() == "shared\n"
    clean(project)
    assert (project / "kernel.py").read_text() == "shared\n"
    (tmp_path / "shared.py").unlink()
    with pytest.raises(Refused) as refused:
        write(mine, project)
    assert rules(refused) == ["OPG603"]


def test_a_file_of_the_user_that_is_no_longer_planned_stays(tmp_path: Path) -> None:
    write(plan(once={"kernel.py": "skeleton\n"}), tmp_path)
    write(plan(), tmp_path)
    assert (tmp_path / "kernel.py").read_text() == "skeleton\n"
    assert "kernel.py" not in statuses(plan(), tmp_path)


def test_a_generated_path_that_was_the_user_s_is_not_taken(tmp_path: Path) -> None:
    write(plan({}, once={"kernel.py": "skeleton\n"}), tmp_path)
    with pytest.raises(Conflict):
        write(plan({"kernel.py": "generated\n"}), tmp_path)


def test_stale_files_go_and_so_do_folders_they_leave_empty(project: Path) -> None:
    renamed = {path: text for path, text in TEXTS.items() if not path.startswith("ge/")}
    outcome = write(plan(renamed), project)
    assert words(outcome)["ge/custom_op.cpp"] == "remove"
    assert not (project / "ge").exists()
    assert not (project / ".opgen/base/ge").exists()
    assert set(statuses(plan(renamed), project)) == set(renamed)


def test_a_folder_with_other_files_stays(project: Path) -> None:
    (project / "ge/mine.h").write_text("mine\n")
    write(plan({"run.sh": TEXTS["run.sh"]}), project)
    assert set(contents(project)) == {"run.sh", "ge/mine.h"}


def test_a_stale_file_that_was_edited_is_kept_and_reported_until_it_is_dealt_with(project: Path) -> None:
    (project / "ge/custom_op.cpp").write_text(EDITED)
    rest = plan({"run.sh": TEXTS["run.sh"]})
    for _ in range(2):
        outcome = write(rest, project)
        assert outcome.left
        assert words(outcome)["ge/custom_op.cpp"] == "keep"
        assert statuses(rest, project)["ge/custom_op.cpp"] == "stale-edited"
    outcome = write(rest, project, force=True)
    assert not outcome.left
    assert set(contents(project)) == {"run.sh"}
    assert (project / ".opgen/backup/ge/custom_op.cpp.orig").read_text() == EDITED


def test_a_stale_file_that_somebody_removed_is_forgotten(project: Path) -> None:
    (project / "README.md").unlink()
    rest = plan({path: text for path, text in TEXTS.items() if path != "README.md"})
    assert statuses(rest, project)["README.md"] == "gone"
    assert not write(rest, project).left
    assert "README.md" not in statuses(rest, project)


def test_a_checkout_with_crlf_differs_by_line_endings_only(project: Path) -> None:
    for path in TEXTS:
        (project / path).write_bytes((project / path).read_bytes().replace(b"\n", b"\r\n"))
    assert set(statuses(plan(), project).values()) == {"line-endings"}
    assert not unchanged(project, "1", "2", "0.1.0")
    diff = "".join(line for state in compare(plan(), project).states for line in unified(state))
    assert diff.count("CRLF becomes LF") == len(TEXTS)
    assert "@@" not in diff
    changed = plan({**TEXTS, "README.md": "# 新\n"})
    write(changed, project)
    assert contents(project) == {path: text.encode() for path, text in {**TEXTS, "README.md": "# 新\n"}.items()}


def test_a_stale_file_with_crlf_counts_as_unmodified(project: Path) -> None:
    (project / "README.md").write_bytes(TEXTS["README.md"].encode().replace(b"\n", b"\r\n"))
    rest = plan({path: text for path, text in TEXTS.items() if path != "README.md"})
    assert words(write(rest, project))["README.md"] == "remove"


def test_colliding_paths_are_refused_before_anything(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        write(plan({"ge/AddCustom.h": "", "ge/Addcustom.h": ""}), tmp_path)
    assert rules(refused) == ["OPG605"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["../escaped", "/escaped", "a/../../escaped", "op.yaml", ".opgen/lock.json", "CON"])
def test_a_plan_that_leads_out_is_refused_before_anything(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    with pytest.raises(Refused) as refused:
        write(plan({path: "x\n"}), folder, force=True)
    assert rules(refused) == ["OPG602"]
    assert [p.name for p in tmp_path.rglob("*")] == ["project"]


@pytest.mark.parametrize(
    "inner", ["ge", "ge/custom_op.cpp", ".opgen", ".opgen/base", ".opgen/backup", ".opgen/staging"]
)
def test_links_out_of_the_project_are_not_followed(tmp_path: Path, inner: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "custom_op.cpp").write_text("theirs\n")
    folder = tmp_path / "project"
    (folder / inner).parent.mkdir(parents=True)
    (folder / inner).symlink_to(outside / "custom_op.cpp" if inner.endswith(".cpp") else outside)
    before = picture(tmp_path)
    with pytest.raises(Refused) as refused:
        write(plan(), folder, force=True)
    assert set(rules(refused)) == {"OPG603"}
    assert picture(tmp_path) == before


def test_the_project_itself_may_be_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write(plan(), tmp_path / "link")
    assert set(contents(tmp_path / "real")) == set(TEXTS)


@pytest.mark.parametrize("make", ["folder for file", "file for folder"])
def test_something_else_in_the_way_is_refused(tmp_path: Path, make: str) -> None:
    if make == "folder for file":
        (tmp_path / "run.sh").mkdir()
    else:
        (tmp_path / "ge").write_text("mine\n")
    before = picture(tmp_path)
    with pytest.raises(Refused) as refused:
        write(plan(), tmp_path, force=True)
    assert rules(refused) == ["OPG604"]
    assert picture(tmp_path) == before


def test_a_preview_writes_nothing_and_tells_the_same(project: Path) -> None:
    (project / "README.md").write_text("edited\n")
    before = picture(project)
    with pytest.raises(Conflict):
        preview(plan(), project)
    told = preview(plan({"run.sh": "new\n", "README.md": "y\n"}), project, force=True)
    assert picture(project) == before
    assert words(told) == words(write(plan({"run.sh": "new\n", "README.md": "y\n"}), project, force=True))


def test_unchanged_needs_the_same_input_and_the_same_files(project: Path) -> None:
    assert unchanged(project, "1", "2", "0.1.0")
    assert not unchanged(project, "other", "2", "0.1.0")
    assert not unchanged(project, "1", "other", "0.1.0")
    assert not unchanged(project, "1", "2", "0.1.1")
    (project / "README.md").write_text("# edited\n")
    assert not unchanged(project, "1", "2", "0.1.0")
    (project / "README.md").unlink()
    assert not unchanged(project, "1", "2", "0.1.0")


def test_unchanged_does_not_hide_warnings(tmp_path: Path) -> None:
    warned = Plan(plan().files, "1", "2", "0.1.0", (Finding("OPG213", "no golden values", severity="note"),))
    write(warned, tmp_path)
    assert not unchanged(tmp_path, "1", "2", "0.1.0")


def test_a_new_version_changes_the_lock_and_no_file(project: Path) -> None:
    before = picture(project)
    write(Plan(plan().files, "1", "2", "0.1.1"), project)
    after = picture(project)
    assert {p for p in before if before[p] != after[p]} == {".opgen/lock.json"}
