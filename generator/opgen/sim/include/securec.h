// CANN stand-in: memory functions that know the size of their destination.
#ifndef STANDIN_SECUREC_H_
#define STANDIN_SECUREC_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int errno_t;

#ifndef EOK
#define EOK 0
#endif

// EOK, or an error when the destination is null or too small.
errno_t memset_s(void *dest, size_t destMax, int c, size_t count);
errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count);

#ifdef __cplusplus
}
#endif

#endif  // STANDIN_SECUREC_H_
