/*!
 * \file scaled_add_infershape.cpp
 * \brief Shape and data type of z: those of x and y, which must agree.
 */

#include "log/log.h"
#include "register/op_impl_registry.h"

namespace ops {
namespace {
constexpr size_t INPUT_X = 0;
constexpr size_t INPUT_Y = 1;
constexpr size_t OUTPUT_Z = 0;
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_RANK = -2;

bool HasUnknownRank(const gert::Shape& shape) { return shape.GetDimNum() == 1 && shape.GetDim(0) == UNKNOWN_RANK; }

ge::graphStatus InferShapeForScaledAdd(gert::InferShapeContext* context)
{
    const gert::Shape* xShape = context->GetInputShape(INPUT_X);
    OP_CHECK_NULL_WITH_CONTEXT(context, xShape);
    const gert::Shape* yShape = context->GetInputShape(INPUT_Y);
    OP_CHECK_NULL_WITH_CONTEXT(context, yShape);
    gert::Shape* zShape = context->GetOutputShape(OUTPUT_Z);
    OP_CHECK_NULL_WITH_CONTEXT(context, zShape);

    if (HasUnknownRank(*xShape)) {
        *zShape = *yShape;
        return ge::GRAPH_SUCCESS;
    }
    *zShape = *xShape;
    if (HasUnknownRank(*yShape)) {
        return ge::GRAPH_SUCCESS;
    }
    OP_CHECK_IF(xShape->GetDimNum() != yShape->GetDimNum(),
                OP_LOGE(context, "x has %zu dims but y has %zu", xShape->GetDimNum(), yShape->GetDimNum()),
                return ge::GRAPH_FAILED);
    for (size_t i = 0; i < xShape->GetDimNum(); ++i) {
        const int64_t xDim = xShape->GetDim(i);
        const int64_t yDim = yShape->GetDim(i);
        if (xDim == UNKNOWN_DIM) {
            zShape->SetDim(i, yDim);
            continue;
        }
        OP_CHECK_IF(yDim != UNKNOWN_DIM && yDim != xDim,
                    OP_LOGE(context, "dim %zu is %ld in x but %ld in y", i, xDim, yDim), return ge::GRAPH_FAILED);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferDataTypeForScaledAdd(gert::InferDataTypeContext* context)
{
    const ge::DataType xType = context->GetInputDataType(INPUT_X);
    const ge::DataType yType = context->GetInputDataType(INPUT_Y);
    OP_CHECK_IF(xType != yType, OP_LOGE(context, "x has data type %d but y has %d", xType, yType),
                return ge::GRAPH_FAILED);
    return context->SetOutputDataType(OUTPUT_Z, xType);
}
} // namespace

IMPL_OP_INFERSHAPE(ScaledAdd).InferShape(InferShapeForScaledAdd).InferDataType(InferDataTypeForScaledAdd);
} // namespace ops
