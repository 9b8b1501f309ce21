"""The checker's verdict on whole kernels: good ones are clean and compute what they say, bad ones have one mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dialect_support import KERNELS, checked, rules, shown

Arrays = dict[str, Any]


@dataclass(frozen=True)
class Good:
    """inputs: shapes by name. expected: the output's values from the inputs, in float64."""

    output: str
    inputs: dict[str, tuple[tuple[int, ...], str]]
    expected: Callable[..., Any]
    tolerance: float = 1e-5
    dims: tuple[tuple[str, int], ...] = ()
    more: tuple[tuple[str, Any], ...] = ()


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


F16, F32 = "float16", "float32"
HANDOVER = Good("y", {"a": ((64, 48), F16), "b": ((48, 64), F16)}, lambda a, b: np.maximum(a @ b, 0) + 1)
GOOD = {
    "softmax_flags": Good("y", {"x": ((37, 200), F16)}, softmax, 1e-3),
    "matmul_flags": Good("c", {"a": ((64, 128), F16), "b": ((96, 128), F16)}, lambda a, b: a @ b.T, 2e-3),
    "vector_product": Good("y", {"x": ((96,), F16), "a": ((64, 96), F16)}, lambda x, a: a @ x),
    "handover": HANDOVER,
    "handover_auto": HANDOVER,
    "handover_copy": HANDOVER,
    "centred": Good("y", {"x": ((3000,), F32)}, lambda x: x - x.mean()),
    "where": Good("y", {"x": ((5000,), F16)}, lambda x: np.where(x > 0.25, x, -1), 0, more=(("limit", 0.25),)),
    "lookup": Good("y", {"table": ((8, 48), F16), "index": ((40,), "int32")}, lambda table, index: table[index], 0),
    "total": Good("y", {"x": ((64, 128), F32)}, lambda x: x.sum(0), more=(("y", np.zeros(128)),)),
    "jit": Good("y", {"x": ((1000,), F16)}, lambda x: x + x, 1e-3),
    "symbolic_rows": Good(
        "y", {"x": ((37, 130), F32), "s": ((37,), F32)}, lambda x, s: x * s[:, None], dims=(("m", 37), ("n", 130))
    ),
    "persistent": Good("y", {"x": ((96, 160), F32)}, lambda x: -x, 0),
    "halved": Good("y", {"x": ((64, 512), F32)}, lambda x: np.maximum(x * x, x)),
    "planned": Good("y", {"x": ((40960,), F32)}, lambda x: np.sqrt(np.exp(x))),
}
BAD = sorted(path.stem for path in KERNELS.glob("bad_*.py"))


def test_every_good_kernel_has_its_expectation() -> None:
    assert {path.stem for path in KERNELS.glob("good_*.py")} == {f"good_{name}" for name in GOOD}


@pytest.mark.parametrize("name", sorted(GOOD))
def test_good_kernels_are_clean_and_right(name: str) -> None:
    case = GOOD[name]
    random = np.random.default_rng(7)
    inputs: Arrays = {}
    for parameter, (shape, dtype) in case.inputs.items():
        inputs[parameter] = (
            random.integers(0, 8, shape) if dtype == "int32" else random.standard_normal(shape).astype(dtype)
        )
    wide = [a if a.dtype.kind == "i" else a.astype(np.float64) for a in inputs.values()]
    report = checked(KERNELS / f"good_{name}.py", dims=dict(case.dims), inputs={**inputs, **dict(case.more)})
    assert shown(report) == []
    (kernel,) = report.kernels
    got, wanted = kernel.outputs[case.output].astype(np.float64), case.expected(*wide)
    assert np.max(np.abs(got - wanted) / (1 + np.abs(wanted))) <= case.tolerance
    assert kernel.complete


@pytest.mark.parametrize("name", sorted(GOOD))
def test_good_kernels_are_clean_with_made_up_data(name: str) -> None:
    report = checked(KERNELS / f"good_{name}.py")
    assert shown(report) == []
    assert len(report.kernels) == (3 if GOOD[name].dims else 1)


@pytest.mark.parametrize("name", BAD)
def test_bad_kernels_have_the_one_mistake_that_they_name(name: str) -> None:
    path = KERNELS / f"{name}.py"
    named = re.match(r'"""(OPG\d{3}): ', path.read_text(encoding="utf-8"))
    assert named
    report = checked(path)
    assert rules(report) == {named[1]}, shown(report)
    assert all(f.place and Path(f.place.file) == path and f.what for f in report.findings)
