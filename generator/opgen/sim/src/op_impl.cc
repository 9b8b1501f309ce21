#include "op_impl.h"

#include <map>

namespace standin {
namespace {
std::map<std::string, OpImpl> &Impls() {
  static std::map<std::string, OpImpl> impls;
  return impls;
}
}  // namespace

const OpImpl *FindOpImpl(const std::string &op_type) {
  const auto found = Impls().find(op_type);
  return found == Impls().end() ? nullptr : &found->second;
}
}  // namespace standin

namespace gert {
OpImplRegisterV2 &OpImplRegisterV2::InferShape(InferShapeKernelFunc function) {
  standin::Impls()[op_type_].infer_shape = function;
  return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::InferDataType(InferDataTypeKernelFunc function) {
  standin::Impls()[op_type_].infer_data_type = function;
  return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::InferOutDataTypeSameWithFirstInput() {
  standin::Impls()[op_type_].type_of_first_input = true;
  return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::Tiling(TilingKernelFunc function, size_t max_tiling_data_size) {
  standin::OpImpl &impl = standin::Impls()[op_type_];
  impl.tiling = function;
  impl.tiling_capacity = max_tiling_data_size;
  return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::TilingParse(TilingParseFunc function, CompileInfoCreatorFunc create,
                                                CompileInfoDeleterFunc remove) {
  standin::OpImpl &impl = standin::Impls()[op_type_];
  impl.tiling_parse = function;
  impl.create_compile_info = create;
  impl.delete_compile_info = remove;
  return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::InputsDataDependency(std::initializer_list<int32_t>) {
  return *this;
}
OpImplRegisterV2 &OpImplRegisterV2::TilingInputsDataDependency(std::initializer_list<int32_t>) {
  return *this;
}
}  // namespace gert
