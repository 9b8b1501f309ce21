"""For the tests of the generated programs: operators of every kind, and the compiler."""

from __future__ import annotations

import subprocess
from pathlib import Path

from opgen.cxx.reg_op import reg_op_header
from opgen.ge.programs import render_programs
from opgen.sim import include_folders
from opgen.spec.loader import load
from opgen.spec.model import OpSpec

STRICT = ("-std=c++17", "-D_GLIBCXX_USE_CXX11_ABI=0", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror")

_TEXT = "summary: {en: Does it., zh: 做这件事。}"

_LONG = (
    'y = gelu(a * another_rather_long_name_here, approximate="tanh") + silu(another_rather_long_name_here) * sigmoid(a)'
    " - 0.5 * relu(another_rather_long_name_here) + cast(cast(a, float16), float32) * clip(a, -0.5, 0.25)"
)

# Each item: what is special about it.
OPERATORS = {
    # tensors whose names the programs use themselves; attributes whose names look like constants
    "names_probe": """
dtypes: {T: [float16, float32]}
dims: {N: 40}
inputs:
  - {name: index, dtype: T, shape: [N]}
  - {name: data, dtype: T, shape: [1]}
  - {name: expected, dtype: T, shape: [N], default: 1.0}
outputs:
  - {name: out, dtype: T, shape: [N]}
  - {name: outputs, dtype: float32, shape: [N]}
attrs:
  - {name: shape, type: float, default: 0.3}
  - {name: type, type: float, default: .inf}
  - {name: i, type: int, default: 3}
compute: |
  out = index * shape + data
  outputs = minimum(cast(expected, float32) * i, type) - cast(out, float32)
""",
    # updates in place, temporaries, one-element tensors
    "momentum_probe": """
dims: {N: 33}
inputs:
  - {name: var, dtype: float32, shape: [N]}
  - {name: m, dtype: float32, shape: [N], min: 0.0, max: 0.1}
  - {name: grad, dtype: float32, shape: [N]}
  - {name: lr, dtype: float32, shape: []}
outputs:
  - {name: var, inplace: true}
  - {name: m, inplace: true}
attrs:
  - {name: beta, type: float, default: 0.9}
compute: |
  m = beta * m + (1 - beta) * grad
  step = lr * m
  var = var - step
""",
    # whole numbers, bytes, bool
    "whole_probe": """
dims: {N: 65}
inputs:
  - {name: a, dtype: int8, shape: [N], min: -128, max: 127}
  - {name: b, dtype: uint16, shape: [N], min: 0, max: 65535}
  - {name: c, dtype: bool, shape: [N]}
  - {name: d, dtype: int64, shape: [N], min: -9223372036854775808, max: 9223372036854775807}
outputs:
  - {name: sum, dtype: int32, shape: [N]}
  - {name: flags, dtype: bool, shape: [N]}
  - {name: big, dtype: int64, shape: [N]}
  - {name: small, dtype: uint8, shape: [N]}
compute: |
  sum = a * 3 + b
  flags = (a > 0) & ~c
  big = d
  small = where(c, 200, 7)
""",
    # NaN and infinities where they belong
    "limits_probe": """
dims: {N: 64}
inputs:
  - {name: x, dtype: float32, shape: [N], min: -1.0, max: 1.0}
  - {name: n, dtype: int32, shape: [N], min: 0, max: 1}
outputs:
  - {name: y, dtype: float32, shape: [N]}
  - {name: z, dtype: bfloat16, shape: [N]}
compute: |
  y = log(x)
  z = 1 / cast(n, float32)
""",
    # a long line, functions that are written out
    "long_probe": """
dtypes: {T: [bfloat16, float32]}
dims: {...: {default: [3, 11]}}
inputs:
  - {name: a_rather_long_name_of_an_input, dtype: T, shape: [...]}
  - {name: another_rather_long_name_here, dtype: T, shape: [...]}
outputs:
  - {name: y, dtype: T, shape: [...]}
compute: |
  a = a_rather_long_name_of_an_input
  LONG
""".replace("LONG", _LONG),
    # rows, broadcasting, several reductions; somebody's own kernel
    "rows_probe": """
kernel: rows_probe_kernel.py
dims: {R: 6, C: 10}
inputs:
  - {name: x, dtype: float32, shape: [R, C]}
  - {name: gamma, dtype: float16, shape: [C]}
outputs:
  - {name: y, dtype: float32, shape: [R, C]}
  - {name: index, dtype: int32, shape: [R]}
  - {name: count, dtype: int32, shape: [R]}
  - {name: pair, dtype: float32, shape: [R, C - 2]}
compute: |
  e = exp(x - max(x, axis=-1))
  y = e / sum(e, axis=-1) * cast(gamma, float32) - mean(x, axis=-1)
  index = argmin(x, axis=-1) + sum(arange(C), axis=-1)
  count = sum(x > 0, axis=-1)
  pair = concat([x[:, 2:5], x[:, 5:]], axis=-1)
""",
    # matrix products with leading axes
    "product_probe": """
kernel: product_probe_kernel.py
dims: {B: 2, M: 3, N: 5, K: 4}
inputs:
  - {name: a, dtype: float32, shape: [B, K, M]}
  - {name: b, dtype: float32, shape: [N, K]}
  - {name: n, dtype: int32, shape: [K, K]}
outputs:
  - {name: y, dtype: float32, shape: [B, M, N]}
  - {name: z, dtype: int32, shape: [K, K]}
compute: |
  y = matmul(a, b, transpose_a=True, transpose_b=True)
  z = n @ n
""",
    # lists, every kind of attribute, expected values from NumPy
    "list_probe": """
kernel: list_probe_kernel.py
reference: list_probe_reference.py
dtypes: {T: [bfloat16, float32]}
dims: {P: {values: [2, 3]}, N: 6}
inputs:
  - {name: xs, dtype: T, shape: [N], count: P}
  - {name: n, dtype: uint64, shape: [N], min: 0, max: 18446744073709551615}
outputs:
  - {name: ys, dtype: kind, shape: [2, N], count: 2}
  - {name: m, dtype: uint64, shape: [N]}
attrs:
  - {name: kind, type: dtype, values: [float16, float32]}
  - {name: mode, type: string, values: [fast, plain]}
  - {name: pads, type: ints, default: [1, 2]}
  - {name: scales, type: floats, default: [0.5, 2.0]}
  - {name: flag, type: bool, default: false}
tests: {cases: [{kind: float16, mode: fast, flag: true}]}
""",
    # nothing says what it computes
    "blind_probe": """
kernel: blind_probe_kernel.py
dims: {N: 8}
inputs:
  - {name: x, dtype: float32, shape: [N]}
outputs:
  - {name: y, dtype: float32, shape: [N]}
  - {name: z, dtype: float32, shape: [N]}
""",
}

REFERENCE = """
import numpy as np


def reference(xs, n, *, kind, mode, pads, scales, flag):
    assert (kind, mode, pads, scales, flag) == ("float16", "fast", [1, 2], [0.5, 2.0], True)
    assert all(x.dtype == np.float32 for x in xs) and n.dtype == np.uint64
    return [np.stack([x, x]) / 3 for x in xs], n
"""


def operator_type(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def one(name: str, scenario: str) -> OpSpec:
    """A project with one of OPERATORS."""
    text = f"edition: 1\nop: {operator_type(name)}\nscenario: {scenario}\n{_TEXT}{OPERATORS[name]}"
    return load(text.encode(), "op.yaml")


def several(names: tuple[str, ...], scenario: str) -> OpSpec:
    """A library of some of OPERATORS."""
    lines = ["edition: 1", "project: probe_pack", f"scenario: {scenario}", _TEXT, "ops:"]
    for name in names:
        lines.append(f"  - op: {operator_type(name)}")
        lines += [f"    {line}" for line in [_TEXT, *OPERATORS[name].strip("\n").split("\n")]]
    return load("\n".join(lines).encode(), "op.yaml")


def write_project(spec: OpSpec, folder: Path) -> None:
    """The programs of a project, and the headers of its operators."""
    texts = render_programs(spec) | {f"ge/{o.name}.h": reg_op_header(o) for o in spec.operators}
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def gxx(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """g++ with strict warnings and the stand-in's headers."""
    includes = [f"-I{folder}" for folder in include_folders()]
    command = ["g++", *STRICT, *includes, "-Ige", "-Icommon", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", check=False)
