// CANN stand-in: the attributes of a node, in the order of REG_OP, defaults filled in.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
#define STANDIN_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/tensor.h"

namespace gert {
class RuntimeAttrs {
 public:
  RuntimeAttrs() = delete;
  RuntimeAttrs(const RuntimeAttrs &) = delete;
  RuntimeAttrs &operator=(const RuntimeAttrs &) = delete;

  // Null for an index out of range, as all getters.
  template <typename T>
  const T *GetAttrPointer(size_t index) const {
    return static_cast<const T *>(GetPointerByIndex(index));
  }
  const int64_t *GetInt(const size_t index) const { return GetAttrPointer<int64_t>(index); }
  const float *GetFloat(const size_t index) const { return GetAttrPointer<float>(index); }
  const bool *GetBool(const size_t index) const { return GetAttrPointer<bool>(index); }
  const char *GetStr(const size_t index) const { return GetAttrPointer<char>(index); }
  const Tensor *GetTensor(const size_t index) const { return GetAttrPointer<Tensor>(index); }
  const TypedContinuousVector<int64_t> *GetListInt(const size_t index) const {
    return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
  }
  const TypedContinuousVector<float> *GetListFloat(const size_t index) const {
    return GetAttrPointer<TypedContinuousVector<float>>(index);
  }
  size_t GetAttrNum() const;

 private:
  const void *GetPointerByIndex(size_t index) const;
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
