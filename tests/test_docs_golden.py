"""READMEs in full, read by eye. OPGEN_UPDATE=1 writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from docs_support import pair

GOLDEN = Path(__file__).parent / "golden" / "readme"
CHOSEN = [
    ("static", "offline"),
    ("axpy", "online"),
    ("fixed", "eager"),
    ("adam", "eager"),
    ("table", "online"),
    ("cast", "eager"),
    ("choice", "offline"),
    ("reference", "online"),
    ("library", "offline"),
    ("texts", "online"),
]


@pytest.mark.parametrize(("name", "scenario"), CHOSEN)
def test_the_readmes_are_these(name: str, scenario: str) -> None:
    folder = GOLDEN / f"{name}_{scenario}"
    for file, text in zip(("README.md", "README_en.md"), pair(name, scenario), strict=True):
        path = folder / file
        if os.environ.get("OPGEN_UPDATE") == "1":
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.read_text(encoding="utf-8") == text


def test_every_golden_is_compared() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {f"{name}_{scenario}" for name, scenario in CHOSEN}
