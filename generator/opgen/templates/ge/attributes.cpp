// Generated from op.yaml by opgen.
#include "attributes.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "exe_graph/runtime/continuous_vector.h"

namespace custom_op {
namespace {
constexpr int kFloatDigits = 9;  // enough to tell all floats apart
constexpr int kMinExponent = -4;
constexpr int kMaxExponent = 16;

std::string Print(const char *format, int precision, double value) {
  char text[64];
  (void)std::snprintf(text, sizeof(text), format, precision, value);
  return text;
}

bool IsRead(const TensorCheck &check, const char *name, const void *value) {
  return check.Given(value, (std::string("attribute ") + name).c_str());
}

template <typename T>
bool Copy(const TensorCheck &check, const char *name, const T *found, T &value) {
  if (!IsRead(check, name, found)) {
    return false;
  }
  value = *found;
  return true;
}

template <typename T>
bool Copy(const TensorCheck &check, const char *name, const gert::TypedContinuousVector<T> *found,
          std::vector<T> &value) {
  if (!IsRead(check, name, found)) {
    return false;
  }
  value.assign(found->GetData(), found->GetData() + found->GetSize());
  return true;
}
}  // namespace

bool AttributeReader::Read(size_t index, const char *name, bool &value) const {
  return Copy(check_, name, attrs_ == nullptr ? nullptr : attrs_->GetBool(index), value);
}

bool AttributeReader::Read(size_t index, const char *name, int64_t &value) const {
  return Copy(check_, name, attrs_ == nullptr ? nullptr : attrs_->GetInt(index), value);
}

bool AttributeReader::Read(size_t index, const char *name, float &value) const {
  return Copy(check_, name, attrs_ == nullptr ? nullptr : attrs_->GetFloat(index), value);
}

bool AttributeReader::Read(size_t index, const char *name, std::string &value) const {
  const char *found = attrs_ == nullptr ? nullptr : attrs_->GetStr(index);
  if (!IsRead(check_, name, found)) {
    return false;
  }
  value = found;
  return true;
}

bool AttributeReader::Read(size_t index, const char *name, ge::DataType &value) const {
  int64_t number = 0;
  if (!Read(index, name, number)) {
    return false;
  }
  value = static_cast<ge::DataType>(number);
  return true;
}

bool AttributeReader::Read(size_t index, const char *name, std::vector<int64_t> &value) const {
  return Copy(check_, name, attrs_ == nullptr ? nullptr : attrs_->GetListInt(index), value);
}

bool AttributeReader::Read(size_t index, const char *name, std::vector<float> &value) const {
  return Copy(check_, name, attrs_ == nullptr ? nullptr : attrs_->GetListFloat(index), value);
}

std::string ValueText(bool value) {
  return value ? "true" : "false";
}

std::string ValueText(int64_t value) {
  return std::to_string(value);
}

std::string ValueText(float value) {
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "nan" : (value < 0.0F ? "-inf" : "inf");
  }
  int digits = 1;
  while (digits < kFloatDigits && std::strtof(Print("%.*e", digits - 1, value).c_str(), nullptr) != value) {
    ++digits;
  }
  const std::string text = Print("%.*e", digits - 1, value);  // 1.5e-05, with the fewest digits
  const int exponent = std::atoi(text.substr(text.find('e') + 1U).c_str());
  if (exponent < kMinExponent || exponent >= kMaxExponent) {
    return text;
  }
  const int decimals = digits - 1 - exponent;
  return Print("%.*f", decimals > 0 ? decimals : 1, std::strtod(text.c_str(), nullptr));
}

std::string ValueText(const std::string &value) {
  return value;
}
}  // namespace custom_op
