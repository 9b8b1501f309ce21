"""eject hands a project over: everything stays, nothing of opgen is left. P65."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from disk_support import contents, picture
from story_support import Story, story

__all__ = ["story"]


@pytest.fixture
def add(story: Story) -> Path:
    return story.new("add_custom")


def test_everything_stays_and_nothing_of_opgen_is_left(story: Story, add: Path) -> None:
    story.edit("add_custom/run.sh", "set -", "set -x; set -")
    before = contents(add)
    modes = {name: mode for name, (_, mode, _) in picture(add).items() if not name.startswith(".opgen")}
    ran = story.run("eject", "add_custom")
    assert ran.code == 0
    assert "add_custom/op.yaml is add_custom/op.yaml.ejected now" in ran.err
    after = contents(add)
    assert set(after) == {*before, "op.yaml.ejected"} - {"op.yaml"}
    assert after["op.yaml.ejected"] == before["op.yaml"]
    assert not (add / ".opgen").exists()
    for name, content in after.items():
        if name != "op.yaml.ejected":
            assert b"Generated from op.yaml by opgen." not in content.split(b"\n\n")[0], name
            assert before[name].endswith(content.split(b"\n", 1)[1]), name
    assert after["run.sh"].startswith(b"#!")
    assert b"set -x; set -" in after["run.sh"]
    kept = {name: mode for name, (_, mode, _) in picture(add).items()}
    assert all(kept.get(name, mode) == mode for name, mode in modes.items())
    for command in ("check", "generate", "clean"):
        assert story.run(command, "add_custom").code == 2
    assert contents(add) == after


def test_backups_of_edits_stay(story: Story, add: Path) -> None:
    story.edit("add_custom/run.sh", "set -", "set -x; set -")
    story.run("generate", "add_custom", "--force")
    ran = story.run("eject", "add_custom")
    assert "but for backups of edits" in ran.err
    assert [p.name for p in add.glob(".opgen/**/*") if p.is_file()] == ["run.sh.orig"]


def test_an_open_conflict_is_no_state_to_hand_over(story: Story, add: Path) -> None:
    (add / "run.sh").write_text("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n")
    before = picture(add)
    ran = story.run("eject", "add_custom")
    assert ran.code == 2
    assert "add_custom/run.sh:1:1: error OPG615" in ran.err
    assert picture(add) == before


def test_an_earlier_ejected_op_yaml_is_not_replaced(story: Story, add: Path) -> None:
    (add / "op.yaml.ejected").write_text("mine\n")
    before = picture(add)
    assert story.run("eject", "add_custom").code == 2
    assert picture(add) == before


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "code"), [("yes\n", 0), ("y\n", 1), ("\n", 1), ("", 1)])
def test_it_asks_on_a_terminal_only(
    story: Story, add: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    ran = story.run("eject", "add_custom")
    assert (ran.code, (add / "op.yaml").exists()) == (code, code == 1)
    assert "Type yes to go on" in ran.err


def test_yes_is_not_asked_for_when_it_is_given(story: Story, add: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(""))
    assert story.run("eject", "add_custom", "--yes").code == 0


def test_an_ejected_project_starts_again_without_losing_anything(story: Story, add: Path) -> None:
    story.run("eject", "add_custom")
    after = contents(add)
    (add / "op.yaml.ejected").rename(add / "op.yaml")
    ran = story.run("generate", "add_custom")
    assert ran.code == 1
    assert "OPG607" in ran.err
    (add / "op.yaml").rename(add / "op.yaml.ejected")
    assert contents(add) == after
