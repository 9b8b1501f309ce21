// CANN stand-in: context of Tiling.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
#define STANDIN_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor.h"
#include "exe_graph/runtime/tiling_data.h"
#include "graph/ge_error_codes.h"

namespace fe {
class PlatFormInfos;
}  // namespace fe

namespace gert {
class TilingContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  // By instance index, which counts what the node really has; null out of range.
  const StorageShape *GetInputShape(const size_t index) const;
  const StorageShape *GetOutputShape(const size_t index) const;
  const Tensor *GetInputTensor(const size_t index) const;
  // By the index in the definition; null for an optional input that is not connected.
  const StorageShape *GetRequiredInputShape(const size_t ir_index) const;
  const StorageShape *GetOptionalInputShape(const size_t ir_index) const;
  const StorageShape *GetDynamicInputShape(const size_t ir_index, const size_t relative_index) const;
  const Tensor *GetRequiredInputTensor(const size_t ir_index) const;
  const Tensor *GetOptionalInputTensor(const size_t ir_index) const;
  const Tensor *GetDynamicInputTensor(const size_t ir_index, const size_t relative_index) const;

  fe::PlatFormInfos *GetPlatformInfo() const;
  const void *GetCompileInfo() const;
  template <typename T>
  const T *GetCompileInfo() const {
    return static_cast<const T *>(GetCompileInfo());
  }
  int32_t GetDeterministic() const;

  ge::graphStatus SetTilingKey(const uint64_t tiling_key);
  uint64_t GetTilingKey() const;
  ge::graphStatus SetBlockDim(const uint32_t block_dim);
  uint32_t GetBlockDim() const;
  ge::graphStatus SetScheduleMode(const uint32_t schedule_mode);
  ge::graphStatus SetLocalMemorySize(const uint32_t local_memory_size);
  ge::graphStatus SetNeedAtomic(const bool atomic);

  // Null when T has more bytes than there are.
  template <typename T>
  auto GetTilingData() -> T * {
    TilingData *data = GetRawTilingData();
    if (data == nullptr || data->GetCapacity() < sizeof(T)) {
      return nullptr;
    }
    data->SetDataSize(sizeof(T));
    return static_cast<T *>(data->GetData());
  }
  TilingData *GetRawTilingData();
  // Room for so many sizes, in bytes.
  size_t *GetWorkspaceSizes(const size_t workspace_count);
  size_t GetWorkspaceNum() const;
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
