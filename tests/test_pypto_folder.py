"""The folder of a PyPTO operator: its files, their form, and host code that does what the plan says."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from chain_support import home as standin
from opgen.kernel.pypto.plan import FIELD_CXX, data_layout
from opgen.pypto.build_files import package_command, registration
from opgen.sim.host import HostLibrary
from opgen.sim.pypto_headers import kernel_headers
from opgen.spec.defaults import CMAKE_MACROS, Defaults, Repository
from opgen.spec.loader import load
from pypto_support import build, folder, formatted, kernel_of, planned, unit_tests, written
from pypto_zoo import ADD_EXAMPLE, CLAMP, SCALED_ADD, ZOO

_KEPT = ("op_host/", "op_graph/", "tests/ut/")
GOLDEN = Path(__file__).parent / "golden" / "pypto"


@pytest.fixture(scope="module", params=sorted(ZOO))
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(folder(ZOO[request.param]), tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def library(project: Path) -> HostLibrary:
    return build(standin(), project)


def test_unit_tests_of_host_code_pass(project: Path, library: HostLibrary) -> None:
    said = unit_tests(standin(), project, library)
    tests = (project / "tests" / "ut" / "op_host").glob("*.cpp")
    count = sum(len(re.findall(r"^TEST(?:_F)?\(", path.read_text(encoding="utf-8"), re.M)) for path in tests)
    assert count > 4
    assert f"{count} tests ran, 0 failed" in said


def test_a_definition_has_the_columns_of_op_yaml(project: Path, library: HostLibrary) -> None:
    operator, plan = planned(ZOO[kernel_of(project)])
    (definition,) = library.definitions()
    assert (definition.type, list(definition.socs)) == (operator.type, ["ascend950"])
    assert definition.socs["ascend950"]["opFile.value"] == operator.name
    for params, tensors in ((definition.inputs, operator.inputs), (definition.outputs, operator.outputs)):
        assert [param.name for param in params] == [tensor.name for tensor in tensors]
        for param, tensor in zip(params, tensors, strict=True):
            assert {len(param.types), len(param.formats), len(param.unknown_formats)} == {len(plan.columns)}
            assert param.lists == (False, False)
            assert param.contiguous == (tensor.role == "input")
            assert param.kind == ("optional" if tensor.optional else "required")
    defaults = {attr.name: attr.value for attr in definition.attrs}
    assert list(defaults) == [attr.name for attr in operator.attrs]
    for attr in operator.attrs:
        assert (defaults[attr.name] is None) == attr.required


def test_the_layout_that_is_registered_is_that_of_the_kernel(project: Path, library: HostLibrary) -> None:
    operator, plan = planned(ZOO[kernel_of(project)])
    (definition,) = library.definitions()
    places, size = data_layout(plan.data)
    assert (definition.layout, definition.size) == (f"{operator.type}TilingLayout", size)
    registered = [(field.name, field.type, field.count, field.offset) for field in definition.fields]
    assert registered == [(p.field.name, FIELD_CXX[p.field.type], len(p.field.items), p.offset) for p in places]
    derived = kernel_headers((project / "op_kernel" / f"{operator.name}.py").read_text(encoding="utf-8"))
    assert [(f.name, f.count, f.offset) for f in derived.data] == [(r[0], r[2], r[3]) for r in registered]
    assert [(f.name, f.bits, f.values) for f in derived.key] == [(f.name, f.bits, f.values) for f in plan.key]


def test_the_prototype_says_what_the_definition_says(project: Path) -> None:
    name = kernel_of(project)
    prototype = (project / "op_graph" / f"{name}_proto.h").read_text(encoding="utf-8")
    definition = (project / "op_host" / f"{name}_def.cpp").read_text(encoding="utf-8")
    said = re.findall(r"^    \.(?:OPTIONAL_)?(INPUT|OUTPUT|ATTR|REQUIRED_ATTR)\((\w+)", prototype, re.M)
    defined = re.findall(r'this->(Input|Output|Attr)\("(\w+)"\)', definition)
    assert [(kind.removeprefix("REQUIRED_"), name) for kind, name in said] == [(k.upper(), n) for k, n in defined]


def test_host_code_leaves_derived_headers_to_the_build(project: Path) -> None:
    name = kernel_of(project)
    tiling = (project / "op_host" / f"{name}_tiling.cpp").read_text(encoding="utf-8")
    assert re.findall(r'#include "(.*_tiling\.h|.*tilingkey\.h)"', tiling) == []
    assert "GetCoreNumAiv();" not in tiling
    assert tiling.index("memset_s(") < tiling.index("tiling->")


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


def test_unit_tests_of_tiling_leave_out_each_optional_input() -> None:
    """One test for each, and one for all: its own key, and no tensor in that place."""
    text = folder(CLAMP)["tests/ut/op_host/test_clamp_between_tiling.cpp"]
    found = re.findall(r"TEST_F\(ClampBetweenTiling, (sample|without_\w+)\)\n(.*?)\n}\n", text + "\n", re.S)
    seen = {name: (body.count("NOT_CONNECTED"), re.findall(r"Expect\(para, (\d+),", body)) for name, body in found}
    # has_low in the lowest bit of the key, has_high in the next.
    assert seen == {
        "sample": (0, ["3"]),
        "without_low": (1, ["2"]),
        "without_high": (1, ["1"]),
        "without_optional_inputs": (2, ["0"]),
    }


def test_without_optional_inputs_unit_tests_name_the_tensors_in_place() -> None:
    text = folder(SCALED_ADD)["tests/ut/op_host/test_scaled_add_tiling.cpp"]
    assert not re.search("NOT_CONNECTED|<optional>|counts", text)


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


def test_a_kernel_to_be_written_begins_with_the_classes_of_the_host() -> None:
    kernel = folder(ZOO["patch_attrs"])["op_kernel/patch_attrs.py"]
    compile(kernel, "patch_attrs.py", "exec")
    assert kernel.startswith("# Yours: ")
    derived = kernel_headers(kernel)
    assert (derived.kernel, derived.data_class) == ("patch_attrs", "PatchAttrsTilingData")
    assert "# Attribute `mode` (0: near, 1: far)." in kernel
    assert "# Attribute `pads` (0: [0, 0], 1: [1, 1])." in kernel
    assert "    x: pl.Ptr[pl.DT_FP32],\n    y: pl.Ptr[pl.DT_FP32],\n    workspace: " in kernel
    assert "for i in pl.range(pl.get_block_idx(), tiling.doubled, workers):" in kernel
