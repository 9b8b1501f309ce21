"""Matrix products: results against the formula under the rules of the chip, tiles, and what there is no kernel for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from opgen.dialect.check import check_here
from opgen.facts.socs import PLATFORMS
from opgen.kernel.interface import call_parameters, kernel_interface, workspace_of
from opgen.kernel.matmul_model import Choices, Shape, Tile, choices, cycles, fits, plan_tile
from opgen.kernel.matmul_tiles import chooser
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.model import OpSpec
from opgen.spec.variants import variants
from opgen.text.findings import Finding
from opgen.verify.golden import make_expected, make_inputs, share_of_tolerance, tolerance_of
from opgen.verify.points import points
from spec_support import accepted

CHIP = PLATFORMS["A3"]
DIMS: dict[str, Any] = {"M": {"default": 40, "dynamic": True}, "N": {"default": 33}, "K": {"default": 70}}


def spec_of(compute: str, a: list[str], b: list[str], c: list[str], **changes: Any) -> OpSpec:
    types = changes.pop("dtypes", {"T": ["float16"]})
    changes = {"dims": DIMS, "attrs": None, "inputs": [], "outputs": [], **changes}
    inputs = [{"name": "a", "dtype": "T", "shape": a}, {"name": "b", "dtype": "T", "shape": b}, *changes.pop("inputs")]
    outputs = changes.pop("outputs") or [{"name": "c", "dtype": "T", "shape": c}]
    return accepted(scenario="online", dtypes=types, inputs=inputs, outputs=outputs, compute=compute, **changes)


def check(folder: Path, spec: OpSpec) -> None:
    """Runs every case and the sizes around whole tiles."""
    operator = spec.operators[0]
    plan, findings = plan_kernel(spec, operator)
    assert plan is not None, findings
    assert plan.schedule == "matmul"
    path = folder / "kernel.py"
    path.write_text(script(spec, operator, plan), encoding="utf-8")
    sizes = len(kernel_interface(operator).dims)
    for point in points(operator, plan):
        inputs = make_inputs(operator, point)
        given = {**inputs, **{n: point.attrs[n] for n in (a.name for a in operator.dynamic_attrs)}}
        words = [*point.words[:sizes], str(folder / "kernel.so"), *point.words[sizes:]]
        report = check_here(path, words, dict(point.symbolic), given, generated=True)
        assert report.ok, (point.title, [(f.what, f.why) for f in report.findings])
        (kernel,) = report.kernels
        for name, wanted in make_expected(operator, point, inputs).items():
            got = kernel.outputs[name].reshape(wanted.shape)
            share = share_of_tolerance(got, wanted, tolerance_of(operator, point, name))
            assert share.max() <= 1, (point.title, name)


# ---- results ----


@pytest.mark.parametrize(
    ("compute", "a", "b"),
    [
        ("c = matmul(a, b)", ["M", "K"], ["K", "N"]),
        ("c = a @ b", ["M", "K"], ["K", "N"]),
        ("c = matmul(a, b, transpose_a=True)", ["K", "M"], ["K", "N"]),
        ("c = matmul(a, b, transpose_b=True)", ["M", "K"], ["N", "K"]),
        ("c = matmul(a, b, transpose_a=True, transpose_b=True)", ["K", "M"], ["N", "K"]),
        ("t = matmul(a, b)\nc = relu(t)", ["M", "K"], ["K", "N"]),
    ],
)
def test_every_side_can_be_transposed(compute: str, a: list[str], b: list[str], tmp_path: Path) -> None:
    check(tmp_path, spec_of(compute, a, b, ["M", "N"]))


@pytest.mark.parametrize(
    ("factor", "result"),
    [
        ("float16", "float32"),
        ("float32", "float32"),
        ("bfloat16", "bfloat16"),
        ("int8", "int32"),
        ("float16", "bfloat16"),
    ],
)
def test_every_type_of_the_cube_core(factor: str, result: str, tmp_path: Path) -> None:
    types = [{"T": factor, "U": result}]
    outputs = [{"name": "c", "dtype": "U", "shape": ["M", "N"]}]
    # Sums of K terms are rounded in float32, some sqrt(K) * 2**-24 of their size by chance.
    loose = {"tests": {"tolerance": {"float32": 1e-4}}} if result == "float32" else {}
    check(tmp_path, spec_of("c = a @ b", ["M", "K"], ["K", "N"], [], dtypes=types, outputs=outputs, **loose))


B = {"B": {"default": 3, "dynamic": True}, **DIMS}
BH = {"B": {"default": 2, "dynamic": True}, "H": {"default": 3}, **DIMS}
REST = {"...": {"default": [2, 20], "dynamic": True}, "N": {"default": 33}, "K": {"default": 70}}


@pytest.mark.parametrize(
    ("dims", "a", "b", "c"),
    [
        (B, ["B", "M", "K"], ["B", "K", "N"], ["B", "M", "N"]),
        (B, ["B", "M", "K"], ["K", "N"], ["B", "M", "N"]),
        (B, ["M", "K"], ["B", "K", "N"], ["B", "M", "N"]),
        (BH, ["B", "H", "M", "K"], ["B", "H", "K", "N"], ["B", "H", "M", "N"]),
        (BH, ["B", "H", "M", "K"], ["K", "N"], ["B", "H", "M", "N"]),
        (REST, ["...", "K"], ["K", "N"], ["...", "N"]),
    ],
)
def test_leading_axes(dims: dict[str, Any], a: list[str], b: list[str], c: list[str], tmp_path: Path) -> None:
    check(tmp_path, spec_of("c = a @ b", a, b, c, dims=dims))


@pytest.mark.parametrize("dynamic", ["", "M", "N", "K", "MNK"])
def test_any_size_can_be_open(dynamic: str, tmp_path: Path) -> None:
    dims = {name: {"default": size, "dynamic": name in dynamic} for name, size in (("M", 40), ("N", 33), ("K", 70))}
    check(tmp_path, spec_of("c = a @ b", ["M", "K"], ["K", "N"], ["M", "N"], dims=dims))


def test_a_square_matrix_has_one_size(tmp_path: Path) -> None:
    spec = spec_of("c = a @ b", ["N", "N"], ["N", "N"], ["N", "N"], dims={"N": {"default": 40, "dynamic": True}})
    assert [dim.name for dim in kernel_interface(spec.operators[0]).dims] == ["N"]
    check(tmp_path, spec)


def test_a_size_can_be_a_number(tmp_path: Path) -> None:
    dims = {"M": {"default": 40, "dynamic": True}, "N": {"default": 33}}
    check(tmp_path, spec_of("c = a @ b", ["M", 64], [64, "N"], ["M", "N"], dims=dims))


def test_names_of_the_script_belong_to_the_operator(tmp_path: Path) -> None:
    dims = {"I": {"default": 40, "dynamic": True}, "Row": {"default": 33}, "S": {"default": 70}}
    inputs = [
        {"name": "slot", "dtype": "T", "shape": ["I", "S"]},
        {"name": "stage", "dtype": "T", "shape": ["S", "Row"]},
    ]
    outputs = [{"name": "rows", "dtype": "T", "shape": ["I", "Row"]}]
    check(
        tmp_path,
        accepted(
            scenario="online",
            dtypes={"T": ["float16"]},
            dims=dims,
            inputs=inputs,
            outputs=outputs,
            attrs=None,
            compute="rows = slot @ stage",
        ),
    )


# ---- what the vector cores do with a product ----

VEC = {"dtype": "float32", "shape": ["N"]}


@pytest.mark.parametrize(
    ("compute", "inputs"),
    [
        ("c = a @ b + bias", [{"name": "bias", "dtype": "T", "shape": ["N"]}]),
        ("c = relu(a @ b * scale + bias)", [{"name": "scale", **VEC}, {"name": "bias", **VEC}]),
        ("c = gelu(a @ b, approximate=\"tanh\") + residual", [{"name": "residual", "dtype": "T", "shape": ["M", "N"]}]),
        ("c = (a @ b) / rows * one", [{"name": "rows", "dtype": "T", "shape": ["M", 1], "min": 1},
                                      {"name": "one", "dtype": "float32", "shape": [1]}]),
        ("t = a @ b\nc = where(t > cut, t, cut - t)", [{"name": "cut", **VEC}]),
        ("c = sigmoid(a @ b) * 2 - 1", []),
    ],
)  # fmt: skip
def test_the_rest_of_the_formula(compute: str, inputs: list[dict[str, Any]], tmp_path: Path) -> None:
    check(tmp_path, spec_of(compute, ["M", "K"], ["K", "N"], ["M", "N"], inputs=inputs))


def test_the_rest_of_a_formula_on_many_products(tmp_path: Path) -> None:
    inputs = [
        {"name": "r", "dtype": "T", "shape": ["B", "M", "N"]},
        {"name": "s", "dtype": "T", "shape": ["B", "M", 1]},
    ]
    sides = ["B", "M", "K"], ["B", "K", "N"], ["B", "M", "N"]
    check(tmp_path, spec_of("c = a @ b * s + r", *sides, dims=B, inputs=inputs))


def test_types_that_the_vector_cores_treat_differently(tmp_path: Path) -> None:
    bias = {"name": "bias", "dtype": "T", "shape": ["N"]}
    types = {"T": ["float16", "float32", "bfloat16"]}
    tests = {"tolerance": {"float32": 1e-4}}
    sides = ["M", "K"], ["K", "N"], ["M", "N"]
    check(tmp_path, spec_of("c = silu(a @ b + bias)", *sides, dtypes=types, inputs=[bias], tests=tests))


def test_masks_and_whole_numbers_beside_a_product(tmp_path: Path) -> None:
    inputs = [{"name": "mask", "dtype": "U", "shape": ["M", "N"]}, {"name": "shift", "dtype": "int8", "shape": ["N"]}]
    types = {"T": ["float16"], "U": ["bool", "uint8"]}
    sides = ["M", "K"], ["K", "N"], ["M", "N"]
    compute = "c = where(cast(mask, bool), a @ b + shift, -1.0)"
    check(tmp_path, spec_of(compute, *sides, dtypes=types, inputs=inputs))


def test_two_outputs_of_one_product(tmp_path: Path) -> None:
    outputs = [{"name": name, "dtype": "T", "shape": ["M", "N"]} for name in ("c", "d")]
    check(tmp_path, spec_of("c = a @ b\nd = exp(-abs(c))", ["M", "K"], ["K", "N"], [], outputs=outputs))


def test_sums_of_int8_become_floats(tmp_path: Path) -> None:
    outputs = [{"name": "c", "dtype": "U", "shape": ["M", "N"]}]
    types = [{"T": "int8", "U": "float16"}]
    inputs = [{"name": "scale", **VEC, "min": 0.001, "max": 0.01}]
    spec = spec_of("c = a @ b * scale", ["M", "K"], ["K", "N"], [], dtypes=types, outputs=outputs, inputs=inputs)
    check(tmp_path, spec)


def test_attributes_of_the_rest(tmp_path: Path) -> None:
    attrs = [
        {"name": "alpha", "type": "float", "default": 0.5},
        {"name": "act", "type": "string", "values": ["relu", "none"], "default": "relu"},
    ]
    spec = spec_of("t = alpha * (a @ b)\nc = relu(t) if act == \"relu\" else t", ["M", "K"], ["K", "N"], ["M", "N"],
                   attrs=attrs)  # fmt: skip
    check(tmp_path, spec)


def test_an_input_that_is_absent_leaves_one_workspace() -> None:
    bias = {"name": "bias", "dtype": "float32", "shape": ["N"], "default": 0.0}
    spec = spec_of("c = a @ b + bias", ["M", "K"], ["K", "N"], ["M", "N"], inputs=[bias])
    operator = spec.operators[0]
    for variant in variants(operator):
        assert "workspace" in [p.name for p in call_parameters(operator, variant)]
    size = workspace_of(operator)
    assert size is not None
    plan, _ = plan_kernel(spec, operator)
    assert plan is not None
    assert size.number == 2 * plan.cores * CHIP.l0c  # two tiles of sums a core, each as large as L0C holds at most


def test_a_product_that_is_only_stored_needs_no_workspace() -> None:
    for compute in ("c = a @ b", "c = relu(a @ b)"):
        operator = spec_of(compute, ["M", "K"], ["K", "N"], ["M", "N"]).operators[0]
        assert workspace_of(operator) is None


# ---- what the host is told ----


def test_the_sizes_of_a_call_come_as_the_matrices_have_them() -> None:
    dims = {name: {"default": 40, "dynamic": True} for name in ("M", "N", "K")}
    spec = spec_of("c = matmul(a, b, transpose_a=True)", ["K", "M"], ["K", "N"], ["M", "N"], dims=dims)
    operator = spec.operators[0]
    sizes = [p.name for p in call_parameters(operator, variants(operator)[0]) if p.role == "size"]
    assert sizes == ["k", "m", "n"]


# ---- tiles ----


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("batched", [False, True])
def test_the_script_chooses_as_the_planner_does(size: int, batched: bool) -> None:
    text = "\n".join(["import math", "L0, L0C = 32768, 131072", *chooser(batched, (1, 2, 4), True, {})])
    space: dict[str, Any] = {}
    exec(text, space)
    for m, n, k in [(1, 1, 1), (512, 512, 512), (72, 129, 136), (-1, 1024, 1024), (-1, -1, -1), (4096, 16, 300)]:
        for batch in (1, 5, -1) if batched else (1,):
            words = [*([batch] if batched else []), m, n, k, size, 24]
            tile = plan_tile(Shape(batch, m, n, k), size, 24, CHIP, choices(size))
            assert tile is not None
            assert Tile(*space["tile_of"](*words)) == tile, words


def test_tiles_fill_the_cores() -> None:
    """Of equal work they take the fewest rounds; what moves less is better where loads count."""
    half = choices(2)
    assert plan_tile(Shape(1, 512, 512, 512), 2, 24, CHIP, half) == Tile(128, 128, 64)
    assert plan_tile(Shape(1, 1024, 1024, 1024), 2, 24, CHIP, half) == Tile(176, 128, 64)  # 48 tiles on 24 cores
    wide = plan_tile(Shape(1, 1, 4096, 4096), 2, 24, CHIP, half)
    assert wide is not None
    assert wide.rows == 16


@pytest.mark.parametrize("size", [1, 2, 4])
def test_the_best_tile_is_the_best_of_all(size: int) -> None:
    shape, among = Shape(2, 300, 200, 100), choices(size)
    best = plan_tile(shape, size, 24, CHIP, among)
    assert best is not None
    tiles = [Tile(r, c, d) for r in among.rows for c in among.columns for d in among.depths]
    usable = [t for t in tiles if fits(t, size, CHIP) and t.rows < 300 + 16 and t.columns < 200 + 16]
    assert cycles(shape, best, size, 24, CHIP) == min(cycles(shape, t, size, 24, CHIP) for t in usable)
    assert plan_tile(shape, size, 24, CHIP, Choices((512,), (512,), (512,))) is None


def test_a_tile_of_op_yaml_is_kept() -> None:
    block = {"block": {"M": 64, "N": 128, "K": 64}}
    spec = spec_of("c = a @ b", ["M", "K"], ["K", "N"], ["M", "N"], tiling=block)
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    assert (plan.variants[0].rows, plan.variants[0].columns, plan.variants[0].depth) == (64, 128, 64)
    text = script(spec, spec.operators[0], plan)
    assert "TILE = (64, 128, 64)" in text
    assert "def tile_of" not in text


def test_what_a_tile_leaves_open_is_planned(tmp_path: Path) -> None:
    spec = spec_of("c = a @ b", ["M", "K"], ["K", "N"], ["M", "N"], tiling={"block": {"M": 32}})
    plan, _ = plan_kernel(spec, spec.operators[0])
    assert plan is not None
    assert plan.variants[0].rows == 32
    check(tmp_path, spec)


# ---- what there is no kernel for ----


def refused(compute: str, a: list[Any], b: list[Any], c: list[Any], **changes: Any) -> list[Finding]:
    spec = spec_of(compute, a, b, c, **changes)
    plan, findings = plan_kernel(spec, spec.operators[0])
    assert plan is None
    return list(findings)


def test_two_products_are_named_with_their_place() -> None:
    compute = "c = (a @ b) @ b"
    (finding,) = refused(compute, ["M", "K"], ["K", "K"], ["M", "K"], dims={k: DIMS[k] for k in ("M", "K")})
    assert (finding.rule, finding.pointer) == ("OPG309", "/compute")
    assert "two matrix products" in finding.what


def test_work_before_a_product_is_named() -> None:
    compute = "c = (a * 2) @ b"
    (finding,) = refused(compute, ["M", "K"], ["K", "N"], ["M", "N"])
    assert (finding.rule, finding.offset) == ("OPG309", compute.index("a * 2"))
    assert "kernel: " in finding.fix


def test_types_that_the_cube_core_has_not() -> None:
    types = [{"T": "int32", "U": "int32"}]
    outputs = [{"name": "c", "dtype": "U", "shape": ["M", "N"]}]
    (finding,) = refused("c = a @ b", ["M", "K"], ["K", "N"], [], dtypes=types, outputs=outputs)
    assert (finding.rule, finding.pointer) == ("OPG209", "/inputs/1/dtype")
    assert "int8 x int8 to int32" in finding.why


def test_both_sides_have_one_type() -> None:
    types = [{"T": "float16", "U": "bfloat16"}]
    inputs = [{"name": "a", "dtype": "T", "shape": ["M", "K"]}, {"name": "b", "dtype": "U", "shape": ["K", "N"]}]
    spec = accepted(
        scenario="online",
        dtypes=types,
        dims=DIMS,
        inputs=inputs,
        outputs=[{"name": "c", "dtype": "T", "shape": ["M", "N"]}],
        attrs=None,
        compute="c = a @ b",
    )
    plan, (finding,) = plan_kernel(spec, spec.operators[0])
    assert plan is None
    assert finding.what == "a matrix product of float16 and bfloat16"


@pytest.mark.parametrize(
    ("compute", "inputs", "outputs", "what"),
    [
        ("c = a @ b + sum(a @ b, axis=-1)", [], [], "two matrix products"),
        ("t = a @ b\nc = t - max(t, axis=-1)", [], [], "`max` beside a matrix product"),
        ("t = a @ b\nc = sum(t, axis=-1)", [], [{"name": "c", "dtype": "T", "shape": ["M"]}], "the shape of `c`"),
    ],
)
def test_what_the_vector_cores_have_no_way_for(
    compute: str, inputs: list[dict[str, Any]], outputs: list[dict[str, Any]], what: str
) -> None:
    more = {"outputs": outputs} if outputs else {}
    findings = refused(compute, ["M", "K"], ["K", "N"], ["M", "N"], inputs=inputs, **more)
    assert any(f.rule == "OPG309" and what in f.what for f in findings), [f.what for f in findings]


def test_a_matrix_for_all_products_cannot_stand_beside_them() -> None:
    mask = [{"name": "mask", "dtype": "T", "shape": ["M", "N"]}]
    sides = ["B", "M", "K"], ["B", "K", "N"], ["B", "M", "N"]
    (finding,) = refused("c = a @ b + mask", *sides, dims=B, inputs=mask)
    assert "the shape of `mask`" in finding.what


@pytest.mark.parametrize(
    ("tiling", "rule", "field"),
    [
        ({"block": 4096}, "OPG402", "block"),
        ({"block": {"M": 40}}, "OPG402", "block"),
        ({"block": {"M": 256, "N": 256, "K": 64}}, "OPG401", "block"),
        ({"block": {"M": 128, "N": 128, "K": 512}}, "OPG401", "block"),
        ({"buffers": 1}, "OPG402", "buffers"),
    ],
)
def test_tilings_that_do_not_fit(tiling: dict[str, Any], rule: str, field: str) -> None:
    (finding,) = refused("c = a @ b", ["M", "K"], ["K", "N"], ["M", "N"], tiling=tiling)
    assert (finding.rule, finding.pointer) == (rule, f"/tiling/{field}"), json.dumps(tiling)
    assert finding.fix
