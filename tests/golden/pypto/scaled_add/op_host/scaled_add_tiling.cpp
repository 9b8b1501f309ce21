// Generated from op.yaml by opgen.

/*!
 * \file scaled_add_tiling.cpp
 * \brief Tiles, blocks and kernel instance of ScaledAdd.
 *
 * ScaledAddTilingData and GET_TPL_TILING_KEY come from headers that the build derives from op_kernel/scaled_add.py and
 * includes ahead of this file.
 */

#include <algorithm>
#include <cstdint>

#include "log/log.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
#include "scaled_add_shapes.h"
#include "securec.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
// Tells the framework the size of ScaledAddTilingData; nothing is ever written through this class. Its name differs
// from the generated class, which it would hide otherwise.
BEGIN_TILING_DATA_DEF(ScaledAddTilingLayout)
TILING_DATA_FIELD_DEF(int64_t, total_length);
TILING_DATA_FIELD_DEF(int64_t, tile_num);
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaledAdd, ScaledAddTilingLayout)

namespace {
constexpr size_t INPUT_X = 0;
constexpr size_t INPUT_Y = 1;
constexpr size_t OUTPUT_Z = 0;
constexpr size_t ATTR_ALPHA = 0;

// Elements of a tile, as in op_kernel/scaled_add.py.
constexpr int64_t TILE_LENGTH = 8192;

struct ScaledAddCompileInfo {};

bool IsSupported(ge::DataType type) { return type == ge::DT_FLOAT16 || type == ge::DT_BF16 || type == ge::DT_FLOAT; }

// Rounds up; 0 where there is nothing to divide by.
int64_t CeilDiv(int64_t value, int64_t divisor) { return divisor == 0 ? 0 : (value + divisor - 1) / divisor; }

ge::graphStatus CheckDataTypes(const gert::TilingContext* context)
{
    const auto* x = context->GetInputDesc(INPUT_X);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    const auto* y = context->GetInputDesc(INPUT_Y);
    OP_CHECK_NULL_WITH_CONTEXT(context, y);
    const auto* z = context->GetOutputDesc(OUTPUT_Z);
    OP_CHECK_NULL_WITH_CONTEXT(context, z);
    const ge::DataType type = x->GetDataType();
    OP_CHECK_IF(!IsSupported(type), OP_LOGE(context, "data type %d of x is not supported", type),
                return ge::GRAPH_FAILED);
    OP_CHECK_IF(y->GetDataType() != type, OP_LOGE(context, "data type %d of y is not that of x", y->GetDataType()),
                return ge::GRAPH_FAILED);
    OP_CHECK_IF(z->GetDataType() != type, OP_LOGE(context, "data type %d of z is not that of x", z->GetDataType()),
                return ge::GRAPH_FAILED);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus GetSizes(const gert::TilingContext* context, scaled_add::Sizes& sizes)
{
    const gert::StorageShape* x = context->GetInputShape(INPUT_X);
    OP_CHECK_NULL_WITH_CONTEXT(context, x);
    const gert::StorageShape* y = context->GetInputShape(INPUT_Y);
    OP_CHECK_NULL_WITH_CONTEXT(context, y);
    const gert::StorageShape* z = context->GetOutputShape(OUTPUT_Z);
    OP_CHECK_NULL_WITH_CONTEXT(context, z);
    if (scaled_add::FindSizes(context, x->GetStorageShape(), y->GetStorageShape(), sizes) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    OP_CHECK_IF(!sizes.AreKnown(), OP_LOGE(context, "the shapes of the inputs are not known"), return ge::GRAPH_FAILED);
    OP_CHECK_IF(z->GetStorageShape() != scaled_add::ShapeOfZ(sizes),
                OP_LOGE(context, "the shape of z does not follow from those of the inputs"), return ge::GRAPH_FAILED);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingForScaledAdd(gert::TilingContext* context)
{
    scaled_add::Sizes sizes;
    if (CheckDataTypes(context) != ge::GRAPH_SUCCESS || GetSizes(context, sizes) != ge::GRAPH_SUCCESS) {
        return ge::GRAPH_FAILED;
    }
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    OP_CHECK_NULL_WITH_CONTEXT(context, attrs);
    const float* alpha = attrs->GetFloat(ATTR_ALPHA);
    OP_CHECK_NULL_WITH_CONTEXT(context, alpha);

    fe::PlatFormInfos* platformInfo = context->GetPlatformInfo();
    OP_CHECK_NULL_WITH_CONTEXT(context, platformInfo);
    const platform_ascendc::PlatformAscendC platform(platformInfo);
    // PyPTO Pro may launch a block as one cube core and two vector cores even for a kernel without cube work. Such
    // blocks must not outnumber the cube cores. Where it launches vector cores alone, GetCoreNumAiv() uses them all.
    const int64_t deviceCores = platform.GetCoreNumAic();
    OP_CHECK_IF(deviceCores <= 0, OP_LOGE(context, "the device reports no cores"), return ge::GRAPH_FAILED);

    const int64_t totalLength = sizes.leading.GetShapeSize();
    const int64_t tileNum = CeilDiv(totalLength, TILE_LENGTH);

    auto* tiling = context->GetTilingData<ScaledAddTilingData>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    // The class ends in padding, which goes to the device too.
    OP_CHECK_IF(memset_s(tiling, sizeof(*tiling), 0, sizeof(*tiling)) != EOK,
                OP_LOGE(context, "cannot clear the tiling data"), return ge::GRAPH_FAILED);
    tiling->total_length = totalLength;
    tiling->tile_num = tileNum;
    tiling->alpha = *alpha;

    const uint64_t schMode = tileNum > deviceCores ? 1 : 0;
    const uint64_t tilingKey = GET_TPL_TILING_KEY(schMode);
    OP_CHECK_IF(tilingKey == INVALID_TILING_KEY, OP_LOGE(context, "no kernel for sch_mode %lu", schMode),
                return ge::GRAPH_FAILED);
    context->SetTilingKey(tilingKey);
    // Without elements there are no tiles, but a launch needs a block.
    context->SetBlockDim(static_cast<uint32_t>(std::max<int64_t>(1, std::min(deviceCores, tileNum))));

    size_t* workspaces = context->GetWorkspaceSizes(1);
    OP_CHECK_NULL_WITH_CONTEXT(context, workspaces);
    workspaces[0] = platform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingParseForScaledAdd([[maybe_unused]] gert::TilingParseContext* context)
{
    return ge::GRAPH_SUCCESS;
}
} // namespace

IMPL_OP_OPTILING(ScaledAdd).Tiling(TilingForScaledAdd).TilingParse<ScaledAddCompileInfo>(TilingParseForScaledAdd);
} // namespace optiling
