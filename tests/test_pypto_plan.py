"""Plans of PyPTO operators: what the host hands over, how the work is divided, what is refused."""

from __future__ import annotations

import itertools
import struct
from typing import Any

import pytest
from conftest import gallery
from hypothesis import given, settings
from hypothesis import strategies as st
from opgen.facts.pypto import ALIGNMENT, MUTEX_IDS, UB_BYTES
from opgen.formula.sizes import Size, show
from opgen.kernel.pypto.launch import launch
from opgen.kernel.pypto.memory import Tile
from opgen.kernel.pypto.plan import KeyField, PyptoPlan, data_layout, pack
from opgen.spec.model import Operator
from pypto_kernels import PLAIN, gallery_operator, on_rows, planned, pypto, refused, unary
from spec_support import accepted

GENERATED = [name for name in gallery(pypto=True) if gallery_operator(name).kernel is None]
TWO = {"data": [{"name": "total", "value": "elements"}, {"name": "count", "value": "ceildiv(elements, block)"}]}
MODE: dict[str, Any] = {"name": "mode", "values": [0, 1], "value": "count > device_cores"}


def fields(plan: PyptoPlan) -> list[tuple[str, str, str]]:
    return [(f.name, f.type, show(f.value)) for f in plan.data]


def keys(plan: PyptoPlan) -> list[tuple[str, int, tuple[int, ...], str]]:
    return [(f.name, f.bits, f.values, show(f.value)) for f in plan.key]


# ---- fields ----


def test_without_tiling_the_planner_gives_sizes_attributes_and_tiles() -> None:
    plan = planned(pypto())
    assert fields(plan) == [
        ("elements", "int", "elements"),
        ("alpha", "float", "alpha"),
        ("tile_length", "int", "align(maximum(1, ceildiv(elements, 2 * device_cores * rounds)), 256)"),
        ("tiles", "int", "tiles"),
    ]
    assert keys(plan) == [("sch_mode", 1, (0,), "0")]
    assert plan.elements == Size.name("...")


def test_a_kernel_reads_the_fields_of_op_yaml_that_hold_what_it_needs() -> None:
    plan = planned(gallery_operator("scaled_add"))
    assert [f.name for f in plan.data] == ["total_length", "tile_num", "alpha"]
    assert dict(plan.held) == {"elements": "total_length", "tiles": "tile_num", "alpha": "alpha"}
    assert keys(plan) == [("sch_mode", 1, (0, 1), "tile_num > device_cores")]


@pytest.mark.parametrize("value", ["N", "elements", "N + 0", "2 * N - N"])
def test_a_quantity_is_known_by_its_value_not_by_how_it_is_written(value: str) -> None:
    n = {"N": {"default": 100, "dynamic": True}}
    tensors = [{"name": name, "dtype": "T", "shape": ["N"]} for name in "xyz"]
    tiling = {"data": [{"name": "many", "value": value}]}
    operator = pypto(attrs=None, dims=n, inputs=tensors[:2], outputs=tensors[2:], compute="z = x + y", tiling=tiling)
    assert dict(planned(operator).held)["elements"] == "many"


def test_what_no_field_provides_is_appended() -> None:
    plan = planned(pypto(tiling={"data": [{"name": "total", "value": "elements"}]}))
    assert [f.name for f in plan.data] == ["total", "alpha", "tiles"]


def test_types_of_fields_follow_from_their_values() -> None:
    data = [
        *TWO["data"],
        {"name": "twice", "value": "alpha * 2"},
        {"name": "many", "value": "count > 3"},
        {"name": "share", "value": "0.5 if many else 1"},
    ]
    operator = pypto(kernel="axpy_custom.py", tiling={"block": 1024, "data": data})
    assert [(f.name, f.type) for f in planned(operator).data] == [
        ("total", "int"),
        ("count", "int"),
        ("twice", "float"),
        ("many", "bool"),
        ("share", "float"),
    ]


