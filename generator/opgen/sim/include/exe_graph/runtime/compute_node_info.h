// CANN stand-in: what is known of a node when the graph is compiled.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
#define STANDIN_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/storage_format.h"
#include "graph/types.h"

namespace gert {
// How many instances an input or output of REG_OP has on a node, and the index of the first: none for an optional input
// that is not connected, any number for a dynamic one.
class AnchorInstanceInfo {
 public:
  AnchorInstanceInfo() = default;
  AnchorInstanceInfo(const uint32_t instance_start, const uint32_t instance_num)
      : instance_start_(instance_start), instance_num_(instance_num) {}

  size_t GetInstanceNum() const { return instance_num_; }
  size_t GetInstanceStart() const { return instance_start_; }

 private:
  uint32_t instance_start_ = 0U;
  uint32_t instance_num_ = 0U;
};

class CompileTimeTensorDesc {
 public:
  ge::DataType GetDataType() const { return data_type_; }
  void SetDataType(const ge::DataType data_type) { data_type_ = data_type; }
  const StorageFormat &GetFormat() const { return format_; }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }

 private:
  ge::DataType data_type_ = ge::DT_UNDEFINED;
  StorageFormat format_;
};

class ComputeNodeInfo {
 public:
  ComputeNodeInfo() = delete;
  ComputeNodeInfo(const ComputeNodeInfo &) = delete;
  ComputeNodeInfo &operator=(const ComputeNodeInfo &) = delete;

  const ge::char_t *GetNodeType() const;
  const ge::char_t *GetNodeName() const;
  size_t GetIrInputsNum() const;
  size_t GetIrOutputsNum() const;
  size_t GetInputsNum() const;
  size_t GetOutputsNum() const;
  const AnchorInstanceInfo *GetInputInstanceInfo(const size_t ir_index) const;
  const AnchorInstanceInfo *GetOutputInstanceInfo(const size_t ir_index) const;
  const CompileTimeTensorDesc *GetInputTdInfo(const size_t index) const;
  const CompileTimeTensorDesc *GetOutputTdInfo(const size_t index) const;
  const RuntimeAttrs *GetAttrs() const;
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
