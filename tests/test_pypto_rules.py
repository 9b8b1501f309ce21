"""Pages of the rules about PyPTO kernels: what they call wrong is found, and what they call right is not."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from opgen.dialect import Report
from opgen.dialect.pypto.check import check_here
from opgen.dialect.pypto.requests import Argument, Request
from opgen.spec.pypto_kernel_rules import PYPTO_KERNEL_RULES
from pypto_kernel_support import KERNELS, replaced, rules, scaled_add, shown

PAGES = {rule.id: rule for rule in PYPTO_KERNEL_RULES}
TEXT = (KERNELS / "scaled_add.py").read_text(encoding="utf-8")

LAUNCH = """\
from dataclasses import dataclass

import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField


@dataclass
class Tiling:
    n: int
    tile_num: int
    block: int


class Key:
    mode = TilingKeyField(bits=1, values=[0])


@pl.jit(arch="a5", tiling_key=Key, datatype={"x": "x_type"})
def kernel(
    x: pl.Ptr[pl.DT_UINT8],
    y: pl.Ptr[pl.DT_UINT8],
    z: pl.Ptr[pl.DT_UINT8],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: Tiling,
):
    size = tiling.n + tiling.tile_num + tiling.block
    x_view = pl.make_tensor(x, [1, tiling.n], dtype=x_type)
    y_view = pl.make_tensor(y, [1, tiling.n], dtype=pl.DT_FP32)
    z_view = pl.make_tensor(z, [1, tiling.n], dtype=pl.DT_FP32)
    workers = pl.get_block_num() * pl.get_subblock_num()
    tile = pl.TileType(shape=[1, 1024], dtype=pl.DT_FP32, valid_shape=[-1, -1])
    with pl.section_vector():
