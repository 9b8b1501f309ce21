"""The gallery climbs the whole ladder, in every scenario that its operators allow."""

from __future__ import annotations

import json

import pytest
from chain_support import home
from conftest import ROOT, Opgen, gallery
from opgen.dialect import cpu


@pytest.mark.full
def test_every_operator_passes_every_rung_in_every_scenario(opgen: Opgen) -> None:
    home()
    if cpu.find() is None:
        pytest.skip("no CPU build of TileLang here: `opgen doctor --install` prepares it")
    ran = opgen("verify", "specs", "--scenario", "all", "--format", "json", "--jobs", "2", cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    projects = json.loads(ran.stdout)["projects"]
    assert len(projects) == 3 * len(gallery()) + len(gallery(pypto=True))
    for project in projects:
        for result in project["results"]:
            impossible = project["asked"] and result["summary"].startswith("OPG207: ")
            assert result["status"] == ("skipped" if impossible else "passed"), (project["project"], result)
