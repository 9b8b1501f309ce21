"""Generated PyPTO kernels: their texts in full, and what they compute."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, gallery
from opgen.spec.model import Operator
from pypto_kernels import gallery_operator, on_rows, planned, pypto, text, unary, wrongs

GOLDEN = ROOT / "tests/golden/pypto"
GENERATED = [name for name in gallery(pypto=True) if gallery_operator(name).kernel is None]

HALVES = {"T": ["float16", "bfloat16", "float32"]}
TYPES = {"T": ["float32", "float16", "bfloat16", "int32", "int16", "int8", "uint8", "int64"]}


@pytest.mark.parametrize("name", GENERATED)
def test_goldens(name: str) -> None:
    written = text(gallery_operator(name))
    path = GOLDEN / f"{name}.py"
    if os.environ.get("OPGEN_UPDATE") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written, encoding="utf-8", newline="\n")
    assert written == path.read_text(encoding="utf-8")


def tensors(*named: str) -> list[dict[str, object]]:
    """ "x [R, C]" or "b [C] float32"; a type in the end, else T."""
    result = []
    for item in named:
        name, _, rest = item.partition(" ")
        shape, _, dtype = rest.partition("]")
        axes = [axis.strip() for axis in shape.strip("[").split(",") if axis.strip()]
        result.append({"name": name, "dtype": dtype.strip() or "T", "shape": axes})
    return result


def later(make: Callable[..., Operator], *args: Any, **changes: Any) -> Callable[[], Operator]:
    return functools.cache(functools.partial(make, *args, **changes))


KERNELS: dict[str, Callable[[], Operator]] = {
    "sigmoid": later(unary, "y = sigmoid(x)", dtypes=HALVES),
    "silu": later(unary, "y = silu(x)", dtypes=HALVES),
    "gelu": later(unary, "y = gelu(x)", dtypes=HALVES),
    "tanh": later(unary, "y = tanh(x)", dtypes=HALVES),
    "erf": later(unary, "y = erf(x)", dtypes=HALVES),
    "exp": later(unary, "y = exp(x)", dtypes=HALVES),
    "rsqrt": later(unary, "y = rsqrt(x)", inputs=[{"name": "x", "dtype": "T", "shape": ["..."], "min": 0.1, "max": 9}]),
    "log": later(unary, "y = log(x)", inputs=[{"name": "x", "dtype": "T", "shape": ["..."], "min": 0.1, "max": 9}]),
    "power": later(unary, "y = x ** 3 - 2 * x", dtypes=HALVES),
    "round": later(unary, "y = round(x * 4) - floor(x) + ceil(x)", dtypes={"T": ["float32"]}),
    "absolute": later(unary, "y = abs(x)", dtypes={"T": ["float32", "float16", "bfloat16", "int32", "int8", "int64"]}),
    "relu": later(unary, "y = relu(x)", dtypes={"T": ["float32", "bfloat16", "int32", "int16"]}),
    "leaky": later(unary, "y = leaky_relu(x, 0.1)", dtypes=HALVES),
    "identity": later(unary, "y = x", dtypes=TYPES),
    "negative": later(unary, "y = -x", dtypes={"T": ["float32", "float16", "int32", "int8"]}),
    "everything": later(pypto,
        attrs=None,
        dtypes=TYPES,
        inputs=[
            {"name": "x", "dtype": "T", "shape": ["..."], "min": 0, "max": 60},
            {"name": "y", "dtype": "T", "shape": ["..."], "min": 0, "max": 60},
        ],
        compute="z = maximum(x, y) + minimum(x, y)",
    ),
    "truth": later(pypto,
        attrs=None,
        dtypes={"T": ["float32", "int32", "bfloat16"]},
        outputs=[{"name": "z", "dtype": "bool", "shape": ["..."]}],
        compute="z = (x < y) & ~(x == 1) | (y >= 2)",
    ),
    "choice": later(pypto, attrs=None, dtypes={"T": ["float16", "bfloat16", "int32"]},
                    compute="z = where(x < y, x, y * 2)"),
    "numbers alone": later(
        pypto,
        attrs=[{"name": n, "type": "float", "default": d} for n, d in (("low", -0.5), ("high", 0.5))],
        dtypes=HALVES,
        compute="z = clip(x, minimum(low, high), maximum(abs(low), high / 3)) - y * (2 * low - high)",
    ),
    "only as a column": later(
        on_rows,
        "y = x * s",
        inputs=tensors("x [R, C]", "s [R, 1]"),
        dtypes={"T": ["float32"]},
    ),
    "to_type": later(unary,
        "y = cast(x * 3, int32)",
        outputs=[{"name": "y", "dtype": "int32", "shape": ["..."]}],
        dtypes=HALVES,
    ),
    "one element": later(pypto,
        attrs=None,
        dtypes=HALVES,
        inputs=tensors("x [...]", "factor []", "count [] int32"),
        compute="z = x * factor + count",
    ),
    "optional": later(pypto,
        attrs=None,
        dtypes=HALVES,
        inputs=[
            {"name": "x", "dtype": "T", "shape": ["..."]},
            {"name": "y", "dtype": "T", "shape": ["..."], "default": 1.0},
            {"name": "w", "dtype": "T", "shape": ["..."], "default": 0.0},
        ],
        compute="z = x * y + w",
    ),
    "in place": later(pypto,
        attrs=None,
        inputs=tensors("x [...]", "total [...]"),
        outputs=[{"name": "total", "inplace": True}],
        compute="total = total + x * x",
    ),
    "attributes": later(pypto,
        dtypes=HALVES,
        attrs=[
            {"name": "alpha", "type": "float", "default": 0.5},
            {"name": "shift", "type": "int", "default": 3, "dynamic": True},
            {"name": "twice", "type": "bool", "default": False},
            {"name": "mode", "type": "string", "values": ["add", "sub", "mul"], "default": "add"},
        ],
        compute='w = x + y if mode == "add" else x - y if mode == "sub" else x * y\n'
        "z = alpha * w * 2 + shift if twice else alpha * w + shift",
    ),
    "fixed": later(pypto, attrs=None, dims={"N": 1000}, inputs=tensors("x [N]", "y [N]"),
                   outputs=tensors("z [N]"), compute="z = x * y"),
    "sum": later(on_rows, "y = sum(x, axis=-1)", "[R]", dtypes=HALVES),
    "mean": later(on_rows, "y = mean(x, axis=-1)", "[R]", dtypes=HALVES),
    "max": later(on_rows, "y = max(x, axis=-1)", "[R, 1]", dtypes=HALVES),
    "min": later(on_rows, "y = min(x * 2, axis=-1)", "[R]", dtypes=HALVES),
    "softmax": later(on_rows, "e = exp(x - max(x, axis=-1))\ny = e / sum(e, axis=-1)", dtypes=HALVES),
    "centred": later(on_rows, "y = x - mean(x, axis=-1)", dtypes=HALVES),
    "variance": later(on_rows, "d = x - mean(x, axis=-1)\ny = mean(d * d, axis=-1)", "[R]", dtypes={"T": ["float32"]}),
    "any length": later(on_rows,
        "y = x - mean(x, axis=-1)",
        dims={"R": {"default": 3, "dynamic": True}, "C": {"default": 3000, "dynamic": True}},
    ),
    "long": later(on_rows, "e = exp(x - max(x, axis=-1))\ny = e / sum(e, axis=-1)",
                    dims={"R": {"default": 2, "dynamic": True}, "C": {"default": 5000, "dynamic": True}}),
    "fixed rows": later(on_rows, "y = x / max(abs(x), axis=-1)", dims={"R": {"default": 9, "dynamic": True}, "C": 200}),
    "columns": later(pypto,
        attrs=None,
        dims={"...": {"default": [3, 5], "dynamic": True}, "C": {"default": 90, "dynamic": True, "max": 500}},
        dtypes=HALVES,
        inputs=tensors("x [..., C]", "scale [C]", "shift [C] float32"), outputs=tensors("z [..., C]"),
        compute="z = (x - shift) * scale / 3 + shift",
    ),
    "reversed columns": later(pypto,
        attrs=None, dims={"...": {"default": [3], "dynamic": True}, "C": {"default": 70, "dynamic": True, "max": 500}},
        inputs=tensors("x [..., C]", "b [C]"), outputs=tensors("z [..., C]"),
        compute="z = b - x + maximum(b, x)",
    ),
    "values of rows": later(pypto,
        attrs=None, dims={"R": {"default": 21, "dynamic": True}, "C": {"default": 70, "dynamic": True, "max": 500}},
        dtypes=HALVES,
        inputs=tensors("x [R, C]", "s [R, 1]"), outputs=tensors("z [R, C]", "m [R]"),
        compute="z = x * s\nm = max(z, axis=-1) + s",
    ),
    "ints of rows": later(
        on_rows,
        "t = sum(x, axis=-1) + max(x, axis=-1)\ny = x * 2 - t",
        dtypes={"T": ["int32", "int8"]},
        inputs=[{"name": "x", "dtype": "T", "shape": ["R", "C"], "min": -1, "max": 1}],
        dims={"R": {"default": 5, "dynamic": True}, "C": {"default": 50, "dynamic": True, "max": 60}},
        outputs=[{"name": "y", "dtype": "int32", "shape": ["R", "C"]}],
    ),
    "long ints": later(
        on_rows,
        "y = sum(x, axis=-1) - min(x, axis=-1)",
        "[R]",
        dtypes={"T": ["int32"]},
        dims={"R": {"default": 3, "dynamic": True}, "C": {"default": 3000, "dynamic": True}},
    ),
    "count": later(on_rows, "y = sum(x > 0, axis=-1)", outputs=tensors("y [R] int32"), dtypes=HALVES),
    "pieces": later(
        pypto,
        attrs=None,
        dims={"R": {"default": 5, "dynamic": True}, "C": {"default": 70, "dynamic": True, "max": 500}},
        dtypes=HALVES,
        inputs=tensors("x [R, 2 * C]"),
        outputs=tensors("z [R, C]", "w [R, 2 * C]"),
        compute="z = silu(x[..., :C]) * x[..., C:]\nw = concat([x[..., C:], -x[..., :C]], axis=-1)",
    ),
    "pieces of long rows": later(
        pypto,
        attrs=None,
        dims={"R": {"default": 3, "dynamic": True}, "C": {"default": 1100, "dynamic": True}},
        inputs=tensors("x [R, 2 * C]", "g [2 * C]"),
        outputs=tensors("z [R, C]", "s [R]"),
        compute="z = x[..., :C] * x[..., C:] + g[C:] - g[:C]\ns = max(z, axis=-1) - mean(x[..., :C], axis=-1)",
    ),
    "infinite": later(on_rows, "m = where(x > 1, -inf, x)\ne = exp(m - max(m, axis=-1))\ny = e / sum(e, axis=-1)",
                      dtypes=HALVES),
    "log of sum": later(on_rows, "m = max(x, axis=-1)\ny = log(sum(exp(x - m), axis=-1)) + m", "[R]",
                        dims={"R": {"default": 3, "dynamic": True}, "C": {"default": 2000, "dynamic": True}}),
    "normalized in place": later(pypto,
        attrs=[{"name": "eps", "type": "float", "default": 1e-3}],
        dims={"R": {"default": 3, "dynamic": True}, "C": {"default": 2500, "dynamic": True}},
        dtypes=HALVES,
        inputs=tensors("x [R, C]", "residual [R, C]", "gamma [C]"),
        outputs=[{"name": "z", "dtype": "T", "shape": ["R", "C"]}, {"name": "residual", "inplace": True}],
        compute="residual = x + residual\n"
        "z = residual * rsqrt(mean(residual * residual, axis=-1) + eps) * gamma",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_compute_their_formula(name: str, tmp_path: Path) -> None:
    assert wrongs(KERNELS[name](), tmp_path) == []


def test_the_gallery_is_what_the_issue_asks_for() -> None:
    types = {dtype for name in GENERATED for c in gallery_operator(name).combinations for _, dtype in c}
    assert {"float16", "bfloat16", "float32", "int32"} <= types
    assert any(gallery_operator(name).optional_inputs for name in GENERATED)
    assert any(len(gallery_operator(name).outputs) == 2 for name in GENERATED)


@pytest.mark.parametrize("compute", ["z = x + y * 2", "z = where(x < y, x, y)", "z = maximum(x, y) - abs(x)"])
def test_an_early_version_parses_every_kernel_with_halves(compute: str, tmp_path: Path) -> None:
    """Although the operator has no float16: the branches of all parts agree on what else there is."""
    for types in (["float32", "int32", "int8"], ["int8", "float32", "int32", "bfloat16"], ["int32", "float32"]):
        assert wrongs(pypto(attrs=None, dtypes={"T": types}, compute=compute), tmp_path) == []


@pytest.mark.parametrize("name", KERNELS)
def test_only_statements_that_the_front_end_takes(name: str) -> None:
    """No `in`, no chains of comparisons, no conditional expressions, at most two terms in a condition."""
    for node in ast.walk(ast.parse(text(KERNELS[name]()))):
        assert not isinstance(node, (ast.IfExp, ast.Try, ast.Assert, ast.JoinedStr, ast.ListComp, ast.Lambda))
        if isinstance(node, ast.Compare):
            assert len(node.ops) == 1 and not isinstance(node.ops[0], (ast.In, ast.NotIn))
        if isinstance(node, ast.BoolOp):
            assert len(node.values) == 2


def calls(operator: Operator) -> list[str]:
    return [line.strip() for line in text(operator).splitlines() if line.strip().startswith("pl.")]


def test_halves_are_added_as_halves() -> None:
    """A sum of two halves, rounded once, is what the half type's own addition gives."""
    lines = calls(pypto(attrs=None, dtypes=HALVES, compute="z = x + y"))
    assert "pl.add(z_tile, x_tile, y_tile)" in lines
    assert not [line for line in lines if line.startswith("pl.cast")]


