"""Templates of a repository stand in for opgen's: strictly, in a sandbox, and told. P43, P67, P69."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from disk_support import picture
from opgen import templating
from opgen.project.settings import forget
from story_support import Story, story

__all__ = ["story"]

OWN = Path(templating.__file__).parent / "templates"


@pytest.fixture
def shadowed(story: Story) -> Story:
    (story.folder / ".git").mkdir()
    (story.folder / "mine").mkdir()
    story.new("add_custom")
    (story.folder / "opgen.toml").write_text('[templates]\nfolder = "mine"\n')
    forget()
    return story


def shadow(story: Story, name: str, old: str = "", new: str = "", text: str | None = None) -> None:
    path = story.folder / "mine" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    own = (OWN / name).read_text("utf-8") if text is None else text
    assert old in own
    path.write_text(own.replace(old, new, 1), "utf-8")
    forget()


def test_one_file_stands_in_for_one_template(shadowed: Story) -> None:
    assert shadowed.run("check", "add_custom").code == 0
    shadow(shadowed, "run.sh.j2", "set -euo pipefail\n", "set -euo pipefail\n# Ours: {{ purpose | length }}\n")
    ran = shadowed.run("check", "add_custom")
    assert (ran.code, ran.out) == (1, "add_custom/run.sh: changed [OPG610]\n")
    assert "mine/run.sh.j2 stands in for opgen's template" in ran.err
    shadowed.run("generate", "add_custom")
    assert "\n# Ours: " in (shadowed.folder / "add_custom/run.sh").read_text("utf-8")
    assert shadowed.run("check", "add_custom").code == 0


def test_an_edit_of_a_template_alone_is_noticed(shadowed: Story) -> None:
    shadow(shadowed, "ge/tensor_check.h", "#ifndef", "// Ours.\n#ifndef")
    shadowed.run("generate", "add_custom")
    assert shadowed.run("check", "add_custom").code == 0
    shadow(shadowed, "ge/tensor_check.h", "#ifndef", "// Ours too.\n#ifndef")
    assert shadowed.run("check", "add_custom").out == "add_custom/ge/tensor_check.h: changed [OPG610]\n"
    (shadowed.folder / "mine/ge/tensor_check.h").unlink()
    forget()
    shadowed.run("generate", "add_custom")
    assert (shadowed.folder / "add_custom/ge/tensor_check.h").read_bytes() == (OWN / "ge/tensor_check.h").read_bytes()


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("one\n{{ op.nmae }}\n", 2, "'op' is undefined"),
        ("{{ purpose.nmae }}\n", 1, "has no attribute 'nmae'"),
        ("one\ntwo\n{% if typo %}x{% endif %}\n", 3, "'typo' is undefined"),
        ("{{ purpose\n", 1, "unexpected end of template"),
        ("{% for x in y %}\n", 1, "Unexpected end of template"),
        ("{{ ''.__class__.__mro__ }}\n", 1, "unsafe"),
        ("{{ purpose.__init__.__globals__ }}\n", 1, "unsafe"),
        ("{{ self.__init__.__globals__['os'].system('touch pwned') }}\n", 1, ""),
        ("{% include 'nowhere' %}\n", 1, "nowhere"),
        ("{% include '/etc/passwd' %}\n", 1, "passwd"),
        ("{% include '../../__main__.py' %}\n", 1, "__main__"),
        ("{{ 1 // 0 }}\n", 1, "ZeroDivisionError"),
        ("{{ range(100000000) | list | length }}\n", 1, "Range too big"),
        ("no newline", 1, "one newline"),
        ("blanks \n", 1, "blanks"),
    ],
)
def test_what_is_wrong_with_a_template_is_found_at_its_line(shadowed: Story, text: str, line: int, says: str) -> None:
    shadow(shadowed, "run.sh.j2", text=text)
    before = picture(shadowed.folder)
    for command in ("check", "generate"):
        ran = shadowed.run(command, "add_custom")
        assert ran.code == 2
        assert f"mine/run.sh.j2:{line}:1: error OPG618" in ran.out + ran.err
        assert says in ran.out + ran.err
        assert "Traceback" not in ran.err
    assert picture(shadowed.folder) == before


def test_a_file_that_shadows_nothing_is_told(shadowed: Story) -> None:
    shadow(shadowed, "rnu.sh.j2", text="x\n")
    ran = shadowed.run("check", "add_custom")
    assert ran.code == 2
    assert "mine/rnu.sh.j2:1:1: error OPG618" in ran.out
    assert "did you mean run.sh.j2?" in ran.out
    told = json.loads(shadowed.run("generate", "add_custom", "--format", "json").out)
    assert [finding["rule"] for finding in told["findings"]] == ["OPG618"]


def test_links_out_of_the_folder_are_no_templates(shadowed: Story, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("secret\n")
    (shadowed.folder / "mine/run.sh.j2").symlink_to(secret)
    forget()
    ran = shadowed.run("generate", "add_custom")
    assert ran.code == 2
    assert "secret" not in (shadowed.folder / "add_custom/run.sh").read_text("utf-8")


def test_compiled_templates_are_those_of_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templating, "_FOLDER", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    code = set()
    try:
        for spoiled in (None, None, b"", b"\0" * 40, b"j2garbage"):
            templating._environment.cache_clear()
            for path in tmp_path.glob("__pycache__/*") if spoiled is not None else ():
                path.write_bytes(spoiled)
            code.add(templating._environment().get_template("run.sh.j2").root_render_func.__code__.co_code)
            assert [path.suffix for path in (tmp_path / "__pycache__").iterdir()] == [".pyc"]
    finally:
        templating._environment.cache_clear()
    assert len(code) == 1


def test_a_folder_that_cannot_be_written_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__pycache__").write_text("a file, where the folder would be")
    monkeypatch.setattr(templating, "_FOLDER", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    try:
        templating._environment.cache_clear()
        assert templating._environment().get_template("run.sh.j2")
    finally:
        templating._environment.cache_clear()
