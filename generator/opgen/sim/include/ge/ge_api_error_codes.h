// CANN stand-in: status codes of GE.
#ifndef STANDIN_GE_GE_API_ERROR_CODES_H_
#define STANDIN_GE_GE_API_ERROR_CODES_H_

#include <cstdint>

namespace ge {
using Status = uint32_t;

constexpr Status SUCCESS = 0U;
constexpr Status FAILED = 0xFFFFFFFFU;
}  // namespace ge

#endif  // STANDIN_GE_GE_API_ERROR_CODES_H_
