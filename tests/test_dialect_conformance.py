"""Operations of the dialect under the checker: types, tails and numbers of the table, and types that do not exist."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialect_conformance import Conformance, agree
from dialect_support import checked_text, kernel, rules, shown
from dialect_table import conformance
from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import CASTS, COMPARE_INT32, OPERATIONS

TABLE = list(conformance())


def test_names_are_told_apart() -> None:
    assert len({case.name for case in TABLE}) == len(TABLE) > 300


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case.name)
def test_operations_do_what_numpy_says(case: Conformance, tmp_path: Path) -> None:
    report = checked_text(tmp_path, case.script, inputs={**case.inputs, **case.scalars})
    assert shown(report) == []
    (result,) = report.kernels
    name, shape, _ = case.output
    assert result.outputs[name].shape == shape
    agree(case, result.outputs[name])


# ---- types that A2 and A3 do not have ----

_PLAIN = {
    **dict.fromkeys(("exp", "ln", "sqrt", "rsqrt", "reciprocal", "abs", "relu", "bitwise_not"), "T.tile.{0}(b, a)"),
    **dict.fromkeys(("sigmoid", "silu", "sin", "cos"), "T.tile.{0}(b, a)"),
    **dict.fromkeys(("add", "sub", "mul", "div", "max", "min", "pow"), "T.tile.{0}(b, a, a)"),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), "T.tile.{0}(b, a, a)"),
    **dict.fromkeys(("bitwise_lshift", "bitwise_rshift"), "T.tile.{0}(b, a, 1)"),
    **dict.fromkeys(("leaky_relu", "axpy"), "T.tile.{0}(b, a, 1)"),
    "mul_add_dst": "T.tile.mul_add_dst(b, a, a)",
    "round": "T.tile.round(b, a, 256)",
    "clamp_max": "T.tile.clamp_max(b, a, 1, 256)",
    "clamp_min": "T.tile.clamp_min(b, a, 1, 256)",
    "createvecindex": "T.tile.createvecindex(b, 0)",
    "broadcast": "T.tile.broadcast(rows, line)",
    "reduce_max": "T.reduce_max(rows, c, dim=0)",
    "reduce_min": "T.reduce_min(rows, c, dim=0)",
    "reduce_sum": "T.reduce_sum(rows, c, dim=0)",
    "select": 'T.tile.select(b, bits, a, a, "VSEL_TENSOR_TENSOR_MODE")',
    "transpose": "T.tile.transpose(turned, square)",
}
_SHAPES = {"a": (256,), "b": (256,), "c": (64,), "rows": (4, 64), "line": (1, 64)}


def with_type(folder: Path, dtype: str, statement: str) -> set[str]:
    side = 32 if DTYPES[dtype].size == 1 else 16  # rows of whole blocks
    shapes = {**_SHAPES, "square": (side, side), "turned": (side, side)}
    held = {name: (shape, dtype) for name, shape in shapes.items()} | {"bits": ((32,), "uint8")}
    lines = [f'{name} = T.alloc_ub({shape}, "{type_}")' for name, (shape, type_) in held.items()]
    lines += [f"T.copy(of_{name}, {name})" for name in held]
    parameters = ", ".join(f'of_{name}: T.Tensor({shape}, "{type_}")' for name, (shape, type_) in held.items())
    return rules(checked_text(folder, kernel("\n".join([*lines, statement, ""]), parameters)))


@pytest.mark.parametrize("name", sorted(_PLAIN))
def test_every_other_type_is_refused(name: str, tmp_path: Path) -> None:
    for dtype in DTYPES:
        if dtype == "bool":
            continue
        found = with_type(tmp_path, dtype, _PLAIN[name].format(name))
        if dtype not in OPERATIONS[name].dtypes:
            assert found == {"OPG740"}, dtype
        elif (name, dtype) != ("reduce_sum", "float16"):  # which has the last axis only
            assert found == set(), dtype


@pytest.mark.parametrize("mode", ["EQ", "NE", "GT", "GE", "LT", "LE"])
def test_comparisons_of_other_types_are_refused(mode: str, tmp_path: Path) -> None:
    for dtype in DTYPES:
        if dtype == "bool":
            continue
        found = with_type(tmp_path, dtype, f'T.tile.compare(bits, a, b, "{mode}")')
        good = dtype in OPERATIONS["compare"].dtypes or (dtype == "int32" and mode in COMPARE_INT32)
        assert found == (set() if good else {"OPG740"}), dtype


@pytest.mark.parametrize("source", [d for d in DTYPES if d != "bool"])
def test_casts_that_do_not_exist_are_refused(source: str, tmp_path: Path) -> None:
    for target in DTYPES:
        if target == "bool":
            continue
        frame = (
            f'a = T.alloc_ub((256,), "{source}")\nb = T.alloc_ub((256,), "{target}")\nT.copy(x, a)\n'
            'T.tile.cast(b, a, "{}", 256)\n'
        )
        for mode in ("CAST_NONE", "CAST_RINT", "CAST_TRUNC", "CAST_ODD"):
            report = checked_text(tmp_path, kernel(frame.format(mode), f'x: T.Tensor((256,), "{source}")'))
            wanted = set() if mode in CASTS.get((source, target), ()) else {"OPG741"}
            assert rules(report) == wanted, (source, target, mode)