"""
TILES = """\
x_tiles = pl.make_tile_group(type=TYPE, addrs=0x20000, mutex_ids=[10])
y_tiles = pl.make_tile_group(type=tile, addrs=0x21000, mutex_ids=[11])
z_tiles = pl.make_tile_group(type=tile, addrs=0x22000, mutex_ids=[12])
x_tile, y_tile, z_tile = x_tiles.current(), y_tiles.current(), z_tiles.current()
in_tile, out_tile = x_tile, z_tile
"""
LOADED = TILES + "pl.load(x_tile, x_view, [0, 0])\n"
OF_TYPE = "own = pl.TileType(shape=[1, 1024], dtype=x_type)\n" + TILES.replace("TYPE", "own").replace(
    "type=tile", "type=own"
)

# What stands in front of the statements of a page, and what behind them.
AROUND: dict[str, tuple[str, str]] = {
    "OPG834": (
        OF_TYPE + "pl.load(x_tile, x_view, [0, 0])\nwides = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0])\n"
        "wide = wides.current()\n",
        "",
    ),
    "OPG835": (LOADED + "pl.load(y_tile, y_view, [0, 0])\nlength = 1000\n", ""),
    "OPG836": (TILES + "offset = tiling.n - 100\n", ""),
    "OPG837": (TILES, ""),
    "OPG838": (TILES, ""),
    "OPG839": (TILES + "pl.expands(z_tile, 1.0)\n", ""),
    "OPG840": (TILES + "pl.expands(z_tile, 1.0)\n", "LOOP"),
    "OPG841": (TILES + "offset = 0\n", ""),
    "OPG842": (LOADED, ""),
    "OPG843": (TILES, ""),
    "OPG844": (OF_TYPE + "pl.load(x_tile, x_view, [0, 0])\n", ""),
}
TYPES = {"OPG834": "int32", "OPG844": "int32"}
N = 4096


def launched(folder: Path, rule: str, statements: str) -> Report:
    before, after = AROUND.get(rule, ("", ""))
    if after == "LOOP":
        statements = statements.replace(
            "    pass\n",
            "    pl.set_validshape(z_tile, [1, pl.min(1024, tiling.n - i * 1024)])\n"
            "    pl.store(z_view, z_tile, [0, i * 1024])\n",
        )
    lines = before.replace("TYPE", "tile") + statements
    path = folder / "kernel.py"
    path.write_text(LAUNCH + textwrap.indent(lines, " " * 8), encoding="utf-8")
    dtype = TYPES.get(rule, "float32")
    n = N + 100 if rule == "OPG840" else N
    size = n
    request = Request(
        {"n": n, "tile_num": -(-n // 1024), "block": 1024},
        {"mode": 0},
        {"x_type": dtype},
        (
            Argument("x", "input", dtype, [1] * size),
            Argument("y", "input", "float32", [1] * size),
            Argument("z", "output", "float32", size=size),
        ),
        2,
        2,
        0,
    )
    return check_here(path, [request])


def check_page(folder: Path, rule: str, example: str) -> Report:
    if rule >= "OPG830":
        return launched(folder, rule, example)
    path = folder / "scaled_add.py"
    path.write_text(replaced(TEXT, _into_file(rule, example)), encoding="utf-8")
    return check_here(path, [scaled_add(first_row=0)])


def _into_file(rule: str, example: str) -> dict[str, str]:
    """Where the lines of a page stand in the fixture."""
    if rule == "OPG820":
        return {"def scaled_add(": f"def {example.split('def ')[1].split('(')[0]}("}
    if rule == "OPG821":
        names = example.split("\n")[1].replace("Tiling", "ScaledAddTilingData").strip()
        inside = TEXT[TEXT.index("    x: pl.Ptr") : TEXT.index("):\n    # A view")]
        return {inside: "    " + names.replace("z: ", "y: pl.Ptr[pl.DT_UINT8], z: ") + ",\n"}
    if rule == "OPG822":
        fields = example[example.index("    ") :]
        return {"    total_length: int\n": "    total_length: int\n" + fields.replace("    alpha: float\n", "")} | (
            {"            offset = ": "            first = tiling.first_row\n            offset = "}
            if "first_row" in fields
            else {}
        )
    if rule == "OPG823":
        return {
            "sch_mode = TilingKeyField(bits=1, values=[0, 1])": example.split("\n")[1]
            .strip()
            .replace("mode", "sch_mode")
        }
    if rule == "OPG824":
        letter = example.split('datatype={"')[1][0]
        return {'"x": "data_dtype"': f'"{letter}": "data_dtype"', "    x: pl": f"    {letter}: pl",
                "make_tensor(x,": f"make_tensor({letter},"}  # fmt: skip
    if rule == "OPG825":
        return {"            offset = ": textwrap.indent(example.replace("for i", "for j").replace("<= i <", "<= j <"),
                                                        " " * 12) + "            offset = "}  # fmt: skip
    if rule == "OPG826":
        loop = example.split("\n")[-3]
        start = "        workers = pl.get_block_num() * pl.get_subblock_num()\n"
        return {
            start: start if "workers" in loop else "",
            "for i in pl.range(pl.get_block_idx(), tiling.tile_num, workers):": loop,
        }
    if rule == "OPG827":
        return {"    alpha: float\n": "    alpha: float\n    unused: int\n"} if "unused" in example else {}
    if rule == "OPG828":
        return {} if "section" in example else {"    with pl.section_vector():\n": "    if True:\n"}
    assert rule == "OPG829"
    return {} if "arch" in example else {'    arch="a5",\n': ""}


@pytest.mark.parametrize("rule", sorted(PAGES))
def test_what_a_page_calls_wrong_is_found(rule: str, tmp_path: Path) -> None:
    report = check_page(tmp_path, rule, PAGES[rule].wrong)
    assert rule in rules(report), shown(report)


@pytest.mark.parametrize("rule", sorted(PAGES))
def test_what_a_page_calls_right_is_not(rule: str, tmp_path: Path) -> None:
    report = check_page(tmp_path, rule, PAGES[rule].right)
    unrelated = {"OPG840"} if rule >= "OPG830" and rule != "OPG840" else set()  # nothing is stored in most of them
    assert rules(report) - unrelated == set(), shown(report)
