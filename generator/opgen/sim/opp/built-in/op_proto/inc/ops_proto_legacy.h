// CANN stand-in: the operators of CANN that graphs of custom operators need.
#ifndef STANDIN_OPS_PROTO_LEGACY_H_
#define STANDIN_OPS_PROTO_LEGACY_H_

#include "graph/operator_reg.h"

namespace ge {
// An input of a graph. index: which one.
REG_OP(Data).INPUT(x, TensorType::ALL()).OUTPUT(y, TensorType::ALL()).ATTR(index, Int, 0).OP_END_FACTORY_REG(Data)
}  // namespace ge

#endif  // STANDIN_OPS_PROTO_LEGACY_H_
