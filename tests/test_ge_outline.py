"""The outline of a GE project agrees with its texts."""

from __future__ import annotations

import ast
import re

import pytest
from ge_support import project
from ge_zoo import CASES, library_text, spec_text
from opgen.facts.reserved import TAKEN_STEMS
from opgen.ge.outline import outline

_ALL = [spec_text(op, scenario) for op, scenario in CASES] + [library_text("eager"), library_text("offline")]


@pytest.mark.parametrize("text", _ALL, ids=[*map("-".join, CASES), "library-eager", "library-offline"])
def test_every_file_has_a_text_and_a_role(text: str) -> None:
    spec, texts = project(text)
    entries = outline(spec).entries
    assert list(texts) == [entry.path for entry in entries]
    assert len({path.lower() for path in texts}) == len(texts)
    for entry in entries:
        assert entry.role.en and entry.role.zh, entry.path
        assert re.search(r"[\u4e00-\u9fff]", entry.role.zh) and not re.search(r"[\u4e00-\u9fff]", entry.role.en)
        assert entry.executable == (entry.path == "run.sh")
        head = texts[entry.path].splitlines()[:2]
        if entry.owner == "generated":
            assert any("Generated from op.yaml by opgen." in line for line in head), entry.path
        else:
            assert "Yours" in head[0], entry.path
        assert texts[entry.path].endswith("\n") and not texts[entry.path].endswith("\n\n"), entry.path
        for line in texts[entry.path].splitlines():
            assert line == line.rstrip(), (entry.path, line)
        if entry.path.endswith(".py"):
            ast.parse(texts[entry.path])


@pytest.mark.parametrize("text", _ALL, ids=[*map("-".join, CASES), "library-eager", "library-offline"])
def test_no_operator_can_take_the_header_of_a_shared_file(text: str) -> None:
    """`#include "half.h"` must not find the REG_OP header of an operator that is called half."""
    spec, texts = project(text)
    own = {name for o in spec.operators for name in (o.name, f"{o.name}_case", f"{o.name}_tiling")}
    stems = {path.rpartition("/")[2].removesuffix(".h") for path in texts if path.endswith(".h")}
    assert stems - own <= set(TAKEN_STEMS)


def test_pairs_of_files_share_a_line_of_the_tree() -> None:
    spec, _ = project(spec_text("SplitZoo", "offline"))
    groups: dict[str, list[str]] = {}
    for entry in outline(spec).entries:
        if entry.group:
            groups.setdefault(entry.group, []).append(entry.path)
    assert groups["ge/kernel"] == ["ge/kernel.h", "ge/kernel.cpp"]
    assert all(paths == [f"{group}.h", f"{group}.cpp"] for group, paths in groups.items())


def test_files_of_the_user_are_written_once() -> None:
    spec, texts = project(spec_text("SplitZoo", "offline"))
    once = [entry.path for entry in outline(spec).entries if entry.owner == "once"]
    assert once == ["split.py", "split_reference.py"]
    assert "def reference(xs, mask, *, parts):" in texts["split_reference.py"]


def test_steps_say_what_happens_in_both_languages() -> None:
    spec, _ = project(spec_text("SplitZoo", "offline"))
    steps = outline(spec).steps
    assert [step.title for step in steps] == [
        "build the operator library, graph_build and model_exec",
        "write the graph",
        "compile the graph into an OM (Compile, Serialize)",
        "write input data and expected values",
        "load the OM and run it without the operator package (Deserialize, Execute)",
    ]
    for step in steps:
        assert step.does.en.endswith(".") and step.does.zh.endswith("。")
    assert steps[-1].prints == ("Model loaded from .../build/split_zoo.om", "Precision check passed, max_error=...")


def test_a_project_without_expected_values_does_not_claim_to_check() -> None:
    spec, texts = project(spec_text("AttributesZoo", "online"))
    assert "checks the result" not in texts["run.sh"]
    for step in outline(spec).steps:
        assert "check" not in step.does.en and "校验" not in step.does.zh
