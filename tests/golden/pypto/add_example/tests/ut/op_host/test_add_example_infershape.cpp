// Generated from op.yaml by opgen.

#include <cstdint>
#include <string>
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

Tensor Describe(const Dims& dims, ge::DataType type)
{
    gert::StorageShape shape;
    for (const int64_t dim : dims) {
        shape.MutableOriginShape().AppendDim(dim);
        shape.MutableStorageShape().AppendDim(dim);
    }
    return Tensor(shape, type, ge::FORMAT_ND);
}

void Expect(const Dims& x, const Dims& y, ge::graphStatus status, const Dims& z)
{
    gert::InfershapeContextPara para("AddExample", {Describe(x, ge::DT_FLOAT16), Describe(y, ge::DT_FLOAT16)},
                                     {Describe({}, ge::DT_FLOAT16)});
    ExecuteTestCase(para, status, {z});
}
} // namespace

TEST(AddExampleInfershape, sample) { Expect({65536}, {65536}, ge::GRAPH_SUCCESS, {65536}); }

TEST(AddExampleInfershape, case_2) { Expect({4097}, {4097}, ge::GRAPH_SUCCESS, {4097}); }

TEST(AddExampleInfershape, case_3) { Expect({1048576}, {1048576}, ge::GRAPH_SUCCESS, {1048576}); }

TEST(AddExampleInfershape, unknown_dims)
{
    Expect({-1}, {65536}, ge::GRAPH_SUCCESS, {65536});
    Expect({65536}, {-1}, ge::GRAPH_SUCCESS, {65536});
    Expect({-1}, {-1}, ge::GRAPH_SUCCESS, {-1});
}

TEST(AddExampleInfershape, unknown_ranks)
{
    Expect({-2}, {65536}, ge::GRAPH_SUCCESS, {65536});
    Expect({65536}, {-2}, ge::GRAPH_SUCCESS, {65536});
    Expect({-2}, {-2}, ge::GRAPH_SUCCESS, {-1});
}

TEST(AddExampleInfershape, shapes_that_do_not_agree)
{
    Expect({65537}, {65536}, ge::GRAPH_FAILED, {});
    Expect({65536}, {65537}, ge::GRAPH_FAILED, {});
    Expect({65536, 1}, {65536}, ge::GRAPH_FAILED, {});
    Expect({65536}, {65536, 1}, ge::GRAPH_FAILED, {});
}
