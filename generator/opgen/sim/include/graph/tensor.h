// CANN stand-in: shapes and tensors of graphs.
#ifndef STANDIN_GRAPH_TENSOR_H_
#define STANDIN_GRAPH_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace ge {
class Shape {
 public:
  Shape() = default;
  explicit Shape(const std::vector<int64_t> &dims) : dims_(dims) {}

  // 0 when the rank is unknown.
  size_t GetDimNum() const { return dims_ == std::vector<int64_t>{UNKNOWN_DIM_NUM} ? 0U : dims_.size(); }
  int64_t GetDim(size_t index) const { return index < dims_.size() ? dims_[index] : 0; }
  graphStatus SetDim(size_t index, int64_t value);
  std::vector<int64_t> GetDims() const { return dims_; }
  int64_t GetShapeSize() const;

 private:
  std::vector<int64_t> dims_;
};

class TensorDesc {
 public:
  TensorDesc() = default;
  explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType type = DT_FLOAT)
      : shape_(shape), origin_shape_(shape), format_(format), origin_format_(format), type_(type) {}

  void Update(const Shape &shape, Format format = FORMAT_ND, DataType type = DT_FLOAT) {
    *this = TensorDesc(shape, format, type);
  }
  Shape GetShape() const { return shape_; }
  void SetShape(const Shape &shape) { shape_ = shape; }
  Shape GetOriginShape() const { return origin_shape_; }
  void SetOriginShape(const Shape &shape) { origin_shape_ = shape; }
  Format GetFormat() const { return format_; }
  void SetFormat(Format format) { format_ = format; }
  Format GetOriginFormat() const { return origin_format_; }
  void SetOriginFormat(Format format) { origin_format_ = format; }
  DataType GetDataType() const { return type_; }
  void SetDataType(DataType type) { type_ = type; }
  Placement GetPlacement() const { return placement_; }
  void SetPlacement(Placement placement) { placement_ = placement; }

 private:
  Shape shape_;
  Shape origin_shape_;
  Format format_ = FORMAT_ND;
  Format origin_format_ = FORMAT_ND;
  DataType type_ = DT_FLOAT;
  Placement placement_ = kPlacementHost;
};

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(const TensorDesc &desc) : desc_(desc) {}
  Tensor(const TensorDesc &desc, const std::vector<uint8_t> &data) : desc_(desc), data_(data) {}
  Tensor(const TensorDesc &desc, const uint8_t *data, size_t size) : desc_(desc), data_(data, data + size) {}

  TensorDesc GetTensorDesc() const { return desc_; }
  graphStatus SetTensorDesc(const TensorDesc &desc) {
    desc_ = desc;
    return GRAPH_SUCCESS;
  }
  const uint8_t *GetData() const { return data_.data(); }
  uint8_t *GetData() { return data_.data(); }
  size_t GetSize() const { return data_.size(); }
  graphStatus SetData(const std::vector<uint8_t> &data) {
    data_ = data;
    return GRAPH_SUCCESS;
  }
  graphStatus SetData(const uint8_t *data, size_t size) { return SetData(std::vector<uint8_t>(data, data + size)); }

 private:
  TensorDesc desc_;
  std::vector<uint8_t> data_;
};
}  // namespace ge

#endif  // STANDIN_GRAPH_TENSOR_H_
