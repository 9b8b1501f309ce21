"""opgen lint-kernel knows kernels of PyPTO Pro by what they import."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from conftest import ROOT, Opgen
from pypto_kernel_support import KERNELS, replaced

TEXT = (KERNELS / "scaled_add.py").read_text(encoding="utf-8")
CUMSUM = ROOT / "specs/row_cumsum"


def test_the_text_alone(opgen: Opgen) -> None:
    ended = opgen("lint-kernel", str(KERNELS / "scaled_add.py"))
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == (
        "text checked: nothing found\n"
        "to run the kernel too, give the fields of TilingData: --dims total_length=... tile_num=...\n"
    )


def test_fields_from_the_command_line(opgen: Opgen) -> None:
    words = ("lint-kernel", str(KERNELS / "scaled_add.py"), "--dims", "total_length=20000")
    ended = opgen(*words, "tile_num=3", "--types", "data_dtype=bf16")
    assert (ended.returncode, ended.stderr) == (0, "text and 4 launches checked: nothing found\n")
    ended = opgen(*words, "tile_num=4")  # a tile too many
    assert ended.returncode == 1
    assert "error OPG836: pl.load leaves the view of x" in ended.stdout
    ended = opgen(*words, "tiles=3")
    assert ended.returncode == 2 and "TilingData of scaled_add.py has no field tiles" in ended.stderr
    assert opgen(*words, "--types", "data_dtype=half2").returncode == 2


def test_a_finding_shows_its_line(opgen: Opgen, tmp_path: Path) -> None:
    path = tmp_path / "scaled_add.py"
    path.write_text(replaced(TEXT, {"pl.get_block_num() * pl.get_subblock_num()": "pl.get_block_num()"}))
    ended = opgen("lint-kernel", "scaled_add.py", cwd=tmp_path)
    line = next(n for n, text in enumerate(path.read_text().split("\n"), 1) if "for i in" in text)
    first, excerpt, caret, why, fix, *_ = ended.stdout.split("\n")
    assert first == f"scaled_add.py:{line}:64: error OPG826: workers is the stride of the workers"
    assert excerpt.endswith("tiling.tile_num, workers):") and caret.strip(" |") == "^" * len("workers")
    assert why.startswith("  why: pl.get_block_idx() counts vector cores")
    assert fix == "  fix: use pl.get_block_num() * pl.get_subblock_num()"
    assert ended.returncode == 1
    ended = opgen("lint-kernel", "scaled_add.py", "--format", "json", cwd=tmp_path)
    (finding,) = json.loads(ended.stdout)["findings"]
    assert (finding["rule"], finding["line"]) == ("OPG826", line)


def test_a_file_that_does_more_than_it_should_is_run_apart(opgen: Opgen, tmp_path: Path) -> None:
    path = tmp_path / "scaled_add.py"
    path.write_text(TEXT + "\nimport os\n\nprint('loaded')\nos.environ.clear()\n")
    ended = opgen("lint-kernel", "scaled_add.py", "--dims", "total_length=9", "tile_num=1", cwd=tmp_path)
    assert ended.returncode == 0 and "loaded\n" in ended.stderr and ended.stdout == ""
    path.write_text(TEXT + "\nimport nowhere_at_all\n")
    ended = opgen("lint-kernel", "scaled_add.py", "--dims", "total_length=9", "tile_num=1", cwd=tmp_path)
    assert "error OPG830: the file fails: ModuleNotFoundError" in ended.stdout
    path.write_text("import pypto_pro.language as pl\n\ndef broken(:\n")
    ended = opgen("lint-kernel", "scaled_add.py", cwd=tmp_path)
    assert "scaled_add.py:3:12: error OPG830: the file cannot be read" in ended.stdout and ended.returncode == 1


def test_torch_has_a_stand_in(opgen: Opgen, tmp_path: Path) -> None:
    (tmp_path / "scaled_add.py").write_text(
        TEXT.replace("import pypto_pro", "import torch\nimport torch_npu\nimport pypto_pro", 1)
    )
    ended = opgen("lint-kernel", "scaled_add.py", "--dims", "total_length=9", "tile_num=1", cwd=tmp_path)
    assert ended.returncode == 0


def test_op_yaml_says_with_what_and_against_what(opgen: Opgen, tmp_path: Path) -> None:
    folder = tmp_path / "row_cumsum"
    shutil.copytree(CUMSUM, folder)
    spec = (folder / "op.yaml").read_text(encoding="utf-8").split("  cases:")[0]
    (folder / "op.yaml").write_text(spec + "  cases: [{R: 9, C: 1025}]\n", encoding="utf-8")
    kernel = folder / "op_kernel/row_cumsum.py"
    ended = opgen("lint-kernel", str(kernel))
    assert ended.returncode == 0
    assert re.fullmatch(r"text and \d+ launches checked: nothing found\n", ended.stderr)
    text = kernel.read_text(encoding="utf-8")
    kernel.write_text(replaced(text, {"    rows: int\n    columns: int\n": "    columns: int\n    rows: int\n"}))
    ended = opgen("lint-kernel", str(kernel))
    assert "error OPG827: the fields of RowCumsumTilingData are not those that the host fills in" in ended.stdout
    kernel.write_text(replaced(text, {"values=[0, 1]": "values=[1, 0]"}))
    assert (
        "OPG827: the fields of RowCumsumTilingKey are not those that the host packs"
        in opgen("lint-kernel", str(kernel)).stdout
    )
    kernel.write_text(text.replace("RowCumsumTilingData", "CumsumTiling"))
    assert (
        "OPG822: the class of TilingData is called CumsumTiling, and the host fills in RowCumsumTilingData"
        in opgen("lint-kernel", str(kernel)).stdout
    )
    swapped = {"    x: pl.Ptr[pl.DT_UINT8],\n    y: pl.Ptr[pl.DT_UINT8],\n": "    y: pl.Ptr[pl.DT_UINT8],\n    x: "
               "pl.Ptr[pl.DT_UINT8],\n"}  # fmt: skip
    kernel.write_text(replaced(text, swapped))
    assert "OPG821: the tensors are y, x, and op.yaml has x, y" in opgen("lint-kernel", str(kernel)).stdout
