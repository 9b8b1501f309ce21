"""What the sample programs put in, and what they accept: the generated case headers, compiled and run."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from opgen.formula.evaluate import evaluate, round_to
from opgen.ge.program_model import CaseModel, CaseTensor, case_model
from opgen.spec.variants import case_variant, typed
from program_support import OPERATORS, REFERENCE, gxx, several, write_project

Array = NDArray[Any]

COMPUTED = tuple(name for name in OPERATORS if name not in ("list_probe", "blind_probe"))
PROBES = (*COMPUTED, "list_probe")

_SYSTEM = (
    *("algorithm", "array", "cmath", "cstddef", "cstdint", "cstdlib", "fstream", "iostream", "limits", "numeric"),
    *("random", "string", "vector"),
)
_COMMON = ("graph/types.h", "half.h", "precision_check.h", "random_values.h", "raw_values.h")


@dataclass(frozen=True)
class Driver:
    """A program with all case headers: `driver NAME inputs|check FOLDER`."""

    folder: Path
    models: dict[str, CaseModel]

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.folder / "driver", *arguments], capture_output=True, encoding="utf-8", check=False, timeout=60
        )

    def inputs(self, name: str) -> dict[str, Array]:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        assert self.run(name, "inputs", folder).returncode == 0
        return {t.name: read(folder / f"{t.name}.in", t) for t in self.models[name].inputs}

    def expected(self, name: str) -> dict[str, Array]:
        """The outputs that NumPy makes of the inputs, rounded to their types."""
        model = self.models[name]
        operator, case = model.operator, model.case
        attrs = {k: np.float32(v) if isinstance(v, float) else v for k, v in case.attrs}
        results = evaluate(typed(operator, case_variant(operator, case)), self.inputs(name), attrs, dict(case.dims))
        return {t.name: round_to(results[t.name], t.dtype.name).reshape(t.dims) for t in model.outputs}

    def check(self, name: str, outputs: dict[str, Array]) -> subprocess.CompletedProcess[str]:
        for tensor in self.models[name].outputs:
            write(self.folder / name / f"{tensor.name}.out", tensor, outputs[tensor.name])
        return self.run(name, "check", self.folder / name)


def read(path: Path, tensor: CaseTensor) -> Array:
    """bfloat16 as float32."""
    if tensor.dtype.name == "bfloat16":
        values = (np.fromfile(path, np.uint16).astype(np.uint32) << 16).view(np.float32)
    else:
        values = np.fromfile(path, tensor.dtype.name)
    return values.reshape(tensor.dims)


def write(path: Path, tensor: CaseTensor, values: Array) -> None:
    if tensor.dtype.name == "bfloat16":
        values = (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    np.ascontiguousarray(values).tofile(path)


def driver_text(models: dict[str, CaseModel]) -> str:
    """Each case header in a namespace of its own; what they share is outside."""
    lines = [f"#include <{name}>" for name in _SYSTEM] + [f'#include "{name}"' for name in _COMMON]
    lines.append("""
