"""custom_op.cpp and the REG_OP header: they compile, read as clang-format leaves them, and show the operator only."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from ge_support import formatted, gxx, include_options, project, write
from ge_zoo import CASES, library_text, spec_text
from opgen.cxx.names import guard
from opgen.formula.signature import Variant
from opgen.kernel.interface import call_parameters, kernel_interface
from opgen.spec.variants import variants

# What the samples of CANN do and generated host code must not: a shell between GE and the compiler, failures that stay
# for good, folders of one architecture, descriptors as library names, output that nobody looks at.
_DEFECTS = (
    "popen",
    "system(",
    "call_once",
    "aarch64/",
    "x86_64/",
    "memfd",
    "iostream",
    "using namespace",
    "git ",
    "curl",
)


@pytest.mark.parametrize(("op", "scenario"), CASES)
def test_host_code_compiles_without_warnings_and_needs_no_formatting(op: str, scenario: str, tmp_path: Path) -> None:
    spec, texts = project(spec_text(op, scenario))
    folder = write(texts, tmp_path)
    host = folder / "ge/custom_op.cpp"
    compiled = gxx("-fsyntax-only", *include_options(folder / "ge"), host)
    assert compiled.returncode == 0, compiled.stderr
    for path in (host, folder / f"ge/{spec.operators[0].name}.h"):
        assert formatted(path) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("scenario", ["eager", "offline"])
def test_operators_of_one_library_compile(scenario: str, tmp_path: Path) -> None:
    spec, texts = project(library_text(scenario))
    folder = write(texts, tmp_path)
    hosts = [folder / f"ge/{operator.name}.cpp" for operator in spec.operators]
    compiled = gxx("-fsyntax-only", *include_options(folder / "ge"), *hosts)
    assert compiled.returncode == 0, compiled.stderr
    for host in hosts:
        assert formatted(host) == host.read_text(encoding="utf-8")


def test_shared_files_need_no_formatting_and_are_the_same_everywhere(tmp_path: Path) -> None:
    names = ("SplitZoo", "MatmulZoo", "AttributesZoo")
    all_texts = [project(spec_text(name, "offline"))[1] for name in names]
    shared: dict[str, str] = {}
    for texts in all_texts:
        for path, text in texts.items():
            if path.startswith("ge/") and not re.search(r"custom_op|zoo", path):
                assert shared.setdefault(path, text) == text, path
    folder = write(shared, tmp_path)
    for path in shared:
        assert formatted(folder / path) == shared[path], path
    compiled = gxx(
        "-fsyntax-only", *include_options(folder / "ge"), *(folder / p for p in shared if p.endswith(".cpp"))
    )
    assert compiled.returncode == 0, compiled.stderr


def test_two_projects_link_into_one_library(tmp_path: Path) -> None:
    first = project(spec_text("AxpyZoo", "offline"))[1]
    second = project(spec_text("OptionalZoo", "offline"))[1]
    folder = write({**first, **second}, tmp_path / "both")
    write({"ge/other_op.cpp": first["ge/custom_op.cpp"]}, folder)
    sources = sorted(path for path in (folder / "ge").iterdir() if path.suffix == ".cpp")
    linked = gxx("-shared", "-fPIC", *include_options(folder / "ge"), *sources, "-o", tmp_path / "lib.so")
    assert linked.returncode == 0, linked.stderr


def test_add_offline_is_short(tmp_path: Path) -> None:
    text = project(spec_text("AddCustom", "offline"))[1]["ge/custom_op.cpp"]
    assert text.count("\n") < 220


@pytest.mark.parametrize(("op", "scenario"), [("AddCustom", "online"), ("AxpyZoo", "eager"), ("SplitZoo", "offline")])
def test_none_of_the_known_defects(op: str, scenario: str) -> None:
    _, texts = project(spec_text(op, scenario))
    for path, text in texts.items():
        if path.startswith("ge/") or path == "run.sh":
            found = [word for word in _DEFECTS if word in text]
            assert not found, (path, found)
    assert not re.search(
        r"pip install|wget|curl|git clone|FetchContent|https?://", texts["run.sh"] + texts["CMakeLists.txt"]
    )


def test_only_what_the_operator_needs() -> None:
    text = project(spec_text("AddCustom", "eager"))[1]["ge/custom_op.cpp"]
    for needless in ("Attributes", "<vector>", "launch.h", "target.h", "Optional", "rest", "MakeOutputShapes"):
        assert needless not in text
    axpy = project(spec_text("AxpyZoo", "online"))[1]["ge/custom_op.cpp"]
    for needless in ("struct Sizes", "sizes.h", "kernel_archive.h", "Serialize"):
        assert needless not in axpy


def test_header_declares_the_operator_in_order() -> None:
    header = project(spec_text("OptionalZoo"))[1]["ge/optional_zoo.h"]
    items = re.findall(r"^    \.(\w+)\((\w+)", header, re.MULTILINE)
    assert items == [
        ("OPTIONAL_INPUT", "bias"),
        ("INPUT", "x"),
        ("OPTIONAL_INPUT", "gain"),
        ("OUTPUT", "x"),
        ("DATATYPE", "T"),
        ("OP_END_FACTORY_REG", "OptionalZoo"),
    ]


def test_header_gives_attributes_their_kind_and_default() -> None:
    header = project(spec_text("AttributesZoo"))[1]["ge/attributes_zoo.h"]
    assert "#include <limits>" in header
    for item in (
        ".ATTR(flag, Bool, true)",
        ".ATTR(count, Int, 2)",
        ".ATTR(rate, Float, 0.5)",
        ".ATTR(limit, Float, -std::numeric_limits<float>::infinity())",
        '.ATTR(word, String, "a")',
        ".ATTR(axes, ListInt, {0, 1})",
        ".ATTR(scales, ListFloat, {0.5})",
    ):
        assert item in header
    cast = project(spec_text("CastZoo"))[1]["ge/cast_zoo.h"]
    assert ".REQUIRED_ATTR(dst_type, Type)" in cast
    assert ".OUTPUT(y, TensorType({DT_FLOAT, DT_FLOAT16}))" in cast
    assert ".OUTPUT(positive, TensorType({DT_UINT8}))" in cast


def test_text_of_op_yaml_cannot_end_a_comment() -> None:
    header = project(spec_text("HostileZoo"))[1]["ge/hostile_zoo.h"]
    inside = header[header.index("/**") + 3 : header.index("REG_OP")]
    assert inside.count("*/") == 1
    assert "{{ x }} * / \\" in inside


def _lines_of(spec: str, program: str, tmp_path: Path) -> list[str]:
    """What a program prints that includes the host code, without what registers it with GE."""
    parsed, texts = project(spec)
    name = parsed.operators[0].name
    folder = write(texts, tmp_path)
    main = folder / "main.cpp"
    head = [
        "#include <cstdio>",
        '#include "graph/custom_op.h"',
        "#undef REG_AUTO_MAPPING_OP",
        "#define REG_AUTO_MAPPING_OP(type) using Unused = type",
        f"#define {guard(name, 'ge', f'{name}.h')}",
        '#include "custom_op.cpp"',
        "int main() {",
    ]
    main.write_text("\n".join([*head, program, "return 0;", "}", ""]), encoding="utf-8")
    units = [folder / p for p in texts if p.startswith("ge/") and p.endswith(".cpp") and p != "ge/custom_op.cpp"]
    built = gxx(
        *("-Wno-unused", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"),
        *include_options(folder / "ge"),
        *(main, *units, "-ldl", "-o", folder / "main"),
    )
    assert built.returncode == 0, built.stderr
    run = subprocess.run([str(folder / "main")], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return [*run.stdout.splitlines(), *run.stderr.splitlines()]


_TENSOR = """
const auto tensor = [](const gert::Shape &shape, ge::DataType type, ge::Format format = ge::FORMAT_ND) {
  gert::StorageShape both;
  both.MutableOriginShape() = shape;
  both.MutableStorageShape() = shape;
  return gert::Tensor(both, {format, format, {}}, type);
};
const custom_op::TensorCheck check("Zoo", "Test");
"""


def test_variants_of_an_operator_with_named_sizes(tmp_path: Path) -> None:
    lines = _lines_of(
        spec_text("MatmulZoo"),
        _TENSOR
        + """
