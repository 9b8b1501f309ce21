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
    gert::InfershapeContextPara para("ScaledAdd", {Describe(x, ge::DT_FLOAT16), Describe(y, ge::DT_FLOAT16)},
                                     {Describe({}, ge::DT_FLOAT16)});
    ExecuteTestCase(para, status, {z});
}
} // namespace

TEST(ScaledAddInfershape, sample) { Expect({64, 1024}, {64, 1024}, ge::GRAPH_SUCCESS, {64, 1024}); }

TEST(ScaledAddInfershape, case_2) { Expect({1001}, {1001}, ge::GRAPH_SUCCESS, {1001}); }

TEST(ScaledAddInfershape, case_3) { Expect({1024, 1024}, {1024, 1024}, ge::GRAPH_SUCCESS, {1024, 1024}); }

TEST(ScaledAddInfershape, unknown_dims)
{
    Expect({-1, 1024}, {64, 1024}, ge::GRAPH_SUCCESS, {64, 1024});
    Expect({64, 1024}, {-1, 1024}, ge::GRAPH_SUCCESS, {64, 1024});
    Expect({-1, -1}, {-1, -1}, ge::GRAPH_SUCCESS, {-1, -1});
}

TEST(ScaledAddInfershape, unknown_ranks)
{
    Expect({-2}, {64, 1024}, ge::GRAPH_SUCCESS, {64, 1024});
    Expect({64, 1024}, {-2}, ge::GRAPH_SUCCESS, {64, 1024});
    Expect({-2}, {-2}, ge::GRAPH_SUCCESS, {-2});
}

TEST(ScaledAddInfershape, shapes_that_do_not_agree)
{
    Expect({64, 1025}, {64, 1024}, ge::GRAPH_FAILED, {});
    Expect({64, 1024}, {64, 1025}, ge::GRAPH_FAILED, {});
    Expect({64, 1024, 1}, {64, 1024}, ge::GRAPH_FAILED, {});
    Expect({64, 1024}, {64, 1024, 1}, ge::GRAPH_FAILED, {});
}
