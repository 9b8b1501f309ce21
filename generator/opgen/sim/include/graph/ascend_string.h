// CANN stand-in: the string type of interfaces that must not depend on the C++ ABI.
#ifndef STANDIN_GRAPH_ASCEND_STRING_H_
#define STANDIN_GRAPH_ASCEND_STRING_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace ge {
class AscendString {
 public:
  AscendString() = default;
  AscendString(const char *text) : text_(text == nullptr ? nullptr : std::make_shared<std::string>(text)) {}
  AscendString(const char *text, size_t length)
      : text_(text == nullptr ? nullptr : std::make_shared<std::string>(text, length)) {}

  // Never null; empty when there is no text.
  const char *GetString() const { return text_ == nullptr ? "" : text_->c_str(); }
  size_t GetLength() const { return text_ == nullptr ? 0U : text_->size(); }
  size_t Hash() const { return std::hash<std::string>()(Text()); }
  size_t Find(const AscendString &other) const { return Text().find(other.Text()); }

  bool operator<(const AscendString &other) const { return Text() < other.Text(); }
  bool operator>(const AscendString &other) const { return Text() > other.Text(); }
  bool operator<=(const AscendString &other) const { return Text() <= other.Text(); }
  bool operator>=(const AscendString &other) const { return Text() >= other.Text(); }
  bool operator==(const AscendString &other) const { return Text() == other.Text(); }
  bool operator!=(const AscendString &other) const { return Text() != other.Text(); }

 private:
  std::string Text() const { return GetString(); }

  std::shared_ptr<std::string> text_;
};
}  // namespace ge

namespace std {
template <>
struct hash<ge::AscendString> {
  size_t operator()(const ge::AscendString &text) const { return text.Hash(); }
};
}  // namespace std

#endif  // STANDIN_GRAPH_ASCEND_STRING_H_
