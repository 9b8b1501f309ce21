// Generated from op.yaml by opgen.

/*!
 * \file add_example_shapes.h
 * \brief Sizes that the shapes of the inputs of AddExample give, and the shapes that follow from them.
 */

#ifndef OPS_ADD_EXAMPLE_SHAPES_H_
#define OPS_ADD_EXAMPLE_SHAPES_H_

#include <cstddef>
#include <cstdint>

#include "log/log.h"
#include "register/op_impl_registry.h"

namespace add_example {
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_RANK = -2;

inline bool HasUnknownRank(const gert::Shape& shape)
{
    return shape.GetDimNum() == 1 && shape.GetDim(0) == UNKNOWN_RANK;
}

// Sizes of the axes, UNKNOWN_DIM where no shape tells.
struct Sizes {
    int64_t n = UNKNOWN_DIM;

    bool AreKnown() const { return n != UNKNOWN_DIM; }
};

// Adds what the size of an axis tells. False if it contradicts what is known.
inline bool Merge(int64_t dim, int64_t& size)
{
    if (size == UNKNOWN_DIM) {
        size = dim;
    }
    return dim == UNKNOWN_DIM || dim == size;
}

template <typename Context>
ge::graphStatus FindSizes(Context* context, const gert::Shape& x, const gert::Shape& y, Sizes& sizes)
{
    if (!HasUnknownRank(x)) {
        OP_CHECK_IF(x.GetDimNum() != 1, OP_LOGE(context, "x has %zu dims, must have 1", x.GetDimNum()),
                    return ge::GRAPH_FAILED);
        sizes.n = x.GetDim(0);
    }
    if (!HasUnknownRank(y)) {
        OP_CHECK_IF(y.GetDimNum() != 1, OP_LOGE(context, "y has %zu dims, must have 1", y.GetDimNum()),
                    return ge::GRAPH_FAILED);
        OP_CHECK_IF(!Merge(y.GetDim(0), sizes.n), OP_LOGE(context, "the shape of y is not that of x"),
                    return ge::GRAPH_FAILED);
    }
    return ge::GRAPH_SUCCESS;
}

inline gert::Shape ShapeOfZ(const Sizes& sizes) { return gert::Shape({sizes.n}); }
} // namespace add_example

#endif // OPS_ADD_EXAMPLE_SHAPES_H_
