"""The commands in this process, over projects whose op.yaml is a mapping of paths to texts: no operator is needed to
see what the commands do with files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from disk_support import TEXTS
from opgen.cli import app
from opgen.cli.projects import Project
from opgen.disk.plan import Plan, PlannedFile
from opgen.project.inputs import spec_hash, template_hash
from opgen.text.findings import Finding, Place, Refused


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


def plan_of(project: Project) -> Plan:
    """The plan that an op.yaml of these tests means. A text that begins with "!" is a finding of that severity."""
    findings = []
    files = []
    for path, text in json.loads(project.data).items():
        if text.startswith("!"):
            findings.append(Finding("OPG203", "no dim", "why", "fix", text[1:], place=Place(project.name, 1, 3, 2)))
        else:
            files.append(PlannedFile(path, text, "once" if path == "kernel.py" else "generated", path.endswith(".sh")))
    if any(finding.severity == "error" for finding in findings):
        raise Refused(findings)
    files.sort(key=lambda file: file.path)
    return Plan(tuple(files), spec_hash(project.data), template_hash(), "0.1.0", tuple(findings))


def write_spec(folder: Path, texts: dict[str, str] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "op.yaml").write_text(json.dumps(TEXTS if texts is None else texts))
    return folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `opgen ARGUMENTS...` in tmp_path, over the plans of this module."""
    monkeypatch.setattr(Project, "plan", plan_of)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        code = app.run(arguments)
        return Ran(code, *capsys.readouterr())

    return call
