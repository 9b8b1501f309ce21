// How a library tells its operators from CANN 9.2 on: three functions that libcustom_op_registry_static.a defines.
#ifndef STANDIN_SRC_PULL_H_
#define STANDIN_SRC_PULL_H_

#include <cstddef>
#include <cstdint>

#include "graph/custom_op.h"

namespace standin {
constexpr uint32_t kPullAbiVersion = 1U;

struct PulledCreator {
  const char *type;
  ge::BaseCustomOp *(*create)();
};

using PullVersion = uint32_t (*)();
using PullCount = size_t (*)();
using PullCreators = int32_t (*)(PulledCreator *creators, size_t count);
}  // namespace standin

#endif  // STANDIN_SRC_PULL_H_
