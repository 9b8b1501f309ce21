"""The rungs of a PyPTO folder that build: what they find, and that they find nothing in what opgen writes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from opgen.disk.write import write
from opgen.project.plan import plan_project
from opgen.sim.build import ensure
from opgen.sim.host import Definition
from opgen.spec.loader import load
from opgen.text.findings import CannotWork
from opgen.verify.ladder import Site
from opgen.verify.pypto_definition import definition_problems
from opgen.verify.pypto_rungs import PyptoRungs
from opgen.verify.result import Result
from pypto_kernel_support import KERNELS
from pypto_zoo import ZOO


@pytest.fixture(scope="module", autouse=True)
def _standin() -> None:
    try:
        ensure(lambda text: None)
    except CannotWork as error:
        pytest.skip(error.message)


def rungs(name: str, folder: Path) -> PyptoRungs:
    """The rungs of an operator of the zoo."""
    return rungs_of(ZOO[name], folder)


def rungs_of(text: str, folder: Path) -> PyptoRungs:
    """The rungs of an op.yaml, whose project lies in `folder`/copy."""
    data = text.encode()
    spec = load(data, "op.yaml")
    plan = plan_project(spec, data)
    copy = folder / "copy"
    copy.mkdir()
    write(plan, copy)
    return PyptoRungs(Site(folder, "op.yaml", spec, data, plan, copy, folder / "scratch", True), lambda text: None)


@pytest.fixture(scope="module")
def scaled_add(tmp_path_factory: pytest.TempPathFactory) -> PyptoRungs:
    return rungs("scaled_add", tmp_path_factory.mktemp("scaled_add"))


def test_what_opgen_writes_passes(scaled_add: PyptoRungs) -> None:
    cpp, host, chain = scaled_add.cpp(), scaled_add.host(), scaled_add.chain()
    assert [cpp.status, host.status, chain.status] == ["passed"] * 3, (cpp, host, chain)
    assert cpp.summary == "7 files without a warning, no undefined symbol"
    assert re.fullmatch(r"definition, \d+ launches and the unit tests as op\.yaml says", host.summary)
    assert re.fullmatch(r"Precision check passed, (\d+) calls of aclnnScaledAdd, \1 graphs", chain.summary)


# In place, an absent input, two outputs, a type that the caller picks: each has a call of its own form.
@pytest.mark.full
@pytest.mark.parametrize("name", ["add_into", "bias_scale", "split_sign", "cast_to", "row_sum_pro"])
def test_other_forms_pass(name: str, tmp_path: Path) -> None:
    climbed = rungs(name, tmp_path)
    assert [rung().status for rung in (climbed.cpp, climbed.host, climbed.chain)] == ["passed"] * 3


_REFERENCE = """\
def reference(x, y, *, alpha):
    return x.astype("float64") + alpha * y.astype("float64")