def test_closed_attributes_and_optional_inputs_are_fields_of_the_key() -> None:
    attrs = [
        {"name": "mode", "type": "string", "values": ["add", "sub"], "default": "add"},
        {"name": "twice", "type": "bool", "default": True},
        {"name": "order", "type": "int", "values": [4, 2, 8], "default": 2},
        {"name": "shift", "type": "int", "values": [-1, 1], "default": 1},
    ]
    inputs = [
        {"name": "x", "dtype": "T", "shape": ["..."]},
        {"name": "y", "dtype": "T", "shape": ["..."], "default": 0.0},
    ]
    compute = 'w = x + y if mode == "add" else x - y\nz = (w * order if twice else w) + shift'
    plan = planned(pypto(attrs=attrs, inputs=inputs, compute=compute, dtypes={"T": ["float32"]}))
    assert keys(plan) == [
        ("mode", 1, (0, 1), "mode"),
        ("twice", 1, (0, 1), "twice"),
        ("order", 2, (4, 2, 8), "order"),
        ("shift", 1, (0, 1), "shift"),
        ("has_y", 1, (0, 1), "has_y"),
    ]
    assert [f.choices for f in plan.key] == [("add", "sub"), (), (), (-1, 1), ()]
    assert plan.combinations == 2 * 2 * 3 * 2 * 2


def test_everything_comes_behind_what_it_depends_on() -> None:
    plan = planned(gallery_operator("scaled_add"))
    order = list(plan.order)
    assert order.index("tile_num") < order.index("sch_mode")
    assert {"block", "tiles", "cores", "alpha", "total_length"} <= set(order)


def test_rows_are_the_product_of_the_leading_axes() -> None:
    plan = planned(gallery_operator("scale_shift"))
    assert plan.elements is not None and show(plan.elements) == "... * C"
    assert fields(plan)[:2] == [("rows", "int", "..."), ("columns", "int", "C")]
    assert show(plan.value("tiles")) == "ceildiv(..., tile_rows) if C > 0 else 0"


def test_a_mean_over_open_rows_is_divided_by_their_length_as_a_float() -> None:
    plan = planned(on_rows("y = mean(x, axis=-1)", "[R]"))
    assert ("columns_float", "float", "C") in fields(plan)
    fixed = planned(on_rows("y = mean(x, axis=-1)", "[R]", dims={"R": {"default": 3, "dynamic": True}, "C": 64}))
    assert [f.name for f in fixed.data] == ["rows", "tile_rows", "tiles"]


def test_a_hand_written_kernel_has_the_fields_that_op_yaml_gives() -> None:
    data = [{"name": "rows", "value": "N"}, {"name": "sizes", "value": ["N", "N * 2"]}]
    n = {"N": {"default": 8, "dynamic": True}}
    tensors = [{"name": name, "dtype": "T", "shape": ["N"]} for name in "xyz"]
    tiling = {"data": data, "cores": "minimum(device_cores, N)", "workspace": "cores * 32"}
    changes = {**PLAIN, "dims": n, "inputs": tensors[:2], "outputs": tensors[2:], "compute": "z = x + y"}
    plan = planned(pypto(**changes, kernel="axpy_custom.py", tiling=tiling))
    assert plan.schedule == "user" and plan.model is None
    assert [(f.name, len(f.items)) for f in plan.data] == [("rows", 0), ("sizes", 2)]
    told = launch(plan, {"N": 5, "device_cores": 32})
    assert (told.blocks, told.workspace) == (5, 160)
    assert struct.unpack("<3q", told.data) == (5, 5, 10)


def test_a_hand_written_kernel_without_data_gets_sizes_and_attributes() -> None:
    plan = planned(pypto(kernel="axpy_custom.py"))
    assert [f.name for f in plan.data] == ["elements", "alpha"]
    assert show(plan.cores) == "maximum(1, device_cores)"


# ---- launches ----


