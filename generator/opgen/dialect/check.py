"""Checks kernel scripts: here, or in a process of their own."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from opgen.dialect.report import Array, Counters, KernelReport, Parameter, Report
from opgen.text.findings import CannotWork, Finding, Place

_ROOT = Path(__file__).resolve().parents[2]


def check_here(
    path: Path,
    arguments: Sequence[str] = (),
    dims: Mapping[str, int] | Sequence[int] | None = None,
    inputs: Mapping[str, Any] | Sequence[Any] | None = None,
    generated: bool = False,
) -> Report:
    """As check_script, in this process: much faster, and the script can do to it what it likes."""
    from opgen.dialect import script

    return script.run(path, arguments, {} if dims is None else dims, inputs, generated)


def check_script(
    path: Path,
    arguments: Sequence[str] = (),
    dims: Mapping[str, int] | Sequence[int] | None = None,
    inputs: Mapping[str, Any] | Sequence[Any] | None = None,
    generated: bool = False,
) -> Report:
    """Runs a kernel script as `__main__` and checks every kernel that it compiles.

    dims: values of symbolic sizes by name, or in the order in which `call` takes them; without them three are tried.
    inputs: elements or values of parameters by name or in their order; what is missing or None is made up. generated:
    opgen's own kernel, of which more is asked. What the script prints goes to stderr.
    """
    with tempfile.TemporaryDirectory(prefix="opgen-lint-") as name:
        folder = Path(name)
        named = inputs if isinstance(inputs, Mapping) else {str(i): value for i, value in enumerate(inputs or ())}
        arrays = {key: np.asarray(value) for key, value in named.items() if value is not None}
        np.savez(folder / "inputs.npz", **arrays)  # type: ignore[arg-type]
        request = {
            "path": str(path),
            "arguments": list(map(str, arguments)),
            "dims": dict(dims or {}) if dims is None or isinstance(dims, Mapping) else list(dims),
            "parameters": None if inputs is None or isinstance(inputs, Mapping) else len(inputs),
            "generated": generated,
        }
        (folder / "request.json").write_text(json.dumps(request), "utf-8")
        code = (
            f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from opgen.dialect.check import serve; serve(sys.argv[1])"
        )
        ended = subprocess.run(
            [sys.executable, "-c", code, name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        sys.stderr.write(ended.stdout)
        if not (folder / "report.json").is_file():
            raise CannotWork(f"the process that runs {path} died with code {ended.returncode}")
        return read_report(folder)


def serve(name: str) -> None:
    """The other side: in the process of the script."""
    folder = Path(name)
    request = json.loads((folder / "request.json").read_text("utf-8"))
    with np.load(folder / "inputs.npz") as data:
        named: dict[str, Any] = {key: data[key] for key in data.files}
    count = request["parameters"]
    inputs = named or None if count is None else [named.get(str(i)) for i in range(count)]
    report = check_here(Path(request["path"]), request["arguments"], request["dims"], inputs, request["generated"])
    dump_report(report, folder)


def dump_report(report: Report, folder: Path) -> None:
    """Leaves a report for the process that asked for it."""
    sys.stdout.flush()
    kernels = []
    for number, kernel in enumerate(report.kernels):
        np.savez(folder / f"outputs{number}.npz", **kernel.outputs)  # type: ignore[arg-type]
        kernels.append({**dataclasses.asdict(dataclasses.replace(kernel, outputs={}))})
    answer = {
        "kernels": kernels,
        "findings": [dataclasses.asdict(finding) for finding in report.findings],
        "sources": report.sources,
    }
    staged = folder / "report.tmp"
    staged.write_text(json.dumps(answer), "utf-8")
    staged.replace(folder / "report.json")


def read_report(folder: Path) -> Report:
    """The report that another process left."""
    answer = json.loads((folder / "report.json").read_text("utf-8"))
    kernels = []
    for number, data in enumerate(answer["kernels"]):
        with np.load(folder / f"outputs{number}.npz") as saved:
            outputs: dict[str, Array] = {key: saved[key] for key in saved.files}
        kernels.append(
            KernelReport(
                data["name"],
                tuple(Parameter(p["name"], p["kind"], p["dtype"], tuple(p["shape"])) for p in data["parameters"]),
                data["dims"],
                data["blocks"],
                tuple(map(_finding, data["findings"])),
                outputs,
                Counters(**data["counters"]),
                data["complete"],
            )
        )
    return Report(tuple(kernels), tuple(map(_finding, answer["findings"])), answer["sources"])


def _finding(data: dict[str, Any]) -> Finding:
    where = data.pop("place")
    return Finding(**data, place=Place(**where) if where else None)
