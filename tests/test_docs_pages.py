"""opgen's own pages: both languages agree, what they name exists, and what they promise of files is what happens. P60,
P63, P64."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from cli_support import Run, run, write_spec
from conftest import ROOT
from disk_support import TEXTS
from opgen.cli.commands import COMMANDS
from opgen.cli.completion import OPTIONS
from opgen.docs.parity import Document, check_pair
from opgen.project.settings import _Reader
from opgen.spec.loader import load

__all__ = ["run"]

PAGES = ("accuracy", "ci", "files")


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_agree(name: str) -> None:
    chinese, english = (Document(file, page(file)) for file in (f"{name}_zh.md", f"{name}.md"))
    known = {path.name for path in (ROOT / "docs").iterdir()}
    assert [f"{f.place} {f.what}" for f in check_pair(chinese, english, known)] == []


def test_every_kernel_of_the_gallery_is_in_the_table_of_errors() -> None:
    listed = set(re.findall(r"(?m)^\| (\w+) \|", page("accuracy.md")))
    for path in (ROOT / "specs").glob("*/op.yaml"):
        for operator in load(path.read_bytes(), "op.yaml").operators:
            compared = operator.formula is not None or operator.reference is not None
            assert (operator.type in listed) == compared, operator.type


@pytest.mark.parametrize("file", [f"{name}{tail}.md" for name in PAGES for tail in ("", "_zh")])
def test_commands_and_options_exist(file: str) -> None:
    for match in re.finditer(r"(?m)(?:^|`|/bin/|- run: )opgen ([a-z-]+)((?: (?:--)?[\w./-]+)*)", page(file)):
        command, options = match[1], re.findall(r"--[a-z-]+", match[2])
        assert command in COMMANDS, match[0]
        assert set(options) <= set(OPTIONS[command]), match[0]


def test_snippets_are_yaml_and_hooks_run_commands() -> None:
    for block in re.findall(r"```yaml\n(.*?)```", page("ci.md"), re.DOTALL):
        assert yaml.safe_load(block)
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    for hook in hooks:
        program, command, *options = hook["entry"].split()
        assert (program, hook["pass_filenames"]) == ("opgen", False)
        assert set(options) <= set(OPTIONS[command])
    used = re.findall(r"id: ([\w-]+)", page("ci.md"))
    assert set(used) <= {hook["id"] for hook in hooks}


def test_the_settings_that_are_shown_can_be_used(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", page("files.md"), re.DOTALL)
    (tmp_path / "templates").mkdir()
    settings = _Reader(tmp_path / "opgen.toml", text).settings()
    assert settings.defaults.first == "en"
    assert (settings.projects, settings.ignore) == (("operators",), ("operators/drafts",))
    assert (settings.defaults.repository.macro, settings.defaults.repository.vendor) == (
        "add_modules_sources",
        "custom",
    )
    keys = {key for line in text.splitlines() if "=" in line for key in [line.split(" =")[0]]}
    assert keys == {"cann", "soc", "first", "header", "folder", "projects", "ignore", "en", "zh", "pairs"} | {
        "cmake",
        "require_pypto_pro",
        "vendor",
    }


# The truth table: what is on disk, what check says, what generate does.

PLANNED = {**TEXTS, "kernel.py": "first version\n"}
ROWS = [
    line.strip("| ").split(" | ") for line in page("files.md").splitlines() if line.startswith(("| gene", "| once"))
]


def spoil(folder: Path, state: str) -> str:
    """Brings a project into the state of a row. Returns the file that it is about."""
    file = "README.md"
    if state == "deleted":
        (folder / file).unlink()
    elif state.endswith("edited"):
        (folder / file).write_text("edited\n# 算子\n")
    elif state == "with conflict markers":
        (folder / file).write_text("<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n")
    if state.startswith("no longer planned"):
        write_spec(folder, {path: text for path, text in PLANNED.items() if path != file})
    return file


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:2] + row[3:4])[:60])
def test_what_the_table_of_owners_says_is_what_happens(run: Run, tmp_path: Path, row: list[str]) -> None:
    owner, state, check, generate = row
    folder = write_spec(tmp_path / "add", PLANNED)
    run("generate", "add")
    if owner == "once":
        file = "kernel.py"
        if state == "deleted":
            (folder / file).unlink()
        else:
            (folder / file).write_text("mine\n")
    elif state == "merged":
        file = "README.md"
        (folder / file).write_text("# 算子\nmine\n")
        run("generate", "add", "--merge")
    else:
        file = spoil(folder, state)
    before = (folder / file).read_text() if (folder / file).exists() else None
    ran = run("check", "add")
    kind = "" if check == "clean" else f"add/{file}: {check} ["
    assert (ran.code == 0) == (check == "clean")
    assert ran.out.startswith(kind)
    option = re.match(r"`(--\w+)`:", generate)
    ran = run("generate", "add", *([option[1]] if option else []))
    now = (folder / file).read_text() if (folder / file).exists() else None
    if generate.startswith("refuses"):
        assert (ran.code, now) == (1, before)
    elif generate.startswith(("keeps it", "nothing")):
        assert now == before
    elif option and option[1] == "--merge":
        assert (ran.code, now) == (0, before)
    elif generate.startswith("removes"):
        assert (ran.code, now) == (0, None)
    else:
        assert (ran.code, now) == (0, PLANNED[file])
    if "keeps a backup" in generate and option:
        assert (folder / f".opgen/backup/{file}.orig").read_text() == before
    if "--restore" in generate:
        run("generate", "add", "--restore")
        assert (folder / file).read_text() == PLANNED[file]
