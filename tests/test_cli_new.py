"""opgen new: what it writes, what it refuses, and that a refusal leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_support import Run, run
from conftest import Opgen
from disk_support import TEXTS, contents, picture, plan
from opgen.cli.onboarding import roles
from opgen.disk import transaction
from opgen.disk.plan import Plan
from opgen.formula.sizes import show
from opgen.spec.loader import load
from opgen.spec.model import OpSpec
from opgen.text.findings import Refused
from opgen.text.yaml_reader import read

__all__ = ["run"]


@pytest.fixture(autouse=True)
def small_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a project do not matter here, only op.yaml does."""

    def plan_project(spec: OpSpec, data: bytes, name: str, findings: Any, settings: Any) -> Plan:
        return Plan(plan().files, "1", "2", "0.1.0", findings)

    monkeypatch.setattr("opgen.project.plan.plan_project", plan_project)


def spec_in(folder: Path) -> OpSpec:
    return load((folder / "op.yaml").read_bytes(), "op.yaml")


@pytest.mark.parametrize("name", ["add_custom", "AddCustom"])
def test_a_name_is_enough(run: Run, tmp_path: Path, name: str) -> None:
    ran = run("new", name)
    assert ran.code == 0, ran.err
    assert ran.out == ""
    assert [p.name for p in tmp_path.iterdir()] == ["add_custom"]
    assert set(contents(tmp_path / "add_custom")) == {"op.yaml", *TEXTS}
    assert (tmp_path / "add_custom/.opgen/lock.json").is_file()
    assert "create    add_custom/op.yaml" in ran.err
    assert "opgen verify add_custom" in ran.err
    spec = spec_in(tmp_path / "add_custom")
    assert (spec.project, spec.scenario) == ("add_custom", "offline")
    assert (spec.operators[0].type, spec.operators[0].name) == ("AddCustom", "add_custom")


def test_every_option_reaches_op_yaml(run: Run, tmp_path: Path) -> None:
    ran = run(
        "new", "axpy_custom", "-o", "deep/er", "--scenario", "eager", "--op", "AxpyOfMine", "--soc", "Ascend910B3",
        "--cann", "9.1", "--dtype", "float32,bfloat16", "--dtype", "float16", "--shape", "[R, 8]",
        "--formula", "z = x + alpha * y", "--summary-en", 'A "scaled": sum # here', "--summary-zh", "缩放：求和",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    spec = spec_in(tmp_path / "deep/er/axpy_custom")
    (operator,) = spec.operators
    assert (spec.scenario, spec.soc, spec.cann, spec.project) == ("eager", "Ascend910B3", "9.1", "axpy_custom")
    assert (operator.type, operator.name, operator.compute) == ("AxpyOfMine", "axpy_of_mine", "z = x + alpha * y")
    assert [t.name for t in operator.inputs] == ["x", "y"]
    assert [t.name for t in operator.outputs] == ["z"]
    assert [a.name for a in operator.attrs] == ["alpha"]
    assert operator.combinations == ((("T", "float32"),), (("T", "bfloat16"),), (("T", "float16"),))
    assert [d.name for d in operator.dims] == ["R"]
    assert (spec.summary.en, spec.summary.zh) == ('A "scaled": sum # here', "缩放：求和")


@pytest.mark.parametrize("formula", ["m = x * y\nz = m + exp(m)", "z = x if True else y # : x", "z = x"])
def test_any_formula_survives(run: Run, tmp_path: Path, formula: str) -> None:
    ran = run("new", "a_custom", "--formula", formula)
    if ran.code == 0:
        data = read((tmp_path / "a_custom" / "op.yaml").read_bytes(), "op.yaml").data
        assert data["compute"].strip() == formula
    else:
        assert "op.yaml:" in ran.err or "--formula:" in ran.err
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("formula", "inputs", "outputs", "attrs"),
    [
        ("z = x + y", ["x", "y"], ["z"], []),
        ("m = max(x, axis=-1)\ne = exp(x - m)\ny = e / sum(e, axis=-1)", ["x"], ["y"], []),
        ("a = x * alpha\nb = x + N", ["x"], ["a", "b"], ["alpha"]),
        ("y = cast(x, float16)", ["x"], ["y"], []),
        ('y = gelu(x, approximate="tanh")', ["x"], ["y"], []),
    ],
)
def test_roles_of_names(formula: str, inputs: list[str], outputs: list[str], attrs: list[str]) -> None:
    found = roles(formula)
    assert [*found.inputs] == inputs
    assert [*found.outputs] == outputs
    assert [*found.attrs] == attrs


