// Frees its device memory in its destructor, which runs after GE was finalized.
#include "acl/acl_rt.h"
#include "sample.h"

namespace {
class Probe final : public Sample {
 public:
  ~Probe() override { (void)aclrtFree(memory_); }

  ge::graphStatus Execute(gert::EagerOpExecutionContext *ctx) override {
    if (memory_ == nullptr && aclrtMalloc(&memory_, 64U, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
      return ge::GRAPH_FAILED;
    }
    return Sample::Execute(ctx);
  }

 private:
  void *memory_ = nullptr;
};
REG_AUTO_MAPPING_OP(Probe);
}  // namespace