"""


def test_a_hand_written_kernel_is_compared_with_its_reference(tmp_path: Path) -> None:
    text = re.sub("(?m)^compute: .*$", "kernel: scaled_add.py\nreference: expected.py", ZOO["scaled_add"])
    climbed = rungs_of(text, tmp_path)
    (tmp_path / "copy" / "op_kernel" / "scaled_add.py").write_text((KERNELS / "scaled_add.py").read_text())
    (tmp_path / "copy" / "expected.py").write_text(_REFERENCE)
    cpp = climbed.cpp()
    assert cpp.status == "passed", cpp
    chain = climbed.chain()
    assert re.fullmatch(r"Precision check passed, (\d+) calls of aclnnScaledAdd, \1 graphs", chain.summary), chain
    (tmp_path / "copy" / "expected.py").write_text(_REFERENCE.replace("+ alpha", "- alpha"))
    assert climbed.chain().status == "failed"


# What is changed in the kernel: the same example program must fail then.
_WRONG_KERNELS = {
    "another operation": ("pl.add(", "pl.sub("),
    "another factor": ("tiling.alpha)", "tiling.alpha + 0.5)"),
    "only one of a block's two vector cores works": (" * pl.get_subblock_num()", " * 4"),
    "a tile at another place": ("offset = i * TILE_LENGTH", "offset = i * TILE_LENGTH + 1"),
}


@pytest.mark.parametrize("slip", _WRONG_KERNELS)
def test_the_example_fails_on_a_wrong_kernel(scaled_add: PyptoRungs, slip: str) -> None:
    right, wrong = _WRONG_KERNELS[slip]
    with replaced(scaled_add.build.kernel, right, wrong):
        result = scaled_add.chain()
    assert result.status == "failed"
    assert "wrong" in result.summary or "OPG8" in result.summary, result


# File, what is changed in it, the rung that fails, and what it says.
_SLIPS = {
    "fields in another order": (
        "op_kernel/scaled_add.py",
        "    total_length: int\n    tile_num: int\n",
        "    tile_num: int\n    total_length: int\n",
        "host",
        "the registered layout of TilingData differs from ScaledAddTilingData of the kernel",
    ),
    "a renamed field": (
        "op_kernel/scaled_add.py",
        "    tile_num: int\n",
        "    tiles: int\n",
        "cpp",
        "has no member named",
    ),
    "another key": (
        "op_kernel/scaled_add.py",
        "values=[0, 1]",
        "values=[1, 0]",
        "host",
        "the key is 1, expected 0",
    ),
    "another tile": (
        "op_host/scaled_add_tiling.cpp",
        "TILE_LENGTH = 8192",
        "TILE_LENGTH = 4096",
        "host",
        "TilingData is",
    ),
    "an unused variable": (
        "op_host/scaled_add_infershape.cpp",
        "namespace ops {\n",
        "namespace ops {\nstatic int unused;\n",
        "cpp",
        "defined but not used",
    ),
    "a unit test that expects something else": (
        "tests/ut/op_host/test_scaled_add_tiling.cpp",
        'Expect(para, 0, 1, "1001 1 ',
        'Expect(para, 0, 1, "1001 2 ',
        "host",
        "unit tests fail: ScaledAdd",
    ),
}


@pytest.mark.parametrize("slip", _SLIPS)
def test_slips_are_found(scaled_add: PyptoRungs, tmp_path: Path, slip: str) -> None:
    path, right, wrong, rung, said = _SLIPS[slip]
    site = dataclasses.replace(scaled_add.build.site, scratch=tmp_path)
    with replaced(site.copy / path, right, wrong):
        fresh = PyptoRungs(site, lambda text: None)
        result = climbed(fresh, rung)
    assert result.status == "failed", result
    assert said in f"{result.summary}\n{result.details}", result


def _types(definition: Definition, *types: int) -> Definition:
    return _first_input(definition, types=types)


def _first_input(definition: Definition, **changes: object) -> Definition:
    first = dataclasses.replace(definition.inputs[0], **changes)  # type: ignore[arg-type]
    return dataclasses.replace(definition, inputs=[first, *definition.inputs[1:]])


def _alpha(definition: Definition, **changes: object) -> Definition:
    return dataclasses.replace(
        definition,
        attrs=[dataclasses.replace(definition.attrs[0], **changes)],  # type: ignore[arg-type]
    )


def _soc(definition: Definition, soc: str, file: str) -> Definition:
    return dataclasses.replace(definition, socs={soc: {"opFile.value": file}})


FLOAT, FLOAT16, INT32, BF16 = 0, 1, 3, 27

# What is changed in the compiled definition, and what is said.
_DEFINITIONS: dict[str, tuple[Callable[[Definition], Definition], str]] = {
    "another type in a column": (
        lambda d: _types(d, FLOAT16, BF16, INT32),
        "the input x has the types float16, bfloat16, int32, in op.yaml float16, bfloat16, float32",
    ),
    "a column that is missing": (
        lambda d: _types(d, FLOAT16, BF16),
        "op_build: Element num of DataType and Format is not aligned",
    ),
    "no types": (lambda d: _types(d), "op_build: The dtype size of input[0] of op ScaledAdd is 0"),
    "defined twice": (lambda d: _first_input(d, again=True), "x is defined twice, and the last definition counts"),
    "lists that are crossed": (
        lambda d: _first_input(d, lists=(True, False)),
        "x mixes lists that are crossed with columns",
    ),
    "fewer formats": (
        lambda d: _first_input(d, unknown_formats=(2, 2)),
        "x has 3 formats, but 2 for unknown shapes",
    ),
    "another format": (lambda d: _first_input(d, formats=(2, 2, 0)), "the input x has other formats than ND"),
    "an optional input": (
        lambda d: _first_input(d, kind="optional"),
        "the input x is optional, in op.yaml it is required",
    ),
    "as it lies": (lambda d: _first_input(d, contiguous=False), "the input x is not made contiguous"),
    "another name": (
        lambda d: _first_input(d, name="w"),
        "the definition has the inputs w, y, op.yaml has x, y",
    ),
    "another default": (
        lambda d: _alpha(d, value="2"),
        "the attribute alpha defaults to 2, in op.yaml to 1.0",
    ),
    "no default": (lambda d: _alpha(d, kind="required"), "the attribute alpha is required"),
    "another kind": (lambda d: _alpha(d, type="int"), "the attribute alpha is int, in op.yaml it is float"),
    "another chip": (
        lambda d: _soc(d, "ascend910b", "scaled_add"),
        "the definition is for ascend910b; PyPTO Pro has ascend950 only",
    ),
    "another kernel": (
        lambda d: _soc(d, "ascend950", "scaled_sub"),
        "opFile.value is scaled_sub, and the kernel is scaled_add",
    ),
    "no layout": (
        lambda d: dataclasses.replace(d, layout="", fields=[]),
        "no layout of TilingData is registered: the package would not know its size",
    ),
    "a layout that hides the class": (
        lambda d: dataclasses.replace(d, layout="ScaledAddTilingData"),
        "the registered layout is called ScaledAddTilingData, as the class that it would hide",
    ),
    "a shorter layout": (
        lambda d: dataclasses.replace(d, size=16),
        "the registered layout has 16 bytes, ScaledAddTilingData 24",
    ),
    "another operator": (
        lambda d: dataclasses.replace(d, type="ScaledSub"),
        "the definition is of ScaledSub, not of ScaledAdd",
    ),
}


@pytest.mark.parametrize("slip", _DEFINITIONS)
def test_a_definition_is_held_to_op_yaml_and_to_op_build(scaled_add: PyptoRungs, slip: str) -> None:
    change, said = _DEFINITIONS[slip]
    build = scaled_add.build
    assert list(definition_problems(build.definition, scaled_add.operator, build.headers)) == []
    found = list(definition_problems(change(build.definition), scaled_add.operator, build.headers))
    assert said in found


def climbed(fresh: PyptoRungs, rung: str) -> Result:
    return fresh.cpp() if rung == "cpp" else fresh.host()


def test_a_folder_without_its_kernel_is_told(scaled_add: PyptoRungs, tmp_path: Path) -> None:
    site = dataclasses.replace(scaled_add.build.site, copy=tmp_path, scratch=tmp_path / "scratch")
    result = PyptoRungs(site, lambda text: None).cpp()
    assert (result.status, result.summary) == ("failed", "error: op_kernel/scaled_add.py is missing")


class replaced:  # noqa: N801 - reads as a function
    """A file with a text in place of another, once for all places, while the block lasts."""

    def __init__(self, path: Path, right: str, wrong: str) -> None:
        self.path, self.right, self.wrong = path, right, wrong

    def __enter__(self) -> None:
        self.text = self.path.read_text(encoding="utf-8")
        assert self.right in self.text
        self.path.write_text(self.text.replace(self.right, self.wrong), encoding="utf-8")

    def __exit__(self, *_: object) -> None:
        self.path.write_text(self.text, encoding="utf-8")
