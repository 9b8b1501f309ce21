// Stand-in for the unit test framework of CANN's operator repositories: calls InferShape and compares.
#ifndef STANDIN_UT_INFERSHAPE_CASE_EXECUTOR_H_
#define STANDIN_UT_INFERSHAPE_CASE_EXECUTOR_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "infershape_context_faker.h"

inline void ExecuteTestCase(gert::InfershapeContextPara &infershapeContextPara,
                            ge::graphStatus expectResult = ge::GRAPH_FAILED,
                            const std::vector<std::vector<int64_t>> &expectOutputShape = {}) {
  const standin::ShapeResult result = standin::RunInferShape(infershapeContextPara.StandinCase());
  EXPECT_EQ(result.status, expectResult);
  if (expectResult == ge::GRAPH_FAILED) {
    return;
  }
  for (size_t i = 0U; i < expectOutputShape.size(); ++i) {
    ASSERT_LT(i, result.shapes.size());
    std::vector<int64_t> dims;
    for (size_t k = 0U; k < result.shapes[i].GetDimNum(); ++k) {
      dims.push_back(result.shapes[i].GetDim(k));
    }
    EXPECT_EQ(dims, expectOutputShape[i]);
  }
}

#endif  // STANDIN_UT_INFERSHAPE_CASE_EXECUTOR_H_
