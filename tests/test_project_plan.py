"""The plan of a project: complete, well-formed, and a function of op.yaml alone."""

from __future__ import annotations

import pytest
from opgen.project import git_files
from opgen.project.inputs import spec_hash, template_hash
from opgen.project.plan import form_problem


@pytest.mark.parametrize("text", ["a\n", "a\n\nb\n", "\ufeffa\n", "算子\n"])
def test_a_text_with_one_final_newline(text: str) -> None:
    assert form_problem(text) == ""


@pytest.mark.parametrize("text", ["", "\n", "a", "a\n\n", "a \n", "a\t\nb\n", "a\r\nb\r\n"])
def test_a_text_that_no_generated_file_may_have(text: str) -> None:
    assert form_problem(text) != ""


def test_what_tells_git_about_a_project() -> None:
    assert [entry.path for entry in git_files.ENTRIES] == [".gitattributes", ".gitignore"]
    for entry in git_files.ENTRIES:
        text = git_files.TEXTS[entry.path]
        assert form_problem(text) == ""
        lines = text.splitlines()
        assert lines[0] == "# Generated from op.yaml by opgen."
    assert "* text=auto eol=lf" in git_files.TEXTS[".gitattributes"].splitlines()
    assert {"build/", "output/"} <= set(git_files.TEXTS[".gitignore"].splitlines())


def test_line_ends_of_op_yaml_do_not_count() -> None:
    assert spec_hash(b"a: 1\r\nb: 2\r\n") == spec_hash(b"a: 1\nb: 2\n")
    assert spec_hash(b"a: 1\n") != spec_hash(b"a: 2\n")


def test_the_generator_has_one_hash() -> None:
    assert template_hash() == template_hash()
    assert len(template_hash()) == 64
