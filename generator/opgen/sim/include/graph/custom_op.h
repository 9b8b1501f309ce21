// CANN stand-in: the interfaces of custom operators and their registration.
#ifndef STANDIN_GRAPH_CUSTOM_OP_H_
#define STANDIN_GRAPH_CUSTOM_OP_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "exe_graph/runtime/eager_op_execution_context.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/op_compile_context.h"
#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "standin/version.h"

namespace ge {
class BaseCustomOp {
 public:
  virtual ~BaseCustomOp() = default;
};

class EagerExecuteOp : virtual public BaseCustomOp {
 public:
  ~EagerExecuteOp() override = default;
  virtual graphStatus Execute(gert::EagerOpExecutionContext *ctx) = 0;
};

class ShapeInferOp : virtual public BaseCustomOp {
 public:
  ~ShapeInferOp() override = default;
  virtual graphStatus InferShape(gert::InferShapeContext *ctx) = 0;
  virtual graphStatus InferDataType(gert::InferDataTypeContext *ctx) = 0;
};

class CompilableOp : virtual public BaseCustomOp {
 public:
  ~CompilableOp() override = default;
  virtual graphStatus Compile(gert::OpCompileContext *ctx) = 0;
};

class PortableOp : virtual public BaseCustomOp {
 public:
  ~PortableOp() override = default;
  virtual graphStatus Serialize(std::vector<uint8_t> &buffer) = 0;
  virtual graphStatus Deserialize(const std::vector<uint8_t> &buffer) = 0;
};

using BaseOpCreator = std::function<std::unique_ptr<BaseCustomOp>()>;
#if CANN_STANDIN_VERSION >= 92
using CustomOpCreateFunc = BaseCustomOp *(*)();
#endif

// Makes an operator type known; the first of several registrations of a type counts.
class CustomOpCreatorRegister {
 public:
  CustomOpCreatorRegister(const AscendString &operator_type, const BaseOpCreator &creator);
#if CANN_STANDIN_VERSION >= 92
  CustomOpCreatorRegister(const AscendString &operator_type, const CustomOpCreateFunc creator);
#endif
  ~CustomOpCreatorRegister() = default;
};
}  // namespace ge

#define STANDIN_CUSTOM_OP_JOIN_(a, b) a##b
#define STANDIN_CUSTOM_OP_JOIN(a, b) STANDIN_CUSTOM_OP_JOIN_(a, b)

// The name of the class is the operator type.
#define REG_AUTO_MAPPING_OP(custom_op_class) STANDIN_REG_CUSTOM_OP(custom_op_class, __COUNTER__)
#if CANN_STANDIN_VERSION >= 92
#define STANDIN_REG_CUSTOM_OP(custom_op_class, number)                                   \
  static ge::BaseCustomOp *STANDIN_CUSTOM_OP_JOIN(CreateCustomOp, number)() {            \
    return new custom_op_class();                                                        \
  }                                                                                      \
  static const ge::CustomOpCreatorRegister STANDIN_CUSTOM_OP_JOIN(g_custom_op_, number)( \
      #custom_op_class, STANDIN_CUSTOM_OP_JOIN(CreateCustomOp, number))
#else
#define STANDIN_REG_CUSTOM_OP(custom_op_class, number)                                   \
  static const ge::CustomOpCreatorRegister STANDIN_CUSTOM_OP_JOIN(g_custom_op_, number)( \
      #custom_op_class, []() -> std::unique_ptr<ge::BaseCustomOp> { return std::make_unique<custom_op_class>(); })
#endif

#endif  // STANDIN_GRAPH_CUSTOM_OP_H_
