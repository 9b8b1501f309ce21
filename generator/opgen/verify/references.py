"""Expected values from the NumPy file beside op.yaml, computed in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from opgen.formula.evaluate import Array
from opgen.spec.model import Operator
from opgen.text.findings import CannotWork
from opgen.verify.points import Point

# Runs in the other process: the file may do to it what it likes.
_DRIVER = """
import importlib.util, json, sys
from pathlib import Path
import numpy as np
folder, path = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(path.parent))
spec = importlib.util.spec_from_file_location("reference_module", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
calls = json.loads((folder / "calls.json").read_text("utf-8"))
found = {}
with np.load(folder / "inputs.npz") as inputs:
    for number, call in enumerate(calls):
        given = [inputs[f"{number}.{name}"] if value is None else value for name, value in call["inputs"]]
        results = module.reference(*given, **call["attrs"])
        results = results if isinstance(results, (tuple, list)) else [results]
        found.update({f"{number}.{place}": np.asarray(result) for place, result in enumerate(results)})
np.savez(folder / "outputs.npz", **found)
"""


def from_reference(
    operator: Operator, path: Path, calls: Sequence[tuple[Point, Mapping[str, Array]]]
) -> list[dict[str, Array]]:
    """The outputs of each call by name. CannotWork: the file fails, or gives other outputs than op.yaml has."""
    with tempfile.TemporaryDirectory(prefix="opgen-verify-") as name:
        folder = Path(name)
        arrays: dict[str, Any] = {}
        told = []
        for number, (point, inputs) in enumerate(calls):
            arrays |= {f"{number}.{tensor}": array for tensor, array in inputs.items()}
            given = [(t.name, None if t.name in inputs else t.default) for t in operator.inputs]
            told.append({"inputs": given, "attrs": dict(point.attrs)})
        np.savez(folder / "inputs.npz", **arrays)
        (folder / "calls.json").write_text(json.dumps(told), "utf-8")
        command = [sys.executable, "-c", _DRIVER, name, str(path)]
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
        if ended.returncode or not (folder / "outputs.npz").is_file():
            last = ended.stderr.strip().splitlines()[-1:] or [f"exit code {ended.returncode}"]
            raise CannotWork(f"{path.name} fails: {last[0]}")
        with np.load(folder / "outputs.npz") as saved:
            found = {key: saved[key] for key in saved.files}
    results = []
    for number in range(len(calls)):
        keys = [f"{number}.{place}" for place in range(len(operator.outputs) + 1)]
        outputs = [found[key] for key in keys if key in found]
        if len(outputs) != len(operator.outputs):
            raise CannotWork(f"{path.name} gives {len(outputs)} outputs, and op.yaml has {len(operator.outputs)}")
        results.append({tensor.name: array for tensor, array in zip(operator.outputs, outputs, strict=True)})
    return results
