"""What the READMEs of a project promise is what happens: the output of run.sh, the commands step by step."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from chain_support import Flavour, environment, home, shell
from conftest import ROOT, Opgen, gallery
from opgen.dialect import cpu

SCENARIOS = ("eager", "online", "offline")
MATRIX = [
    pytest.param(scenario, flavour, marks=pytest.mark.full if flavour == "9.1" else (), id=f"{scenario}-{flavour}")
    for scenario in SCENARIOS
    for flavour in ("9.2", "9.1")
]
READMES = ("README.md", "README_en.md")


def fences(path: Path, language: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text)


def only(blocks: list[str], start: str) -> str:
    (block,) = (block for block in blocks if block.startswith(start))
    return block


def pattern(block: str) -> str:
    """A regular expression for output in which `...` stands for lines, or for a part of a line."""
    parts = []
    for line in block.splitlines():
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in line.split("...")) + r"\n")
    return "".join(parts)


def new_project(opgen: Opgen, folder: Path, scenario: str, flavour: Flavour) -> Path:
    name = "it's a 工程"  # nothing may depend on a tame path; only a double quote is too much for CMake itself
    made = opgen("new", "add_custom", "--scenario", scenario, "--cann", flavour, "--dtype", "float32", "-o", name)
    assert made.returncode == 0, made.stderr
    return folder / name / "add_custom"


def test_dots_stand_for_lines_and_for_parts_of_lines() -> None:
    block = "[INFO] a\n...\nModel .../x.om\nDone.\n"
    good = "[INFO] a\n-- cmake\n\nModel /tmp/a b/x.om\nDone.\n"
    assert re.fullmatch(pattern(block), good)
    assert re.fullmatch(pattern(block), "[INFO] a\nModel /x.om\nDone.\n")
    for bad in (good + "more\n", "first\n" + good, good.replace("/x.om", "/y.om"), good.replace("Done", "done")):
        assert not re.fullmatch(pattern(block), bad)


@pytest.mark.parametrize(("scenario", "flavour"), MATRIX)
def test_the_readmes_show_what_run_sh_prints_and_their_steps_run(
    opgen: Opgen, tmp_path: Path, scenario: str, flavour: Flavour
) -> None:
    project = new_project(opgen, tmp_path, scenario, flavour)
    outputs = [only(fences(project / name, "text"), "[INFO] Step 1/") for name in READMES]
    quick = [only(fences(project / name, "bash"), "source ${ASCEND_HOME_PATH}/set_env.sh") for name in READMES]
    steps = [only(fences(project / name, "bash"), "# 1.") for name in READMES]
    surroundings = environment(tmp_path / "run", flavour)
    ran = shell(quick[0], project, surroundings)
    assert ran.returncode == 0, ran.stdout
    for output in outputs:
        assert re.fullmatch(pattern(output), ran.stdout), ran.stdout
    # The languages differ in comments only, so one of them is run. Everything that its steps write is gone before, but
    # for object files.
    commands = [[line for line in block.splitlines() if not line.startswith("#")] for block in steps]
    assert commands[0] == commands[1]
    written = "output build/*.air build/*.om build/session_run build/graph_build build/model_exec build/*.so"
    assert shell(f"rm -rf {written}", project, surroundings).returncode == 0
    ran = shell(steps[1], project, surroundings)
    assert ran.returncode == 0, ran.stdout
    assert re.search(r"(?m)^Precision check passed, max_error=", ran.stdout)
    assert list((tmp_path / "run" / "tmp").iterdir()) == []


@pytest.mark.full
@pytest.mark.parametrize("name", gallery())
def test_the_readmes_of_the_gallery_show_what_run_sh_prints(opgen: Opgen, tmp_path: Path, name: str) -> None:
    home()
    if cpu.find() is None:
        pytest.skip("no CPU build of TileLang here: `opgen doctor --install` prepares it")
    shutil.copytree(ROOT / "specs" / name, tmp_path / name)
    assert opgen("generate", name).returncode == 0
    ran = opgen("run", name, "--on", "standin")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for readme in READMES:
        output = only(fences(tmp_path / name / readme, "text"), "[INFO] Step 1/")
        assert re.fullmatch(pattern(output), ran.stdout), ran.stdout
