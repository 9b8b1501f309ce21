"""Every operator of the gallery becomes a project whose C++, Python and shell text real tools accept."""

from __future__ import annotations

import functools
import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import ROOT, gallery
from opgen.disk.plan import Plan
from opgen.facts.scenarios import SCENARIOS
from opgen.project.plan import plan_project
from opgen.sim import include_folders
from opgen.spec.loader import check
from opgen.text.yaml_reader import read

SPECS = gallery()
COMPILE = ("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-D_GLIBCXX_USE_CXX11_ABI=0", "-fsyntax-only")


def source(name: str, scenario: str | None) -> bytes:
    """op.yaml of the gallery, moved to another scenario; in eager, open sizes become known at run time, and lengths of
    rows and attributes those of the tests."""
    data = (ROOT / "specs" / name / "op.yaml").read_bytes()
    if scenario is None:
        return data
    spec = read(data, "op.yaml").data
    assert isinstance(spec, dict)
    spec["scenario"] = scenario
    for operator in spec.get("ops", [spec]):
        for name, dim in operator.get("dims", {}).items():
            if scenario == "eager" and isinstance(dim, dict) and "values" not in dim and not dim.get("dynamic"):
                if name == "C":
                    cases = operator.get("tests", {}).get("cases", [])
                    dim["values"] = sorted({dim["default"], *(case["C"] for case in cases if "C" in case)})
                else:
                    dim["dynamic"] = True
        for attr in operator.get("attrs", []):
            if scenario == "eager" and attr["type"] == "int" and not {"values", "dynamic"} & set(attr):
                cases = operator.get("tests", {}).get("cases", [])
                attr["values"] = sorted({case[attr["name"]] for case in cases if attr["name"] in case})
                for limit in {"min", "max"} & set(attr):
                    del attr[limit]
    return json.dumps(spec, ensure_ascii=False).replace("Infinity", ".inf").encode()


@functools.cache
def plan(name: str, scenario: str | None = None) -> Plan:
    data = source(name, scenario)
    spec, findings = check(data, "op.yaml")
    assert spec is not None, [f"{finding.rule} {finding.what}" for finding in findings]
    return plan_project(spec, data)


def write(project: Plan, folder: Path) -> None:
    for file in project:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.content, encoding="utf-8")


def compile_sources(projects: dict[str, Plan], folder: Path) -> None:
    """Compiles each C++ source once: files that are the same in several projects count as one."""
    seen: set[str] = set()
    jobs: list[tuple[str, list[str]]] = []
    for label, project in projects.items():
        write(project, folder / label)
        includes = [f"-I{folder / label / sub}" for sub in ("ge", "common")]
        includes += [f"-isystem{path}" for path in include_folders()]
        for file in project:
            if not file.path.endswith((".cpp", ".cc")):
                continue
            own = "".join(f.content for f in project if f.path.endswith(".h") and f.path.startswith(("ge/", "common/")))
            shared = file.path.startswith("ge/") and file.path != "ge/custom_op.cpp"
            digest = hashlib.sha256((file.content + ("" if shared else own)).encode()).hexdigest()
            if digest not in seen:
                seen.add(digest)
                jobs.append((f"{label}/{file.path}", [*COMPILE, *includes, str(folder / label / file.path)]))
    assert jobs

    def run(job: tuple[str, list[str]]) -> str:
        done = subprocess.run(job[1], capture_output=True, encoding="utf-8", check=False)
        return "" if done.returncode == 0 else f"{job[0]}\n{done.stderr[:4000]}"

    with ThreadPoolExecutor(2) as pool:
        failures = [message for message in pool.map(run, jobs) if message]
    assert not failures, "\n".join(failures)


def test_cpp_of_every_spec_compiles(tmp_path: Path) -> None:
    compile_sources({name: plan(name) for name in SPECS}, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_cpp_of_every_spec_compiles_in_every_scenario(scenario: str, tmp_path: Path) -> None:
    compile_sources({name: plan(name, scenario) for name in SPECS}, tmp_path)


def test_generated_python_passes_ruff(tmp_path: Path) -> None:
    for name in (*SPECS, *gallery(pypto=True)):
        for file in plan(name):
            # The beginning of a hand-written PyPTO kernel has names that its author is yet to use.
            begun = file.owner == "once" and file.path.startswith("op_kernel/")
            if file.path.endswith(".py") and not begun:
                path = tmp_path / name / file.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(file.content, encoding="utf-8")
    settings = ["--isolated", "--line-length", "120", "--target-version", "py310"]
    lint = [sys.executable, "-m", "ruff", "check", *settings, "--select", "E,F,W,I,B,UP,SIM,C4,RUF", "."]
    layout = [sys.executable, "-m", "ruff", "format", *settings, "--check", "."]
    for command in (lint, layout):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_run_sh_passes_shellcheck(tmp_path: Path) -> None:
    scripts = []
    for name in SPECS:
        for scenario in SCENARIOS:
            (script,) = (file.content for file in plan(name, scenario) if file.path == "run.sh")
            path = tmp_path / f"{name}_{scenario}.sh"
            path.write_text(script, encoding="utf-8")
            scripts.append(path)
    done = subprocess.run(
        [Path(sys.executable).with_name("shellcheck"), *scripts], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout


def test_same_input_gives_the_same_bytes_whatever_the_surroundings(tmp_path: Path) -> None:
    program = (
        "import hashlib, sys; from pathlib import Path\n"
        "from opgen.project.plan import plan_project; from opgen.spec.loader import load\n"
        "data = Path(sys.argv[1]).read_bytes()\n"
        "files = plan_project(load(data, 'op.yaml'), data)\n"
        "print(hashlib.sha256(''.join(f.path + f.content for f in files).encode()).hexdigest())\n"
    )
    surroundings: tuple[dict[str, str], ...] = (
        {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
        {"PYTHONHASHSEED": "4711", "LC_ALL": "C.UTF-8", "TZ": "Asia/Shanghai", "PYTHONUTF8": "0"},
    )
    digests = set()
    for number, extra in enumerate(surroundings):
        folder = tmp_path / str(number)
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", program, ROOT / "specs" / "apply_adam" / "op.yaml"],
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", **extra},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
