"""Whatever is written into an op.yaml, it becomes a model or findings with places, and never an exception."""

from __future__ import annotations

import copy
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opgen.resources import folder
from opgen.spec.loader import check
from opgen.spec.variants import case_variant, typed, variants

TEXTS = {path.parent.name: path.read_text(encoding="utf-8") for path in sorted(folder("specs").glob("*/op.yaml"))}
TABLE = """
edition: 1
op: ManyFormsCustom
scenario: online
soc: Ascend910B3
summary: {en: Has many forms., zh: 包含多种写法。}
dtypes: [{T: float16, U: [float32, float16]}, {T: float32, U: float32}]
dims:
  ...: {default: [2, 3], dynamic: true}
  R: {values: [16, 32], min: 16, max: 64, multiple_of: 16}
  K: {default: 8, dynamic: true}
inputs:
  - {name: x, dtype: T, shape: [..., R if wide else 2 * R, K], min: 0, max: K - 1}
  - {name: y, dtype: T, shape: [K], default: 1.0}
  - {name: zs, dtype: U, shape: [K, "align(R, 32)"], count: parts}
outputs:
  - {name: x, inplace: true}
  - {name: w, dtype: to, shape: [..., "ceildiv(R, itemsize(T))"]}
attrs:
  - {name: wide, type: bool, default: true}
  - {name: parts, type: int, values: [2], default: 2}
  - {name: to, type: dtype, values: [float32, int8]}
  - {name: mode, type: string, values: [fast], default: fast}
  - {name: sizes, type: ints, default: [1, 2]}
  - {name: alpha, type: float, default: -.inf}
kernel: many.py
reference: many_reference.py
tiling: {block: {R: 16, ...: 4}, buffers: 2, cores: "minimum(device_cores, K)", workspace: K * itemsize(T)}
tests:
  cases: [{to: int8}, {...: [], R: 32, wide: false, T: float32}]
  tolerance: {int8: 1}
notes: [{en: A note., zh: 说明。}]
ignore: [{rule: OPG205, why: A test.}]
"""
FIELDS = """
edition: 1
op: FieldsCustom
scenario: pypto
summary: {en: Has fields., zh: 包含字段。}
dims: {N: {default: 16, dynamic: true}}
inputs: [{name: x, dtype: float32, shape: [N]}]
outputs: [{name: y, dtype: float32, shape: [N]}]
compute: |
  t = exp(x)
  y = where(t > 1, t, x)
tiling:
  block: 2048 if mode else 1024
  data: [{name: total, value: N}, {name: pair, value: ["ceildiv(N, 4)", 1.5]}]
  key: [{name: mode, bits: 1, values: [0, 1], value: total > pair}]
"""
SEEDS = [yaml.safe_load(text) for text in [*TEXTS.values(), TABLE, FIELDS]]

NUMBERS = [0, 1, -1, 2**31, 2**63, 10**30, 0.5, -0.0, float("inf"), float("nan"), 1e300]
WORDS = ["...", "x", "y", "N", "K", "T", "U", "alpha", "float32", "fp16", "int4", "bool", "inf", "class", "矩阵", "`"]
WORDS += ["0x10", "1e5", "-", "OPG205", "../a", "k.py", "pypto", "eager", "x[", "Ascend910B3"]
EXPRESSIONS = ["x + y", "N - 100", "2 * N", "K // 0", "N if alpha else 1", "max(x)", "y = x", "y = sum(x, axis=-1)"]
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([None, True, False, "", " ", "a" * 300, *NUMBERS, *WORDS, *EXPRESSIONS]),
    st.text(max_size=12),
    st.integers(),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=4,
)


def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of everything in the data."""
    found = [path]
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found += paths(value, (*path, key))
    return found


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A valid spec with up to three things replaced, removed, doubled or moved."""
    data = copy.deepcopy(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 3))):
        places = [path for path in paths(data) if path]
        if not places:
            break
        path = draw(st.sampled_from(places))
        parent = data
        for step in path[:-1]:
            parent = parent[step]
        action = draw(st.sampled_from(["replace", "replace", "remove", "double", "move", "rename"]))
        if action == "remove":
            del parent[path[-1]]
        elif action == "double" and isinstance(parent, list):
            parent.insert(path[-1], copy.deepcopy(parent[path[-1]]))
        elif action == "rename" and isinstance(parent, dict):
            parent[draw(st.sampled_from(["N", "M", "default", "values", "count", "inplace", "xx"]))] = parent[path[-1]]
        elif action == "move":
            other = data
            source = draw(st.sampled_from(places))
            try:
                for step in source:
                    other = other[step]
            except (KeyError, IndexError, TypeError):
                continue
            parent[path[-1]] = copy.deepcopy(other)
        else:
            parent[path[-1]] = draw(VALUES)
    return data


def accepted_or_explained(text: bytes) -> None:
    spec, findings = check(text, "op.yaml")
    assert (spec is None) == any(finding.severity == "error" for finding in findings)
    for found in findings:
        assert found.place is not None
        assert found.place.line >= 1 and found.place.column >= 1
        assert found.what
    assert check(text, "op.yaml")[1] == findings
    for operator in spec.operators if spec is not None else ():
        every = variants(operator)
        assert 1 <= len(every) <= 64
        assert case_variant(operator, operator.cases[0]) == every[0]
        for variant in every if operator.formula is not None else ():
            assert typed(operator, variant).assignments


@given(mutated())
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_mutated_specs(data: Any) -> None:
    accepted_or_explained(yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode("utf-8", "surrogatepass"))


@given(st.sampled_from(sorted(TEXTS.values())), st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_texts_with_a_slip(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 3))
    typed_in = data.draw(
        st.sampled_from(["", " ", "\n", ":", ",", "，", "：", "-", "]", "{", '"', "#", "&a", "*a", "\t", "x"])
    )
    accepted_or_explained((text[:start] + typed_in + text[start + length :]).encode())


def test_the_seeds_of_the_fuzzer_are_accepted() -> None:
    for text in (TABLE, FIELDS, *TEXTS.values()):
        assert check(text.encode(), "op.yaml")[0] is not None, check(text.encode(), "op.yaml")[1]
