// CANN stand-in: context of TilingParse, which is called once, before Tiling.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_
#define STANDIN_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_

#include "exe_graph/runtime/extended_kernel_context.h"
#include "graph/types.h"

namespace fe {
class PlatFormInfos;
}  // namespace fe

namespace gert {
class TilingParseContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  const ge::char_t *GetCompiledJson() const;
  template <typename T>
  auto GetCompiledInfo() -> T * {
    return static_cast<T *>(CompiledInfo());
  }
  fe::PlatFormInfos *GetPlatformInfo() const;

 private:
  void *CompiledInfo();
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_
