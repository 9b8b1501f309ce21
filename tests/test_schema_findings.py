"""What the schema does not allow: one finding a mistake, at its place, with what to write instead."""

from __future__ import annotations

import json

import pytest
from opgen.resources import folder
from opgen.spec.schema import validate
from opgen.text.findings import Finding
from opgen.text.yaml_reader import read

BASE = """\
edition: 1
op: AddCustom
scenario: offline
summary: {en: Adds., zh: 相加。}
dtypes: {T: [float32, float16]}
dims: {N: {default: 4096}}
inputs:
  - {name: x, dtype: T, shape: [N]}
  - {name: y, dtype: T, shape: [N]}
outputs:
  - {name: z, dtype: T, shape: [N]}
compute: z = x + y
"""
DIMS, OUTPUT, COMPUTE = "{N: {default: 4096}}", "{name: z, dtype: T, shape: [N]}", "compute: z = x + y\n"
SHAPE = "shape: [N]"


def findings(old: str, new: str) -> tuple[Finding, ...]:
    assert old in BASE
    document = read(BASE.replace(old, new, 1).encode(), "op.yaml")
    assert document.findings == ()
    return validate(document)


def only(old: str, new: str, rule: str, marked: str) -> Finding:
    """The one finding after a change of the base, which must mark this piece of the text."""
    (finding,) = findings(old, new)
    assert finding.rule == rule, finding
    place = finding.place
    assert place is not None
    line = BASE.replace(old, new, 1).split("\n")[place.line - 1]
    assert line[place.column - 1 : place.column - 1 + place.length] == marked
    return finding


def attr(item: str, rule: str, marked: str) -> Finding:
    return only(COMPUTE, f"attrs:\n  - {item}\n{COMPUTE}", rule, marked)


def test_the_base_is_fine() -> None:
    assert validate(read(BASE.encode(), "op.yaml")) == ()


# -- unknown keys (OPG011) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "marked", "meant"),
    [
        ("inputs:", "inptus:", "inptus", "inputs"),
        ("inputs:", "input:", "input", "inputs"),
        ("inputs:", "Inputs:", "Inputs", "inputs"),
        (COMPUTE, "comptue: z = x + y\n", "comptue", "compute"),
        (COMPUTE, "formula: z = x + y\n", "formula", "compute"),
        (COMPUTE, "kernal: a.py\n", "kernal", "kernel"),
        ("dtype: T", "dtyp: T", "dtyp", "dtype"),
        ("dtype: T", "type: T", "type", "dtype"),
        ("default: 4096", "defualt: 4096", "defualt", "default"),
        ("summary:", "description:", "description", "summary"),
    ],
)
def test_a_key_that_is_nearly_known(old: str, new: str, marked: str, meant: str) -> None:
    finding = only(old, new, "OPG011", marked)
    assert finding.fix.startswith(f"Write {meant}.")


def test_a_key_that_is_not_known_lists_what_is() -> None:
    finding = only(OUTPUT, "{name: z, dtype: T, shape: [N], default: 1}", "OPG011", "default")
    assert "name, dtype, shape, inplace, count, doc" in finding.fix


def test_a_wrong_key_beside_the_right_one() -> None:
    finding = only(COMPUTE, f"formula: z = x\n{COMPUTE}", "OPG011", "formula")
    assert "compute stands here already" in finding.fix


def test_what_stands_below_a_wrong_key_is_checked_too() -> None:
    rules = [(f.rule, f.pointer) for f in findings(COMPUTE, f"atrs: [{{name: a, typ: bol}}]\n{COMPUTE}")]
    assert rules == [("OPG011", "/atrs"), ("OPG011", "/atrs/0/typ"), ("OPG015", "/atrs/0/typ")]


