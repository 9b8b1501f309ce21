// One callback of one node: what the contexts show of it.
#ifndef STANDIN_SRC_CALL_H_
#define STANDIN_SRC_CALL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/tensor.h"
#include "node.h"

namespace standin {
// The attributes of a node, as RuntimeAttrs reads them.
struct AttributeBytes {
  std::vector<std::vector<uint64_t>> values;  // of whole words, so that they are aligned

  explicit AttributeBytes(const std::vector<Attribute> &attributes);
};

using Options = std::map<std::string, std::string>;

struct Call {
  explicit Call(const std::shared_ptr<Node> &of);

  std::shared_ptr<Node> node;
  AttributeBytes attributes;
  std::vector<gert::AnchorInstanceInfo> input_ports;
  std::vector<gert::AnchorInstanceInfo> output_ports;
  std::vector<gert::CompileTimeTensorDesc> input_descs;
  std::vector<gert::CompileTimeTensorDesc> output_descs;
  bool known = true;  // as of the node

  std::vector<gert::Tensor *> inputs;
  std::vector<gert::Tensor *> outputs;
  std::vector<ge::DataType> output_types;
  const Options *options = nullptr;

  // Execute only.
  void *stream = nullptr;
  std::function<void(size_t index, size_t size)> allocate;  // memory for an output; may throw std::bad_alloc
  std::vector<void *> workspaces;
};
}  // namespace standin

#endif  // STANDIN_SRC_CALL_H_
