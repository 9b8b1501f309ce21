"""opgen verify with a hand-written kernel and a NumPy reference: what is compared, what is told where they differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Opgen
from test_verify_command import details, rungs

_WANTED = ("--only", "kernel", "--only", "numbers", "--format", "json")
_SPEC = """edition: 1
op: SwapCustom
scenario: online
summary: {en: Exchanges two tensors., zh: 交换两个张量。}
dtypes: {T: [float32, bfloat16]}
dims: {N: {default: 40, dynamic: true}}
inputs: [{name: xs, dtype: T, shape: [N], count: 2}]
outputs: [{name: ys, dtype: T, shape: [N], count: 2}]
attrs: [{name: factor, type: float, default: 2.0}]
kernel: swap.py
reference: swap_reference.py
tests: {cases: [{}, {N: 1}, {N: 77}]}
"""
# Names of parameters and sizes are the kernel's own.
_KERNEL = """import argparse
import tilelang
import tilelang.language as T

parser = argparse.ArgumentParser()
parser.add_argument("n", type=int)
parser.add_argument("out")
parser.add_argument("--dtype")
args = parser.parse_args()
n = T.symbolic("length")


@T.prim_func
def main(
    a: T.Tensor((n,), args.dtype),
    b: T.Tensor((n,), args.dtype),
    first: T.Tensor((n,), args.dtype),
    second: T.Tensor((n,), args.dtype),
    scale: T.float32,
):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        one = T.alloc_ub((128,), args.dtype)
        with T.Scope("V"):
            if vid == 0:
                T.copy(b[0], one)
                T.barrier_all()
                T.copy(one, first[0])
                T.barrier_all()
                T.copy(a[0], one)
                T.barrier_all()
                T.copy(one, second[0])


tilelang.compile(main, target="ascendc", platform="A3")
"""
_REFERENCE = """def reference(xs, *, factor):
    assert factor == 2.0
    return [xs[1], xs[0]]
"""


@pytest.fixture
def swap(opgen: Opgen, tmp_path: Path) -> Path:
    folder = tmp_path / "swap"
    folder.mkdir()
    for name, text in (("op.yaml", _SPEC), ("swap.py", _KERNEL), ("swap_reference.py", _REFERENCE)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_lists_are_compared_at_every_case_and_for_every_type(opgen: Opgen, swap: Path) -> None:
    ran = opgen("verify", "swap", *_WANTED)
    assert rungs(ran) == {"kernel": "passed", "numbers": "passed"}, ran.stdout
    assert details(ran, "numbers").startswith("6 runs, errors up to 0.0%")  # three cases, two types


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[xs[1], xs[0]]", "[xs[0], xs[1]]", "elements of ys[0] are wrong"),
        ("[xs[1], xs[0]]", "[xs[1]]", "swap_reference.py returns 1 tensors for ys, expected 2"),
        ("[xs[1], xs[0]]", "[xs[1], xs[0][:1]]", "swap_reference.py returns ys[1] of shape (1,), expected (40,)"),
        ("[xs[1], xs[0]]", "xs, xs", "swap_reference.py returns 2 outputs, and op.yaml has 1"),
        ("factor == 2.0", "factor == 3.0", "the reference fails: AssertionError"),
    ],
)
def test_what_does_not_fit_is_told(opgen: Opgen, swap: Path, old: str, new: str, told: str) -> None:
    (swap / "swap_reference.py").write_text(_REFERENCE.replace(old, new), encoding="utf-8")
    ran = opgen("verify", "swap", *_WANTED)
    assert ran.returncode == 1
    assert rungs(ran) == {"kernel": "passed", "numbers": "failed"}
    assert told in details(ran, "numbers")


def test_parameters_that_the_host_code_does_not_pass_are_told(opgen: Opgen, swap: Path) -> None:
    (swap / "swap.py").write_text(_KERNEL.replace("    scale: T.float32,\n", ""), encoding="utf-8")
    ran = opgen("verify", "swap", *_WANTED)
    assert rungs(ran)["kernel"] == "failed"
    wanted = "the kernel takes (a, b, first, second), and the host code passes (xs[0], xs[1], ys[0], ys[1], factor)"
    assert wanted in details(ran, "kernel")


def test_a_reference_that_is_no_program_is_told(opgen: Opgen, swap: Path) -> None:
    (swap / "swap_reference.py").write_text("def reference(:\n", encoding="utf-8")
    ran = opgen("verify", "swap", *_WANTED)
    assert rungs(ran)["numbers"] == "failed"
    assert "SyntaxError" in details(ran, "numbers")
