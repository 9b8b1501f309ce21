// Stand-in for the unit test framework of CANN's operator repositories: a case of Tiling.
#ifndef STANDIN_UT_TILING_CONTEXT_FAKER_H_
#define STANDIN_UT_TILING_CONTEXT_FAKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "host_para.h"

namespace gert {
// coreNum: cores of the device, cube cores as well as vector cores. ubSize, tilingDataSize: bytes.
class TilingContextPara : public standin::HostPara {
  using Tensors = std::vector<TensorDescription>;
  using Attrs = std::vector<OpAttr>;
  using Counts = std::vector<uint32_t>;

 public:
  TilingContextPara(const std::string &opName, const Tensors &inputs, const Tensors &outputs, const Attrs &attrs,
                    void *compileInfo = nullptr, uint64_t coreNum = 64, uint64_t ubSize = 262144,
                    uint64_t tilingDataSize = 4096)
      : TilingContextPara(opName, inputs, outputs, attrs, {}, {}, compileInfo, coreNum, ubSize, tilingDataSize) {}
  TilingContextPara(const std::string &opName, const Tensors &inputs, const Tensors &outputs,
                    void *compileInfo = nullptr, uint64_t coreNum = 64, uint64_t ubSize = 262144,
                    uint64_t tilingDataSize = 4096)
      : TilingContextPara(opName, inputs, outputs, {}, {}, {}, compileInfo, coreNum, ubSize, tilingDataSize) {}
  TilingContextPara(const std::string &opName, const Tensors &inputs, const Tensors &outputs, const Attrs &attrs,
                    const Counts &inputInstanceNum, const Counts &outputInstanceNum, void *compileInfo = nullptr,
                    uint64_t coreNum = 64, uint64_t ubSize = 262144, uint64_t tilingDataSize = 4096)
      : HostPara(opName, inputs, outputs, attrs, inputInstanceNum, outputInstanceNum),
        compileInfo_(compileInfo),
        coreNum_(coreNum),
        ubSize_(ubSize),
        tilingDataSize_(tilingDataSize) {}

  void *compileInfo_;
  uint64_t coreNum_;
  uint64_t ubSize_;
  uint64_t tilingDataSize_;
};
}  // namespace gert

#endif  // STANDIN_UT_TILING_CONTEXT_FAKER_H_
