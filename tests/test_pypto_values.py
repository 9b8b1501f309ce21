"""Values that the host computes: compiled C++ gives what the plan gives in Python, for expressions of every form."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from chain_support import home as standin
from opgen.pypto.samples import Sample, launched
from opgen.sim.host import HostCase, Tensor
from pypto_support import build, folder, planned, written

_FLOAT = 0  # CANN's number of the type
_SYSTEM = 16 * 1024 * 1024
_COUNT = 60

_FORMS = (
    *("{a} + {b}", "({a}) * {c}", "({a}) // ({b})", "({a}) % ({b})", "ceildiv({a}, {b})", "align({a}, {c})"),
    *("minimum({a}, {b})", "maximum({a}, {b})", "({a}) // {c}", "({a}) % {c}", "({a} if {t} else {b})"),
)

_HEAD = """\
edition: 1
op: ManyValues
scenario: pypto
summary: {en: Computes many values., zh: 计算许多取值。}
dims:
  N: {default: 24, dynamic: true}
  Rows: {default: 3, dynamic: true}
inputs: [{name: x, dtype: float32, shape: [N, Rows]}]
outputs: [{name: y, dtype: float32, shape: [N, Rows]}]
attrs:
  - {name: exact, type: bool, default: true}
  - {name: offset, type: int, default: 3, dynamic: true, min: 0}
  - {name: scale, type: float, default: 0.5, dynamic: true}
kernel: many_values.py
tiling:
  workspace: N * 4 + cores
  key:
    - {name: mode, values: [0, 1], value: N > Rows * 4}
    - {name: size, values: [1, 2, 4, 8], value: "4 if Rows > 100 else 2 if N % 3 else 8"}
  data:
"""


def _expression(pick: random.Random, names: list[str], depth: int) -> str:
    """An expression of whole numbers that are not negative."""
    if depth == 0 or pick.random() < 0.15:
        return pick.choice([*names, str(pick.randint(0, 70))])
    a, b = (_expression(pick, names, depth - 1) for _ in range(2))
    form = pick.choice(_FORMS)
    test = f"({a}) {pick.choice(['<', '<=', '>', '>=', '==', '!='])} ({b})"
    return form.format(a=a, b=b, c=pick.randint(1, 40), t=pick.choice([test, "exact", f"not ({test})"]))


def _spec(seed: int) -> str:
    pick = random.Random(seed)
    names = ["N", "Rows", "offset", "elements", "device_cores", "mode"]
    lines = []
    for number in range(_COUNT):
        value = _expression(pick, names, 3)
        match number % 6:
            case 0:
                value = f"{value} > {_expression(pick, names, 1)}"
            case 1:
                value = f"scale * 2.0 + {_expression(pick, names[:3], 0)}"
        lines.append(f'    - {{name: field_{number}, value: "{value}"}}')
        if number % 6 > 1 and len(value) < 60:
            names.append(f"field_{number}")
    return _HEAD + "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", [2, 20])
def test_host_code_computes_what_the_plan_says(tmp_path: Path, seed: int) -> None:
    text = _spec(seed)
    operator, plan = planned(text)
    library = build(standin(), written(folder(text), tmp_path))
    cases, expected = [], []
    for rows in (0, 1, 2, 7, 64, 101, 4096):
        for n in (0, 1, 5, 24, 63, 100000):
            exact, offset, scale = n % 2 == 0, rows % 5, 0.25 * n
            attrs = (("exact", exact), ("offset", offset), ("scale", scale))
            sample = Sample("", (("N", n), ("Rows", rows)), attrs, ())
            found = launched(operator, plan, sample, cores=20)
            assert found is not None
            expected.append((found.key, found.blocks, (_SYSTEM + found.workspace,), found.data))
            tensor = Tensor(_FLOAT, (n, rows))
            given = (("exact", "bool", exact), ("offset", "int", offset), ("scale", "float", scale))
            cases.append(HostCase("ManyValues", (tensor,), (tensor,), given, 20))
    answers = library.tilings(cases)
    assert [(a.status, a.unwritten) for a in answers] == [(0, ())] * len(cases)
    for case, answer, wanted in zip(cases, answers, expected, strict=True):
        assert (answer.key, answer.blocks, answer.workspaces, answer.data) == wanted, case
