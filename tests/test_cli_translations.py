"""Stale translations: check tells them, generate tells them, accept records that they still fit. P27, P28."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from disk_support import picture
from story_support import Story, story

__all__ = ["story"]

ENGLISH = "Adds two tensors of the same shape."


@pytest.fixture
def add(story: Story) -> Path:
    return story.new("add_custom")


def summary(folder: Path, language: str) -> str:
    for line in (folder / "op.yaml").read_text("utf-8").splitlines():
        if line.strip().startswith(f"{language}:"):
            return line.split(":", 1)[1].strip()
    raise AssertionError(language)


def test_a_change_of_one_language_is_told_until_the_other_follows(story: Story, add: Path) -> None:
    chinese = summary(add, "zh")
    story.edit("add_custom/op.yaml", chinese, "将两个张量逐元素相加。")
    for command in ("check", "generate", "check"):
        ran = story.run(command, "add_custom")
        assert ran.code == (1 if command == "check" and "README" in ran.out else 0)
        told = ran.out + ran.err
        assert "warning OPG510: the Chinese text of `summary` changed, the English one did not" in told
        assert "add_custom/op.yaml:" in told
        assert "逐元素" in told
        assert "opgen accept summary --project add_custom" in told
    assert story.run("check", "add_custom", "--strict").code == 1
    assert story.run("generate", "add_custom", "--strict").code == 1
    assert "将两个张量逐元素相加" in (add / "README.md").read_text("utf-8")
    story.edit("add_custom/op.yaml", summary(add, "en"), "Adds two tensors element by element.")
    ran = story.run("generate", "add_custom", "--strict")
    assert (ran.code, "OPG510" in ran.err) == (0, False)
    assert story.run("check", "add_custom", "--strict").code == 0


def test_the_place_is_the_text_that_fell_behind(story: Story, add: Path) -> None:
    english = summary(add, "en")
    story.edit("add_custom/op.yaml", summary(add, "zh"), "将两个张量逐元素相加。")
    findings = json.loads(story.run("check", "add_custom", "--format", "json").out)["findings"]
    (found,) = [finding for finding in findings if finding["severity"] == "warning"]
    line = (add / "op.yaml").read_text("utf-8").splitlines()[found["line"] - 1]
    assert (found["rule"], found["severity"], english in line) == ("OPG510", "warning", True)


def test_accept_records_what_somebody_has_looked_at(story: Story, add: Path) -> None:
    story.edit("add_custom/op.yaml", summary(add, "zh"), "将两个张量逐元素相加。")
    story.run("generate", "add_custom")
    files = {name: seen for name, seen in picture(add).items() if not name.startswith(".opgen")}
    ran = story.run("accept", "--project", "add_custom", "summary")
    assert (ran.code, ran.err) == (0, "summary: accepted\n")
    assert {name: seen for name, seen in picture(add).items() if not name.startswith(".opgen")} == files
    assert story.run("check", "add_custom", "--strict").code == 0
    story.edit("add_custom/op.yaml", "将两个张量逐元素相加。", "将两个张量相加，逐元素进行。")
    assert "OPG510" in story.run("check", "add_custom").out
    assert story.run("accept", "--project", "add_custom").err == "summary: accepted\n"
    assert "OPG510" not in story.run("check", "add_custom").out
    assert (
        story.run("accept", "--project", "add_custom").err == "add_custom/op.yaml: every translation agrees already\n"
    )


def test_an_accept_before_generate_hides_nothing_when_the_change_is_taken_back(story: Story, add: Path) -> None:
    chinese = summary(add, "zh")
    story.edit("add_custom/op.yaml", chinese, "将两个张量逐元素相加。")
    story.run("accept", "--project", "add_custom")
    story.edit("add_custom/op.yaml", "将两个张量逐元素相加。", chinese)
    assert "the Chinese text of `summary` changed" in story.run("check", "add_custom").out


def test_accept_knows_what_it_is_told(story: Story, add: Path) -> None:
    before = picture(add)
    ran = story.run("accept", "--project", "add_custom", "sumary")
    assert ran.code == 2
    assert "did you mean summary?" in ran.err
    assert picture(add) == before
    (add / ".opgen/lock.json").unlink()
    assert story.run("accept", "--project", "add_custom", "summary").code == 2


def test_documentation_of_parts_counts_too(story: Story, add: Path) -> None:
    text = (add / "op.yaml").read_text("utf-8")
    with_doc = text.replace(
        "{name: x, dtype: T, shape: [...]}",
        "{name: x, dtype: T, shape: [...], doc: {en: The left one., zh: 左操作数。}}",
    )
    (add / "op.yaml").write_text(with_doc, "utf-8")
    assert story.run("generate", "add_custom", "--strict").code == 0
    story.edit("add_custom/op.yaml", "The left one.", "The first one.")
    told = story.run("check", "add_custom").out
    assert "the English text of `inputs/x/doc` changed, the Chinese one did not" in told
    assert 'it said "The left one." and says "The first one." now' in told
