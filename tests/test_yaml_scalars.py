"""Plain scalars mean what YAML 1.2 says, and true and false are the only booleans."""

from __future__ import annotations

import math

import pytest
from opgen.text.yaml_reader import read
from opgen.text.yaml_scalars import mistaken_for, resolve


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-5", 1e-5),
        ("1E5", 1e5),
        (".5", 0.5),
        ("1.", 1.0),
        ("-1.5e+3", -1500.0),
        ("+.5E1", 5.0),
        ("12", 12),
        ("-7", -7),
        ("+3", 3),
        ("0x1F", 31),
        ("0o17", 15),
        (".inf", math.inf),
        ("-.inf", -math.inf),
        ("+.Inf", math.inf),
    ],
)
def test_numbers(text: str, value: float) -> None:
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


def test_not_a_number() -> None:
    value = resolve(".nan")
    assert isinstance(value, float)
    assert math.isnan(value)


@pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL"])
def test_nothing(text: str) -> None:
    assert resolve(text) is None


def test_true_and_false_are_the_booleans() -> None:
    assert resolve("true") is True
    assert resolve("false") is False


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "on",
        "off",
        "yes",
        "y",
        "n",
        "No",
        "True",
        "FALSE",
        "910_93",
        "12:30",
        "2024-01-01",
        "0b101",
        "1_000",
        "e5",
        ".",
        "-",
        "+",
        "1e",
        "0x",
        "0o8",
        "inf",
        "nan",
        "1.2.3",
        "-.nan",
        "...",
    ],
)
def test_everything_else_is_a_string(text: str) -> None:
    assert resolve(text) == text


@pytest.mark.parametrize(
    "text", ["910_93", "9.10", "1_000.5", "12:30", "2024-01-01", "0x1F", "0b11", "~", "true", "12"]
)
def test_what_some_reader_takes_for_something_else(text: str) -> None:
    assert mistaken_for(text)


@pytest.mark.parametrize(
    "text", ["Ascend910_9362", "910_9x", "no", "on", "add_custom", "_1", "v1.2", "1.2.3", "1-2-3", "C"]
)
def test_what_every_reader_takes_for_a_string(text: str) -> None:
    assert mistaken_for(text) is None


def test_words_of_yaml_1_1_stay_strings_even_as_keys() -> None:
    document = read(b"enum: [on, off, none]\ndefault: no\non: yes\n", "op.yaml")
    assert document.findings == ()
    assert document.data == {"enum": ["on", "off", "none"], "default": "no", "on": "yes"}


@pytest.mark.parametrize("text", ["012", "-007", "1e999", "-1e999", "1e-999", "9" * 500])
def test_a_number_that_readers_disagree_about_is_refused(text: str) -> None:
    document = read(f"block: {text}\n".encode(), "op.yaml")
    (finding,) = document.findings
    assert finding.rule == "OPG021"
    assert finding.pointer == "/block"
    assert finding.place is not None
    assert (finding.place.line, finding.place.column, finding.place.length) == (1, 8, len(text))


@pytest.mark.parametrize("text", ["0", "0.0", "0e5", "10", "1e308", "1e-300", '"012"', "Ascend012"])
def test_plain_numbers_and_strings_are_not(text: str) -> None:
    assert read(f"block: {text}\n".encode(), "op.yaml").findings == ()
