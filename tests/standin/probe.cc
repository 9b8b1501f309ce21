// Says on stdout how GE calls it. PROBE names what it does wrong, in words.
//
// -DPROBE_WITHOUT_REG_OP: the library does not have REG_OP. -DOTHER_NOT_PORTABLE: nor is Other portable.
// -DPROBE_MARK=2: told apart in what it says.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "graph/custom_op.h"
#include "kernel.h"
#ifndef PROBE_WITHOUT_REG_OP
#include "probe.h"
#endif
#ifndef PROBE_MARK
#define PROBE_MARK 1
#endif

namespace {
bool Does(const char *word) {
  const char *words = std::getenv("PROBE");
  return words != nullptr && (std::string(" ") + words + " ").find(std::string(" ") + word + " ") != std::string::npos;
}

template <typename... T>
void Say(const char *format, T... values) {
  std::string line(256U, '\0');
  line.resize(static_cast<size_t>(std::snprintf(line.data(), line.size(), format, values...)));
  std::fputs((line + "\n").c_str(), stdout);  // one call, so that lines of threads do not mix
  std::fflush(stdout);
}

std::atomic<int> compiling{0};

class Shared : public ge::EagerExecuteOp, public ge::ShapeInferOp, public ge::CompilableOp {
 public:
  ge::graphStatus InferDataType(gert::InferDataTypeContext *ctx) override {
    Say("InferDataType");
    return ctx->SetOutputDataType(0U, ctx->GetInputDataType(0U));
  }

  ge::graphStatus InferShape(gert::InferShapeContext *ctx) override {
    Say("InferShape %lld address=%d", static_cast<long long>(ctx->GetInputShape(0U)->GetDim(0U)),
        ctx->GetInputTensor(0U)->GetAddr() != nullptr);
    *ctx->GetOutputShape(0U) = *ctx->GetInputShape(0U);
    return Does("fail-InferShape") ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
  }

  ge::graphStatus Compile(gert::OpCompileContext *ctx) override {
    const int all = ++compiling;
    const int own = ++compiling_;
    most_ = std::max(most_.load(), own);
    const gert::Tensor *x = ctx->GetInputTensor(0U);
    ge::AscendString soc;
    const bool known = ctx->GetOption("ge.socVersion", soc) == ge::GRAPH_SUCCESS;
    if (Does("slow-Compile")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    Say("Compile %s %lld address=%d size=%zu end=%d soc=%s attributes=%d together=%d on-object=%d", ctx->GetNodeName(),
        static_cast<long long>(x->GetShapeSize()), x->GetAddr() != nullptr, x->GetSize(),
        x->GetPlacement() == gert::kTensorPlacementEnd, known ? soc.GetString() : "none", ctx->GetAttrs() != nullptr,
        std::max(all, compiling.load()), most_.load());
    ready_ = true;
    --compiling_;
    --compiling;
    return Does("fail-Compile") ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
  }

  ge::graphStatus Execute(gert::EagerOpExecutionContext *ctx) override {
    const gert::Tensor *x = ctx->GetInputTensor(0U);
    const gert::Tensor *y = ctx->GetInputTensor(1U);
    const gert::RuntimeAttrs *attrs = ctx->GetAttrs();
    Say("Execute%d %lld ready=%d attributes=%d ports=%d", PROBE_MARK, static_cast<long long>(x->GetShapeSize()),
        ready_.load(), attrs != nullptr, ctx->GetIrInputInstanceInfo(0U) != nullptr);
    if (Does("fail-Execute") || (Does("wait") && aclrtSynchronizeStream(ctx->GetStream()) != ACL_SUCCESS)) {
      return ge::GRAPH_FAILED;
    }
    gert::StorageShape shape = x->GetShape();
    if (Does("grow")) {
      shape.MutableOriginShape().SetDim(0U, x->GetShapeSize() + 4);
      shape.MutableStorageShape() = shape.GetOriginShape();
    }
    gert::Tensor *z = ctx->MallocOutputTensor(0U, shape, x->GetFormat(), x->GetDataType());
    if (z == nullptr) {
      Say("no output");
      return ge::GRAPH_FAILED;
    }
    void *workspace = ctx->MallocWorkSpace(64U);
    Say("workspaces %d %d out-of-range=%d", workspace != nullptr, ctx->MallocWorkSpace(0U) != nullptr,
        ctx->MallocOutputTensor(9U, shape, x->GetFormat(), x->GetDataType()) != nullptr);
    const int64_t count = shape.GetStorageShape().GetShapeSize() + (Does("write-on") ? 1 : 0);
    const float scale = attrs == nullptr ? 1.0F : *attrs->GetFloat(0U);
    Launch(ctx->GetStream(), {x->GetData<float>(), y->GetData<float>(), z->GetData<float>(), scale,
                              Does("read-on") ? count + 4096 : count});
    return ge::GRAPH_SUCCESS;
  }

 protected:
  std::atomic<bool> ready_{false};

 private:
  std::atomic<int> compiling_{0};
  std::atomic<int> most_{0};
};

class Saved : public Shared, public ge::PortableOp {
 public:
  ge::graphStatus Serialize(std::vector<uint8_t> &buffer) override {
    const std::string text = Does("save-nothing") ? "" : "probe";
    buffer.assign(text.begin(), text.end());
    return ge::GRAPH_SUCCESS;
  }

  ge::graphStatus Deserialize(const std::vector<uint8_t> &buffer) override {
    Say("Deserialize%d time=%d", PROBE_MARK, ++times_);
    ready_ = true;
    return std::string(buffer.begin(), buffer.end()) == "probe" ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
  }

 private:
  int times_ = 0;
};

class Probe final : public Saved {};
REG_AUTO_MAPPING_OP(Probe);

#ifdef OTHER_NOT_PORTABLE
class Other final : public Shared {};
#else
class Other final : public Saved {};
#endif
REG_AUTO_MAPPING_OP(Other);

class InPlace final : public ge::EagerExecuteOp, public ge::ShapeInferOp {
 public:
  ge::graphStatus InferDataType(gert::InferDataTypeContext *ctx) override {
    return ctx->SetOutputDataType(0U, ctx->GetInputDataType(0U));
  }
  ge::graphStatus InferShape(gert::InferShapeContext *ctx) override {
    *ctx->GetOutputShape(0U) = *ctx->GetInputShape(0U);
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus Execute(gert::EagerOpExecutionContext *ctx) override {
    const gert::Tensor *x = ctx->GetInputTensor(0U);
    gert::Tensor *out = Does("allocate-in-place")
                            ? ctx->MallocOutputTensor(0U, x->GetShape(), x->GetFormat(), x->GetDataType())
                            : ctx->MakeOutputRefInput(0U, 0U);
    if (out == nullptr) {
      return ge::GRAPH_FAILED;
    }
    Launch(ctx->GetStream(), {x->GetData<float>(), ctx->GetInputTensor(1U)->GetData<float>(), out->GetData<float>(),
                              1.0F, x->GetShapeSize()});
    return ge::GRAPH_SUCCESS;
  }
};
REG_AUTO_MAPPING_OP(InPlace);
}  // namespace
