"""Whole stories with real operators: commands in this process, edits as a person makes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from cli_support import Ran
from opgen.cli import app


@dataclass(frozen=True)
class Story:
    folder: Path
    _capsys: pytest.CaptureFixture[str]

    def run(self, *arguments: str) -> Ran:
        """Runs `opgen ARGUMENTS...` in the folder of the story."""
        self._capsys.readouterr()
        code = app.run(arguments)
        return Ran(code, *self._capsys.readouterr())

    def new(self, name: str, *options: str) -> Path:
        """A new project; offline, if the options do not say otherwise."""
        words = options if "--scenario" in options else (*options, "--scenario", "offline")
        ran = self.run("new", name, *words)
        assert ran.code == 0, ran.err
        return self.folder / name

    def edit(self, path: str, old: str, new: str) -> None:
        full = self.folder / path
        text = full.read_text("utf-8")
        assert text.count(old) >= 1, f"{old!r} is not in {path}"
        full.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Story:
    monkeypatch.chdir(tmp_path)
    return Story(tmp_path, capsys)
