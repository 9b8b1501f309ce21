#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tiling_case_executor.h"

namespace {
using Tensor = gert::TilingContextPara::TensorDescription;
using Attr = gert::TilingContextPara::OpAttr;
using AttrValue = decltype(Attr::attr_);

// System workspace; the kernel uses none of its own.
const std::vector<size_t> WORKSPACES = {16U * 1024U * 1024U};

// alpha is 1.5 everywhere: 0x3FC00000 in the low half of the last word of the tiling data, padding in the high half.
const std::string ALPHA_WORD = "1069547520 ";

class ScaledAddTiling : public testing::Test {
protected:
    // The device has 64 cores unless the executor is told otherwise.
    gert::TilingContextPara Para(const Tensor& x, const Tensor& y, const Tensor& z)
    {
        return gert::TilingContextPara("ScaledAdd", {x, y}, {z}, {Attr("alpha", AttrValue::CreateFrom<float>(1.5F))},
                                       &compileInfo_);
    }

    gert::TilingContextPara Para(const gert::StorageShape& shape, ge::DataType type)
    {
        const Tensor tensor(shape, type, ge::FORMAT_ND);
        return Para(tensor, tensor, tensor);
    }

    size_t Blocks(const gert::StorageShape& shape)
    {
        TilingInfo info;
        EXPECT_TRUE(ExecuteTiling(Para(shape, ge::DT_FLOAT), info));
        return info.blockNum;
    }

    struct CompileInfo {
    } compileInfo_;
};
} // namespace

TEST_F(ScaledAddTiling, one_element)
{
    ExecuteTestCase(Para({{1}, {1}}, ge::DT_FLOAT16), ge::GRAPH_SUCCESS, 0, "1 1 " + ALPHA_WORD, WORKSPACES);
}

TEST_F(ScaledAddTiling, one_less_than_a_tile)
{
    ExecuteTestCase(Para({{8191}, {8191}}, ge::DT_BF16), ge::GRAPH_SUCCESS, 0, "8191 1 " + ALPHA_WORD, WORKSPACES);
}

TEST_F(ScaledAddTiling, one_tile)
{
    ExecuteTestCase(Para({{8192}, {8192}}, ge::DT_FLOAT), ge::GRAPH_SUCCESS, 0, "8192 1 " + ALPHA_WORD, WORKSPACES);
}

TEST_F(ScaledAddTiling, one_more_than_a_tile)
{
    ExecuteTestCase(Para({{8193}, {8193}}, ge::DT_FLOAT16), ge::GRAPH_SUCCESS, 0, "8193 2 " + ALPHA_WORD, WORKSPACES);
}

TEST_F(ScaledAddTiling, any_rank_is_flattened)
{
    ExecuteTestCase(Para({{2, 3, 5, 7}, {2, 3, 5, 7}}, ge::DT_FLOAT16), ge::GRAPH_SUCCESS, 0, "210 1 " + ALPHA_WORD,
                    WORKSPACES);
    ExecuteTestCase(Para({{}, {}}, ge::DT_FLOAT16), ge::GRAPH_SUCCESS, 0, "1 1 " + ALPHA_WORD, WORKSPACES);
}

TEST_F(ScaledAddTiling, a_tile_for_each_core_needs_one_buffer)
{
    ExecuteTestCase(Para({{524288}, {524288}}, ge::DT_FLOAT), ge::GRAPH_SUCCESS, 0, "524288 64 " + ALPHA_WORD,
                    WORKSPACES);
}

TEST_F(ScaledAddTiling, more_tiles_than_cores_use_two_buffers)
{
    ExecuteTestCase(Para({{524289}, {524289}}, ge::DT_FLOAT), ge::GRAPH_SUCCESS, 1, "524289 65 " + ALPHA_WORD,
                    WORKSPACES);
}

TEST_F(ScaledAddTiling, no_elements)
{
    ExecuteTestCase(Para({{0}, {0}}, ge::DT_FLOAT16), ge::GRAPH_SUCCESS, 0, "0 0 " + ALPHA_WORD, WORKSPACES);
}

TEST_F(ScaledAddTiling, blocks)
{
    EXPECT_EQ(Blocks({{0}, {0}}), 1U);
    EXPECT_EQ(Blocks({{8192}, {8192}}), 1U);
    EXPECT_EQ(Blocks({{8193}, {8193}}), 2U);
    EXPECT_EQ(Blocks({{524288}, {524288}}), 64U);
    EXPECT_EQ(Blocks({{1000000}, {1000000}}), 64U);
}

TEST_F(ScaledAddTiling, shapes_must_be_equal)
{
    const Tensor four({{4}, {4}}, ge::DT_FLOAT, ge::FORMAT_ND);
    const Tensor five({{5}, {5}}, ge::DT_FLOAT, ge::FORMAT_ND);
    ExecuteTestCase(Para(four, five, four), ge::GRAPH_FAILED);
    ExecuteTestCase(Para(four, four, five), ge::GRAPH_FAILED);
}

TEST_F(ScaledAddTiling, data_types_must_be_equal)
{
    const Tensor half({{4}, {4}}, ge::DT_FLOAT16, ge::FORMAT_ND);
    const Tensor single({{4}, {4}}, ge::DT_FLOAT, ge::FORMAT_ND);
    ExecuteTestCase(Para(half, single, half), ge::GRAPH_FAILED);
    ExecuteTestCase(Para(half, half, single), ge::GRAPH_FAILED);
}

TEST_F(ScaledAddTiling, data_type_must_be_supported)
{
    ExecuteTestCase(Para({{4}, {4}}, ge::DT_INT32), ge::GRAPH_FAILED);
}
