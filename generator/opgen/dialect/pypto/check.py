"""Checks kernel files of PyPTO Pro: here, or in a process of their own."""

from __future__ import annotations

import dataclasses
import itertools
import json
import linecache
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from opgen.dialect.check import dump_report, read_report
from opgen.dialect.findings import merged
from opgen.dialect.places import is_ours, place, spot_of
from opgen.dialect.pypto import launch
from opgen.dialect.pypto.jit import Jit
from opgen.dialect.pypto.modules import load
from opgen.dialect.pypto.requests import Argument, Request, as_data, from_data
from opgen.dialect.pypto.text.check import check_text
from opgen.dialect.pypto.text.source import Interface
from opgen.dialect.pypto.words import TilingKeyField
from opgen.dialect.pypto.worker import FrontEndError
from opgen.dialect.report import Array, KernelReport, Report
from opgen.text.findings import CannotWork, Finding, Place

_ROOT = Path(__file__).resolve().parents[3]
_MANY = 65536  # combinations of a key of which is_valid is asked
_BUILT = 64  # of which the translation is tried


def check_here(
    path: Path, requests: Sequence[Request], interface: Interface | None = None, generated: bool = False
) -> Report:
    """The text of a kernel file, and one run of the kernel for each request. A kernel whose text has errors is not
    run. generated: opgen's own kernel, of which more is asked."""
    text = path.read_text(encoding="utf-8")
    linecache.checkcache(str(path))
    findings = list(check_text(str(path), text, interface))
    kernels: list[KernelReport] = []
    if not any(finding.severity == "error" for finding in findings):
        kernel, wrong = _loaded(path)
        findings += wrong
        if kernel is not None and not wrong:
            kernels = [launch.run(kernel, request, generated) for request in requests]
            known = {finding.place for report in kernels for finding in report.findings}
            findings += [f for f in _other_keys(kernel, requests) if f.place not in known]
            findings += _as_half(kernel, requests)
    titles = [request.title if len(requests) > 1 else "" for request in requests]
    groups = [(title, report.findings) for title, report in zip(titles, kernels, strict=False)]
    found = (*findings, *merged(groups))
    files = {f.place.file for f in found if f.place}
    return Report(tuple(kernels), found, {file: "".join(linecache.getlines(file)) for file in sorted(files)})


def _loaded(path: Path) -> tuple[Jit | None, list[Finding]]:
    """The kernel, or why there is none."""
    try:
        kernels = load(path)
    except FrontEndError as error:
        return None, [Finding(error.rule, error.what, error.why, error.fix, place=_place(path, error))]
    except Exception as error:
        said = f"{type(error).__name__}: {error}".splitlines()[0]
        why = "The build executes the file when it is configured, with stand-ins for torch and torch_npu."
        return None, [Finding("OPG830", f"the file fails: {said}", why, place=_place(path, error))]
    kernel = kernels[0]
    return kernel, _key_findings(kernel)


def _key_findings(kernel: Jit) -> list[Finding]:
    """Of what only the class itself tells: values that are no literals, and whether is_valid leaves anything."""
    key = kernel.options.get("tiling_key")
    if not isinstance(key, type):
        return []
    fields = [value for value in vars(key).values() if isinstance(value, TilingKeyField)]
    where = place(kernel.spot)
    for field in fields:
        problem = _field_problem(field)
        if problem:
            why = "Values are distinct integers from 0 on, and the bits hold their number."
            return [Finding("OPG823", f"the key field {field.name} {problem}", why, "write literals", place=where)]
    valid = getattr(key, "is_valid", None)
    if valid is None:
        return []
    choices = itertools.islice(itertools.product(*(field.values for field in fields)), _MANY)
    try:
        if any(valid(object.__new__(key), choice) for choice in choices):
            return []
        what = f"{key.__name__}.is_valid rejects every combination"
    except Exception as error:
        what = f"{key.__name__}.is_valid fails: {type(error).__name__}: {error}".splitlines()[0]
    why = "A kernel is built for each combination that it accepts; with none there is no operator."
    return [Finding("OPG823", what, why, "return True for at least one", place=where)]


def _field_problem(field: TilingKeyField) -> str:
    """What is wrong with bits and values; "" when nothing is."""
    bits, values = field.bits, field.values
    if isinstance(bits, bool) or not isinstance(bits, int) or bits < 1:
        return f"has {bits!r} bits"
    wrong = [value for value in values if isinstance(value, bool) or not isinstance(value, int) or value < 0]
    if wrong or not values:
        return f"has the value {wrong[0]!r}" if wrong else "has no values"
    if len(set(values)) != len(values):
        return "has a value twice"
    return f"has {len(values)} values and {bits} bits" if len(values) > 2**bits else ""