def test_what_the_host_hands_over() -> None:
    plan = planned(gallery_operator("scaled_add"))
    told = launch(plan, {"...": 8192 * 3 + 1, "alpha": 0.5, "device_cores": 3})
    assert struct.unpack("<qqf4x", told.data) == (24577, 4, 0.5)
    assert told.key == 1  # four tiles on three cores
    assert told.blocks == 3
    assert told.words == (24577, 4, 0x3F000000)


def test_nothing_to_do_needs_one_block() -> None:
    for name in ("scaled_add", "scale_shift"):
        told = launch(
            planned(gallery_operator(name)), {"...": 0, "C": 0, "alpha": 1.0, "has_shift": 1, "device_cores": 9}
        )
        assert told.blocks == 1
        assert told.values[dict(planned(gallery_operator(name)).held)["tiles"]] == 0


def test_a_value_that_is_no_candidate_fails() -> None:
    key = {"name": "size", "values": [1, 2], "value": "elements"}
    operator = pypto(kernel="axpy_custom.py", tiling={"key": [key]})
    with pytest.raises(ValueError, match="not in tuple"):
        launch(planned(operator), {"...": 3, "alpha": 1.0, "device_cores": 1})


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.sets(st.integers(0, 500), min_size=1, max_size=2)), min_size=1, max_size=6
    ),
    st.data(),
)
@settings(max_examples=200, deadline=None)
def test_a_packed_key_holds_the_index_of_each_value(items: list[tuple[int, set[int]]], data: st.DataObject) -> None:
    """The first field in the lowest bits: taken apart again, it gives the values back."""
    key = tuple(KeyField(f"k{n}", bits, tuple(sorted(values)), Size.const(0)) for n, (bits, values) in enumerate(items))
    chosen = tuple(data.draw(st.sampled_from(field.values)) for field in key)
    packed = pack(key, chosen)
    for field, value in zip(key, chosen, strict=True):
        assert field.values[packed & ((1 << field.bits) - 1)] == value
        packed >>= field.bits
    assert packed == 0


def test_fields_lie_where_c_puts_them() -> None:
    data = [
        {"name": "many", "value": "elements > 3"},
        {"name": "total", "value": "elements"},
        {"name": "factor", "value": "alpha"},
        {"name": "flags", "value": ["elements > 1", "elements > 2", "elements > 9"]},
    ]
    plan = planned(pypto(kernel="axpy_custom.py", tiling={"data": data}))
    places, size = data_layout(plan.data)
    assert [(p.field.name, p.offset) for p in places] == [("many", 0), ("total", 8), ("factor", 16), ("flags", 20)]
    assert size == 24


# ---- on chip ----


@pytest.mark.parametrize("name", GENERATED)
def test_tiles_lie_apart_in_the_unified_buffer(name: str) -> None:
    plan = planned(gallery_operator(name))
    assert plan.model is not None and plan.used <= UB_BYTES
    for kernel in plan.model.variants:
        for setting in plan.model.settings:
            spans = []
            for tile in kernel.layout.tiles:
                start = kernel.addresses[tile.name]
                one = tile.bytes(setting.rows, setting.columns)
                assert start % ALIGNMENT == 0 and one % ALIGNMENT == 0
                spans.append((start, start + one * (setting.slots if tile.ring else 1)))
            spans.sort()
            assert all(end <= start for (_, end), (start, _) in itertools.pairwise(spans)), (name, spans)
            assert spans[-1][1] <= plan.used


@pytest.mark.parametrize("name", GENERATED)
def test_every_slot_has_a_mutex_of_its_own(name: str) -> None:
    plan = planned(gallery_operator(name))
    assert plan.model is not None
    slots = max(s.slots for s in plan.model.settings)
    tiles: dict[str, Tile] = {t.name: t for k in plan.model.variants for t in k.layout.tiles}
    ids = [plan.model.mutexes[t.name] + n for t in tiles.values() for n in range(slots if t.ring else 1)]
    assert len(ids) == len(set(ids)) and set(ids) <= set(MUTEX_IDS)


