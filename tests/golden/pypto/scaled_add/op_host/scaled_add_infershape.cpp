// Generated from op.yaml by opgen.

/*!
 * \file scaled_add_infershape.cpp
 * \brief Shape and data type of z.
 */

#include "log/log.h"
#include "register/op_impl_registry.h"
#include "scaled_add_shapes.h"

namespace ops {
namespace {
constexpr size_t INPUT_X = 0;
constexpr size_t INPUT_Y = 1;
constexpr size_t OUTPUT_Z = 0;

ge::graphStatus InferShapeForScaledAdd(gert::InferShapeContext* context)
{
    const gert::Shape* x = context->GetInputShape(INPUT_X);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    const gert::Shape* y = context->GetInputShape(INPUT_Y);
    OP_CHECK_NULL_WITH_CONTEXT(context, y);
    gert::Shape* z = context->GetOutputShape(OUTPUT_Z);
    OP_CHECK_NULL_WITH_CONTEXT(context, z);

    scaled_add::Sizes sizes;
    if (scaled_add::FindSizes(context, *x, *y, sizes) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    *z = scaled_add::ShapeOfZ(sizes);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataTypeForScaledAdd(gert::InferDataTypeContext* context)
{
    const ge::DataType xType = context->GetInputDataType(INPUT_X);
    const ge::DataType yType = context->GetInputDataType(INPUT_Y);
    OP_CHECK_IF(yType != xType, OP_LOGE(context, "x has data type %d but y has %d", xType, yType),
                return ge::GRAPH_FAILED);
    return context->SetOutputDataType(OUTPUT_Z, xType);
}
} // namespace

IMPL_OP_INFERSHAPE(ScaledAdd).InferShape(InferShapeForScaledAdd).InferDataType(InferDataTypeForScaledAdd);
} // namespace ops
