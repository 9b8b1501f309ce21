// CANN stand-in: REG_OP, which describes an operator and defines the class ge::op::TYPE to build graphs with.
//
// REG_OP opens a class, each item adds members to it, and OP_END_FACTORY_REG closes it. An item is written like a call
// on the item before it (".INPUT(x, ...)"), so that every macro first ends the function in which the last one stopped
// and then stops in a function of its own. That function calls the next one: the constructor runs through all items in
// their order.
#ifndef STANDIN_GRAPH_OPERATOR_REG_H_
#define STANDIN_GRAPH_OPERATOR_REG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/operator.h"
#include "graph/operator_factory.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {
class OpReg {
 public:
  OpReg &N() { return *this; }
};
}  // namespace ge

#define REG_OP(type)                                                          \
  namespace op {                                                              \
  class type : public ge::Operator {                                          \
    using StandinThis = type;                                                 \
                                                                              \
   public:                                                                    \
    type() : ge::Operator(#type) {                                            \
      StandinItems();                                                         \
    }                                                                         \
    explicit type(const char *name) : ge::Operator(name, #type) {             \
      StandinItems();                                                         \
    }                                                                         \
    explicit type(const ge::AscendString &name) : ge::Operator(name, #type) { \
      StandinItems();                                                         \
    }                                                                         \
                                                                              \
   private:                                                                   \
    void StandinItems() {                                                     \
      (void)ge::OpReg()

// Ends the function of the item before, which calls `next`.
#define STANDIN_ITEM_BEGIN(next) \
  N();                           \
  next();                        \
  }                              \
                                 \
 public:

// Opens the function of this item, which makes `record` known.
#define STANDIN_ITEM_END(function, record) \
 private:                                  \
  void function() {                        \
    record;                                \
    (void)ge::OpReg()

#define STANDIN_SET_INPUT(x)                                               \
  static const char *name_in_##x() {                                       \
    return #x;                                                             \
  }                                                                        \
  StandinThis &set_input_##x(ge::Operator &v) {                            \
    (void)ge::Operator::SetInput(#x, v);                                   \
    return *this;                                                          \
  }                                                                        \
  StandinThis &set_input_##x(ge::Operator &v, const char *source_output) { \
    (void)ge::Operator::SetInput(#x, v, source_output);                    \
    return *this;                                                          \
  }                                                                        \
  StandinThis &set_input_##x(ge::Operator &v, uint32_t source_index) {     \
    (void)ge::Operator::SetInput(#x, v, source_index);                     \
    return *this;                                                          \
  }                                                                        \
  ge::TensorDesc get_input_desc_##x() const {                              \
    return GetInputDescByName(#x);                                         \
  }                                                                        \
  ge::graphStatus update_input_desc_##x(const ge::TensorDesc &desc) {      \
    return UpdateInputDesc(#x, desc);                                      \
  }

#define INPUT(x, t)                    \
  STANDIN_ITEM_BEGIN(StandinInput_##x) \
  STANDIN_SET_INPUT(x)                 \
  STANDIN_ITEM_END(StandinInput_##x, InputRegister(#x, #t))

#define OPTIONAL_INPUT(x, t)                   \
  STANDIN_ITEM_BEGIN(StandinOptionalInput_##x) \
  STANDIN_SET_INPUT(x)                         \
  STANDIN_ITEM_END(StandinOptionalInput_##x, OptionalInputRegister(#x, #t))

#define OUTPUT(x, t)                                                   \
  STANDIN_ITEM_BEGIN(StandinOutput_##x)                                \
  static const char *name_out_##x() {                                  \
    return #x;                                                         \
  }                                                                    \
  ge::TensorDesc get_output_desc_##x() const {                         \
    return GetOutputDescByName(#x);                                    \
  }                                                                    \
  ge::graphStatus update_output_desc_##x(const ge::TensorDesc &desc) { \
    return UpdateOutputDesc(#x, desc);                                 \
  }                                                                    \
  STANDIN_ITEM_END(StandinOutput_##x, OutputRegister(#x, #t))

#define DYNAMIC_INPUT(x, t)                                                                     \
  STANDIN_ITEM_BEGIN(StandinDynamicInput_##x)                                                   \
  StandinThis &create_dynamic_input_##x(uint32_t num, bool isPushBack = true) {                 \
    DynamicInputRegister(#x, num, #t, isPushBack);                                              \
    return *this;                                                                               \
  }                                                                                             \
  StandinThis &set_dynamic_input_##x(uint32_t index, ge::Operator &v) {                         \
    (void)ge::Operator::SetInput((std::string(#x) + std::to_string(index)).c_str(), v);         \
    return *this;                                                                               \
  }                                                                                             \
  StandinThis &set_dynamic_input_##x(uint32_t index, ge::Operator &v, const char *source) {     \
    (void)ge::Operator::SetInput((std::string(#x) + std::to_string(index)).c_str(), v, source); \
    return *this;                                                                               \
  }                                                                                             \
  ge::TensorDesc get_dynamic_input_desc_##x(uint32_t index) const {                             \
    return GetDynamicInputDesc(#x, index);                                                      \
  }                                                                                             \
  ge::graphStatus update_dynamic_input_desc_##x(uint32_t index, const ge::TensorDesc &desc) {   \
    return UpdateDynamicInputDesc(#x, index, desc);                                             \
  }                                                                                             \
  STANDIN_ITEM_END(StandinDynamicInput_##x, DynamicInputRegister(#x, 0U, #t))

#define DYNAMIC_OUTPUT(x, t)                                                                   \
  STANDIN_ITEM_BEGIN(StandinDynamicOutput_##x)                                                 \
  StandinThis &create_dynamic_output_##x(uint32_t num, bool isPushBack = true) {               \
    DynamicOutputRegister(#x, num, #t, isPushBack);                                            \
    return *this;                                                                              \
  }                                                                                            \
  ge::TensorDesc get_dynamic_output_desc_##x(uint32_t index) const {                           \
    return GetDynamicOutputDesc(#x, index);                                                    \
  }                                                                                            \
  ge::graphStatus update_dynamic_output_desc_##x(uint32_t index, const ge::TensorDesc &desc) { \
    return UpdateDynamicOutputDesc(#x, index, desc);                                           \
  }                                                                                            \
  STANDIN_ITEM_END(StandinDynamicOutput_##x, DynamicOutputRegister(#x, 0U, #t))

#define STANDIN_SET_ATTR(x, kind)                                 \
  static const char *name_attr_##x() {                            \
    return #x;                                                    \
  }                                                               \
  StandinThis &set_attr_##x(const Op##kind &v) {                  \
    (void)ge::Operator::SetAttr(#x, v);                           \
    return *this;                                                 \
  }                                                               \
  StandinThis &set_attr_##x(const std::function<Op##kind()> &v) { \
    (void)ge::Operator::SetAttr(#x, v());                         \
    return *this;                                                 \
  }                                                               \
  Op##kind get_attr_##x() const {                                 \
    Op##kind value{};                                             \
    (void)ge::Operator::GetAttr(#x, value);                       \
    return value;                                                 \
  }

#define ATTR(x, kind, ...)            \
  STANDIN_ITEM_BEGIN(StandinAttr_##x) \
  STANDIN_SET_ATTR(x, kind)           \
  STANDIN_ITEM_END(StandinAttr_##x, AttrRegister(#x, #kind, Op##kind(__VA_ARGS__)))

#define REQUIRED_ATTR(x, kind)                \
  STANDIN_ITEM_BEGIN(StandinRequiredAttr_##x) \
  STANDIN_SET_ATTR(x, kind)                   \
  STANDIN_ITEM_END(StandinRequiredAttr_##x, RequiredAttrRegister(#x, #kind))

#define DATATYPE(x, t)                    \
  STANDIN_ITEM_BEGIN(StandinDataType_##x) \
  STANDIN_ITEM_END(StandinDataType_##x, DataTypeRegister(#x, #t))

#define STANDIN_JOIN_(a, b) a##b
#define STANDIN_JOIN(a, b) STANDIN_JOIN_(a, b)

#define OP_END_FACTORY_REG(type)                                                                                  \
  N();                                                                                                            \
  }                                                                                                               \
  static_assert(std::is_same<type, StandinThis>::value, "OP_END_FACTORY_REG names another operator than REG_OP"); \
  }                                                                                                               \
  ;                                                                                                               \
  static const ge::OperatorCreatorRegister STANDIN_JOIN(g_standin_operator_, __COUNTER__)(                        \
      #type, [](const ge::AscendString &name) -> ge::Operator { return type(name); });                            \
  }

#endif  // STANDIN_GRAPH_OPERATOR_REG_H_