template <typename T>
void Write(const std::string &path, const std::vector<T> &values) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}""")
    for name, model in models.items():
        lines += [f"namespace {name} {{", "namespace sample { using namespace ::sample; }", f'#include "{name}_case.h"']
        made = "ReadInputs(folder)" if model.golden == "reference" else "MakeInputs()"
        given = "folder" if model.golden == "reference" else "inputs"
        lines += [
            "bool Run(const std::string &what, const std::string &folder) {",
            f"  const auto inputs = sample::{made};",
        ]
        lines.append('  if (what == "inputs") {')
        lines += [f'    Write(folder + "/{t.name}.in", inputs.{t.name});' for t in model.inputs if t.copies is None]
        lines += ["    return true;", "  }", "  sample::Outputs outputs;"]
        for t in model.outputs:
            element = f"::sample::{t.element}" if t.element.endswith("16") and "Float" in t.element else t.element
            for k in [None] if t.copies is None else range(t.copies):
                target, file = (t.name, t.name) if k is None else (f"{t.name}[{k}]", f"{t.name}{k}")
                lines.append(
                    f'  outputs.{target} = ::sample::ReadValues<{element}>(folder + "/{file}.out", {t.elements});'
                )
        lines += [f"  return sample::CheckPrecision({given}, outputs);", "}", "}"]
    lines += ["int main(int, char *argv[]) {", "  const std::string name = argv[1];"]
    lines += [f'  if (name == "{name}") return {name}::Run(argv[2], argv[3]) ? 0 : 1;' for name in models]
    return "\n".join([*lines, "  return 3;", "}", ""])


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    folder = tmp_path_factory.mktemp("programs")
    spec = several(PROBES, "offline")
    write_project(spec, folder)
    models = {operator.name: case_model(operator) for operator in spec.operators}
    (folder / "driver.cc").write_text(driver_text(models), encoding="utf-8")
    result = gxx("-D_GLIBCXX_ASSERTIONS", "driver.cc", "-o", "driver", cwd=folder)
    assert result.returncode == 0, result.stderr
    return Driver(folder, models)


@pytest.mark.parametrize("name", COMPUTED)
def test_inputs_lie_within_their_limits(driver: Driver, name: str) -> None:
    inputs = driver.inputs(name)
    again = driver.inputs(name)
    for tensor in driver.models[name].inputs:
        values = inputs[tensor.name]
        limits = np.array([tensor.low, tensor.high]) if tensor.dtype.name != "bool" else np.array([0, 1])
        low, high = round_to(limits, tensor.dtype.name)
        assert values.min() >= low and values.max() <= high
        assert values.size == tensor.elements
        assert values.size < 8 or len(np.unique(values)) > 1
        np.testing.assert_array_equal(values, again[tensor.name])


@pytest.mark.parametrize("name", COMPUTED)
def test_what_numpy_computes_is_accepted(driver: Driver, name: str) -> None:
    result = driver.check(name, driver.expected(name))
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("Precision check passed, max_error=") and result.stdout.count("\n") == 1
    assert result.stderr == ""


@pytest.mark.parametrize("name", COMPUTED)
def test_one_wrong_element_of_any_output_is_found(driver: Driver, name: str) -> None:
    expected = driver.expected(name)
    for tensor in driver.models[name].outputs:
        outputs = {key: values.copy() for key, values in expected.items()}
        values = outputs[tensor.name].reshape(-1)
        position = int(np.flatnonzero(np.isfinite(values))[-1]) if values.dtype.kind == "f" else values.size - 1
        if values.dtype.kind == "b":
            values[position] = not values[position]
        elif values.dtype.kind == "f":
            values[position] += 0.1 * (1 + abs(values[position]))
        else:
            values[position] ^= 1
        result = driver.check(name, outputs)
        assert result.returncode == 1
        assert result.stdout == ""
        assert f"{tensor.name}[{position}] is " in result.stderr
        assert result.stderr.endswith(f"check of {tensor.name} failed, 1 of {tensor.elements} elements\n")


def test_only_the_first_errors_are_listed(driver: Driver) -> None:
    outputs = driver.expected("momentum_probe")
    outputs["var"] = outputs["var"] + 1
    result = driver.check("momentum_probe", outputs)
    assert result.returncode == 1
    assert result.stderr.count("expected") == 10
    assert "var[0] is" in result.stderr and "var[10] is" not in result.stderr
    assert "failed, 33 of 33 elements" in result.stderr


def test_not_a_number_and_infinities(driver: Driver) -> None:
    """log of negative numbers and 1 / 0: NaN and infinities are expected there, and nowhere else."""
    expected = driver.expected("limits_probe")
    not_numbers, infinite = np.isnan(expected["y"]), np.isinf(expected["z"])
    assert 0 < not_numbers.sum() < 64 and 0 < infinite.sum() < 64
    assert driver.check("limits_probe", expected).returncode == 0
    for name, places, wrong in [
        ("y", not_numbers, 0.0),
        ("y", not_numbers, np.inf),
        ("y", ~not_numbers, np.nan),
        ("y", ~not_numbers, np.inf),
        ("z", infinite, -np.inf),
        ("z", infinite, 3e38),
        ("z", infinite, np.nan),
        ("z", ~infinite, np.inf),
    ]:
        outputs = {key: values.copy() for key, values in expected.items()}
        position = int(np.flatnonzero(places)[0])
        outputs[name][position] = wrong
        result = driver.check("limits_probe", outputs)
        assert result.returncode == 1, (name, wrong)
        assert f"{name}[{position}] is " in result.stderr


def test_golden_files_of_a_reference(driver: Driver, tmp_path: Path) -> None:
    """The script writes inputs and expected values, which the program reads; lists of tensors have a file each."""
    (driver.folder / "list_probe_reference.py").write_text(REFERENCE, encoding="utf-8")
    script = driver.folder / "common" / "list_probe_golden.py"
    golden = tmp_path / "golden values"
    result = subprocess.run([sys.executable, script, golden], capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr
    xs, n = driver.models["list_probe"].inputs
    for k in range(2):
        x = read(golden / f"xs{k}.in", xs)
        write(golden / f"ys{k}.out", driver.models["list_probe"].outputs[0], (np.stack([x, x]) / 3).astype(np.float16))
    numbers = read(golden / "n.in", n)
    assert len(np.unique(numbers)) > 1
    numbers.tofile(golden / "m.out")
    assert driver.run("list_probe", "check", golden).returncode == 0
    numbers[3] += 1  # beyond 2**53 as well
    numbers.tofile(golden / "m.out")
    assert "m[3] is" in driver.run("list_probe", "check", golden).stderr
    (golden / "m.expected").write_bytes(b"1")
    assert "cannot read 6 values" in driver.run("list_probe", "check", golden).stderr


def test_a_reference_that_gives_another_shape_is_refused(driver: Driver, tmp_path: Path) -> None:
    wrong = REFERENCE.replace("np.stack([x, x]) / 3", "x")
    (driver.folder / "list_probe_reference.py").write_text(wrong, encoding="utf-8")
    script = driver.folder / "common" / "list_probe_golden.py"
    result = subprocess.run([sys.executable, script, tmp_path], capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 1
    assert "ys has shape (6,), expected (2, 6)" in result.stderr