const auto choose = [&](const gert::Shape &a_shape, const gert::Shape &b_shape, bool transpose_b, bool edge) {
  const gert::Tensor a = tensor(a_shape, ge::DT_BF16);
  const gert::Tensor b = tensor(b_shape, ge::DT_BF16);
  const gert::Tensor e = tensor({33, 64}, ge::DT_BF16);
  Inputs in{&a, &b, edge ? &e : nullptr};
  Attributes attributes;
  attributes.transpose_b = transpose_b;
  attributes.k = 3;
  Sizes sizes;
  Variant variant;
  if (FindVariant(check, in, attributes, sizes, variant)) {
    gert::Shape y, row_count, wide;
    const bool made = MakeOutputShapes(check, sizes, attributes, y, row_count, wide);
    std::printf("%s %d %s %s %s\\n", variant.Key().c_str(), made, custom_op::ShapeText(y).c_str(),
                custom_op::ShapeText(row_count).c_str(), custom_op::ShapeText(wide).c_str());
  }
};
choose({5, 7, 32, 64}, {64, 32}, false, true);
choose({32, 128}, {16, 128}, true, false);
choose({-1, 32, 64}, {64, -1}, false, true);
std::fflush(stdout);
choose({5, 32, 96}, {96, 32}, false, false);
choose({5, 24, 64}, {64, 32}, false, false);
choose({5, 32, 64}, {64, 8}, false, false);
choose({5, 32, 64}, {32, 64}, false, false);
choose({32}, {32, 64}, false, false);
choose({5, 48, 64}, {64, 32}, false, true);
""",
        tmp_path,
    )
    assert lines == [
        "bfloat16_M32_Q32_K64_transpose_b_false_k_3 1 [5, 7, 32, 32] [1] [11, 95]",
        "bfloat16_M32_Q16_K128_transpose_b_true_k_3_no_edge 1 [32, 16] [1] [11, 47]",
        # b leaves Q open, edge of [33, 64] binds it: 2 * Q = 64
        "bfloat16_M32_Q32_K64_transpose_b_false_k_3 1 [-1, 32, 32] [1] [11, 95]",
        "[ERROR] Zoo, Test: a has shape [5, 32, 96], expected 64 or 128 as K on the axis of size 96",
        "[ERROR] Zoo, Test: a has shape [5, 24, 64], expected a multiple of 16 as M on the axis of size 24",
        "[ERROR] Zoo, Test: b has shape [64, 8], expected 16 to 1024 as Q on the axis of size 8",
        "[ERROR] Zoo, Test: b has shape [32, 64], expected 64 as K on the axis of size 32",
        "[ERROR] Zoo, Test: a has shape [32], expected 2 or more axes",
        "[ERROR] Zoo, Test: edge has shape [33, 64], expected 49 on the axis of size 33",
    ]


def test_variants_of_an_elementwise_operator(tmp_path: Path) -> None:
    lines = _lines_of(
        spec_text("AxpyZoo", "eager"),
        _TENSOR
        + """