# -- types and quotes (OPG012, OPG013) ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "marked", "fix"),
    [
        (SHAPE, "shape: {dims: 3}", "{dims: 3}", "shape: [..., C]"),
        (SHAPE, "shape: N", "N", "Write [N]."),
        (SHAPE, "shape: [1.5]", "1.5", "integer"),
        ("4096", '"4096"', '"4096"', "Write 4096 without quotes."),
        ("4096", "4_096", "4_096", "Write 4096."),
        ("4096", "4096.0", "4096.0", "Write 4096."),
        (DIMS, "{N: {default: 1, dynamic: yes}}", "yes", "Write true."),
        (DIMS, "{N: {default: 1, dynamic: False}}", "False", "Write false."),
        ("edition: 1", 'edition: "1"', '"1"', "Write 1 without quotes."),
        ("{en: Adds., zh: 相加。}", "Adds.", "Adds.", "{en: "),
        ("[float32, float16]", "float16", "float16", "Write [float16]."),
        ("z = x + y", "1", "1", "compute: z = x + y"),
        ("{name: x, dtype: T, shape: [N]}", "x", "x", "{name: x"),
    ],
)
def test_a_value_of_the_wrong_type(old: str, new: str, marked: str, fix: str) -> None:
    assert fix in only(old, new, "OPG012", marked).fix


def test_a_key_without_a_value() -> None:
    (finding,) = findings("op: AddCustom", "op:")
    assert finding.rule == "OPG012"
    assert "no value" in finding.what


@pytest.mark.parametrize(
    ("old", "new", "marked", "fix"),
    [
        ("scenario: offline", "scenario: offline\nsoc: 910_93", "910_93", '"910_93"'),
        ("scenario: offline", "scenario: offline\nsoc: 910", "910", '"910"'),
        ("scenario: offline", "scenario: offline\ncann: 9.2", "9.2", '"9.2"'),
        ("scenario: offline", "scenario: offline\ncann: 9.10", "9.10", '"9.1", "9.2"'),
        ("en: Adds.", "en: 2024-01-01", "2024-01-01", '"2024-01-01"'),
        ("en: Adds.", "en: 12:30", "12:30", '"12:30"'),
        ("en: Adds.", "en: true", "true", '"true"'),
        (COMPUTE, f"ignore: [{{rule: OPG308, why: 12}}]\n{COMPUTE}", "12", '"12"'),
    ],
)
def test_a_string_that_looks_like_a_number_or_a_date(old: str, new: str, marked: str, fix: str) -> None:
    finding = only(old, new, "OPG013", marked)
    assert fix in finding.fix


def test_quotes_make_it_right() -> None:
    assert findings("scenario: offline", 'scenario: offline\nsoc: "910_93"\ncann: "9.2"') == ()


def test_words_of_yaml_1_1_need_no_quotes() -> None:
    item = "{name: m, type: string, values: [on, off, none, no], default: no}"
    assert findings(COMPUTE, f"attrs: [{item}]\n{COMPUTE}") == ()


def test_not_a_number_is_no_value() -> None:
    attr("{name: a, type: float, default: .nan}", "OPG012", ".nan")
    assert findings(COMPUTE, f"attrs: [{{name: a, type: float, default: -.inf}}]\n{COMPUTE}") == ()


@pytest.mark.parametrize("number", ["1e-5", "1E5", ".5", "1.", "3"])
def test_every_way_to_write_a_float(number: str) -> None:
    assert findings(COMPUTE, f"attrs: [{{name: a, type: float, default: {number}}}]\n{COMPUTE}") == ()


# -- missing keys (OPG014) ------------------------------------------------------------------------------------------


def test_a_missing_key_says_what_it_is_for() -> None:
    finding = only("edition: 1\n", "", "OPG014", "op")
    assert "edition" in finding.what
    assert finding.fix == "Add edition: 1."
    finding = only(DIMS, "{N: {dynamic: true}}", "OPG014", "{dynamic: true}")
    assert "default" in finding.what


def test_missing_keys_of_one_mapping_are_one_finding() -> None:
    finding = only("{name: x, dtype: T, shape: [N]}", "{name: x}", "OPG014", "{name: x}")
    assert "dtype, shape" in finding.what


def test_neither_formula_nor_kernel() -> None:
    finding = only(COMPUTE, "", "OPG014", "edition")
    assert "compute" in finding.fix
    assert "kernel" in finding.fix


def test_values_of_strings_and_types() -> None:
    assert "values" in attr("{name: a, type: string}", "OPG014", "{name: a, type: string}").fix
    assert "values" in attr("{name: a, type: dtype}", "OPG014", "{name: a, type: dtype}").fix


