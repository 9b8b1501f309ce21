"""Whole stories, with real operators: what a person does from the first command on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import Ran, Run
from conftest import Opgen
from disk_support import contents, picture
from opgen.cli import app
from opgen.templating import TemplateFault


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `opgen ARGUMENTS...` in tmp_path."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        code = app.run(arguments)
        return Ran(code, *capsys.readouterr())

    return call


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    ran = run("new", "add_custom", "--scenario", "offline")
    assert ran.code == 0, ran.err
    return tmp_path / "add_custom"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_from_new_to_a_forced_repair(run: Run, project: Path) -> None:
    assert run("check", "add_custom").code == 0
    assert run("diff", "add_custom").out == ""

    edit(project / "op.yaml", "Adds two tensors of the same shape.", "Adds one tensor to another.")
    ran = run("check", "add_custom")
    assert ran.code == 1
    assert "add_custom/README_en.md: changed [OPG610]" in ran.out
    assert "+" in run("diff", "add_custom").out
    ran = run("generate", "add_custom")
    assert ran.code == 0
    assert "update    add_custom/README_en.md" in ran.err
    assert "identical add_custom/CMakeLists.txt" in ran.err
    assert "Adds one tensor to another" in (project / "README_en.md").read_text("utf-8")
    assert run("check", "add_custom").code == 0

    edit(project / "run.sh", "set -", "set -x; set -")
    before = picture(project)
    ran = run("generate", "add_custom")
    assert ran.code == 1
    assert "-set -x; set -" in ran.out
    assert "OPG606" in ran.err
    assert picture(project) == before
    ran = run("generate", "add_custom", "--force")
    assert ran.code == 0
    assert "set -x; set -" in (project / ".opgen/backup/run.sh.orig").read_text("utf-8")
    assert run("check", "add_custom").code == 0


def test_a_renamed_operator_leaves_nothing_behind(run: Run, project: Path) -> None:
    edit(project / "op.yaml", "op: AddCustom", "op: PlusCustom")
    assert "add_custom/ge/add_custom.h: extra [OPG612]" in run("check", "add_custom").out
    assert run("generate", "add_custom").code == 0
    names = set(contents(project))
    assert "ge/plus_custom.h" in names
    assert not [name for name in names if "add_custom" in name]
    assert not (project / "add_custom_kernel").exists()
    assert run("check", "add_custom").code == 0


def test_another_scenario_leaves_nothing_behind(run: Run, project: Path) -> None:
    edit(project / "op.yaml", "scenario: offline", "scenario: online")
    assert run("generate", "add_custom").code == 0
    names = set(contents(project))
    assert "session_run/main.cc" in names
    assert not [name for name in names if name.startswith(("graph_build/", "model_exec/"))]
    edit(project / "op.yaml", "scenario: online", "scenario: eager")
    ran = run("generate", "add_custom")
    assert ran.code == 2  # a size that is compiled in must be known before the build
    assert "OPG207" in ran.err
    assert set(contents(project)) == names


def test_clean_and_generate_are_inverse(run: Run, project: Path) -> None:
    before = contents(project)
    assert run("clean", "add_custom").code == 0
    assert set(contents(project)) == {"op.yaml"}
    assert [p.name for p in project.iterdir()] == ["op.yaml"]
    assert run("generate", "add_custom").code == 0
    assert contents(project) == before


def test_list_names_every_file_with_its_role(run: Run, project: Path) -> None:
    told = json.loads(run("list", "add_custom", "--format", "json").out)["files"]
    assert {row["path"].removeprefix("add_custom/") for row in told} == set(contents(project)) - {"op.yaml"}
    assert all(row["owner"] == "generated" and row["role"] for row in told)
    for language in ("en", "zh"):
        lines = run("list", "add_custom", "--lang", language).out.splitlines()
        assert [line.split()[0] for line in lines] == [row["path"] for row in told]


def test_show_tells_the_plan(run: Run, project: Path) -> None:
    page = run("show", "add_custom").out
    told = json.loads(run("show", "add_custom", "--format", "json").out)["operators"][0]
    assert (told["operator"], told["name"], told["schedule"]) == ("AddCustom", "add_custom", "elementwise")
    for variant in told["variants"]:
        assert variant["used"] == sum(buffer["bytes"] for buffer in variant["buffers"]) + variant["scratch"]
        assert variant["used"] <= told["budget"]
        assert f"{variant['tile']} elements" in page
        assert variant["key"] in page
        assert f"{variant['bytes_per_element']} bytes an element, {variant['least_bytes_per_element']} at least" in page
    assert {v["bytes_per_element"] for v in told["variants"]} == {12, 6}
    assert "add_custom_kernel/add_custom_kernel.py" in page


def test_texts_keep_to_the_form_of_all_generated_files(project: Path) -> None:
    for path, content in contents(project).items():
        text = content.decode("utf-8")
        assert text.endswith("\n"), path
        assert not text.endswith("\n\n"), path
        assert "\r" not in text, path
        if path not in ("op.yaml",):
            assert "Generated from op.yaml by opgen." in "\n".join(text.splitlines()[:2]), path
    executable = {p for p in contents(project) if (project / p).stat().st_mode & 0o111}
    assert executable == {"run.sh"}


def test_the_same_bytes_in_any_circumstances(opgen: Opgen, tmp_path: Path) -> None:
    seen = []
    circumstances: list[tuple[str, dict[str, str]]] = [
        ("one", {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}),
        (
            "算子 two",
            {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Asia/Tokyo"},
        ),
    ]
    for name, environment in circumstances:
        folder = tmp_path / name
        folder.mkdir()
        done = opgen("new", "add_custom", "-o", name, **environment)
        assert done.returncode == 0, done.stderr
        done = opgen("check", f"{name}/add_custom", **environment)
        assert done.returncode == 0, done.stderr
        seen.append({k: v[0] for k, v in picture(folder / "add_custom").items()})
    assert seen[0] == seen[1]


def test_a_failing_template_leaves_the_folder_as_it_was(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise TemplateFault("ge/custom_op.cpp.j2:12: 'key' is undefined")

    (project / "mine.txt").write_text("mine\n")
    edit(project / "op.yaml", "scenario: offline", "scenario: online")
    before = picture(project)
    monkeypatch.setattr("opgen.ge.render.render", fail)
    ran = run("generate", "add_custom")
    assert ran.code == 2
    assert "ge/custom_op.cpp.j2:12" in ran.err
    assert "Traceback" not in ran.err
    assert picture(project) == before


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("op: AddCustom", "op: ../escaped", "OPG017"),
        ("op: AddCustom", "op: ''", "OPG0"),
        ("op: AddCustom", "op: Class", "OPG103"),
        ("op: AddCustom", "op: Add", "OPG104"),
        ("op: AddCustom", "op: AddCustom\nname: con", "OPG103"),
        ("op: AddCustom", "op: AddCustom\nextra: [../x.h]", "OPG0"),
        ("scenario: offline", "scenario: pypto", "OPG"),
    ],
)
def test_a_refused_op_yaml_changes_nothing(run: Run, project: Path, old: str, new: str, rule: str) -> None:
    edit(project / "op.yaml", old, new)
    before = picture(project.parent)
    for command in ("check", "generate", "diff", "list", "show"):
        ran = run(command, "add_custom")
        assert ran.code == 2, command
        assert "add_custom/op.yaml:" in ran.out + ran.err
        assert f"error {rule}" in ran.out + ran.err
        assert "Traceback" not in ran.err
    assert picture(project.parent) == before


def test_your_own_kernel_from_the_first_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text("# my kernel\n")
    ran = run("new", "mine_custom", "--kernel", "k.py", "--formula", "y = exp(x)")
    assert ran.code == 0, ran.err
    project = tmp_path / "mine_custom"
    assert (project / "k.py").read_text() == "# my kernel\n"
    assert run("check", "mine_custom").code == 0
    (project / "k.py").write_text("# edited\n")
    assert run("check", "mine_custom").code == 0
    assert run("generate", "mine_custom", "--force").code == 0
    assert (project / "k.py").read_text() == "# edited\n"
    assert run("clean", "mine_custom").code == 0
    assert set(contents(project)) == {"op.yaml", "k.py"}


@pytest.mark.parametrize("scenario", ["eager", "online", "offline"])
def test_every_scenario_starts_and_is_in_sync(run: Run, scenario: str) -> None:
    ran = run("new", "axpy_custom", "--scenario", scenario, "--formula", "z = x + alpha * y")
    assert ran.code == 0, ran.err
    assert run("check", "axpy_custom", "--strict").code == 0


def test_check_needs_no_heavy_module(run: Run, project: Path, opgen: Opgen) -> None:
    edit(project / "op.yaml", "z = x + y", "z = x - y")
    program = (
        "import sys; from opgen.__main__ import main; code = main(['check', 'add_custom'])\n"
        "print(code, *[n for n in ('numpy', 'cookiecutter', 'jsonschema', 'tilelang') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "1"
