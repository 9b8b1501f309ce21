"""Lines of generated PyPTO host code break as the formatter of the operator repositories breaks them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pypto_support import folder, formatted, written

_WORDS = (
    *("alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta", "iota", "kappa", "mu", "nu"),
    *("xi", "omicron", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi"),
)


def _spec(seed: int) -> str:
    """An operator with names of any length."""
    pick = random.Random(seed)
    used: set[str] = set()

    def name() -> str:
        while True:
            text = "_".join(pick.choice(_WORDS) for _ in range(pick.randint(1, 3)))
            if text not in used:
                used.add(text)
                return text

    op = "".join(pick.choice(_WORDS).title() for _ in range(pick.randint(1, 3))) + "Op"
    shapes = pick.choice([["..."], ["Rows", "Columns"], ["...", "Columns"]])
    dims = {"...": "{default: [8], dynamic: true}"} | dict.fromkeys(("Rows", "Columns"), "{default: 32, dynamic: true}")
    types = pick.choice(["{T: [float32]}", "{T: [float32, float16, bfloat16]}", "{T: [float32, float16], U: [int32]}"])
    second = "U" if "U" in types else "T"
    inputs = [name() for _ in range(pick.randint(1, 4))]
    attrs = [name() for _ in range(pick.randint(0, 3))]
    lines = [
        "edition: 1",
        f"op: {op}",
        "scenario: pypto",
        "summary: {en: Tests the host code with words that fill the line., zh: 测试算子实现。}",
        f"dtypes: {types}",
        "dims:",
        *(f"  {s}: {dims[s]}" for s in shapes),
        "inputs:",
    ]
    for position, tensor in enumerate(inputs):
        optional = ", default: 0" if position == 2 else ""
        dtype = second if position and position == len(inputs) - 1 else "T"
        lines.append(f"  - {{name: {tensor}, dtype: {dtype}, shape: [{', '.join(shapes)}]{optional}}}")
    if len(inputs) == 1:
        lines = [line.replace(", U: [int32]", "") for line in lines]
    lines += ["outputs:", f"  - {{name: {name()}, dtype: T, shape: [{', '.join(shapes)}]}}"]
    lines += ["attrs:"] if attrs else []
    for attr in attrs:
        kind = pick.choice(["float, default: 1.0, min: 0.0, max: 2.5", "float, default: 1.0", "bool, default: true"])
        lines.append(f"  - {{name: {attr}, type: {kind}}}")
    lines += [f"kernel: {_snake(op)}.py", "tiling:", "  data:"]
    sizes = [s for s in shapes if s != "..."] or ["elements"]
    for _ in range(pick.randint(1, 4)):
        lines.append(f"    - {{name: {name()}, value: 'ceildiv({pick.choice(sizes)} + {pick.randint(1, 900)}, 64)'}}")
    return "\n".join(lines) + "\n"


def _snake(op: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in op).lstrip("_")


@pytest.mark.parametrize("seed", range(24))
def test_host_code_needs_no_formatting(tmp_path: Path, seed: int) -> None:
    texts = folder(_spec(seed))
    written(texts, tmp_path)
    for path, text in texts.items():
        if path.startswith(("op_host/", "tests/")) and path.endswith((".cpp", ".h")):
            assert text == formatted(tmp_path / path), path
