// A kernel library: z = x + y of COUNT elements.
#include "../kernel.h"

#ifdef NEEDS_A_DEVICE
extern "C" void LaunchOnADevice();
#endif

extern "C" __attribute__((visibility("default"))) void call(const float *x, const float *y, float *z, void *stream) {
#ifdef NEEDS_A_DEVICE
  LaunchOnADevice();
#endif
  Launch(stream, {x, y, z, 1.0F, COUNT});
}
