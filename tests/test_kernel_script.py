"""The text of kernel scripts: goldens, Python that ruff accepts, and what their command lines do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, gallery
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.loader import load
from spec_support import accepted

GOLDEN = ROOT / "tests/golden/kernels"
SPECS = ROOT / "specs"
GALLERY = gallery()

# One of each kind: static and dynamic sizes, half types, in-place outputs with one-element inputs, masks, 8-bit inputs,
# optional inputs, static attributes, matrix products.
GOLDENS = [
    *("add_custom", "apply_adam", "axpy", "dropout", "gelu", "gelu_tanh", "greater", "quantize"),
    *("batch_matmul", "dequant_matmul", "matmul"),
]


def scripts(name: str) -> dict[str, str]:
    """Operator -> script, of a spec of the gallery."""
    spec = load((SPECS / name / "op.yaml").read_bytes(), "op.yaml")
    result = {}
    for operator in spec.operators:
        plan, findings = plan_kernel(spec, operator)
        assert plan is not None, findings
        if plan.schedule != "user":
            result[operator.name] = script(spec, operator, plan)
    return result


def made(**changes: Any) -> str:
    """The script of spec_support's operator with changes."""
    spec = accepted(**changes)
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is not None, findings
    return script(spec, spec.operators[0], plan)


@pytest.mark.parametrize("name", GOLDENS)
def test_goldens(name: str) -> None:
    ((operator, text),) = scripts(name).items()
    path = GOLDEN / f"{operator}_kernel.py"
    if os.environ.get("OPGEN_UPDATE") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def ruff(folder: Path) -> None:
    """Passes ruff's rules for this repository (N812: everybody calls tilelang.language `T`) and its formatter."""
    options = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", "."]
    for command in (["check", "--extend-ignore", "N812", "-q"], ["format", "--diff", "-q"]):
        run = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *options], cwd=folder, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr


def test_the_gallery_is_python_as_ruff_leaves_it(tmp_path: Path) -> None:
    for name in GALLERY:
        for operator, text in scripts(name).items():
            compile(text, operator, "exec")
            (tmp_path / f"{name}_{operator}.py").write_text(text, encoding="utf-8", newline="\n")
    ruff(tmp_path)


def tensors(*names: str, dtype: str = "T", **more: Any) -> list[dict[str, Any]]:
    return [{"name": name, "dtype": dtype, "shape": ["..."], **more} for name in names]


EXTREMES: dict[str, dict[str, Any]] = {
    "many_tensors": {
        "inputs": tensors(*(f"a_rather_long_input_name_{n}" for n in range(8))),
        "outputs": tensors("another_long_name_of_an_output", "z"),
        "attrs": [{"name": f"a_rather_long_attribute_{n}", "type": "float", "default": 1.0} for n in range(4)],
        "compute": "another_long_name_of_an_output = "
        + " + ".join(f"a_rather_long_input_name_{n} * a_rather_long_attribute_{n % 4}" for n in range(8))
        + "\nz = where(a_rather_long_input_name_0 > 0, a_rather_long_attribute_1 * 2 + a_rather_long_attribute_2, 0.5)",
    },
    "every_type": {
        "dtypes": {"T": ["float32", "bfloat16", "int8", "int64", "uint16", "uint32", "uint8"], "U": ["bool", "int32"]},
        "inputs": tensors("x", "y", min=0, max=10),
        "outputs": tensors("z") + tensors("w", dtype="U"),
        "attrs": None,
        "compute": "z = maximum(x, y)\nw = x < y",
        "dtype_of_w": None,
    },
    "names_of_the_script": {
        "inputs": tensors("n", "i", "b", "start", "x_ub", "x", "pipe", "half_f32"),
        "outputs": tensors("y", "x_f32"),
        "attrs": [{"name": "rounds", "type": "float", "default": 2.0}, {"name": "args", "type": "int", "default": 2}],
        "dims": {"...": {"default": [8, 128]}},
        "compute": "y_f32 = n + i * b\ny = start - x_ub + x * y_f32 + rounds * half_f32 * args\nx_f32 = y_f32 * pipe",
    },
    "static_attributes": {
        "attrs": [
            {"name": "alpha", "type": "float", "dynamic": False, "default": 1.0},
            {"name": "mode", "type": "string", "values": ["plus", "minus"], "default": "plus"},
            {"name": "twice", "type": "bool", "default": False},
            {"name": "power", "type": "int", "values": [1, 2, 3], "default": 2},
        ],
        "compute": "t = x ** power * (2 if twice else 1)\nz = y + alpha * t if mode == \"plus\" else y - alpha * t",
    },
    "optional_inputs": {
        "inputs": tensors("x") + tensors("y", "w", default=0.0),
        "compute": "z = alpha * x + y - w",
    },
    "one_buffer": {"tiling": {"buffers": 1, "block": 1024}},
    "no_symbols": {
        "dtypes": None,
        "inputs": tensors("x", "y", dtype="int8"),
        "outputs": tensors("z", dtype="int16"),
        "attrs": None,
        "compute": "z = x + y",
        "dims": {"...": {"default": [8, 128]}},
    },
}  # fmt: skip
EXTREMES["every_type"].pop("dtype_of_w")


