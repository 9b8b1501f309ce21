// The host functions of the operator types of this process.
#ifndef STANDIN_SRC_OP_IMPL_H_
#define STANDIN_SRC_OP_IMPL_H_

#include <cstddef>
#include <string>

#include "register/op_impl_registry.h"

namespace standin {
struct OpImpl {
  gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape = nullptr;
  gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_data_type = nullptr;
  bool type_of_first_input = false;
  gert::OpImplRegisterV2::TilingKernelFunc tiling = nullptr;
  gert::OpImplRegisterV2::TilingParseFunc tiling_parse = nullptr;
  gert::OpImplRegisterV2::CompileInfoCreatorFunc create_compile_info = nullptr;
  gert::OpImplRegisterV2::CompileInfoDeleterFunc delete_compile_info = nullptr;
  size_t tiling_capacity = 2048U;  // bytes
};

// Null when nobody registered the type.
const OpImpl *FindOpImpl(const std::string &op_type);
}  // namespace standin

#endif  // STANDIN_SRC_OP_IMPL_H_
