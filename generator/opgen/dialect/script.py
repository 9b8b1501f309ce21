"""Runs a kernel script as `__main__` with the stand-ins, and checks each kernel that it compiles."""

from __future__ import annotations

import linecache
import runpy
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from opgen.dialect import launch
from opgen.dialect.expression import Unknown
from opgen.dialect.findings import merged
from opgen.dialect.kernels import PrimFunc
from opgen.dialect.machine import Settings
from opgen.dialect.places import is_ours, place, spot_of
from opgen.dialect.report import KernelReport, Report
from opgen.dialect.standins import installed
from opgen.facts.socs import PLATFORMS
from opgen.text.findings import Finding, Place

_PASSES = {
    "tl.ascend_auto_sync": "auto_sync",
    "tl.ascend_memory_planning": "planning",
    "tl.ascend_auto_cv_combine": "auto_cv",
    "tl.ascend_auto_cross_core_sync": "auto_cv_sync",
}
ODD = 7  # elements of the last, broken tile


@dataclass
class Check:
    """What kernels are checked with, and what came of it. dims, inputs: by name, or in the order of `call`."""

    dims: Mapping[str, int] | Sequence[int]
    inputs: Mapping[str, Any] | Sequence[Any] | None
    generated: bool
    kernels: list[KernelReport] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def compiled(self, kernel: PrimFunc, options: Mapping[str, Any]) -> None:
        """Called for each kernel that the script compiles."""
        settings = self._settings(options)
        how = launch.Options(settings, _indices(kernel, options, "out_idx"), _indices(kernel, options, "workspace_idx"))
        number = sum(name.partition("#")[0] == kernel.name for name in self.names)
        name = f"{kernel.name}#{number + 1}" if number else kernel.name
        self.names.append(name)
        for word in kernel.shadowed:
            self.findings.append(_shadowed(kernel, word))
        for sizes in self._sizes(kernel, how):
            report, _ = launch.run(kernel, how, sizes, self._inputs(kernel))
            self.kernels.append(report)

    def _inputs(self, kernel: PrimFunc) -> Mapping[str, Any] | None:
        if self.inputs is None or isinstance(self.inputs, Mapping):
            return self.inputs
        in_order = zip(kernel.parameters, self.inputs, strict=False)
        return {name: value for name, value in in_order if value is not None}

    def _settings(self, options: Mapping[str, Any]) -> Settings:
        configs = options.get("pass_configs") or {}
        chosen = {_PASSES[str(key)]: bool(value) for key, value in configs.items() if str(key) in _PASSES}
        platform = PLATFORMS.get(str(options.get("platform")), PLATFORMS["A2"])
        return Settings(**chosen, generated=self.generated, platform=platform)

    def _sizes(self, kernel: PrimFunc, how: launch.Options) -> list[dict[str, int]]:
        """Given sizes; else one element, a tile and a bit, three rounds and a bit."""
        symbols = kernel.symbols
        dims = self.dims if isinstance(self.dims, Mapping) else dict(zip(symbols, self.dims, strict=False))
        left = [symbol for symbol in symbols if symbol not in dims]
        given = {symbol: dims[symbol] for symbol in symbols if symbol in dims}
        if not left:
            return [given]
        ones = {**given, **dict.fromkeys(left, 1)}
        report, seen = launch.run(kernel, how, ones, None)
        tiles = {symbol: seen.extents.get(symbol, 1) for symbol in left}
        workers = max(1, report.blocks) * (1 if seen.reduced else 2)
        few = {**given, **{symbol: tile + ODD for symbol, tile in tiles.items()}}
        span = {symbol: 3 * tile * (workers if len(left) == 1 else 1) + ODD for symbol, tile in tiles.items()}
        return [ones, few, {**given, **span}]


def _shadowed(kernel: PrimFunc, name: str) -> Finding:
    return Finding(
        "OPG746",
        f"the size {name} of {kernel.name} is the module's, not that of the function around the kernel",
        "TileLang looks for names that only annotations read in the module. A variable there has the same name and "
        "another value, and the tensor gets its size from it: every copy is clipped to that.",
        "give one of the two another name",
        place=place(kernel.spot),
    )


def _indices(kernel: PrimFunc, options: Mapping[str, Any], key: str) -> tuple[int, ...]:
    given = options.get(key)
    numbers = [] if given is None else [given] if isinstance(given, int) else list(given)
    return tuple(number % len(kernel.parameters) for number in numbers)


