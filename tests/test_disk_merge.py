"""Three-way merges: of texts, and of edited files in a project."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cli_support import Run, run, write_spec
from disk_support import TEXTS, contents, picture, plan
from hypothesis import given, settings
from hypothesis import strategies as st
from opgen.disk.compare import compare, unchanged
from opgen.disk.lock import read_lock
from opgen.disk.merge import has_markers, merge_texts
from opgen.disk.write import Conflict, clean, preview, write

__all__ = ["run"]

BASE = "one\ntwo\nthree\nfour\nfive\nsix\n"

texts = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "d", "é\n"]), max_size=8).map(
    lambda ls: "".join(ls).encode()
)


def merged(base: str, ours: str, theirs: str) -> tuple[str, int]:
    result = merge_texts(base.encode(), ours.encode(), theirs.encode())
    return result.content.decode(), result.conflicts


@given(texts, texts)
def test_a_change_of_one_side_only_is_the_result(base: bytes, side: bytes) -> None:
    for result in (merge_texts(base, side, base), merge_texts(base, base, side), merge_texts(base, side, side)):
        assert (result.content, result.conflicts) == (side, 0)


@given(texts, texts, texts)
def test_no_line_of_a_conflict_is_lost(base: bytes, ours: bytes, theirs: bytes) -> None:
    result = merge_texts(base, ours, theirs)
    if result.conflicts:
        for side in (ours, theirs):
            assert set(side.splitlines()) - set(base.splitlines()) <= set(result.content.splitlines())
        assert has_markers(result.content)


@settings(max_examples=60)
@given(st.lists(st.sampled_from("abcdefgh"), min_size=12, max_size=12), st.integers(0, 3), st.integers(8, 11))
def test_changes_far_apart_are_both_there(letters: list[str], first: int, second: int) -> None:
    base = [f"{letter}{number}\n" for number, letter in enumerate(letters)]
    ours, theirs, both = base[:], base[:], base[:]
    ours[first] = both[first] = "mine\n"
    theirs[second:] = both[second:] = ["new\n", "newer\n"]
    assert merged("".join(base), "".join(ours), "".join(theirs)) == ("".join(both), 0)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (BASE.replace("two\n", "2\n"), BASE.replace("five\n", "5\n5b\n")),
        (BASE.replace("one\n", ""), BASE + "seven\n"),
        ("zero\n" + BASE, BASE.replace("four\n", "")),
        (BASE.replace("six\n", "six"), BASE.replace("two\n", "2\n")),
    ],
)
def test_it_is_what_git_makes_of_it(tmp_path: Path, ours: str, theirs: str) -> None:
    for name, text in (("ours", ours), ("base", BASE), ("theirs", theirs)):
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["git", "merge-file", "-p", "ours", "base", "theirs"], cwd=tmp_path, capture_output=True, check=True, text=True
    )
    assert merged(BASE, ours, theirs) == (done.stdout, 0)


def test_a_conflict_shows_both_sides_and_nothing_that_they_share() -> None:
    text, count = merged(BASE, BASE.replace("three\nfour\n", "3\nmine\n"), BASE.replace("three\nfour\n", "3\ntheirs\n"))
    assert count == 1
    assert text == (
        "one\ntwo\n3\n<<<<<<< edited by hand\nmine\n=======\ntheirs\n>>>>>>> generated from op.yaml\nfive\nsix\n"
    )


# Files of a project

OLD = plan({**TEXTS, "notes.txt": BASE})
NEW = plan({**TEXTS, "notes.txt": BASE.replace("six\n", "6\n")})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(OLD, tmp_path)
    return tmp_path


def edit(project: Path, old: str = "one\n", new: str = "mine\n") -> None:
    path = project / "notes.txt"
    path.write_text(path.read_text().replace(old, new))


def statuses(project: Path, wanted: object = NEW) -> set[str]:
    assert wanted in (OLD, NEW)
    return {state.status for state in compare(wanted, project).states} - {"identical"}  # type: ignore[arg-type]


def test_an_edit_and_a_change_of_the_plan_come_together(project: Path) -> None:
    edit(project)
    assert not preview(NEW, project, merge=True).left
    with pytest.raises(Conflict):
        write(NEW, project)
    outcome = write(NEW, project, merge=True)
    assert not outcome.left
    assert (project / "notes.txt").read_text() == "mine\ntwo\nthree\nfour\nfive\n6\n"
    assert statuses(project) == {"merged"}
    assert unchanged(project, "1", "2", "0.1.0")
    before = picture(project)
    assert [a.word for a in write(NEW, project).actions if a.path == "notes.txt"] == ["keep"]
    assert picture(project) == before


def test_an_edit_without_a_change_of_the_plan_is_recorded(project: Path) -> None:
    edit(project)
    write(OLD, project, merge=True)
    assert (project / "notes.txt").read_text().startswith("mine\n")
    assert statuses(project, OLD) == {"merged"}
    assert statuses(project, NEW) == {"edited"}
    edit(project, "two\n", "2\n")
    assert statuses(project, OLD) == {"edited"}
    assert not unchanged(project, "1", "2", "0.1.0")


def test_a_merge_goes_on_from_the_last_merge(project: Path) -> None:
    edit(project)
    write(NEW, project, merge=True)
    third = plan({**TEXTS, "notes.txt": BASE.replace("six\n", "6\n").replace("three\n", "3\n")})
    write(third, project, merge=True)
    assert (project / "notes.txt").read_text() == "mine\ntwo\n3\nfour\nfive\n6\n"
    edit(project, "mine\n", "one\n")
    assert [a.word for a in write(third, project).actions if a.path == "notes.txt"] == ["identical"]
    lock = read_lock(project)
    assert lock is not None and lock.files["notes.txt"].merge == ""


def test_a_conflict_is_left_open_until_somebody_resolves_it(project: Path) -> None:
    edit(project, "six\n", "sechs\n")
    outcome = write(NEW, project, merge=True)
    assert outcome.left
    assert "<<<<<<< edited by hand\nsechs\n=======\n6\n>>>>>>>" in (project / "notes.txt").read_text()
    assert statuses(project) == {"markers"}
    for choice in ({}, {"merge": True}):
        with pytest.raises(Conflict) as refused:
            write(NEW, project, **choice)
        assert [(f.rule, f.place.line) for f in refused.value.findings if f.place] == [("OPG615", 6)]
    (project / "notes.txt").write_text(BASE.replace("six\n", "sechs 6\n"))
    assert statuses(project) == {"resolved"}
    assert not unchanged(project, "1", "2", "0.1.0")
    assert not write(NEW, project).left
    assert statuses(project) == {"merged"}
    assert (project / "notes.txt").read_text() == BASE.replace("six\n", "sechs 6\n")


def test_a_conflict_can_be_resolved_by_force(project: Path) -> None:
    edit(project, "six\n", "sechs\n")
    write(NEW, project, merge=True)
    write(NEW, project, force=True)
    assert statuses(project) == set()
    assert "sechs" in (project / ".opgen/backup/notes.txt.orig").read_text()


def test_a_merge_without_a_trusted_base_is_refused(project: Path) -> None:
    edit(project)
    base = project / ".opgen/base/notes.txt.base"
    for spoil in (lambda: base.write_text("one\nforged\n"), base.unlink):
        spoil()
        before = picture(project)
        with pytest.raises(Conflict) as refused:
            write(NEW, project, merge=True)
        assert [finding.what for finding in refused.value.findings] == ['"notes.txt" was edited, and cannot be merged']
        assert picture(project) == before


def test_a_checkout_with_crlf_is_merged_as_text(project: Path) -> None:
    edit(project)
    for path in (project / "notes.txt", project / ".opgen/base/notes.txt.base"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    write(NEW, project, merge=True)
    assert (project / "notes.txt").read_bytes() == b"mine\ntwo\nthree\nfour\nfive\n6\n"
    (project / "notes.txt").write_bytes((project / "notes.txt").read_bytes().replace(b"\n", b"\r\n"))
    assert statuses(project) == {"line-endings"}
    write(NEW, project)
    assert (project / "notes.txt").read_bytes() == b"mine\ntwo\nthree\nfour\nfive\n6\n"


def test_merged_text_survives_a_wrong_mode(project: Path) -> None:
    edit(project)
    write(NEW, project, merge=True)
    (project / "notes.txt").chmod(0o755)
    assert statuses(project) == {"mode"}
    write(NEW, project)
    assert (project / "notes.txt").read_text().startswith("mine\n")
    assert statuses(project) == {"merged"}


def test_bytes_that_are_no_text_are_merged_too(project: Path) -> None:
    (project / "notes.txt").write_bytes(b"\xff\xfe\n" + BASE.encode())
    write(NEW, project, merge=True)
    assert (project / "notes.txt").read_bytes() == b"\xff\xfe\n" + BASE.replace("six\n", "6\n").encode()


def test_merged_files_are_a_person_s_when_they_are_no_longer_planned(project: Path) -> None:
    edit(project)
    write(NEW, project, merge=True)
    assert write(plan(), project).left
    assert (project / "notes.txt").read_text().startswith("mine\n")
    assert clean(project).left
    assert set(contents(project)) == {"notes.txt"}


def test_the_commands_merge_and_tell(run: Run, tmp_path: Path) -> None:
    folder = write_spec(tmp_path / "add", {"notes.txt": BASE})
    run("generate", "add")
    edit(folder, "six\n", "sechs\n")
    write_spec(folder, {"notes.txt": BASE.replace("six\n", "6\n").replace("one\n", "1\n")})
    ran = run("generate", "add", "--merge", "--dry-run")
    assert (ran.code, "conflict  add/notes.txt  (1 conflict between markers)" in ran.err) == (1, True)
    assert "sechs" in (folder / "notes.txt").read_text()
    assert run("generate", "add", "--merge").code == 1
    ran = run("check", "add")
    assert (ran.code, ran.out) == (1, "add/notes.txt: conflict markers [OPG615]\n")
    (folder / "notes.txt").write_text(BASE.replace("six\n", "sechs\n").replace("one\n", "1\n"))
    ran = run("check", "add")
    assert (ran.code, ran.out) == (1, "add/notes.txt: resolved [OPG616]\n")
    ran = run("generate", "add")
    assert (ran.code, "keep      add/notes.txt  (its conflict is resolved)" in ran.err) == (0, True)
    assert run("check", "add").code == 0
    ran = run("generate", "add", "--merge", "--force")
    assert ran.code == 2
    assert "not allowed with" in ran.err


def test_conflicts_of_git_in_a_generated_file_are_told(run: Run, tmp_path: Path) -> None:
    folder = write_spec(tmp_path / "add")
    run("generate", "add")
    (folder / "CMakeLists.txt").write_text("<<<<<<< HEAD\nproject(a)\n=======\nproject(b)\n>>>>>>> topic\n")
    assert run("check", "add").out == "add/CMakeLists.txt: conflict markers [OPG615]\n"
    assert run("generate", "add", "--merge").code == 1
    assert run("generate", "add", "--force").code == 0
    assert run("check", "add").code == 0
