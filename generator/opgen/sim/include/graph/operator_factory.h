// CANN stand-in: the operator types that REG_OP makes known in this process.
#ifndef STANDIN_GRAPH_OPERATOR_FACTORY_H_
#define STANDIN_GRAPH_OPERATOR_FACTORY_H_

#include <functional>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/operator.h"

namespace ge {
using OpCreatorV2 = std::function<Operator(const AscendString &name)>;

class OperatorFactory {
 public:
  static Operator CreateOperator(const char_t *name, const char_t *type);
  static bool IsExistOp(const char_t *type);
  static graphStatus GetOpsTypeList(std::vector<AscendString> &types);
};

class OperatorCreatorRegister {
 public:
  OperatorCreatorRegister(const char_t *type, const OpCreatorV2 &creator);
};
}  // namespace ge

#endif  // STANDIN_GRAPH_OPERATOR_FACTORY_H_