@pytest.mark.parametrize("case", EXTREMES)
def test_unusual_operators_are_python_as_ruff_leaves_it(case: str, tmp_path: Path) -> None:
    changes = dict(EXTREMES[case])
    if case == "every_type":  # U follows from nothing but the table
        changes["dtypes"] = [{"T": t, "U": u} for t in changes["dtypes"]["T"] for u in changes["dtypes"]["U"]]
        changes["dtypes"] = [row for row in changes["dtypes"] if (row["T"], row["U"]) in _ROWS]
    text = made(**changes)
    compile(text, case, "exec")
    (tmp_path / "script.py").write_text(text, encoding="utf-8", newline="\n")
    ruff(tmp_path)


_ROWS = {(t, "bool") for t in ("float32", "bfloat16", "int8", "uint16", "uint8")} | {
    ("int64", "int32"),
    ("uint32", "int32"),
}

STUB = '''
import types


class _Anything:
    """Stands for everything that the text of a kernel names."""

    def __getattr__(self, name):
        return _Anything()

    def __call__(self, *args, **keywords):
        return _Anything()


class _Kernel:
    def __init__(self, library):
        self.adapter = types.SimpleNamespace(lib=types.SimpleNamespace(_name=library))


def compile(function, target, platform):
    import pathlib

    library = pathlib.Path(__file__).parent / "library.bin"
    library.write_bytes(f"{function.__name__} {target} {platform}".encode())
    return _Kernel(str(library))
'''

LANGUAGE = """
from tilelang import _Anything

float32 = int64 = int32 = None
parameters = []


def prim_func(function):
    parameters[:] = function.__annotations__
    import os

    with open(os.environ["SEEN"], "w") as seen:
        seen.write(" ".join(function.__annotations__))
    return function


def Tensor(shape, dtype):
    return (shape, dtype)


def symbolic(name):
    return 7


def ceildiv(a, b):
    return -(-a // b)
"""


