// Generated from op.yaml by opgen.
#ifndef CUSTOM_OP_ATTRIBUTES_H_
#define CUSTOM_OP_ATTRIBUTES_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "exe_graph/runtime/runtime_attrs.h"
#include "tensor_check.h"

namespace custom_op {
// Reads the attributes of a node, by their position in REG_OP, which fills in defaults. False when one is missing.
class AttributeReader {
 public:
  AttributeReader(const TensorCheck &check, const gert::RuntimeAttrs *attrs) : check_(check), attrs_(attrs) {}

  bool Read(size_t index, const char *name, bool &value) const;
  bool Read(size_t index, const char *name, int64_t &value) const;
  bool Read(size_t index, const char *name, float &value) const;
  bool Read(size_t index, const char *name, std::string &value) const;
  bool Read(size_t index, const char *name, ge::DataType &value) const;
  bool Read(size_t index, const char *name, std::vector<int64_t> &value) const;
  bool Read(size_t index, const char *name, std::vector<float> &value) const;

 private:
  const TensorCheck &check_;
  const gert::RuntimeAttrs *attrs_;
};

// A value as it stands in keys and on the command line of the kernel script: "true", "-1", "0.5", "1e-05", "inf".
std::string ValueText(bool value);
std::string ValueText(int64_t value);
std::string ValueText(float value);
std::string ValueText(const std::string &value);

// The values of a list with `separator` between them; `none` when there are none.
template <typename T>
std::string ListText(const std::vector<T> &values, const char *separator, const char *none) {
  std::string text = values.empty() ? none : "";
  for (size_t i = 0U; i < values.size(); ++i) {
    text += (i == 0U ? "" : separator) + ValueText(values[i]);
  }
  return text;
}

template <typename T>
std::string ValueText(const std::vector<T> &values) {
  return "[" + ListText(values, ", ", "") + "]";
}

// Limits, both included. A limit has the type of the value.
template <typename T>
bool AtLeast(const TensorCheck &check, const char *name, const T &value, const std::common_type_t<T> &low) {
  return value >= low || check.Refuse(std::string("attribute ") + name + " is " + ValueText(value) +
                                      ", expected at least " + ValueText(low));
}

template <typename T>
bool AtMost(const TensorCheck &check, const char *name, const T &value, const std::common_type_t<T> &high) {
  return value <= high || check.Refuse(std::string("attribute ") + name + " is " + ValueText(value) +
                                       ", expected at most " + ValueText(high));
}

template <typename T>
bool InRange(const TensorCheck &check, const char *name, const T &value, const std::common_type_t<T> &low,
             const std::common_type_t<T> &high) {
  return AtLeast(check, name, value, low) && AtMost(check, name, value, high);
}

// The same for each value of a list.
template <typename T>
bool AllInRange(const TensorCheck &check, const char *name, const std::vector<T> &values,
                const std::common_type_t<T> &low, const std::common_type_t<T> &high) {
  for (const T &value : values) {
    if (!InRange(check, name, value, low, high)) {
      return false;
    }
  }
  return true;
}

template <typename T>
bool OneOf(const TensorCheck &check, const char *name, const T &value,
           std::initializer_list<std::common_type_t<T>> allowed) {
  std::string texts;
  for (const T &one : allowed) {
    if (one == value) {
      return true;
    }
    texts += (texts.empty() ? "" : " or ") + ValueText(one);
  }
  return check.Refuse(std::string("attribute ") + name + " is " + ValueText(value) + ", expected " + texts);
}
}  // namespace custom_op

#endif  // CUSTOM_OP_ATTRIBUTES_H_
