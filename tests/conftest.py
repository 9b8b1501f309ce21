"""Shared by all tests: where the checkout is, how opgen is run as a user runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a shell: what the tests start would never hear of Ctrl-C either.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def gallery(pypto: bool = False) -> list[str]:
    """Names of the specs of GE's scenarios, or of PyPTO."""
    specs = sorted((ROOT / "specs").glob("*/op.yaml"))
    return [path.parent.name for path in specs if (b"\nscenario: pypto\n" in path.read_bytes()) == pypto]


Opgen = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def opgen(tmp_path: Path) -> Opgen:
    """Runs `opgen ARGUMENTS...` in a process of its own, by default in tmp_path."""

    def run(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "opgen", *arguments],
            cwd=cwd or tmp_path,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    return run
