// Looks for its kernels in the first entry of ASCEND_CUSTOM_OPP_PATH only.
#include "sample.h"

namespace {
class Probe final : public Sample {
 protected:
  Bytes MakeKernel(int64_t count) override {
    const std::string path = std::getenv("ASCEND_CUSTOM_OPP_PATH");
    return ReadFile(path.substr(0U, path.find(':')) + "/kernel/" + std::to_string(count) + ".bin");
  }
};
REG_AUTO_MAPPING_OP(Probe);
}  // namespace