def run(
    path: Path,
    arguments: Sequence[str],
    dims: Mapping[str, int] | Sequence[int],
    inputs: Mapping[str, Any] | Sequence[Any] | None,
    generated: bool,
) -> Report:
    """Executes the script in this process. sys.argv, sys.path and sys.modules are as before afterwards."""
    check = Check(dims, inputs, generated)
    linecache.checkcache()
    argv, paths, modules = sys.argv, sys.path, set(sys.modules)
    sys.argv = [str(path), *map(str, arguments)]
    sys.path = [str(path.resolve().parent), *paths]
    of_script: list[Finding] = []
    try:
        with installed(check.compiled):
            try:
                runpy.run_path(str(path), run_name="__main__")
            except SystemExit as ended:
                if ended.code not in (None, 0):
                    of_script.append(_ended(path, ended))
            except Exception as error:
                of_script.append(_crashed(path, error, bool(check.kernels) and _uses_torch(path)))
    finally:
        sys.argv, sys.path = argv, paths
        for name in set(sys.modules) - modules:
            if _beside(path, sys.modules[name]):
                del sys.modules[name]
    groups = [(_call(check, report), report.findings) for report in check.kernels]
    findings = (*of_script, *merged([("", tuple(check.findings)), *groups]))
    return Report(tuple(check.kernels), findings, _sources(findings))


def _beside(path: Path, module: object) -> bool:
    """Whether a module was imported from the script's own folder: another script may have one of the same name."""
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and Path(file).resolve().parent == path.resolve().parent


def _call(check: Check, report: KernelReport) -> str:
    """What tells a call from the others, if there are several."""
    several = len({id(r) for r in check.kernels}) > 1
    sizes = ", ".join(f"{name} = {value}" for name, value in report.dims.items())
    many = len({r.name for r in check.kernels}) > 1
    parts = [part for part in (report.name if many else "", sizes) if part]
    return ", ".join(parts) if several else ""


def _sources(findings: Sequence[Finding]) -> dict[str, str]:
    files = {finding.place.file for finding in findings if finding.place}
    return {file: "".join(linecache.getlines(file)) for file in sorted(files)}


# ---- scripts that fail ----


def _uses_torch(path: Path) -> bool:
    return "import torch" in path.read_text("utf-8", errors="replace")


def _crashed(path: Path, error: Exception, behind: bool) -> Finding:
    """behind: kernels were checked before, and the script works with tensors, which hold no data here."""
    said = f"{type(error).__name__}: {error}".splitlines()[0]
    if isinstance(error, SyntaxError) and error.filename is not None:
        where = Place(error.filename, error.lineno or 1, error.offset or 1)
        return Finding("OPG701", f"the script cannot be read: {error.msg}", place=where)
    why, fix = "", ""
    if isinstance(error, Unknown):
        why = "It is symbolic: the script computes with it in Python before the kernel is called."
        fix = "use T.ceildiv, T.if_then_else and the like, or give the size as a number"
    elif isinstance(error, ModuleNotFoundError):
        fix = "only tilelang, torch and torch_npu have stand-ins; other modules must be installed"
    where = _innermost(path, error.__traceback__)
    if behind:
        why = "Tensors of the stand-in for torch hold no data. The kernels that were compiled before are checked."
        return Finding("OPG701", f"the script goes no further: {said}", why, fix, "note", place=where)
    return Finding("OPG701", f"the script fails: {said}", why, fix, place=where)


def _ended(path: Path, ended: SystemExit) -> Finding:
    said = f"with code {ended.code}" if isinstance(ended.code, int) else f": {ended.code}"
    fix = "give its arguments behind `--`: opgen lint-kernel FILE -- ARGUMENTS" if ended.code == 2 else ""
    place_of_end = _innermost(path, ended.__traceback__)
    return Finding("OPG701", f"the script ends {said}", "", fix, place=place_of_end)


def _innermost(path: Path, trace: TracebackType | None) -> Place:
    """The last line of the traceback that is in the script's folder, else its first line."""
    folder = str(path.resolve().parent)
    found: Place | None = None
    for frame, line in traceback.walk_tb(trace):
        file = frame.f_code.co_filename
        if not is_ours(file) and str(Path(file).resolve()).startswith(folder):
            found = place(spot_of(frame, -1, line))
    return found or Place(str(path), 1, 1)
