"""The long story of one operator, with real git: nothing is lost, and what is there in the end is what a careful person
would have made by hand. P27, P46, P59, P61, P63."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from disk_support import contents
from opgen.project import inputs
from story_support import Story, story

__all__ = ["story"]


class Git:
    """git in a folder, with nobody's settings."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self("init", "--quiet", "--initial-branch=main")
        self("config", "user.name", "A Person")
        self("config", "user.email", "person@example.com")
        self("config", "commit.gpgsign", "false")

    def __call__(self, *words: str, check: bool = True) -> str:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(
            ["git", "-c", "core.quotepath=off", *words],
            cwd=self._folder, env=environment, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, message: str) -> set[str]:
        """Commits all there is. Returns the paths that changed."""
        self("add", "--all")
        changed = {line[3:].split(" -> ")[-1] for line in self("status", "--porcelain").splitlines()}
        self("commit", "--quiet", "--allow-empty", "-m", message)
        return changed


@pytest.fixture
def git(story: Story) -> Git:
    return Git(story.folder)


def test_the_long_story(story: Story, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    # New: everything that other people need is committed, and nothing else is.
    add = story.new("add_custom")
    changed = git.commit("new")
    assert {"add_custom/op.yaml", "add_custom/.opgen/lock.json", "add_custom/README.md"} <= changed
    assert not [path for path in changed if "/backup/" in path or "/staging/" in path]
    assert git("status", "--porcelain", "--ignored") == ""

    # An extra file: written once, wired in, the user's from then on.
    story.edit("add_custom/op.yaml", "compute: z = x + y", "extra: [helpers.h]\ncompute: z = x + y")
    assert story.run("generate", "add_custom").code == 0
    (add / "helpers.h").write_text("#pragma once\nint Mine();\n")
    assert 'helpers.h"' in (add / "ge/custom_op.cpp").read_text("utf-8")
    changed = git.commit("helpers")
    assert "add_custom/helpers.h" in changed

    # An edit of op.yaml: only what follows from it changes.
    story.edit("add_custom/op.yaml", "compute: z = x + y", "compute: z = x - y")
    assert story.run("check", "add_custom").code == 1
    assert story.run("generate", "add_custom").code == 0
    changed = {path for path in git.commit("subtract") if ".opgen/" not in path}
    assert "add_custom/add_custom_kernel/add_custom_kernel.py" in changed
    assert not {"add_custom/CMakeLists.txt", "add_custom/run.sh", "add_custom/helpers.h"} & changed

    # An edit of a generated file meets an edit of op.yaml: both are there.
    story.edit("add_custom/run.sh", "set -euo pipefail\n", "set -euo pipefail\nexport ASCEND_SLOG_PRINT_TO_STDOUT=1\n")
    story.edit("add_custom/op.yaml", "op: AddCustom", "op: AddCustom\nproject: subtract")
    assert story.run("generate", "add_custom").code == 1
    ran = story.run("generate", "add_custom", "--merge")
    assert ran.code == 0, ran.err
    script = (add / "run.sh").read_text("utf-8")
    assert "export ASCEND_SLOG_PRINT_TO_STDOUT=1\n" in script
    assert "project(subtract " in (add / "CMakeLists.txt").read_text("utf-8")
    assert story.run("check", "add_custom", "--strict").code == 0
    git.commit("log to the terminal")

    # An upgrade of opgen that changes no text: the lock only.
    with monkeypatch.context() as patch:
        patch.setattr("opgen.__version__", "0.1.1")
        patch.setattr("opgen.project.plan.__version__", "0.1.1")
        patch.setattr(inputs, "_own_hash", lambda: "f" * 64)
        assert story.run("generate", "add_custom").code == 0
        assert git.commit("upgrade") == {"add_custom/.opgen/lock.json"}
        assert story.run("check", "add_custom").code == 0
    story.run("generate", "add_custom")
    git.commit("and back")

    # Another scenario: what is no longer needed goes, but never what somebody edited.
    (add / "model_exec/main.cc").write_text((add / "model_exec/main.cc").read_text("utf-8") + "// mine\n", "utf-8")
    story.edit("add_custom/op.yaml", "scenario: offline", "scenario: online")
    ran = story.run("generate", "add_custom", "--merge")
    assert ran.code == 1
    assert "keep      add_custom/model_exec/main.cc" in ran.err
    assert "add_custom/model_exec/main.cc: extra, edited [OPG609]" in story.run("check", "add_custom").out
    assert not (add / "graph_build").exists()
    assert "export ASCEND_SLOG_PRINT_TO_STDOUT=1\n" in (add / "run.sh").read_text("utf-8")
    shutil.rmtree(add / "model_exec")
    assert story.run("generate", "add_custom").code == 0
    assert not (add / "model_exec").exists()
    git.commit("online")

    # A translation: the other language is asked for, and then all is well.
    story.edit("add_custom/op.yaml", "将两个形状相同的张量相加。", "将两个形状相同的张量相减。")
    assert story.run("check", "add_custom", "--strict").code == 1
    story.edit("add_custom/op.yaml", "Adds two tensors of the same shape.", "Subtracts two tensors of the same shape.")
    assert story.run("generate", "add_custom", "--strict").code == 0
    assert "相减" in (add / "README.md").read_text("utf-8")
    assert "Subtracts two tensors" in (add / "README_en.md").read_text("utf-8")
    git.commit("translate")

    # In the end: what a project that was made like this from the start looks like, plus the one edit.
    assert story.run("check", "add_custom", "--strict").code == 0
    fresh = story.folder / "fresh"
    fresh.mkdir()
    for name in ("op.yaml", "helpers.h"):
        (fresh / name).write_bytes((add / name).read_bytes())
    assert story.run("generate", "fresh").code == 0
    wanted = contents(fresh)
    wanted["run.sh"] = wanted["run.sh"].replace(
        b"set -euo pipefail\n", b"set -euo pipefail\nexport ASCEND_SLOG_PRINT_TO_STDOUT=1\n"
    )
    assert contents(add) == wanted
    assert (add / "helpers.h").read_text() == "#pragma once\nint Mine();\n"

    # A clone is in sync, and so is a checkout that git would give CRLF line ends.
    for name, setting in (("clone", "false"), ("windows", "true")):
        git("clone", "--quiet", "-c", f"core.autocrlf={setting}", ".", name)
        assert story.run("check", f"{name}/add_custom", "--strict").code == 0, name


def test_two_branches_meet(story: Story, git: Git) -> None:
    add = story.new("add_custom")
    git.commit("new")
    git("checkout", "--quiet", "-b", "topic")
    story.edit("add_custom/op.yaml", "compute: z = x + y", "compute: z = x * y")
    story.run("generate", "add_custom")
    git.commit("multiply")
    git("checkout", "--quiet", "main")
    story.edit("add_custom/op.yaml", "Adds two tensors of the same shape.", "Combines two tensors.")
    story.edit("add_custom/op.yaml", "将两个形状相同的张量相加。", "合并两个张量。")
    story.run("generate", "add_custom")
    git.commit("words")
    git("merge", "--quiet", "topic", check=False)
    conflicts = set(git("diff", "--name-only", "--diff-filter=U").splitlines())
    assert "add_custom/.opgen/lock.json" in conflicts
    assert "add_custom/op.yaml" not in conflicts
    ran = story.run("check", "add_custom")
    assert ran.code == 2
    assert "conflict marker of git" in ran.out
    git("checkout", "--ours", "add_custom/.opgen/lock.json")
    ran = story.run("generate", "add_custom", "--force")
    assert ran.code == 0, ran.err
    assert story.run("check", "add_custom", "--strict").code == 0
    text = (add / "README_en.md").read_text("utf-8")
    assert "Combines two tensors: `z = x * y`." in text
    assert "<<<<<<<" not in json.dumps({name: content.decode("utf-8") for name, content in contents(add).items()})
    git.commit("merge")
    assert git("status", "--porcelain") == ""
