// CANN stand-in: a shape at run time.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_SHAPE_H_
#define STANDIN_EXE_GRAPH_RUNTIME_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace gert {
struct Shape {
 public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

  Shape() = default;
  Shape(const std::initializer_list<int64_t> &dims) {
    if (dims.size() <= kMaxDimNum) {
      for (const int64_t dim : dims) {
        dims_[dim_num_++] = dim;
      }
    }
  }

  bool operator==(const Shape &other) const {
    if (dim_num_ != other.dim_num_) {
      return false;
    }
    for (size_t i = 0U; i < dim_num_; ++i) {
      if (dims_[i] != other.dims_[i]) {
        return false;
      }
    }
    return true;
  }
  bool operator!=(const Shape &other) const { return !(*this == other); }

  // The product of all sizes, unknown ones included; kInvalidDimValue when it overflows.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0U; i < dim_num_; ++i) {
      if (__builtin_mul_overflow(size, dims_[i], &size)) {
        return kInvalidDimValue;
      }
    }
    return size;
  }

  bool IsScalar() const { return dim_num_ == 0U; }
  void SetScalar() { dim_num_ = 0U; }
  size_t GetDimNum() const { return dim_num_; }
  void SetDimNum(const size_t dim_num) { dim_num_ = dim_num; }
  int64_t GetDim(const size_t index) const { return index < kMaxDimNum ? dims_[index] : kInvalidDimValue; }
  void SetDim(size_t index, const int64_t value) {
    if (index < kMaxDimNum) {
      dims_[index] = value;
    }
  }
  const int64_t &operator[](const size_t index) const { return dims_[index]; }
  int64_t &operator[](const size_t index) { return dims_[index]; }
  Shape &AppendDim(const int64_t value) {
    if (dim_num_ < kMaxDimNum) {
      dims_[dim_num_++] = value;
    }
    return *this;
  }

 private:
  size_t dim_num_ = 0U;
  int64_t dims_[kMaxDimNum] = {};
};
static_assert(std::is_standard_layout<Shape>::value, "a shape is plain data");
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_SHAPE_H_
