// CANN stand-in: registration of the host functions of an operator type.
#ifndef STANDIN_REGISTER_OP_IMPL_REGISTRY_H_
#define STANDIN_REGISTER_OP_IMPL_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "graph/ascend_string.h"
#include "graph/compiler_def.h"
#include "graph/types.h"

using UINT32 = uint32_t;

namespace gert {
class OpImplRegisterV2 {
 public:
  using InferShapeKernelFunc = UINT32 (*)(InferShapeContext *);
  using InferDataTypeKernelFunc = UINT32 (*)(InferDataTypeContext *);
  using TilingKernelFunc = UINT32 (*)(TilingContext *);
  using TilingParseFunc = UINT32 (*)(TilingParseContext *);
  using CompileInfoCreatorFunc = void *(*)();
  using CompileInfoDeleterFunc = void (*)(void *);

  explicit OpImplRegisterV2(const ge::char_t *op_type) : op_type_(op_type) {}

  OpImplRegisterV2 &InferShape(InferShapeKernelFunc function);
  OpImplRegisterV2 &InferDataType(InferDataTypeKernelFunc function);
  OpImplRegisterV2 &InferOutDataTypeSameWithFirstInput();
  OpImplRegisterV2 &Tiling(TilingKernelFunc function, size_t max_tiling_data_size = 2048);
  template <typename T>
  OpImplRegisterV2 &TilingParse(TilingParseFunc const function) {
    return TilingParse(function, []() -> void * { return new T(); }, [](void *info) { delete static_cast<T *>(info); });
  }
  OpImplRegisterV2 &InputsDataDependency(std::initializer_list<int32_t> inputs);
  OpImplRegisterV2 &TilingInputsDataDependency(std::initializer_list<int32_t> inputs);

 private:
  OpImplRegisterV2 &TilingParse(TilingParseFunc function, CompileInfoCreatorFunc create, CompileInfoDeleterFunc remove);

  std::string op_type_;
};
}  // namespace gert

#define STANDIN_IMPL_OP_(op_type, name, counter) \
  static gert::OpImplRegisterV2 VAR_UNUSED name##counter = gert::OpImplRegisterV2(#op_type)
#define STANDIN_IMPL_OP(op_type, name, counter) STANDIN_IMPL_OP_(op_type, name, counter)
#define IMPL_OP(op_type) STANDIN_IMPL_OP(op_type, op_impl_register_##op_type, __COUNTER__)
// Not static: two registrations of one type in one library do not link.
#define IMPL_OP_INFERSHAPE(op_type) \
  gert::OpImplRegisterV2 VAR_UNUSED op_impl_register_infershape_##op_type = gert::OpImplRegisterV2(#op_type)
#define IMPL_OP_OPTILING(op_type) \
  gert::OpImplRegisterV2 VAR_UNUSED op_impl_register_optiling_##op_type = gert::OpImplRegisterV2(#op_type)

#endif  // STANDIN_REGISTER_OP_IMPL_REGISTRY_H_
