"""Host code of an operator in the stand-in: the definition, inference, tiling, and the unit tests of both."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

import pytest
from host_support import FOLDER, build, run
from opgen.sim.build import ensure
from opgen.sim.host import HostCase, HostCrash, HostLibrary, Tensor, compile_command, program_command, ut_main
from opgen.text.findings import CannotWork

FLOAT16, BF16, FLOAT, INT32 = 1, 27, 0, 3
ND = 2
FAILED = 0xFFFFFFFF
SYSTEM = 16 * 1024 * 1024


@pytest.fixture(scope="session")
def home() -> Path:
    try:
        return ensure(lambda text: None)
    except CannotWork as error:
        pytest.skip(error.message)


@pytest.fixture(scope="session")
def library(home: Path, tmp_path_factory: pytest.TempPathFactory) -> HostLibrary:
    return build(home, tmp_path_factory.mktemp("host"), {})


def case(shape: tuple[int, ...], dtype: int = FLOAT, alpha: float = 1.5, cores: int = 4) -> HostCase:
    tensor = Tensor(dtype, shape)
    return HostCase("ScaledAdd", (tensor, tensor), (tensor,), (("alpha", "float", alpha),), cores)


def test_it_tells_what_a_definition_says(library: HostLibrary) -> None:
    (definition,) = library.definitions()
    assert definition.type == "ScaledAdd"
    assert [param.name for param in definition.inputs] == ["x", "y"]
    (z,) = definition.outputs
    assert (z.kind, z.types, z.formats, z.contiguous) == ("required", (FLOAT16, BF16, FLOAT), (ND,) * 3, False)
    assert all(param.contiguous and not param.again for param in definition.inputs)
    (alpha,) = definition.attrs
    assert (alpha.kind, alpha.type, alpha.value) == ("optional", "float", "1")
    assert definition.socs["ascend950"]["opFile.value"] == "scaled_add"
    assert definition.socs["ascend950"]["dynamicShapeSupport.flag"] == "true"
    assert (definition.layout, definition.size) == ("ScaledAddTilingLayout", 24)
    assert [(f.name, f.type, f.offset) for f in definition.fields] == [
        ("total_length", "int64_t", 0),
        ("tile_num", "int64_t", 8),
        ("alpha", "float", 16),
    ]


def test_tiling_is_executed(library: HostLibrary) -> None:
    sizes = [0, 1, 8192, 8193, 32768, 32769]
    answers = library.tilings([case((n,)) for n in sizes])
    tiles = [0, 1, 1, 2, 4, 5]
    assert [a.key for a in answers] == [0, 0, 0, 0, 0, 1]
    assert [a.blocks for a in answers] == [1, 1, 1, 2, 4, 4]
    assert [a.data for a in answers] == [
        struct.pack("<qqf4x", n, count, 1.5) for n, count in zip(sizes, tiles, strict=True)
    ]
    assert all(a.status == 0 and a.workspaces == (SYSTEM,) and a.unwritten == () for a in answers)


def test_tiling_refuses(library: HostLibrary) -> None:
    x, y = Tensor(FLOAT, (4,)), Tensor(FLOAT, (5,))
    other = HostCase("ScaledAdd", (x, y), (x,), (("alpha", "float", 1.0),))
    assert [a.status for a in library.tilings([other, case((4,), INT32)])] == [FAILED, FAILED]


def test_inference_is_executed(library: HostLibrary) -> None:
    def shapes(*inputs: tuple[int, ...]) -> HostCase:
        return HostCase("ScaledAdd", tuple(Tensor(FLOAT16, shape) for shape in inputs), (Tensor(28, ()),))

    cases = [shapes((-1, 128), (8, -1)), shapes((-2,), (8, 128)), shapes((), ()), shapes((8, 128), (8, 127))]
    answers = library.shapes(cases)
    assert answers[:3] == [(0, ((8, 128),)), (0, ((8, 128),)), (0, ((),))]
    assert answers[3][0] == FAILED
    assert library.types(cases[:1]) == [(0, (FLOAT16,))]
    mixed = HostCase("ScaledAdd", (Tensor(FLOAT, (1,)), Tensor(BF16, (1,))), (Tensor(28, ()),))
    assert library.types([mixed])[0][0] == FAILED


def test_unit_tests_are_executed(home: Path, library: HostLibrary, tmp_path: Path) -> None:
    objects = []
    for source in [*sorted((FOLDER / "tests").glob("*.cpp")), ut_main(home)]:
        objects.append(tmp_path / f"{source.stem}.o")
        run(compile_command(home, source, objects[-1], ut=True))
    run(program_command(home, objects, library.path, tmp_path / "tests"))
    said = run([str(tmp_path / "tests")])
    written = sum(len(re.findall(r"^TEST(?:_F)?\(", p.read_text(), re.M)) for p in (FOLDER / "tests").glob("*.cpp"))
    assert f"{written} tests ran, 0 failed" in said


def test_a_unit_test_that_expects_something_else_fails(home: Path, library: HostLibrary, tmp_path: Path) -> None:
    source = (FOLDER / "tests" / "test_scaled_add_tiling.cpp").read_text()
    for right, wrong in (
        ('"8192 1 "', '"8192 2 "'),
        ("GRAPH_SUCCESS, 1,", "GRAPH_SUCCESS, 0,"),
        ("}), 2U)", "}), 3U)"),
    ):
        assert right in source
        source = source.replace(right, wrong)
    (tmp_path / "test.cpp").write_text(source)
    for path in (tmp_path / "test.cpp", ut_main(home)):
        run(compile_command(home, path, tmp_path / f"{path.stem}.o", ut=True))
    run(program_command(home, [tmp_path / "test.o", tmp_path / "main.o"], library.path, tmp_path / "tests"))
    done = subprocess.run([tmp_path / "tests"], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert re.findall(r"\[  FAILED  \] ScaledAddTiling\.(\w+)", done.stdout) == [
        "one_tile",
        "more_tiles_than_cores_use_two_buffers",
        "blocks",
    ]


# What to change in which file, and what the host is then caught at.
_SLIPS = {
    "padding goes to the device": (
        "scaled_add_tiling.cpp",
        "memset_s(tiling, sizeof(*tiling), 0, sizeof(*tiling)) != EOK",
        "false",
    ),
    "a field is forgotten": ("scaled_add_tiling.cpp", "    tiling->tile_num = tileNum;\n", ""),
    "no key": ("scaled_add_tiling.cpp", "context->SetTilingKey(tilingKey);", ""),
    "no block": ("scaled_add_tiling.cpp", "context->SetBlockDim(", "static_cast<void>("),
    "another layout": ("scaled_add_tiling.cpp", "DEF(int64_t, tile_num)", "DEF(int32_t, tile_num)"),
}


@pytest.mark.parametrize("slip", _SLIPS)
def test_slips_of_the_host_show(home: Path, tmp_path: Path, slip: str) -> None:
    name, right, wrong = _SLIPS[slip]
    text = (FOLDER / "op_host" / name).read_text()
    assert text.count(right) == 1
    library = build(home, tmp_path, {name: text.replace(right, wrong)})
    (answer,) = library.tilings([case((8193,))])
    (definition,) = library.definitions()
    seen = {
        "padding goes to the device": answer.unwritten == (20, 21, 22, 23),
        "a field is forgotten": answer.unwritten == () and answer.data[8:16] == bytes(8),
        "no key": answer.key is None,
        "no block": answer.blocks == 0,
        "another layout": [f.offset for f in definition.fields] == [0, 8, 12] and definition.size == 16,
    }
    assert seen[slip], answer


# Mistakes that CANN's headers refuse as well, in the tiling source.
_REFUSED = {
    "a signed value for the key": ("const uint64_t schMode", "const int64_t schMode", "narrowing"),
    "a field that the kernel does not have": ("tiling->tile_num = ", "tiling->tiles = ", "has no member named"),
    "a layout of the same name": ("ScaledAddTilingLayout", "ScaledAddTilingData", "static_cast|reference|no member"),
    "a format that does not fit": ("for sch_mode %lu", "for sch_mode %s", "format"),
}


@pytest.mark.parametrize("mistake", _REFUSED)
def test_mistakes_do_not_compile(home: Path, tmp_path: Path, mistake: str) -> None:
    right, wrong, said = _REFUSED[mistake]
    text = (FOLDER / "op_host" / "scaled_add_tiling.cpp").read_text()
    assert right in text
    with pytest.raises(AssertionError, match=said):
        build(home, tmp_path, {"scaled_add_tiling.cpp": text.replace(right, wrong)})


def test_an_unknown_operator_is_told(library: HostLibrary) -> None:
    with pytest.raises(HostCrash, match="nothing is registered for the operator type Other"):
        library.tilings([HostCase("Other", (), ())])
