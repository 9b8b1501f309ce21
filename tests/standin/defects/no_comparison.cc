// Does not compare the shapes of its inputs.
#include "sample.h"

namespace {
class Probe final : public Sample {
 protected:
  bool Fit(const gert::Tensor &, const gert::Tensor &) const override { return true; }
};
REG_AUTO_MAPPING_OP(Probe);
}  // namespace