@given(st.sampled_from(GENERATED), st.integers(0, 70000), st.integers(1, 5000), st.integers(1, 64), st.integers(1, 2))
@settings(max_examples=300, deadline=None)
def test_every_element_is_in_exactly_one_tile(name: str, count: int, columns: int, cores: int, subblocks: int) -> None:
    """As the kernel's loop divides tiles: worker w of blocks * subblocks takes w, w + workers, w + 2 * workers ..."""
    plan = _PLANS[name]
    known = {"...": count, "N": count, "M": 3, "R": count, "C": columns, "alpha": 1.0, "device_cores": cores}
    told = launch(plan, {**known, "reduction": 0, "has_shift": 1})
    tiles, workers = int(told.values[dict(plan.held)["tiles"]]), told.blocks * subblocks
    assert 1 <= told.blocks <= max(1, cores)
    assert sorted(i for w in range(workers) for i in range(w, tiles, workers)) == list(range(tiles))
    length = int(told.values[dict(plan.held).get("length", plan.blocks[0].name)])
    assert length <= int(told.values[plan.blocks[0].name])
    whole = int(told.values["elements" if plan.schedule == "elementwise" else dict(plan.held)["rows"]])
    assert sum(min(length, whole - i * length) for i in range(tiles)) == whole
    assert all(min(length, whole - i * length) > 0 for i in range(tiles))


@pytest.mark.parametrize(
    ("count", "cores", "length", "tiles"),
    [
        (65536, 32, 1024, 64),  # one tile for every vector core
        (600000, 32, 4864, 124),  # two rounds of 4864, where 8192 would leave 54 of 64 with half the work
        (100, 32, 256, 1),
        (8192 * 64, 32, 8192, 64),
        (8192 * 64 + 1, 32, 4352, 121),
        (0, 32, 256, 0),
    ],
)
def test_work_is_divided_evenly(count: int, cores: int, length: int, tiles: int) -> None:
    """Over two vector cores for each of the device's cores, in whole steps of 256 elements."""
    told = launch(_PLANS["gelu_pro"], {"...": count, "device_cores": cores})
    assert (told.values["tile_length"], told.values["tiles"]) == (length, tiles)


def test_a_block_of_op_yaml_is_the_length_of_a_tile() -> None:
    plan = planned(pypto(tiling={"block": 4096}))
    assert [f.name for f in plan.data] == ["elements", "alpha", "tiles"]
    assert show(plan.value("tiles")) == "ceildiv(elements, block)"


_PLANS = {name: planned(gallery_operator(name)) for name in GENERATED}


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8"])
def test_planned_tiles_are_as_large_as_a_copy_needs_them(dtype: str) -> None:
    """32 KiB of the widest type that is copied, where everything fits."""
    plan = planned(unary("y = x", dtypes={"T": [dtype]}))
    size = {"float16": 2, "float32": 4, "int8": 1}[dtype]
    assert plan.blocks[0].value.number == 32768 // size


def test_buffers_may_follow_the_key_and_addresses_stay() -> None:
    plan = planned(gallery_operator("scaled_add"))
    assert plan.model is not None
    assert [(s.keys, s.slots) for s in plan.model.settings] == [((("sch_mode", 0),), 1), ((("sch_mode", 1),), 2)]
    assert [(r.name, r.offset, r.bytes) for r in plan.rings] == [
        ("x_tile", 0, 65536),
        ("y_tile", 65536, 65536),
        ("z_tile", 131072, 65536),
        ("x_wide", 32768, 32768),
        ("y_wide", 98304, 32768),
    ]


def test_a_block_may_follow_the_key() -> None:
    tiling = {**TWO, "block": "8192 if mode else 1024", "key": [{**MODE, "value": "elements > 100000"}]}
    plan = planned(pypto(tiling=tiling))
    assert show(plan.value("block")) == "8192 if mode else 1024"
    small = launch(plan, {"...": 5000, "alpha": 1.0, "device_cores": 64})
    large = launch(plan, {"...": 500000, "alpha": 1.0, "device_cores": 64})
    assert (small.key, small.values["count"]) == (0, 5)
    assert (large.key, large.values["count"]) == (1, 62)


