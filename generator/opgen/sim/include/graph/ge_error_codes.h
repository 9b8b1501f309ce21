// CANN stand-in: status codes of graphs.
#ifndef STANDIN_GRAPH_GE_ERROR_CODES_H_
#define STANDIN_GRAPH_GE_ERROR_CODES_H_

#include <cstdint>

namespace ge {
using graphStatus = uint32_t;

constexpr graphStatus GRAPH_SUCCESS = 0U;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFFU;
constexpr graphStatus GRAPH_NOT_CHANGED = 1343242304U;
constexpr graphStatus GRAPH_NODE_WITHOUT_CONST_INPUT = 50331648U;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649U;
}  // namespace ge

#endif  // STANDIN_GRAPH_GE_ERROR_CODES_H_
