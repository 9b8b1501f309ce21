// Streams, and the state of ACL's threads.
#ifndef STANDIN_SRC_RUNTIME_H_
#define STANDIN_SRC_RUNTIME_H_

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "acl/acl_rt.h"

namespace standin {
using Task = std::function<void()>;

// A queue of tasks, which run when somebody waits for them.
class Stream {
 public:
  void Add(Task task);
  // A task that throws ends the run; those behind it are forgotten.
  void Run();

 private:
  std::mutex mutex_;
  std::vector<Task> tasks_;
  std::mutex running_;
};

inline Stream *StreamOf(void *stream) {
  return static_cast<Stream *>(stream);
}

// While it lives, what this thread adds to the stream is kept in `tasks` instead.
class Recording {
 public:
  Recording(Stream &stream, std::vector<Task> &tasks);
  ~Recording();
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;
};

// While it lives, a call of ACL ends the process with a message: with GE, ACL is finalized by then.
class AclIsGone {
 public:
  AclIsGone();
  ~AclIsGone();
  AclIsGone(const AclIsGone &) = delete;
  AclIsGone &operator=(const AclIsGone &) = delete;
};

// The chip of the device: STANDIN_SOC, or one of the A3 family.
std::string SocName();

// The error that aclrtPeekAtLastError of this thread gives.
void SetLastError(aclError error);
}  // namespace standin

#endif  // STANDIN_SRC_RUNTIME_H_