# ---- refusals ----


def said(operator: Operator) -> list[tuple[str, str, str]]:
    return [(f.rule, f.what, f.pointer) for f in refused(operator)]


def test_a_tile_that_is_no_whole_number_of_blocks() -> None:
    (finding,) = refused(pypto(tiling={"block": 1000}))
    assert (finding.rule, finding.pointer) == ("OPG402", "/tiling/block")
    assert finding.fix == "Write a multiple of 16, such as 1008."


def test_a_tile_that_does_not_fit() -> None:
    (finding,) = refused(pypto(tiling={"block": 65536}))
    assert finding.rule == "OPG401" and finding.what == "a tile of 65536 elements does not fit on chip"
    assert finding.fix == "Write at most 8192."
    assert "253952" in finding.why


def test_buffers_are_one_or_two() -> None:
    operator = pypto(tiling={**TWO, "buffers": "4 if mode else 1", "key": [MODE]})
    assert said(operator) == [("OPG402", "`buffers` is 4", "/tiling/buffers")]


def test_blocks_have_the_form_of_the_schedule() -> None:
    n = {"N": {"default": 100, "dynamic": True}}
    tensors = [{"name": name, "dtype": "T", "shape": ["N"]} for name in "xyz"]
    flat = pypto(attrs=None, dims=n, inputs=tensors[:2], outputs=tensors[2:], compute="z = x + y",
                 tiling={"block": {"N": 64}})  # fmt: skip
    assert said(flat) == [("OPG402", "`block` gives sizes along dims", "/tiling/block")]
    rows = on_rows("y = sum(x, axis=-1)", "[R]", tiling={"block": 64})
    assert said(rows) == [("OPG402", "`block` is one number", "/tiling/block")]


def test_rows_of_a_tile_are_whole_blocks_of_their_values() -> None:
    rows = on_rows("y = sum(x, axis=-1)", "[R]", dtypes={"T": ["float16"]}, tiling={"block": {"R": 8, "C": 512}})
    assert said(rows) == [("OPG402", "a tile of 8 rows", "/tiling/block/R")]
    given = planned(on_rows("y = sum(x, axis=-1)", "[R]", tiling={"block": {"R": 32, "C": 128}}))
    assert [b.value.number for b in given.blocks] == [32, 128]


def test_a_field_that_nothing_reads() -> None:
    operator = pypto(tiling={"data": [{"name": "unused", "value": "elements * 3"}]})
    assert said(operator) == [("OPG804", "the field `unused` is never read", "/tiling/data/0")]


def test_a_field_that_only_the_host_reads() -> None:
    data = [{"name": "big", "value": "elements * 2"}, *TWO["data"]]
    key = {"name": "mode", "values": [0, 1], "value": "big > device_cores"}
    operator = pypto(tiling={"data": data, "key": [key], "buffers": "2 if mode else 1"})
    (finding,) = refused(operator)
    assert (finding.rule, finding.pointer) == ("OPG804", "/tiling/data/0")
    assert finding.fix == "Write `elements * 2` where its name stands, and remove it."


@pytest.mark.parametrize(
    ("compute", "what"),
    [
        ("y = sin(x)", "no schedule: `sin`"),
        ("y = x ** 2.5", "no schedule: a power whose exponent is not a whole number from -64 to 64, 0.5 or -0.5"),
    ],
)
def test_what_the_documented_operations_do_not_give(compute: str, what: str) -> None:
    (finding,) = refused(unary(compute))
    assert (finding.rule, finding.what, finding.pointer) == ("OPG309", what, "/compute")
    assert "kernel: axpy_custom.py" in finding.fix