def _other_keys(kernel: Jit, requests: Sequence[Request]) -> list[Finding]:
    """What the front end refuses of the kernels for combinations of the key that no request has: they are built too."""
    found: dict[Place, Finding] = {}
    met = {tuple(request.key.values()) for request in requests}
    first = {tuple(request.datatypes.items()): request for request in reversed(requests)}
    for chosen in itertools.islice(_combinations(kernel), _BUILT):
        if tuple(chosen.values()) in met:
            continue
        for request in first.values():
            refused = launch.refusal(kernel, dataclasses.replace(request, key=chosen))
            if refused is not None:
                error, where = refused
                fields = ", ".join(f"{name}={value}" for name, value in chosen.items())
                what = f"with {fields} the kernel cannot be translated: {error.what}"
                found.setdefault(where, Finding(error.rule, what, error.why, error.fix, place=where))
    return list(found.values())


def _combinations(kernel: Jit) -> Iterator[dict[str, int]]:
    """The combinations of the key that kernels are built for."""
    key = kernel.options.get("tiling_key")
    fields = [v for v in vars(key).values() if isinstance(v, TilingKeyField)] if isinstance(key, type) else []
    valid = getattr(key, "is_valid", None)
    for values in itertools.product(*(field.values for field in fields)):
        if valid is None or (isinstance(key, type) and valid(object.__new__(key), values)):
            yield {field.name: value for field, value in zip(fields, values, strict=True)}


def _as_half(kernel: Jit, requests: Sequence[Request]) -> list[Finding]:
    """Older tools translate the kernel once with FP16 for every datatype variable, whatever types it is for."""
    known = [request for request in requests if request.datatypes]
    if not known or any(set(request.datatypes.values()) == {"float16"} for request in known):
        return []
    request = known[0]
    mapped = kernel.datatype
    halves = dataclasses.replace(
        request,
        datatypes=dict.fromkeys(request.datatypes, "float16"),
        arguments=tuple(_half(argument) if argument.name in mapped else argument for argument in request.arguments),
    )
    found = launch.refusal(kernel, halves)
    if found is None:
        return []
    refused, _ = found
    why = "Older tools translate the kernel with FP16 for every datatype variable when the project is configured."
    fix = "let every branch translate with FP16, or leave such types to `if variable == ...`"
    what = f"with FP16 for every datatype the kernel cannot be translated: {refused.what}"
    return [Finding("OPG844", what, why, fix, "warning", place=place(kernel.spot))]


def _half(argument: Argument) -> Argument:
    size = argument.size if argument.values is None else int(np.asarray(argument.values).size)
    values = None if argument.values is None or size is None else np.zeros(size, np.float16)
    return dataclasses.replace(argument, dtype="float16", values=values, size=size)


def _place(path: Path, error: BaseException) -> Place:
    found = Place(str(path), 1, 1)
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return Place(str(path), error.lineno or 1, error.offset or 1)
    for frame, line in traceback.walk_tb(error.__traceback__):
        if not is_ours(frame.f_code.co_filename) and frame.f_code.co_filename == str(path):
            found = place(spot_of(frame, -1, line))
    return found


# ---- in a process of its own ----


def check_apart(
    path: Path, requests: Sequence[Request], interface: Interface | None = None, generated: bool = False
) -> Report:
    """As check_here, in a process of its own: the file can do to it what it likes. What it prints goes to stderr."""
    with tempfile.TemporaryDirectory(prefix="opgen-lint-") as name:
        folder = Path(name)
        arrays: dict[str, Array] = {}
        data = {
            "path": str(path),
            "requests": [as_data(request, arrays, number) for number, request in enumerate(requests)],
            "interface": dataclasses.asdict(interface) | {"optional": sorted(interface.optional)}
            if interface
            else None,
            "generated": generated,
        }
        np.savez(folder / "arrays.npz", **arrays)  # type: ignore[arg-type]
        (folder / "request.json").write_text(json.dumps(data), "utf-8")
        code = (
            f"import sys; sys.path.insert(0, {str(_ROOT)!r}); "
            "from opgen.dialect.pypto.check import serve; serve(sys.argv[1])"
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
    """The other side: in the process of the kernel."""
    folder = Path(name)
    data = json.loads((folder / "request.json").read_text("utf-8"))
    with np.load(folder / "arrays.npz") as saved:
        arrays = {key: saved[key] for key in saved.files}
    requests = [from_data(request, arrays, number) for number, request in enumerate(data["requests"])]
    dump_report(check_here(Path(data["path"]), requests, _interface(data["interface"]), data["generated"]), folder)


def _interface_data(interface: Interface | None) -> dict[str, Any] | None:
    if interface is None:
        return None
    return dataclasses.asdict(interface) | {"optional": sorted(interface.optional)}


def _interface(data: dict[str, Any] | None) -> Interface | None:
    if data is None:
        return None
    return Interface(
        data["name"],
        data["tiling"],
        tuple(data["parameters"]),
        frozenset(data["optional"]),
        tuple((name, kind) for name, kind in data["data"]),
        tuple((name, bits, tuple(values)) for name, bits, values in data["key"]),
        tuple(tuple((name, dtype) for name, dtype in column) for column in data["columns"]),
    )
