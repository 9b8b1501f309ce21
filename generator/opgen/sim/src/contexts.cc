#include <algorithm>
#include <cstring>
#include <iostream>
#include <new>

#include "call.h"
#include "exe_graph/runtime/eager_op_execution_context.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/op_compile_context.h"
#include "memory.h"
#include "runtime.h"

namespace standin {
namespace {
std::vector<uint64_t> Words(const void *data, size_t size) {
  std::vector<uint64_t> words((size + sizeof(uint64_t)) / sizeof(uint64_t) + 1U);
  if (size > 0U) {
    std::memcpy(words.data(), data, size);
  }
  return words;
}

// Capacity, size, elements: a ContinuousVector.
template <typename T>
std::vector<uint64_t> List(const std::vector<T> &values) {
  std::vector<uint64_t> words = {values.size(), values.size()};
  const std::vector<uint64_t> data = Words(values.data(), values.size() * sizeof(T));
  words.insert(words.end(), data.begin(), data.end());
  return words;
}

struct ToWords {
  std::vector<uint64_t> operator()(std::monostate) const { return {}; }
  std::vector<uint64_t> operator()(int64_t value) const { return Words(&value, sizeof(value)); }
  std::vector<uint64_t> operator()(float value) const { return Words(&value, sizeof(value)); }
  std::vector<uint64_t> operator()(bool value) const { return Words(&value, sizeof(value)); }
  std::vector<uint64_t> operator()(ge::DataType value) const { return (*this)(static_cast<int64_t>(value)); }
  std::vector<uint64_t> operator()(const std::string &value) const { return Words(value.c_str(), value.size() + 1U); }
  std::vector<uint64_t> operator()(const std::vector<int64_t> &values) const { return List(values); }
  std::vector<uint64_t> operator()(const std::vector<float> &values) const { return List(values); }
  template <typename T>
  std::vector<uint64_t> operator()(const std::vector<T> &) const {
    return {};  // kinds that no custom operator of ours has
  }
};

std::vector<gert::AnchorInstanceInfo> Infos(const Node &node, const std::vector<Port> &ports) {
  std::vector<gert::AnchorInstanceInfo> infos;
  for (size_t i = 0U; i < ports.size(); ++i) {
    const size_t start = node.Start(ports, i);
    infos.emplace_back(static_cast<uint32_t>(start), static_cast<uint32_t>(node.Start(ports, i + 1U) - start));
  }
  return infos;
}

std::vector<gert::CompileTimeTensorDesc> Descs(const std::vector<Instance *> &instances) {
  std::vector<gert::CompileTimeTensorDesc> descs(instances.size());
  for (size_t i = 0U; i < instances.size(); ++i) {
    descs[i].SetDataType(instances[i]->desc.GetDataType());
  }
  return descs;
}

template <typename T>
const T *At(const std::vector<T> &values, size_t index) {
  return index < values.size() ? &values[index] : nullptr;
}

// Whether output `index` has the name of an input, which makes it the memory of that input.
bool IsReference(const Call &call, size_t index) {
  if (!call.known) {
    return false;
  }
  for (size_t i = 0U; i < call.output_ports.size(); ++i) {
    const gert::AnchorInstanceInfo &port = call.output_ports[i];
    if (index >= port.GetInstanceStart() && index < port.GetInstanceStart() + port.GetInstanceNum()) {
      return call.node->Find(call.node->inputs, call.node->outputs[i].name) != nullptr;
    }
  }
  return false;
}

const gert::Shape *ShapeAt(const Call &call, size_t index) {
  const gert::Tensor *tensor = TensorAt(call.inputs, index);
  return tensor == nullptr ? nullptr : &tensor->GetOriginShape();
}

const Call &CallOf(const gert::ComputeNodeInfo *info) {
  return *reinterpret_cast<const Call *>(info);
}
}  // namespace

gert::Tensor *TensorAt(const std::vector<gert::Tensor *> &tensors, size_t index) {
  return index < tensors.size() ? tensors[index] : nullptr;
}

size_t Position(const Call &call, const std::vector<gert::AnchorInstanceInfo> &ports, size_t port, size_t relative) {
  const bool there = call.known && port < ports.size() && relative < ports[port].GetInstanceNum();
  return there ? ports[port].GetInstanceStart() + relative : SIZE_MAX;
}

AttributeBytes::AttributeBytes(const std::vector<Attribute> &attributes) {
  for (const Attribute &attribute : attributes) {
    if (!attribute.kind.empty()) {  // only those of REG_OP
      values.push_back(std::visit(ToWords(), attribute.value));
    }
  }
}

Call::Call(const std::shared_ptr<Node> &of)
    : node(of),
      attributes(of->attributes),
      input_ports(Infos(*of, of->inputs)),
      output_ports(Infos(*of, of->outputs)),
      input_descs(Descs(of->Instances(of->inputs))),
      output_descs(Descs(of->Instances(of->outputs))),
      known(of->known) {}
}  // namespace standin

