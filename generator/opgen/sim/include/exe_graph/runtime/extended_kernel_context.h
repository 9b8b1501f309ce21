// CANN stand-in: what all contexts of callbacks have in common. A context is a view that GE hands out.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
#define STANDIN_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_

#include <cstddef>

#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/runtime_attrs.h"
#include "graph/types.h"

namespace standin {
struct Call;  // one callback of one node: its inputs, its outputs and what the callback may ask for
}  // namespace standin

namespace gert {
class ExtendedKernelContext {
 public:
  explicit ExtendedKernelContext(standin::Call *call) : call_(call) {}

  const ComputeNodeInfo *GetComputeNodeInfo() const;
  const RuntimeAttrs *GetAttrs() const;
  const ge::char_t *GetNodeType() const;
  const ge::char_t *GetNodeName() const;
  size_t GetComputeNodeInputNum() const;
  size_t GetComputeNodeOutputNum() const;

  // By instance index, which counts what the node really has; null out of range.
  const CompileTimeTensorDesc *GetInputDesc(const size_t index) const;
  const CompileTimeTensorDesc *GetOutputDesc(const size_t index) const;
  // By the index in REG_OP; null for an optional input that is not connected.
  const CompileTimeTensorDesc *GetRequiredInputDesc(const size_t ir_index) const;
  const CompileTimeTensorDesc *GetOptionalInputDesc(const size_t ir_index) const;
  const CompileTimeTensorDesc *GetDynamicInputDesc(const size_t ir_index, const size_t relative_index) const;
  const AnchorInstanceInfo *GetIrInputInstanceInfo(const size_t ir_index) const;
  const AnchorInstanceInfo *GetIrOutputInstanceInfo(const size_t ir_index) const;

 protected:
  standin::Call *call_;
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
