"""What the user's NumPy reference makes of the inputs of a kernel's runs.

It is somebody else's program, so it runs in a process of its own: one for all runs of an operator.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from opgen.facts.dtypes import DTYPES
from opgen.formula.evaluate import Array
from opgen.spec.model import Operator
from opgen.verify.golden import members
from opgen.verify.points import Point, environment, shape_of

_ROOT = Path(__file__).resolve().parents[2]

# The outputs of one run by name, those of a list as `ys[0]`, `ys[1]`; or why there are none.
Expected: TypeAlias = Mapping[str, Array] | str


def run_reference(
    script: Path, operator: Operator, calls: Sequence[tuple[Point, Mapping[str, Array]]], scratch: Path
) -> list[Expected]:
    """Calls the function `reference` for each run. scratch: a folder for the data.

    Floating-point results come as float64, others as int64 or uint64: they are not rounded to the output's type.
    """
    folder = scratch / f"reference-{operator.name}"
    folder.mkdir()
    requests = []
    for number, (point, inputs) in enumerate(calls):
        np.savez(folder / f"in{number}.npz", **inputs)  # type: ignore[arg-type]
        requests.append(_request(operator, point, inputs))
    (folder / "calls.json").write_text(json.dumps(requests), "utf-8")
    imports = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from opgen.verify.reference import serve"
    ended = subprocess.run(
        [sys.executable, "-c", f"{imports}; serve(*sys.argv[1:])", str(folder), str(script)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    answer = folder / "answer.json"
    if not answer.is_file():
        return [f"{operator.reference} cannot be used: {_last_line(ended.stdout)}"] * len(calls)
    problems = json.loads(answer.read_text("utf-8"))
    return [problem or _outputs(folder / f"out{i}.npz", operator, calls[i][0]) for i, problem in enumerate(problems)]


def _request(operator: Operator, point: Point, inputs: Mapping[str, Array]) -> dict[str, Any]:
    """Inputs in order: the names of the arrays of a list, of one array, or the default of what is absent."""
    arguments: list[Any] = []
    for tensor in operator.inputs:
        names = members(tensor, point)
        if names[0] not in inputs:
            arguments.append({"value": tensor.default})
        else:
            arguments.append({"list": names} if tensor.count is not None else {"array": names[0]})
    return {"inputs": arguments, "attrs": {attr.name: point.attrs[attr.name] for attr in operator.attrs}}


def _outputs(path: Path, operator: Operator, point: Point) -> Expected:
    with np.load(path) as data:
        results = [[data[f"{i}_{k}"] for k in range(int(data[f"{i}"]))] for i in range(int(data["count"]))]
    if len(results) != len(operator.outputs):
        return f"{operator.reference} returns {len(results)} outputs, and op.yaml has {len(operator.outputs)}"
    expected = {}
    env = environment(point.dims, point.attrs)
    for tensor, arrays in zip(operator.outputs, results, strict=True):
        names, shape = members(tensor, point), shape_of(tensor.shape, point.dims, env)
        if len(arrays) != len(names):
            return f"{operator.reference} returns {len(arrays)} tensors for {tensor.name}, expected {len(names)}"
        for name, array in zip(names, arrays, strict=True):
            if array.shape != shape:
                return f"{operator.reference} returns {name} of shape {array.shape}, expected {shape}"
            dtype = DTYPES[point.variant.dtype(tensor.dtype)]
            wide = "float64" if dtype.kind == "float" else "uint64" if dtype.high >= 2**63 else "int64"
            expected[name] = array.astype(wide)
    return expected


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it ended without a word"


def serve(name: str, script: str) -> None:
    """The other side: in the process of the reference."""
    folder = Path(name)
    reference = _function(Path(script))
    problems = []
    for number, call in enumerate(json.loads((folder / "calls.json").read_text("utf-8"))):
        with np.load(folder / f"in{number}.npz") as data:
            given = {key: data[key] for key in data.files}
        try:
            np.savez(folder / f"out{number}.npz", **_called(reference, call, given))
            problems.append("")
        except Exception as error:
            traceback.print_exc()
            problems.append(f"the reference fails: {type(error).__name__}: {error}")
    sys.stdout.flush()
    staged = folder / "answer.tmp"
    staged.write_text(json.dumps(problems), "utf-8")
    staged.replace(folder / "answer.json")


def _function(path: Path) -> Any:
    """The function `reference` of the file, which may import its neighbours."""
    spec = importlib.util.spec_from_file_location("reference_module", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    return module.reference


def _called(reference: Any, call: dict[str, Any], given: dict[str, Array]) -> dict[str, Any]:
    arguments: list[Any] = []
    for one in call["inputs"]:
        if "array" in one:
            arguments.append(given[one["array"]])
        else:
            arguments.append([given[key] for key in one["list"]] if "list" in one else one["value"])
    results = reference(*arguments, **call["attrs"])
    outputs = results if isinstance(results, tuple) else (results,)
    saved: dict[str, Any] = {"count": len(outputs)}
    for i, output in enumerate(outputs):
        arrays = output if isinstance(output, (list, tuple)) else [output]
        saved[str(i)] = len(arrays)
        saved.update({f"{i}_{k}": np.asarray(array) for k, array in enumerate(arrays)})
    return saved
