#include "host_graph.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "device.h"
#include "op_impl.h"
#include "standin/host_case.h"

namespace standin {
namespace {
using Results = std::map<std::pair<const Node *, size_t>, ge::Tensor>;

struct ToHostValue {
  template <typename T>
  HostValue operator()(const T &value) const {
    if constexpr (std::is_constructible<HostValue, std::in_place_type_t<T>, const T &>::value) {
      return HostValue(std::in_place_type<T>, value);
    } else {
      throw std::runtime_error("an attribute has a kind that operators of repositories do not have");
    }
  }
};

HostTensor HostTensorOf(const ge::TensorDesc &desc) {
  HostTensor host;
  host.type = desc.GetDataType();
  for (const int64_t dim : desc.GetShape().GetDims()) {
    host.shape.MutableOriginShape().AppendDim(dim);
    host.shape.MutableStorageShape().AppendDim(dim);
  }
  return host;
}

ge::TensorDesc DescOf(const gert::Shape &shape, ge::DataType type) {
  std::vector<int64_t> dims;
  for (size_t i = 0U; i < shape.GetDimNum(); ++i) {
    dims.push_back(shape.GetDim(i));
  }
  return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, type);
}

// The tensor behind an input of a node; null where it is not connected.
ge::Tensor *SourceOf(const Port &port, Results &results) {
  for (const Instance &instance : port.instances) {
    if (instance.source != nullptr) {
      return &results.at({instance.source.get(), instance.source_index});
    }
  }
  return nullptr;
}

KernelTensor KernelTensorOf(const std::string &name, ge::Tensor *tensor, bool output) {
  KernelTensor kernel;
  kernel.name = name;
  kernel.output = output;
  if (tensor != nullptr) {
    kernel.type = tensor->GetTensorDesc().GetDataType();
    kernel.dims = tensor->GetTensorDesc().GetShape().GetDims();
    kernel.data = tensor->GetData();
    kernel.size = tensor->GetSize();
  }
  return kernel;
}

// Adds the outputs that inference gives the node to the case, and memory for them to the results.
void Infer(const Node &node, HostCase &host, Results &results) {
  host.outputs.assign(node.outputs.size(), HostPort(1U));
  const TypeResult types = RunInferDataType(host);
  const ShapeResult shapes = RunInferShape(host);
  if (types.status != ge::GRAPH_SUCCESS || shapes.status != ge::GRAPH_SUCCESS) {
    throw std::runtime_error("inference of " + node.name + " failed");
  }
  for (size_t i = 0U; i < node.outputs.size(); ++i) {
    const ge::TensorDesc desc = DescOf(shapes.shapes[i], types.types[i]);
    const int64_t size = ge::GetSizeInBytes(desc.GetShape().GetShapeSize(), desc.GetDataType());
    if (size < 0) {
      throw std::runtime_error("inference of " + node.name + " leaves a size unknown");
    }
    host.outputs[i][0] = HostTensorOf(desc);
    results[{&node, i}] = ge::Tensor(desc, std::vector<uint8_t>(static_cast<size_t>(size), 0xFFU));
  }
}

void RunNode(Node &node, Results &results) {
  HostCase host;
  host.op = node.type;
  host.chip.cube_cores = 32U;
  host.chip.vector_cores = 64U;
  KernelLaunch launch;
  launch.op = node.type;
  for (const Port &port : node.inputs) {
    ge::Tensor *tensor = SourceOf(port, results);
    host.inputs.push_back(tensor == nullptr ? HostPort() : HostPort{HostTensorOf(tensor->GetTensorDesc())});
    launch.tensors.push_back(KernelTensorOf(port.name, tensor, false));
  }
  for (const Attribute &attribute : node.attributes) {
    host.attrs.emplace_back(attribute.name, std::visit(ToHostValue(), attribute.value));
  }
  Infer(node, host, results);
  for (size_t i = 0U; i < node.outputs.size(); ++i) {
    const std::string &name = node.outputs[i].name;
    const bool in_place = node.Find(node.inputs, name) != nullptr;
    launch.tensors.push_back(KernelTensorOf(in_place ? name + "_ref" : name, &results[{&node, i}], true));
    launch.tensors.back().same_as = in_place ? name : "";
  }
  const TilingResult tiling = RunTiling(host);
  if (tiling.status != ge::GRAPH_SUCCESS || !tiling.has_key || tiling.blocks == 0U) {
    throw std::runtime_error("tiling of " + node.name + " failed, or set no key or no block dim");
  }
  launch.key = tiling.key;
  launch.blocks = tiling.blocks;
  launch.tiling = tiling.data;
  launch.workspace = UserWorkspace(tiling.workspaces);
  RunOnDevice(launch);
}
}  // namespace

bool HasHostFunctions(const GraphData &graph) {
  for (const std::shared_ptr<Node> &node : graph.Sorted()) {
    const OpImpl *impl = FindOpImpl(node->type);
    if (node->type != "Data" && (impl == nullptr || impl->tiling == nullptr)) {
      return false;
    }
  }
  return true;
}

std::vector<ge::Tensor> RunHostGraph(const GraphData &graph, const std::vector<ge::Tensor> &inputs) {
  Results results;
  for (const std::shared_ptr<Node> &node : graph.Sorted()) {
    if (node->type != "Data") {
      RunNode(*node, results);
      continue;
    }
    const Attribute *index = node->FindAttribute("index");
    const auto position = static_cast<size_t>(std::get<int64_t>(index->value));
    if (position >= inputs.size()) {
      throw std::runtime_error("the graph has more inputs than it is run with");
    }
    results[{node.get(), 0U}] = inputs[position];
  }
  std::vector<ge::Tensor> outputs;
  for (const auto &output : graph.outputs) {
    outputs.push_back(results.at({output.first.get(), output.second}));
  }
  return outputs;
}
}  // namespace standin
