// Stand-in for the unit test framework of CANN's operator repositories: the value of an attribute.
#ifndef STANDIN_UT_ANY_VALUE_H_
#define STANDIN_UT_ANY_VALUE_H_

#include <utility>

#include "standin/host_case.h"

namespace Ops {
namespace Math {
class AnyValue {
 public:
  // T is exactly one of int64_t, float, bool, std::string and lists of them.
  template <typename T>
  static AnyValue CreateFrom(const T &value) {
    return AnyValue(standin::HostValue(std::in_place_type<T>, value));
  }
  const standin::HostValue &StandinValue() const { return value_; }

 private:
  explicit AnyValue(standin::HostValue value) : value_(std::move(value)) {}

  standin::HostValue value_;
};
}  // namespace Math
}  // namespace Ops

#endif  // STANDIN_UT_ANY_VALUE_H_
