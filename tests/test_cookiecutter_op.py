"""The onboarding template: what it writes is a good op.yaml, by `cookiecutter` and by `opgen new`'s way."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cookiecutter.generate import generate_files
from opgen.resources import folder
from opgen.spec.loader import check
from opgen.text.yaml_reader import read
from opgen.text.yaml_writer import formula, scalar

TEMPLATE = folder("cookiecutter-op")
DEFAULTS = json.loads((TEMPLATE / "cookiecutter.json").read_text(encoding="utf-8"))


def written(tmp_path: Path, **chosen: str) -> str:
    """op.yaml with these values put in as they are."""
    plain = {k: v[0] if isinstance(v, list) else v for k, v in DEFAULTS.items() if not k.startswith("_")}
    values: dict[str, Any] = {**plain, "op": "AddCustom", **chosen}
    generate_files(TEMPLATE, {"cookiecutter": values}, tmp_path, accept_hooks=False)
    return (tmp_path / values["name"] / "op.yaml").read_bytes().decode("utf-8")


@pytest.mark.parametrize("scenario", DEFAULTS["scenario"])
@pytest.mark.parametrize("shape", ["[...]", "[N]", "[N, N]", "[..., C]", "[16, 4]", "[]"])
def test_every_scenario_and_shape_passes_the_loader(tmp_path: Path, scenario: str, shape: str) -> None:
    text = written(tmp_path, scenario=scenario, shape=shape)
    spec, findings = check(text.encode(), "op.yaml")
    assert findings == ()
    assert spec is not None
    assert (spec.scenario, spec.project) == (scenario, "add_custom")
    dims = spec.operators[0].dims
    assert all(dim.dynamic == (scenario in ("eager", "pypto")) for dim in dims)
    assert [d.name for d in dims] == list(dict.fromkeys(re.findall(r"\.\.\.|[A-Z]", shape)))


@pytest.mark.parametrize("shape", ["[...]", "[N]", "[..., C]", "[A, B]", "[A, B, C]", "[..., A, B, C]"])
def test_a_sample_is_small_whatever_the_shape(tmp_path: Path, shape: str) -> None:
    spec, _ = check(written(tmp_path, shape=shape).encode(), "op.yaml")
    assert spec is not None
    sizes = [d.default for d in spec.operators[0].dims]
    elements = math.prod(math.prod(size) if isinstance(size, tuple) else size for size in sizes)
    assert 4096 <= elements <= 65536


def test_sizes_can_be_given(tmp_path: Path) -> None:
    text = written(tmp_path, shape="[M, N]", dims="M: {default: 3}\nN: 128")
    spec, findings = check(text.encode(), "op.yaml")
    assert findings == ()
    assert spec is not None
    assert [(d.name, d.default, d.fixed) for d in spec.operators[0].dims] == [("M", 3, False), ("N", 128, True)]


def test_attributes_and_formulas_of_several_lines(tmp_path: Path) -> None:
    lines = formula("t = x * alpha\nz = t + y")
    text = written(tmp_path, compute=lines, attrs="alpha")
    spec, findings = check(text.encode(), "op.yaml")
    assert findings == ()
    assert spec is not None
    assert spec.operators[0].compute == "t = x * alpha\nz = t + y"
    assert [a.name for a in spec.operators[0].attrs] == ["alpha"]


def test_a_kernel_of_your_own_with_and_without_a_formula(tmp_path: Path) -> None:
    for number, compute in enumerate(("z = x + y", "")):
        text = written(tmp_path / str(number), kernel="my_kernel.py", compute=compute)
        spec, findings = check(text.encode(), "op.yaml")
        assert spec is not None
        assert [f.rule for f in findings if f.severity == "error"] == []
        assert spec.operators[0].kernel == "my_kernel.py"
        assert spec.operators[0].compute == compute


@pytest.mark.parametrize(
    "summary",
    ["{{ 7 * 7 }} {% raw %}", "quotes \" and \\ and ' here", "a: b # c", "two\nlines", "no", "1.5", "*/ $(x) `y`"],
)
def test_values_are_no_templates_and_come_back_unharmed(tmp_path: Path, summary: str) -> None:
    text = written(tmp_path, summary_en=scalar(summary), summary_zh=scalar("将张量相加：" + summary))
    data = read(text.encode(), "op.yaml").data
    assert data["summary"] == {"en": summary, "zh": "将张量相加：" + summary}


def test_the_comments_teach_in_both_languages(tmp_path: Path) -> None:
    text = written(tmp_path)
    for field in ("op", "scenario", "summary", "dtypes", "dims", "inputs", "compute"):
        before = text[: re.search(f"^{field}:", text, flags=re.MULTILINE).start()]  # type: ignore[union-attr]
        comment = before.rstrip("\n").rpartition("\n\n")[2]
        english, chinese = [], []
        for line in comment.split("\n"):
            (chinese if re.search("[\u4e00-\u9fff]", line) else english).append(line)
        assert english, field
        assert chinese, field
        assert all(line.startswith("# ") for line in english + chinese)


def test_form_of_the_text(tmp_path: Path) -> None:
    for number, chosen in enumerate(({}, {"scenario": "eager", "kernel": "k.py", "attrs": "a b", "project": "p"})):
        text = written(tmp_path / str(number), **chosen)
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert "\r" not in text
        assert "\n\n\n" not in text
        assert all(line == line.rstrip() for line in text.split("\n"))
        assert text.startswith("# ")
        assert max(len(line) for line in text.split("\n")) <= 120


def test_a_line_for_the_editor(tmp_path: Path) -> None:
    line = "# yaml-language-server: $schema=../schemas/op.schema.json"
    assert written(tmp_path, modeline=line).startswith(f"{line}\n# ")


def test_plain_cookiecutter(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    command = [sys.executable, "-m", "cookiecutter", "--no-input", str(TEMPLATE), "name=axpy_custom", "scenario=online"]
    home = {"HOME": str(tmp_path / "home"), "USERPROFILE": str(tmp_path / "home")}
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **home}, check=True, capture_output=True)
    data = (tmp_path / "axpy_custom" / "op.yaml").read_bytes()
    spec, findings = check(data, "op.yaml")
    assert findings == ()
    assert spec is not None
    assert (spec.operators[0].type, spec.operators[0].name, spec.scenario) == ("AxpyCustom", "axpy_custom", "online")


def test_every_question_is_asked_in_both_languages() -> None:
    asked = DEFAULTS["__prompts__"]
    assert set(asked) == {key for key in DEFAULTS if not key.startswith("_")}
    for key, question in asked.items():
        words = question["__prompt__"] if isinstance(question, dict) else question
        assert " / " in words, key
        assert re.search("[\u4e00-\u9fff]", words.rpartition(" / ")[2]), key
