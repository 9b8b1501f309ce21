// libcustom_op_registry_static.a: linked into an operator library, it keeps the operators of that library and tells
// them to whoever asks.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/custom_op.h"
#include "pull.h"

namespace {
using Creators = std::vector<std::pair<std::string, ge::CustomOpCreateFunc>>;

Creators &TheCreators() {
  static Creators creators;
  return creators;
}
}  // namespace

namespace ge {
// Hidden: the constructor of libgraph, which is loaded before, would be taken instead.
__attribute__((visibility("hidden"))) CustomOpCreatorRegister::CustomOpCreatorRegister(
    const AscendString &operator_type, const CustomOpCreateFunc creator) {
  TheCreators().emplace_back(operator_type.GetString(), creator);
}
}  // namespace ge

extern "C" {
uint32_t GetRegisteredCustomOpCreatorAbiVersion() {
  return standin::kPullAbiVersion;
}

size_t GetRegisteredCustomOpCreatorNum() {
  return TheCreators().size();
}

int32_t GetRegisteredCustomOpCreators(standin::PulledCreator *creators, size_t count) {
  if (creators == nullptr || count != TheCreators().size()) {
    return -1;
  }
  for (size_t i = 0U; i < count; ++i) {
    creators[i] = {TheCreators()[i].first.c_str(), TheCreators()[i].second};
  }
  return 0;
}
}