def shapes_in(folder: Path) -> dict[str, str]:
    (operator,) = spec_in(folder).operators
    return {t.name: ", ".join(map(show, t.shape)) for t in (*operator.inputs, *operator.outputs)}


@pytest.mark.parametrize(
    ("formula", "options", "shapes"),
    [
        ("y = sum(x, axis=-1)", ["..., C", "y=..."], {"x": "..., C", "y": "..."}),
        ("y = x * g", ["[..., 8]", "g = [8]"], {"x": "..., 8", "g": "8", "y": "..., 8"}),
        ("c = a @ b", [], {"a": "M, K", "b": "K, N", "c": "M, N"}),
        ("c = a @ b", ["a=8,K", "b=K,16", "c=8,16"], {"a": "8, K", "b": "K, 16", "c": "8, 16"}),
        (
            "y = relu(matmul(x, w, transpose_b=True) + bias) + r",
            [],
            {"x": "M, K", "w": "N, K", "bias": "N", "r": "M, N", "y": "M, N"},
        ),
        ("c = matmul(a, b, transpose_a=True)", [], {"a": "K, M", "b": "K, N", "c": "M, N"}),
    ],
)
def test_shapes_of_single_tensors_and_of_products(
    run: Run, tmp_path: Path, formula: str, options: list[str], shapes: dict[str, str]
) -> None:
    ran = run("new", "a_custom", "--formula", formula, *(word for option in options for word in ("--shape", option)))
    assert ran.code == 0, ran.err
    assert shapes_in(tmp_path / "a_custom") == shapes


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        ("[N", "a bracket has no partner"),
        ("N]", "a bracket has no partner"),
        ("[[N]]", "a bracket has no partner"),
        ("q=N", "the formula has no tensor `q`"),
        ("x=N;M", "only letters, digits"),
    ],
)
def test_a_shape_that_is_none_is_refused(run: Run, tmp_path: Path, shape: str, says: str) -> None:
    ran = run("new", "a_custom", "--formula", "y = exp(x)", "--shape", shape)
    assert ran.code == 2 and says in ran.err
    assert list(tmp_path.iterdir()) == []


def test_your_own_kernel_is_copied_and_is_yours(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/my_kernel.py").write_text("print('mine')\n")
    ran = run("new", "mine_custom", "--kernel", "mine/my_kernel.py")
    assert ran.code == 0, ran.err
    assert (tmp_path / "mine_custom/my_kernel.py").read_text() == "print('mine')\n"
    (operator,) = spec_in(tmp_path / "mine_custom").operators
    assert (operator.kernel, operator.formula) == ("my_kernel.py", None)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../x", "'/'"),
        ("/abs", "'/'"),
        ("", "it is empty"),
        (".", "leads to another folder"),
        ("..", "leads to another folder"),
        ("CON", "Windows"),
        ("nul", "Windows"),
        ("a\\b", "it holds"),
        ("a:b", "it holds"),
        ("x" * 300, "at most 64 characters"),
        ("X" * 65, "at most 64 characters"),
        ("2d_conv", "digit"),
        ("5gItem", "digit"),
        ("add.custom", '"."'),
        ("add-custom", '"-"'),
        ("add custom", '" "'),
        ("加法", "加"),
        ("_add", '"_"'),
        ("add__custom", "_"),
        ("class", 'NAME "class" is a keyword of C++'),
        ("Class", 'NAME "Class" is a keyword of C++'),
        ("add", "CANN ships"),
        ("linux", "macro"),
        ("{{cookiecutter}}", "{"),
    ],
)
def test_a_name_that_cannot_be_is_refused_before_anything(run: Run, tmp_path: Path, name: str, says: str) -> None:
    ran = run("new", name)
    assert ran.code == 2
    assert "NAME" in ran.err
    assert says in ran.err
    assert "op.yaml" not in ran.err
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--op", "add_custom"], "--op"),
        (["--op", "Add"], "--op AddCustom"),
        (["--op", "../X"], "--op"),
        (["--scenario", "ofline"], "did you mean offline?"),
        (["--dtype", "flaot16"], "float16"),
        (["--dtype", "int4"], "int4"),
        (["--dtype", "float16\nx: y"], "only letters"),
        (["--shape", "[N]\nx: 1"], "only letters"),
        (["--soc", "ascend910a"], "bfloat16"),
        (["--soc", "Ascend910B9"], "soc"),
        (["--cann", "8.3"], "cann"),
        (["--formula", "z = x +"], "--formula:1:"),
        (["--formula", "z = foo(x)"], "OPG303"),
        (["--formula", "z = x", "--shape", "..., 2*M"], "add_custom/op.yaml:"),
        (["--formula", ""], "empty"),
        (["--kernel", "../nowhere/k.py"], "there is no file"),
        (["--kernel", "k.txt"], "does not end with .py"),
        (["--summary-en", ""], "summary.en"),
        (["--frobnicate"], "unknown option"),
    ],
)
def test_a_wrong_option_is_refused_and_nothing_is_left(run: Run, tmp_path: Path, words: list[str], says: str) -> None:
    ran = run("new", "add_custom", "-o", "made/here", *words)
    assert ran.code == 2, ran.err
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_findings_of_the_staged_op_yaml_have_place_and_excerpt(run: Run) -> None:
    ran = run("new", "add_custom", "--dtype", "flaot16")
    assert "add_custom/op.yaml:" in ran.err
    assert "T: [flaot16]" in ran.err
    assert "^^^" in ran.err
    assert "nothing was written" in ran.err
    told = json.loads(run("new", "add_custom", "--dtype", "flaot16", "--format", "json").out)
    assert told["findings"][0]["file"] == "add_custom/op.yaml"


