// Operators that tell how they are called.
#ifndef TESTS_STANDIN_PROBE_H_
#define TESTS_STANDIN_PROBE_H_

#include "graph/operator_reg.h"

#define PROBE_PROTOTYPE(type)            \
  REG_OP(type)                           \
      .INPUT(x, TensorType({DT_FLOAT}))  \
      .INPUT(y, TensorType({DT_FLOAT}))  \
      .OUTPUT(z, TensorType({DT_FLOAT})) \
      .ATTR(scale, Float, 1.0)           \
      .OP_END_FACTORY_REG(type)

namespace ge {
PROBE_PROTOTYPE(Probe)
PROBE_PROTOTYPE(Other)
// Updates x.
REG_OP(InPlace)
    .INPUT(x, TensorType({DT_FLOAT}))
    .INPUT(y, TensorType({DT_FLOAT}))
    .OUTPUT(x, TensorType({DT_FLOAT}))
    .OP_END_FACTORY_REG(InPlace)
}  // namespace ge

#endif  // TESTS_STANDIN_PROBE_H_
