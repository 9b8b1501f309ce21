// Looks for its kernels in the folder of one architecture, which is not that of the host.
#include "sample.h"

namespace {
#if defined(__aarch64__)
constexpr char kFolder[] = "/op_graph/lib/linux/x86_64/";
#else
constexpr char kFolder[] = "/op_graph/lib/linux/aarch64/";
#endif

class Probe final : public Sample {
 protected:
  Bytes MakeKernel(int64_t count) override {
    return ReadFile(std::getenv("ASCEND_CUSTOM_OPP_PATH") + (kFolder + std::to_string(count)) + ".bin");
  }
};
REG_AUTO_MAPPING_OP(Probe);
}  // namespace
