#include "runtime.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <utility>

#include "memory.h"
#include "standin/launch.h"

namespace standin {
namespace {
thread_local int32_t device_of_thread = -1;
thread_local aclError last_error = ACL_SUCCESS;

// What this thread records, if it does.
thread_local const Stream *recorded_stream = nullptr;
thread_local std::vector<Task> *recorded_tasks = nullptr;

std::atomic<bool> acl_is_gone{false};

// What every function does first.
void Enter(const char *function) {
  if (acl_is_gone) {
    std::cerr << "[stand-in] " << function << " is called by an operator that dies after ACL was finalized\n";
    std::_Exit(1);
  }
}

aclError Failed(aclError error) {
  SetLastError(error);
  return error;
}
}  // namespace

void Stream::Add(Task task) {
  if (recorded_stream == this) {
    recorded_tasks->push_back(std::move(task));
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  tasks_.push_back(std::move(task));
}

void Stream::Run() {
  const std::lock_guard<std::mutex> in_order(running_);
  std::vector<Task> tasks;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const Task &task : tasks) {
    task();
  }
}

Recording::Recording(Stream &stream, std::vector<Task> &tasks) {
  recorded_stream = &stream;
  recorded_tasks = &tasks;
}

Recording::~Recording() {
  recorded_stream = nullptr;
}

AclIsGone::AclIsGone() {
  acl_is_gone = true;
}

AclIsGone::~AclIsGone() {
  acl_is_gone = false;
}

std::string SocName() {
  const char *soc = std::getenv("STANDIN_SOC");
  return soc == nullptr ? "Ascend910_9362" : soc;
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
  standin::Enter("aclrtSetDevice");
  if (deviceId != 0) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  standin::device_of_thread = deviceId;
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t) {
  standin::Enter("aclrtResetDevice");
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
  static const std::string soc = standin::SocName();
  return standin::device_of_thread < 0 ? nullptr : soc.c_str();
}

aclError aclrtCreateStream(aclrtStream *stream) {
  standin::Enter("aclrtCreateStream");
  *stream = new standin::Stream;
  return ACL_SUCCESS;
}

aclError aclrtDestroyStream(aclrtStream stream) {
  standin::Enter("aclrtDestroyStream");
  delete standin::StreamOf(stream);
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  standin::Enter("aclrtSynchronizeStream");
  if (stream == nullptr) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  if (standin::recorded_stream == stream) {
    std::cerr << "[stand-in] Execute waits for its stream while the graph is loaded: nothing runs on it yet\n";
    return standin::Failed(ACL_ERROR_FAILURE);
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
  standin::Enter("aclrtMalloc");
  if (devPtr == nullptr || size == 0U) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  try {
    *devPtr = standin::AllocateGuarded(size);
    return ACL_SUCCESS;
  } catch (const std::bad_alloc &) {
    return standin::Failed(ACL_ERROR_BAD_ALLOC);
  }
}

aclError aclrtFree(void *devPtr) {
  standin::Enter("aclrtFree");
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
  standin::Enter("aclrtMemcpy");
  if (count > destMax || dst == nullptr || src == nullptr) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  std::memcpy(dst, src, count);
  return ACL_SUCCESS;
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind,
                          aclrtStream stream) {
  standin::Enter("aclrtMemcpyAsync");
  if (count > destMax || dst == nullptr || src == nullptr || stream == nullptr) {
    return standin::Failed(ACL_ERROR_INVALID_PARAM);
  }
  standin::StreamOf(stream)->Add([dst, src, count] { std::memcpy(dst, src, count); });
  return ACL_SUCCESS;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count) {
  standin::Enter("aclrtMemset");
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
