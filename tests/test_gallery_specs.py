"""The gallery: every spec is accepted, planned, documented in both languages, and shows what it is there to show."""

from __future__ import annotations

import re

import pytest
from opgen.kernel.planner import plan_kernel
from opgen.kernel.pypto.planner import plan_pypto
from opgen.resources import folder
from opgen.spec.loader import check, load
from opgen.spec.model import OpSpec

SPECS = sorted(path.parent for path in folder("specs").glob("*/op.yaml"))
NAMES = [path.name for path in SPECS]


def spec_of(name: str) -> OpSpec:
    return load((folder("specs") / name / "op.yaml").read_bytes(), "op.yaml")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_accepted_without_a_word(name: str) -> None:
    spec, findings = check((folder("specs") / name / "op.yaml").read_bytes(), "op.yaml")
    assert findings == ()
    assert spec is not None
    plan_any = plan_pypto if spec.scenario == "pypto" else plan_kernel
    for operator in spec.operators:
        plan, findings = plan_any(spec, operator)
        assert plan is not None, findings


@pytest.mark.parametrize("name", NAMES)
def test_every_row_has_a_text_in_both_languages(name: str) -> None:
    for operator in spec_of(name).operators:
        dims = [dim for dim in operator.dims if not dim.fixed]
        for row in (*dims, *operator.inputs, *operator.outputs, *operator.attrs):
            assert row.doc.en and re.search(r"[\u4e00-\u9fff]", row.doc.zh), row.name


@pytest.mark.parametrize("name", NAMES)
def test_links_between_neighbours_lead_somewhere(name: str) -> None:
    neighbour = spec_of(name).neighbour
    assert not neighbour or (folder("specs") / name / neighbour / "op.yaml").is_file()


def test_operator_types_and_projects_are_unique() -> None:
    specs = [spec_of(name) for name in NAMES]
    types = [operator.type for spec in specs for operator in spec.operators]
    projects = [spec.project for spec in specs]
    assert len(set(types)) == len(types)
    assert len(set(projects)) == len(projects)


@pytest.mark.parametrize(
    ("name", "op", "project", "scenario"),
    [
        ("add_custom", "AddCustom", "tilelang_add_custom", "eager"),
        ("add_custom_online", "AddCustomOnline", "tilelang_add_custom_online", "online"),
        ("add_custom_offline", "AddCustomOffline", "tilelang_add_custom_offline", "offline"),
    ],
)
def test_the_samples_keep_their_names_and_sizes(name: str, op: str, project: str, scenario: str) -> None:
    spec = spec_of(name)
    (operator,) = spec.operators
    assert (operator.type, operator.name, spec.project, spec.scenario) == (op, "add_custom", project, scenario)
    assert [(dim.name, dim.default, dim.fixed) for dim in operator.dims] == [("N", 4096, True)]
    assert operator.tiling.block is not None and not isinstance(operator.tiling.block, tuple)
    assert operator.tiling.block.number == 1024
