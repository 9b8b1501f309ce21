// Generated from op.yaml by opgen.

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tiling_case_executor.h"

namespace {
using Dims = std::vector<int64_t>;
using Tensor = gert::TilingContextPara::TensorDescription;
using Attr = gert::TilingContextPara::OpAttr;
using AttrValue = decltype(Attr::attr_);

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

class ScaledAddTiling : public testing::Test {
protected:
    gert::TilingContextPara Para(const Tensor& x, const Tensor& y, const Tensor& z, float alpha)
    {
        return gert::TilingContextPara("ScaledAdd", {x, y}, {z}, {Attr("alpha", AttrValue::CreateFrom<float>(alpha))},
                                       &compileInfo_);
    }

    // The device has 64 cores unless the executor is told otherwise. Words of the tiling data, 64 bits each:
    // total_length, tile_num, alpha.
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

TEST_F(ScaledAddTiling, sample)
{
    const auto para = Para(Describe({64, 1024}, ge::DT_FLOAT16), Describe({64, 1024}, ge::DT_FLOAT16),
                           Describe({64, 1024}, ge::DT_FLOAT16), 0.5F);
    Expect(para, 0, 8, "65536 8 1056964608 ");
}

TEST_F(ScaledAddTiling, case_2)
{
    const auto para = Para(Describe({1001}, ge::DT_FLOAT16), Describe({1001}, ge::DT_FLOAT16),
                           Describe({1001}, ge::DT_FLOAT16), -1.7F);
    Expect(para, 0, 1, "1001 1 3218708890 ");
}

TEST_F(ScaledAddTiling, case_3)
{
    const auto para = Para(Describe({1024, 1024}, ge::DT_FLOAT16), Describe({1024, 1024}, ge::DT_FLOAT16),
                           Describe({1024, 1024}, ge::DT_FLOAT16), 1.7F);
    Expect(para, 1, 64, "1048576 128 1071225242 ");
}

TEST_F(ScaledAddTiling, of_bfloat16)
{
    const auto para = Para(Describe({64, 1024}, ge::DT_BF16), Describe({64, 1024}, ge::DT_BF16),
                           Describe({64, 1024}, ge::DT_BF16), 0.5F);
    Expect(para, 0, 8, "65536 8 1056964608 ");
}

TEST_F(ScaledAddTiling, of_float32)
{
    const auto para = Para(Describe({64, 1024}, ge::DT_FLOAT), Describe({64, 1024}, ge::DT_FLOAT),
                           Describe({64, 1024}, ge::DT_FLOAT), 0.5F);
    Expect(para, 0, 8, "65536 8 1056964608 ");
}

TEST_F(ScaledAddTiling, no_elements)
{
    const auto para =
        Para(Describe({0}, ge::DT_FLOAT16), Describe({0}, ge::DT_FLOAT16), Describe({0}, ge::DT_FLOAT16), 0.5F);
    Expect(para, 0, 1, "0 0 1056964608 ");
}

TEST_F(ScaledAddTiling, elements_1)
{
    const auto para =
        Para(Describe({1}, ge::DT_FLOAT16), Describe({1}, ge::DT_FLOAT16), Describe({1}, ge::DT_FLOAT16), 0.5F);
    Expect(para, 0, 1, "1 1 1056964608 ");
}

TEST_F(ScaledAddTiling, elements_8191)
{
    const auto para = Para(Describe({8191}, ge::DT_FLOAT16), Describe({8191}, ge::DT_FLOAT16),
                           Describe({8191}, ge::DT_FLOAT16), 0.5F);
    Expect(para, 0, 1, "8191 1 1056964608 ");
}

TEST_F(ScaledAddTiling, elements_8192)
{
    const auto para = Para(Describe({8192}, ge::DT_FLOAT16), Describe({8192}, ge::DT_FLOAT16),
                           Describe({8192}, ge::DT_FLOAT16), 0.5F);
    Expect(para, 0, 1, "8192 1 1056964608 ");
}

TEST_F(ScaledAddTiling, elements_8193)
{
    const auto para = Para(Describe({8193}, ge::DT_FLOAT16), Describe({8193}, ge::DT_FLOAT16),
                           Describe({8193}, ge::DT_FLOAT16), 0.5F);
    Expect(para, 0, 2, "8193 2 1056964608 ");
}

TEST_F(ScaledAddTiling, elements_524288)
{
    const auto para = Para(Describe({524288}, ge::DT_FLOAT16), Describe({524288}, ge::DT_FLOAT16),
                           Describe({524288}, ge::DT_FLOAT16), 0.5F);
    Expect(para, 0, 64, "524288 64 1056964608 ");
}

TEST_F(ScaledAddTiling, elements_524289)
{
    const auto para = Para(Describe({524289}, ge::DT_FLOAT16), Describe({524289}, ge::DT_FLOAT16),
                           Describe({524289}, ge::DT_FLOAT16), 0.5F);
    Expect(para, 1, 64, "524289 65 1056964608 ");
}

TEST_F(ScaledAddTiling, shapes_must_agree)
{
    ExpectFailure(Para(Describe({64, 1025}, ge::DT_FLOAT16), Describe({64, 1024}, ge::DT_FLOAT16),
                       Describe({64, 1024}, ge::DT_FLOAT16), 0.5F));
    ExpectFailure(Para(Describe({64, 1024}, ge::DT_FLOAT16), Describe({64, 1025}, ge::DT_FLOAT16),
                       Describe({64, 1024}, ge::DT_FLOAT16), 0.5F));
    ExpectFailure(Para(Describe({64, 1024}, ge::DT_FLOAT16), Describe({64, 1024}, ge::DT_FLOAT16),
                       Describe({64, 1025}, ge::DT_FLOAT16), 0.5F));
}

TEST_F(ScaledAddTiling, data_types_must_agree)
{
    ExpectFailure(Para(Describe({64, 1024}, ge::DT_BF16), Describe({64, 1024}, ge::DT_FLOAT16),
                       Describe({64, 1024}, ge::DT_FLOAT16), 0.5F));
    ExpectFailure(Para(Describe({64, 1024}, ge::DT_FLOAT16), Describe({64, 1024}, ge::DT_BF16),
                       Describe({64, 1024}, ge::DT_FLOAT16), 0.5F));
    ExpectFailure(Para(Describe({64, 1024}, ge::DT_FLOAT16), Describe({64, 1024}, ge::DT_FLOAT16),
                       Describe({64, 1024}, ge::DT_BF16), 0.5F));
}

TEST_F(ScaledAddTiling, data_type_must_be_supported)
{
    ExpectFailure(Para(Describe({64, 1024}, ge::DT_INT32), Describe({64, 1024}, ge::DT_INT32),
                       Describe({64, 1024}, ge::DT_INT32), 0.5F));
}
