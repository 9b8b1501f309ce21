// Device memory that tells when somebody goes beyond it.
#ifndef STANDIN_SRC_MEMORY_H_
#define STANDIN_SRC_MEMORY_H_

#include <cstddef>

namespace standin {
// Memory for `size` bytes, at least 1, aligned to 64 bytes. Guard bytes lie on both sides; behind those after it is a
// page that nobody may touch. Throws std::bad_alloc.
void *AllocateGuarded(size_t size);
// False, with a message that says whose memory it is, when something was written beside the memory.
bool GuardsAreWhole(void *memory, const char *what);
void FreeGuarded(void *memory);
}  // namespace standin

#endif  // STANDIN_SRC_MEMORY_H_
