"""Folders that are shipped beside the code: schemas, specs, cookiecutter-op."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The shipped folder `name`: inside the package in a wheel, at the top of the checkout in an editable install."""
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parents[1] / name