namespace gert {
using standin::CallOf;
using standin::Position;
using standin::ShapeAt;
using standin::TensorAt;

size_t RuntimeAttrs::GetAttrNum() const {
  return reinterpret_cast<const standin::AttributeBytes *>(this)->values.size();
}

const void *RuntimeAttrs::GetPointerByIndex(size_t index) const {
  const auto *words = standin::At(reinterpret_cast<const standin::AttributeBytes *>(this)->values, index);
  return words == nullptr || words->empty() ? nullptr : words->data();
}

const ge::char_t *ComputeNodeInfo::GetNodeType() const {
  return CallOf(this).node->type.c_str();
}
const ge::char_t *ComputeNodeInfo::GetNodeName() const {
  return CallOf(this).node->name.c_str();
}
size_t ComputeNodeInfo::GetIrInputsNum() const {
  return CallOf(this).known ? CallOf(this).input_ports.size() : 0U;
}
size_t ComputeNodeInfo::GetIrOutputsNum() const {
  return CallOf(this).known ? CallOf(this).output_ports.size() : 0U;
}
size_t ComputeNodeInfo::GetInputsNum() const {
  return CallOf(this).inputs.size();
}
size_t ComputeNodeInfo::GetOutputsNum() const {
  return CallOf(this).output_descs.size();
}
const AnchorInstanceInfo *ComputeNodeInfo::GetInputInstanceInfo(const size_t ir_index) const {
  return CallOf(this).known ? standin::At(CallOf(this).input_ports, ir_index) : nullptr;
}
const AnchorInstanceInfo *ComputeNodeInfo::GetOutputInstanceInfo(const size_t ir_index) const {
  return CallOf(this).known ? standin::At(CallOf(this).output_ports, ir_index) : nullptr;
}
const CompileTimeTensorDesc *ComputeNodeInfo::GetInputTdInfo(const size_t index) const {
  return standin::At(CallOf(this).input_descs, index);
}
const CompileTimeTensorDesc *ComputeNodeInfo::GetOutputTdInfo(const size_t index) const {
  return standin::At(CallOf(this).output_descs, index);
}
const RuntimeAttrs *ComputeNodeInfo::GetAttrs() const {
  return CallOf(this).known ? reinterpret_cast<const RuntimeAttrs *>(&CallOf(this).attributes) : nullptr;
}

const ComputeNodeInfo *ExtendedKernelContext::GetComputeNodeInfo() const {
  return reinterpret_cast<const ComputeNodeInfo *>(call_);
}
const RuntimeAttrs *ExtendedKernelContext::GetAttrs() const {
  return GetComputeNodeInfo()->GetAttrs();
}
const ge::char_t *ExtendedKernelContext::GetNodeType() const {
  return GetComputeNodeInfo()->GetNodeType();
}
const ge::char_t *ExtendedKernelContext::GetNodeName() const {
  return GetComputeNodeInfo()->GetNodeName();
}
size_t ExtendedKernelContext::GetComputeNodeInputNum() const {
  return GetComputeNodeInfo()->GetInputsNum();
}
size_t ExtendedKernelContext::GetComputeNodeOutputNum() const {
  return GetComputeNodeInfo()->GetOutputsNum();
}
const CompileTimeTensorDesc *ExtendedKernelContext::GetInputDesc(const size_t index) const {
  return GetComputeNodeInfo()->GetInputTdInfo(index);
}
const CompileTimeTensorDesc *ExtendedKernelContext::GetOutputDesc(const size_t index) const {
  return GetComputeNodeInfo()->GetOutputTdInfo(index);
}
const CompileTimeTensorDesc *ExtendedKernelContext::GetRequiredInputDesc(const size_t ir_index) const {
  return GetDynamicInputDesc(ir_index, 0U);
}
const CompileTimeTensorDesc *ExtendedKernelContext::GetOptionalInputDesc(const size_t ir_index) const {
  return GetDynamicInputDesc(ir_index, 0U);
}
const CompileTimeTensorDesc *ExtendedKernelContext::GetDynamicInputDesc(const size_t ir_index,
                                                                        const size_t relative_index) const {
  return GetInputDesc(Position(*call_, call_->input_ports, ir_index, relative_index));
}
const AnchorInstanceInfo *ExtendedKernelContext::GetIrInputInstanceInfo(const size_t ir_index) const {
  return GetComputeNodeInfo()->GetInputInstanceInfo(ir_index);
}
const AnchorInstanceInfo *ExtendedKernelContext::GetIrOutputInstanceInfo(const size_t ir_index) const {
  return GetComputeNodeInfo()->GetOutputInstanceInfo(ir_index);
}

// The getters of input tensors are the same in three contexts.
#define STANDIN_INPUT_TENSORS(Context)                                                              \
  const Tensor *Context::GetInputTensor(size_t index) const {                                       \
    return TensorAt(call_->inputs, index);                                                          \
  }                                                                                                 \
  const Tensor *Context::GetRequiredInputTensor(size_t ir_index) const {                            \
    return GetDynamicInputTensor(ir_index, 0U);                                                     \
  }                                                                                                 \
  const Tensor *Context::GetOptionalInputTensor(size_t ir_index) const {                            \
    return GetDynamicInputTensor(ir_index, 0U);                                                     \
  }                                                                                                 \
  const Tensor *Context::GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {      \
    return TensorAt(call_->inputs, Position(*call_, call_->input_ports, ir_index, relative_index)); \
  }
STANDIN_INPUT_TENSORS(InferShapeContext)
STANDIN_INPUT_TENSORS(OpCompileContext)
STANDIN_INPUT_TENSORS(EagerOpExecutionContext)
#undef STANDIN_INPUT_TENSORS

const Shape *InferShapeContext::GetInputShape(const size_t index) const {
  return ShapeAt(*call_, index);
}
const Shape *InferShapeContext::GetRequiredInputShape(const size_t ir_index) const {
  return GetDynamicInputShape(ir_index, 0U);
}
const Shape *InferShapeContext::GetOptionalInputShape(const size_t ir_index) const {
  return GetDynamicInputShape(ir_index, 0U);
}
const Shape *InferShapeContext::GetDynamicInputShape(const size_t ir_index, const size_t relative_index) const {
  return ShapeAt(*call_, Position(*call_, call_->input_ports, ir_index, relative_index));
}
Shape *InferShapeContext::GetOutputShape(const size_t index) {
  Tensor *tensor = TensorAt(call_->outputs, index);
  return tensor == nullptr ? nullptr : &tensor->MutableOriginShape();
}

ge::DataType InferDataTypeContext::GetInputDataType(const size_t index) const {
  const CompileTimeTensorDesc *desc = GetInputDesc(index);
  return desc == nullptr ? ge::DT_UNDEFINED : desc->GetDataType();
}
ge::DataType InferDataTypeContext::GetRequiredInputDataType(const size_t ir_index) const {
  return GetDynamicInputDataType(ir_index, 0U);
}
ge::DataType InferDataTypeContext::GetOptionalInputDataType(const size_t ir_index) const {
  return GetDynamicInputDataType(ir_index, 0U);
}
ge::DataType InferDataTypeContext::GetDynamicInputDataType(const size_t ir_index, const size_t relative_index) const {
  return GetInputDataType(Position(*call_, call_->input_ports, ir_index, relative_index));
}
ge::DataType InferDataTypeContext::GetOutputDataType(const size_t index) const {
  return index < call_->output_types.size() ? call_->output_types[index] : ge::DT_UNDEFINED;
}
ge::graphStatus InferDataTypeContext::SetOutputDataType(const size_t index, const ge::DataType datatype) {
  if (index >= call_->output_types.size()) {
    return ge::GRAPH_FAILED;
  }
  call_->output_types[index] = datatype;
  return ge::GRAPH_SUCCESS;
}

const Tensor *OpCompileContext::GetOutputTensor(size_t index) const {
  return TensorAt(call_->outputs, index);
}
const Tensor *OpCompileContext::GetRequiredOutputTensor(size_t ir_index) const {
  return GetDynamicOutputTensor(ir_index, 0U);
}
const Tensor *OpCompileContext::GetDynamicOutputTensor(size_t ir_index, size_t relative_index) const {
  return TensorAt(call_->outputs, Position(*call_, call_->output_ports, ir_index, relative_index));
}
ge::graphStatus OpCompileContext::GetOption(const ge::AscendString &option_key, ge::AscendString &option) const {
  const auto found = call_->options->find(option_key.GetString());
  if (found == call_->options->end()) {
    return ge::GRAPH_PARAM_INVALID;
  }
  option = ge::AscendString(found->second.c_str());
  return ge::GRAPH_SUCCESS;
}
ge::graphStatus OpCompileContext::GetPlatformInfos(fe::PlatFormInfos &platform_info,
                                                   fe::OptionalInfos &optional_infos) const {
  const auto found = call_->options->find("ge.socVersion");
  if (!platform_info.Init() || !optional_infos.Init()) {
    return ge::GRAPH_FAILED;
  }
  optional_infos.SetSocVersion(found == call_->options->end() ? standin::SocName() : found->second);
  return ge::GRAPH_SUCCESS;
}

rtStream EagerOpExecutionContext::GetStream() const {
  return call_->stream;
}
const Tensor *EagerOpExecutionContext::GetOutputTensor(size_t index) const {
  return TensorAt(call_->outputs, index);
}

Tensor *EagerOpExecutionContext::MallocOutputTensor(size_t index, const StorageShape &shape,
                                                    const StorageFormat &format, ge::DataType dtype) {
  Tensor *tensor = TensorAt(call_->outputs, index);
  const int64_t size = ge::GetSizeInBytes(shape.GetStorageShape().GetShapeSize(), dtype);
  if (tensor == nullptr || size <= 0) {
    return nullptr;
  }
  if (standin::IsReference(*call_, index)) {
    std::cerr << "[stand-in] output " << index << " of " << call_->node->name
              << " has the name of an input: it takes MakeOutputRefInput, not MallocOutputTensor\n";
    return nullptr;
  }
  tensor->MutableOriginShape() = shape.GetOriginShape();
  tensor->MutableStorageShape() = shape.GetStorageShape();
  tensor->MutableFormat() = format;
  tensor->SetDataType(dtype);
  try {
    call_->allocate(index, static_cast<size_t>(size));
    return tensor;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

Tensor *EagerOpExecutionContext::MakeOutputRefInput(size_t output_index, size_t input_index) const {
  Tensor *output = TensorAt(call_->outputs, output_index);
  Tensor *input = TensorAt(call_->inputs, input_index);
  if (output == nullptr || input == nullptr) {
    return nullptr;
  }
  output->MutableOriginShape() = input->GetOriginShape();
  output->MutableStorageShape() = input->GetStorageShape();
  output->SetDataType(input->GetDataType());
  (void)output->MutableTensorData().SetAddr(input->GetAddr(), nullptr);
  output->SetSize(input->GetSize());
  return output;
}

void *EagerOpExecutionContext::MallocWorkSpace(size_t size) {
  if (size == 0U) {
    return nullptr;
  }
  try {
    call_->workspaces.push_back(standin::AllocateGuarded(size));
    return call_->workspaces.back();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}
}  // namespace gert
