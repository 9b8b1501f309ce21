#include "runtime.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <utility>

#include "standin/launch.h"

namespace standin {
namespace {
constexpr size_t kGuard = 64U;  // bytes, and so is the alignment of the memory between them
constexpr unsigned char kGuardByte = 0xC5U;

thread_local int32_t device_of_thread = -1;
thread_local aclError last_error = ACL_SUCCESS;

struct Header {
  size_t size;
};

unsigned char *BlockOf(void *memory) {
  return static_cast<unsigned char *>(memory) - 2U * kGuard;
}

bool IsGuard(const unsigned char *bytes) {
  for (size_t i = 0U; i < kGuard; ++i) {
    if (bytes[i] != kGuardByte) {
      return false;
    }
  }
  return true;
}

aclError Failed(aclError error) {
  SetLastError(error);
  return error;
}
}  // namespace

void Stream::Add(Task task) {
  (recorded_ == nullptr ? tasks_ : *recorded_).push_back(std::move(task));
}

void Stream::Run() {
  const std::vector<Task> tasks = std::exchange(tasks_, {});
  for (const Task &task : tasks) {
    task();
  }
}

void *AllocateGuarded(size_t size) {
  const size_t whole = (3U * kGuard + size + kGuard - 1U) / kGuard * kGuard;
  auto *block = static_cast<unsigned char *>(std::aligned_alloc(kGuard, whole));
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  std::memset(block, kGuardByte, whole);
  const Header header{size};
  std::memcpy(block, &header, sizeof(header));
  return block + 2U * kGuard;
}

bool GuardsAreWhole(void *memory, const char *what) {
  Header header{};
  std::memcpy(&header, BlockOf(memory), sizeof(header));
  const unsigned char *data = static_cast<unsigned char *>(memory);
  if (IsGuard(data - kGuard) && IsGuard(data + header.size)) {
    return true;
  }
  std::cerr << "[stand-in] something was written beside the " << header.size << " bytes of " << what << "\n";
  return false;
}

void FreeGuarded(void *memory) {
  if (memory != nullptr) {
    std::free(BlockOf(memory));
  }
}

void SetLastError(aclError error) {
  last_error = error;
}
}  // namespace standin

extern "C" {
void standinLaunch(void *stream, void (*function)(const void *), const void *arguments, size_t size) {
  if (stream == nullptr || function == nullptr) {
    standin::SetLastError(ACL_ERROR_INVALID_PARAM);
    return;
  }
  const auto *bytes = static_cast<const unsigned char *>(arguments);
  std::vector<unsigned char> copy(bytes, bytes + size);
  standin::StreamOf(stream)->Add([function, copy] { function(copy.data()); });
}

aclError aclrtSetDevice(int32_t deviceId) {
  if (deviceId != 0) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  standin::device_of_thread = deviceId;
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t) {
  standin::device_of_thread = -1;
  return ACL_SUCCESS;
}

aclError aclrtGetDevice(int32_t *deviceId) {
  if (deviceId == nullptr || standin::device_of_thread < 0) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  *deviceId = standin::device_of_thread;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t *count) {
  *count = 1U;
  return ACL_SUCCESS;
}

const char *aclrtGetSocName(void) {
  const char *soc = std::getenv("STANDIN_SOC");
  return standin::device_of_thread < 0 ? nullptr : soc != nullptr ? soc : "Ascend910_9362";
}

aclError aclrtCreateStream(aclrtStream *stream) {
  *stream = new standin::Stream;
  return ACL_SUCCESS;
}

aclError aclrtDestroyStream(aclrtStream stream) {
  delete standin::StreamOf(stream);
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  if (stream == nullptr) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  try {
    standin::StreamOf(stream)->Run();
    return ACL_SUCCESS;
  } catch (const std::exception &error) {
    std::cerr << "[stand-in] " << error.what() << "\n";
    return standin::Failed(ACL_ERROR_FAILURE);
  }
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy) {
  if (devPtr == nullptr || size == 0U) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  *devPtr = standin::AllocateGuarded(size);
  return ACL_SUCCESS;
}

aclError aclrtFree(void *devPtr) {
  if (devPtr == nullptr) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  const bool whole = standin::GuardsAreWhole(devPtr, "aclrtMalloc");
  standin::FreeGuarded(devPtr);
  if (!whole) {
    std::abort();  // the memory of the process is not to be trusted any more
  }
  return ACL_SUCCESS;
}

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind) {
  if (count > destMax || dst == nullptr || src == nullptr) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  std::memcpy(dst, src, count);
  return ACL_SUCCESS;
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind,
                          aclrtStream stream) {
  if (count > destMax || dst == nullptr || src == nullptr || stream == nullptr) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  standin::StreamOf(stream)->Add([dst, src, count] { std::memcpy(dst, src, count); });
  return ACL_SUCCESS;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count) {
  if (count > maxCount || devPtr == nullptr) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  std::memset(devPtr, value, count);
  return ACL_SUCCESS;
}

aclError aclrtGetLastError(aclrtLastErrLevel) {
  return std::exchange(standin::last_error, ACL_SUCCESS);
}
aclError aclrtPeekAtLastError(aclrtLastErrLevel) {
  return standin::last_error;
}
}
