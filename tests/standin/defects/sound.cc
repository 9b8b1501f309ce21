// No defect; -DWITHOUT_REG_OP makes one: the library does not know its own prototype.
#include "sample.h"

namespace {
class Probe final : public Sample {
 public:
  ~Probe() override {
    for (const auto &kernel : kernels_) {
      (void)dlclose(kernel.second.handle);
    }
  }
};
REG_AUTO_MAPPING_OP(Probe);
}  // namespace
