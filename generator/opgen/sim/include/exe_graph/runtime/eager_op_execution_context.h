// CANN stand-in: context of Execute.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_EAGER_OP_EXECUTION_CONTEXT_H_
#define STANDIN_EXE_GRAPH_RUNTIME_EAGER_OP_EXECUTION_CONTEXT_H_

#include <cstddef>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor.h"
#include "graph/types.h"

namespace gert {
using rtStream = void *;

class EagerOpExecutionContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  rtStream GetStream() const;

  const Tensor *GetInputTensor(size_t index) const;
  const Tensor *GetRequiredInputTensor(size_t ir_index) const;
  const Tensor *GetOptionalInputTensor(size_t ir_index) const;
  const Tensor *GetDynamicInputTensor(size_t ir_index, size_t relative_index) const;
  const Tensor *GetOutputTensor(size_t index) const;

  // Null for an index out of range and for a tensor without elements. In a static graph the memory is there already,
  // and nobody checks that it is large enough.
  Tensor *MallocOutputTensor(size_t index, const StorageShape &shape, const StorageFormat &format, ge::DataType dtype);
  // The output is the memory of the input: for an output that has the name of an input.
  Tensor *MakeOutputRefInput(size_t output_index, size_t input_index) const;
  // Null for 0 bytes.
  void *MallocWorkSpace(size_t size);
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_EAGER_OP_EXECUTION_CONTEXT_H_
