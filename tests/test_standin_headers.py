"""The stand-in's headers: what compiles against them compiles against CANN, and mistakes do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from opgen.sim import home
from program_support import gxx

_NUMBERS = """
#include "acl/acl_rt.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"
static_assert(ge::DT_FLOAT == 0 && ge::DT_FLOAT16 == 1 && ge::DT_INT8 == 2 && ge::DT_INT32 == 3 && ge::DT_UINT8 == 4);
static_assert(ge::DT_INT16 == 6 && ge::DT_UINT16 == 7 && ge::DT_UINT32 == 8 && ge::DT_INT64 == 9);
static_assert(ge::DT_UINT64 == 10 && ge::DT_BOOL == 12 && ge::DT_BF16 == 27 && ge::DT_UNDEFINED == 28);
static_assert(ge::FORMAT_ND == 2 && ge::GRAPH_SUCCESS == 0 && ge::GRAPH_PARAM_INVALID == 50331649);
static_assert(ge::GRAPH_FAILED == 0xFFFFFFFF && ACL_SUCCESS == 0 && ACL_MEMCPY_DEVICE_TO_HOST == 2);
"""

_EVERY_ITEM = """
#include "graph/graph.h"
#include "graph/operator_reg.h"
namespace ge {
REG_OP(Everything)
    .INPUT(x, "T")
    .OPTIONAL_INPUT(bias, TensorType({DT_FLOAT, DT_FLOAT16}))
    .DYNAMIC_INPUT(ys, TensorType::ALL())
    .OUTPUT(x, "T")
    .DYNAMIC_OUTPUT(ws, "T")
    .ATTR(a, Int, 3)
    .ATTR(f, Float, 1.5)
    .ATTR(b, Bool, false)
    .ATTR(s, String, "none")
    .ATTR(t, Type, DT_FLOAT)
    .ATTR(li, ListInt, {1, 2})
    .ATTR(lf, ListFloat, {1.0, 2.5})
    .ATTR(empty, ListInt, {})
    .REQUIRED_ATTR(r, Float)
    .DATATYPE(T, TensorType({DT_FLOAT, DT_BF16}))
    .OP_END_FACTORY_REG(Everything)
}  // namespace ge

ge::Graph Build(ge::Operator &data) {
  ge::op::Everything node("node");
  node.set_input_x(data).set_input_bias(data).create_dynamic_input_ys(2U).create_dynamic_output_ws(2U);
  node.set_dynamic_input_ys(0U, data).set_dynamic_input_ys(1U, data);
  node.set_attr_a(3).set_attr_f(0.5F).set_attr_b(true).set_attr_s("x").set_attr_t(ge::DT_BF16).set_attr_r(0);
  node.set_attr_li({1, 2}).set_attr_lf({1.0F});
  node.update_output_desc_x(ge::TensorDesc());
  ge::Graph graph("graph");
  graph.SetInputs({data}).SetOutputs({node});
  return graph;
}
"""

_OPERATOR = """
#include "graph/custom_op.h"
namespace {
class Custom final : public ge::CompilableOp,
                     public ge::PortableOp,
                     public ge::EagerExecuteOp,
                     public ge::ShapeInferOp {
 public:
  ge::graphStatus InferDataType(gert::InferDataTypeContext *ctx) override {
    return ctx->SetOutputDataType(0, ctx->GetOptionalInputDataType(0));
  }
  ge::graphStatus InferShape(gert::InferShapeContext *ctx) override {
    *ctx->GetOutputShape(0) = *ctx->GetDynamicInputShape(1, 0);
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus Compile(gert::OpCompileContext *ctx) override {
    ge::AscendString soc;
    return ctx->GetOption("ge.socVersion", soc);
  }
  ge::graphStatus Serialize(std::vector<uint8_t> &) override { return ge::GRAPH_SUCCESS; }
  ge::graphStatus Deserialize(const std::vector<uint8_t> &) override { return ge::GRAPH_SUCCESS; }
  ge::graphStatus Execute(gert::EagerOpExecutionContext *ctx) override {
    const gert::Tensor *x = ctx->GetRequiredInputTensor(0);
    const int64_t *first = ctx->GetAttrs()->GetListInt(0)->GetData();
    gert::Tensor *y = ctx->MallocOutputTensor(0, x->GetShape(), x->GetFormat(), x->GetDataType());
    return y == nullptr || first == nullptr || ctx->GetStream() == nullptr ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
  }
};
REG_AUTO_MAPPING_OP(Custom);
}  // namespace
"""

# Lines that the real headers refuse as well, each with a part of what the compiler says.
_MISTAKES = {
    "void Copy(const gert::Tensor &x) { gert::Tensor y = x; (void)y; }": "use of deleted function",
    "struct Half : ge::ShapeInferOp {}; Half half;": "abstract",
    'void Save(const ge::Graph &g) { (void)g.SaveToFile(std::string("x")); }': "deprecated",
    "void Connect(ge::op::Other &o, ge::Operator &x) { o.set_input_z(x); }": "set_input_z",
    "void Write(const gert::EagerOpExecutionContext &c) { gert::Tensor *t = c.GetInputTensor(0); (void)t; }": (
        "invalid conversion"
    ),
    "void Allocate(const gert::EagerOpExecutionContext &c) { (void)c.MallocOutputTensor(0, {}, {}, ge::DT_INT8); }": (
        "discards qualifiers"
    ),
}
_MISTAKEN_HEAD = """#include "graph/custom_op.h"
#include "graph/graph.h"
#include "graph/operator_reg.h"
namespace ge { REG_OP(Other).INPUT(x, "T").DATATYPE(T, TensorType({DT_FLOAT})).OP_END_FACTORY_REG(Other) }
namespace ge { REG_OP(One).INPUT(x, "T").DATATYPE(T, TensorType({DT_FLOAT})).OP_END_FACTORY_REG(Other) }
"""


@pytest.mark.parametrize("version", [91, 92])
def test_it_has_what_custom_operators_need(tmp_path: Path, version: int) -> None:
    (tmp_path / "all.cc").write_text(_NUMBERS + _EVERY_ITEM + _OPERATOR)
    result = gxx(f"-DCANN_STANDIN_VERSION={version}", "-fsyntax-only", "all.cc", cwd=tmp_path)
    assert result.returncode == 0, result.stderr


def test_mistakes_do_not_compile(tmp_path: Path) -> None:
    (tmp_path / "wrong.cc").write_text(_MISTAKEN_HEAD + "\n".join(_MISTAKES))
    result = gxx("-fsyntax-only", "wrong.cc", cwd=tmp_path)
    assert result.returncode != 0
    assert "OP_END_FACTORY_REG names another operator than REG_OP" in result.stderr
    first = _MISTAKEN_HEAD.count("\n") + 1
    for line, said in enumerate(_MISTAKES.values(), first):
        there = [text for text in result.stderr.splitlines() if text.startswith(f"wrong.cc:{line}:")]
        assert any(said in text for text in there), (line, said, there)


@pytest.mark.full
def test_every_header_stands_alone(tmp_path: Path) -> None:
    headers = sorted(home().glob("include/**/*.h")) + sorted(home().glob("opp/**/*.h"))
    assert len(headers) > 20
    for number, header in enumerate(headers):
        (tmp_path / f"alone{number}.cc").write_text(f'#include "{header}"\n')
    result = gxx("-fsyntax-only", *(f"alone{n}.cc" for n in range(len(headers))), cwd=tmp_path)
    assert result.returncode == 0, result.stderr
