"""Loads a kernel file with modules that stand for pypto_pro, torch and torch_npu."""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from opgen.dialect.pypto.jit import Jit
from opgen.dialect.pypto.language import language
from opgen.dialect.pypto.words import TilingKeyField
from opgen.dialect.standins import LooseModule, torch_modules

_ROOTS = ("pypto_pro", "pypto", "torch", "torch_npu")


def load(path: Path) -> list[Jit]:
    """The jit functions of a file, executed as a module of its own. Raises what it raises."""
    linecache.checkcache(str(path))
    kernels: list[Jit] = []
    text = path.read_text(encoding="utf-8")
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    before = sys.modules.get(path.stem)
    sys.modules[path.stem] = module
    try:
        with _installed(kernels.append):
            exec(compile(text, str(path), "exec", dont_inherit=True), vars(module))
    finally:
        if before is None:
            sys.modules.pop(path.stem, None)
        else:
            sys.modules[path.stem] = before
    return kernels


@contextmanager
def _installed(found: Callable[[Jit], None]) -> Iterator[None]:
    modules: dict[str, types.ModuleType] = {**_pypto(found), **torch_modules()}
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in _ROOTS}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in list(sys.modules):
            if name.split(".")[0] in _ROOTS:
                del sys.modules[name]
        sys.modules.update(before)


def _pypto(found: Callable[[Jit], None]) -> dict[str, types.ModuleType]:
    words = language(found)
    root, runtime, key = (types.ModuleType(name) for name in _MODULES)
    settings: dict[types.ModuleType, dict[str, Any]] = {
        root: {"language": words, "runtime": runtime, "__path__": []},
        runtime: {"tilingkey": key, "__path__": []},
        key: {"TilingKeyField": TilingKeyField},
    }
    for module, names in settings.items():
        vars(module).update(names)
    named = {"pypto_pro.language": words, **dict(zip(_MODULES, (root, runtime, key), strict=True))}
    return named | {"pypto": LooseModule("pypto")}


_MODULES = ("pypto_pro", "pypto_pro.runtime", "pypto_pro.runtime.tilingkey")