class Command:
    """A script on disk beside a `tilelang` that compiles nothing."""

    def __init__(self, folder: Path, text: str) -> None:
        self.folder = folder
        self.out = folder / "out" / "kernel.tlk"
        package = folder / "tilelang"
        (package / "utils").mkdir(parents=True)
        (package / "__init__.py").write_text(STUB)
        (package / "language.py").write_text(LANGUAGE)
        (package / "utils/__init__.py").write_text("")
        (package / "utils/target.py").write_text("check_npu_availability = None\n")
        (folder / "made_kernel.py").write_text(text, encoding="utf-8")

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        size, *options = arguments
        return subprocess.run(
            [sys.executable, "made_kernel.py", size, str(self.out), *options],
            cwd=self.folder,
            env={**os.environ, "SEEN": str(self.folder / "seen")},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def parameters(self) -> list[str]:
        return (self.folder / "seen").read_text().split()


def test_command_line_of_a_dynamic_operator(tmp_path: Path) -> None:
    command = Command(tmp_path, made())
    for size in ("-1", "4096"):
        run = command(size, "--dtype", "float16", "--platform", "A2", "--cores", "20")
        assert run.returncode == 0, run.stderr
        assert run.stdout == f"Kernel written to {command.out}\n"
        assert command.out.read_text() == "main ascendc A2"
        assert command.parameters == ["x", "y", "z", "alpha"]
    assert [p.name for p in command.out.parent.iterdir()] == ["kernel.tlk"], "nothing else is left in the folder"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("0",), "N: 0: must be -1 or from 1 to "),
        (("-2",), "N: -2: must be -1 or from 1 to "),
        (("2147483647",), "N: 2147483647: must be -1 or from 1 to "),
        (("ten",), "argument N: invalid int value: 'ten'"),
        (("16", "--dtype", "int8"), "argument --dtype: invalid choice: 'int8'"),
        (("16", "--platform", "A5"), "argument --platform: invalid choice: 'A5'"),
        (("16", "--cores", "0"), "--cores: 0: must be at least 1"),
        (("16", "--without", "y"), "unrecognized arguments: --without y"),
    ],
)
def test_command_line_refuses(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    command = Command(tmp_path, made())
    run = command(*arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert not command.out.exists()


def test_a_static_size_must_be_known(tmp_path: Path) -> None:
    command = Command(tmp_path, made(dims={"...": {"default": [8, 128]}}))
    assert command("1024").returncode == 0
    run = command("-1")
    assert run.returncode == 2 and "N: -1: must be from 1 to " in run.stderr


def test_absent_inputs_stay_parameters_that_nothing_reads(tmp_path: Path) -> None:
    text = made(**EXTREMES["optional_inputs"])
    command = Command(tmp_path, text)
    for absent in ((), ("y",), ("w",), ("w", "y")):
        run = command("64", *(part for name in absent for part in ("--without", name)))
        assert run.returncode == 0, run.stderr
        assert command.parameters == ["x", "y", "w", "z", "alpha"]
    # One function, in which what belongs to an input stands behind its condition.
    assert text.count("@T.prim_func") == 1
    assert "has_y: bool, has_w: bool" in text and '"y" not in args.without, "w" not in args.without' in text
    assert "                if has_y:\n" in text


def test_static_attributes_are_options(tmp_path: Path) -> None:
    command = Command(tmp_path, made(**EXTREMES["static_attributes"]))
    run = command("64", "--alpha", "0.5", "--mode", "minus", "--twice", "true", "--power", "3")
    assert run.returncode == 0, run.stderr
    assert command.parameters == ["x", "y", "z"]
    assert "invalid choice" in command("64", "--mode", "times").stderr
    assert "invalid choice" in command("64", "--power", "4").stderr
    assert "--twice" in command("64", "--twice", "maybe").stderr


def test_attributes_may_be_named_like_the_arguments(tmp_path: Path) -> None:
    attrs = [{"name": name, "type": "float", "dynamic": False, "default": 1.0} for name in ("n", "out")]
    command = Command(tmp_path, made(attrs=attrs, compute="z = n * x + out * y"))
    run = command("64", "--n", "0.5", "--out", "2.0")
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"Kernel written to {command.out}\n"


def test_several_type_symbols(tmp_path: Path) -> None:
    changes = {"dtypes": {"T": ["float32", "float16"], "U": ["int32", "int8"]}}
    inputs = tensors("x") + tensors("y", dtype="U")
    command = Command(tmp_path, made(**changes, inputs=inputs))
    assert command("64", "--dtype", "T=float16,U=int8").returncode == 0
    assert command("64", "--dtype", "U=int8,T=float16").returncode == 0
    for wrong in ("float16", "T=float16", "T=float16,U=int64", "T=float16,U=int8,V=int8"):
        run = command("64", "--dtype", wrong)
        assert run.returncode == 2 and "must be one of" in run.stderr and "Traceback" not in run.stderr


def test_a_failed_copy_leaves_the_old_library(tmp_path: Path) -> None:
    command = Command(tmp_path, made())
    command.out.parent.mkdir()
    command.out.write_text("old")
    stub = tmp_path / "tilelang/__init__.py"
    stub.write_text(STUB.replace("return _Kernel(str(library))", "return _Kernel(str(library) + '.gone')"))
    assert command("64").returncode != 0
    assert [p.name for p in command.out.parent.iterdir()] == ["kernel.tlk"]
    assert command.out.read_text() == "old"
