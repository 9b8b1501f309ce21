// Generated from op.yaml by opgen.
#include "sizes.h"

#include <algorithm>

namespace custom_op {
namespace {
constexpr int64_t kUnknownRank = -2;

bool HasUnknownRank(const gert::Shape &shape) {
  return shape.GetDimNum() == 1U && shape.GetDim(0) == kUnknownRank;
}

bool IsWhole(const Size &dividend, const Size &divisor) {
  return divisor.value() != 0 && dividend.value() % divisor.value() == 0;
}

// The quotient rounded toward negative infinity.
int64_t Floor(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// An axis of a shape; -1 when the rank is not known.
int64_t SizeAt(const gert::Shape &shape, size_t from_last) {
  return HasUnknownRank(shape) ? -1 : shape.GetDim(shape.GetDimNum() - 1U - from_last);
}

bool HasRank(const TensorCheck &check, const char *name, const gert::Shape &shape, size_t rank, bool more) {
  if (HasUnknownRank(shape) || shape.GetDimNum() == rank || (more && shape.GetDimNum() > rank)) {
    return true;
  }
  return check.Refuse(std::string(name) + " has shape " + ShapeText(shape) + ", expected " + std::to_string(rank) +
                      (more ? " or more axes" : " axes"));
}

bool BindAxes(const TensorCheck &check, const char *name, const gert::Shape &shape, std::initializer_list<Axis> axes) {
  size_t from_last = axes.size();
  for (const Axis &axis : axes) {
    --from_last;
    const int64_t size = SizeAt(shape, from_last);
    std::string expected;
    if (size >= 0 && !axis.Bind(size, expected)) {
      return check.Refuse(std::string(name) + " has shape " + ShapeText(shape) + ", expected " + expected +
                          " on the axis of size " + std::to_string(size));
    }
  }
  return true;
}

bool BindLeading(const TensorCheck &check, const char *name, const gert::Shape &shape, size_t count,
                 gert::Shape &leading) {
  if (HasUnknownRank(shape)) {
    return true;
  }
  gert::Shape found;
  for (size_t i = 0U; i < count; ++i) {
    found.AppendDim(shape.GetDim(i));
  }
  if (HasUnknownRank(leading)) {
    leading = found;
    return true;
  }
  bool agree = leading.GetDimNum() == count;
  for (size_t i = 0U; agree && i < count; ++i) {
    if (leading.GetDim(i) < 0) {
      leading.SetDim(i, found.GetDim(i));
    }
    agree = found.GetDim(i) < 0 || found.GetDim(i) == leading.GetDim(i);
  }
  return agree || check.Refuse(std::string(name) + " has shape " + ShapeText(shape) + ", expected the leading sizes " +
                               ShapeText(leading));
}
}  // namespace

Size operator+(const Size &a, const Size &b) {
  int64_t sum = 0;
  if (!a.known() || !b.known()) {
    return {};
  }
  return __builtin_add_overflow(a.value(), b.value(), &sum) ? Size(a.value() < 0 ? INT64_MIN : INT64_MAX) : Size(sum);
}

Size operator-(const Size &a, const Size &b) {
  int64_t difference = 0;
  if (!a.known() || !b.known()) {
    return {};
  }
  const bool overflow = __builtin_sub_overflow(a.value(), b.value(), &difference);
  return overflow ? Size(a.value() < 0 ? INT64_MIN : INT64_MAX) : Size(difference);
}

Size operator*(const Size &a, const Size &b) {
  int64_t product = 0;
  if (!a.known() || !b.known()) {
    return {};
  }
  const bool overflow = __builtin_mul_overflow(a.value(), b.value(), &product);
  return overflow ? Size((a.value() < 0) != (b.value() < 0) ? INT64_MIN : INT64_MAX) : Size(product);
}

Size operator-(const Size &a) {
  return Size(0) - a;
}

Size FloorDiv(const Size &a, const Size &b) {
  if (!a.known() || !b.known()) {
    return {};
  }
  return b.value() == 0 || a.value() == INT64_MIN ? Size(INT64_MAX) : Size(Floor(a.value(), b.value()));
}

Size Modulo(const Size &a, const Size &b) {
  return a - FloorDiv(a, b) * b;
}

Size CeilDiv(const Size &a, const Size &b) {
  return -FloorDiv(-a, b);
}

Size Align(const Size &a, const Size &b) {
  return CeilDiv(a, b) * b;
}

Size Minimum(const Size &a, const Size &b) {
  return a.known() && b.known() ? Size(std::min(a.value(), b.value())) : Size();
}

Size Maximum(const Size &a, const Size &b) {
  return a.known() && b.known() ? Size(std::max(a.value(), b.value())) : Size();
}

Dim &Dim::Min(int64_t min) {
  min_ = min;
  return *this;
}

Dim &Dim::Max(int64_t max) {
  max_ = max;
  return *this;
}

Dim &Dim::MultipleOf(int64_t factor) {
  factor_ = factor;
  return *this;
}

Dim &Dim::OneOf(std::initializer_list<int64_t> values) {
  values_ = values;
  return *this;
}

bool Dim::Bind(int64_t size, std::string &expected) {
  const std::string as = std::string(" as ") + name_;
  if (known() && size != value()) {
    expected = std::to_string(value()) + as;
  } else if (!values_.empty() && std::find(values_.begin(), values_.end(), size) == values_.end()) {
    for (const int64_t allowed : values_) {
      expected += (expected.empty() ? "" : " or ") + std::to_string(allowed);
    }
    expected += as;
  } else if (size < min_ || size > max_) {
    expected = std::to_string(min_) + " to " + std::to_string(max_) + as;
  } else if (size % factor_ != 0) {
    expected = "a multiple of " + std::to_string(factor_) + as;
  } else {
    size_ = size;
    return true;
  }
  return false;
}

bool Axis::Bind(int64_t size, std::string &expected) const {
  if (dim_ == nullptr) {
    expected = std::to_string(factor_.value());
    return !factor_.known() || factor_.value() == size;
  }
  if (!factor_.known()) {
    return true;
  }
  if (!IsWhole(size, factor_)) {
    expected = "a multiple of " + std::to_string(factor_.value());
    return false;
  }
  return dim_->Bind(size / factor_.value(), expected);
}

gert::Shape UnknownRank() {
  return {kUnknownRank};
}

gert::StorageShape Dense(const gert::Shape &shape) {
  gert::StorageShape dense;
  dense.MutableOriginShape() = shape;
  dense.MutableStorageShape() = shape;
  return dense;
}

bool BindShape(const TensorCheck &check, const char *name, const gert::Shape &shape, std::initializer_list<Axis> axes) {
  return HasRank(check, name, shape, axes.size(), false) && BindAxes(check, name, shape, axes);
}

bool BindShape(const TensorCheck &check, const char *name, const gert::Shape &shape, gert::Shape &leading,
               std::initializer_list<Axis> axes) {
  return HasRank(check, name, shape, axes.size(), true) &&
         BindLeading(check, name, shape, shape.GetDimNum() - axes.size(), leading) &&
         BindAxes(check, name, shape, axes);
}

bool BindShapes(const TensorCheck &check, const char *name, const std::vector<gert::Shape> &shapes,
                std::initializer_list<Axis> axes) {
  return std::all_of(shapes.begin(), shapes.end(),
                     [&check, name, axes](const gert::Shape &shape) { return BindShape(check, name, shape, axes); });
}

bool BindShapes(const TensorCheck &check, const char *name, const std::vector<gert::Shape> &shapes,
                gert::Shape &leading, std::initializer_list<Axis> axes) {
  return std::all_of(shapes.begin(), shapes.end(), [&check, name, &leading, axes](const gert::Shape &shape) {
    return BindShape(check, name, shape, leading, axes);
  });
}

bool BindCount(const TensorCheck &check, const char *name, size_t count, const Axis &expected) {
  std::string wanted;
  return expected.Bind(static_cast<int64_t>(count), wanted) ||
         check.Refuse(std::string(name) + " has " + std::to_string(count) + " tensors, expected " + wanted);
}

bool HasSize(const TensorCheck &check, const char *name, const gert::Shape &shape, size_t from_last,
             const Size &expected) {
  const int64_t size = SizeAt(shape, from_last);
  if (size < 0 || !expected.known() || size == expected.value()) {
    return true;
  }
  return check.Refuse(std::string(name) + " has shape " + ShapeText(shape) + ", expected " +
                      std::to_string(expected.value()) + " on the axis of size " + std::to_string(size));
}

bool HasSizes(const TensorCheck &check, const char *name, const std::vector<gert::Shape> &shapes, size_t from_last,
              const Size &expected) {
  return std::all_of(shapes.begin(), shapes.end(), [&check, name, from_last, &expected](const gert::Shape &shape) {
    return HasSize(check, name, shape, from_last, expected);
  });
}

bool MakeShape(const TensorCheck &check, const char *name, std::initializer_list<Size> sizes, gert::Shape &shape) {
  return MakeShape(check, name, gert::Shape(), sizes, shape);
}

bool MakeShape(const TensorCheck &check, const char *name, const gert::Shape &leading,
               std::initializer_list<Size> sizes, gert::Shape &shape) {
  shape = leading;
  if (HasUnknownRank(leading)) {
    return true;
  }
  for (const Size &size : sizes) {
    if (size.known() && (size.value() < 1 || size.value() > INT32_MAX)) {
      return check.Refuse(std::string("a size of ") + name + " would be " + std::to_string(size.value()) +
                          ", expected 1 to " + std::to_string(INT32_MAX));
    }
    shape.AppendDim(size.value());
  }
  return true;
}

bool IsKnown(const TensorCheck &check, const Dim &dim) {
  return dim.known() || check.Refuse(std::string("size ") + dim.name() +
                                     " is not known, expected one that is known when the kernel is compiled");
}
}  // namespace custom_op
