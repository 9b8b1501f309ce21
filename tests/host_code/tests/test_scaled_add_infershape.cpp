#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#if __has_include("infer_shape_case_executor.h") // its name in ops-transformer
#include "infer_shape_case_executor.h"
#else
#include "infershape_case_executor.h"
#endif

namespace {
using Dims = std::vector<int64_t>;
using Tensor = gert::InfershapeContextPara::TensorDescription;

Tensor Describe(const Dims& dims)
{
    gert::StorageShape shape;
    for (const int64_t dim : dims) {
        shape.MutableOriginShape().AppendDim(dim);
        shape.MutableStorageShape().AppendDim(dim);
    }
    return Tensor(shape, ge::DT_FLOAT16, ge::FORMAT_ND);
}

void Expect(const Dims& x, const Dims& y, ge::graphStatus status, const Dims& z)
{
    gert::InfershapeContextPara para("ScaledAdd", {Describe(x), Describe(y)}, {Describe({})});
    ExecuteTestCase(para, status, {z});
}
} // namespace

TEST(ScaledAddInfershape, same_shape) { Expect({8, 128}, {8, 128}, ge::GRAPH_SUCCESS, {8, 128}); }

TEST(ScaledAddInfershape, scalar) { Expect({}, {}, ge::GRAPH_SUCCESS, {}); }

TEST(ScaledAddInfershape, unknown_dims_are_filled_in_from_the_other_input)
{
    Expect({-1, 128}, {8, -1}, ge::GRAPH_SUCCESS, {8, 128});
    Expect({-1, 128}, {-1, 128}, ge::GRAPH_SUCCESS, {-1, 128});
}

TEST(ScaledAddInfershape, unknown_rank_is_filled_in_from_the_other_input)
{
    Expect({-2}, {8, 128}, ge::GRAPH_SUCCESS, {8, 128});
    Expect({8, 128}, {-2}, ge::GRAPH_SUCCESS, {8, 128});
    Expect({-2}, {-2}, ge::GRAPH_SUCCESS, {-2});
}

TEST(ScaledAddInfershape, different_shapes_are_refused)
{
    Expect({8, 128}, {8, 127}, ge::GRAPH_FAILED, {});
    Expect({8, 128}, {1024}, ge::GRAPH_FAILED, {});
}
