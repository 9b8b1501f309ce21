// Stand-in for the unit test framework of CANN's operator repositories: calls Tiling and compares.
#ifndef STANDIN_UT_TILING_CASE_EXECUTOR_H_
#define STANDIN_UT_TILING_CASE_EXECUTOR_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tiling_context_faker.h"

using namespace std;  // as the framework's header has it

const string EMPTY_EXPECT_TILING_DATA = "EMPTY_EXPECT_TILING_DATA";

struct TilingInfo {
  int64_t tilingKey = -1;
  std::vector<int64_t> workspaceSizes;
  std::unique_ptr<uint8_t[]> tilingData;
  size_t tilingDataSize = 0;
  size_t blockNum = 0;
};

namespace standin {
inline TilingResult TilingOf(const gert::TilingContextPara &para) {
  HostCase host = para.StandinCase();
  host.chip.cube_cores = static_cast<uint32_t>(para.coreNum_);
  host.chip.vector_cores = static_cast<uint32_t>(para.coreNum_);
  host.chip.unified_buffer = para.ubSize_;
  return RunTiling(host, 0xA5U, para.tilingDataSize_);
}

// 64-bit words, a blank behind each.
inline std::string WordsOf(const std::vector<uint8_t> &data) {
  std::string text;
  for (size_t at = 0U; at + sizeof(int64_t) <= data.size(); at += sizeof(int64_t)) {
    int64_t word = 0;
    std::memcpy(&word, &data[at], sizeof(word));
    text += std::to_string(word) + " ";
  }
  return text;
}
}  // namespace standin

inline void ExecuteTestCase(const gert::TilingContextPara &tilingContextPara,
                            ge::graphStatus expectResult = ge::GRAPH_FAILED, uint64_t expectTilingKey = 0,
                            const string &expectTilingData = "", const std::vector<size_t> &expectWorkspaces = {}) {
  const standin::TilingResult result = standin::TilingOf(tilingContextPara);
  EXPECT_EQ(result.status, expectResult);
  if (expectResult == ge::GRAPH_FAILED) {
    return;
  }
  if (!result.workspaces.empty()) {
    ASSERT_EQ(result.workspaces, expectWorkspaces);
  }
  ASSERT_TRUE(result.has_key);
  ASSERT_EQ(result.key, expectTilingKey);
  if (expectTilingData != EMPTY_EXPECT_TILING_DATA) {
    EXPECT_EQ(standin::WordsOf(result.data), expectTilingData);
  }
}

inline void ExecuteTestCase(const gert::TilingContextPara &tilingContextPara, ge::graphStatus expectResult,
                            uint64_t expectTilingKey, const std::vector<size_t> &expectWorkspaces) {
  ExecuteTestCase(tilingContextPara, expectResult, expectTilingKey, EMPTY_EXPECT_TILING_DATA, expectWorkspaces);
}

inline bool ExecuteTiling(const gert::TilingContextPara &tilingContextPara, TilingInfo &tilingInfo) {
  const standin::TilingResult result = standin::TilingOf(tilingContextPara);
  if (result.status != ge::GRAPH_SUCCESS) {
    return false;
  }
  tilingInfo.tilingKey = static_cast<int64_t>(result.key);
  tilingInfo.blockNum = result.blocks;
  tilingInfo.workspaceSizes.assign(result.workspaces.begin(), result.workspaces.end());
  tilingInfo.tilingDataSize = result.data.size();
  tilingInfo.tilingData = std::make_unique<uint8_t[]>(result.data.size());
  std::memcpy(tilingInfo.tilingData.get(), result.data.data(), result.data.size());
  return true;
}

#endif  // STANDIN_UT_TILING_CASE_EXECUTOR_H_