# -- values (OPG015) ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "marked", "fix"),
    [
        ("offline", "offlin", "offlin", "Write offline."),
        ("offline", "Offline", "Offline", "Write offline."),
        ("[float32, float16]", "[fp16]", "fp16", "Write float16."),
        ("[float32, float16]", "[half]", "half", "Write float16."),
        ("[float32, float16]", "[Float32]", "Float32", "Write float32."),
        ("[float32, float16]", "[folat32]", "folat32", "Write float32."),
        ("[float32, float16]", "[float64]", "float64", "One of: float32"),
        ("edition: 1", "edition: 2", "2", "Write 1."),
        (SHAPE, "shape: [0]", "0", "Write 1 or more."),
        ("4096", "-1", "-1", "Write 1 or more."),
        ("4096", "2147483648", "2147483648", "Write 2147483647 or less."),
        (OUTPUT, "{name: x, inplace: false}", "false", "Remove inplace"),
        (COMPUTE, f"tests: {{tolerance: {{fp16: 1e-3}}}}\n{COMPUTE}", "fp16", "Write float16."),
    ],
)
def test_a_value_that_is_not_allowed(old: str, new: str, marked: str, fix: str) -> None:
    assert fix in only(old, new, "OPG015", marked).fix


def test_types_of_less_than_a_byte() -> None:
    finding = only("[float32, float16]", "[float32, int4]", "OPG015", "int4")
    assert "byte" in finding.what
    assert "int8" in finding.fix


def test_the_type_of_an_attribute() -> None:
    assert attr("{name: flag, type: bol}", "OPG015", "bol").fix.startswith("Write bool.")
    assert attr("{name: flag, type: str}", "OPG015", "str").fix.startswith("Write string.")


# -- combinations (OPG016) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        (COMPUTE, f"{COMPUTE}kernel: k.py\nreference: r.py\n", "compute"),
        (COMPUTE, f"{COMPUTE}reference: r.py\n", "reference"),
        (OUTPUT, "{name: x, inplace: true, dtype: T}", "dtype"),
        (OUTPUT, "{name: x, inplace: true, count: 2}", "count"),
    ],
)
def test_keys_that_exclude_each_other(old: str, new: str, marked: str) -> None:
    finding = only(old, new, "OPG016", marked)
    assert finding.why
    assert finding.fix


def test_all_keys_that_one_reason_excludes_are_one_finding() -> None:
    finding = only(OUTPUT, "{name: x, inplace: true, dtype: T, shape: [N]}", "OPG016", "dtype")
    assert "dtype, shape" in finding.what


def test_an_operator_beside_a_list_of_operators() -> None:
    item = "ops: [{op: A, summary: {en: a, zh: b}, inputs: [{name: x, dtype: int8, shape: []}], "
    item += "outputs: [{name: y, dtype: int8, shape: []}], compute: y = x}]"
    finding = only(COMPUTE, f"project: lib\n{item}\n{COMPUTE}", "OPG016", "op")
    assert "op, dtypes, dims, inputs, outputs, compute" in finding.what


@pytest.mark.parametrize("kind", ["bool", "string", "dtype", "ints", "floats"])
def test_only_floats_and_ints_are_dynamic(kind: str) -> None:
    values = {"string": ", values: [a]", "dtype": ", values: [int8]"}.get(kind, "")
    finding = attr(f"{{name: a, type: {kind}{values}, dynamic: true}}", "OPG016", "dynamic")
    assert "float or an int" in finding.why


@pytest.mark.parametrize("kind", ["float", "int"])
def test_floats_and_ints_may_be_dynamic_or_static(kind: str) -> None:
    for choice in ("true", "false"):
        item = f"attrs: [{{name: a, type: {kind}, default: 1, dynamic: {choice}}}]\n{COMPUTE}"
        assert findings(COMPUTE, item) == ()


def test_fields_of_the_library_inside_of_an_operator() -> None:
    text = "edition: 1\nproject: p\nscenario: online\nsummary: {en: a, zh: b}\nops:\n  - op: A\n    soc: x\n"
    text += "    summary: {en: a, zh: b}\n    inputs: [{name: x, dtype: int8, shape: []}]\n"
    text += "    outputs: [{name: y, dtype: int8, shape: []}]\n    compute: y = x\n"
    (finding,) = validate(read(text.encode(), "op.yaml"))
    assert (finding.rule, finding.pointer) == ("OPG011", "/ops/0/soc")
    assert "top of the file" in finding.fix


