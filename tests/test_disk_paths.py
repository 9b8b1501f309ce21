"""Paths that opgen may write."""

from __future__ import annotations

import pytest
from opgen.disk.paths import collisions, part_problem, path_problem


@pytest.mark.parametrize("path", ["a", "ge/custom_op.cpp", ".gitignore", "中文/a b.h", "console.h", "x.git/y"])
def test_ordinary_paths_are_fine(path: str) -> None:
    assert path_problem(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "a/./b",
        "a//b",
        "a/",
        "C:/x",
        "a\\b",
        "a\nb",
        "a\0b",
        "CON",
        "ge/con.h",
        "LPT1.txt",
        "COM¹",
        "a/trailing.",
        "trailing /a",
        "a?b",
        "x" * 256,
        "\ud800",
    ],
)
def test_paths_that_lead_elsewhere_or_exist_nowhere(path: str) -> None:
    assert path_problem(path)


@pytest.mark.parametrize(
    "path", ["op.yaml", "OP.yaml", ".git/config", "sub/.git/hooks/x", ".opgen/lock.json", ".OPGEN/x"]
)
def test_what_belongs_to_others(path: str) -> None:
    assert path_problem(path) == "it is not a file that opgen writes"


def test_the_length_is_counted_in_bytes() -> None:
    assert part_problem("算" * 85) is None
    assert part_problem("算" * 86) == "it is longer than 255 bytes"


@pytest.mark.parametrize(
    ("paths", "named"),
    [
        (["AddCustom.h", "Addcustom.h"], ("AddCustom.h", "Addcustom.h")),
        (["ge", "ge/a.h"], ("ge", "ge/a.h")),
        (["GE/a.h", "ge"], ("GE/a.h", "ge")),
        (["straße.h", "STRASSE.h"], ("straße.h", "STRASSE.h")),
    ],
)
def test_paths_that_cannot_stand_side_by_side(paths: list[str], named: tuple[str, str]) -> None:
    (finding,) = collisions(paths)
    assert finding.rule == "OPG605"
    assert all(f'"{name}"' in finding.what for name in named)


def test_files_of_one_folder_do_not_collide() -> None:
    assert list(collisions(["ge/a.h", "ge/b.h", "gex", "ge.h"])) == []
