"""op.schema.json itself: what editors read, and the check that is generated from it."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from opgen.facts.dtypes import DTYPES, SUB_BYTE
from opgen.facts.scenarios import SCENARIOS
from opgen.resources import folder
from opgen.spec import schema_build
from opgen.spec.schema import validate
from opgen.text.yaml_reader import read

SCHEMA = json.loads((folder("schemas") / "op.schema.json").read_text(encoding="utf-8"))
SPECS = sorted(folder("specs").glob("*/op.yaml"))


def fields(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every field that a person can write, with what the schema says about it ($ref followed once)."""
    if not isinstance(schema, dict):
        return
    for name, field in schema.get("properties", {}).items():
        if not isinstance(field, dict) or "not" in field:
            continue
        described = field
        if "$ref" in field:
            described = SCHEMA["definitions"][field["$ref"].rpartition("/")[2]]
        yield f"{path}/{name}", described
        yield from fields(field, f"{path}/{name}")
    yield from fields(schema.get("items"), path + "/items")
    yield from fields(schema.get("additionalProperties"), path + "/*")
    for name, definition in schema.get("definitions", {}).items():
        yield name, definition
        yield from fields(definition, name)


def test_it_is_a_schema_of_draft_7() -> None:
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(SCHEMA)


def test_every_field_is_described_in_both_languages() -> None:
    seen = [(path, field) for path, field in fields(SCHEMA) if path != "complete"]
    assert len(seen) > 80
    for path, field in seen:
        assert field.get("description"), path
        assert not re.search("[\u4e00-\u9fff]", field["description"]), path
        assert re.search("[\u4e00-\u9fff]", field.get("x-zh", "")), path


def test_every_mapping_is_closed() -> None:
    def walk(node: Any, path: str) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert "additionalProperties" in node, path
            for key, value in node.items():
                if key != "if":  # a condition restricts nothing
                    walk(value, f"{path}/{key}")

    walk(SCHEMA, "")


def test_types_and_scenarios_are_those_of_the_facts() -> None:
    assert SCHEMA["definitions"]["dtype"]["enum"] == list(DTYPES)
    assert not set(SCHEMA["definitions"]["dtype"]["enum"]) & set(SUB_BYTE)
    assert SCHEMA["properties"]["scenario"]["enum"] == [*SCENARIOS, "pypto"]


def test_every_example_is_yaml_and_has_the_key_it_explains() -> None:
    count = 0
    for path, field in fields(SCHEMA):
        example = field.get("x-example")
        name = path.rpartition("/")[2]
        if example and re.match(r"[a-z_]+: ", example) and not example.startswith(("{", "[")):
            count += 1
            document = read(example.encode(), path)
            assert document.findings == (), path
            assert list(document.data) == [name] or "/" not in path, path
    assert count > 40


def test_the_generated_check_is_up_to_date() -> None:
    text = schema_build.TARGET.read_text(encoding="utf-8")
    assert text == schema_build.source(), "run python -m opgen.spec.schema_build"


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.parent.name)
def test_the_gallery_fits(path: Path) -> None:
    document = read(path.read_bytes(), str(path))
    assert document.findings == ()
    assert validate(document) == ()


def test_a_spec_that_fits_imports_no_schema_library() -> None:
    code = (
        "import sys\n"
        "from opgen.text.yaml_reader import read\n"
        "from opgen.spec.schema import validate\n"
        f"assert validate(read(open({str(SPECS[0])!r}, 'rb').read(), 'op.yaml')) == ()\n"
        "print([m for m in ('jsonschema', 'fastjsonschema', 'numpy') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


EVERYTHING = """\
edition: 1
op: AddCustom
name: add_custom
project: add_custom
scenario: pypto
cann: "9.2"
soc: ascend950
neighbour: ../add_custom_online
summary: {en: Adds., zh: 相加。}
notes: [{en: a, zh: b}]
extra: [ge/a.h]
ignore: [{rule: OPG308, why: x}]
dtypes: [{T: float16, U: [int8, bool]}]
dims:
  ...: {default: [4], dynamic: true}
  N: 4096
  M: {values: [4, 8], min: 1, max: 9, multiple_of: 4, doc: {en: a, zh: b}}
inputs:
  - {name: x, dtype: T, shape: [..., N, 2 * M], default: 1.0, min: 0, max: N - 1}
  - {name: xs, dtype: U, shape: [], count: 3}
outputs:
  - {name: x, inplace: true}
  - {name: y, dtype: T, shape: [N]}
attrs:
  - {name: a, type: bool, default: true}
  - {name: b, type: int, default: 3, values: [3, 4], min: 0, max: 9, dynamic: true}
  - {name: c, type: float, default: -.inf, dynamic: false}
  - {name: d, type: string, values: [on, off], default: on}
  - {name: e, type: dtype, values: [int8]}
  - {name: f, type: ints, default: [1, 2]}
  - {name: g, type: floats, values: [[1, 2.5]]}
compute: y = x
kernel: a/b.py
tiling:
  block: {N: 8, ...: 2 * M}
  buffers: 2
  cores: auto
  workspace: 0
  data: [{name: t, value: [1, N]}]
  key: [{name: k, bits: 1, values: [0, 1], value: N > 4}]
tests:
  cases: [{...: [2, 3], b: 4, d: off}]
  tolerance: {float16: 1e-2}
"""
VALUES: list[Any] = [None, True, 0, 1, -1, 3, 4096.0, 1.5, float("inf"), "", "x", "X", "a_b", "9.2", "float16", "int"]
VALUES += [[], [1], ["x", "x"], {}, {"N": 1}, {"en": "a", "zh": "b"}, "y\n", 2**70]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) in a document."""
    if not isinstance(value, (dict, list)):
        return
    for key, inner in list(value.items()) if isinstance(value, dict) else list(enumerate(value)):
        yield value, key
        yield from places(inner)


def test_a_document_with_every_field_fits() -> None:
    document = read(EVERYTHING.encode(), "op.yaml")
    assert document.findings == ()
    assert validate(document) == ()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_generated_check_agrees_with_the_explanation(data: st.DataObject) -> None:
    """Whatever stands wherever: the check refuses exactly when the explanation finds something."""
    from opgen.spec.schema_explain import explain
    from opgen.spec.schema_fast import Invalid, check

    document = read(EVERYTHING.encode(), "op.yaml")
    document.data = copy.deepcopy(document.data)
    for _ in range(data.draw(st.integers(1, 2))):
        container, key = data.draw(st.sampled_from(list(places(document.data))))
        change = data.draw(st.sampled_from(["set", "drop", "add"]))
        if change == "set":
            container[key] = data.draw(st.sampled_from(VALUES))
        elif change == "drop":
            del container[key]
        elif isinstance(container, dict):
            container[data.draw(st.sampled_from(["ops", "default", "zz", "N", "doc", "kernl"]))] = 1
    try:
        check(document.data)
        fits = True
    except Invalid:
        fits = False
    found = explain(document)
    assert fits == (not found)
    assert all(f.what and f.rule.startswith("OPG01") for f in found)
