// CANN stand-in: messages of operators, and the checks that write them. Messages go to stderr.
#ifndef STANDIN_LOG_LOG_H_
#define STANDIN_LOG_LOG_H_

#include <string>
#include <type_traits>

#include "exe_graph/runtime/shape.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace standin {
// Unlike CANN's, it lets the compiler compare the format with its arguments.
void Log(const char *level, const std::string &who, const char *format, ...) __attribute__((format(printf, 3, 4)));

inline std::string WhoLogs(const char *name) {
  return name == nullptr ? "nil" : name;
}
inline std::string WhoLogs(const std::string &name) {
  return name;
}
// A context.
template <typename T, typename = std::enable_if_t<std::is_class<T>::value>>
std::string WhoLogs(T *context) {
  return context == nullptr ? "nil" : WhoLogs(context->GetNodeType()) + ":" + WhoLogs(context->GetNodeName());
}
}  // namespace standin

// The first argument is a context or a name.
#define OP_LOGE(who, ...) standin::Log("ERROR", standin::WhoLogs(who), __VA_ARGS__)
#define OP_LOGE_WITHOUT_REPORT(who, ...) OP_LOGE(who, __VA_ARGS__)
#define OP_LOGW(who, ...) standin::Log("WARNING", standin::WhoLogs(who), __VA_ARGS__)
#define OP_LOGI(who, ...) standin::Log("INFO", standin::WhoLogs(who), __VA_ARGS__)
#define OP_LOGD(who, ...) standin::Log("DEBUG", standin::WhoLogs(who), __VA_ARGS__)

#define OP_CHECK_IF(condition, log, leave) \
  do {                                     \
    if (condition) {                       \
      log;                                 \
      leave;                               \
    }                                      \
  } while (0)

#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) \
  OP_CHECK_IF((pointer) == nullptr, OP_LOGE(context, "%s is nullptr!", #pointer), return ge::GRAPH_FAILED)

#endif  // STANDIN_LOG_LOG_H_
