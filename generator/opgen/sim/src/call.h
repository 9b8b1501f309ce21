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
#include "exe_graph/runtime/tiling_data.h"
#include "node.h"
#include "platform/platform_infos_def.h"

namespace standin {
// The attributes of a node, as RuntimeAttrs reads them.
struct AttributeBytes {
  std::vector<std::vector<uint64_t>> values;  // of whole words, so that they are aligned

  explicit AttributeBytes(const std::vector<Attribute> &attributes);
};

using Options = std::map<std::string, std::string>;

// What Tiling may ask for, and what it decides.
struct HostTiling {
  HostTiling(size_t capacity, uint8_t fill) : data(capacity, fill) {}

  fe::PlatFormInfos platform;
  void *compile_info = nullptr;
  bool has_key = false;
  uint64_t key = 0U;
  uint32_t blocks = 0U;
  std::vector<size_t> workspaces;
  gert::TilingData data;
};

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

  HostTiling *tiling = nullptr;  // Tiling and TilingParse only
};

// Null past the end.
gert::Tensor *TensorAt(const std::vector<gert::Tensor *> &tensors, size_t index);
// Instance index of instance `relative` of a port; past the end of everything when there is none.
size_t Position(const Call &call, const std::vector<gert::AnchorInstanceInfo> &ports, size_t port, size_t relative);
}  // namespace standin

#endif  // STANDIN_SRC_CALL_H_
