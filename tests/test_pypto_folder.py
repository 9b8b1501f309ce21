"""The folder of a PyPTO operator: its files, their form, and host code that does what the plan says."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from chain_support import home as standin
from opgen.pypto.build_files import package_command, registration
from opgen.spec.defaults import CMAKE_MACROS, Defaults, Repository
from opgen.spec.loader import load
from pypto_support import build, folder, formatted, unit_tests, written
from pypto_zoo import ADD_EXAMPLE, SCALED_ADD, ZOO

_KEPT = ("op_host/", "op_graph/", "tests/ut/")
GOLDEN = Path(__file__).parent / "golden" / "pypto"


@pytest.fixture(scope="module", params=sorted(ZOO))
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(folder(ZOO[request.param]), tmp_path_factory.mktemp(request.param))


def test_unit_tests_of_host_code_pass(project: Path) -> None:
    home = standin()
    said = unit_tests(home, project, build(home, project))
    tests = (project / "tests" / "ut" / "op_host").glob("*.cpp")
    count = sum(len(re.findall(r"^TEST(?:_F)?\(", path.read_text(encoding="utf-8"), re.M)) for path in tests)
    assert count > 4
    assert f"{count} tests ran, 0 failed" in said


def test_cxx_needs_no_formatting(project: Path) -> None:
    """But the prototype, whose macros stand one a line wherever operators are declared."""
    for path in sorted(p for end in ("cpp", "h") for p in project.rglob(f"*.{end}") if p.parent.name == "op_host"):
        assert path.read_text(encoding="utf-8") == formatted(path), path.name


@pytest.mark.parametrize("name", ["add_example", "scaled_add"])
def test_the_texts_of_a_folder(name: str) -> None:
    """But the kernel, of which its own tests tell."""
    texts = {path: text for path, text in folder(ZOO[name]).items() if path.startswith(_KEPT)}
    golden = GOLDEN / name
    if os.environ.get("OPGEN_UPDATE"):
        written(texts, golden)
    kept = {path.relative_to(golden).as_posix() for path in golden.rglob("*") if path.is_file()}
    assert kept == set(texts)
    for path, text in texts.items():
        assert text == (golden / path).read_text(encoding="utf-8"), path


def test_one_word_names_the_operator_everywhere() -> None:
    texts = folder(ADD_EXAMPLE)
    assert "enable_pypto_kernel(add_example)" in texts["op_host/CMakeLists.txt"]
    assert 'ExtendCfgInfo("opFile.value", "add_example")' in texts["op_host/add_example_def.cpp"]
    assert "\ndef add_example(\n" in texts["op_kernel/add_example.py"]
    assert "OP_ADD(AddExample);" in texts["op_host/add_example_def.cpp"]
    assert "REG_OP(AddExample)" in texts["op_graph/add_example_proto.h"]


def test_fields_stand_in_one_order_on_both_sides() -> None:
    texts = folder(SCALED_ADD)
    kernel, tiling = texts["op_kernel/scaled_add.py"], texts["op_host/scaled_add_tiling.cpp"]
    fields = re.findall(r"^    (\w+): (?:int|float|bool)$", kernel, re.M)
    assert re.findall(r"TILING_DATA_FIELD_DEF\(\w+, (\w+)\)", tiling) == fields
    assert re.findall(r"tiling->(\w+) = ", tiling) == fields


@pytest.mark.parametrize("macro", CMAKE_MACROS)
@pytest.mark.parametrize("require", [False, True])
def test_cmake_follows_the_repository(macro: str, require: bool) -> None:
    texts = folder(ADD_EXAMPLE, Defaults(repository=Repository(macro, require)))
    host, root = texts["op_host/CMakeLists.txt"], texts.get("CMakeLists.txt", "")
    at_root = macro == "add_all_modules_sources"
    assert bool(root) == at_root
    adding = root if at_root else host
    assert f"\n{macro}(\n    OPTYPE add_example\n    ACLNNTYPE aclnn\n)\n" in adding
    assert ("require_pypto_pro(add_example)" in adding) == require
    order = [word for word in ("require_pypto_pro(", "enable_pypto_kernel(", f"{macro}(") if word in host]
    assert order == sorted(order, key=host.index)
    assert ("PARENT_SCOPE" in host) == at_root
    if at_root:
        assert root.index("add_subdirectory(op_host)") < root.index(macro)


def test_commands_name_operator_chip_and_vendor() -> None:
    spec = load(ADD_EXAMPLE.encode(), "op.yaml", Defaults(repository=Repository(vendor="mine")))
    command = "bash build.sh --pkg --soc=ascend950 --vendor_name=mine --ops=add_example"
    assert package_command(spec) == command
    assert registration(spec.operators[0], spec.soc) == (
        '{"name": "AddExample", "compute_units": ["ascend950"], "auto_sync": true, "impl_mode": "high_performance"}'
    )
