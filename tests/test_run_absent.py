"""A graph that leaves an optional input out: from the kernel that is compiled without it to the null pointer at run
time, through run.sh as it is."""

from __future__ import annotations

from pathlib import Path

from conftest import Opgen

SPEC = """edition: 1
op: ShiftCustom
scenario: offline
summary: {en: Adds a row to each row., zh: 为每一行加上同一行数据。}
dtypes: {T: [float32]}
dims: {...: {default: [6], dynamic: true}, C: {default: 64}}
inputs:
  - {name: x, dtype: T, shape: [..., C]}
  - {name: shift, dtype: T, shape: [C], default: 0.0, min: 0, max: 0}
outputs: [{name: y, dtype: T, shape: [..., C]}]
compute: y = 2 * x + shift
"""


def without_shift(folder: Path) -> None:
    """Takes the input out of the sample programs. Its values are 0, which is its default, so results stay."""
    for name, removed in {
        "graph_build/main.cc": ["MakeData(", ".set_input_shift(shift)", ", shift}"],
        "model_exec/main.cc": ["DeviceArray<float> shift", "in.Add(shift"],
    }.items():
        path = folder / name
        lines = []
        for line in path.read_text(encoding="utf-8").splitlines():
            whole = "shift" in line and any(part in line for part in removed if part[0] not in ".,")
            if not whole:
                lines.append(line.replace(".set_input_shift(shift)", "").replace(", shift}", "}"))
        text = "\n".join([*lines, ""])
        assert "shift" not in text.replace("shift_custom", ""), text
        path.write_text(text, encoding="utf-8")


def test_an_input_that_is_not_connected_is_a_null_pointer_all_the_way(opgen: Opgen, tmp_path: Path) -> None:
    (tmp_path / "op.yaml").write_text(SPEC, encoding="utf-8")
    assert opgen("generate").returncode == 0
    without_shift(tmp_path)
    ran = opgen("run", ".", "--on", "standin")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Precision check passed, max_error=0" in ran.stdout
    assert b"float32_C64_no_shift" in (tmp_path / "build" / "shift_custom.om").read_bytes()
