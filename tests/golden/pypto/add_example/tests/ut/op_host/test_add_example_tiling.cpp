// Generated from op.yaml by opgen.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tiling_case_executor.h"

namespace {
using Dims = std::vector<int64_t>;
using Tensor = gert::TilingContextPara::TensorDescription;

constexpr size_t SYSTEM_WORKSPACE = 16U * 1024U * 1024U;

Tensor Describe(const Dims& dims, ge::DataType type)
{
    gert::StorageShape shape;
    for (const int64_t dim : dims) {
        shape.MutableOriginShape().AppendDim(dim);
        shape.MutableStorageShape().AppendDim(dim);
    }
    return Tensor(shape, type, ge::FORMAT_ND);
}

class AddExampleTiling : public testing::Test {
protected:
    gert::TilingContextPara Para(const Tensor& x, const Tensor& y, const Tensor& z)
    {
        return gert::TilingContextPara("AddExample", {x, y}, {z}, {}, &compileInfo_);
    }

    // The device has 64 cores unless the executor is told otherwise. Words of the tiling data, 64 bits each:
    // total_length, tile_num.
    void Expect(const gert::TilingContextPara& para, uint64_t key, size_t blocks, const std::string& words)
    {
        ExecuteTestCase(para, ge::GRAPH_SUCCESS, key, words, {SYSTEM_WORKSPACE});
        TilingInfo info;
        EXPECT_TRUE(ExecuteTiling(para, info));
        EXPECT_EQ(info.blockNum, blocks);
    }

    void ExpectFailure(const gert::TilingContextPara& para) { ExecuteTestCase(para, ge::GRAPH_FAILED); }

    struct CompileInfo {
    } compileInfo_;
};
} // namespace

TEST_F(AddExampleTiling, sample)
{
    const auto para =
        Para(Describe({65536}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT16));
    Expect(para, 0, 8, "65536 8 ");
}

TEST_F(AddExampleTiling, case_2)
{
    const auto para =
        Para(Describe({4097}, ge::DT_FLOAT16), Describe({4097}, ge::DT_FLOAT16), Describe({4097}, ge::DT_FLOAT16));
    Expect(para, 0, 1, "4097 1 ");
}

TEST_F(AddExampleTiling, case_3)
{
    const auto para = Para(Describe({1048576}, ge::DT_FLOAT16), Describe({1048576}, ge::DT_FLOAT16),
                           Describe({1048576}, ge::DT_FLOAT16));
    Expect(para, 1, 64, "1048576 128 ");
}

TEST_F(AddExampleTiling, of_float32)
{
    const auto para =
        Para(Describe({65536}, ge::DT_FLOAT), Describe({65536}, ge::DT_FLOAT), Describe({65536}, ge::DT_FLOAT));
    Expect(para, 0, 8, "65536 8 ");
}

TEST_F(AddExampleTiling, n_0)
{
    const auto para = Para(Describe({0}, ge::DT_FLOAT16), Describe({0}, ge::DT_FLOAT16), Describe({0}, ge::DT_FLOAT16));
    Expect(para, 0, 1, "0 0 ");
}

TEST_F(AddExampleTiling, n_1)
{
    const auto para = Para(Describe({1}, ge::DT_FLOAT16), Describe({1}, ge::DT_FLOAT16), Describe({1}, ge::DT_FLOAT16));
    Expect(para, 0, 1, "1 1 ");
}

TEST_F(AddExampleTiling, n_8191)
{
    const auto para =
        Para(Describe({8191}, ge::DT_FLOAT16), Describe({8191}, ge::DT_FLOAT16), Describe({8191}, ge::DT_FLOAT16));
    Expect(para, 0, 1, "8191 1 ");
}

TEST_F(AddExampleTiling, n_8192)
{
    const auto para =
        Para(Describe({8192}, ge::DT_FLOAT16), Describe({8192}, ge::DT_FLOAT16), Describe({8192}, ge::DT_FLOAT16));
    Expect(para, 0, 1, "8192 1 ");
}

TEST_F(AddExampleTiling, n_8193)
{
    const auto para =
        Para(Describe({8193}, ge::DT_FLOAT16), Describe({8193}, ge::DT_FLOAT16), Describe({8193}, ge::DT_FLOAT16));
    Expect(para, 0, 2, "8193 2 ");
}

TEST_F(AddExampleTiling, n_524288)
{
    const auto para = Para(Describe({524288}, ge::DT_FLOAT16), Describe({524288}, ge::DT_FLOAT16),
                           Describe({524288}, ge::DT_FLOAT16));
    Expect(para, 0, 64, "524288 64 ");
}

TEST_F(AddExampleTiling, n_524289)
{
    const auto para = Para(Describe({524289}, ge::DT_FLOAT16), Describe({524289}, ge::DT_FLOAT16),
                           Describe({524289}, ge::DT_FLOAT16));
    Expect(para, 1, 64, "524289 65 ");
}

TEST_F(AddExampleTiling, shapes_must_agree)
{
    ExpectFailure(
        Para(Describe({65537}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT16)));
    ExpectFailure(
        Para(Describe({65536}, ge::DT_FLOAT16), Describe({65537}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT16)));
    ExpectFailure(
        Para(Describe({65536}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT16), Describe({65537}, ge::DT_FLOAT16)));
}

TEST_F(AddExampleTiling, data_types_must_agree)
{
    ExpectFailure(
        Para(Describe({65536}, ge::DT_FLOAT), Describe({65536}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT16)));
    ExpectFailure(
        Para(Describe({65536}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT), Describe({65536}, ge::DT_FLOAT16)));
    ExpectFailure(
        Para(Describe({65536}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT16), Describe({65536}, ge::DT_FLOAT)));
}

TEST_F(AddExampleTiling, data_type_must_be_supported)
{
    ExpectFailure(
        Para(Describe({65536}, ge::DT_INT32), Describe({65536}, ge::DT_INT32), Describe({65536}, ge::DT_INT32)));
}
