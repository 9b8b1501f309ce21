// Stand-in for the unit test framework of CANN's operator repositories: what both kinds of tests describe.
#ifndef STANDIN_UT_HOST_PARA_H_
#define STANDIN_UT_HOST_PARA_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "any_value.h"
#include "exe_graph/runtime/storage_shape.h"
#include "graph/types.h"
#include "standin/host_case.h"

namespace standin {
class HostPara {
 public:
  class TensorDescription {
   public:
    TensorDescription(const gert::StorageShape &shape, ge::DataType dtype, ge::Format format, bool isConst = false,
                      void *constValue = nullptr)
        : shape_(shape), dtype_(dtype), format_(format), isConst_(isConst), constValue_(constValue) {}

    gert::StorageShape shape_;
    ge::DataType dtype_;
    ge::Format format_;
    bool isConst_;
    void *constValue_;
  };

  class OpAttr {
   public:
    OpAttr(const std::string &attrName, const Ops::Math::AnyValue &attr) : attrName_(attrName), attr_(attr) {}

    std::string attrName_;
    Ops::Math::AnyValue attr_;
  };

  HostPara(const std::string &opName, const std::vector<TensorDescription> &inputs,
           const std::vector<TensorDescription> &outputs, const std::vector<OpAttr> &attrs,
           const std::vector<uint32_t> &inputInstanceNum, const std::vector<uint32_t> &outputInstanceNum)
      : opName_(opName),
        inputTensorDesc_(inputs),
        outputTensorDesc_(outputs),
        attrs_(attrs),
        inputInstanceNum_(inputInstanceNum),
        outputInstanceNum_(outputInstanceNum) {}

  HostCase StandinCase() const {
    HostCase host;
    host.op = opName_;
    host.inputs = Ports(inputTensorDesc_, inputInstanceNum_);
    host.outputs = Ports(outputTensorDesc_, outputInstanceNum_);
    for (const OpAttr &attr : attrs_) {
      host.attrs.emplace_back(attr.attrName_, attr.attr_.StandinValue());
    }
    return host;
  }

  std::string opName_;
  std::vector<TensorDescription> inputTensorDesc_;
  std::vector<TensorDescription> outputTensorDesc_;
  std::vector<OpAttr> attrs_;
  std::vector<uint32_t> inputInstanceNum_;
  std::vector<uint32_t> outputInstanceNum_;

 private:
  // Without numbers of instances, each tensor is an input or output of its own.
  static std::vector<HostPort> Ports(const std::vector<TensorDescription> &tensors, std::vector<uint32_t> counts) {
    if (counts.empty()) {
      counts.assign(tensors.size(), 1U);
    }
    std::vector<HostPort> ports;
    size_t next = 0U;
    for (const uint32_t count : counts) {
      HostPort &port = ports.emplace_back();
      for (uint32_t i = 0U; i < count; ++i) {
        if (next == tensors.size()) {
          throw std::invalid_argument("the numbers of instances ask for more tensors than are described");
        }
        port.push_back({tensors[next].shape_, tensors[next].dtype_, tensors[next].format_});
        ++next;
      }
    }
    return ports;
  }
};
}  // namespace standin

#endif  // STANDIN_UT_HOST_PARA_H_
