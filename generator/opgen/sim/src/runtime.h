// Streams and device memory.
#ifndef STANDIN_SRC_RUNTIME_H_
#define STANDIN_SRC_RUNTIME_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "acl/acl_rt.h"

namespace standin {
using Task = std::function<void()>;

// A queue of tasks, which run when somebody waits for them. While a model is being loaded its tasks are recorded
// instead.
class Stream {
 public:
  void Add(Task task);
  void Run();
  void Record(std::vector<Task> *recorded) { recorded_ = recorded; }

 private:
  std::vector<Task> tasks_;
  std::vector<Task> *recorded_ = nullptr;
};

inline Stream *StreamOf(void *stream) {
  return static_cast<Stream *>(stream);
}

// Device memory with guard bytes on both sides.
void *AllocateGuarded(size_t size);
// False, with a message, when something was written beside the memory.
bool GuardsAreWhole(void *memory, const char *what);
void FreeGuarded(void *memory);

// The error that aclrtPeekAtLastError of this thread gives.
void SetLastError(aclError error);
}  // namespace standin

#endif  // STANDIN_SRC_RUNTIME_H_
