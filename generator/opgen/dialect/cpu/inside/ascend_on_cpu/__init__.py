"""TileLang-Ascend on a machine without an NPU: kernels of its dialect, compiled through TileLang's CPU target.

These modules run in a Python environment of their own, which has tilelang and perhaps nothing else: they import the
standard library, tilelang and each other. `announce` arranges that `import tilelang` gives a script what it would find
on a machine with TileLang-Ascend.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType

NAME = "tilelang"


class _Loader(importlib.abc.Loader):
    """Loads the real tilelang, then installs the dialect."""

    def __init__(self, real: importlib.abc.Loader) -> None:
        self.real = real

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self.real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        from . import quiet

        with quiet.importing():
            self.real.exec_module(module)
        from .dialect import install

        install(module)

    def __getattr__(self, name: str) -> object:
        return getattr(self.real, name)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds tilelang where Python finds it."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != NAME:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def announce() -> None:
    """Makes `import tilelang` mean the dialect. Imports nothing yet."""
    sys.meta_path.insert(0, _Finder())
