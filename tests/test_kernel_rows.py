"""Kernels on rows: results against the formula under the rules of the chip, for rows of many lengths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from opgen.dialect.check import check_here
from opgen.kernel.forms import rows_of
from opgen.kernel.interface import call_parameters, kernel_interface, symbolic_sizes
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.model import Operator, OpSpec
from opgen.spec.variants import variants
from opgen.text.findings import Finding
from opgen.verify.golden import make_expected, make_inputs, share_of_tolerance, tolerance_of
from opgen.verify.points import points
from spec_support import accepted

FLOATS = ["float32", "bfloat16"]
ANY_ROWS = {"...": {"default": [2], "dynamic": True}, "C": {"default": 7}}
X = {"name": "x", "dtype": "T", "shape": ["...", "C"]}
FULL = [{"name": "y", "dtype": "T", "shape": ["...", "C"]}]


def spec_of(compute: str, types: list[str], inputs: list[dict[str, Any]], **changes: Any) -> OpSpec:
    changes = {"dims": ANY_ROWS, "outputs": FULL, "attrs": None, **changes}
    return accepted(dtypes={"T": types}, inputs=inputs, compute=compute, **changes)


def refused(compute: str, **changes: Any) -> list[Finding]:
    spec = spec_of(compute, ["float32"], changes.pop("inputs", [X]), **changes)
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is None
    return list(findings)


def check(folder: Path, spec: OpSpec) -> None:
    """Runs every case and the sizes around whole tiles."""
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    assert plan.schedule == "rows"
    assert all(v.used <= plan.budget for v in plan.variants)
    path = folder / "kernel.py"
    path.write_text(script(spec, operator, plan), encoding="utf-8")
    for point in points(operator, plan):
        inputs = make_inputs(operator, point)
        given = {**inputs, **{n: point.attrs[n] for n in (a.name for a in operator.dynamic_attrs)}}
        words = [*point.words[:2], str(folder / "kernel.so"), *point.words[2:]]
        report = check_here(path, words, dict(point.symbolic), given, generated=True)
        assert report.ok, (point.title, [f.what for f in report.findings])
        (kernel,) = report.kernels
        for name, wanted in make_expected(operator, point, inputs).items():
            got = kernel.outputs[name].reshape(wanted.shape)
            share = share_of_tolerance(got, wanted, tolerance_of(operator, point, name))
            assert share.max() <= 1, (point.title, name)


LENGTHS: dict[str, Any] = {
    "cases": [{}, *({"...": [r], "C": c} for r, c in ((7, 1), (129, 128), (1, 1001), (2, 4096)))]
}


@pytest.mark.parametrize(
    "compute",
    [
        "y = exp(x - max(x, axis=-1)) / sum(exp(x - max(x, axis=-1)), axis=-1)",
        "y = x * rsqrt(mean(x * x, axis=-1) + 1e-5)",
        "y = (x - mean(x, axis=-1)) * rsqrt(mean((x - mean(x, axis=-1)) ** 2, axis=-1) + 1e-5)",
        "y = (x - min(x, axis=-1)) / (max(x, axis=-1) - min(x, axis=-1) + 1)",
        "y = where(x > mean(x, axis=-1), x, -x)",
        "y = x - max(abs(x) + 1, axis=-1) + min(exp(x), axis=-1)",
        "y = relu(x) * C - mean(x, axis=-1)",
        "y = sigmoid(sum(x, axis=-1)) + x",
    ],
)
def test_reductions(compute: str, tmp_path: Path) -> None:
    check(tmp_path, spec_of(compute, FLOATS, [X], tests={**LENGTHS, "tolerance": {"float32": 1e-4}}))


@pytest.mark.parametrize("compute", ["y = sum(x, axis=-1)", "y = max(x, axis=-1)", "y = min(x, axis=-1) * 2 + 1"])
@pytest.mark.parametrize("shape", [["...", 1], ["..."]])
def test_one_value_a_row(compute: str, shape: list[Any], tmp_path: Path) -> None:
    outputs = [{"name": "y", "dtype": "T", "shape": shape}]
    tests = {**LENGTHS, "tolerance": {"float32": 1e-4}}
    check(tmp_path, spec_of(compute, FLOATS, [X], outputs=outputs, tests=tests))


def test_a_maximum_of_magnitudes_needs_no_mask(tmp_path: Path) -> None:
    outputs = [
        {"name": "q", "dtype": "int8", "shape": ["...", "C"]},
        {"name": "s", "dtype": "float32", "shape": ["..."]},
    ]
    compute = "s = maximum(max(abs(x), axis=-1), 1e-6) / 127\nq = cast(round(x / s), int8)"
    spec = spec_of(compute, FLOATS, [X], outputs=outputs, tests={**LENGTHS, "tolerance": {"int8": 1, "float32": 1e-6}})
    check(tmp_path, spec)
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    operations = [i.op for v in plan.variants for i in v.layout.program.instructions()]
    assert "select" not in operations
    assert "compare" not in operations


@pytest.mark.parametrize("name", ["round", "floor", "ceil"])
def test_rounding_to_an_int_is_one_cast(name: str, tmp_path: Path) -> None:
    y = {"name": "y", "dtype": "int32", "shape": ["...", "C"]}
    z = {"name": "z", "dtype": "int8", "shape": ["...", "C"]}
    x = {**X, "min": -100.0, "max": 100.0}
    compute = f"y = cast({name}(x), int32) + sum(x > 0, axis=-1)\nz = cast({name}(x), int8)"
    check(tmp_path, spec_of(compute, FLOATS, [x], outputs=[y, z], tests=LENGTHS))


@pytest.mark.parametrize("compute", ["y = x * g + 1", "y = x - max(x * g, axis=-1)", "y = where(g > 0, x, -g)"])
def test_one_row_as_an_operand(compute: str, tmp_path: Path) -> None:
    g = {"name": "g", "dtype": "T", "shape": ["C"]}
    check(tmp_path, spec_of(compute, FLOATS, [X, g], tests=LENGTHS))


def test_a_row_with_an_axis_of_one(tmp_path: Path) -> None:
    dims = {"R": {"default": 3, "dynamic": True}, "C": {"default": 7}}
    x, y = ({"name": name, "dtype": "T", "shape": ["R", "C"]} for name in "xy")
    g = {"name": "g", "dtype": "T", "shape": [1, "C"]}
    check(tmp_path, spec_of("y = x * g", ["float16"], [x, g], outputs=[y], dims=dims))


def test_one_value_a_row_as_an_operand(tmp_path: Path) -> None:
    s = {"name": "s", "dtype": "T", "shape": ["...", 1]}
    k = {"name": "k", "dtype": "int8", "shape": ["...", 1]}
    check(
        tmp_path, spec_of("y = x * s + sum(x, axis=-1) * k", FLOATS, [X, s, k], tests={"tolerance": {"float32": 1e-4}})
    )


def test_masks_and_counts(tmp_path: Path) -> None:
    m = {"name": "m", "dtype": "bool", "shape": ["...", "C"]}
    w = {"name": "w", "dtype": "bool", "shape": ["C"]}
    count = {"name": "n", "dtype": "int32", "shape": ["..."]}
    compute = "y = where(m & w, x, 0.0) / max(abs(x) + 1, axis=-1)\nn = sum(m, axis=-1)"
    check(tmp_path, spec_of(compute, FLOATS, [X, m, w], outputs=[*FULL, count], tests=LENGTHS))


def test_small_ints(tmp_path: Path) -> None:
    x = {"name": "x", "dtype": "int8", "shape": ["...", "C"]}
    y = {"name": "y", "dtype": "int8", "shape": ["..."]}
    spec = accepted(
        dtypes=None, dims=ANY_ROWS, inputs=[x], outputs=[y], attrs=None, compute="y = max(x, axis=-1)", tests=LENGTHS
    )
    check(tmp_path, spec)


def test_one_value_a_row_that_some_options_do_not_read(tmp_path: Path) -> None:
    s = {"name": "s", "dtype": "T", "shape": ["...", 1]}
    m = {"name": "m", "dtype": "bool", "shape": ["...", "C"], "default": False}
    attrs = [{"name": "scaled", "type": "bool", "default": True}]
    check(tmp_path, spec_of("y = x * s if scaled else x", FLOATS, [X, s], attrs=attrs))
    check(tmp_path, spec_of("y = where(m, x * s, x)", FLOATS, [X, s, m]))


def test_what_is_computed_once_from_tiles_that_are_not(tmp_path: Path) -> None:
    c = {"name": "c", "dtype": "uint8", "shape": ["C"]}
    check(tmp_path, spec_of("y = minimum(sum(c - 0.5, axis=-1), x) - (c - 0.5)", FLOATS, [X, c]))


def test_padding_that_one_reduction_changed_is_known_to_the_next(tmp_path: Path) -> None:
    c = {"name": "c", "dtype": "T", "shape": ["C"]}
    check(tmp_path, spec_of("y = min(c, axis=-1) * mean(c * x, axis=-1) + x", FLOATS, [X, c]))


def test_optional_inputs_and_attributes(tmp_path: Path) -> None:
    g = {"name": "g", "dtype": "T", "shape": ["C"], "default": 1.0}
    attrs = [{"name": "eps", "type": "float", "default": 1e-5}]
    spec = spec_of("y = x * rsqrt(mean(x * x, axis=-1) + eps) * g", FLOATS, [X, g], attrs=attrs, tests=LENGTHS)
    check(tmp_path, spec)


def test_an_output_in_place_is_not_written_twice(tmp_path: Path) -> None:
    r = {"name": "r", "dtype": "T", "shape": ["...", "C"]}
    outputs = [*FULL, {"name": "r", "inplace": True}]
    dims = {"...": {"default": [2]}, "C": {"default": 7}}
    spec = spec_of(
        "r = x + r\ny = r / max(abs(r) + 1, axis=-1)", FLOATS, [X, r], outputs=outputs, dims=dims, tests=LENGTHS
    )
    check(tmp_path, spec)


def test_rows_whose_number_is_compiled_in_end_with_the_tensor(tmp_path: Path) -> None:
    dims = {"...": {"default": [2]}, "C": {"default": 7}}
    check(tmp_path, spec_of("y = x - max(x, axis=-1)", FLOATS, [X], dims=dims, tests=LENGTHS))


def test_lengths_that_are_known_at_run_time(tmp_path: Path) -> None:
    dims = {"R": {"default": 3, "dynamic": True}, "N": {"default": 7, "dynamic": True, "max": 1100}}
    x, y = ({"name": name, "dtype": "T", "shape": ["R", "N"]} for name in "xy")
    cases = {"cases": [{}, {"R": 50, "N": 1100}, {"R": 1, "N": 1}]}
    check(tmp_path, spec_of("y = x - mean(x, axis=-1) / N", FLOATS, [x], outputs=[y], dims=dims, tests=cases))


# ---- the interface ----


def interface(**dims: Any) -> tuple[Operator, list[str]]:
    names = [name if name != "rest" else "..." for name in dims]
    x, y = ({"name": name, "dtype": "T", "shape": names} for name in "xy")
    spec = spec_of(
        "y = x - max(x, axis=-1)", ["float16"], [x], outputs=[y], dims=dict(zip(names, dims.values(), strict=True))
    )
    operator = spec.operators[0]
    return operator, [d.name for d in kernel_interface(operator).dims]


def test_sizes_are_called_as_in_op_yaml() -> None:
    static, dynamic = {"default": 4}, {"default": 4, "dynamic": True, "max": 8}
    operator, names = interface(rest={"default": [2], "dynamic": True}, C=static)
    assert names == ["N", "C"]
    (variant,) = variants(operator)
    assert kernel_interface(operator).key(variant, {"N": 8, "C": 4}) == "float16_C4"
    assert [d.name for d in symbolic_sizes(operator, variant)] == ["N"]
    assert [p.name for p in call_parameters(operator, variant)] == ["x", "y", "n", "stream"]
    assert interface(R=static, C=static)[1] == ["R", "C"]
    operator, names = interface(rest={"default": [2]}, N=dynamic)
    assert names == ["R", "N"]
    assert [d.name for d in symbolic_sizes(operator, next(iter(variants(operator))))] == ["N"]


def test_tensors_of_one_shape_are_rows_only_where_something_is_reduced() -> None:
    assert rows_of(spec_of("y = x * 2", ["float32"], [X]).operators[0]) is None
    assert rows_of(spec_of("y = x - max(x, axis=-1)", ["float32"], [X]).operators[0]) is not None


# ---- what has no schedule ----


def test_pieces_of_rows_of_unknown_length_have_a_limit() -> None:
    dims = {"...": {"default": [2]}, "C": {"default": 7, "dynamic": True}}
    inputs = [{"name": "x", "dtype": "T", "shape": ["...", "2 * C"]}]
    (finding,) = refused("y = x[..., :C] * x[..., C:]", inputs=inputs, dims=dims)
    assert (finding.rule, finding.pointer) == ("OPG309", "/dims/C")
    assert "max: 4096" in finding.fix


def test_a_piece_that_does_not_fit_is_told_with_the_longest_that_does() -> None:
    inputs = [{"name": "x", "dtype": "T", "shape": ["...", "2 * C"]}]
    compute = "y = x[..., :C] * x[..., C:]"
    (finding,) = refused(compute, inputs=inputs, dims={**ANY_ROWS, "C": {"default": 100000}})
    assert (finding.rule, finding.pointer) == ("OPG401", "/dims/C")
    longest = int(finding.fix.split()[2])
    spec = spec_of(compute, ["float32"], inputs, dims={**ANY_ROWS, "C": {"default": longest}})
    assert plan_kernel(spec, spec.operators[0])[0] is not None


def test_a_vector_is_no_output() -> None:
    findings = refused("y = x - max(x, axis=-1)\nw = g * 2", inputs=[X, {"name": "g", "dtype": "T", "shape": ["C"]}],
                       outputs=[*FULL, {"name": "w", "dtype": "T", "shape": ["C"]}])  # fmt: skip
    assert [(f.rule, f.pointer) for f in findings] == [("OPG309", "/outputs/1/shape")]


@pytest.mark.parametrize("name", ["sum", "max", "min"])
@pytest.mark.parametrize("dtype", ["int32", "int8", "int16"])
def test_reductions_of_ints(name: str, dtype: str, tmp_path: Path) -> None:
    large = 2**31 // 4097 if dtype == "int32" and name == "sum" else 2**31 - 1
    limits = {"min": -large, "max": large} if dtype == "int32" else {}
    inputs = [{"name": "x", "dtype": dtype, "shape": ["...", "C"], **limits}]
    outputs = [{"name": "y", "dtype": "int32", "shape": ["..."]}]
    cases = {"cases": [{}, *({"...": [r], "C": c} for r, c in ((7, 1), (50, 129), (2, 4096)))]}
    spec = accepted(
        dtypes=None, dims=ANY_ROWS, inputs=inputs, outputs=outputs, attrs=None, tests=cases,
        compute=f"y = {name}(x, axis=-1)",
    )  # fmt: skip
    check(tmp_path, spec)


def test_ints_of_rows_of_any_length_are_not_added_up() -> None:
    inputs = [{"name": "x", "dtype": "int32", "shape": ["...", "C"]}]
    outputs = [{"name": "y", "dtype": "int32", "shape": ["..."]}]
    dims = {**ANY_ROWS, "C": {"default": 7, "dynamic": True}}
    spec = accepted(dtypes=None, dims=dims, inputs=inputs, outputs=outputs, attrs=None, compute="y = sum(x, axis=-1)")
    plan, (finding,) = plan_kernel(spec, spec.operators[0])
    assert plan is None
    assert "`max`" in finding.fix


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_positions_of_extremes(name: str, tmp_path: Path) -> None:
    """Of coarse values, so that several elements of a row are equal and the first one has to be found."""
    x = {"name": "x", "dtype": "T", "shape": ["...", "C"]}
    outputs = [{"name": n, "dtype": d, "shape": ["..."]} for n, d in (("i", "int32"), ("j", "int64"))]
    compute = f"i = {name}(round(2 * x), axis=-1)\nj = {name}(maximum(x, 0.0), axis=-1)"
    check(tmp_path, spec_of(compute, FLOATS, [x], outputs=outputs, tests=LENGTHS))


def test_positions_of_extremes_of_small_ints(tmp_path: Path) -> None:
    x = {"name": "x", "dtype": "int8", "shape": ["...", "C"], "min": -3, "max": 3}
    i = {"name": "i", "dtype": "int32", "shape": ["...", 1]}
    compute = "i = argmax(x, axis=-1)"
    check(
        tmp_path,
        accepted(dtypes=None, dims=ANY_ROWS, inputs=[x], outputs=[i], attrs=None, compute=compute, tests=LENGTHS),
    )


@pytest.mark.parametrize(
    "compute",
    [
        "y = where(arange(C) < n, x, 0.0)",
        "y = where(n - 3 > arange(C), x, -x)",
        "y = where((arange(C) == n) | (arange(C) >= 2 * n), x, 1.0)",
        "y = x * arange(C) + C * n",
        "y = sum(where(arange(C) < n, x, 0.0), axis=-1) / cast(n, float32) + x",
        "y = where((arange(C) < k) & (arange(C) != n), x, 0.0)",
        "y = max(where(arange(C) < n, x, -inf), axis=-1) + min(where(arange(C) < n, x, inf), axis=-1) + 0 * x",
    ],
)
def test_numbers_of_columns(compute: str, tmp_path: Path) -> None:
    inputs = [X, {"name": "n", "dtype": "int32", "shape": ["...", 1], "min": 1, "max": "C"}]
    attrs = [{"name": "k", "type": "int", "default": 5, "dynamic": True}] if " k)" in compute else None
    check(tmp_path, spec_of(compute, FLOATS, inputs, attrs=attrs, tests={**LENGTHS, "tolerance": {"float32": 1e-4}}))


@pytest.mark.parametrize("compute", ["y = x + n", "y = where(x > n, x, n)", "y = maximum(x, n) * 3 - n"])
@pytest.mark.parametrize("shape", [["...", 1], ["C"]])
def test_wide_ints_of_rows_and_columns(compute: str, shape: list[Any], tmp_path: Path) -> None:
    """int32 values that no float holds."""
    x = {"name": "x", "dtype": "int32", "shape": ["...", "C"], "min": -(2**28), "max": 2**28}
    n = {"name": "n", "dtype": "int32", "shape": shape, "min": -(2**28), "max": 2**28}
    y = {"name": "y", "dtype": "int32", "shape": ["...", "C"]}
    check(
        tmp_path,
        accepted(dtypes=None, dims=ANY_ROWS, inputs=[x, n], outputs=[y], attrs=None, compute=compute, tests=LENGTHS),
    )


def test_numbers_of_something_else_are_refused() -> None:
    dims = {"R": {"default": 3}, "C": {"default": 7}}
    x, y = ({"name": name, "dtype": "T", "shape": ["R", "C"]} for name in "xy")
    (finding,) = refused("y = x + sum(arange(R), axis=-1)", inputs=[x], outputs=[y], dims=dims)
    assert finding.rule == "OPG309"
    assert finding.what == "no schedule: `arange(R)` is not as long as a row"
    assert "arange(C)" in finding.fix


def test_an_int32_extreme_names_what_works() -> None:
    x = {"name": "x", "dtype": "int32", "shape": ["...", "C"]}
    i = {"name": "i", "dtype": "int32", "shape": ["..."]}
    spec = accepted(dtypes=None, dims=ANY_ROWS, inputs=[x], outputs=[i], attrs=None, compute="i = argmax(x, axis=-1)")
    plan, (finding,) = plan_kernel(spec, spec.operators[0])
    assert plan is None
    assert finding.what == "no schedule: `argmax` of int32"
    assert finding.fix.startswith("Take `cast(x, float32)`")
    assert "stay below 2**24. Or write the kernel" in finding.fix
