"""The stand-in for pypto_pro.language computes what the chip computes, and says what breaks its rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opgen.dialect.numbers import to_bfloat16
from opgen.dialect.pypto.requests import Argument, Request
from pypto_kernel_support import check_text_of, kernel_text, output, request, ring, rules, shown

F32, F16, I32 = "pl.DT_FP32", "pl.DT_FP16", "pl.DT_INT32"
ROWS = (4, 64)


def tiles(dtype: str = F32, shape: Any = ROWS, out: str = "") -> str:
    """Rings a and b of one type, and c of another if it has one."""
    return (
        ring("a", shape, dtype, 0x0000, 0)
        + ring("b", shape, dtype, 0x4000, 1)
        + ring("c", shape, out or dtype, 0x8000, 2)
    )


def loaded(dtype: str = F32, shape: Any = ROWS, out: str = "") -> str:
    return tiles(dtype, shape, out) + "pl.load(a, x_view, [0, 0])\n"


STORE = "pl.store(y_view, c, [0, 0])\n"


def numbers(seed: int = 1, shape: Any = ROWS) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


# ---- arithmetic ----


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("pl.add(c, a, a)", lambda x: x + x),
        ("pl.sub(c, a, 1.5)", lambda x: x - np.float32(1.5)),
        ("pl.mul(c, a, a)", lambda x: x * x),
        ("pl.div(c, a, 3.0)", lambda x: x / np.float32(3)),
        ("pl.maximum(c, a, 0.25)", lambda x: np.maximum(x, np.float32(0.25))),
        ("pl.minimum(c, a, a)", lambda x: x),
        ("pl.neg(c, a)", lambda x: -x),
        ("pl.abs(c, a)", np.abs),
        ("pl.relu(c, a)", lambda x: np.maximum(x, 0)),
        ("pl.exp(c, a)", np.exp),
        ("pl.abs(c, a)\npl.sqrt(c, c)", lambda x: np.sqrt(np.abs(x))),
        ("pl.recip(c, a)", lambda x: 1 / x),
        ("pl.expands(c, 2.5)", lambda x: np.full_like(x, 2.5)),
        ("pl.expands(c, 1.0)\npl.axpy(c, a, 2.0)", lambda x: 1 + 2 * x),
        ("pl.expands(c, 2.0)\npl.fused_mul_add(c, a, a)", lambda x: 2 * x + x),
        ("pl.expands(c, 2.0)\npl.mul_add_dst(c, a, a)", lambda x: 2 + x * x),
    ],
)
def test_floats(call: str, expected: Any, tmp_path: Path) -> None:
    x = numbers()
    y = output(tmp_path, loaded() + call + "\n" + STORE, request(4, 64, x=x))
    np.testing.assert_allclose(y.reshape(ROWS), expected(x), rtol=1e-6)


def test_halves_are_rounded_once_an_operation(tmp_path: Path) -> None:
    x = numbers()
    y = output(tmp_path, loaded(F16) + "pl.mul(c, a, a)\npl.add(c, c, a)\n" + STORE, request(4, 64, "float16", x=x))
    half = x.astype(np.float16)
    np.testing.assert_array_equal(y.reshape(ROWS), half * half + half)
    bf16 = "pl.DT_BF16"
    y = output(tmp_path, loaded(bf16) + "pl.add(c, a, 1.0)\n" + STORE, request(4, 64, "bfloat16", x=x))
    np.testing.assert_array_equal(y.reshape(ROWS), to_bfloat16(to_bfloat16(x) + np.float32(1)))


def test_integers_wrap_and_divide_toward_zero(tmp_path: Path) -> None:
    x = np.resize(np.array([-7, 7, 2**31 - 1, -(2**31)]), 256)
    wanted = request(4, 64, "int32", x=x)
    y = output(tmp_path, loaded(I32) + "pl.add(c, a, 1)\n" + STORE, wanted)
    assert y[:4].tolist() == [-6, 8, -(2**31), -(2**31) + 1]
    y = output(tmp_path, loaded(I32) + "pl.div(c, a, 2)\n" + STORE, wanted)
    assert y[:4].tolist() == [-3, 3, 2**30 - 1, -(2**30)]
    y = output(tmp_path, loaded(I32) + "pl.and_(c, a, 5)\npl.shl(c, c, c)\n" + STORE, request(4, 64, "int32"))
    assert y[:3].tolist() == [0, 2, 64]  # of 2, 3, 4


@pytest.mark.parametrize(
    ("mode", "into", "values", "expected"),
    [
        ("CAST_RINT", "int32", [0.5, 1.5, -2.5, 2.7], [0, 2, -2, 3]),
        ("CAST_ROUND", "int32", [0.5, 1.5, -2.5, 2.7], [1, 2, -3, 3]),
        ("CAST_FLOOR", "int32", [0.5, -1.5, -2.5, 2.7], [0, -2, -3, 2]),
        ("CAST_CEIL", "int32", [0.5, -1.5, -2.5, 2.7], [1, -1, -2, 3]),
        ("CAST_TRUNC", "int32", [0.5, -1.5, -2.5, 3e9], [0, -1, -2, 2**31 - 1]),
        ("CAST_RINT", "float16", [1 + 2**-11, 1 + 3 * 2**-11, 1e6, -1.0], [1, 1 + 2**-9, np.inf, -1]),
        ("CAST_ROUND", "float16", [1 + 2**-11, 1.0, 2.0, -1.0], [1 + 2**-10, 1, 2, -1]),
        ("CAST_ODD", "float16", [1 + 2**-12, 1.0, 2.0, -1.0], [1 + 2**-10, 1, 2, -1]),
        ("CAST_RINT", "bfloat16", [1 + 2**-8, 1 + 3 * 2**-8, 2.0, -1.0], [1, 1 + 2**-6, 2, -1]),
    ],
)
def test_casts(mode: str, into: str, values: Any, expected: Any, tmp_path: Path) -> None:
    from opgen.facts.pypto import NAMES

    body = loaded(F32, ROWS, f"pl.{NAMES[into]}") + f"pl.cast(c, a, mode=pl.RoundMode.{mode})\n" + STORE
    y = output(tmp_path, body, request(4, 64, "float32", into, x=np.resize(np.float32(values), 256)))
    assert y[:4].tolist() == expected


# ---- masks ----


@pytest.mark.parametrize("columns", [64, 61, 5])
def test_a_mask_chooses_in_every_row_and_column(columns: int, tmp_path: Path) -> None:
    x = numbers(3, (4, columns))
    body = (
        tiles()
        + ring("mask", ROWS, "pl.DT_UINT8", 0xC000, 3)
        + "".join(f"pl.set_validshape({tile}, [4, {columns}])\n" for tile in "abc")
        + "pl.load(a, x_view, [0, 0])\npl.neg(b, a)\npl.gt(mask, a, 0.0)\npl.select(c, mask, a, b, b)\n"
        + STORE
    )
    y = output(tmp_path, body, request(4, columns, x=x))
    np.testing.assert_array_equal(y.reshape(4, columns), np.abs(x))


def test_a_mask_is_made_by_a_comparison_alone(tmp_path: Path) -> None:
    body = loaded() + ring("mask", ROWS, "pl.DT_UINT8", 0xC000, 3)
    zeros = body + "pl.expands(mask, 1)\npl.select(c, mask, a, a, a)\n" + STORE
    assert "OPG837" in rules(check_text_of(tmp_path, kernel_text(zeros), [request(4, 64)]))
    stored = body + "pl.lt(mask, a, 0.0)\npl.store(y_view, mask, [0, 0])\n"
    report = check_text_of(tmp_path, kernel_text(stored), [request(4, 64, "float32", "uint8")])
    assert any("holds the bits of a comparison" in line for line in shown(report))
    wrong = loaded() + ring("mask", (4, 32), "pl.DT_UINT8", 0xC000, 3) + "pl.lt(mask, a, 0.0)\n" + STORE
    report = check_text_of(tmp_path, kernel_text(wrong), [request(4, 64)])
    assert any("mask of shape [4, 32]" in line for line in shown(report))


# ---- reductions ----


LINE = ring("r", (1, 64), F32, 0xC000, 3)


@pytest.mark.parametrize(("name", "function"), [("sum", np.sum), ("maximum", np.max), ("minimum", np.min)])
def test_reductions(name: str, function: Any, tmp_path: Path) -> None:
    rows = tiles(F32, (8, 64)) + ring("r", (8, 1), F32, 0xC000, 3, layout="pl.DN")
    body = (
        rows
        + "pl.set_validshape(a, [5, 60])\npl.set_validshape(r, [5, 1])\npl.load(a, x_view, [0, 0])\n"
        + f"pl.{name}(r, a, b, dim=0)\npl.store(pl.make_tensor(y, [5, 1], dtype=y_type), r, [0, 0])\n"
    )
    x = numbers(5, (5, 60))
    y = output(tmp_path, body, request(5, 60, x=x, y_size=5))
    np.testing.assert_allclose(y, function(x, axis=1), rtol=1e-5)
    body = loaded() + LINE + f"pl.{name}(r, a, b, dim=1)\npl.store(y_view, r, [0, 0])\n"
    x = numbers(6)
    report = check_text_of(tmp_path, kernel_text(body), [request(4, 64, x=x)])
    assert {finding.rule for finding in report.findings} == {"OPG840"}  # one row of four
    np.testing.assert_allclose(report.kernels[0].outputs["y"][:64], function(x, axis=0), rtol=1e-5)


def test_what_a_reduction_leaves_is_spread_over_rows(tmp_path: Path) -> None:
    x = numbers(7, (8, 64))
    body = (
        tiles(F32, (8, 64))
        + ring("r", (8, 1), F32, 0xC000, 3, layout="pl.DN")
        + ring("line", (1, 8), F32, 0xC000, 3)
        + "pl.load(a, x_view, [0, 0])\npl.sum(r, a, b, dim=0)\npl.mul(line, line, 0.5)\npl.expand_sub(c, a, r)\n"
        + STORE
    )
    y = output(tmp_path, body, request(8, 64, x=x))
    np.testing.assert_allclose(y.reshape(8, 64), x - x.sum(axis=1, keepdims=True) / 2, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (loaded() + ring("r", (4, 1), F32, 0xC000, 3), "has 4 bytes"),
        (loaded() + ring("r", (8, 1), F32, 0xC000, 3, layout="pl.DN") + "pl.sum(r, a, b)\n", "of shape [4, 64] into r"),
        (tiles(F32, (8, 64)) + "pl.load(a, x_view, [0, 0])\n" + ring("r", (8, 1), F32, 0xC000, 3, layout="pl.DN")
         + "pl.sum(r, a, b)\npl.mul(r, r, 2.0)\n", "pl.mul of r_ring, whose layout is pl.DN"),
        (loaded("pl.DT_BF16") + ring("r", (16, 1), "pl.DT_BF16", 0xC000, 3, layout="pl.DN") + "pl.sum(r, a, b)\n",
         "pl.sum with dim=0 of pl.DT_BF16"),
        (tiles(F32, (8, 64)) + "pl.load(a, x_view, [0, 0])\n" + ring("r", (8, 1), F32, 0xC000, 3, layout="pl.DN")
         + ring("t", (8, 32), F32, 0xD000, 4) + "pl.maximum(r, a, t, dim=0)\n", "with the scratch tile t_ring"),
        (tiles(F32, (8, 64)) + "pl.load(a, x_view, [0, 0])\n" + ring("r", (8, 1), F32, 0xC000, 3, layout="pl.DN")
         + "pl.maximum(r, a, a, dim=0)\n", "as an operand and its bytes as scratch memory too"),
    ],
)  # fmt: skip
def test_reductions_that_do_not_fit(body: str, said: str, tmp_path: Path) -> None:
    dtype = "bfloat16" if "BF16" in body else "float32"
    rows = 8 if "(8, 64)" in body or "[8, 64]" in body else 4
    report = check_text_of(tmp_path, kernel_text(body), [request(rows, 64, dtype)])
    assert any(said in line for line in shown(report)), shown(report)


def test_positions_of_extremes(tmp_path: Path) -> None:
    x = numbers(8, (8, 64))
    body = (
        tiles(F32, (8, 64))
        + ring("r", (8, 1), I32, 0xC000, 3, layout="pl.DN")
        + "pl.load(a, x_view, [0, 0])\npl.argmax(r, a, b)\n"
        + "pl.store(pl.make_tensor(y, [8, 1], dtype=y_type), r, [0, 0])\n"
    )
    y = output(tmp_path, body, request(8, 64, "float32", "int32", x=x, y_size=8))
    np.testing.assert_array_equal(y, x.argmax(axis=1))


def test_padding(tmp_path: Path) -> None:
    x = numbers(9, (4, 60))
    body = (
        ring("a", ROWS, F32, 0, 0)
        + ring("c", ROWS, F32, 0x8000, 2, pad="pl.TilePad.min")
        + "pl.set_validshape(a, [3, 60])\npl.load(a, x_view, [0, 0])\npl.fillpad(c, a)\n"
        + "pl.store(pl.make_tensor(y, [4, 64], dtype=y_type), c, [0, 0])\n"
    )
    y = output(tmp_path, body, request(4, 60, x=x, y_size=256)).reshape(4, 64)
    np.testing.assert_array_equal(y[:3, :60], x[:3])
    assert np.isneginf(y[:, 60:]).all() and np.isneginf(y[3]).all()


# ---- copies ----


def test_a_view_of_three_axes_gives_the_two_that_order_names(tmp_path: Path) -> None:
    x = numbers(10, (2, 3, 64))
    body = (
        ring("c", (2, 64), F32, 0, 0)
        + "deep = pl.make_tensor(x, [2, 3, 64], dtype=x_type)\npl.load(c, deep, [0, 1, 0], order=[0, 2])\n"
        + "pl.store(pl.make_tensor(y, [2, 64], dtype=y_type), c, [0, 0])\n"
    )
    y = output(tmp_path, body, request(6, 64, x=x, y_size=128))
    np.testing.assert_array_equal(y.reshape(2, 64), x[:, 1])


def test_offsets_in_tiles(tmp_path: Path) -> None:
    x = numbers(11, (8, 64))
    body = (
        ring("c", ROWS, F32, 0, 0)
        + "for i in pl.range(2):\n    pl.load_tile(c, x_view, [1 - i, 0])\n    "
        + ("pl.store_tile(y_view, c, [i, 0])\n")
    )
    y = output(tmp_path, body, request(8, 64, x=x))
    np.testing.assert_array_equal(y.reshape(8, 64), np.concatenate([x[4:], x[:4]]))


def test_parts_of_a_tile(tmp_path: Path) -> None:
    x = numbers(16)
    halves = (
        tiles()
        + "left, right = a[0:4, 0:32], a[0:4, 32:]\npl.load(left, x_view, [0, 32])\npl.load(right, x_view, [0, 0])\n"
        + "pl.set_validshape(right, [4, 8])\npl.neg(right, right)\npl.add(c, a, 0.0)\n"
        + STORE
    )
    y = output(tmp_path, halves, request(4, 64, x=x)).reshape(ROWS)
    np.testing.assert_array_equal(y[:, :32], x[:, 32:])
    np.testing.assert_array_equal(y[:, 32:40], -x[:, :8])
    np.testing.assert_array_equal(y[:, 40:], x[:, 8:32])
    again = halves.replace("pl.load(right, x_view, [0, 0])", "pl.load(left, x_view, [0, 0])")
    assert {"OPG837", "OPG838"} <= rules(check_text_of(tmp_path, kernel_text(again), [request(4, 64)]))
    odd = check_text_of(tmp_path, kernel_text(tiles() + "pl.load(a[0:4, 1:33], x_view, [0, 0])\n"), [request(4, 64)])
    assert any("a part of a_ring begins at 0x4" in line for line in shown(odd))
    outside = check_text_of(tmp_path, kernel_text(tiles() + "b = a[0:5, 0:64]\n"), [request(4, 64)])
    assert any("is sliced from 0 to 5" in line for line in shown(outside))


def test_functions_of_registers_are_another_language(tmp_path: Path) -> None:
    text = kernel_text(loaded() + "scaled(c, a)\n" + STORE)
    function = "@pl.vector_function\ndef scaled(out, src):\n    vf.store(out, vf.load(src, 0))\n\n\n@pl.jit("
    report = check_text_of(tmp_path, text.replace("@pl.jit(", function, 1), [request(4, 64)])
    assert [f.rule for f in report.findings] == ["OPG842"]
    assert "the vector function scaled" in report.findings[0].what


def test_atomic_sums_of_all_workers_are_no_race(tmp_path: Path) -> None:
    body = loaded() + "pl.store(y_view, a, [0, 0], atomic=pl.AtomicType.AtomicAdd)\n"
    report = check_text_of(tmp_path, kernel_text(body), [request(4, 64, blocks=3)])
    assert rules(report) <= {"OPG837"}


def test_a_store_and_a_load_of_the_same_elements_meet_in_one_tile_or_by_a_flag(tmp_path: Path) -> None:
    through = "ws = pl.make_tensor(pl.make_ptr(workspace, dtype=pl.DT_FP32), [4, 64])\n"
    flag = "set_pipe=pl.PipeType.MTE3, wait_pipe=pl.PipeType.MTE2, event_id=0"
    for between, found in (
        ("pl.store(ws, a, [0, 0])\npl.load(c, ws, [0, 0])\n", {"OPG838"}),
        ("pl.store(ws, a, [0, 0])\npl.load(a, ws, [0, 0])\npl.add(c, a, 0.0)\n", set()),
        (f"pl.store(ws, a, [0, 0])\npl.system.sync_src({flag})\npl.system.sync_dst({flag})\npl.load(c, ws, [0, 0])\n",
         set()),
        ("pl.store(ws, a, [0, 0])\npl.system.bar_all()\npl.load(c, ws, [0, 0])\n", set()),
    ):  # fmt: skip
        report = check_text_of(tmp_path, kernel_text(loaded() + through + between + STORE),
                               [request(4, 64, workspace=1024)])  # fmt: skip
        assert rules(report) == found, shown(report)


def test_workspace_for_every_worker(tmp_path: Path) -> None:
    body = (
        loaded()
        + "part = pl.addptr(pl.make_ptr(workspace, dtype=pl.DT_FP32), pl.get_block_idx() * 256)\n"
        + "ws = pl.make_tensor(part, [4, 64], [64, 1])\npl.store(ws, a, [0, 0])\n"
    )
    enough = check_text_of(tmp_path, kernel_text(body), [request(4, 64, blocks=2, subblocks=2, workspace=4096)])
    assert rules(enough) == {"OPG840"}  # y is not written
    short = check_text_of(tmp_path, kernel_text(body), [request(4, 64, blocks=2, subblocks=2, workspace=2048)])
    assert any(line.startswith("OPG836") and "workspace" in line for line in shown(short))
    shared = kernel_text(body.replace("pl.get_block_idx() * 256", "0"))
    assert "OPG839" in rules(check_text_of(tmp_path, shared, [request(4, 64, blocks=2, workspace=4096)]))


# ---- workers that meet ----


MEETING = """\
part = pl.make_tensor(pl.make_ptr(workspace, dtype=pl.DT_FP32), [pl.get_block_num(), 64])
a_ring = pl.make_tile_group(type=pl.TileType(shape=[1, 64], dtype=pl.DT_FP32), addrs=0, mutex_ids=[0])
a = a_ring.current()
pl.load(a, x_view, [pl.get_block_idx(), 0])
pl.store(part, a, [pl.get_block_idx(), 0])
MEET
pl.load(a, part, [pl.get_block_num() - 1 - pl.get_block_idx(), 0])
pl.store(y_view, a, [pl.get_block_idx(), 0])
"""


def test_all_workers_meet(tmp_path: Path) -> None:
    x = numbers(12)
    meet = "pl.system.sync_all(core_type=pl.SyncCoreType.AIV_ONLY)"
    wanted = request(4, 64, x=x, blocks=4, workspace=1024)
    y = output(tmp_path, MEETING.replace("MEET", meet), wanted)
    np.testing.assert_array_equal(y.reshape(ROWS), x[::-1])
    apart = check_text_of(tmp_path, kernel_text(MEETING.replace("MEET", "")), [wanted])
    assert {"OPG839"} <= rules(apart) | {"OPG837"}
    cubes = check_text_of(tmp_path, kernel_text(MEETING.replace("MEET", "pl.system.sync_all()")), [wanted])
    assert any("waits for cube cores" in line for line in shown(cubes))
    some = f"if pl.get_block_idx() > 0:\n    {meet}"
    alone = check_text_of(tmp_path, kernel_text(MEETING.replace("MEET", some)), [wanted])
    assert any("not all workers come to this" in line for line in shown(alone))


# ---- pipes without mutexes ----


def _flags(source: str, target: str, event: int) -> str:
    words = f"set_pipe=pl.PipeType.{source}, wait_pipe=pl.PipeType.{target}, event_id={event}"
    return f"pl.system.sync_src({words})\npl.system.sync_dst({words})\n"


def test_flags_order_pipes_where_no_mutex_does(tmp_path: Path) -> None:
    plain = "a = pl.make_tile(pl.TileType(shape=[4, 64], dtype=pl.DT_FP32), addr=0)\n"
    plain += "c = pl.make_tile(pl.TileType(shape=[4, 64], dtype=pl.DT_FP32), addr=0x400)\n"
    load, add, store = "pl.load(a, x_view, [0, 0])\n", "pl.add(c, a, a)\n", STORE
    whole = plain + load + _flags("MTE2", "V", 0) + add + _flags("V", "MTE3", 1) + store
    x = numbers(13)
    y = output(tmp_path, whole, request(4, 64, x=x), auto=False)
    np.testing.assert_array_equal(y.reshape(ROWS), x + x)
    for missing in (_flags("MTE2", "V", 0), _flags("V", "MTE3", 1)):
        report = check_text_of(tmp_path, kernel_text(whole.replace(missing, ""), False), [request(4, 64)])
        assert rules(report) == {"OPG838"}, shown(report)
    half = whole.replace("pl.system.sync_dst(set_pipe=pl.PipeType.V", "# ")
    report = check_text_of(tmp_path, kernel_text(half, False), [request(4, 64)])
    assert any("is set and never waited for" in line for line in shown(report))


def test_mutexes_by_hand(tmp_path: Path) -> None:
    lock = "pl.system.mutex_lock(pipe=pl.PipeType.{}, mutex_id={})\n"
    free = lock.replace("mutex_lock", "mutex_unlock")
    body = (
        tiles()
        + lock.format("MTE2", 0) + "pl.load(a, x_view, [0, 0])\n" + free.format("MTE2", 0)
        + lock.format("V", 0) + lock.format("V", 2) + "pl.add(c, a, a)\n" + free.format("V", 0) + free.format("V", 2)
        + lock.format("MTE3", 2) + STORE + free.format("MTE3", 2)
    )  # fmt: skip
    assert output(tmp_path, body, request(4, 64), auto=False).size == 256


# ---- single elements ----


def test_elements_of_tiles_and_views(tmp_path: Path) -> None:
    x = numbers(14)
    body = loaded() + "last = a[3, 63]\npl.add(c, a, last)\nc[0, 0] = x_view[1, 2]\n" + STORE
    y = output(tmp_path, body, request(4, 64, x=x)).reshape(ROWS)
    expected = x + x[3, 63]
    expected[0, 0] = x[1, 2]
    np.testing.assert_array_equal(y, expected)
    report = check_text_of(tmp_path, kernel_text(loaded() + "last = a[4, 0]\n"), [request(4, 64)])
    assert any("an element access leaves a" in line for line in shown(report))


def test_what_the_checker_does_not_carry_out_is_said(tmp_path: Path) -> None:
    report = check_text_of(tmp_path, kernel_text(loaded() + "pl.transpose(c, a)\n" + STORE), [request(4, 64)])
    assert [f.rule for f in report.findings] == ["OPG842"] and not report.kernels[0].complete


# ---- launches ----


def test_an_optional_input_that_is_not_there(tmp_path: Path) -> None:
    body = loaded() + "if gamma is None:\n    pl.add(c, a, 1.0)\nelse:\n    pl.add(c, a, 2.0)\n" + STORE
    text = kernel_text(body).replace("    x: pl.Ptr", "    gamma: pl.Ptr[pl.DT_UINT8],\n    x: pl.Ptr")
    wanted = request(4, 64)
    both = [Argument("gamma", "input", "float32", absent=True), Argument("gamma", "input", "float32", np.ones(4))]
    requests = [
        Request(wanted.tiling, wanted.key, wanted.datatypes, (gamma, *wanted.arguments), workspace=0) for gamma in both
    ]
    report = check_text_of(tmp_path, text, requests)
    assert shown(report) == []
    first, second = (kernel.outputs["y"] for kernel in report.kernels)
    np.testing.assert_array_equal(second - first, 1.0)


def test_an_output_in_place_is_its_input(tmp_path: Path) -> None:
    values = numbers(15)
    arguments = (
        Argument("x", "both", "float32", values),
        Argument("y", "both", "float32", same_as="x"),
    )
    wanted = request(4, 64)
    again = Request(wanted.tiling, wanted.key, wanted.datatypes, arguments, 2, 1, 0)
    once = Request(wanted.tiling, wanted.key, wanted.datatypes, arguments, 1, 1, 0)
    body = kernel_text(loaded() + "pl.add(c, a, 1.0)\n" + STORE)
    report = check_text_of(tmp_path, body, [once])
    assert shown(report) == []
    np.testing.assert_array_equal(report.kernels[0].outputs["y"], (values + 1).ravel())
    assert "OPG839" in rules(check_text_of(tmp_path, body, [again]))


def test_a_kernel_that_only_translates_with_wide_integers(tmp_path: Path) -> None:
    body = loaded("x_type") + "limit = pl.max(a[0, 0], 0)\npl.add(c, a, limit)\n" + STORE
    report = check_text_of(tmp_path, kernel_text(body), [request(4, 64, "int32")])
    assert [(f.rule, f.severity) for f in report.findings] == [("OPG844", "warning")]
    assert "pl.max of" in report.findings[0].what
