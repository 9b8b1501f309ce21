// Generated from op.yaml by opgen.
#ifndef CUSTOM_OP_SIZES_H_
#define CUSTOM_OP_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/storage_shape.h"
#include "tensor_check.h"

namespace custom_op {
// The size of an axis: a number, or not known yet. What is computed from an unknown size is unknown; what overflows
// becomes the largest or smallest number, which no shape has.
class Size {
 public:
  Size() = default;
  Size(int64_t value) : known_(true), value_(value) {}  // not explicit: numbers and attributes are sizes too

  bool known() const { return known_; }
  int64_t value() const { return value_; }  // -1 when not known

 private:
  bool known_ = false;
  int64_t value_ = -1;
};

Size operator+(const Size &a, const Size &b);
Size operator-(const Size &a, const Size &b);
Size operator*(const Size &a, const Size &b);
Size operator-(const Size &a);
// Rounded down and its remainder, as Python's // and %. Division by zero overflows.
Size FloorDiv(const Size &a, const Size &b);
Size Modulo(const Size &a, const Size &b);
Size CeilDiv(const Size &a, const Size &b);
// The next multiple of b.
Size Align(const Size &a, const Size &b);
Size Minimum(const Size &a, const Size &b);
Size Maximum(const Size &a, const Size &b);

// A size with a name, and what it may be. The first shape that knows it binds it; all others must agree.
class Dim {
 public:
  explicit Dim(const char *name) : name_(name) {}

  Dim &Min(int64_t min);
  Dim &Max(int64_t max);
  Dim &MultipleOf(int64_t factor);
  Dim &OneOf(std::initializer_list<int64_t> values);

  operator Size() const { return size_; }
  const char *name() const { return name_; }
  bool known() const { return size_.known(); }
  int64_t value() const { return size_.value(); }

  // False and what was expected, when it may not be `size` or is another size already.
  bool Bind(int64_t size, std::string &expected);

 private:
  const char *name_;
  Size size_;
  int64_t min_ = 1;
  int64_t max_ = INT32_MAX;
  int64_t factor_ = 1;
  std::vector<int64_t> values_;
};

// What stands on one axis of a shape: a size to bind, a multiple of one, or a size to compare with.
class Axis {
 public:
  Axis(Dim &dim) : dim_(&dim), factor_(1) {}
  Axis(const Size &size) : factor_(size) {}
  Axis(int64_t size) : factor_(size) {}
  Axis(const Size &factor, Dim &dim) : dim_(&dim), factor_(factor) {}

  bool Bind(int64_t size, std::string &expected) const;

 private:
  Dim *dim_ = nullptr;
  Size factor_;
};

// What leading sizes are before anything binds them.
gert::Shape UnknownRank();

// A dense shape: what is stored is what it looks like.
gert::StorageShape Dense(const gert::Shape &shape);

// Binds the axes of a shape. An unknown rank and unknown sizes agree with everything.
bool BindShape(const TensorCheck &check, const char *name, const gert::Shape &shape, std::initializer_list<Axis> axes);

// The same for a shape with any number of leading sizes, which are bound too.
bool BindShape(const TensorCheck &check, const char *name, const gert::Shape &shape, gert::Shape &leading,
               std::initializer_list<Axis> axes);

// The same for each shape of a list.
bool BindShapes(const TensorCheck &check, const char *name, const std::vector<gert::Shape> &shapes,
                std::initializer_list<Axis> axes);
bool BindShapes(const TensorCheck &check, const char *name, const std::vector<gert::Shape> &shapes,
                gert::Shape &leading, std::initializer_list<Axis> axes);

// Binds the length of a list.
bool BindCount(const TensorCheck &check, const char *name, size_t count, const Axis &expected);

// Compares one axis, counted from the last (0), with a size that follows from others.
bool HasSize(const TensorCheck &check, const char *name, const gert::Shape &shape, size_t from_last,
             const Size &expected);
bool HasSizes(const TensorCheck &check, const char *name, const std::vector<gert::Shape> &shapes, size_t from_last,
              const Size &expected);

// The shape of an output, with -1 for unknown sizes. False when a size is not positive or too large.
bool MakeShape(const TensorCheck &check, const char *name, std::initializer_list<Size> sizes, gert::Shape &shape);
bool MakeShape(const TensorCheck &check, const char *name, const gert::Shape &leading,
               std::initializer_list<Size> sizes, gert::Shape &shape);

// A size that a kernel is compiled for must be known.
bool IsKnown(const TensorCheck &check, const Dim &dim);
}  // namespace custom_op

#endif  // CUSTOM_OP_SIZES_H_
