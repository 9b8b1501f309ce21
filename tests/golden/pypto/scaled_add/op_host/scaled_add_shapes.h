// Generated from op.yaml by opgen.

/*!
 * \file scaled_add_shapes.h
 * \brief Sizes that the shapes of the inputs of ScaledAdd give, and the shapes that follow from them.
 */

#ifndef OPS_SCALED_ADD_SHAPES_H_
#define OPS_SCALED_ADD_SHAPES_H_

#include <cstddef>
#include <cstdint>

#include "log/log.h"
#include "register/op_impl_registry.h"

namespace scaled_add {
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_RANK = -2;

inline bool HasUnknownRank(const gert::Shape& shape)
{
    return shape.GetDimNum() == 1 && shape.GetDim(0) == UNKNOWN_RANK;
}

// Sizes of the axes, UNKNOWN_RANK where no shape tells.
struct Sizes {
    gert::Shape leading = {UNKNOWN_RANK};

    bool AreKnown() const
    {
        for (size_t i = 0; i < leading.GetDimNum(); ++i) {
            if (leading.GetDim(i) < 0) {
                return false;
            }
        }
        return true;
    }
};

// Adds what the size of an axis tells. False if it contradicts what is known.
inline bool Merge(int64_t dim, int64_t& size)
{
    if (size == UNKNOWN_DIM) {
        size = dim;
    }
    return dim == UNKNOWN_DIM || dim == size;
}

// The same for several axes.
inline bool Merge(const gert::Shape& dims, gert::Shape& sizes)
{
    if (HasUnknownRank(sizes)) {
        sizes = dims;
        return true;
    }
    if (dims.GetDimNum() != sizes.GetDimNum()) {
        return false;
    }
    bool agree = true;
    for (size_t i = 0; i < dims.GetDimNum(); ++i) {
        int64_t size = sizes.GetDim(i);
        agree = Merge(dims.GetDim(i), size) && agree;
        sizes.SetDim(i, size);
    }
    return agree;
}

template <typename Context>
ge::graphStatus FindSizes(Context* context, const gert::Shape& x, const gert::Shape& y, Sizes& sizes)
{
    sizes.leading = x;
    if (!HasUnknownRank(y)) {
        OP_CHECK_IF(!Merge(y, sizes.leading), OP_LOGE(context, "the shape of y is not that of x"),
                    return ge::GRAPH_FAILED);
    }
    return ge::GRAPH_SUCCESS;
}

inline gert::Shape ShapeOfZ(const Sizes& sizes) { return sizes.leading; }
} // namespace scaled_add

#endif // OPS_SCALED_ADD_SHAPES_H_
