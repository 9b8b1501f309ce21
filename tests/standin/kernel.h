// z = scale * x + y on a stream, in place of a kernel.
#ifndef TESTS_STANDIN_KERNEL_H_
#define TESTS_STANDIN_KERNEL_H_

#include <cstdint>

#include "standin/launch.h"

struct KernelArguments {
  const float *x;
  const float *y;
  float *z;
  float scale;
  int64_t count;
};

inline void RunKernel(const void *bytes) {
  const auto &a = *static_cast<const KernelArguments *>(bytes);
  for (int64_t i = 0; i < a.count; ++i) {
    a.z[i] = a.scale * a.x[i] + a.y[i];
  }
}

inline void Launch(void *stream, const KernelArguments &arguments) {
  standinLaunch(stream, RunKernel, &arguments, sizeof(arguments));
}

#endif  // TESTS_STANDIN_KERNEL_H_
