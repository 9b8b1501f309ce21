#include "log/log.h"

#include <cstdarg>
#include <cstdio>

namespace standin {
void Log(const char *level, const std::string &who, const char *format, ...) {
  std::fprintf(stderr, "[%s] %s: ", level, who.c_str());
  std::va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
}
}  // namespace standin
