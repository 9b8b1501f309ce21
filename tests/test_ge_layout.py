"""Line breaks of generated C++ are those of clang-format, whatever the names."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ge_support import formatted, project
from opgen.cxx.layout import Chain, assignment, call, columns, comment, condition, statement

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
            text = "_".join(pick.choice(_WORDS) for _ in range(pick.randint(1, 5)))
            if text not in used:
                used.add(text)
                return text

    inputs = [name() for _ in range(pick.randint(1, 5))]
    outputs = [name() for _ in range(pick.randint(1, 2))]
    attrs = [name() for _ in range(pick.randint(0, 3))]
    user = pick.random() < 0.4
    shape = "[Rows, N]" if user else "[...]"
    dims = (
        "{Rows: {default: 16, dynamic: true}, N: {values: [64, 128]}}"
        if user
        else "{...: {default: [64], dynamic: true}}"
    )
    lines = [
        "edition: 1",
        f"op: {''.join(pick.choice(_WORDS).title() for _ in range(pick.randint(1, 4)))}Op",
        f"scenario: {pick.choice(['eager', 'online', 'offline'])}",
        "summary: {en: Tests the host code with words that fill the line quite a bit., zh: 测试算子实现。}",
        "dtypes: {T: [float32, float16]}",
        f"dims: {dims}",
        "inputs:",
    ]
    for position, tensor in enumerate(inputs):
        optional = ", default: 0.0" if 0 < position < 3 and pick.random() < 0.3 else ""
        lines.append(f"  - {{name: {tensor}, dtype: T, shape: {shape}{optional}}}")
    lines.append("outputs:")
    for tensor in outputs:
        lines.append(f"  - {{name: {tensor}, dtype: T, shape: {pick.choice([shape, '[N, Rows]']) if user else shape}}}")
    lines += ["attrs:"] if attrs else []
    for attr in attrs:
        limits = pick.choice(["", ", min: 0.0", ", min: -1.5, max: 2.5"])
        lines.append(f"  - {{name: {attr}, type: float, default: 1.0{limits}}}")
    if user:
        lines += ["kernel: my.py", "reference: ref.py"]
    else:
        lines += ["compute: |", *(f"  {tensor} = {' + '.join(inputs + attrs)}" for tensor in outputs)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(24))
def test_host_code_breaks_lines_as_clang_format_does(seed: int, tmp_path: Path) -> None:
    spec, texts = project(_spec(seed))
    for path in ("ge/custom_op.cpp", f"ge/{spec.operators[0].name}.h"):
        file = tmp_path / Path(path).name
        file.write_text(texts[path], encoding="utf-8")
        assert formatted(file) == texts[path]


def test_what_fits_stays_on_its_line() -> None:
    assert statement("  return ", call("f", "a", "b"), ";") == "  return f(a, b);"
    assert condition(2, ["!a", "!b"]) == "  if (!a || !b) {"
    assert assignment("  const int x", call("f", "a")) == "  const int x = f(a);"


def test_a_chain_breaks_behind_its_operator() -> None:
    operands = tuple(f"operand_{i}_{'x' * 30}" for i in range(4))
    lines = statement("  return ", Chain("&&", operands), ";").split("\n")
    assert [line.split()[-1] for line in lines] == ["&&", f"{operands[-1]};"]
    assert lines[1].index(operands[2]) == len("  return ")


def test_comments_count_wide_characters_twice() -> None:
    text = comment("算子 " * 60)
    assert all(columns(line) <= 120 for line in text.split("\n"))
    assert text.replace("\n// ", " ") == "// " + " ".join(["算子"] * 60)
