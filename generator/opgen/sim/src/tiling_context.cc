#include "exe_graph/runtime/tiling_context.h"

#include <limits>

#include "call.h"
#include "exe_graph/runtime/tiling_parse_context.h"

namespace gert {
using standin::Position;
using standin::TensorAt;

namespace {
const StorageShape *ShapeOf(const Tensor *tensor) {
  return tensor == nullptr ? nullptr : &tensor->GetShape();
}
}  // namespace

const Tensor *TilingContext::GetInputTensor(const size_t index) const {
  return TensorAt(call_->inputs, index);
}
const Tensor *TilingContext::GetRequiredInputTensor(const size_t ir_index) const {
  return GetDynamicInputTensor(ir_index, 0U);
}
const Tensor *TilingContext::GetOptionalInputTensor(const size_t ir_index) const {
  return GetDynamicInputTensor(ir_index, 0U);
}
const Tensor *TilingContext::GetDynamicInputTensor(const size_t ir_index, const size_t relative_index) const {
  return TensorAt(call_->inputs, Position(*call_, call_->input_ports, ir_index, relative_index));
}
const StorageShape *TilingContext::GetInputShape(const size_t index) const {
  return ShapeOf(GetInputTensor(index));
}
const StorageShape *TilingContext::GetRequiredInputShape(const size_t ir_index) const {
  return ShapeOf(GetDynamicInputTensor(ir_index, 0U));
}
const StorageShape *TilingContext::GetOptionalInputShape(const size_t ir_index) const {
  return ShapeOf(GetDynamicInputTensor(ir_index, 0U));
}
const StorageShape *TilingContext::GetDynamicInputShape(const size_t ir_index, const size_t relative_index) const {
  return ShapeOf(GetDynamicInputTensor(ir_index, relative_index));
}
const StorageShape *TilingContext::GetOutputShape(const size_t index) const {
  return ShapeOf(TensorAt(call_->outputs, index));
}

fe::PlatFormInfos *TilingContext::GetPlatformInfo() const {
  return &call_->tiling->platform;
}
const void *TilingContext::GetCompileInfo() const {
  return call_->tiling->compile_info;
}
int32_t TilingContext::GetDeterministic() const {
  return 0;
}

ge::graphStatus TilingContext::SetTilingKey(const uint64_t tiling_key) {
  call_->tiling->has_key = true;
  call_->tiling->key = tiling_key;
  return ge::GRAPH_SUCCESS;
}
uint64_t TilingContext::GetTilingKey() const {
  return call_->tiling->has_key ? call_->tiling->key : std::numeric_limits<uint64_t>::max();
}
ge::graphStatus TilingContext::SetBlockDim(const uint32_t block_dim) {
  call_->tiling->blocks = block_dim;
  return ge::GRAPH_SUCCESS;
}
uint32_t TilingContext::GetBlockDim() const {
  return call_->tiling->blocks;
}
ge::graphStatus TilingContext::SetScheduleMode(const uint32_t) {
  return ge::GRAPH_SUCCESS;
}
ge::graphStatus TilingContext::SetLocalMemorySize(const uint32_t) {
  return ge::GRAPH_SUCCESS;
}
ge::graphStatus TilingContext::SetNeedAtomic(const bool) {
  return ge::GRAPH_SUCCESS;
}
TilingData *TilingContext::GetRawTilingData() {
  return &call_->tiling->data;
}
size_t *TilingContext::GetWorkspaceSizes(const size_t workspace_count) {
  call_->tiling->workspaces.resize(workspace_count);
  return call_->tiling->workspaces.data();
}
size_t TilingContext::GetWorkspaceNum() const {
  return call_->tiling->workspaces.size();
}

const ge::char_t *TilingParseContext::GetCompiledJson() const {
  return "{}";
}
fe::PlatFormInfos *TilingParseContext::GetPlatformInfo() const {
  return &call_->tiling->platform;
}
void *TilingParseContext::CompiledInfo() {
  return call_->tiling->compile_info;
}
}  // namespace gert
