"""For the tests of run and verify: a toolkit that is none, projects whose run.sh does what a test needs."""

from __future__ import annotations

import os
from pathlib import Path


def fake_toolkit(folder: Path) -> Path:
    """A folder that `opgen run --on cann` takes for CANN."""
    for name in ("include", "lib64", "bin"):
        (folder / name).mkdir(parents=True)
    (folder / "lib64" / "libascendcl.so").write_bytes(b"")
    (folder / "version.cfg").write_text("# a comment\nruntime_running_version=[9.2.0:9.2.0]\n")
    return folder


SPEC = """edition: 1
op: AddCustom
scenario: online
summary: {en: Adds two tensors., zh: 两个张量相加。}
dims: {...: {default: [16]}}
inputs: [{name: x, dtype: float32, shape: [...]}]
outputs: [{name: y, dtype: float32, shape: [...]}]
"""
CHECKED = SPEC + "compute: y = x + 1.0\n"
UNCHECKED = SPEC + "kernel: mine.py\n"

HEAD = """#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
echo "[INFO] Step 1/2: build the operator"
"""
GOOD = HEAD + 'echo "[INFO] Step 2/2: run it"\necho "Precision check passed, max_error=0"\necho "[INFO] Done."\n'


def project(folder: Path, script: str, spec: str = CHECKED) -> Path:
    """A project that has nothing but op.yaml and a run.sh."""
    folder.mkdir(parents=True)
    (folder / "op.yaml").write_text(spec, encoding="utf-8")
    (folder / "run.sh").write_text(script, encoding="utf-8")
    return folder


def marked(mark: str) -> list[int]:
    """The living processes whose environment holds `MARK=mark`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            environment = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if f"MARK={mark}".encode() in environment and int(entry.parent.name) != os.getpid():
            found.append(int(entry.parent.name))
    return found
