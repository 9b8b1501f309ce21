// Stand-in for the unit test framework of CANN's operator repositories: a case of InferShape.
#ifndef STANDIN_UT_INFERSHAPE_CONTEXT_FAKER_H_
#define STANDIN_UT_INFERSHAPE_CONTEXT_FAKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "host_para.h"

namespace gert {
class InfershapeContextPara : public standin::HostPara {
  using Tensors = std::vector<TensorDescription>;
  using Attrs = std::vector<OpAttr>;
  using Counts = std::vector<uint32_t>;

 public:
  InfershapeContextPara(const std::string &opName, const Tensors &inputs, const Tensors &outputs, const Attrs &attrs,
                        const Counts &inputInstanceNum = {}, const Counts &outputInstanceNum = {})
      : HostPara(opName, inputs, outputs, attrs, inputInstanceNum, outputInstanceNum) {}
  InfershapeContextPara(const std::string &opName, const Tensors &inputs, const Tensors &outputs,
                        const Counts &inputInstanceNum = {}, const Counts &outputInstanceNum = {})
      : HostPara(opName, inputs, outputs, {}, inputInstanceNum, outputInstanceNum) {}
};
}  // namespace gert

#endif  // STANDIN_UT_INFERSHAPE_CONTEXT_FAKER_H_
