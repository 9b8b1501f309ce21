// Runs a kernel: all blocks, and of each the cores that it uses.
#pragma once

// Puts a task on a stream of the CANN stand-in: a model that is being loaded keeps its tasks and repeats them at each
// run. Other programs do not have it.
extern "C" __attribute__((weak, visibility("default"))) void standinLaunch(void *stream, void (*task)(const void *),
                                                                           const void *given, size_t size);

namespace ascend {

// Runs a task: when the stream comes to it, or at once where there is no stream.
template <class Task>
void launch(void *stream, Task task) {
  static_assert(std::is_trivially_copyable<Task>::value, "a stream keeps the bytes of a task");
  if (stream == nullptr || standinLaunch == nullptr) return task();
  standinLaunch(stream, [](const void *given) { (*static_cast<const Task *>(given))(); }, &task, sizeof(task));
}

#ifdef OPGEN_CORES_TALK
enum { TALK = 1 };
#else
enum { TALK = 0 };
inline int32_t meet(void *) {
  return 0;
}
#endif

// roles: what the kernel uses. subs: vector cores of a block. joint: one core plays all roles. everyone: cores of
// different blocks wait for each other.
template <class Kernel>
void run(int roles, int subs, bool joint, bool everyone, Kernel kernel) {
  Launch launch;
  Core counting{&launch, 0, 0, roles, true};
  kernel(counting);
  (void)everyone;
#ifdef OPGEN_CORES_TALK
  if (!joint) {
    if (everyone) {
      if (launch.blocks > 0) run_blocks(0, launch.blocks, roles, subs, launch, kernel);
    } else {
      for (int64_t block = 0; block < launch.blocks; block++) run_blocks(block, 1, roles, subs, launch, kernel);
    }
    return;
  }
#endif
  for (int64_t block = 0; block < launch.blocks; block++) {
    if (joint) {
      for (int32_t sub = 0; sub < subs; sub++) {
        Core core{&launch, (int32_t)block, sub, CUBE | VECTOR, false};
        kernel(core);
      }
      continue;
    }
    if (roles & CUBE) {
      Core core{&launch, (int32_t)block, 0, CUBE, false};
      kernel(core);
    }
    if (roles & VECTOR)
      for (int32_t sub = 0; sub < subs; sub++) {
        Core core{&launch, (int32_t)block, sub, VECTOR, false};
        kernel(core);
      }
  }
}

}  // namespace ascend