# -- names (OPG017, P50, P51) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "marked", "fix"),
    [
        ("5gItem", "5", "AddCustom"),
        ("add.custom", "a", "Write AddCustom."),
        ("add-custom", "a", "Write AddCustom."),
        ("add custom", "a", "Write AddCustom."),
        ("Add.custom", ".", "Write AddCustom."),
        ("加法", "加", "AddCustom"),
        ("Add加法", "加", "AddCustom"),
        ("''", "''", "AddCustom"),
        ("A" * 300, "A" * 300, "at most 64"),
        ("2dConv", "2", "AddCustom"),
        ("../escaped", ".", ""),
        ("910_93", "9", "AddCustom"),
    ],
)
def test_an_operator_type_that_breaks_the_rule(name: str, marked: str, fix: str) -> None:
    finding = only("AddCustom", name, "OPG017", marked)
    assert fix in finding.fix


@pytest.mark.parametrize(
    ("name", "marked", "fix"),
    [
        ("AddCustom", "A", "Write add_custom."),
        ("add__custom", "_", "Write add_custom."),
        ("add_", "_", "Write add."),
        ("_add", "_", "Write add."),
        ("add-custom", "-", "Write add_custom."),
        ("HTTPServer2", "H", "Write http_server2."),
    ],
)
def test_a_snake_case_name_that_breaks_the_rule(name: str, marked: str, fix: str) -> None:
    assert only("op: AddCustom", f"op: AddCustom\nname: {name}", "OPG017", marked).fix == fix


def test_the_rule_in_the_message_is_the_rule_of_the_schema() -> None:
    schema = json.loads((folder("schemas") / "op.schema.json").read_text(encoding="utf-8"))
    rule = schema["definitions"]["op"]["patternErrorMessage"]
    assert rule in only("AddCustom", "5gItem", "OPG017", "5").why
    rule = schema["definitions"]["tensorName"]["patternErrorMessage"]
    assert rule in only("name: x", "name: X", "OPG017", "X").why


def test_a_lower_case_dim() -> None:
    finding = only(DIMS, "{n: {default: 4096}}", "OPG017", "n")
    assert finding.fix == "Write N."


@pytest.mark.parametrize("path", ["../k.py", "/tmp/k.py", "a//k.py", "k.txt", "my kernel.py", "a/../k.py", "核.py"])
def test_files_stay_inside(path: str) -> None:
    (finding,) = findings(COMPUTE, f"{COMPUTE}kernel: {path}\n")
    assert finding.rule == "OPG017"
    assert "inside the folder" in finding.why


def test_a_newline_at_the_end_of_a_name() -> None:
    (finding,) = findings("op: AddCustom", 'op: "AddCustom\\n"')
    assert finding.rule == "OPG017"


# -- lists (OPG018) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("[float32, float16]", "[float32, float16, float32]", "float32"),
        ("[float32, float16]", "[]", "[]"),
        (DIMS, "{N: {values: [4, 8, 4]}}", "4"),
        (SHAPE, "shape: [1, 2, 3, 4, 5, 6, 7, 8, 9]", "9"),
        (COMPUTE, f"tiling: {{}}\n{COMPUTE}", "{}"),
    ],
)
def test_lists_that_are_empty_too_long_or_repeat_themselves(old: str, new: str, marked: str) -> None:
    only(old, new, "OPG018", marked)


# -- all in one run -------------------------------------------------------------------------------------------------


def test_all_findings_come_in_one_run_in_order_of_place() -> None:
    text = BASE.replace("offline", "offlin").replace("4096", "x").replace("op: AddCustom", "op: add")
    text = text.replace("float32", "fp32").replace("inputs:", "inptus:")
    found = validate(read(text.encode(), "op.yaml"))
    assert [f.rule for f in found] == ["OPG017", "OPG015", "OPG015", "OPG012", "OPG011"]


def test_what_the_reader_said_is_not_said_again() -> None:
    document = read(BASE.replace("shape: [N]", "shape: [N，N]", 1).replace("4096", "012").encode(), "op.yaml")
    assert [f.rule for f in document.findings] == ["OPG021", "OPG007"]
    assert validate(document) == ()


def test_a_document_that_could_not_be_read_has_no_findings_of_the_schema() -> None:
    assert validate(read(b"a: [", "op.yaml")) == ()
