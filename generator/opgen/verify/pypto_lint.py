"""A PyPTO kernel file alone: what its project says of it where there is one, and its fields as somebody gives them."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from opgen.dialect.pypto.check import check_apart
from opgen.dialect.pypto.requests import Argument, Number, Request
from opgen.dialect.pypto.text.classes import fields_of, key_class, key_fields, literal_values, tiling_class
from opgen.dialect.pypto.text.mapping import mapping
from opgen.dialect.pypto.text.source import Interface, Source, parameters_of
from opgen.dialect.report import Report
from opgen.kernel.pypto.planner import plan_pypto
from opgen.project.settings import settings_of
from opgen.spec.loader import check
from opgen.text.findings import CannotWork
from opgen.verify.golden import make_inputs
from opgen.verify.pypto_points import interface_of, pypto_points, request_of

SPEC = "op.yaml"
CORES = ((1, 1), (2, 2))  # (block dim, vector cores of a block) where nothing says how many
_MOST = 16  # combinations of the key that are run
_DEFAULTS: dict[str, Number] = {"float": 0.5, "bool": False}


@dataclass(frozen=True)
class Linted:
    """launches: made of the kernel, none where its fields are unknown. missing: fields without a value."""

    report: Report
    launches: int
    missing: tuple[str, ...] = ()


def lint_pypto(path: Path, dims: Mapping[str, int], types: Mapping[str, str]) -> Linted:
    """Checks a kernel file. dims: fields of TilingData that are integers. types: datatype variables, float16 where
    they are left out."""
    interface, requests = _of_project(path)
    if interface is None:
        requests, missing = _of_fields(path, dims, types)
        return Linted(check_apart(path, requests), len(requests), missing)
    return Linted(check_apart(path, requests, interface), len(requests))


def _of_project(path: Path) -> tuple[Interface | None, list[Request]]:
    """What op.yaml beside the kernel, or above its op_kernel/, says; nothing where it has no such kernel."""
    folder = path.resolve().parent
    folder = folder.parent if folder.name == "op_kernel" else folder
    if not (folder / SPEC).is_file():
        return None, []
    spec, _ = check((folder / SPEC).read_bytes(), SPEC, settings_of(folder).defaults)
    if spec is None or spec.scenario != "pypto":
        return None, []
    for operator in spec.operators:
        plan = plan_pypto(spec, operator)[0] if operator.name == path.stem else None
        if plan is not None:
            points = pypto_points(operator, plan)
            requests = [request_of(operator, plan, p, make_inputs(operator, p.point)) for p in points]
            return interface_of(operator, plan), requests
    return None, []


def _of_fields(path: Path, dims: Mapping[str, int], types: Mapping[str, str]) -> tuple[list[Request], tuple[str, ...]]:
    """Launches with the given fields, and the fields that lack a value."""
    text = path.read_text(encoding="utf-8")
    try:
        source = Source(str(path), text, ast.parse(text))
    except SyntaxError:
        return [], ()
    kernel = source.kernels[0] if source.kernels else None
    tiling = tiling_class(source, kernel) if kernel is not None else None
    if kernel is None or tiling is None:
        return [], ()
    fields = fields_of(tiling)
    unknown = [name for name in dims if name not in fields]
    if unknown:
        fix = f"its fields are {', '.join(fields)}"
        raise CannotWork(f"TilingData of {path.name} has no field {unknown[0]}", fix)
    values: dict[str, Number | tuple[Number, ...]] = {}
    for name, kind in fields.items():
        base, bracket, count = kind.partition("[")
        one = dims.get(name, _DEFAULTS.get(base))
        if one is not None:
            values[name] = (one,) * int(count.rstrip("]")) if bracket else one
    missing = tuple(name for name in fields if name not in values)
    if missing:
        return [], missing
    mapped = mapping(source, kernel)
    datatypes = {variable: types.get(variable, "float16") for variable in mapped.values()}
    arguments = tuple(
        Argument(parameter.arg, "both", datatypes.get(mapped.get(parameter.arg, ""), ""))
        for parameter in parameters_of(kernel)[:-2]
    )
    return [
        Request(values, key, datatypes, arguments, blocks, subblocks, None, _title(key, blocks, subblocks))
        for key in _keys(source, kernel)
        for blocks, subblocks in CORES
    ], ()


def _keys(source: Source, kernel: ast.FunctionDef) -> Iterator[dict[str, int]]:
    key = key_class(source, kernel)
    fields = key_fields(source, key) if key is not None else {}
    values = [literal_values(call) for call in fields.values()]
    for chosen in itertools.islice(itertools.product(*values), _MOST):
        yield dict(zip(fields, chosen, strict=True))


def _title(key: Mapping[str, int], blocks: int, subblocks: int) -> str:
    fields = "".join(f"{name}={value}, " for name, value in key.items())
    return f"{fields}{blocks} x {subblocks} cores"
