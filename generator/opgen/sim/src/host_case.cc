#include "standin/host_case.h"

#include <memory>
#include <stdexcept>

#include "call.h"
#include "op_impl.h"

namespace standin {
namespace {
struct ToValue {
  template <typename T>
  Value operator()(const T &value) const {
    return value;
  }
};

Port PortOf(const HostPort &host, size_t index) {
  Port port;
  port.name = std::to_string(index);
  port.count = Count::kAny;
  for (const HostTensor &tensor : host) {
    Instance &instance = port.instances.emplace_back();
    instance.desc.SetDataType(tensor.type);
  }
  return port;
}

// A call for a case: its node and the tensors, whose memory nobody has.
class HostCall {
 public:
  explicit HostCall(const HostCase &host) : node_(NodeFor(host)), call_(node_) {
    Add(host.inputs, call_.inputs);
    Add(host.outputs, call_.outputs);
    call_.output_types.assign(call_.outputs.size(), ge::DT_UNDEFINED);
  }

  Call &call() { return call_; }

 private:
  static std::shared_ptr<Node> NodeFor(const HostCase &host) {
    auto node = std::make_shared<Node>();
    node->name = host.op;
    node->type = host.op;
    for (const HostPort &port : host.inputs) {
      node->inputs.push_back(PortOf(port, node->inputs.size()));
    }
    for (const HostPort &port : host.outputs) {
      node->outputs.push_back(PortOf(port, node->outputs.size()));
    }
    for (const auto &attr : host.attrs) {
      node->attributes.push_back({attr.first, "host", std::visit(ToValue(), attr.second), {}});
    }
    return node;
  }

  void Add(const std::vector<HostPort> &ports, std::vector<gert::Tensor *> &tensors) {
    for (const HostPort &port : ports) {
      for (const HostTensor &tensor : port) {
        const gert::StorageFormat format(tensor.format, tensor.format, gert::ExpandDimsType());
        tensors_.push_back(std::make_unique<gert::Tensor>(tensor.shape, format, tensor.type));
        tensors.push_back(tensors_.back().get());
      }
    }
  }

  std::shared_ptr<Node> node_;
  Call call_;
  std::vector<std::unique_ptr<gert::Tensor>> tensors_;
};

const OpImpl &ImplOf(const HostCase &host) {
  const OpImpl *impl = FindOpImpl(host.op);
  if (impl == nullptr) {
    throw std::invalid_argument("nothing is registered for the operator type " + host.op);
  }
  return *impl;
}

template <typename Function>
Function Needed(Function function, const HostCase &host, const char *what) {
  if (function == nullptr) {
    throw std::invalid_argument(host.op + " has no " + what);
  }
  return function;
}

void Describe(fe::PlatFormInfos &platform, const HostChip &chip) {
  (void)platform.Init();
  std::map<std::string, std::string> cores = {{"ai_core_cnt", std::to_string(chip.cube_cores)},
                                              {"cube_core_cnt", std::to_string(chip.cube_cores)},
                                              {"vector_core_cnt", std::to_string(chip.vector_cores)}};
  std::map<std::string, std::string> memory = {{"ub_size", std::to_string(chip.unified_buffer)}};
  std::map<std::string, std::string> version = {{"Short_SoC_version", chip.name}};
  platform.SetPlatformRes("SoCInfo", cores);
  platform.SetPlatformRes("AICoreSpec", memory);
  platform.SetPlatformRes("version", version);
}
}  // namespace

ShapeResult RunInferShape(const HostCase &host) {
  const auto function = Needed(ImplOf(host).infer_shape, host, "InferShape");
  HostCall own(host);
  gert::InferShapeContext context(&own.call());
  ShapeResult result{function(&context), {}};
  for (const gert::Tensor *tensor : own.call().outputs) {
    result.shapes.push_back(tensor->GetOriginShape());
  }
  return result;
}

TypeResult RunInferDataType(const HostCase &host) {
  const OpImpl &impl = ImplOf(host);
  HostCall own(host);
  gert::InferDataTypeContext context(&own.call());
  if (impl.infer_data_type == nullptr && impl.type_of_first_input) {
    own.call().output_types.assign(own.call().outputs.size(), context.GetInputDataType(0U));
    return {ge::GRAPH_SUCCESS, own.call().output_types};
  }
  const ge::graphStatus status = Needed(impl.infer_data_type, host, "InferDataType")(&context);
  return {status, own.call().output_types};
}

TilingResult RunTiling(const HostCase &host, uint8_t fill, size_t capacity) {
  const OpImpl &impl = ImplOf(host);
  const auto function = Needed(impl.tiling, host, "Tiling");
  const auto parse = Needed(impl.tiling_parse, host, "TilingParse");
  HostCall own(host);
  HostTiling tiling(capacity > 0U ? capacity : impl.tiling_capacity, fill);
  Describe(tiling.platform, host.chip);
  own.call().tiling = &tiling;
  const std::unique_ptr<void, void (*)(void *)> info(impl.create_compile_info(), impl.delete_compile_info);
  tiling.compile_info = info.get();
  gert::TilingParseContext parse_context(&own.call());
  TilingResult result;
  result.status = parse(&parse_context);
  if (result.status != ge::GRAPH_SUCCESS) {
    return result;
  }
  gert::TilingContext context(&own.call());
  result.status = function(&context);
  result.has_key = tiling.has_key;
  result.key = tiling.key;
  result.blocks = tiling.blocks;
  result.workspaces = tiling.workspaces;
  const auto *bytes = static_cast<const uint8_t *>(tiling.data.GetData());
  result.data.assign(bytes, bytes + tiling.data.GetDataSize());
  return result;
}
}  // namespace standin
