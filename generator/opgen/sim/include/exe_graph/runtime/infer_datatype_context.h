// CANN stand-in: context of InferDataType.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
#define STANDIN_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_

#include <cstddef>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace gert {
// DT_UNDEFINED for what the node does not have.
class InferDataTypeContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  ge::DataType GetInputDataType(const size_t index) const;
  ge::DataType GetRequiredInputDataType(const size_t ir_index) const;
  ge::DataType GetOptionalInputDataType(const size_t ir_index) const;
  ge::DataType GetDynamicInputDataType(const size_t ir_index, const size_t relative_index) const;
  ge::DataType GetOutputDataType(const size_t index) const;
  ge::graphStatus SetOutputDataType(const size_t index, const ge::DataType datatype);
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
