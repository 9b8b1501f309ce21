"""Many projects and what holds for them together: opgen.toml, the overview, collisions, --jobs. P31, P52, P67."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from disk_support import contents, picture
from opgen.docs.parity import Document, check_pair
from opgen.project.settings import forget
from story_support import Story, story

__all__ = ["story"]

OVERVIEW = "# {}\n\nBy hand.\n\n<!-- opgen overview begins -->\n<!-- opgen overview ends -->\n\nBy hand too.\n"


def settings(story: Story, text: str) -> None:
    (story.folder / "opgen.toml").write_text(text, "utf-8")
    forget()


@pytest.fixture(autouse=True)
def fresh() -> None:
    forget()


@pytest.fixture
def two(story: Story) -> Story:
    (story.folder / ".git").mkdir()
    story.run("new", "add_custom", "-o", "ops", "--scenario", "offline")
    story.run("new", "axpy_custom", "-o", "ops", "--scenario", "eager", "--formula", "z = x + alpha * y")
    return story


# Settings


def test_an_empty_file_changes_nothing(two: Story) -> None:
    settings(two, "# nothing yet\n")
    before = picture(two.folder)
    assert two.run("check", ".").code == 0
    assert two.run("generate", ".").code == 0
    assert picture(two.folder) == before


def test_defaults_stand_in_where_op_yaml_is_silent(two: Story) -> None:
    spec = two.folder / "ops/add_custom/op.yaml"
    lines = spec.read_text("utf-8").splitlines(keepends=True)
    spec.write_text("".join(line for line in lines if not line.startswith(("soc:", "cann:"))), "utf-8")
    two.run("generate", ".")
    settings(two, '[defaults]\nsoc = "Ascend910B1"\ncann = "9.1"\n')
    assert "changed [OPG610]" in two.run("check", ".").out
    two.run("generate", ".")
    assert "Ascend910B1" in (two.folder / "ops/add_custom/README.md").read_text("utf-8")
    assert "Ascend910B1" not in (two.folder / "ops/axpy_custom/README.md").read_text("utf-8")
    assert two.run("check", ".").code == 0


def test_readme_md_can_be_english(two: Story) -> None:
    settings(two, '[readme]\nfirst = "en"\n')
    assert two.run("generate", ".").code == 0
    folder = two.folder / "ops/add_custom"
    assert not (folder / "README_en.md").exists()
    english, chinese = (folder / "README.md").read_text("utf-8"), (folder / "README_zh.md").read_text("utf-8")
    assert "## Overview" in english
    assert "(README_zh.md)" in english
    assert "(README.md)" in chinese
    assert "README_zh.md" in english.split("```")[1]
    assert not check_pair(Document("README_zh.md", chinese), Document("README.md", english))
    assert two.run("check", ".").code == 0


def test_a_licence_header_stands_in_every_generated_file(two: Story) -> None:
    header = "Copyright (c) 2026 版权所有 \\\nLicensed as agreed.\n\nSecond paragraph."
    settings(two, f"[license]\nheader = '''\n{header}\n'''\n")
    assert two.run("generate", ".").code == 0
    for path, content in contents(two.folder / "ops").items():
        if path.endswith("op.yaml") or "/.opgen/" in path:
            continue
        first = content.decode("utf-8").split("\n")[:9]
        assert any("Generated from op.yaml by opgen." in line for line in first[:2]), path
        assert any("版权所有" in line for line in first), path
        assert any("Second paragraph." in line for line in first), path
    assert two.run("check", ".").code == 0
    assert (two.folder / "ops/add_custom/run.sh").read_text("utf-8").startswith("#!/usr/bin/env bash\n")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("[readme\n", 1, "it is not TOML"),
        ('\n[readme]\nfrist = "en"\n', 3, "did you mean first?"),
        ('[readmes]\nfirst = "en"\n', 1, "did you mean readme?"),
        ('[readme]\nfirst = "fr"\n', 2, "'fr'"),
        ("[defaults]\ncann = 9.1\n", 2, "in quotes"),
        ('[defaults]\nsoc = "Ascend910_9363"\n', 2, "did you mean Ascend910_9362?"),
        ('[templates]\nfolder = "../elsewhere"\n', 2, "leads to another folder"),
        ('[templates]\nfolder = "/etc"\n', 2, "absolute"),
        ('[templates]\nfolder = "nowhere"\n', 2, "no folder is"),
        ('[overview]\nen = "README.txt"\n', 2, "Markdown"),
        ('[layout]\nprojects = "ops"\n', 2, "a list"),
        ('[license]\nheader = "a */ b"\n', 2, "every comment"),
        ("first = 1\n", 1, "there is no table [first]"),
    ],
)
def test_a_slip_is_found_at_its_line(two: Story, text: str, line: int, says: str) -> None:
    settings(two, text)
    before = picture(two.folder)
    for command in ("check", "generate", "diff"):
        ran = two.run(command, "ops/add_custom")
        assert ran.code == 2
        assert f"opgen.toml:{line}:" in ran.out + ran.err
        assert "error OPG617" in ran.out + ran.err
        assert says in ran.out + ran.err
    assert picture(two.folder) == before


def test_settings_end_at_the_repository(two: Story) -> None:
    settings(two, "[readme\n")
    (two.folder / "ops/.git").mkdir()
    forget()
    assert two.run("check", "ops").code == 0


def test_projects_are_looked_for_where_the_layout_says(two: Story) -> None:
    for folder in ("third_party/x", "ops/old/y"):
        (two.folder / folder).mkdir(parents=True)
        (two.folder / folder / "op.yaml").write_text("broken: [\n")
    assert two.run("check", ".").code == 2
    settings(two, '[layout]\nprojects = ["ops"]\nignore = ["ops/old"]\n')
    ran = two.run("check", ".")
    assert (ran.code, ran.err) == (0, "2 projects in sync\n")
    assert two.run("check", "third_party/x").code == 2
    assert two.run("check", "third_party").code == 2


# Overview


def test_the_overview_follows_from_all_operators(two: Story) -> None:
    settings(two, '[overview]\nen = "README.md"\nzh = "docs/README_zh.md"\n')
    (two.folder / "docs").mkdir()
    (two.folder / "README.md").write_text(OVERVIEW.format("Operators"))
    (two.folder / "docs/README_zh.md").write_text(OVERVIEW.format("算子"), "utf-8")
    ran = two.run("check", ".")
    assert ran.code == 1
    assert "README.md:5:1: error OPG619" in ran.out
    assert "docs/README_zh.md:5:1: error OPG619" in ran.out
    before = contents(two.folder / "ops")
    assert "update    README.md  (overview)" in two.run("generate", ".", "--dry-run").err
    ran = two.run("generate", ".")
    assert "update    README.md  (overview)" in ran.err
    english = (two.folder / "README.md").read_text("utf-8")
    assert english.split("\n")[5:9] == [
        "| Operator | Scenario | Types | Description |",
        "| --- | --- | --- | --- |",
        "| [AddCustom](ops/add_custom/README_en.md) | Offline OM model sinking | `float32`, `float16` "
        "| Adds two tensors of the same shape. |",
        "| [AxpyCustom](ops/axpy_custom/README_en.md) | Dynamic graph online execution | `float32`, `float16` "
        "| Computes z = x + alpha * y. |",
    ]
    assert english.startswith("# Operators\n\nBy hand.\n\n<!-- opgen")
    assert english.endswith("<!-- opgen overview ends -->\n\nBy hand too.\n")
    chinese = (two.folder / "docs/README_zh.md").read_text("utf-8")
    assert "| [AddCustom](../ops/add_custom/README.md) | 离线 OM 模型下沉 | `float32`、`float16` |" in chinese
    assert two.run("check", ".").code == 0
    assert contents(two.folder / "ops") == before
    two.edit("ops/add_custom/op.yaml", "Adds two tensors", "Sums two tensors")
    assert "OPG619" in two.run("check", ".").out
    two.run("generate", "ops/add_custom")
    ran = two.run("check", ".")
    assert (ran.code, "OPG619" in ran.out) == (1, True)
    two.run("generate", ".")
    assert "Sums two tensors" in (two.folder / "README.md").read_text("utf-8")


def test_a_document_keeps_its_line_ends_and_mode(two: Story) -> None:
    settings(two, '[overview]\nen = "README.md"\n')
    path = two.folder / "README.md"
    path.write_bytes(OVERVIEW.format("x").replace("\n", "\r\n").encode())
    path.chmod(0o600)
    two.run("generate", ".")
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")
    assert path.stat().st_mode & 0o777 == 0o600
    assert two.run("check", ".").code == 0
    assert [p.name for p in two.folder.iterdir() if p.name.startswith(".R")] == []


@pytest.mark.parametrize("text", [None, "# no markers\n", OVERVIEW + OVERVIEW, "<!-- opgen overview begins -->\n"])
def test_a_document_without_a_place_for_it(two: Story, text: str | None) -> None:
    settings(two, '[overview]\nen = "README.md"\n')
    if text is not None:
        (two.folder / "README.md").write_text(text)
    for command in ("check", "generate"):
        ran = two.run(command, ".")
        assert ran.code == 1
        assert "error OPG619" in ran.out + ran.err
    assert text is None or (two.folder / "README.md").read_text() == text


def test_a_document_that_is_a_link_is_left_alone(two: Story, tmp_path: Path) -> None:
    settings(two, '[overview]\nen = "README.md"\n')
    (two.folder / "real.md").write_text(OVERVIEW)
    (two.folder / "README.md").symlink_to(two.folder / "real.md")
    assert two.run("generate", ".").code == 2
    assert (two.folder / "real.md").read_text() == OVERVIEW


def test_a_text_of_a_lock_cannot_break_out_of_the_table(two: Story) -> None:
    settings(two, '[overview]\nen = "README.md"\n')
    (two.folder / "README.md").write_text(OVERVIEW)
    lock = two.folder / "ops/add_custom/.opgen/lock.json"
    told = json.loads(lock.read_text("utf-8"))
    told["about"]["en"] = "x | y\n<!-- opgen overview ends -->\n# forged"
    told["about"]["scenario"] = "`|`"
    lock.write_text(json.dumps(told), "utf-8")
    two.run("generate", ".")
    written = (two.folder / "README.md").read_text("utf-8")
    assert "\n# forged" not in written
    assert written.splitlines().count("<!-- opgen overview ends -->") == 1
    assert two.run("check", ".").code == 0


# Documents in two languages


def test_hand_written_documents_are_compared(two: Story) -> None:
    settings(two, '[documents]\npairs = [["docs/zh/a.md", "docs/en/a.md"], ["b_zh.md", "b.md"]]\n')
    for name, text in (
        ("docs/zh/a.md", "# 标题\n\n正文。\n"),
        ("docs/en/a.md", "# Title\n\nText.\n"),
        ("b_zh.md", "# 标题\n\n正文。\n"),
    ):
        (two.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (two.folder / name).write_text(text, "utf-8")
    ran = two.run("check", ".")
    assert (ran.code, "b.md:1:1: warning OPG509" in ran.out) == (0, True)
    (two.folder / "b.md").write_text("# Title\n\nText with 汉字.\n", "utf-8")
    (two.folder / "docs/en/a.md").write_text("# Title\n\nText.\n\n## More\n\nText.\n")
    ran = two.run("check", ".")
    assert ran.code == 0
    assert "b.md:3:1: warning OPG506" in ran.out
    assert "docs/en/a.md:5:1: warning OPG502" in ran.out
    assert two.run("check", ".", "--strict").code == 1
    assert two.run("check", "ops", "--strict").code == 0
    told = json.loads(two.run("check", ".", "--format", "json").out)
    assert told["warnings"] == 2
    settings(two, '[documents]\npairs = ["a.md"]\n')
    assert "error OPG617" in two.run("check", ".").out


def test_links_of_hand_written_documents_lead_somewhere(two: Story) -> None:
    settings(two, '[documents]\npairs = [["docs/zh/a.md", "docs/en/a.md"]]\n')
    for language, title, label in (("zh", "标题", "算子"), ("en", "Title", "the operator")):
        path = two.folder / "docs" / language / "a.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {title}\n\n[{label}](../../ops/add_custom/op.yaml)\n", "utf-8")
    assert two.run("check", ".", "--strict").code == 0
    path.write_text(path.read_text("utf-8").replace("../../ops", "../ops"), "utf-8")
    ran = two.run("check", ".", "--strict")
    assert ran.code == 1
    assert "docs/en/a.md:3:1: warning OPG505: the link to `../ops/add_custom/op.yaml` leads to no file" in ran.out


def test_an_edit_of_one_readme_alone_is_told_even_when_it_was_merged(two: Story) -> None:
    path = two.folder / "ops/add_custom/README_en.md"
    path.write_text(path.read_text("utf-8") + "\n## One More Section\n\nOnly in English.\n", "utf-8")
    assert two.run("generate", "ops/add_custom", "--merge").code == 0
    ran = two.run("check", ".")
    assert (ran.code, "ops/add_custom/README_en.md" in ran.out, "warning OPG502" in ran.out) == (0, True, True)
    assert two.run("check", ".", "--strict").code == 1
    other = two.folder / "ops/add_custom/README.md"
    other.write_text(other.read_text("utf-8") + "\n## 另一节\n\n两种语言都有。\n", "utf-8")
    assert two.run("generate", "ops/add_custom", "--merge").code == 0
    assert two.run("check", ".", "--strict").code == 0


# Collisions


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ("op: AddCustom\nscenario: offline", "the operator type `AddCustom` is that of ops/add_custom/op.yaml too"),
        ("op: Addcustom\nscenario: online", "differs from `AddCustom` in ops/add_custom/op.yaml in letter case only"),
        (
            "op: PlusCustom\nname: add_custom\nscenario: online",
            "the name `add_custom` of `PlusCustom` is that of `AddCustom`",
        ),
    ],
)
def test_operators_that_cannot_stand_side_by_side(two: Story, other: str, says: str) -> None:
    text = (two.folder / "ops/add_custom/op.yaml").read_text("utf-8")
    folder = two.folder / "ops/zzz"
    folder.mkdir()
    (folder / "op.yaml").write_text(text.replace("op: AddCustom\n", "").replace("scenario: offline", other), "utf-8")
    before = picture(two.folder)
    for command in ("check", "generate"):
        ran = two.run(command, ".")
        assert ran.code == 2
        assert "ops/zzz/op.yaml:" in ran.out + ran.err
        assert "error OPG620" in ran.out + ran.err
        assert says in ran.out + ran.err
    assert picture(two.folder) == before


def test_the_same_operator_in_another_scenario_is_no_collision(two: Story) -> None:
    two.run("new", "add_custom", "-o", "online", "--scenario", "online")
    assert two.run("check", ".").code == 0


def test_what_only_looks_like_an_operator_is_none(two: Story) -> None:
    two.edit("ops/axpy_custom/op.yaml", "compute:", "# op: AddCustom, as in the sample\ncompute:")
    two.run("generate", ".")
    assert two.run("check", ".").code == 0


def test_shared_files_are_the_same_in_every_project(two: Story) -> None:
    first, second = (contents(two.folder / "ops" / name) for name in ("add_custom", "axpy_custom"))
    shared = set(first) & set(second) & {"ge/tensor_check.cpp", "ge/tensor_check.h", "ge/kernel.cpp", "ge/kernel.h"}
    assert len(shared) == 4
    assert all(first[name] == second[name] for name in shared)


# Jobs


def test_several_processes_do_and_say_the_same(two: Story, tmp_path: Path) -> None:
    for number in range(17):
        two.run("new", f"add{number}_custom", "-o", "many", "--scenario", "online")
    for number in range(3, 9):
        two.edit(f"many/add{number}_custom/op.yaml", "Adds two tensors", "Sums two tensors")
    two.edit("many/add5_custom/op.yaml", "compute: z = x + y", "compute: z = x + q")
    two.edit("many/add6_custom/run.sh", "set -", "set -x; set -")
    alone = two.run("check", "many")
    assert two.run("check", "many", "--jobs", "2") == alone
    assert alone.code == 2
    ran = two.run("generate", "many", "--jobs", "2")
    assert ran.code == 2
    assert "11 of 17 projects were in sync" in ran.err
    assert "conflict  many/add6_custom/run.sh" in ran.err
    assert "Sums two" in (two.folder / "many/add3_custom/README_en.md").read_text("utf-8")
    assert two.run("check", "many", "--jobs", "none").code == 2


def test_a_generate_of_projects_in_sync_renders_nothing(two: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    from opgen.cli.projects import Project

    def fail(_: Project) -> None:
        raise AssertionError("rendered")

    with monkeypatch.context() as patch:
        patch.setattr(Project, "plan", fail)
        ran = two.run("generate", ".")
        assert (ran.code, ran.err) == (0, "2 of 2 projects were in sync\n")
        alone = two.run("generate", "ops/add_custom")
        assert "identical ops/add_custom/run.sh" in alone.err
    (two.folder / "ops/add_custom/.opgen/base/run.sh.base").unlink()
    two.run("generate", ".")
    assert (two.folder / "ops/add_custom/.opgen/base/run.sh.base").exists()


def test_a_new_project_follows_the_settings_at_once(two: Story) -> None:
    (two.folder / "mine").mkdir()
    (two.folder / "mine/once").mkdir()
    settings(two, '[readme]\nfirst = "en"\n[license]\nheader = "Ours."\n[templates]\nfolder = "mine"\n')
    two.run("generate", ".")
    ran = two.run("new", "third_custom", "-o", "ops", "--scenario", "online")
    assert ran.code == 0, ran.err
    folder = two.folder / "ops/third_custom"
    assert (folder / "README_zh.md").is_file()
    assert "# Ours.\n" in (folder / "run.sh").read_text("utf-8")
    assert two.run("check", ".", "--strict").code == 0