def test_the_nearest_thing_that_works_is_named() -> None:
    assert refused(unary("y = x ** 2.5"))[0].fix.startswith("For a positive base, write `a ** b` as `exp(b * log(a))`.")
    assert "`kernel: axpy_custom.py`" in refused(on_rows("y = argmax(x, axis=-1)", "[R]"))[0].fix


@pytest.mark.parametrize(
    ("compute", "shape"),
    [("y = x[..., 1:] - x[..., : C - 1]", "[R, C - 1]"), ("y = exp(x)[..., 3:7]", "[R, 4]")],
)
def test_rows_are_cut_at_multiples_of_one_length(compute: str, shape: str) -> None:
    (finding,) = refused(on_rows(compute, shape))
    assert (finding.rule, finding.pointer) == ("OPG309", "/compute")
    assert finding.what == "no schedule: rows that are not all multiples of `C`"
    assert "kernel: axpy_custom.py" in finding.fix


@pytest.mark.parametrize(
    ("shapes", "what", "fix"),
    [
        (("[C]", "[1]"), "no schedule: one row", "Put leading axes before it, of which there may be none: `[..., C]`."),
        (("[B, R, C]", "[R, C]"), "no schedule: broadcasting along leading axes", "Write the kernel by hand"),
    ],
)
def test_shapes_that_are_not_planned_are_not_laid_on_the_language(shapes: tuple[str, str], what: str, fix: str) -> None:
    first, second = (shape.strip("[]").split(", ") for shape in shapes)
    alone = len(first) == 1
    dims = {name: {"default": 8, "dynamic": True} for name in first}
    x = {"name": "x", "dtype": "float32", "shape": first}
    y = {"name": "y", "dtype": "float32", "shape": [int(a) if a.isdigit() else a for a in second]}
    z = {"name": "z", "dtype": "float32", "shape": first}
    operator = pypto(
        attrs=None,
        dtypes=None,
        dims=dims,
        inputs=[x] if alone else [x, y],
        outputs=[y] if alone else [z],
        compute="y = sum(x, axis=-1)" if alone else "z = x + y",
    )
    (finding,) = refused(operator)
    assert (finding.rule, finding.what) == ("OPG309", what)
    assert finding.why.startswith("opgen plans PyPTO kernels for ")
    assert finding.fix.startswith(fix)


def test_types_without_casts() -> None:
    tensors = [{"name": name, "dtype": "uint16", "shape": ["..."]} for name in "xyz"]
    operator = pypto(attrs=None, dtypes=None, inputs=tensors[:2], outputs=tensors[2:], compute="z = x + y")
    assert said(operator)[0] == ("OPG309", "no schedule: uint16 in `x`", "/inputs/0/dtype")


def test_tensors_that_are_called_like_the_language() -> None:
    spec = accepted(
        scenario="pypto",
        attrs=None,
        inputs=[{"name": "pl", "dtype": "T", "shape": ["..."]}],
        outputs=[{"name": "y", "dtype": "T", "shape": ["..."]}],
        compute="y = exp(pl)",
    )
    (finding,) = refused(spec.operators[0])
    assert (finding.rule, finding.pointer) == ("OPG103", "/inputs/0/name")


def test_too_many_buffers() -> None:
    names = [f"a{n}" for n in range(20)]
    inputs = [{"name": name, "dtype": "float32", "shape": ["..."]} for name in names]
    outputs = [{"name": "z", "dtype": "float32", "shape": ["..."]}]
    operator = pypto(attrs=None, dtypes=None, inputs=inputs, outputs=outputs, compute="z = " + " + ".join(names))
    (finding,) = refused(operator)
    assert (finding.rule, finding.what) == ("OPG401", "the kernel needs too many tiles")
    one = pypto(attrs=None, dtypes=None, inputs=inputs, outputs=outputs, compute="z = " + " + ".join(names),
                tiling={"buffers": 1})  # fmt: skip
    assert planned(one).model is not None
