// CANN stand-in: context of Compile. Its tensors have no memory.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_OP_COMPILE_CONTEXT_H_
#define STANDIN_EXE_GRAPH_RUNTIME_OP_COMPILE_CONTEXT_H_

#include <cstddef>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/tensor.h"
#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "platform/platform_infos_def.h"

namespace gert {
class OpCompileContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  const Tensor *GetInputTensor(size_t index) const;
  const Tensor *GetRequiredInputTensor(size_t ir_index) const;
  const Tensor *GetOptionalInputTensor(size_t ir_index) const;
  const Tensor *GetDynamicInputTensor(size_t ir_index, size_t relative_index) const;
  const Tensor *GetOutputTensor(size_t index) const;
  const Tensor *GetRequiredOutputTensor(size_t ir_index) const;
  const Tensor *GetDynamicOutputTensor(size_t ir_index, size_t relative_index) const;

  // GRAPH_PARAM_INVALID for an option that is not set.
  ge::graphStatus GetOption(const ge::AscendString &option_key, ge::AscendString &option) const;
  ge::graphStatus GetPlatformInfos(fe::PlatFormInfos &platform_info, fe::OptionalInfos &optional_infos) const;
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_OP_COMPILE_CONTEXT_H_