def test_a_second_rounding_is_avoided() -> None:
    """x + y + x in float16 would round twice: it is computed in float32."""
    lines = calls(pypto(attrs=None, dtypes={"T": ["float16"]}, compute="z = x + y + x"))
    assert [line.split("(")[0] for line in lines if "cast" in line] == ["pl.cast", "pl.cast", "pl.cast"]


def test_a_row_is_added_by_subtracting_its_negative_once() -> None:
    operator = pypto(
        attrs=None,
        dtypes={"T": ["float32"]},
        dims={"R": {"default": 8, "dynamic": True}, "C": {"default": 64, "dynamic": True, "max": 256}},
        inputs=tensors("x [R, C]", "b [C]"),
        outputs=tensors("z [R, C]"),
        compute="z = x + b",
    )
    written = text(operator)
    assert "pl.expand_sub(z_tile, x_tile, b_line, dim=1)" in written
    assert written.index("pl.neg(b_line, b_tile)") < written.index("for i in pl.range")


def test_where_nothing_differs_there_is_no_branch() -> None:
    assert "if " not in text(pypto(attrs=None, dtypes=HALVES, compute="z = maximum(x, y)")).split("def axpy_custom")[1]


def test_long_rows_are_passed_over_once_for_each_reduction() -> None:
    long = text(KERNELS["long"]())
    assert long.count("for column in pl.range(") == 3
    short = text(KERNELS["softmax"]())
    assert "for column in" not in short


def test_a_sum_of_long_rows_needs_one_pass() -> None:
    assert text(gallery_operator("row_sum_pro")).count("for column in pl.range(") == 1


def test_an_unconnected_input_keeps_its_pointer_and_is_not_mapped() -> None:
    operator = KERNELS["optional"]()
    plan = planned(operator)
    assert plan.parameters == ("x", "y", "w", "z")
    assert [parameter for parameter, _ in plan.datatype] == ["x", "z"]
    written = text(operator)
    assert "if has_y == 1:\n        y_view = " in written


def test_names_of_the_operator_come_first() -> None:
    """Tensors that are called as the kernel's own things keep their names; those things give way."""
    operator = pypto(
        attrs=None,
        inputs=tensors("offset [...]", "wide [...]"),
        outputs=tensors("length [...]"),
        compute="length = exp(offset) * exp(wide)",
    )
    written = text(operator)
    assert "    offset: pl.Ptr[pl.DT_UINT8]," in written
    assert "offset_ = i * tiling.tile_length" in written
    assert "length_ = pl.min(tiling.tile_length, tiling.elements - offset_)" in written
