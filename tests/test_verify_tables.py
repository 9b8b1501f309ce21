"""What opgen verify prints: the table, JSON, JUnit XML."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from opgen.verify import tables
from opgen.verify.result import Climbed, Result, exit_code, from_data

_GOOD = Climbed("a/op.yaml", "online", (Result("spec", "passed", "1 operator", seconds=0.25),))
_BAD = Climbed(
    "b/op.yaml",
    "offline",
    (
        Result("spec", "passed", "1 operator"),
        Result(
            "cpp", "failed", 'a.cpp:1: error: "x" < y & z', "line one\n\x1b[31mline two\x00\n</failure>", seconds=2.0
        ),
        Result("chain", "skipped", "not on PATH: g++", lacking=True),
    ),
    asked=True,
)
_REFUSED = Climbed("c/op.yaml", "unreadable", (Result("spec", "failed", "1 error", "c/op.yaml:1:1: error"),), True)


def test_the_table_has_a_row_a_rung_and_the_details_of_failures() -> None:
    assert tables.text([_GOOD, _BAD]) == (
        "a/op.yaml (online)\n"
        "  spec     passed      0.2 s  1 operator\n"
        "\n"
        "b/op.yaml (as offline)\n"
        "  spec     passed      0.0 s  1 operator\n"
        '  cpp      failed      2.0 s  a.cpp:1: error: "x" < y & z\n'
        "  chain    skipped     0.0 s  not on PATH: g++\n"
        "\n"
        "  cpp:\n"
        "    line one\n"
        "    \x1b[31mline two\x00\n"
        "    </failure>\n"
    )
    assert tables.summary([_GOOD, _BAD]) == "2 projects: 2 passed, 1 failed, 1 skipped"
    assert tables.summary([_GOOD]) == "1 passed"


def test_junit_is_xml_whatever_a_compiler_says() -> None:
    root = ElementTree.fromstring(tables.as_junit([_GOOD, _BAD, _REFUSED]))
    assert root.tag == "testsuites"
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("5", "2", "1")
    assert [suite.get("name") for suite in root] == ["a/op.yaml (online)", "b/op.yaml (as offline)", _REFUSED.title]
    cpp = root[1][1]
    assert (cpp.tag, cpp.get("name"), cpp.get("time")) == ("testcase", "cpp", "2.000")
    assert cpp[0].get("message") == 'a.cpp:1: error: "x" < y & z'
    assert cpp[0].text == "line one\n\ufffd[31mline two\ufffd\n</failure>"
    assert root[1][2][0].get("message") == "not on PATH: g++"


def test_json_says_all_and_can_be_read_again() -> None:
    data = json.loads(tables.as_json([_GOOD, _BAD]))
    assert (data["format"], data["passed"], data["failed"], data["skipped"]) == (1, 2, 1, 1)
    assert [from_data(item) for item in data["projects"]] == [_GOOD, _BAD]


def test_exit_codes() -> None:
    lacking = Climbed("a", "online", (_BAD.results[2],))
    impossible = Climbed("a", "eager", (Result("chain", "skipped", "OPG207: no"),))
    assert exit_code([_GOOD, lacking, impossible], strict=False) == 0
    assert exit_code([_GOOD, impossible], strict=True) == 0
    assert exit_code([_GOOD, lacking], strict=True) == 1
    assert exit_code([_GOOD, _BAD], strict=False) == 1
    assert exit_code([_BAD, _REFUSED, _GOOD], strict=False) == 2
