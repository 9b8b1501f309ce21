#include "tensors.h"

#include <algorithm>
#include <stdexcept>

#include "memory.h"

namespace standin {
bool IsKnown(const ge::TensorDesc &desc) {
  const std::vector<int64_t> dims = desc.GetShape().GetDims();
  return std::all_of(dims.begin(), dims.end(), [](int64_t dim) { return dim >= 0; });
}

ge::TensorDesc Unknown() {
  return ge::TensorDesc(ge::Shape({ge::UNKNOWN_DIM_NUM}), ge::FORMAT_ND, ge::DT_UNDEFINED);
}

ge::TensorDesc DescOf(const gert::Shape &shape, ge::DataType type) {
  std::vector<int64_t> dims;
  for (size_t i = 0U; i < shape.GetDimNum(); ++i) {
    dims.push_back(shape.GetDim(i));
  }
  return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, type);
}

void Describe(gert::Tensor &tensor, const ge::TensorDesc &desc) {
  tensor.MutableOriginShape() = gert::Shape();
  for (const int64_t dim : desc.GetShape().GetDims()) {
    (void)tensor.MutableOriginShape().AppendDim(dim);
  }
  tensor.MutableStorageShape() = tensor.GetOriginShape();
  tensor.MutableFormat() = gert::StorageFormat(desc.GetFormat(), desc.GetFormat(), {});
  tensor.SetDataType(desc.GetDataType());
}

size_t SizeOf(const ge::TensorDesc &desc) {
  if (!IsKnown(desc)) {
    return 0U;
  }
  int64_t count = 1;
  bool too_many = false;
  for (const int64_t dim : desc.GetShape().GetDims()) {
    too_many = __builtin_mul_overflow(count, dim, &count) || too_many;
  }
  const int64_t size = too_many ? -1 : ge::GetSizeInBytes(count, desc.GetDataType());
  if (size < 0) {
    throw std::runtime_error("a tensor has too many elements, or elements without a size");
  }
  return static_cast<size_t>(size);
}

Tensors::~Tensors() {
  for (const auto &block : blocks_) {
    FreeGuarded(block.first);
  }
}

gert::Tensor &Tensors::At(const Node *node, size_t index) {
  std::unique_ptr<gert::Tensor> &tensor = tensors_[{node, index}];
  if (tensor == nullptr) {
    tensor = std::make_unique<gert::Tensor>();
  }
  return *tensor;
}

void Tensors::Allocate(gert::Tensor &tensor, size_t size, const std::string &what) {
  Adopt(AllocateGuarded(size), what);
  tensor.MutableTensorData() = gert::TensorData(blocks_.back().first, nullptr, size, gert::kOnDeviceHbm);
}

void Tensors::CheckGuards() const {
  bool whole = true;
  for (const auto &block : blocks_) {
    whole = GuardsAreWhole(block.first, block.second.c_str()) && whole;
  }
  if (!whole) {
    throw std::runtime_error("the run of a model damaged memory");
  }
}
}  // namespace standin
