"""Hashes of what a project is made from: op.yaml, and the generator itself."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]

# What decides texts. `cli` and `disk` carry them only. Folders of the package, and "" for the files beside them.
_ROOMS = ("", "cxx", "docs", "facts", "formula", "ge", "kernel", "project", "pypto", "spec", "templates", "text")
_SKIPPED = ("__pycache__",)


def spec_hash(data: bytes) -> str:
    """Hash of op.yaml. Line ends do not count: a checkout may turn LF into CRLF."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def template_hash(settings: str = "") -> str:
    """Hash of all templates and of the code that fills them, so that an edit of either is never taken for no change.
    settings: hash of what the repository has changed, "" for nothing."""
    own = _own_hash()
    return hashlib.sha256(f"{own}{settings}".encode()).hexdigest() if settings else own


@cache
def _own_hash() -> str:
    digest = hashlib.sha256()
    for room in _ROOMS:
        for folder, folders, files in os.walk(_PACKAGE / room):
            folders[:] = sorted(name for name in folders if room and name not in _SKIPPED)
            for name in sorted(files):
                path = Path(folder, name)
                content = path.read_bytes()
                digest.update(f"{path.relative_to(_PACKAGE).as_posix()}\0{len(content)}\0".encode())
                digest.update(content)
    return digest.hexdigest()
