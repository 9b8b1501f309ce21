// Generated from op.yaml by opgen.

/*!
 * \file add_example_proto.h
 * \brief Prototype of AddExample for graph mode.
 */

#ifndef OPS_OP_PROTO_INC_ADD_EXAMPLE_H_
#define OPS_OP_PROTO_INC_ADD_EXAMPLE_H_

#include "graph/operator_reg.h"

namespace ge {
/**
 * @brief Element-wise addition of two tensors: z = x + y.
 *
 * @par Inputs
 * @li x: tensor, of shape [N].
 * @li y: tensor, of the shape and type of x.
 *
 * @par Outputs
 * z: tensor, of the shape and type of x.
 */
REG_OP(AddExample)
    .INPUT(x, "T")
    .INPUT(y, "T")
    .OUTPUT(z, "T")
    .DATATYPE(T, TensorType({DT_FLOAT16, DT_FLOAT}))
    .OP_END_FACTORY_REG(AddExample)
} // namespace ge

#endif // OPS_OP_PROTO_INC_ADD_EXAMPLE_H_
