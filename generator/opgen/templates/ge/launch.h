// Generated from op.yaml by opgen.
#ifndef CUSTOM_OP_LAUNCH_H_
#define CUSTOM_OP_LAUNCH_H_

#include <cstddef>
#include <utility>
#include <vector>

namespace custom_op {
constexpr size_t kMaxTensors = 64U;  // of one call

template <size_t... I, typename... Others>
void LaunchWith(void *call, const std::vector<const void *> &tensors, std::index_sequence<I...>, Others... others) {
  using Call = void (*)(decltype(static_cast<void>(I), static_cast<const void *>(nullptr))..., Others...);
  reinterpret_cast<Call>(call)(tensors[I]..., others...);
}

// Calls a kernel whose number of tensors is known only here, because they come as a list. False when there are too
// many.
template <size_t count = 0U, typename... Others>
bool Launch(void *call, const std::vector<const void *> &tensors, Others... others) {
  if constexpr (count <= kMaxTensors) {
    if (tensors.size() != count) {
      return Launch<count + 1U>(call, tensors, others...);
    }
    LaunchWith(call, tensors, std::make_index_sequence<count>(), others...);
    return true;
  }
  return false;
}
}  // namespace custom_op

#endif  // CUSTOM_OP_LAUNCH_H_
