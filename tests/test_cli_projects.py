"""Which projects a PATH names."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import write_spec
from opgen.cli.projects import find
from opgen.text.findings import CannotWork


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names(*paths: str) -> list[str]:
    return [project.name for project in find(paths)]


def test_a_file_and_its_folder_are_the_same_project(tmp_path: Path) -> None:
    write_spec(tmp_path / "add")
    assert names("add/op.yaml") == names("add") == names("add/op.yaml", "add", str(tmp_path / "add")) == ["add/op.yaml"]


def test_here(tmp_path: Path) -> None:
    write_spec(tmp_path)
    assert names(".") == names("op.yaml") == ["op.yaml"]


def test_a_folder_of_projects_is_walked_in_order(tmp_path: Path) -> None:
    for folder in ("b", "a/deep", "a/x"):
        write_spec(tmp_path / folder)
    for folder in ("build/a", "output", ".hidden", "a/.git", "{{cookiecutter.name}}", "node_modules/m"):
        write_spec(tmp_path / folder)
    assert names(".") == ["a/deep/op.yaml", "a/x/op.yaml", "b/op.yaml"]


def test_below_a_project_there_is_no_other(tmp_path: Path) -> None:
    write_spec(tmp_path / "a")
    write_spec(tmp_path / "a/b")
    assert names(".") == ["a/op.yaml"]


def test_links_to_folders_are_not_walked(tmp_path: Path) -> None:
    write_spec(tmp_path / "real/a")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/link").symlink_to(tmp_path / "real")
    with pytest.raises(CannotWork, match=r"no op\.yaml in tree"):
        names("tree")
    assert names("tree/link") == ["tree/link/a/op.yaml"]


def test_a_project_as_an_argument_is_quoted(tmp_path: Path) -> None:
    write_spec(tmp_path / "my op")
    assert find(["my op"])[0].argument == "'my op'"


def test_an_op_yaml_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "op.yaml").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CannotWork, match=r"cannot read op\.yaml"):
        _ = find(["."])[0].data
