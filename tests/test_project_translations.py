"""Every text in two languages is watched, wherever it stands in op.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from opgen.project.translations import changed_part, pairs
from opgen.spec.languages import _texts
from opgen.spec.loader import load
from opgen.text.yaml_reader import read

EVERYWHERE = """\
edition: 1
project: pack
scenario: online
summary: {en: A library of two operators., zh: 两个算子的库。}
notes:
  - {en: A note of the library., zh: 库的说明。}
ops:
  - op: FirstCustom
    summary: {en: Scales a tensor., zh: 缩放一个张量。}
    notes:
      - {en: A note., zh: 一条说明。}
      - {en: Another note., zh: 另一条说明。}
    dtypes: {T: [float32]}
    dims: {N: {default: 64, doc: {en: The size., zh: 大小。}}}
    inputs: [{name: x, dtype: T, shape: [N], doc: {en: The input., zh: 输入。}}]
    outputs: [{name: y, dtype: T, shape: [N], doc: {en: The output., zh: 输出。}}]
    attrs: [{name: alpha, type: float, default: 1.0, doc: {en: The factor., zh: 系数。}}]
    compute: y = x * alpha
  - op: SecondCustom
    summary: {en: Scales another tensor., zh: 缩放另一个张量。}
    dtypes: {T: [float32]}
    dims: {N: {default: 64}}
    inputs: [{name: x, dtype: T, shape: [N]}]
    outputs: [{name: x, inplace: true, doc: {en: The input again., zh: 即输入。}}]
    compute: x = x * 2
"""


def sources() -> Iterator[tuple[str, bytes]]:
    yield "everywhere", EVERYWHERE.encode()
    for path in sorted((ROOT / "specs").glob("*/op.yaml")):
        yield path.parent.name, path.read_bytes()


@pytest.mark.parametrize(("name", "data"), list(sources()), ids=lambda value: value if isinstance(value, str) else "")
def test_no_text_is_left_out(name: str, data: bytes) -> None:
    document: Any = read(data, name).data
    wanted = {pointer: (text["en"], text["zh"]) for pointer, text in _texts(document, "")}
    found = pairs(load(data, name))
    assert {pair.pointer: (pair.en, pair.zh) for pair in found} == wanted
    assert len({pair.field for pair in found}) == len(found)


def test_fields_have_the_names_of_op_yaml() -> None:
    assert [pair.field for pair in pairs(load(EVERYWHERE.encode(), "op.yaml"))] == [
        "summary",
        "notes/0",
        "ops/FirstCustom/summary",
        "ops/FirstCustom/notes/0",
        "ops/FirstCustom/notes/1",
        "ops/FirstCustom/dims/N/doc",
        "ops/FirstCustom/inputs/x/doc",
        "ops/FirstCustom/outputs/y/doc",
        "ops/FirstCustom/attrs/alpha/doc",
        "ops/SecondCustom/summary",
        "ops/SecondCustom/outputs/x/doc",
    ]


def test_what_changed_is_shown_with_a_little_around_it() -> None:
    before = "Adds the residual and normalizes the sum by its root mean square; returns both."
    after = before.replace("root mean square", "standard deviation")
    was, now = changed_part(before, after)
    assert was == "...izes the sum by its root mean square; returns both."
    assert now == "...izes the sum by its standard deviation; returns both."
    assert changed_part("将两个张量相加。", "将两个张量相减。") == ("将两个张量相加。", "将两个张量相减。")


@given(st.text(max_size=80), st.text(max_size=80))
def test_parts_differ_where_texts_do(before: str, after: str) -> None:
    was, now = changed_part(before, after)
    assert (was == now) == (before.split() == after.split())
