"""Which runs the ladder makes of a kernel, with which inputs, and what counts as right."""

from __future__ import annotations

import numpy as np
import pytest
from ge_support import plans_of
from opgen.spec.loader import load
from opgen.spec.model import Operator
from opgen.verify.golden import make_expected, make_inputs, share_of_tolerance, tolerance_of
from opgen.verify.points import Point, element_count, points

_HEAD = "edition: 1\nop: PointsProbe\nscenario: online\nsummary: {en: Does it., zh: 做这件事。}\n"


def runs(body: str) -> tuple[Operator, list[Point], int]:
    """The operator, its runs, and the tile of its first variant."""
    spec = load((_HEAD + body).encode(), "op.yaml")
    (operator,) = spec.operators
    plan = plans_of(spec)[operator.name]
    return operator, list(points(operator, plan)), plan.variants[0].tile if plan.variants else 0


_ANY = """dtypes: {T: [float32, float16]}
dims: {...: {default: [3, 5]}}
inputs: [{name: x, dtype: T, shape: [...], min: -3.0, max: 5.0}, {name: b, dtype: T, shape: [], default: 0.5}]
outputs: [{name: y, dtype: T, shape: [...]}]
attrs: [{name: alpha, type: float, default: 2.0}, {name: fast, type: bool, default: true}]
compute: y = x * alpha + b if fast else x
tests: {cases: [{}, {...: [7], T: float16, alpha: 3.0}]}
"""


def test_every_variant_meets_its_cases_and_the_ends_of_its_tile() -> None:
    operator, all_runs, tile = runs(_ANY)
    variants = {run.variant for run in all_runs}
    assert len(variants) == 2 * 2 * 2  # types, fast, with and without b
    for variant in variants:
        own = [run for run in all_runs if run.variant == variant]
        dtype = dict(variant.types)["T"]
        b = tile if dtype == "float32" else max(element_count(operator, run.dims) for run in own) // 4
        counts = [element_count(operator, run.dims) for run in own if run.cores == 1]
        assert counts == [1, b - 1, b, b + 1, 2 * b + 1, 4 * b + 1]
        cases = [(dict(run.dims)["..."], run.attrs["alpha"]) for run in own if run.cores is None]
        sample = dict(variant.attrs)["fast"] is True
        assert cases == ([((7,), 3.0)] if sample and dtype == "float16" else [((3, 5), 2.0)])
    run = next(r for r in all_runs if r.variant.absent and r.cores == 1 and not dict(r.variant.attrs)["fast"])
    assert run.words == ("1", "--dtype", "float32", "--fast", "false", "--without", "b", "--cores", "1")
    assert run.title == "float32_N1_fast_false_no_b with shape=1, 1 core, alpha=2.0"


def test_sizes_that_dims_do_not_allow_are_left_out() -> None:
    body = "inputs: [{name: x, dtype: float32, shape: [R, C]}]\noutputs: [{name: y, dtype: float32, shape: [R, C]}]\n"
    body += "compute: y = x + 1.0\n"
    _, fixed, _ = runs("dims: {R: {values: [2, 4]}, C: 8}\n" + body)
    assert [dict(run.dims) for run in fixed if run.cores] == []
    assert [dict(run.dims) for run in fixed] == [{"R": 2, "C": 8}]
    operator, whole, tile = runs("dims: {R: {default: 4}, C: {default: 16, multiple_of: 8, min: 16}}\n" + body)
    counts = [element_count(operator, run.dims) for run in whole if run.cores]
    assert counts == [tile]
    assert all(run.dims["C"] % 8 == 0 and run.dims["C"] >= 16 for run in whole if run.cores)


def test_dynamic_sizes_are_symbolic() -> None:
    _, all_runs, tile = runs(
        "dims: {N: {default: 40, dynamic: true}}\ninputs: [{name: x, dtype: int32, shape: [N]}]\n"
        "outputs: [{name: y, dtype: int32, shape: [N]}]\ncompute: y = x + 1\n"
    )
    assert {run.words[0] for run in all_runs} == {"-1"}
    assert [run.symbolic["N"] for run in all_runs] == [40, 1, tile - 1, tile, tile + 1, 2 * tile + 1, 4 * tile + 1]


def test_inputs_keep_to_their_limits_and_meet_them() -> None:
    operator, all_runs, _ = runs(_ANY)
    run = all_runs[-1]
    inputs = make_inputs(operator, run)
    x = inputs["x"]
    assert (x.min(), x.max()) == (-3.0, 5.0)
    assert x.dtype == np.float16
    assert np.array_equal(make_inputs(operator, run)["x"], x)
    assert ("b" in inputs) is not bool(run.variant.absent)


def test_expected_values_are_the_formulas() -> None:
    operator, all_runs, _ = runs(_ANY)
    for run in all_runs:
        inputs = make_inputs(operator, run)
        (y,) = make_expected(operator, run, inputs).values()
        x = inputs["x"].astype(np.float64)
        b = float(inputs["b"]) if "b" in inputs else 0.5
        expected = x * run.attrs["alpha"] + b if dict(run.variant.attrs)["fast"] else x
        assert np.allclose(y, expected, rtol=1e-14)
        assert tolerance_of(operator, run, "y") == (1e-5 if dict(run.variant.types)["T"] == "float32" else 1e-3)


@pytest.mark.parametrize(
    ("actual", "expected", "tolerance", "right"),
    [
        (1.0, 1.0, 0.0, True),
        (1.0019, 1.0, 1e-3, True),
        (1.0021, 1.0, 1e-3, False),
        (np.inf, np.inf, 1e-3, True),
        (np.inf, -np.inf, 1e-3, False),
        (np.inf, 1e300, 1e-3, False),
        (1e300, np.inf, 1e-3, False),
        (np.nan, np.nan, 0.0, True),
        (np.nan, 1.0, 1e-3, False),
        (1.0, np.nan, 1e-3, False),
        (3, 4, 0.0, False),
        (2**62, 2**62 + 1, 0.0, False),
        (2**62 + 1, 2**62 + 1, 0.0, True),
        (True, True, 0.0, True),
    ],
)
def test_right_is_what_the_programs_call_right(actual: float, expected: float, tolerance: float, right: bool) -> None:
    share = share_of_tolerance(np.asarray([actual]), np.asarray([expected]), tolerance)
    assert (share[0] <= 1.0) is np.bool_(right)
