"""Same input, same bytes: any folder, locale, time zone, order of sets and Python; and after an upgrade. P55, P56."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import opgen
import pytest
from conftest import ROOT
from disk_support import picture
from opgen.project import inputs
from story_support import Story, story

__all__ = ["story"]

SPECS = ("add_custom_offline", "gelu", "fused_pack")
VERSIONS = ("3.10", "3.11", "3.12", "3.13")


def copied(folder: Path) -> Path:
    """Some operators of the gallery, op.yaml and the files of a user only."""
    for name in SPECS:
        shutil.copytree(ROOT / "specs" / name, folder / name)
    return folder


def texts(folder: Path) -> dict[str, bytes | str]:
    return {name: seen[0] for name, seen in picture(folder).items() if not name.endswith("/")}


def generate(python: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    packages = [str(ROOT / "generator"), sysconfig.get_paths()["purelib"]]
    return subprocess.run(
        [python, "-B", "-m", "opgen", "generate", "."],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(packages), **environment},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes | str]:
    folder = copied(tmp_path_factory.mktemp("reference"))
    done = generate(sys.executable, folder, PYTHONHASHSEED="0")
    assert done.returncode == 0, done.stderr
    return texts(folder)


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Asia/Shanghai"},
        {"PYTHONHASHSEED": "4242", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "America/St_Johns"},
        {"PYTHONHASHSEED": "7", "PYTHONIOENCODING": "gbk", "SOURCE_DATE_EPOCH": "1", "COLUMNS": "20", "NO_COLOR": "1"},
    ],
    ids=["C", "Turkish", "GBK"],
)
def test_circumstances_do_not_show(
    tmp_path: Path, reference: dict[str, bytes | str], environment: dict[str, str]
) -> None:
    folder = tmp_path / "算子 with spaces" / "deep"
    folder.mkdir(parents=True)
    done = generate(sys.executable, copied(folder), **environment)
    assert done.returncode == 0, done.stderr
    assert texts(folder) == reference


def interpreter(version: str) -> str:
    """A Python of this version. Skips the test where there is none that runs."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates = [*sorted(pyenv.glob(f"versions/{version}*/bin/python")), shutil.which(f"python{version}")]
    for candidate in filter(None, candidates):
        ask = [str(candidate), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(ask, capture_output=True, text=True, check=False)
        if done.stdout.strip() == version:
            return str(candidate)
    pytest.skip(f"there is no Python {version} on this machine")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_version_of_python_does_not_show(tmp_path: Path, reference: dict[str, bytes | str], version: str) -> None:
    done = generate(interpreter(version), copied(tmp_path), PYTHONHASHSEED="3")
    assert done.returncode == 0, done.stderr
    assert texts(tmp_path) == reference


def test_a_patch_upgrade_changes_the_lock_and_nothing_else(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = story.new("add_custom")
    before = picture(folder)
    monkeypatch.setattr(opgen, "__version__", "0.1.1")
    monkeypatch.setattr("opgen.project.plan.__version__", "0.1.1")
    monkeypatch.setattr(inputs, "_own_hash", lambda: "f" * 64)
    assert story.run("check", "add_custom").code == 0
    assert story.run("diff", "add_custom").out == ""
    ran = story.run("generate", "add_custom")
    assert ran.code == 0
    assert {line.split()[0] for line in ran.err.splitlines()[:-1]} == {"identical"}
    after = picture(folder)
    assert {name for name in after if after[name] != before.get(name)} == {".opgen/lock.json"}
    assert set(after) == set(before)
