"""The wheel, in an empty environment outside the checkout, does the main job."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

from conftest import ROOT


def run(*command: str | Path, cwd: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_a_wheel_makes_and_checks_a_project(tmp_path: Path) -> None:
    run(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", tmp_path, ROOT,
        cwd=tmp_path,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("opgen-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv" / "bin"
    run(binaries / "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    work = tmp_path / "work"
    work.mkdir()

    run(binaries / "opgen", "new", "add_custom", "--scenario", "offline", cwd=work)
    run(binaries / "opgen", "generate", "add_custom", cwd=work)
    run(binaries / "opgen", "check", "add_custom", cwd=work)

    assert (work / "add_custom" / "ge" / "custom_op.cpp").is_file()
    assert '"$schema"' in run(binaries / "opgen", "schema", cwd=work)
