"""opgen verify: what each rung finds, what is skipped and why, what is left behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT, Opgen
from disk_support import picture
from run_support import marked

_QUICK = ("--only", "spec", "--only", "files", "--only", "kernel", "--only", "numbers")
_SPEC = """edition: 1
op: ScaledCustom
scenario: online
summary: {en: Scales a tensor., zh: 缩放张量。}
dtypes: {T: [float32, float16]}
dims: {...: {default: [5, 7]}}
inputs: [{name: x, dtype: T, shape: [...]}]
outputs: [{name: y, dtype: T, shape: [...]}]
attrs: [{name: alpha, type: float, default: 1.5}]
compute: y = alpha * x
"""


def spec_only(folder: Path, text: str = _SPEC) -> Path:
    folder.mkdir(parents=True)
    (folder / "op.yaml").write_text(text, encoding="utf-8")
    return folder


def rungs(ran: subprocess.CompletedProcess[str]) -> dict[str, str]:
    (project,) = json.loads(ran.stdout)["projects"]
    return {result["rung"]: result["status"] for result in project["results"]}


def details(ran: subprocess.CompletedProcess[str], rung: str) -> str:
    (project,) = json.loads(ran.stdout)["projects"]
    return next(f"{result['summary']}\n{result['details']}" for result in project["results"] if result["rung"] == rung)


def test_a_folder_with_op_yaml_only_is_verified_in_a_copy(opgen: Opgen, tmp_path: Path) -> None:
    folder = spec_only(tmp_path / "it's 算子")
    before = picture(folder)
    (tmp_path / "tmp").mkdir()
    ran = opgen("verify", folder.name, *_QUICK, TMPDIR=str(tmp_path / "tmp"))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0] == "it's 算子/op.yaml (online)"
    assert [line.split()[:2] for line in lines[1:5]] == [[r, "passed"] for r in ("spec", "files", "kernel", "numbers")]
    assert "generated in a temporary copy" in lines[2]
    assert lines[3].endswith("14 runs, no findings")
    assert "it's 算子/op.yaml (online): the kernel, executed under the rules of the chip\n" in ran.stderr
    assert ran.stderr.endswith("4 passed\n")
    assert picture(folder) == before
    assert list((tmp_path / "tmp").iterdir()) == []


def test_an_op_yaml_with_errors_is_2_with_its_places(opgen: Opgen, tmp_path: Path) -> None:
    spec_only(tmp_path / "scaled", _SPEC.replace("alpha * x", "alpha * w"))
    ran = opgen("verify", "scaled")
    assert ran.returncode == 2
    assert "spec     failed" in ran.stdout
    assert "scaled/op.yaml:10:22: error OPG" in ran.stdout
    assert ran.stdout.count("op.yaml cannot be used") == 5
    assert opgen("verify", "scaled", "--scenario", "all").returncode == 2


def test_an_edited_file_fails_the_rung_of_files_and_the_rest_is_climbed(opgen: Opgen, tmp_path: Path) -> None:
    folder = spec_only(tmp_path / "scaled")
    assert opgen("generate", "scaled").returncode == 0
    assert rungs(opgen("verify", "scaled", *_QUICK, "--format", "json"))["files"] == "passed"
    readme = folder / "README_en.md"
    readme.write_text(readme.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    (folder / "run.sh").unlink()
    before = picture(folder)
    ran = opgen("verify", "scaled", *_QUICK, "--format", "json")
    assert ran.returncode == 1
    assert rungs(ran) == {"spec": "passed", "files": "failed", "kernel": "passed", "numbers": "passed"}
    assert "README_en.md: edited [OPG606]" in details(ran, "files")
    assert "run.sh: missing [OPG611]" in details(ran, "files")
    assert picture(folder) == before


@pytest.mark.parametrize(
    ("old", "new", "kernel", "numbers"),
    [
        # The result is used before it is there, and stored before it is complete: no number shows it.
        ('T.wait_flag("v", "mte3", EVENT + i % 2)', "pass", "failed", "passed"),
        # A wrong number that breaks no rule.
        ("T.tile.mul", "T.tile.add", "passed", "failed"),
        ("def scaled_custom(", "def scaled custom(", "failed", "skipped"),
    ],
)
def test_a_wrong_kernel_fails_where_it_is_wrong(
    opgen: Opgen, tmp_path: Path, old: str, new: str, kernel: str, numbers: str
) -> None:
    folder = spec_only(tmp_path / "scaled")
    assert opgen("generate", "scaled").returncode == 0
    script = folder / "scaled_custom_kernel" / "scaled_custom_kernel.py"
    text = script.read_text(encoding="utf-8")
    changed = text.replace(old, new)
    assert changed != text
    script.write_text(changed, encoding="utf-8")
    ran = opgen("verify", "scaled", "--only", "kernel", "--only", "numbers", "--format", "json")
    assert ran.returncode == 1
    assert rungs(ran) == {"kernel": kernel, "numbers": numbers}
    if kernel == "failed":
        assert "scaled/scaled_custom_kernel/scaled_custom_kernel.py:" in details(ran, "kernel")
    if numbers == "failed":
        assert "elements of y are wrong; y[0, 0] is" in details(ran, "numbers")


@pytest.mark.parametrize(
    ("dtype", "compute", "why"),
    [
        ("int8", "y = x * x", "int8 does not hold 10000: choose `min` and `max` of the inputs"),
        ("float32", "y = (x * 3000.0 + x) - x * 3000.0", "times what is allowed"),
    ],
)
def test_what_a_test_is_to_blame_for(opgen: Opgen, tmp_path: Path, dtype: str, compute: str, why: str) -> None:
    text = (
        "edition: 1\nop: BlamedCustom\nscenario: online\nsummary: {en: Loses something., zh: 会损失一些信息。}\n"
        f"dims:\n  N: {{default: 500}}\ninputs:\n  - {{name: x, dtype: {dtype}, shape: [N]}}\n"
        f"outputs:\n  - {{name: y, dtype: {dtype}, shape: [N]}}\ncompute: {compute}\n"
    )
    spec_only(tmp_path / "blamed", text)
    ran = opgen("verify", "blamed", "--only", "numbers", "--format", "json")
    assert ran.returncode == 1
    assert why in details(ran, "numbers")


def test_a_kernel_of_the_users_is_compared_with_the_formula_if_there_is_one(opgen: Opgen, tmp_path: Path) -> None:
    assert (
        opgen("new", "mine", "--op", "MineCustom", "--scenario", "online", "--kernel", "my_kernel.py").returncode == 0
    )
    wanted = ("--only", "kernel", "--only", "numbers", "--format", "json")
    ran = opgen("verify", "mine", *wanted)
    assert ran.returncode == 0, ran.stderr
    assert rungs(ran) == {"kernel": "passed", "numbers": "skipped"}
    assert "no formula" in details(ran, "numbers")
    spec = tmp_path / "mine" / "op.yaml"
    text = spec.read_text(encoding="utf-8")
    # The kernel that one starts with copies x.
    for formula, status in (("z = x + 0 * y", "passed"), ("z = x + y", "failed")):
        spec.write_text(f"{text}\ncompute: {formula}\n", encoding="utf-8")
        assert rungs(opgen("verify", "mine", *wanted)) == {"kernel": "passed", "numbers": status}
    script = tmp_path / "mine" / "my_kernel.py"
    script.write_text(script.read_text(encoding="utf-8").replace('T.wait_flag("mte2", "mte3", 2)', "pass"))
    ran = opgen("verify", "mine", *wanted)
    assert rungs(ran)["kernel"] == "failed"
    assert "mine/my_kernel.py:" in details(ran, "kernel")


def test_every_scenario_is_tried_and_what_cannot_be_says_why(opgen: Opgen, tmp_path: Path) -> None:
    folder = spec_only(tmp_path / "scaled")
    assert opgen("generate", "scaled").returncode == 0
    before = picture(folder)
    ran = opgen("verify", "scaled", *_QUICK, "--scenario", "all", "--format", "json", "--jobs", "2")
    assert ran.returncode == 0, ran.stderr
    found = {p["scenario"]: p for p in json.loads(ran.stdout)["projects"]}
    assert list(found) == ["online", "eager", "offline"]
    assert [p["asked"] for p in found.values()] == [False, True, True]
    assert {r["status"] for name in ("online", "offline") for r in found[name]["results"]} == {"passed"}
    for result in found["eager"]["results"]:
        assert result["status"] == "skipped"
        assert result["summary"].startswith("OPG207: ")
    assert picture(folder) == before


def test_junit_comes_out_of_the_command_too(opgen: Opgen, tmp_path: Path) -> None:
    spec_only(tmp_path / "a", _SPEC.replace("ScaledCustom", "OneCustom"))
    spec_only(tmp_path / "b", _SPEC.replace("alpha * x", "alpha * w"))
    ran = opgen("verify", ".", "--only", "spec", "--only", "files", "--format", "junit")
    assert ran.returncode == 2
    root = ElementTree.fromstring(ran.stdout)
    assert [(s.get("name"), s.get("failures"), s.get("skipped")) for s in root] == [
        ("a/op.yaml (online)", "0", "0"),
        ("b/op.yaml (unreadable)", "1", "1"),
    ]


@pytest.mark.parametrize(("strict", "code"), [((), 0), (("--strict",), 1)])
def test_without_a_compiler_the_rungs_that_build_say_so(
    opgen: Opgen, tmp_path: Path, strict: tuple[str, ...], code: int
) -> None:
    spec_only(tmp_path / "scaled")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "bash").symlink_to("/bin/bash")
    ran = opgen(
        "verify", "scaled", "--only", "cpp", "--only", "chain", "--format", "json", *strict, PATH=str(tmp_path / "bin")
    )
    assert ran.returncode == code
    assert rungs(ran) == {"cpp": "skipped", "chain": "skipped"}
    for rung in ("cpp", "chain"):
        assert details(ran, rung).startswith("not on PATH: cmake, make, g++")


def test_wrong_arguments_are_2_with_what_was_meant(opgen: Opgen, tmp_path: Path) -> None:
    spec_only(tmp_path / "scaled")
    for words, meant in (
        (("--only", "kernels"), "did you mean kernel?"),
        (("--scenario", "of-line"), "did you mean offline?"),
        (("--format", "xml"), "is not one of text, json, junit"),
        (("--jobs", "many"), "is not a number of jobs"),
    ):
        ran = opgen("verify", "scaled", *words)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert meant in ran.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_verification_leaves_nothing(tmp_path: Path, jobs: str) -> None:
    long = _SPEC.replace("default: [5, 7]", "default: [4096, 4096]")
    spec_only(tmp_path / "a", long)
    spec_only(tmp_path / "b", long.replace("ScaledCustom", "OtherCustom"))
    (tmp_path / "tmp").mkdir()
    mark = f"{tmp_path}-{jobs}"
    process = subprocess.Popen(
        [sys.executable, "-m", "opgen", "verify", ".", "--only", "kernel", "--jobs", jobs],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp"), "MARK": mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stderr
    while "the kernel, executed" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "interrupted"
    assert marked(mark) == []
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_pypto_folder_among_others_is_tried_as_what_it_is(opgen: Opgen, tmp_path: Path) -> None:
    for name in ("axpy", "scale_shift"):
        (tmp_path / "ops" / name).mkdir(parents=True)
        shutil.copy(ROOT / "specs" / name / "op.yaml", tmp_path / "ops" / name)
    ran = opgen("verify", "ops", "--scenario", "all", "--only", "spec", "--format", "json", "--jobs", "2")
    assert ran.returncode == 0, ran.stderr
    tried = [(p["project"], p["scenario"]) for p in json.loads(ran.stdout)["projects"]]
    assert [scenario for project, scenario in tried if "scale_shift" in project] == ["pypto"]
    assert sorted(scenario for project, scenario in tried if "axpy" in project) == ["eager", "offline", "online"]