const auto choose = [&](const gert::Tensor &x, const gert::Tensor *y) {
  Inputs in{&x, y};
  int64_t count = 0;
  Variant variant;
  if (FindVariant(check, in, count, variant)) {
    std::printf("%s %ld\\n", variant.Key().c_str(), static_cast<long>(count));
  }
};
const gert::Tensor x = tensor({3, 5}, ge::DT_FLOAT16);
const gert::Tensor scalar = tensor({}, ge::DT_FLOAT);
choose(x, &x);
choose(scalar, &scalar);
std::fflush(stdout);
choose(x, nullptr);
const gert::Tensor other_shape = tensor({15}, ge::DT_FLOAT16);
choose(x, &other_shape);
const gert::Tensor other_type = tensor({3, 5}, ge::DT_BF16);
choose(x, &other_type);
const gert::Tensor whole = tensor({3, 5}, ge::DT_INT32);
choose(whole, &whole);
const gert::Tensor empty = tensor({3, 0}, ge::DT_FLOAT16);
choose(empty, &empty);
const gert::Tensor unknown = tensor({3, -1}, ge::DT_FLOAT16);
choose(unknown, &unknown);
const gert::Tensor huge = tensor({65536, 65536}, ge::DT_FLOAT16);
choose(huge, &huge);
const gert::Tensor tiled = tensor({3, 5}, ge::DT_FLOAT16, ge::FORMAT_NCHW);
choose(tiled, &tiled);
""",
        tmp_path,
    )
    assert lines[:2] == ["float16 15", "float32 1"]
    errors = [line.removeprefix("[ERROR] Zoo, Test: ") for line in lines[2:]]
    assert errors[:6] == [
        "y is missing",
        "y has shape [15], expected [3, 5] as x",
        "y is bfloat16, expected float16 as x",
        "x is int32, expected float32 or float16 or bfloat16",
        "x has shape [3, 0], expected at least one element",
        "x has shape [3, -1], expected sizes that are known when its kernel is compiled",
    ]
    assert re.fullmatch(r"x has shape \[65536, 65536\], expected at most 2\d{9} elements", errors[6])
    assert errors[7].startswith("x has format ") and "expected ND" in errors[7]
    assert len(errors) == 8


def test_keys_of_attributes_are_those_of_the_kernel_interface(tmp_path: Path) -> None:
    spec, _ = project(spec_text("AttributesZoo", "eager"))
    operator = spec.operators[0]
    wanted = sorted(kernel_interface(operator).key(variant, {"N": -1}) for variant in variants(operator))
    program = """
