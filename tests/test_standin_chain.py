"""Generated projects in the CANN stand-in: their own run.sh, unmodified. Kernels come from cpu_kernels.py."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from opgen.project.plan import plan_project
from opgen.resources import folder
from opgen.sim.build import Flavour, ensure
from opgen.spec.loader import load

pytestmark = pytest.mark.full

TESTS = Path(__file__).resolve().parent
_INTERPRETER = """#!/usr/bin/env bash
if [[ "$1" == -c ]]; then exit 0; fi
exec {python} {kernels} {spec} "$@"
"""


class StandIn:
    """A built stand-in, and projects in it."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def run(self, *command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {
            "ASCEND_HOME_PATH": str(self.home),
            "LD_LIBRARY_PATH": str(self.home / "lib64"),
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        return subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env={**os.environ, **variables, **environment},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def run_sh(self, project: Path) -> subprocess.CompletedProcess[str]:
        return self.run("bash", project / "run.sh", cwd=project.parent, CUSTOM_OP_PYTHON=str(project / "interpreter"))


def lay_out(name: str, scenario: str, project: Path) -> None:
    """A gallery operator as a project of a scenario."""
    text = (folder("specs") / name / "op.yaml").read_text(encoding="utf-8")
    data = re.sub(r"^scenario: \w+", f"scenario: {scenario}", text, flags=re.M).encode()
    project.mkdir(parents=True)
    (project / "op.yaml").write_bytes(data)
    for file in plan_project(load(data, "op.yaml"), data):
        path = project / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.content, encoding="utf-8")
    interpreter = project / "interpreter"
    paths = {"python": sys.executable, "kernels": TESTS / "cpu_kernels.py", "spec": project / "op.yaml"}
    interpreter.write_text(_INTERPRETER.format(**{key: shlex.quote(str(path)) for key, path in paths.items()}))
    interpreter.chmod(0o755)


@pytest.fixture
def standin() -> StandIn:
    return of_flavour("9.2")


def of_flavour(flavour: Flavour) -> StandIn:
    return StandIn(ensure(lambda line: None, flavour=flavour))


def check_run_sh(standin: StandIn, project: Path, name: str, scenario: str) -> None:
    lay_out(name, scenario, project)
    result = standin.run_sh(project)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    operators = load((project / "op.yaml").read_bytes(), "op.yaml").operators
    assert result.stdout.count("Precision check passed, max_error=") == len(operators)


@pytest.mark.parametrize(
    ("name", "scenario"),
    [
        ("apply_adam", "eager"),
        ("cast", "eager"),
        ("fused_pack", "offline"),
    ],
)
def test_run_sh_passes(standin: StandIn, tmp_path: Path, name: str, scenario: str) -> None:
    check_run_sh(standin, tmp_path / "a project" / name, name, scenario)


@pytest.mark.parametrize("scenario", ["eager", "offline"])
def test_run_sh_passes_with_cann_91(tmp_path: Path, scenario: str) -> None:
    check_run_sh(of_flavour("9.1"), tmp_path / "axpy", "axpy", scenario)


def test_a_wrong_kernel_is_found(standin: StandIn, tmp_path: Path) -> None:
    project = tmp_path / "axpy"
    lay_out("axpy", "online", project)
    spec = project / "op.yaml"
    (project / "wrong.yaml").write_text(re.sub(r"compute: .*", "compute: z = alpha * x - y", spec.read_text()))
    interpreter = project / "interpreter"
    interpreter.write_text(interpreter.read_text().replace("op.yaml", "wrong.yaml"))
    result = standin.run_sh(project)
    assert result.returncode != 0
    assert "z[0] is " in result.stderr and "Precision check of z failed" in result.stderr
