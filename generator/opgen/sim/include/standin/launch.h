// CANN stand-in: what a kernel for the CPU is launched with. CANN has no such header.
#ifndef STANDIN_LAUNCH_H_
#define STANDIN_LAUNCH_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Puts a task on a stream: `function` gets a copy of `size` bytes of `arguments` when the stream comes to it. A model
// that is being loaded keeps its tasks and repeats them at each run, as the tasks of a graph of known shapes are.
void standinLaunch(void *stream, void (*function)(const void *arguments), const void *arguments, size_t size);

#ifdef __cplusplus
}
#endif

#endif  // STANDIN_LAUNCH_H_
