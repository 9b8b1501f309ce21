"""Kernels that take rows apart by slices and put them together by concat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.model import OpSpec
from opgen.text.findings import Finding
from spec_support import accepted
from test_kernel_rows import ANY_ROWS, FLOATS, LENGTHS, check

WIDE = {"name": "x", "dtype": "T", "shape": ["...", "2 * C"]}
FULL = {"name": "y", "dtype": "T", "shape": ["...", "C"]}
DOUBLE = {"name": "y", "dtype": "T", "shape": ["...", "2 * C"]}


def spec_of(
    compute: str, inputs: list[Any], outputs: list[Any], types: list[str] | None = None, **changes: Any
) -> OpSpec:
    changes = {"dims": ANY_ROWS, "attrs": None, "tests": {**LENGTHS, "tolerance": {"float32": 1e-4}}, **changes}
    return accepted(dtypes={"T": types or FLOATS}, inputs=inputs, outputs=outputs, compute=compute, **changes)


def refused(compute: str, inputs: list[Any], outputs: list[Any], **changes: Any) -> Finding:
    spec = spec_of(compute, inputs, outputs, ["float32"], **changes)
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is None
    (finding,) = findings
    assert finding.rule == "OPG309"
    assert "kernel: axpy_custom_kernel.py" in finding.fix
    return finding


def text_of(spec: OpSpec) -> str:
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is not None, findings
    return script(spec, spec.operators[0], plan)


@pytest.mark.parametrize(
    "compute",
    [
        "y = silu(x[..., :C]) * x[..., C:]",
        "a = x[..., :C]\nb = x[..., C:]\ny = where(a > b, a - b, b)",
        "y = x[..., :C] - max(x[..., C:], axis=-1)",
        "y = x[..., C:] / sum(exp(x[..., C : 2 * C]), axis=-1)",
        "y = x[..., C:] + x[..., 0:C] * argmax(x[..., :C], axis=-1)",
    ],
)
def test_slices(compute: str, tmp_path: Path) -> None:
    check(tmp_path, spec_of(compute, [WIDE], [FULL]))


def test_a_row_of_three_pieces_and_one_of_two(tmp_path: Path) -> None:
    x = {"name": "x", "dtype": "T", "shape": ["...", "3 * C"]}
    w = {"name": "w", "dtype": "T", "shape": ["2 * C"]}
    compute = "q = x[..., :C] * w[:C]\nk = x[..., C : 2 * C] * w[C:]\ny = q + k * x[..., 2 * C :]"
    check(tmp_path, spec_of(compute, [x, w], [FULL], tests={"cases": [{}, {"...": [5], "C": 1001}]}))


def test_a_tensor_read_in_overlapping_pieces(tmp_path: Path) -> None:
    dims = {"R": {"default": 3, "dynamic": True}, "C": {"default": 9, "min": 3}}
    x = {"name": "x", "dtype": "T", "shape": ["R", "2 * C"]}
    y = {"name": "y", "dtype": "T", "shape": ["R", "C"]}
    compute = "y = x[:, 1 : C + 1] - x[:, :C] + x[:, C - 2 : 2 * C - 2]"
    check(tmp_path, spec_of(compute, [x], [y], dims=dims, tests={"cases": [{}, {"R": 7, "C": 1001}]}))


@pytest.mark.parametrize(
    "compute",
    [
        "y = concat([a, b], axis=-1)",
        "y = concat([a - b, a + b], axis=-1)",
        "y = concat([b, exp(a) / sum(exp(a), axis=-1)], axis=-1)",
        "t = a * b\ny = concat([t, t], axis=-1)",
    ],
)
def test_concat(compute: str, tmp_path: Path) -> None:
    inputs = [{"name": n, "dtype": "T", "shape": ["...", "C"]} for n in "ab"]
    check(tmp_path, spec_of(compute, inputs, [DOUBLE]))


def test_halves_that_change_places(tmp_path: Path) -> None:
    spec = spec_of("y = concat([-x[..., C:], x[..., :C]], axis=-1)", [WIDE], [DOUBLE])
    check(tmp_path, spec)
    text = text_of(spec)
    assert "T.copy(x[start : start + rows, c : 2 * c], x1_ub" in text
    assert "y[start : start + rows, 0:c])" in text


def test_ints_and_floats_are_put_together_as_floats(tmp_path: Path) -> None:
    inputs = [{"name": "a", "dtype": "T", "shape": ["...", "C"]}, {"name": "n", "dtype": "int8", "shape": ["...", "C"]}]
    check(tmp_path, spec_of("y = concat([n, a * 2], axis=-1)", inputs, [DOUBLE]))


def test_lengths_that_are_known_at_run_time(tmp_path: Path) -> None:
    dims = {"...": {"default": [2], "dynamic": True}, "C": {"default": 7, "dynamic": True, "max": 1200}}
    tests = {"cases": [{}, {"...": [7], "C": 1001}]}
    check(tmp_path, spec_of("y = silu(x[..., :C]) * x[..., C:]", [WIDE], [FULL], dims=dims, tests=tests))


def test_pieces_in_place(tmp_path: Path) -> None:
    out = {"name": "x", "inplace": True}
    check(tmp_path, spec_of("x = concat([x[..., C:], 2 * x[..., :C]], axis=-1)", [WIDE], [out]))


def test_buffers_of_pieces_are_called_as_the_formula_calls_them() -> None:
    text = text_of(spec_of("gate = x[..., :C]\nup = x[..., C:]\ny = silu(gate) * up", [WIDE], [FULL]))
    assert "T.copy(x[start : start + rows, 0:c], gate_ub[i % 2, :, :])" in text
    assert "T.copy(x[start : start + rows, c : 2 * c], up_ub[i % 2, :, :])" in text
    assert text.count("T.copy(") == 3


def test_indices_count_the_longest_rows() -> None:
    text = text_of(spec_of("y = silu(x[..., :C]) * x[..., C:]", [WIDE], [FULL]))
    assert "limit = (2**31 - 1) // (2 * args.c) - " in text


COLUMNS = {"...": {"default": [2], "dynamic": True}, "C": {"default": 24}}
WIDTHS = {"cases": [{}, {"...": [7], "C": 1001}, {"...": [3], "C": 33}], "tolerance": {"float32": 1e-4}}


@pytest.mark.parametrize(
    ("compute", "length"),
    [
        ("y = x[..., :20] * 2", 20),
        ("y = x[..., 3:20] + x[..., 4:21]", 17),
        ("y = x[..., 1:] - x[..., : C - 1]", "C - 1"),
        ("y = x[..., C // 2 :] * mean(x[..., : C // 3], axis=-1)", "C - C // 2"),
        ("y = x - max(x[..., 20:], axis=-1) + min(x[..., :7], axis=-1)", "C"),
        ("y = x * sum(x[..., 1:], axis=-1) + argmax(x[..., 2:9], axis=-1)", "C"),
        ("y = concat([-x[..., 20:], x[..., :20]], axis=-1)", "C"),
        ("r = x[..., :20]\na = r[..., :10]\nb = r[..., 10:]\ny = concat([a - b, a + b, x[..., 20:]], axis=-1)", "C"),
        ("t = exp(x) * 2 + mean(x, axis=-1)\ny = t[..., 1:] - t[..., : C - 1]", "C - 1"),
        ("y = exp(x)[..., 1:9] + x[..., :8]", 8),
        ("y = concat([x, x[..., :3]], axis=-1)", "C + 3"),
    ],
)
def test_columns_of_any_number_from_anywhere(compute: str, length: int | str, tmp_path: Path) -> None:
    x, y = FULL | {"name": "x"}, {"name": "y", "dtype": "T", "shape": ["...", length]}
    check(tmp_path, spec_of(compute, [x], [y], dims=COLUMNS, tests=WIDTHS))


def test_rows_of_an_input_that_no_value_is_as_long_as(tmp_path: Path) -> None:
    x, g = {"name": "x", "dtype": "T", "shape": ["...", "C + 5"]}, {"name": "g", "dtype": "T", "shape": ["C"]}
    check(tmp_path, spec_of("y = x[..., 5:] * g", [x, g], [FULL], dims=COLUMNS, tests=WIDTHS))


def test_a_script_refuses_rows_that_are_too_short_for_its_slices(tmp_path: Path) -> None:
    y = {"name": "y", "dtype": "T", "shape": ["...", 4]}
    text = text_of(spec_of("y = x[..., 20:24]", [FULL | {"name": "x"}], [y], dims=COLUMNS, tests=WIDTHS))
    assert "if args.c < 24:" in text and "must be at least 24" in text
    dims = {**COLUMNS, "C": {"default": 8000}}
    text = text_of(spec_of("y = x[..., 5000:5004]", [FULL | {"name": "x"}], [y], dims=dims, tests={"cases": [{}]}))
    assert "if args.c < 5004:" in text


def test_rows_that_slices_reach_beyond_are_named() -> None:
    y = {"name": "y", "dtype": "T", "shape": ["...", 4]}
    spec = spec_of("y = x[..., 26:30]", [FULL | {"name": "x"}], [y], ["float32"], dims=COLUMNS, tests={"cases": [{}]})
    plan, (finding,) = plan_kernel(spec, spec.operators[0])
    assert plan is None and finding.rule == "OPG309" and finding.pointer == "/dims/C"
    assert finding.what == "no schedule: rows of 24 elements, of which slices take those up to 30"
    assert finding.fix == "Write `min: 30` for `C`, and sizes from there on."


def test_lengths_that_one_dim_tells_are_compiled_in() -> None:
    dims = {**COLUMNS, "C": {"default": 24, "dynamic": True, "max": 64}}
    y = {"name": "y", "dtype": "T", "shape": ["...", "C - 1"]}
    spec = spec_of("y = x[..., 1:]", [FULL | {"name": "x"}], [y], ["float32"], dims=dims, tests={"cases": [{}]})
    plan, (finding,) = plan_kernel(spec, spec.operators[0])
    assert plan is None and finding.rule == "OPG309"
    assert finding.what == "no schedule: rows of several lengths, which `C` tells when the kernel runs"
    assert finding.pointer == "/dims/C"


def test_what_concat_gives_is_cut_at_the_ends_of_its_members() -> None:
    compute = "y = concat([x[..., C:], x[..., :C]], axis=-1)[..., 1 : C + 1]"
    finding = refused(compute, [WIDE], [FULL])
    assert finding.what == "no schedule: a slice of a computed value"
    assert finding.fix.startswith("Slice the inputs instead: `f(x[..., :C])`.")
    assert finding.offset is not None
    assert compute[finding.offset :].startswith("concat(["), compute[finding.offset :]


def test_a_member_of_another_length_is_named() -> None:
    inputs = [{**FULL, "name": "a"}, {"name": "b", "dtype": "T", "shape": ["...", 1]}]
    output = {"name": "y", "dtype": "T", "shape": ["...", "C + 1"]}
    spec = spec_of("y = concat([a, b], axis=-1)", inputs, [output], ["float32"])
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is None
    (finding,) = [f for f in findings if f.what == "no schedule: 1 column of `y` at once"]
    assert finding.fix.startswith("Join members of `C` columns each.")


@pytest.mark.parametrize(
    ("compute", "inputs", "output"),
    [
        ("y = where(m[..., 2:9], x[..., 1:8], 0.0)", "xm", ("T", 7)),
        ("y = q[..., 3:20] * x[..., 1:18]", "xq", ("T", 17)),
        ("y = x[..., 5:12] * g", "xg", ("T", 7)),
        ("y = n[..., 3:20] + n[..., 4:21]", "n", ("int32", 17)),
        ("y = sum(n[..., 3:20], axis=-1)", "n", ("int32", None)),
        ("y = max(q[..., 3:20], axis=-1)", "q", ("int8", None)),
        ("y = argmin(x[..., 3:20], axis=-1)", "x", ("int32", None)),
        ("y = concat([m[..., 3:], m[..., :3]], axis=-1)", "m", ("bool", "C")),
    ],
)
def test_columns_of_other_types(
    compute: str, inputs: str, output: tuple[str, int | str | None], tmp_path: Path
) -> None:
    types = {"x": "T", "m": "bool", "n": "int32", "q": "int8"}
    tensors = [{"name": name, "dtype": types[name], "shape": ["...", "C"]} for name in inputs if name in types]
    tensors += [{"name": "g", "dtype": "T", "shape": [7], "default": 1.0}] if "g" in inputs else []
    y = {"name": "y", "dtype": output[0], "shape": ["..."] if output[1] is None else ["...", output[1]]}
    symbols = {"T": FLOATS} if "x" in inputs else None
    tests = WIDTHS if output[0] == "T" else {"cases": WIDTHS["cases"]}
    spec = accepted(dtypes=symbols, inputs=tensors, outputs=[y], compute=compute, dims=COLUMNS, attrs=None, tests=tests)
    check(tmp_path, spec)


def test_columns_that_change_places_where_they_lie(tmp_path: Path) -> None:
    out = {"name": "x", "inplace": True}
    spec = spec_of(
        "x = concat([x[..., 20:], x[..., :20]], axis=-1)", [FULL | {"name": "x"}], [out], dims=COLUMNS, tests=WIDTHS
    )
    check(tmp_path, spec)