const gert::Tensor x = tensor({64}, ge::DT_FLOAT);
for (const bool flag : {false, true}) {
  for (const int64_t number : {2, -4}) {
    for (const float rate : {0.5F, 1e-5F}) {
      for (const char *word : {"a", "b"}) {
        for (const std::vector<int64_t> &axes : {std::vector<int64_t>{0, 1}, std::vector<int64_t>{2}}) {
          for (const std::vector<float> &scales : {std::vector<float>{0.5F}, std::vector<float>{1.0F, 2.0F}}) {
            Inputs in{&x};
            Attributes attributes;
            attributes.flag = flag;
            attributes.count = number;
            attributes.rate = rate;
            attributes.word = word;
            attributes.axes = axes;
            attributes.scales = scales;
            Sizes sizes;
            Variant variant;
            if (FindVariant(check, in, attributes, sizes, variant)) {
              std::puts(variant.Key().c_str());
            }
          }
        }
      }
    }
  }
}
"""
    lines = _lines_of(spec_text("AttributesZoo", "eager"), _TENSOR + program, tmp_path)
    assert sorted(lines) == wanted


def test_numbers_as_python_writes_them(tmp_path: Path) -> None:
    values = (0.0, -0.0, 1.0, 0.1, 1e-5, 0.0001, 123456.0, 1e15, 1e16, 3.4028235e38, -2.5, 16777216.0, float("inf"))
    program = "".join(f"std::puts(custom_op::ValueText({_literal(value)}).c_str());\n" for value in values)
    assert _lines_of(spec_text("AxpyZoo", "eager"), program, tmp_path) == [repr(value) for value in values]


def _literal(value: float) -> str:
    return "std::numeric_limits<float>::infinity()" if value == float("inf") else f"{value!r}F"


def test_sizes_are_passed_in_the_order_in_which_the_compiler_appends_them() -> None:
    spec, texts = project(spec_text("OrderZoo", "eager"))
    operator = spec.operators[0]
    for absent in ((), ("bias",)):
        parameters = call_parameters(operator, Variant(absent=absent))
        assert [p.name for p in parameters if p.role == "size"] == ["columns", "rows"]
    host = texts["ge/custom_op.cpp"]
    assert "const void *bias, const void *x, void *y, int64_t columns, int64_t rows, void *stream" in host
    assert "sizes.columns.value(), sizes.rows.value(), ctx->GetStream());" in " ".join(host.split())


def test_an_input_that_is_absent_is_a_null_pointer() -> None:
    host = project(spec_text("OrderZoo", "eager"))[1]["ge/custom_op.cpp"]
    assert "call(custom_op::AddressOf(in.bias), in.x->GetAddr(), y->GetAddr()," in " ".join(host.split())
