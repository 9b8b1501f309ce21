// CANN stand-in: the shape that the user sees, and the shape in memory.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
#define STANDIN_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "exe_graph/runtime/shape.h"

namespace gert {
class StorageShape {
 public:
  StorageShape() = default;
  StorageShape(const std::initializer_list<int64_t> &origin, const std::initializer_list<int64_t> &storage)
      : origin_shape_(origin), storage_shape_(storage) {}

  const Shape &GetOriginShape() const { return origin_shape_; }
  const Shape &GetStorageShape() const { return storage_shape_; }
  Shape &MutableOriginShape() { return origin_shape_; }
  Shape &MutableStorageShape() { return storage_shape_; }

  bool operator==(const StorageShape &other) const {
    return origin_shape_ == other.origin_shape_ && storage_shape_ == other.storage_shape_;
  }
  bool operator!=(const StorageShape &other) const { return !(*this == other); }

 private:
  Shape origin_shape_;
  Shape storage_shape_;
};
static_assert(std::is_standard_layout<StorageShape>::value, "a shape is plain data");
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_STORAGE_SHAPE_H_
