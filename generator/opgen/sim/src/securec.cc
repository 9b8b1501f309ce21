#include "securec.h"

#include <cstring>

namespace {
constexpr errno_t kOutOfRange = 34;
}  // namespace

extern "C" {
errno_t memset_s(void *dest, size_t destMax, int c, size_t count) {
  if (dest == nullptr || count > destMax) {
    return kOutOfRange;
  }
  std::memset(dest, c, count);
  return EOK;
}

errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count) {
  if (dest == nullptr || src == nullptr || count > destMax) {
    return kOutOfRange;
  }
  std::memcpy(dest, src, count);
  return EOK;
}
}
