// Makes its kernels with a shell that gets the path without quotes.
#include <cstdio>

#include "sample.h"

namespace {
class Probe final : public Sample {
 protected:
  Bytes MakeKernel(int64_t count) override {
    Bytes image;
    FILE *pipe = popen(("cat " + KernelPath(count)).c_str(), "r");
    for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe)) {
      image.push_back(static_cast<uint8_t>(byte));
    }
    return pclose(pipe) == 0 ? image : Bytes();
  }
};
REG_AUTO_MAPPING_OP(Probe);
}  // namespace
