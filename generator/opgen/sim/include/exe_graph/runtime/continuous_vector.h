// CANN stand-in: a list whose elements follow it in memory.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_
#define STANDIN_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_

#include <cstddef>
#include <type_traits>

namespace gert {
class ContinuousVector {
 public:
  size_t GetSize() const { return size_; }
  size_t GetCapacity() const { return capacity_; }
  const void *GetData() const { return this + 1; }
  void *MutableData() { return this + 1; }

 protected:
  size_t capacity_ = 0U;
  size_t size_ = 0U;
};
static_assert(std::is_standard_layout<ContinuousVector>::value, "a list is plain data");

template <typename T>
class TypedContinuousVector : private ContinuousVector {
 public:
  using ContinuousVector::GetCapacity;
  using ContinuousVector::GetSize;

  const T *GetData() const { return static_cast<const T *>(ContinuousVector::GetData()); }
  T *MutableData() { return static_cast<T *>(ContinuousVector::MutableData()); }
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_
