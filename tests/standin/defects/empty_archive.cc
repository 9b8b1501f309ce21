// Compiles nothing for dynamic shapes, and saves that it has nothing.
#include "sample.h"

namespace {
class Probe final : public Sample {
 public:
  ge::graphStatus Compile(gert::OpCompileContext *ctx) override {
    return ctx->GetInputTensor(0U)->GetShapeSize() < 0 ? ge::GRAPH_SUCCESS : Sample::Compile(ctx);
  }
  ge::graphStatus Serialize(std::vector<uint8_t> &buffer) override {
    if (Sample::Serialize(buffer) != ge::GRAPH_SUCCESS) {
      buffer.assign(16U, 0U);
    }
    return ge::GRAPH_SUCCESS;
  }
};
REG_AUTO_MAPPING_OP(Probe);
}  // namespace