def test_a_folder_in_use_is_not_touched(run: Run, tmp_path: Path) -> None:
    (tmp_path / "add_custom").mkdir()
    (tmp_path / "add_custom/precious.txt").write_text("mine\n")
    (tmp_path / "a_custom").write_text("a file\n")
    (tmp_path / "b_custom").symlink_to(tmp_path / "add_custom")
    before = picture(tmp_path)
    for name in ("add_custom", "a_custom", "b_custom"):
        ran = run("new", name)
        assert ran.code == 2
        assert f"{name} is there already" in ran.err
    assert picture(tmp_path) == before


def test_an_empty_folder_is_filled(run: Run, tmp_path: Path) -> None:
    (tmp_path / "add_custom").mkdir()
    assert run("new", "add_custom").code == 0
    assert (tmp_path / "add_custom/op.yaml").is_file()


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt(), RuntimeError("a fault")]
)
def test_a_failure_leaves_nothing_unless_it_is_wanted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(transaction, "_make", fail)
    ran = run("new", "add_custom", "-o", "deep/er")
    assert ran.code == (130 if isinstance(error, KeyboardInterrupt) else 2)
    assert list(tmp_path.iterdir()) == []
    ran = run("new", "add_custom", "-o", "deep/er", "--keep")
    (line,) = [line for line in ran.err.splitlines() if line.startswith("staging folder: ")]
    assert (tmp_path / line.removeprefix("staging folder: ") / "add_custom/op.yaml").is_file()
    assert not (tmp_path / "deep/er/add_custom").exists()


def test_without_a_terminal_nothing_is_asked(run: Run) -> None:
    ran = run("new")
    assert ran.code == 2
    assert "NAME is missing" in ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_the_missing_name_is_asked(opgen: Opgen, tmp_path: Path) -> None:
    import pty

    master, slave = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "opgen", "new"], cwd=tmp_path, env=environment, stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    os.write(master, b"../x\n")
    assert process.wait(timeout=60) == 2
    said = os.read(master, 4096).decode()
    os.close(master)
    assert "NAME (such as add_custom): " in said
    assert "it holds '/'" in said


def test_a_schema_above_becomes_the_editor_s_line(run: Run, tmp_path: Path) -> None:
    assert run("schema", "--install", "schemas").code == 0
    assert "identical" in run("schema", "--install", "schemas").err
    assert run("new", "add_custom", "-o", "ops/mine").code == 0
    first = (tmp_path / "ops/mine/add_custom/op.yaml").read_text().splitlines()[0]
    assert first == "# yaml-language-server: $schema=../../../schemas/op.schema.json"
    assert (tmp_path / "ops/mine/add_custom" / first.split("=")[1]).is_file()


def test_the_schema_is_printed(run: Run) -> None:
    ran = run("schema")
    assert json.loads(ran.out)["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert "yaml-language-server" in ran.err


def test_values_are_never_rendered_as_templates(run: Run, tmp_path: Path) -> None:
    text = "{{ cookiecutter.op }} {% raw %} {# x #}"
    assert run("new", "add_custom", "--summary-en", text).code == 0
    assert spec_in(tmp_path / "add_custom").summary.en == text


def test_nothing_is_written_into_the_home(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    assert run("new", "add_custom").code == 0
    assert list(home.iterdir()) == []


def test_roles_of_what_is_no_formula() -> None:
    with pytest.raises(Refused) as refused:
        roles("y = x\nz = = x")
    place = refused.value.findings[0].place
    assert place is not None
    assert (place.file, place.line) == ("--formula", 2)
