// Generated from op.yaml by opgen.

/*!
 * \file scaled_add_proto.h
 * \brief Prototype of ScaledAdd for graph mode.
 */

#ifndef OPS_OP_PROTO_INC_SCALED_ADD_H_
#define OPS_OP_PROTO_INC_SCALED_ADD_H_

#include "graph/operator_reg.h"

namespace ge {
/**
 * @brief Adds a tensor multiplied by a factor to another tensor: z = x + alpha * y.
 *
 * @par Inputs
 * @li x: tensor that is added to, of any shape.
 * @li y: tensor that is multiplied by alpha, of the shape and type of x.
 *
 * @par Outputs
 * z: result, of the shape and type of x.
 *
 * @par Attributes
 * alpha: factor of y; 1.0 if not given.
 */
REG_OP(ScaledAdd)
    .INPUT(x, "T")
    .INPUT(y, "T")
    .OUTPUT(z, "T")
    .ATTR(alpha, Float, 1.0)
    .DATATYPE(T, TensorType({DT_FLOAT16, DT_BF16, DT_FLOAT}))
    .OP_END_FACTORY_REG(ScaledAdd)
} // namespace ge

#endif // OPS_OP_PROTO_INC_SCALED_ADD_H_
