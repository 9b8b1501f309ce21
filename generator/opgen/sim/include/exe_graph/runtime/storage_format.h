// CANN stand-in: the format that the user sees, and the format in memory.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
#define STANDIN_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_

#include <cstdint>

#include "graph/types.h"

namespace gert {
// Which axes were added to a shape for its format. Custom operators use none.
class ExpandDimsType {
 public:
  ExpandDimsType() = default;
  explicit ExpandDimsType(const int64_t &reshape_type_mask) : mask_(reshape_type_mask) {}
  bool operator==(const ExpandDimsType &other) const { return mask_ == other.mask_; }

 private:
  int64_t mask_ = 0;
};

class StorageFormat {
 public:
  StorageFormat() = default;
  StorageFormat(const ge::Format origin_format, const ge::Format storage_format, const ExpandDimsType &expand_dims_type)
      : origin_format_(origin_format), storage_format_(storage_format), expand_dims_type_(expand_dims_type) {}

  ge::Format GetOriginFormat() const { return origin_format_; }
  void SetOriginFormat(const ge::Format format) { origin_format_ = format; }
  ge::Format GetStorageFormat() const { return storage_format_; }
  void SetStorageFormat(const ge::Format format) { storage_format_ = format; }
  ExpandDimsType GetExpandDimsType() const { return expand_dims_type_; }
  void SetExpandDimsType(const ExpandDimsType &type) { expand_dims_type_ = type; }

  bool operator==(const StorageFormat &other) const {
    return origin_format_ == other.origin_format_ && storage_format_ == other.storage_format_ &&
           expand_dims_type_ == other.expand_dims_type_;
  }
  bool operator!=(const StorageFormat &other) const { return !(*this == other); }

 private:
  ge::Format origin_format_ = ge::FORMAT_ND;
  ge::Format storage_format_ = ge::FORMAT_ND;
  ExpandDimsType expand_dims_type_;
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
